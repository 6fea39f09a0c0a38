"""Realtime sessions of the service: control socket, media rooms, reference photos, billing."""
