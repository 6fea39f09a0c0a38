"""Cross-hatching: layers of pencil strokes by tone, on paper."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane, soft

TOOTH = (textures.Grain(2.2, 0.18), textures.Grain(5.0, 0.12))
"""Relief of the paper, relative to that of the strokes."""


class Hatching:
    """A hatching pass: layers of strokes, each from its own tone on, over a soft smudged tone.

    Args:
        stage: Canvas, threads and inputs.
        angles: Direction of each layer, degrees; the first is drawn in the lightest tones.
        period: Distance of two strokes (twice their width), pixels at 1080 rows.
        light: Luma below which the first layer begins; the last begins at a third of it.
        depth: Darkness of the strokes, 0..1.
        smudge: Strength of the tone between strokes, 0..1.
        softness: Blur of the tone that guides strokes, pixels at 1080 rows.
        length: Length of a stroke, pixels at 1080 rows.
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
        length: float = 110.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._sigma = canvas.sigma(softness / 2)
        self._tone = np.zeros_like(canvas.source)
        self._layers: list[tuple[Plane, np.float32, np.float32]] = []
        for index, angle in enumerate(angles):
            # The tooth of the paper breaks strokes up.
            strokes = (textures.Grain(period / 2, 1.0, length, angle), *TOOTH)
            pattern = stage.shelf.get(
                textures.screen, stage.shelf, canvas.height, canvas.width, strokes, 20 + 2 * index
            )
            begins = light * (1 - 0.66 * index / max(1, len(angles) - 1))
            # The first layer, in the lightest tones, is drawn with the least pressure.
            pressure = depth * (0.7 + 0.3 * index / max(1, len(angles) - 1))
            self._layers.append((pattern, np.float32(begins), np.float32(pressure)))
        self._smudge = np.float32(smudge / 255)

    def apply(self, canvas: Canvas) -> None:
        """Multiplies strokes onto ``y``."""
        cv2.resize(
            soft(canvas.low, self._sigma),
            self._tone.shape[::-1],
            dst=self._tone,
            interpolation=cv2.INTER_LINEAR,
        )
        below = canvas.y
        smudge = self._smudge
        for strokes, begins, depth in self._layers:
            out = canvas.fresh()
            self._bands.run(_hatch, canvas.height, below, self._tone, strokes, begins, depth, smudge, out)
            canvas.y = below = out
            smudge = np.float32(0)


@kernel
def _hatch(
    first: int, end: int, below: Any, tone: Any, strokes: Any, begins: Any, depth: Any, smudge: Any, out: Any
) -> None:
    """Darkens pixels by thresholds: the darker the tone, the wider a stroke."""
    width = below.shape[1]
    steep = f32(230) / (begins * f32(0.85))
    for row in range(first, end):
        lumas, tones, pattern, result = below[row], tone[row], strokes[row], out[row]
        for x in range(width):
            level = f32(tones[x])
            reach = min(max((begins - level) * steep, f32(0)), f32(225))
            over = (f32(pattern[x]) + reach - f32(255)) * f32(0.0065)
            dark = min(max(over, f32(0)), f32(1)) * depth
            shade = f32(1) - (f32(255) - level) * smudge
            result[x] = np.uint8(f32(lumas[x]) * (f32(1) - dark) * shade + f32(0.5))
