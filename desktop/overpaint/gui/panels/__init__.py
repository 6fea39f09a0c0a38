"""Regions of the window. Each shows a snapshot (``show_…``) and emits intents; none talks to a process."""
