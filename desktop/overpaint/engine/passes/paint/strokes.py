"""Brush strokes: bristle marks that follow forms, shaded as a relief lit from one side (emboss)."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.doubling import row_between
from overpaint.engine.passes.flow import EDDIES, Flow
from overpaint.engine.passes.pass_interface import Stage

CALM = 0.003
"""Damping of the relief by each unit of edge energy (squared levels)."""


@kernel
def light_relief(first: int, end: int, y: Any, relief: Any, out: Any) -> None:
    """Adds a half-size relief (levels around 0), enlarged bilinearly, to luma; less in the darkest tones."""
    width = relief.shape[1]
    line = np.empty(width + 2, np.float32)
    for row in range(first, end):
        row_between(relief, row, line)
        lumas, result = y[row], out[row]
        for x in range(width):
            middle = line[x + 1] * f32(0.75)
            even, odd = f32(lumas[2 * x]), f32(lumas[2 * x + 1])
            much = f32(0.35) + even * f32(0.65 / 255)
            even += (middle + line[x] * f32(0.25)) * much + f32(0.5)
            odd += (middle + line[x + 2] * f32(0.25)) * much + f32(0.5)
            result[2 * x] = np.uint8(min(max(even, f32(0)), f32(255)))
            result[2 * x + 1] = np.uint8(min(max(odd, f32(0)), f32(255)))


class Strokes:
    """A pass that adds the relief of brush strokes to ``y``.

    Args:
        stage: Canvas, threads and inputs.
        length: Length of a stroke, pixels at 1080 rows.
        depth: Strength of the relief's shading, levels.
        breadth: Width of a bristle mark, pixels at 1080 rows.
        smoothness: See ``Flow``.
        swirl: See ``Flow``.
        eddies: See ``Flow``.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        length: float = 56.0,
        depth: float = 16.0,
        breadth: float = 4.5,
        smoothness: float = 28.0,
        swirl: float = 0.0,
        eddies: int = EDDIES,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._flow = Flow(
            stage, length=length, breadth=breadth, smoothness=smoothness, swirl=swirl, eddies=eddies
        )
        self._relief = np.zeros(canvas.half, np.float32)
        self._gain = float(depth) * 2.2
        self._sparing, self._frames = stage.sparing, 0

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        # In a stream the relief is renewed on the frames on which the painting is not, to spread the cost.
        if not self._sparing or self._frames % 2 or not self._frames:
            self._raise(canvas)
        self._frames += 1
        out = canvas.fresh()
        self._bands.run(light_relief, canvas.height, canvas.y, self._relief, out)
        canvas.y = out

    def _raise(self, canvas: Canvas) -> None:
        """Computes the relief from a frame."""
        field = self._flow.quarter(canvas)
        # Light from the upper left: the derivative of the relief along that diagonal.
        kernel_oflight_relief = np.array([[-1, -1, 0], [-1, 0, 1], [0, 1, 1]], np.float32) / 3 * self._gain
        lit = cv2.filter2D(field, cv2.CV_32F, kernel_oflight_relief, borderType=cv2.BORDER_REPLICATE)
        # Less relief where edges are dense, as from the finer brush for fine features.
        lit = np.asarray(lit / (1 + self._flow.energy * CALM), np.float32)
        cv2.resize(lit, self._relief.shape[::-1], dst=self._relief, interpolation=cv2.INTER_CUBIC)
