"""The sandbox of processes that open untrusted files, one module per system."""
