"""Overpaint's processes on one machine: start, discovery, messages, supervision, sandbox.

``roles``: one process a role and data folder, and the note by which others find it.
``channel``: messages between two processes over a local socket or named pipe.
``children``: start, priority and end of one of our processes.
``supervision``: heartbeat and watchdog, the standby core, the successor of a live process.
``sandbox``: confinement of a process that opens untrusted files.
Must not know what the processes do.
"""
