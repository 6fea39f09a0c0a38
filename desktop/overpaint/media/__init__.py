"""Media: sources of frames, links between processes, sinks.

Must not know sessions, prompts, credits or windows.
"""
