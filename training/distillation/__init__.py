"""Trains Overpaint's own any-style nets. Knows nothing of the application: the nets leave as ONNX files."""
