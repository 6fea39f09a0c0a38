"""Connection of the window to the live process: bridge, view model, preview receiver, session recovery."""
