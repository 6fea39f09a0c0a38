"""Local tone mapping: dark parts of the picture are raised, light ones lowered; detail keeps its contrast.

The picture's luma is divided into a base, smooth inside areas and sharp at their edges (guided filter, He et
al. 2010, at an eighth of the size), and detail; only the base is compressed (after Durand and Dorsey 2002). A
look that meters so shows a face before a window or in a dark corner as well as one in good light.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.doubling import row_between
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.people.person_mask import shrink
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

SOFTNESS = 500.0
"""Regulariser of the guided filter: variance of luma, in squared levels, below which a place is flat."""

BLACK = 10.0
"""Level below which the base counts as no darker, so that black is not raised without end."""


@kernel
def _expose(first: int, end: int, y: Any, gain: Any, out: Any) -> None:
    """Multiplies luma by a half-size gain, enlarged bilinearly; gains above 1 leave white where it is."""
    width = gain.shape[1]
    line = np.empty(width + 2, np.float32)
    for row in range(first, end):
        row_between(gain, row, line)
        lumas, result = y[row], out[row]
        for x in range(width):
            middle = line[x + 1] * f32(0.75)
            for k in range(2):
                value, factor = f32(lumas[2 * x + k]), middle + line[x + 2 * k] * f32(0.25)
                value *= factor / (f32(1) + max(factor - f32(1), f32(0)) * value * f32(1 / 255))
                result[2 * x + k] = np.uint8(min(value + f32(0.5), f32(255)))


@kernel
def _expose_low(first: int, end: int, low: Any, gain: Any) -> None:
    """As ``_expose``, on a plane of the gain's size, in place."""
    for row in range(first, end):
        lumas, gains = low[row], gain[row]
        for x in range(lumas.shape[0]):
            value, factor = f32(lumas[x]), gains[x]
            value *= factor / (f32(1) + max(factor - f32(1), f32(0)) * value * f32(1 / 255))
            lumas[x] = np.uint8(min(value + f32(0.5), f32(255)))


class Evenness:
    """A local tone-mapping pass on ``y`` and ``low``.

    Args:
        stage: Canvas, threads and inputs.
        target: Level towards which the base is moved.
        strength: 0 (nothing) to 1 (the base becomes the same everywhere).
        least: Smallest gain.
        most: Largest gain.
        reach: Size of an area, pixels at 1080 rows.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        target: float = 120.0,
        strength: float = 0.5,
        least: float = 0.75,
        most: float = 2.5,
        reach: float = 150.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._eighth: Plane = np.zeros((max(4, canvas.height // 8), max(4, canvas.width // 8)), np.uint8)
        self._side = (2 * max(1, round(reach * canvas.scale / 16)) + 1,) * 2
        levels = np.arange(256, dtype=np.float32)
        gains = (target / np.maximum(levels, BLACK)) ** strength
        # A sixteenth of a level is kept, so that no step of the gain is seen in a soft gradient.
        self._curve = np.interp(np.arange(4096) / 16, levels, np.clip(gains, least, most)).astype(np.float32)
        self._gain: Floats = np.ones(canvas.half, np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y`` and ``low``."""
        shrink(canvas.low, self._eighth)
        guide: Any = self._eighth.astype(np.float32)
        mean = cv2.blur(guide, self._side)
        spread = np.maximum(cv2.sqrBoxFilter(guide, cv2.CV_32F, self._side) - mean * mean, 0)
        slope: Any = spread / (spread + SOFTNESS)
        base = cv2.blur(slope, self._side) * guide + cv2.blur((1 - slope) * mean, self._side)
        gain = self._curve[np.clip(base * 16, 0, 4095).astype(np.int32)]
        cv2.resize(gain, self._gain.shape[::-1], dst=self._gain, interpolation=cv2.INTER_LINEAR)
        out = canvas.fresh()
        self._bands.run(_expose, canvas.height, canvas.y, self._gain, out)
        canvas.y = out
        self._bands.run(_expose_low, canvas.half[0], canvas.low, self._gain)
