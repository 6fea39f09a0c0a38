"""The settings dialog, and the rows of its subjects."""
