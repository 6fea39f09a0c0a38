"""The desk of a worker: the files of the one order that it has, and no others. Must not know processes.

A worker that a file has taken over reaches what its sandbox lets it see. That is its desk: the input of its
order (``in``, to be read alone) and what it makes of it (``out``). Its owner lays the input there as a hard
link, and takes the output away. Where there are no hard links, or the files are on another disk, they are
copied.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import threading
from contextlib import suppress
from pathlib import Path

from overpaint.transforms.targets import whole
from overpaint.transforms.worker_messages import Order

_NO_OTHER = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Opens neither what a link names nor a FIFO that nobody writes to."""


class Desk:
    """The desk of one worker. Thread-safe; one order at a time.

    Args:
        folder: Its folder, made when it is first needed.

    Attributes:
        inputs: What its worker may read.
        outputs: What its worker may read and write.
    """

    def __init__(self, folder: Path) -> None:
        self.inputs, self.outputs = folder / "in", folder / "out"
        self._number = 0
        self._guard = threading.Lock()

    def open(self) -> None:
        """Makes the folders, which stay: a worker's rights are to them. Raises ``OSError``."""
        for folder in (self.inputs, self.outputs):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def lay(self, order: Order) -> Order:
        """Lays the input of an order on the desk, alone.

        Returns:
            The order, with the paths that its files have here.

        Raises:
            OSError: The input is gone, or cannot be laid here.
        """
        with self._guard:
            self._number += 1
            self._empty()
            self.open()
            source = self.inputs / f"{self._number}-input"
            try:
                os.link(order.source, source)
            except FileNotFoundError:
                raise
            except OSError:
                shutil.copyfile(order.source, source)
            target = str(self.outputs / f"{self._number}-output") if order.target else ""
            return order.model_copy(update={"source": str(source), "target": target})

    def take(self, laid: Order, target: Path) -> int:
        """Takes the output of an order away to its place.

        The worker may still be there and is not trusted: what is moved is looked at where it cannot reach it.

        Returns:
            Its size in bytes.

        Raises:
            OSError: There is none, it is no regular file, or it cannot be moved.
        """
        made = Path(laid.target)
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
        """Removes what is left of an order."""
        with self._guard:
            self._empty()

    def _empty(self) -> None:
        for folder in (self.inputs, self.outputs):
            with suppress(OSError):
                for left in list(folder.iterdir()):
                    if left.is_dir() and not left.is_symlink():
                        shutil.rmtree(left, ignore_errors=True)
                    else:
                        with suppress(OSError):  # Windows: a worker that is being ended has it open
                            left.unlink()


def _check_regular(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "the output is no regular file")
