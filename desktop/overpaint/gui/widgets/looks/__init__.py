"""Widgets for looks: their list, chips of the prompt, the photo's button, style controls."""
