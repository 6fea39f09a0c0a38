"""Brush strokes: bristle marks that follow the form, lit from one side.

Noise smeared along the picture's own directions (line integral convolution, Cabral & Leedom 1993, over
a smoothed structure tensor, Kyprianidis & Döllner 2008) at quarter size, where a bristle is a pixel.
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


@kernel
def _tangents(first: int, end: int, xx: Any, xy: Any, yy: Any, along: Any, down: Any) -> None:
    """Unit vectors along edges, from the structure tensor; 45° where nothing points anywhere."""
    width = xx.shape[1]
    for row in range(first, end):
        for x in range(width):
            half = (xx[row, x] - yy[row, x]) * f32(0.5)
            both = xy[row, x]
            size = np.sqrt(half * half + both * both)
            # The eigenvector of the smaller eigenvalue, pulled gently to a fixed diagonal.
            a = -both - f32(6)
            b = half + size + f32(6)
            if half > f32(0):
                a, b = -both - f32(6), half + size + f32(6)
            else:
                a, b = size - half + f32(6), -both - f32(6)
            norm = f32(1) / np.sqrt(a * a + b * b + f32(1e-6))
            along[row, x], down[row, x] = a * norm, b * norm


@kernel
def _smear(first: int, end: int, noise: Any, along: Any, down: Any, steps: int, out: Any) -> None:
    """Mean of noise along the stroke through each pixel, both ways."""
    height, width = noise.shape
    for row in range(first, end):
        for x in range(width):
            total = noise[row, x]
            for way in range(2):
                sign = f32(1) if way == 0 else f32(-1)
                px, py = f32(x), f32(row)
                dx, dy = along[row, x] * sign, down[row, x] * sign
                for _ in range(steps):
                    px += dx
                    py += dy
                    ix = min(max(int(px + f32(0.5)), 0), width - 1)
                    iy = min(max(int(py + f32(0.5)), 0), height - 1)
                    total += noise[iy, ix]
                    nx, ny = along[iy, ix], down[iy, ix]
                    if nx * dx + ny * dy < f32(0):
                        nx, ny = -nx, -ny
                    dx, dy = nx, ny
            out[row, x] = total / f32(2 * steps + 1)


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
        self._steps = max(2, round(length * canvas.scale / 8))
        self._sigma = canvas.sigma(smoothness / 4)
        self._tensor: Floats | None = None
        self._along = np.zeros((height, width), np.float32)
        self._down = np.zeros((height, width), np.float32)
        self._smeared = np.zeros((height, width), np.float32)
        self._relief = np.zeros(canvas.half, np.float32)
        self._gain = float(depth) * np.sqrt(self._steps) * 0.9

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        self._observe(canvas)
        assert self._tensor is not None
        xx, xy, yy = cv2.split(self._tensor)
        rows = self._size[1]
        self._bands.run(_tangents, rows, xx, xy, yy, self._along, self._down)
        self._bands.run(_smear, rows, self._noise, self._along, self._down, self._steps, self._smeared)
        # Light from the upper left: the slope of the relief across that direction.
        kernel_of_light = np.array([[-1, -1, 0], [-1, 0, 1], [0, 1, 1]], np.float32) / 3 * self._gain
        lit = cv2.filter2D(self._smeared, cv2.CV_32F, kernel_of_light, borderType=cv2.BORDER_REPLICATE)
        cv2.resize(lit, self._relief.shape[::-1], dst=self._relief, interpolation=cv2.INTER_CUBIC)
        out = canvas.fresh()
        self._bands.run(_light, canvas.height, canvas.y, self._relief, out)
        canvas.y = out

    def _observe(self, canvas: Canvas) -> None:
        """Follows the structure tensor of the painted picture over time."""
        small = cv2.resize(canvas.low_source, self._size, interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(small, (0, 0), 1.2)
        gx = cv2.Sobel(small, cv2.CV_32F, 1, 0, scale=0.25)
        gy = cv2.Sobel(small, cv2.CV_32F, 0, 1, scale=0.25)
        tensor: Any = cv2.merge([gx * gx, gx * gy, gy * gy])
        step = max(1, round(self._sigma / 2))
        smaller = cv2.resize(
            tensor,
            (max(2, self._size[0] // step), max(2, self._size[1] // step)),
            interpolation=cv2.INTER_AREA,
        )
        smooth = cv2.GaussianBlur(smaller, (0, 0), self._sigma / step)
        tensor = cv2.resize(smooth, self._size, interpolation=cv2.INTER_LINEAR)
        if self._tensor is None:
            self._tensor = tensor
        else:
            self._tensor += FOLLOW * (tensor - self._tensor)
