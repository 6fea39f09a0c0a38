"""The virtual camera: its process, its client, the sink and the drivers below it."""
