"""Passes of place: person and background apart, another place behind the person."""
