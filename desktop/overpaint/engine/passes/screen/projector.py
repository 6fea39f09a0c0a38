"""Old film projection: flicker, gate weave, scratches and dust.

All motion depends on the number of the frame alone. Scratches are thin and dust is small, so that neither
hides an eye.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage

Floats = NDArray[np.float32]

HOLD = 2
"""Frames for which dust stays unchanged: the film runs at half the rate of the picture."""


@kernel
def _project(first: int, end: int, y: Any, dx: Any, dy: Any, light: Any, columns: Any, out: Any) -> None:
    """Shifts luma by at most 8 pixels (bilinear), times ``light``, plus ``columns`` (scratches)."""
    height, width = y.shape
    whole_x, whole_y = np.int64(np.floor(dx)), np.int64(np.floor(dy))
    part_x, part_y = f32(dx - whole_x), f32(dy - whole_y)
    line = np.empty(width + 17, np.float32)
    for row in range(first, end):
        upper = y[min(max(row + whole_y, 0), height - 1)]
        lower = y[min(max(row + whole_y + 1, 0), height - 1)]
        for x in range(width):
            line[8 + x] = (f32(upper[x]) + (f32(lower[x]) - f32(upper[x])) * part_y) * light
        for k in range(8):
            line[k], line[8 + width + k] = line[8], line[7 + width]
        near, far, result = line[8 + whole_x :], line[9 + whole_x :], out[row]
        for x in range(width):
            level = near[x] + (far[x] - near[x]) * part_x + columns[x] + f32(0.5)
            result[x] = np.uint8(min(max(level, f32(0)), f32(255)))


class Projector:
    """A pass that shows ``y`` as a worn film print.

    Args:
        stage: Canvas, threads and inputs.
        flicker: Variation of brightness, 0..0.2.
        weave: Amplitude of the gate weave, pixels at 1080 rows, at most 6.
        scratches: Greatest number of scratches at once.
        dust: Mean number of dust specks in a frame.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        flicker: float = 0.05,
        weave: float = 2.0,
        scratches: int = 3,
        dust: float = 7.0,
    ) -> None:
        self._bands = stage.bands
        canvas = stage.canvas
        self._flicker, self._weave = flicker, min(weave, 6.0) * canvas.scale
        self._scratches, self._dust = scratches, dust
        self._columns: Floats = np.zeros(canvas.width, np.float32)
        self._specks = [self._speck(index, canvas.scale) for index in range(24)]
        self._frames = 0

    @staticmethod
    def _speck(index: int, scale: float) -> Floats:
        """Density of a speck of dust, 0..1: a blob, and for every sixth index a short hair."""
        rng = np.random.default_rng((91, index))
        side = max(3, round(float(rng.uniform(7, 15)) * scale))
        y, x = np.mgrid[0:side, 0:side] / (side - 1) * 2 - 1
        turn = float(rng.uniform(0, math.pi))
        along, across = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
        slim = 5.0 if index % 6 == 0 else float(rng.uniform(1.2, 2.2))
        bow = 0.35 * (along**2 - 0.4)
        away = np.hypot(along, (across + bow) * slim)
        return np.asarray(np.clip((0.8 - away) * 4, 0, 1), np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        t = self._frames / 30
        breath = math.sin(t * 11.3) + 0.7 * math.sin(t * 29.1 + 1) + 0.5 * math.sin(t * 4.7 + 2)
        light = f32(1 + self._flicker * 0.5 * breath)
        dx = self._weave * 0.5 * (math.sin(t * 3.1) + math.sin(t * 7.9 + 0.5))
        dy = self._weave * 0.5 * (math.sin(t * 4.3 + 1) + math.sin(t * 12.7 + 2))
        self._scratch(canvas.scale)
        out = canvas.fresh()
        self._bands.run(_project, canvas.height, canvas.y, f32(dx), f32(dy), light, self._columns, out)
        self._sprinkle(out)
        self._frames += 1
        canvas.y = out

    def _scratch(self, scale: float) -> None:
        """Sets the levels added to each column: scratches that last a second or two and drift a little."""
        self._columns.fill(0)
        width = len(self._columns)
        for index in range(self._scratches):
            life = 37 + 18 * index
            rng = np.random.default_rng((92, index, (self._frames + 13 * index) // life))
            if rng.random() < 0.35:
                continue
            drift = math.sin(self._frames * 0.21 + index) * 1.5 * scale
            place = float(rng.random()) * width + drift
            strength = float(rng.choice([-26.0, 22.0, 30.0]))
            age = ((self._frames + 13 * index) % life) / life
            away = np.abs(np.arange(width) - place) / max(0.8, 0.9 * scale)
            self._columns += (strength * math.sin(math.pi * age) * np.clip(1.3 - away, 0, 1)).astype(
                np.float32
            )

    def _sprinkle(self, y: NDArray[np.uint8]) -> None:
        rng = np.random.default_rng((93, self._frames // HOLD))
        height, width = y.shape
        for _ in range(int(rng.poisson(self._dust))):
            speck = self._specks[int(rng.integers(len(self._specks)))]
            side = len(speck)
            top, left = int(rng.integers(height - side)), int(rng.integers(width - side))
            level = 235.0 if rng.random() < 0.6 else 20.0
            place = y[top : top + side, left : left + side]
            place[:] = (place + (level - place) * speck * 0.75).astype(np.uint8)
