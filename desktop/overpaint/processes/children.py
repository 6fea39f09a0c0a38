"""Child processes: the start of one of Overpaint's own, its priority, its end.

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

from overpaint.errors import ProcessError
from overpaint.processes import roles

LOG_BYTES = 1_000_000

WORKERS = frozenset({"work", "decode", "play-file", "examine-net", "warm"})
"""Commands of processes that open or compute something for the one of ours that has started them."""
_SCRIPTS = frozenset({"overpaint", "overpaint-window"})
"""As they are installed, and the frozen application."""

Priority = Literal["raised", "normal", "lowered", "background", "idle"]


def command(*arguments: str) -> list[str]:
    """The command line that runs ``overpaint ARGUMENTS…`` with this very interpreter or executable."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    # -P: with -m alone Python would look for every module in the current folder first, where a stranger's
    # numpy.py may lie beside the picture that the user has just downloaded.
    return [sys.executable, "-P", "-m", "overpaint", *arguments]


def own_words(command_line: Sequence[str]) -> list[str] | None:
    """What follows the program's name in a command line of Overpaint, however it was started.

    Returns:
        None for every other program, those too that start this one (``timeout 60 overpaint …``).
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
    """The last part of a path of any system, in small letters, without ``.exe``."""
    return path.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")


class Starting:
    """A process that was begun: ``overpaint ARGUMENTS…``, which outlives this one's window and terminal.

    It says one line on its standard output when it is ready, and nothing more; its standard error goes to
    the end of the log file, which begins anew when it has grown large.

    Args:
        title: What a person would call it.
        arguments: After the program's name.
        log_file: Where its standard error goes.
        cued: Whether it loads, says a line for that (``hear``), and then waits for ``cue``.

    Attributes:
        pid: Its process id.
    """

    def __init__(self, title: str, arguments: Sequence[str], log_file: Path, *, cued: bool = False) -> None:
        self._title, self._log_file = title, log_file
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        # Appended to: it may be that of another process, which is running already, and goes on writing.
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
        # Somebody must take note of its end, or a child that dies stays in the process table as a zombie.
        threading.Thread(target=self._child.wait, name=f"child-{self.pid}", daemon=True).start()

    def wait(self) -> None:
        """Returns when it is ready, or when another one is there already.

        Raises:
            ProcessError: It ended instead; the sentence has its own last words.
        """
        assert self._child.stdout is not None
        with self._child.stdout:
            if self.hear():
                return
        if self._child.wait() == roles.EXIT_ALREADY_RUNNING:
            return
        said = self._log_file.read_bytes()[self._log_start :].decode("utf-8", "replace")
        words = said.strip().splitlines() or ["no word"]
        raise ProcessError(
            "process_does_not_start", process=self._title, sentence=words[-1], log=str(self._log_file)
        )

    # ---- one that is cued ------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._child.returncode is None

    def hear(self) -> bytes:
        """Waits for a line of it; returns an empty one where it ended without."""
        assert self._child.stdout is not None
        return bytes(self._child.stdout.readline())

    def say(self, word: bytes) -> None:
        """Says a line to it. Raises ``OSError`` where it has ended, or was cued."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(word + b"\n")
            self._child.stdin.flush()
        except ValueError as error:
            raise BrokenPipeError("It was cued.") from error

    def cue(self) -> None:
        """Lets it go on. Raises ``OSError`` where it has ended."""
        assert self._child.stdin is not None
        with self._child.stdin as cue:
            cue.write(b"\n")

    def kill(self) -> None:
        """Ends it by force."""
        self._child.kill()

    def close(self) -> None:
        """Lets go of it, after its end."""
        for end in (self._child.stdin, self._child.stdout):
            if end is not None:
                end.close()


def said(*arguments: str, timeout_s: float = 60.0) -> str:
    """Runs ``overpaint ARGUMENTS…`` to its end; returns what it said, errors included.

    Raises:
        ProcessError: It does not come to its end in time.
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
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ProcessError("command_does_not_end", command=arguments[0]) from error
    return done.stdout.decode("utf-8", "replace").strip()


def set_priority(priority: Priority, pid: int | None = None) -> None:
    """Asks the system for a priority; a refusal (raising needs rights on Linux) changes nothing.

    Args:
        priority: What for.
        pid: Of which of our processes; this one when left out.
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
            # There it is each thread's own: that of the process would be its first thread's alone.
            for thread in process.threads():
                os.setpriority(os.PRIO_PROCESS, thread.id, nice)
                if priority == "idle":  # a fifth of what "background" gets beside it, and no way back
                    os.sched_setscheduler(thread.id, os.SCHED_IDLE, os.sched_param(0))
        else:
            process.nice(nice)
