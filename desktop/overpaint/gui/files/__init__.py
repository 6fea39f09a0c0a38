"""Files in the window: intake of pictures and clips, reference photos, thumbnails, export of results."""
