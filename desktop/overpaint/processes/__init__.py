"""How Overpaint's processes on one machine are started, found, and talked to.

``roles``: one process a role and data folder, and the note by which others find it.
``channel``: messages between two processes over a local socket or named pipe.
``children``: starting one of our processes, its priority, its end.
Must not know what the processes do.
"""
