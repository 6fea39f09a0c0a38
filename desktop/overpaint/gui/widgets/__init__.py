"""Widgets that the panels are made of. They know the theme and nothing of Overpaint's state."""
