"""Transforms of clips: frames rotated upright and restyled, sound kept, written as an MP4; and conversions.

Decisions that the specification leaves open: H.264 and AAC in MP4 with the index in front (faststart).
Every frame keeps its timestamp, so a variable frame rate is kept. An odd side loses its last row or column,
because 4:2:0 has even sides; otherwise the size is kept. Of several video or audio streams the main one is
taken. Subtitles, chapters and metadata are dropped. A conversion changes container or size, and no look; the
pictures of an H.264 clip that keeps its size are copied. Must not know processes or requests.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer, OutputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

from overpaint.engine.interface import Engine, LookRequest
from overpaint.errors import InvalidRequestError
from overpaint.media import pictures
from overpaint.media.opener.clips import open_clip, upright_turns
from overpaint.transforms.clip_files import Contents, check_work, contents, packets, pictures_of
from overpaint.transforms.picture_transform import padded_even
from overpaint.transforms.sound import Sound
from overpaint.transforms.targets import whole
from overpaint.transforms.task import Inspection, Progress, Transformed, input_blamed

Picture = NDArray[np.uint8]

_BT709, _BT601 = 1, 5
"""swscale's numbers for the two matrices (``SWS_CS_ITU709``, ``SWS_CS_ITU601``)."""
_SMPTE170M, _BT709_TAG, _LIMITED_RANGE = 6, 1, 1
"""Values of H.264's colour description (ITU-T H.273)."""
_X264 = {"preset": "veryfast", "crf": "18"}
"""The next faster preset takes a third less time, for files twice as large and no better picture."""

ENCODER_THREADS = 4
"""The encoder's own threads: it encodes one frame while the look is applied to the next."""
_FEW_PIXELS = 4096 * 2304
"""Frames above this size are encoded by one thread, because every thread buffers frames."""


def inspect(source: Path) -> Inspection:
    """Validates a clip: reads all of it, decodes its first picture.

    Raises:
        InvalidRequestError: It is not a clip, damaged, truncated, or over a limit.
    """
    with input_blamed(), open_clip(source) as clip:
        seen, format_ = contents(clip), clip.format
    width, height = output_size(seen)
    return Inspection("video", format_.content_type, width, height, seen.seconds, seen.frames)


def transform(
    source: Path,
    request: LookRequest,
    target: Path,
    engine: Engine,
    progress: Progress,
    begun: Callable[[int], None] = lambda pixels: None,
) -> Transformed:
    """Restyles a clip; the target is written atomically.

    Args:
        source: The clip.
        request: What it should look like.
        target: Path of the output.
        engine: Compiles the look.
        progress: Receives the progress.
        begun: Receives the total number of pixels of all frames, before any progress.

    Raises:
        InvalidRequestError: It is not a clip, damaged, or over a limit.
        OSError: The target cannot be written.
    """
    seen = _surveyed(source, begun)
    size = output_size(seen)
    # Compiled for the padded size: a clip below the smallest size of looks is padded, then cropped.
    padded = padded_even(np.empty((size[1], size[0], 3), np.uint8)).shape
    look = engine.compile(request, padded[1], padded[0], "clip")
    with whole(target) as part, input_blamed(), open_clip(source) as clip, _made(part, "video/mp4") as output:
        _Rewriting(clip.container, output, seen, size, (padded[1], padded[0]), look.apply, progress).run()
    return Transformed(target, "video/mp4", target.stat().st_size)


def convert(
    source: Path,
    target: Path,
    content_type: str,
    side: int,
    progress: Progress,
    begun: Callable[[int], None] = lambda pixels: None,
) -> Transformed:
    """Writes a clip in another container or size; the target is written atomically.

    Args:
        source: The clip.
        target: Path of the output.
        content_type: Its media type: MP4 or Matroska.
        side: Longest side, pixels; a larger clip is shrunk. 0 for no limit.
        progress: Receives the progress.
        begun: As for ``transform``.

    Raises:
        InvalidRequestError: It is not a clip, damaged, or over a limit.
        OSError: The target cannot be written.
    """
    seen = _surveyed(source, begun)
    size = output_size(seen, side)
    with (
        whole(target) as part,
        input_blamed(),
        open_clip(source) as clip,
        _made(part, content_type) as output,
    ):
        video = clip.container.streams.video[seen.video]
        if size == output_size(seen) and video.codec_context.name == "h264":
            _copy(clip.container, output, seen, progress)
        else:
            _Rewriting(clip.container, output, seen, size, size, lambda picture: picture, progress).run()
    return Transformed(target, content_type, target.stat().st_size)


def output_size(seen: Contents, side: int = 0) -> tuple[int, int]:
    """Width and height of the output: upright, even, no side longer than ``side`` (0: no limit)."""
    scale = min(1.0, side / max(seen.width, seen.height)) if side else 1.0
    width, height = round(seen.width * scale), round(seen.height * scale)
    return max(2, width // 2 * 2), max(2, height // 2 * 2)


def _surveyed(source: Path, begun: Callable[[int], None]) -> Contents:
    """What a clip contains; ``begun`` is told its pixels. Raises as ``transform``."""
    with input_blamed(), open_clip(source) as clip:
        seen = contents(clip)
    begun(seen.coded[0] * seen.coded[1] * seen.frames)
    return seen


def _made(path: Path, content_type: str) -> OutputContainer:
    if content_type == "video/x-matroska":
        return av.open(str(path), "w", format="matroska")
    return av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})


def _copy(container: InputContainer, output: OutputContainer, seen: Contents, progress: Progress) -> None:
    """Copies pictures and sound of a clip, not decoded."""
    video = container.streams.video[seen.video]
    copy = output.add_stream_from_template(video)
    sound = Sound(container, output, seen.audio) if seen.audio is not None else None
    begin_s = Fraction(container.start_time or 0, av.time_base)
    count = 0
    for packet in packets(container, video, *([sound.source] if sound else [])):
        if packet.stream.index != video.index:
            assert sound is not None
            sound.take(packet, begin_s)
        elif packet.size and packet.dts is not None:
            begin = round(begin_s / Fraction(packet.time_base))
            packet.pts = (packet.dts if packet.pts is None else packet.pts) - begin
            packet.dts -= begin
            packet.stream = copy
            output.mux(packet)
            count += 1
            progress(min(1.0, count / seen.frames))
    if sound is not None:
        sound.finish()
    progress(1.0)


class _Rewriting:
    """One run over a clip, packet by packet in the file's order: decode, scale and restyle, encode."""

    def __init__(
        self,
        container: InputContainer,
        output: OutputContainer,
        seen: Contents,
        size: tuple[int, int],
        padded: tuple[int, int],
        apply: Callable[[Picture], Picture],
        progress: Progress,
    ) -> None:
        self._container, self._output, self._seen, self._progress = container, output, seen, progress
        self._video = container.streams.video[seen.video]
        self._size, self._padded, self._apply = size, padded, apply
        self._shrunk = size != output_size(seen)
        self._reformatter = VideoReformatter()
        self._stream = self._add_stream()
        self._sound = Sound(container, output, seen.audio) if seen.audio is not None else None
        self._begin_s = Fraction(container.start_time or 0, av.time_base)
        self._begin = round(self._begin_s / self._time_base)
        self._last_pts: int | None = None
        self._frames = self._pixels = 0

    def run(self) -> None:
        """Rewrites the whole clip. Raises ``InvalidRequestError`` where it is damaged."""
        streams = [self._video, *([self._sound.source] if self._sound else [])]
        for packet in packets(self._container, *streams):
            if packet.stream.index == self._video.index:
                for frame in pictures_of(packet):
                    self._show(frame)
            elif self._sound is not None:
                self._sound.take(packet, self._begin_s)
        if self._frames == 0:
            raise InvalidRequestError("video_without_picture")
        self._output.mux(self._stream.encode(None))
        if self._sound is not None:
            self._sound.finish()
        self._progress(1.0)

    @property
    def _time_base(self) -> Fraction:
        return Fraction(self._video.time_base or Fraction(1, 90_000))

    def _add_stream(self) -> VideoStream:
        rate = self._video.average_rate or Fraction(25)
        stream = self._output.add_stream("libx264", rate=rate.limit_denominator(60_000))
        stream.width, stream.height, stream.pix_fmt = *self._size, "yuv420p"
        context = stream.codec_context
        # The clip's own time base, so that no timestamp is rounded.
        stream.time_base = context.time_base = self._time_base
        few = self._size[0] * self._size[1] <= _FEW_PIXELS
        context.thread_count = min(ENCODER_THREADS, os.cpu_count() or 1) if few else 1
        # PyAV's default (SLICE) splits each frame between threads, and encoding blocks until it is done.
        context.thread_type = "FRAME"
        context.gop_size = max(1, min(600, round(rate * 4)))
        context.colorspace = _SMPTE170M
        context.color_primaries = context.color_trc = _BT709_TAG
        context.color_range = _LIMITED_RANGE
        aspect = self._seen.pixel_aspect
        if aspect != 1:
            context.sample_aspect_ratio = aspect
        stream.options = dict(_X264)
        return stream

    def _show(self, frame: VideoFrame) -> None:
        if frame.is_corrupt:
            raise InvalidRequestError("video_damaged")
        # The check before counted packets and the first frame's size; more or larger frames may be decoded.
        self._pixels += max(frame.width * frame.height, self._size[0] * self._size[1])
        check_work(self._pixels, 1, 1)
        styled = self._apply(self._padded_i420(frame))
        picture = VideoFrame.from_ndarray(self._cropped(styled), format="yuv420p")
        picture.pts, picture.time_base = self._time_of(frame), self._time_base
        picture.colorspace, picture.color_range = _SMPTE170M, _LIMITED_RANGE
        self._output.mux(self._stream.encode(picture))
        self._frames += 1
        self._progress(min(1.0, self._frames / self._seen.frames))

    def _time_of(self, frame: VideoFrame) -> int:
        """The frame's timestamp from the beginning of the clip, strictly increasing."""
        rate = self._video.average_rate or Fraction(25)
        least = 0 if self._last_pts is None else self._last_pts + 1
        if frame.pts is None:
            step = max(1, round(1 / rate / self._time_base))
            pts = 0 if self._last_pts is None else self._last_pts + step
        else:
            pts = frame.pts - self._begin
        self._last_pts = max(least, pts)
        return self._last_pts

    def _padded_i420(self, frame: VideoFrame) -> Picture:
        """A frame rotated upright and padded for the engine, as I420 BT.601 limited range.

        A clip without a colour matrix is read as BT.709 from 720 lines upwards, as players do.
        """
        turns = upright_turns(frame)
        coded = self._seen.coded
        if self._shrunk:
            coded = self._size if turns % 2 == 0 else self._size[::-1]
        hd = frame.colorspace == _BT709 or (frame.colorspace not in (5, 6) and frame.height >= 720)
        odd = any(side % 2 for side in coded) or self._padded != self._size
        scaled = self._reformatter.reformat(
            frame,
            width=coded[0],
            height=coded[1],
            format="bgr24" if odd else "yuv420p",
            src_colorspace=_BT709 if hd else _BT601,
            dst_colorspace=None if odd else _BT601,
            dst_color_range=None if odd else _LIMITED_RANGE,
            interpolation="BICUBIC",
        )
        image = np.ascontiguousarray(scaled.to_ndarray(), np.uint8)
        if not odd:
            return pictures.turn(image, turns) if turns else image
        bgr = np.rot90(image, turns)
        width, height = self._size
        return pictures.from_bgr(padded_even(np.ascontiguousarray(bgr[:height, :width])))

    def _cropped(self, styled: Picture) -> Picture:
        if self._padded == self._size:
            return styled
        width, height = self._size
        planes = pictures.planes(styled)
        parts = [
            plane[: height // step, : width // step].reshape(-1)
            for plane, step in zip(planes, (1, 2, 2), strict=True)
        ]
        return np.concatenate(parts).reshape(height * 3 // 2, width)
