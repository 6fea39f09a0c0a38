"""Looks in the window: list models, thumbnails, presets, prompt history. No widgets."""
