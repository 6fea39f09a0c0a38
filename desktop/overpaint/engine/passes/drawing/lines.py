"""Line extraction at full size from the frame's own luma (XDoG), for ink and pencil lines.

Extended difference of Gaussians: a soft threshold, and solid shadows (Winnemöller et al. 2012). Only one
side of an edge is drawn, the darker one for dark ink. These lines keep faces recognisable.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage


def taps(sigma: float) -> NDArray[np.float32]:
    """One half of a Gaussian kernel, centre first, float32; the whole kernel sums to 1."""
    reach = max(1, round(sigma * 2.6))
    half = np.exp(-((np.arange(reach + 1) / sigma) ** 2) / 2)
    return np.asarray(half / (half[0] + 2 * half[1:].sum()), np.float32)


@kernel
def _trace(
    first: int, end: int, luma: Any, wide: Any, half: Any, gain: Any, least: Any, shadow: Any, ink: Any
) -> None:
    """Writes ink 0..255 where luma, blurred by ``half``, is darker than ``wide`` (half size) or ``shadow``.

    A negative gain draws where it is lighter than ``wide``.
    """
    height, width = luma.shape
    reach = half.shape[0] - 1
    down = np.empty(width + 2 * reach, np.float32)
    fine = np.empty(width, np.float32)
    around = np.empty(width // 2 + 2, np.float32)
    for row in range(first, end):
        inner = down[reach : reach + width]
        line = luma[row]
        for x in range(width):
            inner[x] = half[0] * f32(line[x])
        for k in range(1, reach + 1):
            above, below, share = luma[max(row - k, 0)], luma[min(row + k, height - 1)], half[k]
            for x in range(width):
                inner[x] += share * (f32(above[x]) + f32(below[x]))
        for k in range(reach):
            down[k], down[reach + width + k] = down[reach], down[reach + width - 1]
        for x in range(width):
            fine[x] = half[0] * inner[x]
        for k in range(1, reach + 1):
            left, right, share = down[reach - k :], down[reach + k :], half[k]
            for x in range(width):
                fine[x] += share * (left[x] + right[x])
        near = row >> 1
        far = min(max(near + (1 if row & 1 else -1), 0), height // 2 - 1)
        close, distant = wide[near], wide[far]
        for x in range(width // 2):
            around[x + 1] = close[x] * f32(0.75) + distant[x] * f32(0.25)
        around[0], around[width // 2 + 1] = around[1], around[width // 2]
        result = ink[row]
        for x in range(width // 2):
            base = around[x + 1] * f32(0.75)
            even, odd = fine[2 * x], fine[2 * x + 1]
            edge = (base + around[x] * f32(0.25) - even) * gain - least
            solid = (shadow - even) * f32(14)
            result[2 * x] = np.uint8(min(max(edge, solid, f32(0)), f32(255)))
            edge = (base + around[x + 2] * f32(0.25) - odd) * gain - least
            solid = (shadow - odd) * f32(14)
            result[2 * x + 1] = np.uint8(min(max(edge, solid, f32(0)), f32(255)))


@kernel
def _draw(first: int, end: int, below: Any, ink: Any, level: Any, opacity: Any, out: Any) -> None:
    """Sets out = below blended with ``level`` by ink (0..255) times opacity (0..1/255)."""
    width = below.shape[1]
    for row in range(first, end):
        bases, inks, result = below[row], ink[row], out[row]
        for x in range(width):
            base = f32(bases[x])
            result[x] = np.uint8(base + (level - base) * (f32(inks[x]) * opacity) + f32(0.5))


class Lines:
    """A line pass, which draws ink or pencil lines over ``y``.

    Args:
        stage: Canvas, threads and inputs.
        width: Width of a line, pixels at 1080 rows.
        gain: Steepness of a line's density with contrast.
        threshold: Contrast in levels below which nothing is drawn.
        shadow: Luma below which everything is solid ink; 0 for none.
        ink: Luma of the ink, 0..255.
        opacity: Opacity of the ink, 0..1.
        colour: True keeps chroma under the ink; False draws neutral ink.
        alone: True draws on blank paper instead of on the picture so far.
        paper: Luma of the blank paper.
        light: True draws on the lighter side of edges, for light ink on a dark ground, so that eyes stay
            dark.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        width: float = 2.0,
        gain: float = 22.0,
        threshold: float = 1.6,
        shadow: float = 0.0,
        ink: int = 14,
        opacity: float = 1.0,
        colour: bool = False,
        alone: bool = False,
        paper: int = 255,
        light: bool = False,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        sigma = width * stage.line_scale * 0.6
        self._half = taps(canvas.sigma(sigma, 0.55))
        self._wide_sigma = canvas.sigma(sigma * 1.7 / 2, 0.5)
        self._gain, self._least, self._shadow = (
            f32(-gain if light else gain),
            f32(threshold * gain),
            f32(shadow),
        )
        self._colour = colour
        self._ink = np.zeros_like(canvas.source)
        self._low_ink = np.zeros_like(canvas.low)
        self._low_float = np.zeros(canvas.half, np.float32)
        self._wide = np.zeros(canvas.half, np.float32)
        self._sheet = np.full_like(canvas.source, paper) if alone else None
        self._level, self._opacity = f32(ink), f32(opacity / 255)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, and for neutral ink also ``u`` and ``v``."""
        run = self._bands.run
        np.copyto(self._low_float, canvas.low_source)
        cv2.GaussianBlur(self._low_float, (0, 0), self._wide_sigma, dst=self._wide)
        run(
            _trace, canvas.height, canvas.source, self._wide, self._half,
            self._gain, self._least, self._shadow, self._ink,
        )  # fmt: skip
        out = canvas.fresh()
        below = canvas.y if self._sheet is None else self._sheet
        run(_draw, canvas.height, below, self._ink, self._level, self._opacity, out)
        canvas.y = out
        if not self._colour:
            cv2.resize(self._ink, self._low_ink.shape[::-1], dst=self._low_ink, interpolation=cv2.INTER_AREA)
            for plane in (canvas.u, canvas.v):
                run(_draw, canvas.half[0], plane, self._low_ink, f32(128), self._opacity, plane)
