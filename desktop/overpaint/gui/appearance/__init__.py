"""Appearance of the window: design tokens, theme, style sheet."""
