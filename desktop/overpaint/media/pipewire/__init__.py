"""PipeWire's client library by ``ctypes``: no compiler, no GObject, no GStreamer. Must not know devices."""
