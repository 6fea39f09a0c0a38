"""How Overpaint's processes on one machine are started, found, and talked to.

``roles``: one process a role and data folder, and the note by which others find it.
``channel``: messages between two processes over a local socket or named pipe.
``children``: starting one of our processes, its priority, its end.
``loading``: what speeds up the loading of a process.
``sandbox``: confining a process that opens what strangers made.
``program``: how a process begins and ends.
Must not know what the processes do.
"""
