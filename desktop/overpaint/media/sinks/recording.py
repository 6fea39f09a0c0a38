"""Records styled frames to an MP4 that stays playable whatever happens to the process.

H.264 through PyAV; each frame keeps its capture time, so what was smooth stays smooth. The file is
written in fragments (a crash loses at most the last second) and becomes an ordinary MP4 at its end
(FFmpeg's hybrid fragmented mode). Must not know sessions.
"""

from __future__ import annotations

import errno
from fractions import Fraction
from pathlib import Path

import av
from av.container import OutputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from overpaint.errors import SinkError
from overpaint.media.frames import StyledFrame

TIME_BASE = Fraction(1, 90_000)
_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}  # no quotas on Windows
_SMPTE170M, _BT709_TRANSFER, _LIMITED_RANGE = 6, 1, 1


class RecordingSink:
    """One MP4 file.

    Args:
        path: Where it goes; replaced when it exists. Its folder must exist.
    """

    def __init__(self, path: Path) -> None:
        self.title = str(path)
        self.path = path
        self.written = 0
        self._container: OutputContainer | None = None
        self._stream: VideoStream | None = None
        self._first_ns = 0
        self._last_pts = -1

    def open(self, width: int, height: int, fps: float) -> None:
        """Opens the file. Raises ``SinkError``: missing folder, denied, disk full, unsupported name."""
        if self.path.suffix.lower() not in (".mp4", ".m4v", ".mov"):
            raise SinkError(
                f"A recording is an MP4 file, not {self.path.name}.",
                kind="unsupported",
                mend="Name a file that ends in .mp4.",
            )
        try:
            container = av.open(
                str(self.path),
                "w",
                format="mp4",
                options={
                    "movflags": "+hybrid_fragmented+frag_keyframe",
                    "frag_duration": "1000000",
                    "flush_packets": "1",
                },
            )
        except OSError as error:
            raise _refused(self.path, error) from error
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
        # Half the time of superfast for about half as many bits again: beside a call, time is dearer.
        stream.options = {"preset": "ultrafast", "crf": "19", "tune": "zerolatency"}
        try:
            container.start_encoding()  # opens the file and writes its header now, not with the first frame
        except OSError as error:
            raise _refused(self.path, error) from error
        self._container, self._stream = container, stream

    def write(self, frame: StyledFrame) -> None:
        """Encodes one frame. Raises ``SinkError`` (``disk_full``, ``lost``)."""
        if self._container is None or self._stream is None:
            raise SinkError("The recording is not open.", kind="lost")
        if self.written == 0:
            self._first_ns = frame.captured_ns
        picture = VideoFrame.from_ndarray(frame.image, format="yuv420p")
        # Time in the file never stands still, even when two frames share a capture time.
        pts = max(round((frame.captured_ns - self._first_ns) * 90_000 / 1e9), self._last_pts + 1)
        picture.pts, picture.time_base = pts, TIME_BASE
        picture.colorspace, picture.color_range = _SMPTE170M, _LIMITED_RANGE
        try:
            self._container.mux(self._stream.encode(picture))
        except OSError as error:
            raise _refused(self.path, error) from error
        self._last_pts = pts
        self.written += 1

    def close(self) -> None:
        """Finishes the file; idempotent. Raises ``SinkError`` when its end could not be written."""
        container, stream = self._container, self._stream
        self._container = self._stream = None
        if container is None or stream is None:
            return
        try:
            container.mux(stream.encode(None))
            container.close()
        except OSError as error:
            raise _refused(self.path, error) from error


def _refused(path: Path, error: OSError) -> SinkError:
    if error.errno in _FULL:
        return SinkError(
            f"The disk is full: the recording {path.name} ends here; what was recorded can be played.",
            kind="disk_full",
            mend="Free some room, or record to another folder.",
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return SinkError(f"{path} may not be written.", kind="denied", mend="Name another folder.")
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return SinkError(
            f"There is no folder {path.parent}.", kind="missing", mend="Make it, or name another."
        )
    if error.errno == errno.EISDIR:
        return SinkError(f"{path} is a folder.", kind="unsupported", mend="Name a file that ends in .mp4.")
    return SinkError(f"The recording {path.name} cannot be written: {error}.", kind="lost")
