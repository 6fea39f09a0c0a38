"""A video or picture file as source, looped at its own rate. The demo is such a file.

Knows FFmpeg through PyAV. Only demuxers of self-contained media are let in: FFmpeg would also read
playlists, concat lists and even plain text (as ANSI art), which name other files or mean nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream

from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import Picture, RawFrame, now_ns
from overpaint.media.sources import SourceListener
from overpaint.wire.sources import SourceOffer

log = logging.getLogger(__name__)

DEMUXERS = frozenset(
    {
        *("mov", "mp4", "m4a", "3gp", "3g2", "mj2", "matroska", "webm", "avi", "mpegts", "mpeg"),
        *("mpegvideo", "flv", "ogg", "asf", "ivf", "yuv4mpegpipe", "h264", "hevc", "mjpeg"),
        *(
            "gif",
            "apng",
            "webp_anim",
            "image2",
            "jpeg_pipe",
            "png_pipe",
            "webp_pipe",
            "bmp_pipe",
            "tiff_pipe",
        ),
    }
)
"""FFmpeg demuxers of files that hold their own pictures and nothing else."""

STILL_FPS = 30.0
_BT709, _BT601 = 1, 5
"""swscale's numbers for the two matrices (``SWS_CS_ITU709``, ``SWS_CS_ITU601``)."""
_MPEG_RANGE = 1


class FileSource:
    """Plays a file in a loop, as a camera would see it: frames that come too late are skipped.

    Args:
        path: Video or picture.
        title: As a person would call it; the file's name when left out.
        loop: Whether to start again at the end; else the source is ``lost`` there.
    """

    def __init__(self, path: Path, title: str | None = None, *, loop: bool = True) -> None:
        self.title = title or path.name
        self.identity = ""
        self.fps = STILL_FPS
        self.aspect = 0.0
        self.offer = SourceOffer()
        self._path = path
        self._loop = loop
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._reformatter = VideoReformatter()

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        """Opens the file and plays it from now on. Raises ``SourceError``."""
        container = open_media(self._path)
        rate = container.streams.video[0].average_rate
        still = container.format.name.endswith("_pipe") or container.format.name == "image2"
        self.fps = float(rate) if rate and 1 <= rate <= 240 and not still else STILL_FPS
        self._ending.clear()
        self._thread = threading.Thread(
            target=self._play, args=(container, width, height, listener), name="source-file", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Ends playing; idempotent."""
        self._ending.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _play(self, container: InputContainer, width: int, height: int, listener: SourceListener) -> None:
        try:
            with container:
                self._deliver(container, width, height, listener)
        except (av.FFmpegError, OSError, SourceError) as error:
            log.info("source file ended: %s", error)
            reason = error if isinstance(error, SourceError) else _unreadable(self._path)
            listener.lost(reason)

    def _deliver(self, container: InputContainer, width: int, height: int, listener: SourceListener) -> None:
        interval = 1.0 / self.fps
        due = time.perf_counter()
        image: Picture | None = None
        for number, frame in enumerate(self._frames(container)):
            if frame is not None:
                shape = (frame.width, frame.height)
                self.aspect = (
                    shape[1] / shape[0] if round((frame.rotation or 0) / 90) % 2 else shape[0] / shape[1]
                )
                image = i420(frame, width, height, self._reformatter)
            if image is None or self._ending.wait(max(0.0, due - time.perf_counter())):
                return
            listener.frame(RawFrame(image, number, now_ns()))
            # A file that cannot keep its rate loses time, it does not run after it in bursts.
            due = max(due + interval, time.perf_counter() - interval)

    def _frames(self, container: InputContainer) -> Iterator[VideoFrame | None]:
        """Every frame of the file, over and over; None repeats the last one (a still)."""
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        while True:
            count = 0
            for frame in decoded(container, stream):
                count += 1
                yield frame
            if count == 0:
                raise _unreadable(self._path)
            while count == 1 and self._loop:
                yield None
            if not self._loop:
                raise SourceError(f"{self._path.name} is at its end.", kind="lost", mend="Play it again.")
            container.seek(0)


def open_media(path: Path) -> InputContainer:
    """Opens a video or picture file that holds its own pictures.

    Raises:
        SourceError: missing, denied, or unreadable (not media, damaged, no picture in it).
    """
    try:
        container = av.open(
            str(path),
            mode="r",
            options={"protocol_whitelist": "file", "format_whitelist": ",".join(sorted(DEMUXERS))},
        )
    except FileNotFoundError as error:
        raise SourceError(f"There is no file {path}.", kind="missing", mend="Check the path.") from error
    except PermissionError as error:
        raise SourceError(
            f"{path.name} may not be read.", kind="denied", mend="Change its rights."
        ) from error
    except (av.FFmpegError, OSError, ValueError) as error:
        raise _unreadable(path) from error
    if not container.streams.video:
        container.close()
        raise _unreadable(path)
    return container


def decoded(container: InputContainer, stream: VideoStream) -> Iterator[VideoFrame]:
    """The frames of a stream; a damaged stretch is passed over."""
    for packet in container.demux(stream):
        try:
            yield from packet.decode()
        except av.error.InvalidDataError:
            continue


def i420(frame: VideoFrame, width: int, height: int, reformatter: VideoReformatter) -> Picture:
    """A decoded frame, turned upright, as I420 (BT.601, limited range) fitted inside width × height.

    A clip that does not say its matrix is taken as BT.709 from 720 lines upwards, as players do.
    """
    quarter_turns = round((frame.rotation or 0) / 90) % 4
    upright = (frame.height, frame.width) if quarter_turns % 2 else (frame.width, frame.height)
    scale = min(width / upright[0], height / upright[1])
    inner = [
        min(limit, max(2, round(side * scale / 2) * 2))
        for side, limit in zip(upright, (width, height), strict=True)
    ]
    if quarter_turns % 2:
        inner.reverse()
    hd = frame.colorspace == _BT709 or (frame.colorspace not in (5, 6) and frame.height >= 720)
    scaled = reformatter.reformat(
        frame,
        width=inner[0],
        height=inner[1],
        format="yuv420p",
        src_colorspace=_BT709 if hd else _BT601,
        dst_colorspace=_BT601,
        dst_color_range=_MPEG_RANGE,
        interpolation="BICUBIC",
    )
    image = np.ascontiguousarray(scaled.to_ndarray(), np.uint8)
    if quarter_turns:
        image = pictures.turn(image, quarter_turns)
    return pictures.fit(image, width, height)


def _unreadable(path: Path) -> SourceError:
    return SourceError(
        f"{path.name} is not a video or picture that Overpaint can read.",
        kind="unreadable",
        mend="Use a video (MP4, MOV, MKV, WebM, AVI) or a picture (JPEG, PNG, WebP).",
    )
