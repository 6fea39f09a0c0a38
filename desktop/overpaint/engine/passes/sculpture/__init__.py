"""Passes of sculpture: the person, or everything, as marble, bronze, ice and other materials."""
