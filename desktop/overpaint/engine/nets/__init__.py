"""Neural nets: ONNX files examined, opened and run; looks that users make of them."""
