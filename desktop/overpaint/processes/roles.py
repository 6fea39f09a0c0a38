"""One process a role and data folder, and the note by which others find it.

A role ("core", "live") is held by a lock file for as long as its process lives (the system lets go
of it even after ``kill -9``), and announced by a note beside it that only its user can read.
"""

from __future__ import annotations

import os
from pathlib import Path

import psutil
from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from overpaint.errors import LinkError, ProcessError
from overpaint.processes.channel import Channel, connect

EXIT_ALREADY_RUNNING = 3
"""Exit status by which one of the app's own processes tells its starter that another has its role."""


class Note(BaseModel):
    """How to reach the process that holds a role.

    Attributes:
        pid: Its process id.
        address: Of its ``ChannelServer``.
        secret: Of its ``ChannelServer``; the note is readable by its user only.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    pid: int
    address: str
    secret: str


class Role:
    """A role that this process holds from ``take`` to ``leave``.

    Args:
        folder: The data folder.
        name: "core" or "live".
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._lock = FileLock(str(folder / f"{name}.lock"))
        self._note = folder / f"{name}.json"
        self._name = name

    def take(self) -> None:
        """Takes the role. Raises ``ProcessError`` (``already_running``) when another process has it."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            raise ProcessError(
                f"Overpaint's {self._name} process is already running for this data folder.",
                kind="already_running",
                mend="Use that one, or name another folder with --data-dir.",
            ) from error

    def announce(self, address: str, secret: str) -> None:
        """Writes the note, whole or not at all."""
        draft = self._note.with_suffix(".tmp")
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(Note(pid=os.getpid(), address=address, secret=secret).model_dump_json())
        draft.replace(self._note)

    def leave(self) -> None:
        """Removes the note and lets go of the lock."""
        self._note.unlink(missing_ok=True)
        self._lock.release()


def read_note(folder: Path, name: str) -> Note | None:
    """The note of the process that holds (or held) a role."""
    try:
        return Note.model_validate_json((folder / f"{name}.json").read_text("utf-8"))
    except (OSError, ValidationError):
        return None


def is_announced(folder: Path, name: str) -> bool:
    """Whether there is a note of a process that still runs. A glance: only ``call`` knows for sure."""
    note = read_note(folder, name)
    return note is not None and psutil.pid_exists(note.pid)


def call(folder: Path, name: str) -> Channel | None:
    """Connects to the process that holds a role; None when there is none (or only its stale note)."""
    note = read_note(folder, name)
    if note is None:
        return None
    try:
        return connect(note.address, note.secret)
    except LinkError:
        return None
