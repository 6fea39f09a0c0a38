"""Planes of an I420 picture: views, value ranges, scale, and a fast blur. Must not know looks."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8]

REFERENCE_HEIGHT = 1080
"""Shorter side of the picture in whose pixels lengths in looks (line widths, screen periods) are given."""

_levels = np.arange(256, dtype=np.float32)
FULL_FROM_LIMITED: Plane = np.clip((_levels - 16) * (255 / 219) + 0.5, 0, 255).astype(np.uint8)
LIMITED_SCALE, LIMITED_BLACK = 219 / 255, 16.0
"""Factor and offset that turn full-range luma into limited-range luma."""


def scale_of(height: int, width: int) -> float:
    """Scale factor from lengths in a look's data to pixels of a picture of this size.

    Follows the shorter side, so that portrait and landscape pictures get the same line widths, and a
    picture of 64 megapixels looks like its preview.
    """
    return min(height, width) / REFERENCE_HEIGHT


def half_sides(height: int, width: int) -> tuple[float, float]:
    """Distances of the right and of the lower edge from the centre, pixels at 1080 rows."""
    scale = scale_of(height, width)
    return width / scale / 2, height / scale / 2


def soft(plane: Plane, sigma: float) -> Plane:
    """A fast blur: two box filters that approximate a Gaussian, at a cost independent of the width.

    Args:
        plane: uint8 (H, W).
        sigma: Standard deviation, pixels; below 2 a true Gaussian is as fast and is used.
    """
    if sigma < 2:
        return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma), np.uint8)
    side = (2 * round((6 * sigma * sigma + 1) ** 0.5 / 2 - 0.5) + 1,) * 2
    return np.asarray(cv2.blur(cv2.blur(plane, side), side), np.uint8)


def split(image: Plane) -> tuple[Plane, Plane, Plane]:
    """Views of the planes of an I420 picture.

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
