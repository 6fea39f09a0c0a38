"""Passes of drawing: lines, ink, hatching, chalk, coloured pencil."""
