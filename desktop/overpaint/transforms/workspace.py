"""The workspace of a worker: input and output of its one order, and no other files. Must not start workers.

A hostile file that takes over a worker can access only what the sandbox allows: this workspace, with the
order's input (``in``, read-only) and its output (``out``). The worker's owner stages the input as a hard link
and moves the output away. Files are copied where hard links are not possible, or on another disk.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import threading
from contextlib import suppress
from pathlib import Path

import psutil

from overpaint.transforms.targets import whole
from overpaint.transforms.worker_messages import Order

_NO_OTHER = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags against opening the target of a symbolic link, or blocking on a FIFO without a writer."""


def process_folder(parent: Path) -> Path:
    """Path of this process's own folder in ``parent``, which does not exist yet.

    Those of processes that have ended are removed, and one of a former process with this one's number.
    """
    own = parent / str(os.getpid())
    for former in parent.iterdir() if parent.is_dir() else ():
        if former == own or not (former.name.isdigit() and psutil.pid_exists(int(former.name))):
            shutil.rmtree(former, ignore_errors=True)
    return own


class Workspace:
    """The workspace of one worker. Thread-safe; one order at a time.

    Args:
        folder: Its folder, made at first use.

    Attributes:
        inputs: What its worker may read.
        outputs: What its worker may read and write.
    """

    def __init__(self, folder: Path) -> None:
        self.inputs, self.outputs = folder / "in", folder / "out"
        self._number = 0
        self._guard = threading.Lock()

    def open(self) -> None:
        """Makes the folders, which stay: the sandbox refers to them. Raises ``OSError``."""
        for folder in (self.inputs, self.outputs):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def stage_input(self, order: Order) -> Order:
        """Links or copies the input of an order, and its reference photo, into the emptied workspace.

        Returns:
            The order, with its paths inside the workspace.

        Raises:
            OSError: One of them is missing, or cannot be linked or copied.
        """
        with self._guard:
            self._number += 1
            self._empty()
            self.open()
            paths = {
                "source": self._staged(order.source, "input"),
                "reference": self._staged(order.reference, "reference"),
                "target": str(self.outputs / f"{self._number}-output") if order.target else "",
            }
            return order.model_copy(update=paths)

    def _staged(self, file: str, name: str) -> str:
        """The path of a file in the workspace, as a hard link or a copy; empty for no file."""
        if not file:
            return ""
        staged = self.inputs / f"{self._number}-{name}"
        try:
            os.link(file, staged)
        except FileNotFoundError:
            raise
        except OSError:
            shutil.copyfile(file, staged)
        return str(staged)

    def collect_output(self, staged: Order, target: Path) -> int:
        """Moves the output of an order to ``target``.

        The worker may still run and is not trusted, so the file is checked after the move, out of its reach.

        Returns:
            Its size in bytes.

        Raises:
            OSError: There is no output, it is not a regular file, or it cannot be moved.
        """
        made = Path(staged.target)
        try:
            made.replace(target)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            with os.fdopen(os.open(made, os.O_RDONLY | _NO_OTHER), "rb") as file:
                _check_regular(os.fstat(file.fileno()))
                with whole(target) as part, part.open("wb") as copy:
                    shutil.copyfileobj(file, copy)
        found = target.lstat()
        try:
            _check_regular(found)
        except OSError:
            target.unlink()
            raise
        return found.st_size

    def clear(self) -> None:
        """Removes the files of the last order."""
        with self._guard:
            self._empty()

    def _empty(self) -> None:
        for folder in (self.inputs, self.outputs):
            with suppress(OSError):
                for left in list(folder.iterdir()):
                    if left.is_dir() and not left.is_symlink():
                        shutil.rmtree(left, ignore_errors=True)
                    else:
                        with suppress(OSError):  # Windows: open in a worker that is being killed
                            left.unlink()


def _check_regular(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "the output is no regular file")
