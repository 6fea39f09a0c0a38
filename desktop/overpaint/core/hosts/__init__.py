"""Engine hosts: where streams are restyled, their slots and threads."""
