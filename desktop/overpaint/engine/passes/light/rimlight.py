"""Rim light from two coloured lamps, one on each side (relighting).

The gradient of blurred luma serves as an estimate of a surface's orientation (shape from shading): a surface
gets brighter towards a lamp. No depth map is needed.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage

Floats = NDArray[np.float32]

FOLLOW = 0.5
"""Weight of a new frame in the temporal average of the slope."""


@kernel
def _colour(
    first: int, end: int, low: Any, left: Any, right: Any, tints: Any, mix: Any, u: Any, v: Any
) -> None:
    """Blends chroma with the lamps' colours, by the light of each lamp."""
    width = low.shape[1]
    keep = f32(1) - mix
    for row in range(first, end):
        lumas, lefts, rights, us, vs = low[row], left[row], right[row], u[row], v[row]
        for x in range(width):
            a, b = lefts[x], rights[x]
            lit = min(f32(lumas[x]) * f32(1 / 110) + f32(0.2), f32(1.2)) * mix
            blue = (tints[0, 0] * a + tints[1, 0] * b) * lit
            red = (tints[0, 1] * a + tints[1, 1] * b) * lit
            blue = (f32(us[x]) - f32(128)) * keep + blue + f32(128.5)
            red = (f32(vs[x]) - f32(128)) * keep + red + f32(128.5)
            us[x] = np.uint8(min(max(blue, f32(16)), f32(240)))
            vs[x] = np.uint8(min(max(red, f32(16)), f32(240)))


@kernel
def _rim(first: int, end: int, y: Any, light: Any, amount: Any, out: Any) -> None:
    """Adds light (half size, about 0..1) to luma, more where luma is higher."""
    half = light.shape[1]
    for row in range(first, end):
        lights, lumas, result = light[row >> 1], y[row], out[row]
        for x in range(half):
            add = lights[x] * amount
            even, odd = f32(lumas[2 * x]), f32(lumas[2 * x + 1])
            even += add * (even * f32(1 / 128) + f32(0.2)) + f32(0.5)
            odd += add * (odd * f32(1 / 128) + f32(0.2)) + f32(0.5)
            result[2 * x] = np.uint8(min(max(even, f32(0)), f32(255)))
            result[2 * x + 1] = np.uint8(min(max(odd, f32(0)), f32(255)))


class Rimlight:
    """A rim-light pass.

    Args:
        stage: Canvas, threads and inputs; with a photo, the lamps take two of its colours.
        left: Colour of the left lamp, #rrggbb.
        right: Colour of the right lamp, #rrggbb.
        amount: Levels that a full rim adds to luma.
        mix: Share of the scene's own colour that the lamps' colours replace, 0..1.
        reach: Size of the forms that are lit, pixels at 1080 rows.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        left: str = "#ff2f92",
        right: str = "#21d4fd",
        amount: float = 34.0,
        mix: float = 0.85,
        reach: float = 24.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        colours = yuv([left, right])
        if stage.photo is not None:
            colours = np.stack([stage.photo.colourful(0.35), stage.photo.colourful(0.75)])
        self._tints = np.ascontiguousarray(colours[:, 1:] - 128, np.float32)
        self._amount, self._mix = f32(amount), f32(mix)
        height, width = canvas.half
        self._small = (max(8, width // 4), max(8, height // 4))
        self._sigma = canvas.sigma(reach / 8)
        # From -1 at the left edge to 1 at the right: a lamp is stronger on its own side.
        self._side: Floats = np.linspace(-1, 1, self._small[0], dtype=np.float32)[None]
        self._slope: Floats | None = None
        self._left: Floats = np.zeros(canvas.half, np.float32)
        self._right: Floats = np.zeros(canvas.half, np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        small = cv2.resize(canvas.low_source, self._small, interpolation=cv2.INTER_AREA).astype(np.float32)
        soft = cv2.GaussianBlur(small, (0, 0), self._sigma)
        slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=self._sigma / 160)
        if self._slope is None:
            self._slope = np.asarray(slope, np.float32)
        else:
            self._slope += FOLLOW * (np.asarray(slope, np.float32) - self._slope)
        balance = np.clip(0.5 * self._side - 0.6 * self._slope, -0.9, 0.9)
        size = self._left.shape[::-1]
        cv2.resize(np.asarray(0.5 - 0.5 * balance, np.float32), size, dst=self._left)
        cv2.resize(np.asarray(0.5 + 0.5 * balance, np.float32), size, dst=self._right)
        self._bands.run(
            _colour, canvas.half[0], canvas.low_source, self._left, self._right, self._tints, self._mix,
            canvas.u, canvas.v,
        )  # fmt: skip
        rim = cv2.resize(np.clip(np.abs(self._slope), 0, 1), size)
        out = canvas.fresh()
        self._bands.run(_rim, canvas.height, canvas.y, np.asarray(rim, np.float32), self._amount, out)
        canvas.y = out
