"""Transfers of files, up and down: progress is reported, and a file appears whole or not at all.

Must not know HTTP.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import psutil

from overpaint.errors import SinkError, SourceError
from overpaint.wire.media_limits import VIDEO_MAX_BYTES

Progress = Callable[[float], None]
"""Called with 0..1, in growing order."""


class OutgoingFile(io.FileIO):
    """A file that tells how much of it was read.

    Args:
        path: A file with content, of at most 1 GB.
        progress: Told the part that was read; again from 0 when it is read again.

    Raises:
        SourceError: It is not there (``missing``), not ours to read (``denied``), empty, too large or
            no file (``unreadable``).
    """

    def __init__(self, path: Path, progress: Progress | None = None) -> None:
        try:
            super().__init__(path, "rb")
            self._bytes = path.stat().st_size
        except OSError as error:
            raise unreadable(path, error) from error
        self._progress = progress
        if not 0 < self._bytes <= VIDEO_MAX_BYTES:
            self.close()
            raise SourceError("upload_too_large" if self._bytes else "upload_empty", file=path.name)

    def read(self, size: int | None = -1, /) -> bytes:
        """Reads up to ``size`` bytes."""
        data = super().read(-1 if size is None else size)
        if self._progress is not None:
            self._progress(min(1.0, self.tell() / self._bytes))
        return data or b""


class IncomingFile:
    """A file that appears under its name once it is whole. Use as a context manager; ``keep`` it inside.

    Args:
        target: Its name; a file that is there already is replaced.

    Raises:
        SinkError: It cannot be written: ``denied``, ``disk_full``, ``missing`` (its folder), ``lost``.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        # In the same folder, so that the last step is a renaming, which is done wholly or not at all.
        mark = hashlib.sha256(target.name.encode()).hexdigest()[:12]
        self._partial = target.with_name(f".{mark}-{os.getpid()}-{secrets.token_hex(4)}.part")
        try:
            _forget_dead(target.parent, mark)
            self._file = self._partial.open("xb")
        except OSError as error:
            raise unwritable(target, error) from error

    def __enter__(self) -> IncomingFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leaves nothing behind of a file that was not kept."""
        try:
            self._file.close()
        except OSError:
            pass  # what could not be written any more is thrown away anyhow
        self._partial.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Appends. Raises ``SinkError``."""
        try:
            self._file.write(data)
        except OSError as error:
            raise unwritable(self._target, error) from error

    def keep(self) -> None:
        """Puts the whole file under its name. Raises ``SinkError``."""
        try:
            self._file.close()
            self._partial.replace(self._target)
        except OSError as error:
            raise unwritable(self._target, error) from error


def _forget_dead(folder: Path, mark: str) -> None:
    """Removes the parts of this file that processes were at which have been killed. Raises ``OSError``."""
    for part in folder.glob(f".{mark}-*.part"):
        writer = part.name.split("-")[1]
        if writer.isdecimal() and not psutil.pid_exists(int(writer)):
            part.unlink(missing_ok=True)


def unreadable(path: Path, error: OSError) -> SourceError:
    """The error of a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return SourceError("upload_missing", path=str(path))
    if isinstance(error, IsADirectoryError):
        return SourceError("upload_is_folder", path=str(path))
    if isinstance(error, PermissionError):
        return SourceError("upload_denied", path=str(path))
    return SourceError("upload_unreadable", path=str(path), reason=str(error.strerror))


def unwritable(path: Path, error: OSError) -> SinkError:
    """The error of a file that cannot be written."""
    if error.errno == errno.ENOSPC:
        return SinkError("result_disk_full", path=str(path))
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return SinkError("result_folder_missing", folder=str(path.parent))
    if isinstance(error, PermissionError):
        return SinkError("result_denied", path=str(path))
    return SinkError("result_unwritable", path=str(path), reason=str(error.strerror))
