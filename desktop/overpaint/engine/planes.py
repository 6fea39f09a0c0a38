"""Planes of an I420 picture: their views, ranges and sizes, and a blur. Must not know looks."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8]

REFERENCE_HEIGHT = 1080
"""Sizes in looks (widths of lines, periods of screens) are pixels in a picture with this many rows."""

_levels = np.arange(256, dtype=np.float32)
FULL_FROM_LIMITED: Plane = np.clip((_levels - 16) * (255 / 219) + 0.5, 0, 255).astype(np.uint8)
LIMITED_SCALE, LIMITED_BLACK = 219 / 255, 16.0
"""What luma in full range is multiplied by, and what is added then, in limited range."""


def scale_of(height: int, width: int) -> float:
    """What lengths in a look's data are multiplied by in a picture of this size.

    By the shorter side: a picture held upright is drawn with the pen of one that lies, and one of 64
    megapixels looks like its preview.
    """
    return min(height, width) / REFERENCE_HEIGHT


def half_sides(height: int, width: int) -> tuple[float, float]:
    """How far the right and the lower edge are from the middle, pixels at 1080 rows."""
    scale = scale_of(height, width)
    return width / scale / 2, height / scale / 2


def soft(plane: Plane, sigma: float) -> Plane:
    """A blur that costs the same for any width: two boxes, near enough to a Gaussian.

    Args:
        plane: uint8.
        sigma: Deviation in pixels; below 2 a Gaussian is as cheap, and taken.
    """
    if sigma < 2:
        return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma), np.uint8)
    side = (2 * round((6 * sigma * sigma + 1) ** 0.5 / 2 - 0.5) + 1,) * 2
    return np.asarray(cv2.blur(cv2.blur(plane, side), side), np.uint8)


def split(image: Plane) -> tuple[Plane, Plane, Plane]:
    """Views of an I420 picture's planes.

    Args:
        image: uint8 (H * 3 // 2, W), C-contiguous, H and W even.

    Returns:
        Y (H, W), U and V (H / 2, W / 2).
    """
    width = image.shape[1]
    height = image.shape[0] * 2 // 3
    flat = image.reshape(-1)
    luma, chroma = height * width, (height // 2) * (width // 2)
    shape = (height // 2, width // 2)
    return (
        flat[:luma].reshape(height, width),
        flat[luma : luma + chroma].reshape(shape),
        flat[luma + chroma : luma + 2 * chroma].reshape(shape),
    )
