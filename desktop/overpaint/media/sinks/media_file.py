"""Files of recordings (MP4, MKV) that stay playable when the process dies or the disk is full.

Both are written so that a crash loses at most the last second: an MP4 in fragments, which becomes an
ordinary MP4 at its end (FFmpeg's hybrid fragmented mode), an MKV in clusters. There is either a playable
file or none. Must not know frames or encoders.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import av
from av.container import OutputContainer
from av.packet import Packet
from av.stream import Stream

from overpaint.errors import SinkError

FAILURES = (OSError, av.FFmpegError)
"""Errors of the disk, the encoder and the muxer."""
_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}  # no quotas on Windows
_CLUSTER = b"\x1f\x43\xb6\x75"
"""First bytes of a cluster of a Matroska file (RFC 9559, section 5.1.3)."""
_FORMATS = {".mp4": "mp4", ".m4v": "mp4", ".mov": "mp4", ".mkv": "matroska"}
_OPTIONS = {
    "mp4": {"movflags": "+hybrid_fragmented+frag_keyframe", "frag_duration": "1000000"},
    "matroska": {"cluster_time_limit": "1000"},
}
_BEGUN = {"mp4": b"moov", "matroska": _CLUSTER}
"""What a file of each format has as soon as there is something to play."""


class MediaFile:
    """A file that is being written; it exists once it is playable, or at its end.

    Args:
        path: Path of the file; an existing file is replaced once there is something to play. Its folder must
            exist.

    Attributes:
        container: The muxer; its streams are added before the first packet.
        error: The first error of the disk, after which nothing more is written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._format = format_of(path)
        self._bytes = _Bytes(path)
        self._packets = 0
        options = {**_OPTIONS[self._format], "flush_packets": "1"}
        self.container: OutputContainer = av.open(self._bytes, "w", format=self._format, options=options)

    @property
    def error(self) -> OSError | av.FFmpegError | None:
        """The first error, after which nothing more is written."""
        return self._bytes.error

    @property
    def size(self) -> int:
        """Bytes so far."""
        return self._bytes.tell()

    def mux(self, packets: Iterable[Packet[Stream]]) -> None:
        """Writes packets. Raises ``FAILURES``."""
        for packet in packets:
            self.container.mux(packet)
            self._packets += 1
        self._bytes.keep_if(_BEGUN[self._format])
        if self._bytes.error is not None:
            raise self._bytes.error

    def end(
        self, rest: Iterable[Packet[Stream]] = (), failed: OSError | av.FFmpegError | None = None
    ) -> bool:
        """Closes the file, and deletes an unplayable one. Returns whether there is a playable one.

        There may be another file at the path by now, which is neither opened nor deleted.

        Args:
            rest: The last packets.
            failed: An error of the encoder, noted in ``error``.
        """
        if self._packets:
            try:
                for packet in rest:
                    self.container.mux(packet)
            except FAILURES as error:
                failed = failed or error
            try:
                self.container.close()  # a muxer without data would crash here
            except FAILURES as error:
                failed = failed or error
            self._bytes.error = self._bytes.error or failed  # not earlier: nothing is written after an error
        self._bytes.keep()
        own = self._bytes.lies_at(self._path)
        self._bytes.close()
        if not own:
            return False
        if _plays(self._path, self._format):
            return True
        with suppress(OSError):
            self._path.unlink()
        return False


def format_of(path: Path) -> str:
    """Returns the muxer for a file's name. Raises ``SinkError``: unsupported."""
    format = _FORMATS.get(path.suffix.lower())
    if format is None:
        raise SinkError("recording_unsupported", file=path.name)
    return format


def check_place(path: Path) -> None:
    """Checks that a file can be written there. Raises ``SinkError``: missing folder, denied, unsupported."""
    format_of(path)
    there = path.exists()
    try:
        with path.open("ab"):
            pass
        if not there:
            path.unlink()
    except OSError as error:
        raise refused(path, error) from error


def refused(path: Path, error: OSError | av.FFmpegError, *, kept: bool = False) -> SinkError:
    """Returns the error for a failure; ``kept``: whether there is something to play."""
    if error.errno in _FULL and not kept:
        return SinkError("recording_none_disk_full")
    if error.errno in _FULL:
        return SinkError("recording_ended_disk_full", file=path.name)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return SinkError("recording_denied", path=str(path))
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return SinkError("recording_folder_missing", folder=str(path.parent))
    if error.errno == errno.EISDIR:
        return SinkError("recording_path_is_folder", path=str(path))
    return SinkError("recording_failed", file=path.name, reason=str(error))


class _Bytes:
    """The muxer's bytes: in memory until there is something to play, so that a crash leaves no bare header.

    Nothing more is written after an error, so that the file stays playable. The muxer does not get the error:
    FFmpeg's would crash, and its last step turns the fragments into an ordinary MP4.

    Args:
        path: Path of the file.

    Attributes:
        error: The first one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._raw: io.BytesIO | io.FileIO = io.BytesIO()
        self.error: OSError | av.FFmpegError | None = None

    def keep_if(self, begun: bytes) -> None:
        """Moves it to the disk once it has a fragment: a picture, and the sound beside it."""
        if isinstance(self._raw, io.BytesIO) and begun in self._raw.getvalue():
            self.keep()

    def keep(self) -> None:
        """Moves it to the disk, with all later writes; idempotent."""
        early = self._raw
        if self.error is not None or not isinstance(early, io.BytesIO):
            return
        try:
            self._raw = self._path.open("wb", buffering=0)
        except OSError as error:
            self.error = error
            return
        self.write(early.getbuffer())
        if self.error is None:
            self._raw.seek(early.tell())

    def write(self, data: bytes | memoryview) -> int:
        """Writes all data, since a nearly full disk may accept only a part."""
        rest = memoryview(data)
        try:
            while rest and self.error is None:
                rest = rest[self._raw.write(rest) or 0 :]
        except OSError as error:
            self.error = error
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        """As usual."""
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        """As usual."""
        return self._raw.tell()

    def lies_at(self, path: Path) -> bool:
        """Returns whether this file is the one at a path; false while it is in memory."""
        try:
            return os.path.samestat(os.fstat(self._raw.fileno()), path.stat())
        except OSError:
            return False

    def close(self) -> None:
        """Idempotent."""
        try:
            self._raw.close()
        except OSError as error:
            self.error = self.error or error


def _plays(path: Path, format: str) -> bool:
    """Returns whether a file can be decoded."""
    try:
        with av.open(str(path), format=format) as container:
            return next(container.decode(video=0), None) is not None
    except (OSError, ValueError, IndexError):
        return False
