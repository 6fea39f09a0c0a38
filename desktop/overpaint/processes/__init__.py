"""Overpaint's processes on one machine: started, found, talked to, watched and replaced.

``roles``: one process a role and data folder, and the note by which others find it.
``channel``: messages between two processes over a local socket or named pipe.
``children``: starting one of our processes, its priority, its end.
``supervision``: heartbeat and watchdog, the standby core, the successor of a live process.
``sandbox``: confining a process that opens what strangers made.
Must not know what the processes do.
"""
