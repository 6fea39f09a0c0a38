"""People of our own making, ray-marched, whose alpha is known exactly."""
