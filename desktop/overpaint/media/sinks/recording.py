"""The recording sink: an MP4 that stays playable when the process dies or the disk is full.

H.264 through PyAV; each frame keeps its capture time, so motion stays smooth. The file is written in
fragments (a crash loses at most the last second) and becomes an ordinary MP4 at its end (FFmpeg's hybrid
fragmented mode). There is either a playable file or none. Without sound. Must not know sessions.
"""

from __future__ import annotations

import errno
import io
import os
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import av
from av.container import OutputContainer
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream

from overpaint.errors import SinkError
from overpaint.media.frames import StyledFrame

TIME_BASE = Fraction(1, 90_000)
_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}  # no quotas on Windows
_FAILURES = (OSError, av.FFmpegError)
"""Errors of the disk, the encoder and the muxer."""
_SMPTE170M, _BT709_TRANSFER, _LIMITED_RANGE = 6, 1, 1


class RecordingSink:
    """A sink that writes an MP4 file, which exists once it is playable: from the second frame, or at its end.

    Args:
        path: Path of the file; an existing file is replaced once there is something to play. Its folder must
        exist.
    """

    def __init__(self, path: Path) -> None:
        self.title = str(path)
        self.path = path
        self.written = 0
        self._size: tuple[int, int, float] | None = None
        self._file: _File | None = None
        self._container: OutputContainer | None = None
        self._stream: VideoStream | None = None
        self._first_ns = 0
        self._last_pts = -1

    def open(self, width: int, height: int, fps: float) -> None:
        """Prepares for frames. Raises ``SinkError``: missing folder, denied, unsupported name."""
        if self.path.suffix.lower() not in (".mp4", ".m4v", ".mov"):
            raise SinkError("recording_not_mp4", file=self.path.name)
        there = self.path.exists()
        try:
            with self.path.open("ab"):
                pass
            if not there:
                self.path.unlink()
        except OSError as error:
            raise _refused(self.path, error) from error
        self._size = (width, height, fps)

    def write(self, frame: StyledFrame) -> None:
        """Encodes one frame. Raises ``SinkError`` (``disk_full``, ``lost``)."""
        if self._size is None:
            raise SinkError("recording_not_open")
        try:
            if self._container is None or self._stream is None:
                self._begin(*self._size)
                self._first_ns = frame.captured_ns
            self._encode(frame)
        except _FAILURES as error:
            self._size = None
            raise _refused(self.path, error, kept=self._end()) from error

    def close(self) -> None:
        """Finishes the file; idempotent.

        Raises:
            SinkError: Its end could not be written, it no longer exists, or there were no frames (``empty``).
        """
        size, self._size = self._size, None
        if size is None:
            return
        if self._file is None:
            raise SinkError("recording_empty")
        file = self._file
        kept = self._end()
        if file.error is not None:
            raise _refused(self.path, file.error, kept=kept) from file.error
        if not kept:
            raise SinkError("recording_moved", file=self.path.name)

    # ---- inside --------------------------------------------------------------------------------------

    def _begin(self, width: int, height: int, fps: float) -> None:
        """Opens encoder and muxer. Raises ``_FAILURES``."""
        self._file = _File(self.path)
        container = av.open(
            self._file,
            "w",
            format="mp4",
            options={
                "movflags": "+hybrid_fragmented+frag_keyframe",
                "frag_duration": "1000000",
                "flush_packets": "1",
            },
        )
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = TIME_BASE
        context = stream.codec_context
        context.time_base = TIME_BASE
        context.gop_size = max(1, round(fps))
        context.thread_count = 1
        context.colorspace = _SMPTE170M
        context.color_primaries = context.color_trc = _BT709_TRANSFER
        context.color_range = _LIMITED_RANGE
        # Half the time of superfast for about 1.5 times the bits: beside a call, processor time matters more.
        stream.options = {"preset": "ultrafast", "crf": "19", "tune": "zerolatency", "forced-idr": "1"}
        self._container, self._stream = container, stream

    def _encode(self, frame: StyledFrame) -> None:
        """Encodes and muxes a frame. Raises ``_FAILURES``."""
        assert self._container is not None and self._stream is not None
        picture = VideoFrame.from_ndarray(frame.image, format="yuv420p")
        # Timestamps in the file always increase, even when two frames share a capture time.
        pts = max(round((frame.captured_ns - self._first_ns) * 90_000 / 1e9), self._last_pts + 1)
        picture.pts, picture.time_base = pts, TIME_BASE
        picture.colorspace, picture.color_range = _SMPTE170M, _LIMITED_RANGE
        if self.written == 1:
            # A fragment is written when the next one begins: so from now on there is something to play.
            picture.pict_type = PictureType.I
        self._container.mux(self._stream.encode(picture))
        if self._file is not None and self.written == 1:
            self._file.keep()
        if self._file is not None and self._file.error is not None:
            raise self._file.error
        self._last_pts = pts
        self.written += 1

    def _end(self) -> bool:
        """Closes everything, and deletes an unplayable file. Returns whether there is a playable one.

        There may be another file at the path by now, which is neither opened nor deleted.
        """
        container, stream, file = self._container, self._stream, self._file
        self._container = self._stream = self._file = None
        if file is None:
            return False
        if container is not None and stream is not None and self.written:
            failed: OSError | av.FFmpegError | None = None
            try:
                container.mux(stream.encode(None))
            except _FAILURES as error:
                failed = error
            try:
                container.close()  # a muxer without data would crash here
            except _FAILURES as error:
                failed = failed or error
            file.error = file.error or failed  # not earlier: nothing is written after an error
        file.keep()
        own = file.lies_at(self.path)
        file.close()
        if not own:
            return False
        if _plays(self.path):
            return True
        with suppress(OSError):
            self.path.unlink()
        return False


class _File:
    """The muxer's file: in memory until there is something to play, so that a crash leaves no bare header.

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


def _plays(path: Path) -> bool:
    """Returns whether a file can be decoded."""
    try:
        with av.open(str(path), format="mp4") as container:
            return next(container.decode(video=0), None) is not None
    except (OSError, ValueError, IndexError):
        return False


def _refused(path: Path, error: OSError | av.FFmpegError, *, kept: bool = False) -> SinkError:
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
