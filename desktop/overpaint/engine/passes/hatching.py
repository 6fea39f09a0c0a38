"""Drawing with a dry point: hatching and shading by tone, on paper."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from overpaint.engine import textures
from overpaint.engine.canvas import Canvas, Plane
from overpaint.engine.kernels import kernel
from overpaint.engine.passes.stage import Stage


class Hatching:
    """Shades with layers of strokes, each for its own depth of tone, over soft smudged tone.

    Args:
        stage: Where it works.
        angles: Direction of each layer, degrees; the first is drawn in the lightest tones.
        period: Distance of two strokes, pixels at 1080 rows.
        light: Luma below which the first layer begins; the last begins at a third of it.
        depth: How dark strokes get, 0..1.
        smudge: How much tone shows between strokes, 0..1.
        softness: Blur of the tone that guides strokes, pixels at 1080 rows.
        wander: How far strokes stray, pixels at 1080 rows.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        angles: tuple[float, ...] = (52.0, 118.0, 8.0),
        period: float = 9.0,
        light: float = 165.0,
        depth: float = 0.75,
        smudge: float = 0.25,
        softness: float = 5.0,
        wander: float = 5.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._sigma = canvas.sigma(softness / 2)
        self._tone = np.zeros_like(canvas.source)
        tooth = textures.paper(canvas.height, canvas.width, 1.0, 11)
        levels = np.arange(256, dtype=np.float32)
        self._strokes: list[Plane] = []
        self._reach: list[Plane] = []
        for index, angle in enumerate(angles):
            ramp = textures.strokes(
                canvas.height, canvas.width, angle, period * (1 - 0.12 * index), wander, 20 + 2 * index
            )
            # Pressure: strokes are dense in their middle and broken by the paper's tooth.
            self._strokes.append(np.clip((1 - ramp + 0.09 * tooth) * 255, 0, 255).astype(np.uint8))
            begins = light * (1 - 0.66 * index / max(1, len(angles) - 1))
            cover = np.clip((begins - levels) / (begins * 0.8), 0, 1)
            self._reach.append((cover * 215).astype(np.uint8))
        self._smudge = np.clip(255 - (255 - levels) * smudge, 0, 255).astype(np.uint8)
        self._depth = np.int32(round(255 * depth))

    def apply(self, canvas: Canvas) -> None:
        """Multiplies strokes onto ``y``."""
        soft = cv2.GaussianBlur(canvas.low, (0, 0), self._sigma)
        cv2.resize(soft, self._tone.shape[::-1], dst=self._tone, interpolation=cv2.INTER_LINEAR)
        below = canvas.y
        for index, (strokes, reach) in enumerate(zip(self._strokes, self._reach, strict=True)):
            out = canvas.fresh() if index == 0 else canvas.y
            smudge = self._smudge if index == 0 else _UNTOUCHED
            self._bands.run(
                _hatch, canvas.height, below, self._tone, strokes, reach, smudge, self._depth, out
            )
            canvas.y = below = out


_UNTOUCHED = np.full(256, 255, np.uint8)


@kernel
def _hatch(
    first: int, end: int, below: Any, tone: Any, strokes: Any, reach: Any, smudge: Any, depth: Any, out: Any
) -> None:
    """Darkens where a stroke's middle is within the reach that the tone gives it."""
    width = below.shape[1]
    for row in range(first, end):
        for x in range(width):
            level = tone[row, x]
            over = np.int32(strokes[row, x]) + np.int32(reach[level]) - 255
            dark = (min(max(over * 3, np.int32(0)), np.int32(255)) * depth) >> 8
            value = np.int32(below[row, x]) * (255 - dark) * np.int32(smudge[level])
            out[row, x] = np.uint8(value // 65025)
