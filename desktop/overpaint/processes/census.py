"""The census of a data folder's processes: which run, in which role, since when.

Read from the notes of the roles and the command lines of all processes, so that a hung process is counted,
too. Must not know what the processes do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import psutil

from overpaint import folders
from overpaint.processes import roles
from overpaint.processes.children import WORKERS, own_words

RunningRole = Literal["core", "standby", "live", "camera", "window", "worker"]

_NOTED: tuple[tuple[str, RunningRole], ...] = (
    ("core", "core"),
    ("live", "live"),
    ("camera", "camera"),
    ("one-window", "window"),
)
"""Names of notes, and the roles of their processes."""
_NOTE_LATER_S = 1.0
"""Largest difference between the system's clocks for processes and files."""


@dataclass(frozen=True, slots=True)
class Running:
    """A running process.

    Attributes:
        role: Its role.
        pid: Its process id.
        since: Its start.
    """

    role: RunningRole
    pid: int
    since: datetime


def census(folder: Path) -> list[Running]:
    """Lists the processes of a data folder, by role.

    Args:
        folder: The data folder.

    Returns:
        Cores first, workers last; headless streams count as live processes.
    """
    found = {process.pid: (role, process) for role, process in _noted(folder)}
    for role, process in _commanded(folder):
        found.setdefault(process.pid, (role, process))
    order = ("core", "standby", "live", "camera", "window", "worker")
    running = (_running(role, process) for role, process in found.values())
    return sorted((each for each in running if each), key=lambda each: (order.index(each.role), each.pid))


def workers_of(pid: int) -> list[int]:
    """Returns the process ids of a process's running workers."""
    workers = []
    with suppress(psutil.NoSuchProcess):
        for child in psutil.Process(pid).children():
            with suppress(psutil.Error):
                if (words := own_words(child.cmdline())) and _role(words) == "worker":
                    workers += [child.pid, *workers_of(child.pid)]
    return workers


def cpu_seconds_of(pids: Sequence[int]) -> float:
    """Returns the processor time that the running ones of these processes have used, of all threads."""
    total = 0.0
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            times = psutil.Process(pid).cpu_times()
            total += times.user + times.system
    return total


def _noted(folder: Path) -> Iterator[tuple[RunningRole, psutil.Process]]:
    for name, role in _NOTED:
        note = roles.read_note(folder, name)
        if note is None:
            continue
        try:
            process = psutil.Process(note.pid)
            written_s = (folder / f"{name}.json").stat().st_mtime
        except (psutil.Error, OSError):
            continue
        # A younger process got the id of one that was killed and left its note.
        if process.create_time() <= written_s + _NOTE_LATER_S:
            yield role, process


@dataclass(frozen=True, slots=True)
class _Own:
    """A process of this program, for any data folder."""

    process: psutil.Process
    words: list[str]
    starter: int


def _commanded(folder: Path) -> Iterator[tuple[RunningRole, psutil.Process]]:
    """Yields processes without a note, recognised by their command lines."""
    own = _own_processes()
    doubles = _doubles(own)
    for each in own.values():
        role = _role(each.words)
        if role is None or each.process.pid in doubles:
            continue
        with suppress(psutil.Error, OSError):  # it is gone
            if _folder(each, own) == folder:
                yield role, each.process


def _own_processes() -> dict[int, _Own]:
    own = {}
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):  # another user's, or gone
            words = own_words(process.cmdline())
            if words is not None:
                own[process.pid] = _Own(process, words, process.ppid())
    return own


def _doubles(own: Mapping[int, _Own]) -> set[int]:
    """Returns, of each child and parent with the same command line, the one that does no work.

    On Windows that is the parent, a launcher that waits for Python; elsewhere the child, forked just before
    it executes another program.
    """
    doubles = set()
    for each in own.values():
        starter = own.get(each.starter)
        if starter is not None and starter.words == each.words:
            doubles.add(each.starter if sys.platform == "win32" else each.process.pid)
    return doubles


def _role(words: Sequence[str]) -> RunningRole | None:
    command = words[0] if words else ""
    if command == "stream":
        return "live"
    if command in ("serve", "attend") and "--standby" in words:
        return "standby"
    return "worker" if command in WORKERS else None


def _folder(one: _Own, own: Mapping[int, _Own]) -> Path:
    """Returns the data folder of a process; a worker's is its starter's. Raises ``psutil.Error``."""
    while _role(one.words) == "worker" and (starter := own.get(one.starter)) is not None:
        one = starter
    for at, word in enumerate(one.words):
        if word == "--data-dir" and at + 1 < len(one.words):
            return (Path(one.process.cwd()) / one.words[at + 1]).resolve()
        if word.startswith("--data-dir="):
            return (Path(one.process.cwd()) / word.partition("=")[2]).resolve()
    named = one.process.environ().get(folders.DATA_DIR_VARIABLE)
    return Path(named).resolve() if named else folders.usual_data_dir().resolve()


def _running(role: RunningRole, process: psutil.Process) -> Running | None:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return Running(role, process.pid, datetime.fromtimestamp(process.create_time(), UTC))
    except psutil.Error:
        return None
