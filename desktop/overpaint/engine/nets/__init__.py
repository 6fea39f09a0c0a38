"""Neural nets (inference with ONNX Runtime): files examined, opened and run; looks made of users' nets."""
