"""Roles: one process for each role and data folder, found by its note.

A role ("core", "live", "camera") is a lock file, held while its process lives (the system releases it even
after ``kill -9``), and a note beside it that only its user can read. Quick to import, since the app begins
its processes before it loads anything else.
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
"""The window's role; its note must not be the file of the window's own state."""
EXIT_ALREADY_RUNNING = 3
"""Exit status of a process whose role another process has."""


@dataclass(frozen=True, slots=True)
class Note:
    """The note of the process that holds a role: how to reach it.

    Attributes:
        pid: Its process id.
        address: Address of its ``ChannelServer``.
        secret: Secret of its ``ChannelServer``; only its user can read the note.
    """

    pid: int
    address: str
    secret: str


class Role:
    """A role, held by this process from ``take`` to ``leave``.

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
            within_s: Time in which its present holder may end.

        Raises:
            ProcessError: Another process has it (``already_running``).
        """
        from filelock import Timeout

        try:
            self._lock.acquire(timeout=within_s)
        except Timeout as error:
            raise ProcessError("role_taken", role=self._name) from error

    def announce(self, address: str, secret: str) -> None:
        """Writes the note, atomically."""
        note = Note(pid=os.getpid(), address=address, secret=secret)
        write_private(self._note, json.dumps(asdict(note)).encode())

    def leave(self) -> None:
        """Removes the note and releases the lock."""
        self._note.unlink(missing_ok=True)
        self._lock.release()


def read_note(folder: Path, name: str) -> Note | None:
    """Reads the note of the process that holds (or held) a role."""
    try:
        said = json.loads((folder / f"{name}.json").read_text("utf-8"))
        note = Note(**said)
    except (OSError, ValueError, TypeError):
        return None
    fits = isinstance(note.pid, int) and isinstance(note.address, str) and isinstance(note.secret, str)
    return note if fits else None


def is_announced(folder: Path, name: str) -> bool:
    """Returns whether there is a note of a running process; only ``call`` knows for sure."""
    note = read_note(folder, name)
    return note is not None and psutil.pid_exists(note.pid)


def call(folder: Path, name: str) -> Channel | None:
    """Connects to the process that holds a role; None where there is none (or only a stale note)."""
    from overpaint.processes.channel import connect

    note = read_note(folder, name)
    if note is None:
        return None
    try:
        return connect(note.address, note.secret)
    except LinkError:
        return None


def reach(folder: Path, name: str) -> Channel | None:
    """Connects as ``call`` does; kills a hung process, which listens but completes no handshake.

    Returns:
        None where there is none, or it was killed.
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
    """Kills the process that holds a role and does not answer; returns after its end.

    Only for a process that accepted a connection: so it lives, and its note is valid.
    """
    from overpaint.processes.supervision.heartbeat import end_by_force

    note = read_note(folder, name)
    if note is None:
        return
    with suppress(psutil.NoSuchProcess):  # its watchdog has killed it meanwhile
        process = psutil.Process(note.pid)
        log.warning("Overpaint's %s process (%d) hangs, and is killed", name, note.pid)
        end_by_force(process)
