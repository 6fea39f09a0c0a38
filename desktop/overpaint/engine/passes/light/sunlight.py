"""Directional light with lens flare veil (relighting): light from one side, as from a low sun or a window."""

from __future__ import annotations

from typing import Any

import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane, half_sides


@kernel
def _shine(first: int, end: int, y: Any, light: Any, lift: Any, out: Any) -> None:
    """Lightens luma by a half-size light: mid tones most, and blacks by ``lift`` (veiling glare)."""
    half = light.shape[1]
    for row in range(first, end):
        lights, lumas, result = light[row >> 1], y[row], out[row]
        for x in range(half):
            share = f32(lights[x]) * f32(1 / 255)
            even, odd = f32(lumas[2 * x]), f32(lumas[2 * x + 1])
            # Mid tones gain most: black reflects little, and white must keep its detail.
            even += share * ((f32(255) - even) * (even * f32(1 / 300) + lift)) + f32(0.5)
            odd += share * ((f32(255) - odd) * (odd * f32(1 / 300) + lift)) + f32(0.5)
            result[2 * x] = np.uint8(min(even, f32(255)))
            result[2 * x + 1] = np.uint8(min(odd, f32(255)))


@kernel
def _dye(first: int, end: int, plane: Any, light: Any, low: Any, push: Any) -> None:
    """Moves chroma by ``push`` where light falls, less in black."""
    width = plane.shape[1]
    for row in range(first, end):
        values, lights, lumas = plane[row], light[row], low[row]
        for x in range(width):
            much = f32(lights[x]) * f32(1 / 255) * min(f32(lumas[x]) * f32(1 / 90) + f32(0.25), f32(1))
            values[x] = np.uint8(min(max(f32(values[x]) + much * push + f32(0.5), f32(16)), f32(240)))


class Sunlight:
    """A sunlight pass.

    Args:
        stage: Canvas, threads and inputs.
        x: Position of the light, 0 the left edge, 1 the right edge; may lie outside.
        y: Position of the light, 0 the top, 1 the bottom; may lie outside.
        reach: Distance that the light reaches, pixels at 1080 rows.
        amount: Strength of the light, 0..1.
        veil: Lift of blacks (veiling glare), 0..1.
        colour: Colour of the light, #rrggbb.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        x: float = 1.0,
        y: float = 0.0,
        reach: float = 1500.0,
        amount: float = 0.6,
        veil: float = 0.2,
        colour: str = "#ffb060",
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        across, down = textures.grid(*canvas.half)
        right, low = half_sides(*canvas.half)
        from_x, from_y = across - (2 * x - 1) * right, (down - (2 * y - 1) * low) * 1.15
        light = amount * np.exp((from_x * from_x + from_y * from_y) * np.float32(-2.2 / reach**2))
        self._light: Plane = np.round(255 * np.clip(light, 0, 1)).astype(np.uint8)
        tone = yuv([colour])[0]
        self._push = (f32(tone[1] - 128), f32(tone[2] - 128))
        self._veil = f32(veil)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        out = canvas.fresh()
        self._bands.run(_shine, canvas.height, canvas.y, self._light, self._veil, out)
        canvas.y = out
        for plane, push in zip((canvas.u, canvas.v), self._push, strict=True):
            self._bands.run(_dye, canvas.half[0], plane, self._light, canvas.low_source, push)
