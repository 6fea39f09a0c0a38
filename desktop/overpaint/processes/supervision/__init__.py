"""Supervision of processes: heartbeat and watchdog, standby, successor of the live process."""
