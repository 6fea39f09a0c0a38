"""Every layout that cameras and screens speak becomes the same I420 picture, padding of rows or not."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtMultimedia import QVideoFrame, QVideoFrameFormat

from helpers.clips import portrait
from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import Picture
from overpaint.media.sources.qt_frames import is_readable, to_i420

Format = QVideoFrameFormat.PixelFormat
WIDTH, HEIGHT = 642, 362  # no multiple of what rows are padded to


def person() -> Picture:
    """A photograph, BGR, as smooth as a webcam's so that halved colours compare."""
    return np.asarray(cv2.GaussianBlur(portrait(WIDTH, HEIGHT), (0, 0), 2), np.uint8)


def i420() -> Picture:
    return pictures.from_bgr(person())


def filled(layout: Format, fill: Callable[[list[Picture]], None], *, full_range: bool = False) -> QVideoFrame:
    """A frame of Qt's own, written through its mapped planes: each (rows, stride)."""
    surface = QVideoFrameFormat(QSize(WIDTH, HEIGHT), layout)
    if full_range:
        surface.setColorRange(QVideoFrameFormat.ColorRange.ColorRange_Full)
    frame = QVideoFrame(surface)
    assert frame.map(QVideoFrame.MapMode.WriteOnly)
    planes = []
    for plane in range(frame.planeCount()):
        stride = frame.bytesPerLine(plane)
        rows = frame.mappedBytes(plane) // stride
        planes.append(np.ndarray((rows, stride), np.uint8, buffer=frame.bits(plane)))
    fill(planes)
    planes.clear()
    frame.unmap()
    return frame


def packed(order: str) -> Callable[[list[Picture]], None]:
    """Four bytes a pixel in the named order, X being 255."""

    def fill(planes: list[Picture]) -> None:
        image = person()
        channels = {"B": image[..., 0], "G": image[..., 1], "R": image[..., 2]}
        opaque = np.full((HEIGHT, WIDTH), 255, np.uint8)
        planes[0][:, : WIDTH * 4] = np.dstack([channels.get(letter, opaque) for letter in order]).reshape(
            HEIGHT, -1
        )

    return fill


def planar(first: int, second: int) -> Callable[[list[Picture]], None]:
    def fill(planes: list[Picture]) -> None:
        parts = pictures.planes(i420())
        planes[0][:HEIGHT, :WIDTH] = parts[0]
        planes[1][: HEIGHT // 2, : WIDTH // 2] = parts[first]
        planes[2][: HEIGHT // 2, : WIDTH // 2] = parts[second]

    return fill


def paired(first: int, second: int) -> Callable[[list[Picture]], None]:
    def fill(planes: list[Picture]) -> None:
        parts = pictures.planes(i420())
        planes[0][:HEIGHT, :WIDTH] = parts[0]
        planes[1][: HEIGHT // 2, :WIDTH] = np.dstack([parts[first], parts[second]]).reshape(HEIGHT // 2, -1)

    return fill


def interleaved(luma: int) -> Callable[[list[Picture]], None]:
    def fill(planes: list[Picture]) -> None:
        y, u, v = pictures.planes(i420())
        row = planes[0][:, : WIDTH * 2].reshape(HEIGHT, WIDTH // 2, 4)
        row[..., luma], row[..., luma + 2] = y[:, 0::2], y[:, 1::2]
        row[..., 1 - luma], row[..., 3 - luma] = u.repeat(2, axis=0), v.repeat(2, axis=0)

    return fill


@pytest.mark.parametrize(
    ("layout", "fill"),
    [
        (Format.Format_BGRA8888, packed("BGRX")),
        (Format.Format_BGRX8888, packed("BGRX")),
        (Format.Format_RGBX8888, packed("RGBX")),
        (Format.Format_XRGB8888, packed("XRGB")),
        (Format.Format_XBGR8888, packed("XBGR")),
        (Format.Format_YUV420P, planar(1, 2)),
        (Format.Format_YV12, planar(2, 1)),
        (Format.Format_NV12, paired(1, 2)),
        (Format.Format_NV21, paired(2, 1)),
        (Format.Format_YUYV, interleaved(0)),
        (Format.Format_UYVY, interleaved(1)),
    ],
    ids=lambda value: value.name if isinstance(value, Format) else "",
)
def test_a_layout_becomes_the_same_picture(layout: Format, fill: Callable[[list[Picture]], None]) -> None:
    image = to_i420(filled(layout, fill))
    assert image is not None and image.shape == (HEIGHT * 3 // 2, WIDTH)
    assert image.flags.c_contiguous
    assert np.abs(image.astype(int) - i420()).max() <= 2
    assert is_readable(layout)


def test_a_webcams_jpeg_becomes_the_same_picture() -> None:
    done, data = cv2.imencode(".jpg", person(), [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert done
    surface = QVideoFrameFormat(QSize(WIDTH, HEIGHT), Format.Format_Jpeg)
    frame = QVideoFrame(surface)
    if not frame.map(QVideoFrame.MapMode.WriteOnly):
        pytest.skip("this Qt makes no JPEG frame by itself")
    np.frombuffer(frame.bits(0), np.uint8)[: data.size] = data.ravel()
    frame.unmap()
    image = to_i420(frame)
    assert image is not None
    assert np.abs(image.astype(int) - i420()).mean() < 2


def test_full_range_is_brought_into_limited_range() -> None:
    def fill(planes: list[Picture]) -> None:
        planes[0][:] = 255
        planes[1][:] = 128
        planes[2][:] = 0

    image = to_i420(filled(Format.Format_YUV420P, fill, full_range=True))
    assert image is not None
    luma, u, v = pictures.planes(image)
    assert (int(luma[0, 0]), int(u[0, 0]), int(v[0, 0])) == (235, 128, 16)


def test_the_picture_is_a_copy_that_outlives_the_frame() -> None:
    frame = filled(Format.Format_YUV420P, planar(1, 2))
    image = to_i420(frame)
    assert image is not None
    expected = image.copy()
    assert frame.map(QVideoFrame.MapMode.WriteOnly)
    np.frombuffer(frame.bits(0), np.uint8)[:] = 0
    frame.unmap()
    assert np.array_equal(image, expected)


def test_a_layout_that_cannot_be_read_is_named() -> None:
    with pytest.raises(SourceError, match="P010") as refusal:
        to_i420(QVideoFrame(QVideoFrameFormat(QSize(WIDTH, HEIGHT), Format.Format_P010)))
    assert refusal.value.kind == "unreadable"
    assert not is_readable(Format.Format_P010)
