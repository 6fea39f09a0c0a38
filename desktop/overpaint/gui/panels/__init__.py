"""Regions of the window. Each shows the model (``show_…``) and emits intents; none talks to a process."""
