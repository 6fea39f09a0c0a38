"""Conversion of Qt's video frames from any supported pixel layout to I420.

Works on mapped memory with OpenCV, never through ``QVideoFrame.toImage`` (41 ms for 1080p). Must not
know devices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import cv2
import numpy as np

from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import Picture

_JPEG_START = b"\xff\xd8\xff"
"""Source: ITU T.81, B.1.1.3."""

if TYPE_CHECKING:
    from PySide6.QtMultimedia import QVideoFrame, QVideoFrameFormat


def to_i420(frame: QVideoFrame) -> Picture | None:
    """Copies a frame's picture as I420; odd sides lose their last row or column.

    Returns:
        uint8 (H * 3 // 2, W), limited range; None when the frame cannot be read (a lost buffer).

    Raises:
        SourceError: Its layout is not supported (``unreadable``).
    """
    from PySide6.QtMultimedia import QVideoFrame, QVideoFrameFormat

    layout = frame.surfaceFormat()
    read = _readers().get(layout.pixelFormat())
    if read is None:
        name = layout.pixelFormat().name.removeprefix("Format_")
        raise SourceError("source_layout_unknown", layout=name)
    if not frame.map(QVideoFrame.MapMode.ReadOnly):
        return None
    try:
        image = read(frame)
    finally:
        frame.unmap()
    if image is None:
        return None
    if layout.scanLineDirection() == QVideoFrameFormat.Direction.BottomToTop:
        image = _upright(image)
    yuv = layout.pixelFormat() in _planar_formats()
    if yuv and layout.colorRange() == QVideoFrameFormat.ColorRange.ColorRange_Full:
        image = _limited(image)
    return image


def is_readable(layout: QVideoFrameFormat.PixelFormat) -> bool:
    """Returns whether ``to_i420`` supports this layout."""
    return layout in _readers()


def _readers() -> dict[QVideoFrameFormat.PixelFormat, Callable[[QVideoFrame], Picture | None]]:
    from PySide6.QtMultimedia import QVideoFrameFormat

    formats = QVideoFrameFormat.PixelFormat
    return {
        formats.Format_BGRA8888: lambda frame: _packed(frame, cv2.COLOR_BGRA2YUV_I420),
        formats.Format_BGRA8888_Premultiplied: lambda frame: _packed(frame, cv2.COLOR_BGRA2YUV_I420),
        formats.Format_BGRX8888: lambda frame: _packed(frame, cv2.COLOR_BGRA2YUV_I420),
        formats.Format_RGBA8888: lambda frame: _packed(frame, cv2.COLOR_RGBA2YUV_I420),
        formats.Format_RGBX8888: lambda frame: _packed(frame, cv2.COLOR_RGBA2YUV_I420),
        formats.Format_ARGB8888: lambda frame: _padded(frame, cv2.COLOR_RGB2YUV_I420),
        formats.Format_ARGB8888_Premultiplied: lambda frame: _padded(frame, cv2.COLOR_RGB2YUV_I420),
        formats.Format_XRGB8888: lambda frame: _padded(frame, cv2.COLOR_RGB2YUV_I420),
        formats.Format_ABGR8888: lambda frame: _padded(frame, cv2.COLOR_BGR2YUV_I420),
        formats.Format_XBGR8888: lambda frame: _padded(frame, cv2.COLOR_BGR2YUV_I420),
        formats.Format_YUV420P: lambda frame: _three_planes(frame, (0, 1, 2)),
        formats.Format_YV12: lambda frame: _three_planes(frame, (0, 2, 1)),
        formats.Format_YUV422P: lambda frame: _three_planes(frame, (0, 1, 2)),
        formats.Format_NV12: lambda frame: _two_planes(frame, (0, 1)),
        formats.Format_NV21: lambda frame: _two_planes(frame, (1, 0)),
        formats.Format_YUYV: lambda frame: _interleaved(frame, 0),
        formats.Format_UYVY: lambda frame: _interleaved(frame, 1),
        formats.Format_Y8: _grey,
        formats.Format_Jpeg: _jpeg,
    }


def _planar_formats() -> set[QVideoFrameFormat.PixelFormat]:
    """Returns the layouts whose samples are copied, so that they keep the source's range."""
    from PySide6.QtMultimedia import QVideoFrameFormat

    formats = QVideoFrameFormat.PixelFormat
    return {
        formats.Format_YUV420P,
        formats.Format_YV12,
        formats.Format_YUV422P,
        formats.Format_NV12,
        formats.Format_NV21,
        formats.Format_YUYV,
        formats.Format_UYVY,
        formats.Format_Y8,
    }


def _view(frame: QVideoFrame, plane: int, height: int, width: int, depth: int) -> Picture:
    """Returns a view of one plane's samples without padding: (height, width, depth), strided."""
    stride = frame.bytesPerLine(plane)
    return np.ndarray((height, width, depth), np.uint8, buffer=frame.bits(plane), strides=(stride, depth, 1))


def _size(frame: QVideoFrame) -> tuple[int, int]:
    """Returns height and width, even."""
    return frame.height() // 2 * 2, frame.width() // 2 * 2


def _empty(height: int, width: int) -> Picture:
    return np.empty((height * 3 // 2, width), np.uint8)


def _packed(frame: QVideoFrame, code: int) -> Picture:
    height, width = _size(frame)
    return np.asarray(cv2.cvtColor(_view(frame, 0, height, width, 4), code), np.uint8)


def _padded(frame: QVideoFrame, code: int) -> Picture:
    """Converts layouts of four bytes a pixel whose first byte is no colour."""
    height, width = _size(frame)
    colours = np.empty((height, width, 3), np.uint8)
    cv2.mixChannels([_view(frame, 0, height, width, 4)], [colours], [1, 0, 2, 1, 3, 2])
    return np.asarray(cv2.cvtColor(colours, code), np.uint8)


def _three_planes(frame: QVideoFrame, order: tuple[int, int, int]) -> Picture:
    height, width = _size(frame)
    image = _empty(height, width)
    luma, *chroma = pictures.planes(image)
    luma[:] = _view(frame, order[0], height, width, 1)[..., 0]
    for target, plane in zip(chroma, order[1:], strict=True):
        rows = frame.mappedBytes(plane) // frame.bytesPerLine(plane)
        if rows >= height:  # 4:2:2: twice the rows of 4:2:0
            cv2.resize(
                _view(frame, plane, height, width // 2, 1),
                target.shape[::-1],
                dst=target,
                interpolation=cv2.INTER_AREA,
            )
        else:
            target[:] = _view(frame, plane, height // 2, width // 2, 1)[..., 0]
    return image


def _two_planes(frame: QVideoFrame, order: tuple[int, int]) -> Picture:
    height, width = _size(frame)
    image = _empty(height, width)
    luma, *chroma = pictures.planes(image)
    luma[:] = _view(frame, 0, height, width, 1)[..., 0]
    pairs = _view(frame, 1, height // 2, width // 2, 2)
    for target, channel in zip(chroma, order, strict=True):
        cv2.extractChannel(pairs, channel, dst=target)
    return image


def _interleaved(frame: QVideoFrame, luma_channel: int) -> Picture:
    """Converts YUYV and UYVY (4:2:2, two bytes a pixel); averages the colours of row pairs."""
    height, width = _size(frame)
    image = _empty(height, width)
    luma, *chroma = pictures.planes(image)
    pairs = _view(frame, 0, height, width, 2)
    cv2.extractChannel(pairs, luma_channel, dst=luma)
    colours = cv2.extractChannel(pairs, 1 - luma_channel).reshape(height, width // 2, 2)
    halved = cv2.addWeighted(colours[0::2], 0.5, colours[1::2], 0.5, 0)
    for channel, target in enumerate(chroma):
        cv2.extractChannel(halved, channel, dst=target)
    return image


def _grey(frame: QVideoFrame) -> Picture:
    height, width = _size(frame)
    image = np.full((height * 3 // 2, width), pictures.NEUTRAL_UV, np.uint8)
    image[:height] = _view(frame, 0, height, width, 1)[..., 0]
    return image


def _jpeg(frame: QVideoFrame) -> Picture | None:
    """Decodes a webcam's MJPG; None for a damaged picture."""
    data = np.frombuffer(frame.bits(0), np.uint8, count=frame.mappedBytes(0))
    # OpenCV would also decode other file types, which no camera sends.
    if bytes(data[: len(_JPEG_START)]) != _JPEG_START:
        return None
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return None if decoded is None else pictures.from_bgr(pictures.even(np.asarray(decoded, np.uint8)))


def _upright(image: Picture) -> Picture:
    out = np.empty_like(image)
    for source, target in zip(pictures.planes(image), pictures.planes(out), strict=True):
        target[:] = source[::-1]
    return out


def _limited(image: Picture) -> Picture:
    """Converts full range (0 to 255) to limited (16 to 235, colours 16 to 240). Source: ITU-R BT.601."""
    height = image.shape[0] * 2 // 3
    out = np.empty_like(image)
    cv2.convertScaleAbs(image[:height], dst=out[:height], alpha=219 / 255, beta=16)
    cv2.convertScaleAbs(image[height:], dst=out[height:], alpha=224 / 255, beta=128 - 128 * 224 / 255)
    return out
