"""Scenes: places of our own making that stand behind people, their motion and their light."""
