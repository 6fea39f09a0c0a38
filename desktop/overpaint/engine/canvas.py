"""The canvas that passes paint on: full luma, half-size luma and chroma, in buffers reused for each frame.

I420 already holds chroma at half size, so looks abstract at half size, where luma (``low``) and both
chroma planes have one shape, and draw lines and texture on full-size luma alone: no conversion to
RGB, and half the memory of it. Must not know looks or prompts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from overpaint.engine.people.person_mask import Person

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


class Canvas:
    """Buffers of one compiled look.

    Attributes:
        width: Pixels, even.
        height: Pixels, even.
        scale: What lengths in a look's data are multiplied by, see ``scale_of``.
        source: uint8 (height, width), the frame's luma in full range (0 black, 255 white), steadied;
            read only for passes.
        y: uint8 (height, width), the luma as painted so far. Equals ``source`` at first; a pass puts
            its result into ``fresh()`` and then sets ``y`` to it.
        low: uint8 (height / 2, width / 2), luma at half size, as painted so far; written in place.
        low_source: The same of the frame; read only for passes.
        u, v: uint8 (height / 2, width / 2), chroma around 128 as painted so far; written in place.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.half = (height // 2, width // 2)
        self.scale = scale_of(height, width)
        self.source: Plane = np.zeros((height, width), np.uint8)
        self.low_source: Plane = np.zeros(self.half, np.uint8)
        self.low: Plane = np.zeros(self.half, np.uint8)
        self.u: Plane = np.full(self.half, 128, np.uint8)
        self.v: Plane = np.full(self.half, 128, np.uint8)
        self._pages: tuple[Plane, Plane] = (np.zeros_like(self.source), np.zeros_like(self.source))
        self.y: Plane = self.source
        self.person: Person | None = None

    def begin(self) -> None:
        """Starts a frame: what is painted so far is the (already filled) source."""
        self.y = self.source
        cv2.resize(self.source, self.half[::-1], dst=self.low_source, interpolation=cv2.INTER_AREA)
        np.copyto(self.low, self.low_source)

    def fresh(self) -> Plane:
        """A full-size buffer that is neither ``source`` nor ``y``; its content is arbitrary."""
        first, second = self._pages
        return second if self.y is first else first

    def sigma(self, at_1080: float, least: float = 0.6) -> float:
        """A blur's width in this canvas's pixels.

        Args:
            at_1080: The width at 1080 rows.
            least: Never narrower than this, so that a small picture still has the effect.
        """
        return max(least, at_1080 * self.scale)


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
