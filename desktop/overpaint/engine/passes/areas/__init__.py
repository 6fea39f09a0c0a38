"""Passes of areas: mosaics, facets, stained glass, letters, pixels."""
