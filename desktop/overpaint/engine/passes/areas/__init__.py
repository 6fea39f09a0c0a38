"""Passes of areas: mosaic and pointillism, low poly, stained glass, ASCII art, pixel art."""
