"""Looks as the window offers them: lists, thumbnails, presets, the history of prompts."""
