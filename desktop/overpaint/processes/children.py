"""Child processes of Overpaint: start, priority, end.

Always a new interpreter (never fork: Qt, FFmpeg and threads do not survive it), also when the application is
frozen into one executable. Must not know what the process does.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import psutil

from overpaint.errors import ProcessError
from overpaint.processes import roles

LOG_BYTES = 1_000_000
"""Limit of a log file, bytes: a longer one is emptied when its process starts (no rotation)."""
_SAID_S = 60.0

WORKERS = frozenset({"work", "decode", "play-file", "play-camera", "examine-net", "warm"})
"""Commands of worker processes, which open or compute something for their starter."""
_SCRIPTS = frozenset({"overpaint", "overpaint-window"})
"""Names of the installed scripts and of the frozen application."""

Priority = Literal["raised", "normal", "lowered", "background", "idle"]


def command(*arguments: str) -> list[str]:
    """Returns the command line of ``overpaint ARGUMENTS…`` with this very interpreter or executable.

    In the frozen application for Windows it is that of ``overpaint.exe`` also for the window's children: what
    they write goes to its pipes and logs.
    """
    if getattr(sys, "frozen", False):
        return [_frozen("overpaint"), *arguments]
    # -P: with -m alone Python would import from the current folder first, where a malicious numpy.py may lie
    # beside the picture that the user has just downloaded.
    return [sys.executable, "-P", "-m", "overpaint", *arguments]


def window_command() -> list[str]:
    """Returns the command line that opens the app, without a console window on Windows."""
    if getattr(sys, "frozen", False):
        return [_frozen("overpaint-window")]
    interpreter = Path(sys.executable)
    without = interpreter.with_name("pythonw.exe")
    return [str(without if without.exists() else interpreter), *command()[1:]]


def _frozen(name: str) -> str:
    """Returns the path of a program of the frozen application: of two on Windows, of one elsewhere."""
    program = Path(sys.executable)
    return str(program.with_name(f"{name}.exe") if sys.platform == "win32" else program)


def own_words(command_line: Sequence[str]) -> list[str] | None:
    """Returns the arguments in a command line of Overpaint, however it was started.

    Returns:
        None for every other program, also for one that starts this one (``timeout 60 overpaint …``).
    """
    words = list(command_line)
    program = _name(words.pop(0)) if words else ""
    if program in _SCRIPTS:
        return words
    if not program.startswith("python"):
        return None
    while words:
        word = words.pop(0)
        if word == "-m":
            return words[1:] if words[:1] == ["overpaint"] else None
        if word == "-c":
            return None
        if word in ("-W", "-X"):
            words = words[1:]
        elif not word.startswith("-"):
            return words if _name(word) in _SCRIPTS else None
    return None


def _name(path: str) -> str:
    """Returns the last part of a path of any system, in lower case, without ``.exe``."""
    return path.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")


class Starting:
    """A started process ``overpaint ARGUMENTS…``, which outlives this one's window and terminal.

    It writes one line to its standard output when it is ready, and nothing more; its standard error is
    appended to the log file, which begins anew when it has grown large.

    Args:
        title: Its name for the user.
        arguments: Arguments after the program's name.
        log_file: Receives its standard error.
        cued: Whether it loads, writes a line (``hear``), and then waits for ``cue``.

    Attributes:
        pid: Its process id.
    """

    def __init__(self, title: str, arguments: Sequence[str], log_file: Path, *, cued: bool = False) -> None:
        self._title, self._log_file = title, log_file
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        # Appended: another process may be running already, and writing to it.
        with log_file.open("ab") as log:
            if log.tell() > LOG_BYTES:
                log.truncate(0)
            self._log_start = log_file.stat().st_size
            self._child = subprocess.Popen(
                command(*arguments),
                stdin=subprocess.PIPE if cued else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                close_fds=True,
                start_new_session=sys.platform != "win32",
                creationflags=flags,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        self.pid = self._child.pid
        # Somebody must wait for its end, or a dead child stays in the process table as a zombie.
        threading.Thread(target=self._child.wait, name=f"child-{self.pid}", daemon=True).start()

    def wait(self) -> None:
        """Returns when it is ready, or when another one has its role already.

        Raises:
            ProcessError: It ended instead; the sentence contains its last message.
        """
        assert self._child.stdout is not None
        with self._child.stdout:
            if self.hear():
                return
        if self._child.wait() == roles.EXIT_ALREADY_RUNNING:
            return
        said = self._log_file.read_bytes()[self._log_start :].decode("utf-8", "replace")
        words = said.strip().splitlines() or ["no word"]
        folder = self._log_file.parent
        if shutil.disk_usage(folder).free < LOG_BYTES:  # it could not even say so
            raise ProcessError("data_folder_full", folder=str(folder))
        raise ProcessError(
            "process_does_not_start", process=self._title, sentence=words[-1], log=str(self._log_file)
        )

    # ---- one that is cued ------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._child.returncode is None

    def hear(self) -> bytes:
        """Waits for a line of its output; empty where it ended without one."""
        assert self._child.stdout is not None
        return bytes(self._child.stdout.readline())

    def say(self, word: bytes) -> None:
        """Writes a line to it. Raises ``OSError`` where it has ended, or was cued."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(word + b"\n")
            self._child.stdin.flush()
        except ValueError as error:
            raise BrokenPipeError("It was cued.") from error

    def cue(self) -> None:
        """Tells it to go on. Raises ``OSError`` where it has ended."""
        assert self._child.stdin is not None
        with self._child.stdin as cue:
            cue.write(b"\n")

    def kill(self) -> None:
        """Kills it."""
        self._child.kill()

    def close(self) -> None:
        """Frees its handles, after its end."""
        for end in (self._child.stdin, self._child.stdout):
            if end is not None:
                end.close()


def said(*arguments: str) -> str:
    """Runs ``overpaint ARGUMENTS…`` to its end; returns its output, errors included.

    Raises:
        ProcessError: It does not end in time.
    """
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    try:
        done = subprocess.run(
            command(*arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            creationflags=flags,
            timeout=_SAID_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ProcessError("command_does_not_end", command=arguments[0]) from error
    return done.stdout.decode("utf-8", "replace").strip()


def set_priority(priority: Priority, pid: int | None = None) -> None:
    """Requests a priority; a refusal (raising needs rights on Linux) changes nothing.

    Args:
        priority: The priority.
        pid: Process id of one of our processes; this one by default.
    """
    try:
        process = psutil.Process(pid)
    except psutil.NoSuchProcess:
        return
    if sys.platform == "win32":
        classes = {
            "raised": psutil.ABOVE_NORMAL_PRIORITY_CLASS,
            "normal": psutil.NORMAL_PRIORITY_CLASS,
            "lowered": psutil.BELOW_NORMAL_PRIORITY_CLASS,
            "background": psutil.IDLE_PRIORITY_CLASS,
            "idle": psutil.IDLE_PRIORITY_CLASS,
        }
        process.nice(classes[priority])
        return
    nice = {"raised": -5, "normal": 0, "lowered": 10, "background": 19, "idle": 19}[priority]
    with contextlib.suppress(psutil.Error, PermissionError, ProcessLookupError):
        if sys.platform == "linux":
            # On Linux each thread has its own: that of the process would only apply to its first thread.
            for thread in process.threads():
                os.setpriority(os.PRIO_PROCESS, thread.id, nice)
                if priority == "idle":  # a fifth of the share of "background", and irreversible
                    os.sched_setscheduler(thread.id, os.SCHED_IDLE, os.sched_param(0))
        else:
            process.nice(nice)
