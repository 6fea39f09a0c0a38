"""The passes that looks are made of (image filters): each prepared once for a size, applied to every frame.

A look's data file names passes by the keys of ``PASSES`` (``registry``). Knows canvases and arrays only.
"""
