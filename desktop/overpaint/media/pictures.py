"""Conversions between the pixel layouts of devices and the I420 of frames.

All I420 here is BT.601, limited range. Functions are pure and release the interpreter's lock (OpenCV). They
must not know devices.
"""

from __future__ import annotations

import cv2
import numpy as np

from overpaint.media.frames import Picture

BLACK_Y, NEUTRAL_UV = 16, 128


def planes(image: Picture) -> tuple[Picture, Picture, Picture]:
    """Returns the Y, U and V planes of an I420 picture, as views.

    Args:
        image: uint8 (H * 3 // 2, W), C-contiguous; H and W even.

    Returns:
        Y (H, W), U (H // 2, W // 2), V (H // 2, W // 2).
    """
    height, width = image.shape[0] * 2 // 3, image.shape[1]
    half = (height // 2, width // 2)
    flat = image.reshape(-1)
    luma = height * width
    chroma = luma // 4
    return (
        flat[:luma].reshape(height, width),
        flat[luma : luma + chroma].reshape(half),
        flat[luma + chroma :].reshape(half),
    )


def black(width: int, height: int) -> Picture:
    """Makes a black I420 picture (H * 3 // 2, W)."""
    image = np.full((height * 3 // 2, width), NEUTRAL_UV, np.uint8)
    image[:height] = BLACK_Y
    return image


def from_bgr(image: Picture) -> Picture:
    """Converts BGR uint8 (H, W, 3) to I420. H and W even."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)


def to_bgr(image: Picture) -> Picture:
    """Converts I420 to BGR uint8 (H, W, 3)."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_YUV2BGR_I420), np.uint8)


def to_bgrx(image: Picture, out: Picture | None = None) -> Picture:
    """Converts I420 to BGRX uint8 (H, W, 4) with X = 255, Qt's ``Format_RGB32``."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_YUV2BGRA_I420, dst=out), np.uint8)


def resize(image: Picture, width: int, height: int) -> Picture:
    """Scales an I420 picture to a size, regardless of aspect. All sizes even."""
    if (image.shape[1], image.shape[0] * 2 // 3) == (width, height):
        return image
    out = np.empty((height * 3 // 2, width), np.uint8)
    for source, target in zip(planes(image), planes(out), strict=True):
        _resize_plane(source, target)
    return out


def fit(image: Picture, width: int, height: int) -> Picture:
    """Fits an I420 picture inside width × height: aspect kept, centred, black bars, never stretched.

    Source: protocol decisions, "Media room". Returns the picture itself when it already fits exactly.
    """
    source_width, source_height = image.shape[1], image.shape[0] * 2 // 3
    if (source_width, source_height) == (width, height):
        return image
    scale = min(width / source_width, height / source_height)
    inner_width = min(width, max(2, round(source_width * scale / 2) * 2))
    inner_height = min(height, max(2, round(source_height * scale / 2) * 2))
    if (inner_width, inner_height) == (width, height):
        return resize(image, width, height)
    out = black(width, height)
    left, top = (width - inner_width) // 4 * 2, (height - inner_height) // 4 * 2
    for index, (source, target) in enumerate(zip(planes(image), planes(out), strict=True)):
        step = 1 if index == 0 else 2
        area = target[top // step : (top + inner_height) // step, left // step : (left + inner_width) // step]
        _resize_plane(source, area)
    return out


def crop(image: Picture, region: tuple[int, int, int, int]) -> Picture:
    """Cuts out a part of an I420 picture: left, top, width, height, clipped and made even."""
    whole = (image.shape[1], image.shape[0] * 2 // 3)
    left, top = (max(0, min(at // 2 * 2, side - 2)) for at, side in zip(region[:2], whole, strict=True))
    width, height = min(region[2], whole[0] - left) // 2 * 2, min(region[3], whole[1] - top) // 2 * 2
    width, height = max(2, width), max(2, height)
    out = np.empty((height * 3 // 2, width), np.uint8)
    for index, (source, target) in enumerate(zip(planes(image), planes(out), strict=True)):
        step = 1 if index == 0 else 2
        x, y = left // step, top // step
        target[:] = source[y : y + target.shape[0], x : x + target.shape[1]]
    return out


def turn(image: Picture, quarter_turns: int) -> Picture:
    """Turns an I420 picture counter-clockwise by quarter turns; all sides even."""
    return np.concatenate([np.rot90(plane, quarter_turns).reshape(-1) for plane in planes(image)]).reshape(
        -1, image.shape[1] if quarter_turns % 2 == 0 else image.shape[0] * 2 // 3
    )


def even(image: Picture) -> Picture:
    """Drops the last row or column of a picture (H, W, C) where H or W is odd (I420 needs even sides)."""
    height, width = image.shape[:2]
    return image[: height // 2 * 2, : width // 2 * 2]


def _resize_plane(source: Picture, target: Picture) -> None:
    """Resizes into ``target``, which may be a strided view.

    Halves are exact means and cost next to nothing; between half and full size, bilinear interpolation is as
    good as area means, at a tenth of the time (measured: ``tests/bench/test_stages_bench.py``).
    """
    height, width = target.shape
    while source.shape[0] >= 2 * height and source.shape[1] >= 2 * width:
        rows, columns = source.shape[0] // 2, source.shape[1] // 2
        source = np.asarray(
            cv2.resize(source[: 2 * rows, : 2 * columns], (columns, rows), interpolation=cv2.INTER_AREA),
            np.uint8,
        )
    way = cv2.INTER_LINEAR if height < source.shape[0] else cv2.INTER_CUBIC
    if target.flags.c_contiguous:
        cv2.resize(source, (width, height), dst=target, interpolation=way)
    else:
        target[:] = cv2.resize(source, (width, height), interpolation=way)
