"""Passes of light and tone: relighting, glow, colour grading, gradient maps, local contrast."""
