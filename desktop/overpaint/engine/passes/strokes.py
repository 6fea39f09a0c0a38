"""Brush strokes: bristle marks that follow the form, lit from one side.

Noise smeared along the picture's own directions (after line integral convolution, Cabral & Leedom 1993,
over a smoothed structure tensor, Kyprianidis & Döllner 2008) at quarter size, where a bristle is a
pixel. Three short smears of growing reach stand for one long one: six samples instead of dozens.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine import textures
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels import f32, kernel
from overpaint.engine.passes.stage import Stage

Floats = NDArray[np.float32]

FOLLOW = 0.25
"""Share of a new frame in the directions: strokes must not shiver with noise."""

CALM = 0.003
"""How much less relief a place has for each unit of edge energy (squared levels)."""


@kernel
def _tangents(first: int, end: int, tensor: Any, along: Any, down: Any) -> None:
    """Unit vectors along edges, from the structure tensor (xx, xy, yy); a fixed diagonal where it is flat."""
    width = along.shape[1]
    for row in range(first, end):
        xx, xy, yy, across, below = tensor[0, row], tensor[1, row], tensor[2, row], along[row], down[row]
        for x in range(width):
            # A weak edge along the diagonal everywhere: it decides where nothing else does.
            half = (xx[x] - yy[x]) * f32(0.5)
            both = xy[x] - f32(2.5)
            size = np.sqrt(half * half + both * both) + f32(1e-3)
            # Half-angle formulas of the smaller eigenvalue's vector, which is (-sin, cos) of half the angle.
            cosine = half / size
            a = np.sqrt(max(f32(0.5) - f32(0.5) * cosine, f32(0)))
            b = np.sqrt(max(f32(0.5) + f32(0.5) * cosine, f32(0)))
            across[x] = a
            below[x] = -b if both > f32(0) else b


@kernel
def _smear(first: int, end: int, field: Any, along: Any, down: Any, reach: Any, out: Any) -> None:
    """Mean of a pixel and the two that lie ``reach`` away along its stroke."""
    height, width = field.shape
    for row in range(first, end):
        across, below, result, own = along[row], down[row], out[row], field[row]
        for x in range(width):
            dx, dy = across[x] * reach, below[x] * reach
            left = min(max(np.int32(f32(x) - dx + f32(0.5)), np.int32(0)), np.int32(width - 1))
            above = min(max(np.int32(f32(row) - dy + f32(0.5)), np.int32(0)), np.int32(height - 1))
            right = min(max(np.int32(f32(x) + dx + f32(0.5)), np.int32(0)), np.int32(width - 1))
            under = min(max(np.int32(f32(row) + dy + f32(0.5)), np.int32(0)), np.int32(height - 1))
            result[x] = (own[x] + field[above, left] + field[under, right]) * f32(1 / 3)


@kernel
def _light(first: int, end: int, y: Any, relief: Any, out: Any) -> None:
    """Adds a half-size relief (levels around 0) to luma, enlarged bilinearly, less in the darkest tones."""
    height, width = relief.shape
    line = np.empty(width + 2, np.float32)
    for row in range(first, end):
        near = row >> 1
        far = min(max(near + (1 if row & 1 else -1), 0), height - 1)
        close, distant, lumas, result = relief[near], relief[far], y[row], out[row]
        for x in range(width):
            line[x + 1] = close[x] * f32(0.75) + distant[x] * f32(0.25)
        line[0], line[width + 1] = line[1], line[width]
        for x in range(width):
            middle = line[x + 1] * f32(0.75)
            even, odd = f32(lumas[2 * x]), f32(lumas[2 * x + 1])
            much = f32(0.35) + even * f32(0.65 / 255)
            even += (middle + line[x] * f32(0.25)) * much + f32(0.5)
            odd += (middle + line[x + 2] * f32(0.25)) * much + f32(0.5)
            result[2 * x] = np.uint8(min(max(even, f32(0)), f32(255)))
            result[2 * x + 1] = np.uint8(min(max(odd, f32(0)), f32(255)))


class Strokes:
    """Lays bristle relief over ``y``.

    Args:
        stage: Where it works.
        length: Length of a stroke, pixels at 1080 rows.
        depth: How strongly the relief catches light, levels.
        breadth: Width of a bristle mark, pixels at 1080 rows.
        smoothness: How far directions agree with their neighbours, pixels at 1080 rows.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        length: float = 56.0,
        depth: float = 16.0,
        breadth: float = 4.5,
        smoothness: float = 28.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._size = (max(8, canvas.width // 4), max(8, canvas.height // 4))
        height, width = self._size[1], self._size[0]
        self._noise = textures.noise(height, width, breadth, 41)
        reach = max(2.0, length * canvas.scale / 8)
        self._reaches = [f32(max(1.0, reach * share)) for share in (0.12, 0.35, 0.53)]
        self._tensor_size = (max(4, canvas.width // 16), max(4, canvas.height // 16))
        self._sigma = max(0.6, smoothness * canvas.scale / 16)
        self._tensor: Floats | None = None
        self._along = np.zeros((height, width), np.float32)
        self._down = np.zeros((height, width), np.float32)
        self._pages = [np.zeros((height, width), np.float32) for _ in range(2)]
        self._relief = np.zeros(canvas.half, np.float32)
        self._gain = float(depth) * 2.2

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        self._observe(canvas)
        assert self._tensor is not None
        rows = self._size[1]
        tensor = np.stack([cv2.resize(part, self._size) for part in self._tensor])
        self._bands.run(_tangents, rows, tensor, self._along, self._down)
        field, page = self._noise, 0
        for reach in self._reaches:
            self._bands.run(_smear, rows, field, self._along, self._down, reach, self._pages[page])
            field, page = self._pages[page], 1 - page
        # Light from the upper left: the slope of the relief across that direction.
        kernel_of_light = np.array([[-1, -1, 0], [-1, 0, 1], [0, 1, 1]], np.float32) / 3 * self._gain
        lit = cv2.filter2D(field, cv2.CV_32F, kernel_of_light, borderType=cv2.BORDER_REPLICATE)
        # Fine features are painted with a finer brush: less relief where edges are dense.
        lit = np.asarray(lit / (1 + (tensor[0] + tensor[2]) * CALM), np.float32)
        cv2.resize(lit, self._relief.shape[::-1], dst=self._relief, interpolation=cv2.INTER_CUBIC)
        out = canvas.fresh()
        self._bands.run(_light, canvas.height, canvas.y, self._relief, out)
        canvas.y = out

    def _observe(self, canvas: Canvas) -> None:
        """Follows the structure tensor of the painted picture over time."""
        size = (2 * self._tensor_size[0], 2 * self._tensor_size[1])
        small: Any = cv2.resize(canvas.low_source, size, interpolation=cv2.INTER_AREA)
        gx: Any = cv2.Sobel(small, cv2.CV_32F, 1, 0, scale=0.25)
        gy: Any = cv2.Sobel(small, cv2.CV_32F, 0, 1, scale=0.25)
        parts = [
            cv2.GaussianBlur(
                cv2.resize(part, self._tensor_size, interpolation=cv2.INTER_AREA), (0, 0), self._sigma
            )
            for part in (gx * gx, gx * gy, gy * gy)
        ]
        tensor = np.stack(parts).astype(np.float32)
        if self._tensor is None:
            self._tensor = tensor
        else:
            self._tensor += FOLLOW * (tensor - self._tensor)
