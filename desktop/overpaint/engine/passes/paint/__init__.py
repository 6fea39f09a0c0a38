"""Passes of paint: patches, washes, brush strokes, dabs, nets that repaint."""
