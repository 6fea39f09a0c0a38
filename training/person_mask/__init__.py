"""Trains Overpaint's own net that finds people. Knows nothing of the application: the net leaves here as ONNX."""
