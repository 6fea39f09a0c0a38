"""Passes of screens and film: tube, tape, projector, glitch, frames around the picture."""
