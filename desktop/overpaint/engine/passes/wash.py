"""Wet paint at half size: pigment that gathers at rims, sinks into paper and bleeds."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from overpaint.engine import textures
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels import f32, kernel
from overpaint.engine.passes.stage import Stage


@kernel
def _pigment(
    first: int, end: int, low: Any, soft: Any, sheet: Any, mask: Any, rim: Any, u: Any, v: Any
) -> None:
    """Density of pigment = darkness, more at rims, uneven as ``sheet`` is, within ``mask``."""
    width = low.shape[1]
    for row in range(first, end):
        lumas, softs, reliefs, inside, us, vs = low[row], soft[row], sheet[row], mask[row], u[row], v[row]
        for x in range(width):
            luma = f32(lumas[x])
            edge = max(f32(softs[x]) - luma - f32(2), f32(0)) * rim
            uneven = f32(reliefs[x]) * f32(1 / 128)
            cover = f32(inside[x]) * f32(1 / 255)
            density = (f32(255) - luma + edge) * uneven * cover
            lumas[x] = np.uint8(min(max(f32(255.5) - density, f32(0)), f32(255)))
            full = cover * (f32(0.5) + f32(0.5) * uneven)
            us[x] = np.uint8(f32(128.5) + (f32(us[x]) - f32(128)) * min(full, f32(1)))
            vs[x] = np.uint8(f32(128.5) + (f32(vs[x]) - f32(128)) * min(full, f32(1)))


class Wash:
    """Turns ``low``, ``u`` and ``v`` into washes of watercolour.

    Args:
        stage: Where it works.
        rim: How much darker a wash's rim is, 0..2.
        uneven: How unevenly pigment lies, 0..1.
        bleed: How far colours run, pixels at 1080 rows; 0 for not at all.
        margin: Width of the unpainted, ragged edge of the sheet, pixels at 1080 rows; 0 for none.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        rim: float = 0.9,
        uneven: float = 0.5,
        bleed: float = 10.0,
        margin: float = 0.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._rim = f32(rim)
        self._runs = bleed > 0
        self._bleed = canvas.sigma(bleed / 8)
        self._spread = canvas.sigma(3.0)
        height, width = canvas.half
        blooms = textures.noise(height, width, 70, 31) * 0.6 + textures.noise(height, width, 22, 32) * 0.5
        fine = textures.noise(height, width, 3.4, 33) * 0.25
        self._sheet = np.clip(128 * (1 + 0.16 * uneven * (blooms + fine)), 60, 200).astype(np.uint8)
        self._mask = np.full(canvas.half, 255, np.uint8)
        if margin:
            x, y = textures.grid(height, width)
            half_width = 540 * width / height
            away = np.minimum(half_width - np.abs(x), 540 - np.abs(y))
            ragged = (
                away - margin + margin * 0.55 * blooms + margin * 0.22 * textures.noise(height, width, 9, 34)
            )
            self._mask = np.clip(ragged * 14, 0, 255).astype(np.uint8)
        self._soft = np.zeros(canvas.half, np.uint8)
        self._small = (max(1, width // 4), max(1, height // 4))

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``."""
        cv2.GaussianBlur(canvas.low, (0, 0), self._spread, dst=self._soft)
        for plane in (canvas.u, canvas.v) if self._runs else ():
            small = cv2.resize(plane, self._small, interpolation=cv2.INTER_AREA)
            soft = cv2.GaussianBlur(small, (0, 0), self._bleed)
            run = cv2.resize(soft, plane.shape[::-1], interpolation=cv2.INTER_LINEAR)
            cv2.addWeighted(plane, 0.5, run, 0.5, 0, dst=plane)
        self._bands.run(
            _pigment, canvas.half[0], canvas.low, self._soft, self._sheet, self._mask, self._rim,
            canvas.u, canvas.v,
        )  # fmt: skip
