"""Screentone: a few areas of evenly spaced dots, as manga artists use."""

from __future__ import annotations

from typing import Any

import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.passes.pass_interface import Stage


@kernel
def _rub(
    first: int, end: int, y: Any, cover: Any, screen: Any, hardness: Any, ink: Any, paper: Any, out: Any
) -> None:
    """Draws dots by thresholds, as large as the coverage of each luma level."""
    width = y.shape[1]
    for row in range(first, end):
        lumas, dots, result = y[row], screen[row], out[row]
        for x in range(width):
            dot = (cover[lumas[x]] - f32(dots[x])) * hardness + f32(0.5)
            dot = min(max(dot, f32(0)), f32(1))
            result[x] = np.uint8(paper + (ink - paper) * dot + f32(0.5))


class Screentone:
    """A screentone pass: white, a few tones of even dots, and black.

    Args:
        stage: Canvas, threads and inputs.
        tones: For each tone, the luma below which it is used and the share that it covers, light to dark.
        period: Distance of two dots, pixels at 1080 rows.
        angle: Angle of the screen, degrees.
        blend: Levels of luma over which one tone turns into the next.
        ink: Luma of the ink.
        paper: Luma of the paper.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        tones: tuple[tuple[float, float], ...] = ((150.0, 0.2), (95.0, 0.5), (48.0, 1.0)),
        period: float = 8.0,
        angle: float = 45.0,
        blend: float = 8.0,
        ink: float = 14.0,
        paper: float = 252.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        levels = np.arange(256, dtype=np.float32)
        cover = np.zeros(256, np.float32)
        for below, share in tones:
            cover += (share * 255 - cover) * np.clip((below - levels) / blend + 0.5, 0, 1)
        # Beyond the range of thresholds, so that white stays white and black stays black.
        self._cover = np.where(cover < 3, -255, np.where(cover > 252, 510, cover)).astype(np.float32)
        self._screen = stage.shelf.get(textures.dots, canvas.height, canvas.width, angle, period)
        # Makes a dot's edge about one pixel wide: thresholds rise by 255 over half a period.
        self._hardness = f32(max(1.2, period * canvas.scale / 2.2) / 255)
        self._ink, self._paper = f32(ink), f32(paper)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, and makes ``u`` and ``v`` neutral."""
        out = canvas.fresh()
        self._bands.run(
            _rub, canvas.height, canvas.y, self._cover, self._screen, self._hardness,
            self._ink, self._paper, out,
        )  # fmt: skip
        canvas.y = out
        canvas.u.fill(128)
        canvas.v.fill(128)
