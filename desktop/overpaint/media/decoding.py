"""Decoding of media files: opened by the one opener, scaled, converted to the pixel layout of frames.

Runs in the confined process that plays a file (``file_player``). Knows FFmpeg through PyAV. Must not know
processes or time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import av
import cv2
import numpy as np
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream

from overpaint.errors import MediaError
from overpaint.media import pictures
from overpaint.media.frames import Picture
from overpaint.media.opener.bounded_reader import MediaFile
from overpaint.media.opener.clips import SIDE_MAX, Clip, open_played, upright_turns
from overpaint.media.opener.recognition import HEAD_BYTES, recognise_clip
from overpaint.wire.media_limits import IMAGE_MAX_PIXELS

if TYPE_CHECKING:
    from overpaint.media.opener.stills import Still

_BT709, _BT601 = 1, 5
"""swscale's numbers for the two matrices (``SWS_CS_ITU709``, ``SWS_CS_ITU601``)."""
_MPEG_RANGE = 1


def open_media(file: MediaFile) -> Clip | Still:
    """Opens a clip, or reads a picture.

    Args:
        file: The open file; closed with the clip, and else when this returns.

    Raises:
        MediaError: It is neither, too large, damaged, or cannot be read.
    """
    if recognise_clip(file.head(HEAD_BYTES)) is None:
        # Here: who plays a clip waits for its first frame, and Pillow takes a tenth of a second to load.
        from overpaint.media.opener.stills import read_still

        with file:
            return read_still(file)
    clip = open_played(file)
    try:
        for stream in clip.container.streams.video:
            check_size(stream.width, stream.height)
            return clip
        raise MediaError("clip_without_picture")
    except BaseException:
        clip.close()
        raise


def decoded(container: InputContainer, stream: VideoStream) -> Iterator[VideoFrame]:
    """Yields the frames of a stream; skips damaged parts. Raises ``MediaError`` for too large ones."""
    for packet in container.demux(stream):
        try:
            frames = packet.decode()
        except av.error.InvalidDataError:
            continue
        for frame in frames:
            check_size(frame.width, frame.height)
            yield frame


def aspect_of(frame: VideoFrame) -> float:
    """Returns width by height, upright."""
    turned = upright_turns(frame) % 2 == 1
    return float(frame.height / frame.width if turned else frame.width / frame.height)


def still_i420(still: Still, width: int, height: int) -> Picture:
    """Converts a picture, on white where transparent, to I420 fitted inside width × height."""
    from overpaint.media.opener.stills import on_white

    rows, columns = still.bgr.shape[:2]
    inner = _fitted((columns, rows), (width, height))
    way = cv2.INTER_AREA if inner[0] < columns else cv2.INTER_CUBIC
    scaled = np.asarray(cv2.resize(on_white(still), inner, interpolation=way), np.uint8)
    return pictures.fit(pictures.from_bgr(scaled), width, height)


def i420(frame: VideoFrame, width: int, height: int, reformatter: VideoReformatter) -> Picture:
    """Converts a decoded frame, turned upright, to I420 (BT.601, limited range) fitted inside width × height.

    A clip without a declared matrix counts as BT.709 from 720 lines upwards, as in players.
    """
    quarter_turns = upright_turns(frame)
    upright = (frame.height, frame.width) if quarter_turns % 2 else (frame.width, frame.height)
    inner = _fitted(upright, (width, height))
    if quarter_turns % 2:
        inner = inner[::-1]
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


def _fitted(size: tuple[int, int], room: tuple[int, int]) -> tuple[int, int]:
    """Returns the largest even width and height inside the room, with the same aspect."""
    scale = min(room[0] / size[0], room[1] / size[1])
    width, height = (
        min(limit, max(2, round(side * scale / 2) * 2)) for side, limit in zip(size, room, strict=True)
    )
    return width, height


def check_size(width: int, height: int) -> None:
    """Raises ``MediaError`` for pictures that are too large."""
    if max(width, height) > SIDE_MAX or width * height > IMAGE_MAX_PIXELS:
        raise MediaError("clip_too_large_to_play", width=width, height=height)
