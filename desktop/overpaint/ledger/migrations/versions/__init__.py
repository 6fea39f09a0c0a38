"""Migration steps, one module each, in the order of their numbers. A published step never changes."""
