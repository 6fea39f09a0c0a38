"""Reusable widgets of the panels and dialogs. They know the theme, but not the state of the live process."""
