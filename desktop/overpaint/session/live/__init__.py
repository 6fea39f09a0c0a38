"""The live process: intents in, snapshots out; the source; idle suspend; persistence."""
