"""Widgets for looks: list of looks, chips of the prompt, photo button, style controls."""
