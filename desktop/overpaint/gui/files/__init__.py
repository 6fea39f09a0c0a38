"""Files in and out of the window: intake for the queue, reference photos, thumbnails, export of results."""
