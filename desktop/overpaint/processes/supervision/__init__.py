"""Supervision of processes: heartbeat and watchdog, standby, successor of a dead or hung live process."""
