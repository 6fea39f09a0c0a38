"""Light: exposure, contrast, white balance and noise of the picture, corrected before every look."""
