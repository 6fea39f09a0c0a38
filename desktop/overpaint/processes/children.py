"""Starting one of Overpaint's own processes, its priority, its end.

Always a fresh interpreter (never fork: Qt, FFmpeg and threads do not survive it), also when the
application is frozen into one executable. Must not know what the process does.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import psutil

Priority = Literal["raised", "normal", "lowered"]


def command(*arguments: str) -> list[str]:
    """The command line that runs ``overpaint ARGUMENTS…`` with this very interpreter or executable."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    return [sys.executable, "-m", "overpaint", *arguments]


def start(arguments: Sequence[str], log_file: Path) -> subprocess.Popen[bytes]:
    """Starts ``overpaint ARGUMENTS…`` as a process that outlives this one's window and terminal.

    Args:
        arguments: After the program's name.
        log_file: Where its standard error goes (replaced).

    Returns:
        The process; it says one line on ``stdout`` when it is ready, and nothing more.
    """
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    with log_file.open("wb") as output:
        child = subprocess.Popen(
            command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=output,
            close_fds=True,
            start_new_session=sys.platform != "win32",
            creationflags=flags,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
    # Somebody must take note of its end, or a child that dies stays in the process table as a zombie.
    threading.Thread(target=child.wait, name=f"child-{child.pid}", daemon=True).start()
    return child


def set_priority(priority: Priority) -> None:
    """Asks the system for a priority; a refusal (raising needs rights on Linux) changes nothing."""
    process = psutil.Process()
    if sys.platform == "win32":
        classes = {
            "raised": psutil.ABOVE_NORMAL_PRIORITY_CLASS,
            "normal": psutil.NORMAL_PRIORITY_CLASS,
            "lowered": psutil.BELOW_NORMAL_PRIORITY_CLASS,
        }
        process.nice(classes[priority])
        return
    with contextlib.suppress(psutil.AccessDenied, PermissionError):
        process.nice({"raised": -5, "normal": 0, "lowered": 10}[priority])
