"""Roles: one process a role and data folder, found by its note.

A role ("core", "live", "camera") is held by a lock file for as long as its process lives (the system lets go
of it even after ``kill -9``), and announced by a note beside it that only its user can read. Quick to
import, since the app begins its processes before it loads anything else.
"""

from __future__ import annotations

import json
import logging
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from overpaint.errors import LinkError, ProcessError
from overpaint.private_folder import write_private

if TYPE_CHECKING:
    from overpaint.processes.channel import Channel

log = logging.getLogger(__name__)

WINDOW = "one-window"
"""The window's role; its note must not be the file in which the window remembers itself."""
EXIT_ALREADY_RUNNING = 3
"""Exit status by which one of the app's own processes tells its starter that another has its role."""


@dataclass(frozen=True, slots=True)
class Note:
    """How to reach the process that holds a role.

    Attributes:
        pid: Its process id.
        address: Of its ``ChannelServer``.
        secret: Of its ``ChannelServer``; the note is readable by its user only.
    """

    pid: int
    address: str
    secret: str


class Role:
    """A role that this process holds from ``take`` to ``leave``.

    Args:
        folder: The data folder.
        name: "core", "live" or "camera".
    """

    def __init__(self, folder: Path, name: str) -> None:
        from filelock import FileLock

        self._lock = FileLock(str(folder / f"{name}.lock"))
        self._note = folder / f"{name}.json"
        self._name = name

    def take(self, within_s: float = 0.0) -> None:
        """Takes the role.

        Args:
            within_s: How long whoever has it now may take to end.

        Raises:
            ProcessError: Another process has it (``already_running``).
        """
        from filelock import Timeout

        try:
            self._lock.acquire(timeout=within_s)
        except Timeout as error:
            raise ProcessError("role_taken", role=self._name) from error

    def announce(self, address: str, secret: str) -> None:
        """Writes the note, whole or not at all."""
        note = Note(pid=os.getpid(), address=address, secret=secret)
        write_private(self._note, json.dumps(asdict(note)).encode())

    def leave(self) -> None:
        """Removes the note and lets go of the lock."""
        self._note.unlink(missing_ok=True)
        self._lock.release()


def read_note(folder: Path, name: str) -> Note | None:
    """The note of the process that holds (or held) a role."""
    try:
        said = json.loads((folder / f"{name}.json").read_text("utf-8"))
        note = Note(**said)
    except (OSError, ValueError, TypeError):
        return None
    fits = isinstance(note.pid, int) and isinstance(note.address, str) and isinstance(note.secret, str)
    return note if fits else None


def is_announced(folder: Path, name: str) -> bool:
    """Whether there is a note of a process that still runs. A glance: only ``call`` knows for sure."""
    note = read_note(folder, name)
    return note is not None and psutil.pid_exists(note.pid)


def call(folder: Path, name: str) -> Channel | None:
    """Connects to the process that holds a role; None when there is none (or only its stale note)."""
    from overpaint.processes.channel import connect

    note = read_note(folder, name)
    if note is None:
        return None
    try:
        return connect(note.address, note.secret)
    except LinkError:
        return None


def reach(folder: Path, name: str) -> Channel | None:
    """Connects as ``call`` does; a process that listens and lets nobody in hangs, and is killed.

    Returns:
        None when there is none, or none any more.
    """
    from overpaint.processes.channel import connect

    note = read_note(folder, name)
    if note is None:
        return None
    try:
        return connect(note.address, note.secret)
    except LinkError as error:
        if error.kind == "silent":
            end_hung(folder, name)
        return None


def end_hung(folder: Path, name: str) -> None:
    """Kills the process that holds a role and does not answer; returns when it is gone.

    To be called only where its connections were accepted: so it lives, and its note is true.
    """
    from overpaint.processes.supervision.heartbeat import end_by_force

    note = read_note(folder, name)
    if note is None:
        return
    with suppress(psutil.NoSuchProcess):  # its watchdog was quicker
        process = psutil.Process(note.pid)
        log.warning("Overpaint's %s process (%d) hangs, and is killed", name, note.pid)
        end_by_force(process)
