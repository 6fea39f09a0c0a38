"""Dialogs: questions, settings, service, sources, charges, names, about. None talks to another process."""
