"""Passes of what people wear: clothes in another colour or cloth, dyed hair."""
