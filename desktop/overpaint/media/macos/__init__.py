"""Interfaces of macOS that Qt does not have, by ctypes: screen recording's permission, the Dock.

Imported on every system, used on macOS alone. Must not know sources or sinks.
"""
