"""Passes of paint: Kuwahara filter, watercolour washes, brush strokes, dabs, neural style transfer."""
