"""The connection of the window to the live process: intents out, snapshots and pictures in, recovery."""
