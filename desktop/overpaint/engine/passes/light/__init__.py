"""Passes of light and tone: lamps, sky, neon, contrast, colour."""
