"""Media: sources take frames in, links carry them between processes, sinks hand them out.

Must not know sessions, prompts, credits or windows.
"""
