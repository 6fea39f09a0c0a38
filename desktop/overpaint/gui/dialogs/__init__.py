"""Dialogs: questions, settings, about. Each shows and asks; none talks to a process."""
