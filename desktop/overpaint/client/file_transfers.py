"""Uploads and downloads of files: with progress, and an atomic rename at the end of a download.

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
"""Callback with the share that is done, 0..1."""


class OutgoingFile(io.FileIO):
    """A file to upload, which reports how much of it was read.

    Args:
        path: A file of 1 byte to 1 GB.
        progress: Receives the share that was read; a retry begins again at 0.

    Raises:
        SourceError: It does not exist (``missing``), is not readable (``denied``), or is empty, too large or
            not a file (``unreadable``).
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
    """A file being downloaded, under a temporary name until ``keep`` is called. A context manager.

    Args:
        target: Its final path; an existing file is replaced.

    Raises:
        SinkError: It cannot be written: ``denied``, ``disk_full``, ``missing`` (its folder), ``lost``.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        # In the same folder, so that the last step is an atomic rename.
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
        """Removes the temporary file unless ``keep`` was called."""
        try:
            self._file.close()
        except OSError:
            pass  # a failed last write does not matter: the file is deleted
        self._partial.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Appends data. Raises ``SinkError``."""
        try:
            self._file.write(data)
        except OSError as error:
            raise unwritable(self._target, error) from error

    def keep(self) -> None:
        """Renames the complete file to its final path. Raises ``SinkError``."""
        try:
            self._file.close()
            self._partial.replace(self._target)
        except OSError as error:
            raise unwritable(self._target, error) from error


def _forget_dead(folder: Path, mark: str) -> None:
    """Removes partial downloads of this file by processes that no longer run. Raises ``OSError``."""
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
