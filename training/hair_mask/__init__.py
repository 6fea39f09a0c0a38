"""Training of the net that finds hair."""
