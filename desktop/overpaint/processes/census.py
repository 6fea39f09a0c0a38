"""The census of a data folder's processes: which run, in which role, since when.

From the notes of the roles, and from the process tree below those who hold them: a process that hangs is
counted, too. Must not know what the processes do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import psutil

from overpaint import folders
from overpaint.processes import roles

RunningRole = Literal["core", "standby", "live", "camera", "window", "worker"]

_NOTED: tuple[tuple[str, RunningRole], ...] = (
    ("core", "core"),
    ("live", "live"),
    ("camera", "camera"),
    ("one-window", "window"),
)
"""Names of notes, and whose they are."""
_NOTE_LATER_S = 1.0
"""Clocks of processes and files differ by less."""


@dataclass(frozen=True, slots=True)
class Running:
    """One process.

    Attributes:
        role: What it is for.
        pid: Its process id.
        since: When it began.
    """

    role: RunningRole
    pid: int
    since: datetime


def census(folder: Path) -> list[Running]:
    """Every process of a data folder, by role.

    Args:
        folder: The data folder.

    Returns:
        Cores first, workers last; streams without a window are live processes.
    """
    found = {process.pid: (role, process) for role, process in (*_noted(folder), *_streams(folder))}
    for _, holder in tuple(found.values()):
        for child in _children(holder):
            role = _role_of_child(child)
            if role is not None:
                found.setdefault(child.pid, (role, child))
    order = ("core", "standby", "live", "camera", "window", "worker")
    running = (_running(role, process) for role, process in found.values())
    return sorted((each for each in running if each), key=lambda each: (order.index(each.role), each.pid))


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
        # A younger process has the number of one that was killed and could not take its note away.
        if process.create_time() <= written_s + _NOTE_LATER_S:
            yield role, process


def _streams(folder: Path) -> Iterator[tuple[RunningRole, psutil.Process]]:
    """``overpaint stream`` holds no role: any number of them may run."""
    for process in psutil.process_iter():
        try:
            words = _words(process.cmdline())
            if words[:1] == ["stream"] and _folder(words, process) == folder:
                yield "live", process
        except (psutil.Error, OSError):
            continue  # another user's, or gone


def _words(command: Sequence[str]) -> list[str]:
    """What follows the program's name; empty for other programs."""
    for at, word in enumerate(command[:4]):
        if Path(word).name in ("overpaint", "overpaint.exe"):
            return list(command[at + 1 :])
    return []


def _folder(words: Sequence[str], process: psutil.Process) -> Path:
    """Raises ``psutil.Error``."""
    for at, word in enumerate(words):
        if word == "--data-dir" and at + 1 < len(words):
            return (Path(process.cwd()) / words[at + 1]).resolve()
        if word.startswith("--data-dir="):
            return (Path(process.cwd()) / word.partition("=")[2]).resolve()
    named = process.environ().get(folders.DATA_DIR_VARIABLE)
    return Path(named).resolve() if named else folders.usual_data_dir().resolve()


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


def _role_of_child(process: psutil.Process) -> RunningRole | None:
    try:
        command = process.cmdline()
    except psutil.Error:
        return None
    if "--spare" in command:
        return "standby"
    return "worker" if command[-1:] == ["work"] else None


def _running(role: RunningRole, process: psutil.Process) -> Running | None:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return Running(role, process.pid, datetime.fromtimestamp(process.create_time(), UTC))
    except psutil.Error:
        return None
