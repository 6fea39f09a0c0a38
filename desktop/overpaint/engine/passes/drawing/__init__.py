"""Passes of drawing: line extraction, inking, hatching, charcoal, coloured pencil."""
