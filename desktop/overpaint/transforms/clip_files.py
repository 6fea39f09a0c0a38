"""Validation of clip files: streams, length, size, and whether they are complete.

Uses FFmpeg through PyAV. Must not know how clips are opened (``media.opener``), nor looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

import av
from av.audio.frame import AudioFrame
from av.container import InputContainer
from av.packet import Packet
from av.stream import Disposition, Stream
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from overpaint.errors import InvalidRequestError
from overpaint.media.opener.clips import PICTURE_DECODERS, SIDE_MAX, SOUND_DECODERS, Clip, upright_turns
from overpaint.wire.media_limits import IMAGE_MAX_PIXELS, VIDEO_MAX_PIXELS, VIDEO_MAX_SECONDS

RATE_MAX = 240
"""Bound on a clip's frames: this many for each second of the longest duration (``VIDEO_MAX_SECONDS``)."""

_LATE_S = 1.0
"""A Matroska file that is this much shorter than its header says is truncated."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The properties of a clip, measured by reading all of it.

    Attributes:
        video: Index of the chosen video stream.
        audio: Index of the chosen audio stream, or None.
        coded: Width and height as coded, before rotation, pixels.
        width: Upright, pixels.
        height: Upright, pixels.
        pixel_aspect: Width by height of an upright pixel.
        seconds: From the start of the first to the end of the last frame.
        frames: Number of frames, counted.
    """

    video: int
    audio: int | None
    coded: tuple[int, int]
    width: int
    height: int
    pixel_aspect: Fraction
    seconds: float
    frames: int


def packets(container: InputContainer, *streams: Stream) -> Iterator[Packet[Stream]]:
    """Demuxes streams, or all of them. Raises ``InvalidRequestError`` for damage."""
    source = container.demux(*streams)
    while True:
        with _damage():
            packet = next(source, None)
        if packet is None:
            return
        yield packet


def pictures_of(packet: Packet[Stream]) -> list[VideoFrame]:
    """Decodes a packet of video. Raises ``InvalidRequestError`` for damage."""
    with _damage():
        return [frame for frame in packet.decode() if isinstance(frame, VideoFrame)]


def sounds_of(packet: Packet[Stream]) -> list[AudioFrame]:
    """Decodes a packet of audio. Raises ``InvalidRequestError`` for damage."""
    with _damage():
        return [frame for frame in packet.decode() if isinstance(frame, AudioFrame)]


@contextmanager
def _damage() -> Iterator[None]:
    """Turns every error of FFmpeg while reading, except out of memory, into "the file is damaged"."""
    try:
        yield
    except (av.FFmpegError, EOFError, ValueError) as error:
        if isinstance(error, MemoryError):
            raise
        raise InvalidRequestError("video_damaged") from error


def contents(clip: Clip) -> Contents:
    """Demuxes a whole clip, and decodes only its first picture.

    Raises:
        InvalidRequestError: It has no picture, an unknown codec, is damaged, truncated, or over a limit.
    """
    container = clip.container
    stream = _main_picture(container)
    _check_size(stream.width, stream.height)
    audio = _main_sound(container)
    stream.codec_context.thread_count = 1
    first: VideoFrame | None = None
    count = _Count(stream)
    for packet in packets(container):
        count.take(packet)
        if first is None and packet.stream.index == stream.index:
            first = next(iter(pictures_of(packet)), None)
    if first is None or count.frames == 0:
        raise InvalidRequestError("video_without_picture_or_damaged")
    count.check_whole(container, clip.size)
    _check_size(first.width, first.height)
    check_work(first.width, first.height, count.frames)
    turned = upright_turns(first) % 2 == 1
    width, height = (first.height, first.width) if turned else (first.width, first.height)
    aspect = Fraction(stream.sample_aspect_ratio or 1)
    aspect = aspect if Fraction(1, 16) <= aspect <= 16 else Fraction(1)
    return Contents(
        video=container.streams.video.index(stream),
        audio=audio,
        coded=(first.width, first.height),
        width=width,
        height=height,
        pixel_aspect=1 / aspect if turned else aspect,
        seconds=count.seconds,
        frames=count.frames,
    )


def check_work(width: int, height: int, frames: int) -> None:
    """Raises ``InvalidRequestError`` where all frames together have more pixels than allowed."""
    if width * height * frames > VIDEO_MAX_PIXELS:
        raise InvalidRequestError(
            "video_too_much_work",
            frames=frames,
            width=width,
            height=height,
            total=width * height * frames / 1e9,
            limit=VIDEO_MAX_PIXELS / 1e9,
        )


class _Count:
    """A counter of frames, time and damage."""

    def __init__(self, stream: VideoStream) -> None:
        self.frames = 0
        self._stream = stream
        self._packets: dict[int, int] = {}
        self._begin: Fraction | None = None
        self._end = Fraction(0)
        self._any_end = Fraction(0)

    @property
    def seconds(self) -> float:
        """Duration of the video stream so far; 0 where its frames have no times."""
        return float(self._end - (self._begin or 0))

    def take(self, packet: Packet[Stream]) -> None:
        if packet.size == 0:  # the end of a stream
            return
        if packet.is_corrupt:
            raise InvalidRequestError("video_damaged")
        index = packet.stream.index
        self._packets[index] = self._packets.get(index, 0) + 1
        base = Fraction(packet.time_base)
        at = packet.pts if packet.pts is not None else packet.dts
        end = None if at is None else (at + (packet.duration or 0)) * base
        if end is not None:
            self._any_end = max(self._any_end, end)
        if index == self._stream.index and not packet.is_discard:
            self._take_frame(None if at is None else at * base, end)

    def check_whole(self, container: InputContainer, size: int) -> None:
        """Raises for a truncated file.

        Detected by the index (MP4, MOV, AVI), or by the duration (Matroska has no index of all frames).
        """
        cut_off = InvalidRequestError("video_cut_off")
        for stream in container.streams:
            entries = stream.index_entries
            if "matroska" in container.format.name or len(entries) == 0:
                continue
            last = entries[len(entries) - 1]
            if self._packets.get(stream.index, 0) < len(entries) or last.pos + last.size > size:
                raise cut_off
        if "avi" in container.format.name and self.frames + 2 < self._stream.frames:
            raise cut_off
        if "matroska" in container.format.name and container.duration is not None:
            start = Fraction(container.start_time or 0, av.time_base)
            promised = Fraction(container.duration, av.time_base)
            if self._any_end - start + Fraction(_LATE_S) < promised:
                raise cut_off

    def _take_frame(self, begin: Fraction | None, end: Fraction | None) -> None:
        self.frames += 1
        if begin is not None and end is not None:
            self._begin = begin if self._begin is None else min(self._begin, begin)
            self._end = max(self._end, end)
        if self.seconds > VIDEO_MAX_SECONDS + 1:
            raise InvalidRequestError("video_too_long")
        if self.frames > VIDEO_MAX_SECONDS * RATE_MAX:
            raise InvalidRequestError("video_too_many_frames", frames=VIDEO_MAX_SECONDS * RATE_MAX)


def _main_picture(container: InputContainer) -> VideoStream:
    for stream in container.streams.video:
        if stream.disposition & Disposition.attached_pic:
            continue
        if stream.codec_context is None or stream.codec_context.codec.name not in PICTURE_DECODERS:
            raise InvalidRequestError("video_format_unreadable")
        return stream
    raise InvalidRequestError("video_missing")


def _main_sound(container: InputContainer) -> int | None:
    """The first audio stream with a known codec; a clip that has none is restyled without sound."""
    for number, stream in enumerate(container.streams.audio):
        if stream.codec_context is not None and stream.codec_context.codec.name in SOUND_DECODERS:
            return number
    return None


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise InvalidRequestError("video_without_size")
    if max(width, height) > SIDE_MAX or width * height > IMAGE_MAX_PIXELS:
        raise InvalidRequestError("video_too_many_pixels", width=width, height=height, side=SIDE_MAX)
