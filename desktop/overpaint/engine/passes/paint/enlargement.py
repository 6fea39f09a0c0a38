"""Guided upsampling of a painting from a small copy onto the canvas.

The painted luma is fitted, place by place, as a linear function of the picture's own (guided filter, He et
al. 2010). The slopes are applied at half size, so that edges come from the picture and brushwork from the
painting; ``Rise`` does the same up to full size. The slopes also serve for the next frame, which then shows
its own light and movement in the same paint. Must not know what paints.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

FINE = 400.0
"""Variance of luma, in squared levels, at which at least half of the picture's own contrast is kept."""

TONE = (7, 7)
"""Window in which the painted tone is averaged where the picture's own lines are kept, pixels of the copy."""

WIDE = 16 / 9
"""Aspect ratio for which the heights of small copies are given."""

Floats = NDArray[np.float32]
Planes = tuple[Plane, Plane, Plane]


def small_size(half: tuple[int, int], rows: float, multiple: int = 1) -> tuple[int, int]:
    """Width and height of a small copy.

    Pictures of other shapes get the same number of pixels, since pixels take time and memory.

    Args:
        half: Height and width of the planes to copy, pixels; the copy is never larger.
        rows: Height of the copy of a picture of 16:9, pixels.
        multiple: Number that both sides are multiples of, pixels.
    """
    height, width = half
    shrink = min(1.0, rows * math.sqrt(WIDE / (height * width)))
    return _rounded(width * shrink, multiple), _rounded(height * shrink, multiple)


def _rounded(side: float, multiple: int) -> int:
    return max(multiple, round(side / multiple) * multiple)


def shrunk(canvas: Canvas, size: tuple[int, int]) -> Planes:
    """Reduced copies of ``low``, ``u`` and ``v``, uint8 (H, W), of ``size`` (width, height)."""
    luma, u, v = (
        np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), np.uint8)
        for plane in (canvas.low, canvas.u, canvas.v)
    )
    return luma, u, v


class Carry:
    """Guided upsampling from a small copy of any size.

    Args:
        stage: Canvas, threads and inputs.
        softness: Regulariser: variance of luma, in squared levels, below which a place counts as flat.
        again: Whether the method ``again`` will be called; otherwise a copy of half size is only copied.
    """

    def __init__(self, stage: Stage, softness: float, again: bool = False) -> None:
        self._again = again
        self._bands = stage.bands
        self._softness = float(softness)
        self._half = stage.canvas.half
        self._slopes: Floats = np.zeros(self._half, np.float32)
        self._offsets: Floats = np.zeros(self._half, np.float32)
        self._offset: Floats = np.zeros((1, 1), np.float32)

    def up(self, own: Plane, painted: Floats, canvas: Canvas) -> None:
        """Enlarges a painting onto ``low``, ``u`` and ``v``.

        Args:
            own: uint8 (H, W), the picture's luma in the small copy.
            painted: float32 (3, H, W), painted luma and chroma of the small copy, levels.
            canvas: Written; its ``low`` holds the picture's own luma before.
        """
        height, width = own.shape
        if own.shape == self._half and not self._again:
            for plane, onto in zip(painted, (canvas.low, canvas.u, canvas.v), strict=True):
                cv2.convertScaleAbs(plane, dst=onto)
            return
        side, coarse = (3, 3), (max(1, width // 2), max(1, height // 2))
        guide = cv2.resize(own, coarse, interpolation=cv2.INTER_AREA).astype(np.float32)
        small = cv2.resize(painted[0], coarse, interpolation=cv2.INTER_AREA)
        mean = cv2.blur(guide, side)
        spread = cv2.sqrBoxFilter(guide, cv2.CV_32F, side) - mean * mean
        fit = (cv2.blur(guide * small, side) - mean * cv2.blur(small, side)) / (spread + self._softness)
        # Where the picture has fine detail (eyes), its own lines are kept and only their tone is painted.
        fine = cv2.blur(spread / (spread + FINE), side)
        slope = cv2.resize(np.maximum(cv2.blur(fit, side), fine), (width, height))
        if self._offset.shape != own.shape:
            self._offset = np.zeros(own.shape, np.float32)
        self._bands.run(_rest, height, painted[0], own, slope, self._offset)
        self._offset += (cv2.blur(self._offset, TONE) - self._offset) * cv2.resize(fine, (width, height))
        cv2.resize(slope, self._half[::-1], dst=self._slopes)
        cv2.resize(self._offset, self._half[::-1], dst=self._offsets)
        self._lay(canvas)
        for plane, onto in zip(painted[1:], (canvas.u, canvas.v), strict=True):
            cv2.resize(cv2.convertScaleAbs(plane), self._half[::-1], dst=onto)

    def again(self, painted: Floats, then: Planes, now: Planes, canvas: Canvas) -> None:
        """Applies the painting of the last ``up`` to the next frame.

        Args:
            painted: As given to ``up``.
            then: The picture's own planes in the small copy when it was painted.
            now: The picture's own planes in the small copy of this frame.
            canvas: Written; its ``low`` holds the picture's own luma before.
        """
        self._lay(canvas)
        chroma = zip(painted[1:], then[1:], now[1:], (canvas.u, canvas.v), strict=True)
        for plane, before, after, onto in chroma:
            moved = cv2.subtract(after, before, dtype=cv2.CV_32F)
            cv2.resize(cv2.convertScaleAbs(plane + moved), self._half[::-1], dst=onto)

    def _lay(self, canvas: Canvas) -> None:
        self._bands.run(_follow, self._half[0], self._slopes, self._offsets, canvas.low)


@kernel
def _rest(first: int, end: int, painted: Any, luma: Any, slope: Any, offset: Any) -> None:
    """Sets offset = painted - slope * luma, the residual of the fit, which is mostly brushwork."""
    for row in range(first, end):
        paints, lumas, a, b = painted[row], luma[row], slope[row], offset[row]
        for x in range(lumas.shape[0]):
            b[x] = paints[x] - a[x] * f32(lumas[x])


@kernel
def _follow(first: int, end: int, slope: Any, offset: Any, low: Any) -> None:
    """Sets luma = slope * luma + offset."""
    for row in range(first, end):
        lumas, a, b = low[row], slope[row], offset[row]
        for x in range(lumas.shape[0]):
            lumas[x] = np.uint8(min(max(a[x] * f32(lumas[x]) + b[x] + f32(0.5), f32(0)), f32(255)))
