"""Passes of screens and film: CRT, VHS tape, film projector, glitch, frames around the picture."""
