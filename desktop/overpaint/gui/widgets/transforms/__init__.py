"""Widgets for the transform queue: list view, item delegate, notice."""
