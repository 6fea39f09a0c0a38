"""A camera in PipeWire: bindings of its library, SPA pods, pixel layouts, the node."""
