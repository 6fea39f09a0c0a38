"""The passes that looks are made of: each prepared once for a size, then applied to every frame.

A look's data file names passes by the names in ``PASSES`` (``registry``). Knows canvases and arrays
only.
"""
