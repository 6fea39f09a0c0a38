"""Meters of the window: graphs and bars of measured values."""
