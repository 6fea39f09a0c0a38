"""Bounded reading of a regular file. Must not know its content."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from types import TracebackType

from overpaint.errors import MediaError

_NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""Opening a FIFO without a writer would block otherwise."""


class MediaFile:
    """An open regular file, bounded by its size at opening: data appended later is not read.

    A binary reader (``read``, ``seek``, ``tell``) for Pillow and FFmpeg, without a name or a descriptor by
    which they could find other files.

    Args:
        descriptor: Descriptor of a regular file, open for reading; closed with this object.

    Attributes:
        size: Bytes.
        reading: Whether a ``read`` is waiting for the disk; for other threads.

    Raises:
        MediaError: It is no regular file (``unknown``).
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._at = 0
        self._closed = self.reading = False
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise not_regular()
        except BaseException:
            os.close(descriptor)
            raise
        self.size = found.st_size

    def descriptor(self) -> int:
        """The descriptor, for passing it to another process."""
        return self._descriptor

    def read(self, size: int = -1) -> bytes:
        """Reads ``size`` bytes, or the rest when it is negative; fewer only at the end."""
        rest = max(0, self.size - self._at)
        wanted = rest if size is None or size < 0 else min(size, rest)
        parts = []
        self.reading = True
        try:
            os.lseek(self._descriptor, self._at, os.SEEK_SET)
            while wanted and (part := os.read(self._descriptor, wanted)):
                parts.append(part)
                wanted -= len(part)
                self._at += len(part)
        finally:
            self.reading = False
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def head(self, size: int) -> bytes:
        """Reads the first bytes; the position stays."""
        before, self._at = self._at, 0
        try:
            return self.read(size)
        finally:
            self._at = before

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Moves the position; returns it."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self.size}[whence]
        if base + offset < 0:
            raise ValueError("before the beginning of the file")
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        """The position."""
        return self._at

    def close(self) -> None:
        """Closes the descriptor; idempotent."""
        if not self._closed:
            self._closed = True
            os.close(self._descriptor)

    def __enter__(self) -> MediaFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_file(path: Path) -> MediaFile:
    """Opens a regular file. Never blocks, and never opens a device, a FIFO or a folder.

    Raises:
        MediaError: It does not exist (``missing``), may not be read (``denied``), is no regular file
        (``unknown``), or the system cannot read it (``damaged``).
    """
    try:
        # Before opening: opening a device can have side effects.
        if not stat.S_ISREG(path.stat().st_mode):
            raise not_regular()
        return MediaFile(os.open(path, os.O_RDONLY | _NO_WAIT))
    except FileNotFoundError as error:
        raise MediaError("media_file_missing") from error
    except PermissionError as error:
        raise MediaError("media_file_denied") from error
    except (OSError, ValueError) as error:
        raise MediaError("media_file_unreadable") from error


def not_regular() -> MediaError:
    """Returns the error for folders, devices, FIFOs and sockets."""
    return MediaError("media_file_unknown")
