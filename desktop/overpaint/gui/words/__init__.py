"""Texts of the window in its language: states, errors, looks, prompts, transforms."""
