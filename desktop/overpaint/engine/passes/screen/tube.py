"""CRT screen (television tube): scanlines that widen with brightness, and phosphor stripes.

``Gate`` draws its curved rim.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]


@kernel
def _scan(first: int, end: int, y: Any, lines: Any, gain: Any, out: Any) -> None:
    """Darkens between scanlines, less where the picture is bright, since a strong beam is wide."""
    width = y.shape[1]
    for row in range(first, end):
        lumas, result, gap = y[row], out[row], lines[row]
        for x in range(width):
            level = f32(lumas[x]) * gain
            dark = gap * (f32(1) - level * f32(0.0026))
            level = level * (f32(1) - max(dark, f32(0))) + f32(0.5)
            result[x] = np.uint8(min(level, f32(255)))


@kernel
def _phosphor(first: int, end: int, plane: Any, low: Any, stripes: Any) -> None:
    """Shifts the chroma of columns towards the colour of their phosphor stripe, by the picture's luma."""
    width = plane.shape[1]
    for row in range(first, end):
        values, lumas = plane[row], low[row]
        for x in range(width):
            value = f32(values[x]) + stripes[x] * f32(lumas[x]) * f32(1 / 255) + f32(0.5)
            values[x] = np.uint8(min(max(value, f32(16)), f32(240)))


class Tube:
    """A CRT pass.

    Args:
        stage: Canvas, threads and inputs.
        lines: Distance of two scanlines, pixels at 1080 rows.
        depth: Darkness between scanlines, 0..1.
        stripes: Strength of the phosphor stripes, levels of chroma.
        gain: Factor on luma, which makes up for the dark lines.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        lines: float = 4.5,
        depth: float = 0.45,
        stripes: float = 22.0,
        gain: float = 1.25,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._gain = f32(gain)
        # Lines closer than three pixels would cause a moiré pattern, so a small picture gets fewer lines.
        period = max(3.0, lines * canvas.scale)
        phase = (np.arange(canvas.height, dtype=np.float32) + 0.5) / period
        self._lines: Floats = (depth * (0.5 + 0.5 * np.cos(2 * np.pi * phase))).astype(np.float32)
        third = max(1, round(canvas.scale))
        which = (np.arange(canvas.half[1]) // third) % 3
        # Red, green and blue stripes, one chroma sample wide at 1080 rows; their mean is grey.
        self._u = (stripes * np.array([-0.35, -0.65, 1.0], np.float32)[which]).astype(np.float32)
        self._v = (stripes * np.array([1.0, -0.75, -0.25], np.float32)[which]).astype(np.float32)
        self._low: Plane = np.zeros_like(canvas.low)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        cv2.resize(canvas.y, self._low.shape[::-1], dst=self._low, interpolation=cv2.INTER_AREA)
        out = canvas.fresh()
        self._bands.run(_scan, canvas.height, canvas.y, self._lines, self._gain, out)
        canvas.y = out
        for plane, stripes in ((canvas.u, self._u), (canvas.v, self._v)):
            self._bands.run(_phosphor, canvas.half[0], plane, self._low, stripes)
