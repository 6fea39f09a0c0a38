"""The real command line in real processes, with nothing left running afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from overpaint.processes import roles


def overpaint(*arguments: str, timeout: float = 80, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs one command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "overpaint", *arguments],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=os.environ | environment,
    )


def start(*arguments: str, log: Path) -> subprocess.Popen[bytes]:
    """Starts one command beside the test; ``log`` gets what it says."""
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "overpaint", *arguments], stdout=output, stderr=subprocess.STDOUT
        )


def role_pid(folder: Path, role: str) -> int | None:
    """Process id of the process of a data folder that has a role, while it lives."""
    note = roles.read_note(folder, role)
    return note.pid if note is not None and psutil.pid_exists(note.pid) else None


def has_ended(process: psutil.Process) -> bool:
    """Whether a process runs no more; one whose parent has not asked for its end yet has ended too."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # it may end between any two questions
        return True


def standby_children() -> list[psutil.Process]:
    """Standby cores that this process has begun."""
    return [child for child in psutil.Process().children() if "--standby" in child.cmdline()]


def until(condition: Callable[[], object], seconds: float = 20.0, what: str | Callable[[], str] = "") -> None:
    """Waits for something that another process brings about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"it did not come about: {what() if callable(what) else what}"
        time.sleep(0.02)


def end_all(folder: Path, processes: Sequence[subprocess.Popen[bytes]] = ()) -> None:
    """Ends the processes of a data folder."""
    for process in processes:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                if (holder := role_pid(folder, "camera")) is not None:
                    psutil.Process(holder).kill()  # it would start another
                process.kill()
                process.wait(10)
    for role in ("live", "core", "camera"):
        pid = role_pid(folder, role)
        if pid is not None:
            try:
                process = psutil.Process(pid)
                process.terminate()
                process.wait(10)
            except psutil.TimeoutExpired:
                process.kill()
            except psutil.NoSuchProcess:
                pass
