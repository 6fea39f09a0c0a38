"""The live process: the window's wishes in, the state of the stream out, the source, idle suspend."""
