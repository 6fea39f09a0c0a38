"""Overpaint's processes on one machine: started, found, talked to, watched and replaced.

``roles``: one process a role and data folder, and the note by which others find it.
``channel``: messages between two processes over a local socket or named pipe.
``children``: starting one of our processes, its priority, its end.
``heartbeat``: whether a process answers; the watchdog that kills one that hangs.
``standby``, ``next_live``, ``succession``: who takes the place of a process that ended.
``sandbox``: confining a process that opens what strangers made.
Must not know what the processes do.
"""
