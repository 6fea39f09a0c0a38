"""Widgets for the queue of transforms: its list, its rows, its notice."""
