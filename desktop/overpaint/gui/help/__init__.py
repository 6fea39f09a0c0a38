"""Help inside the app: a sheet with all shortcuts, and the tour of the first start."""
