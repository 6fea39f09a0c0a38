"""Line extraction for brush ink (flow-based difference of Gaussians, FDoG), with solid blacks.

Differences of Gaussians are averaged along edges (Kang et al. 2007), so that lines are continuous and hair
becomes strands, where a plain threshold leaves fragments. Averaged at half size and thresholded at full
size, which gives lines smooth edges.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.doubling import row_between
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

FAINT = 0.4
"""Contrast in levels below which a place is not averaged, well under the usual thresholds of lines."""


@kernel
def _directions(first: int, end: int, tensor: Any, along: Any, down: Any) -> None:
    """Unit vectors along edges from a structure tensor (xx, yy, xy); arbitrary where there is no edge."""
    width = along.shape[1]
    for row in range(first, end):
        xx, yy, xy = tensor[0, row], tensor[1, row], tensor[2, row]
        across, below = along[row], down[row]
        for x in range(width):
            half = (xx[x] - yy[x]) * f32(0.5)
            both = xy[x]
            size = np.sqrt(half * half + both * both) + f32(1e-3)
            cosine = half / size
            a = np.sqrt(max(f32(0.5) - f32(0.5) * cosine, f32(0)))
            b = np.sqrt(max(f32(0.5) + f32(0.5) * cosine, f32(0)))
            across[x] = a
            below[x] = -b if both > f32(0) else b


@kernel
def _gather(first: int, end: int, field: Any, along: Any, down: Any, reach: Any, out: Any) -> None:
    """Weighted mean of a pixel and two at distance ``reach`` along the edge.

    Directions have a quarter of the field's size. Pixels below ``FAINT``, which are most of a picture, are
    copied to save time.
    """
    height, width = field.shape
    last_row, last = along.shape[0] - 1, along.shape[1] - 1
    for row in range(first, end):
        across, below = along[min(row >> 2, last_row)], down[min(row >> 2, last_row)]
        result, own = out[row], field[row]
        for x in range(width):
            if own[x] < f32(FAINT):
                result[x] = own[x]
                continue
            at = min(x >> 2, last)
            dx, dy = across[at] * reach, below[at] * reach
            left = min(max(np.int32(f32(x) - dx + f32(0.5)), np.int32(0)), np.int32(width - 1))
            above = min(max(np.int32(f32(row) - dy + f32(0.5)), np.int32(0)), np.int32(height - 1))
            right = min(max(np.int32(f32(x) + dx + f32(0.5)), np.int32(0)), np.int32(width - 1))
            under = min(max(np.int32(f32(row) + dy + f32(0.5)), np.int32(0)), np.int32(height - 1))
            sides = field[above, left] + field[under, right]
            result[x] = own[x] * f32(0.4) + sides * f32(0.3)


@kernel
def _ink(
    first: int, end: int, below: Any, edge: Any, tone: Any, gain: Any, least: Any, shadow: Any, level: Any,
    opacity: Any, out: Any, ink: Any,
) -> None:  # fmt: skip
    """Draws rows from the half-size fields, enlarged bilinearly; ``ink`` gets the ink's cover of chroma."""
    width = edge.shape[1]
    edges, tones = np.empty(width + 2, np.float32), np.empty(width + 2, np.float32)
    for row in range(first, end):
        row_between(edge, row, edges)
        row_between(tone, row, tones)
        bases, result, covers = below[row], out[row], ink[row >> 1]
        for x in range(width):
            middle, dark = edges[x + 1] * f32(0.75), tones[x + 1] * f32(0.75)
            line = (middle + edges[x] * f32(0.25)) * gain - least
            solid = (shadow - dark - tones[x] * f32(0.25)) * f32(0.12)
            even = min(max(line, solid, f32(0)), f32(1)) * opacity
            line = (middle + edges[x + 2] * f32(0.25)) * gain - least
            solid = (shadow - dark - tones[x + 2] * f32(0.25)) * f32(0.12)
            odd = min(max(line, solid, f32(0)), f32(1)) * opacity
            base = f32(bases[2 * x])
            result[2 * x] = np.uint8(base + (level - base) * even + f32(0.5))
            base = f32(bases[2 * x + 1])
            result[2 * x + 1] = np.uint8(base + (level - base) * odd + f32(0.5))
            share = (even + odd) * f32(127.5)
            covers[x] = np.uint8(share) if row & 1 == 0 else np.uint8((f32(covers[x]) + share) * f32(0.5))


@kernel
def _fade(first: int, end: int, plane: Any, ink: Any) -> None:
    """Removes chroma under the ink."""
    width = plane.shape[1]
    for row in range(first, end):
        values, covers = plane[row], ink[row]
        for x in range(width):
            share = f32(1) - f32(covers[x]) * f32(1 / 255)
            values[x] = np.uint8(f32(128.5) + (f32(values[x]) - f32(128)) * share)


class Inking:
    """An inking pass, which draws brush lines over ``y``.

    Args:
        stage: Canvas, threads and inputs.
        width: Width of a line, pixels at 1080 rows.
        gain: Steepness of a line's density with contrast.
        threshold: Contrast in levels below which nothing is drawn.
        shadow: Luma below which everything is solid ink; 0 for none.
        flow: Distance along an edge over which lines are averaged, to each side, pixels at 1080 rows.
        ink: Luma of the ink.
        opacity: Opacity of the ink, 0..1.
        colour: True keeps chroma under the ink; False draws neutral ink.
        light: True draws on the lighter side of edges, for light ink on a dark ground, so that eyes stay
            dark.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        width: float = 3.0,
        gain: float = 0.35,
        threshold: float = 2.0,
        shadow: float = 26.0,
        flow: float = 15.0,
        ink: float = 12.0,
        opacity: float = 1.0,
        colour: bool = False,
        light: bool = False,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._sigma = max(0.55, width * stage.line_scale * canvas.scale * 0.28)
        self._gain, self._least = f32(gain), f32(threshold * gain)
        self._shadow, self._level, self._opacity = f32(shadow), f32(ink), f32(opacity)
        self._colour, self._light_ink = colour, light
        reach = flow * canvas.scale / 2
        self._reaches = [f32(reach * share) for share in (0.35, 0.65)]
        height, width_half = canvas.half
        self._quarter = (max(4, -(-width_half // 2)), max(4, -(-height // 2)))
        self._eighth = (max(4, -(-width_half // 4)), max(4, -(-height // 4)))
        self._light: Floats = np.zeros(canvas.half, np.float32)
        self._fine: Floats = np.zeros(canvas.half, np.float32)
        self._wide: Floats = np.zeros(canvas.half, np.float32)
        self._pages = [np.zeros(canvas.half, np.float32) for _ in range(2)]
        self._along: Floats = np.zeros(self._eighth[::-1], np.float32)
        self._down: Floats = np.zeros(self._eighth[::-1], np.float32)
        self._cover: Plane = np.zeros(canvas.half, np.uint8)
        self._tensor_sigma = max(0.6, 7 * canvas.scale / 8)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, and for neutral ink also ``u`` and ``v``."""
        run, half = self._bands.run, canvas.half[0]
        np.copyto(self._light, canvas.low_source)
        self._observe(canvas.low_source)
        for sigma, blurred in ((self._sigma, self._fine), (self._sigma * 1.7, self._wide)):
            # Three standard deviations are enough; OpenCV's default is four.
            side = 2 * math.ceil(3 * sigma) + 1
            cv2.GaussianBlur(self._light, (side, side), sigma, dst=blurred)
        darker, lighter = (self._wide, self._fine) if not self._light_ink else (self._fine, self._wide)
        field = np.subtract(darker, lighter, out=self._light)
        for page, reach in zip(self._pages, self._reaches, strict=True):
            run(_gather, half, field, self._along, self._down, reach, page)
            field = page
        out = canvas.fresh()
        run(
            _ink, canvas.height, canvas.y, field, self._fine, self._gain, self._least, self._shadow,
            self._level, self._opacity, out, self._cover,
        )  # fmt: skip
        canvas.y = out
        if not self._colour:
            for plane in (canvas.u, canvas.v):
                run(_fade, half, plane, self._cover)

    def _observe(self, low: Plane) -> None:
        """Sets the directions of edges, at an eighth of the frame's size."""
        small = cv2.resize(low, self._quarter, interpolation=cv2.INTER_AREA)
        gx: Any = cv2.Sobel(small, cv2.CV_32F, 1, 0, scale=0.25)
        gy: Any = cv2.Sobel(small, cv2.CV_32F, 0, 1, scale=0.25)
        parts = [
            cv2.resize(part, self._eighth, interpolation=cv2.INTER_AREA)
            for part in (gx * gx, gy * gy, gx * gy)
        ]
        tensor = np.stack([cv2.GaussianBlur(part, (0, 0), self._tensor_sigma) for part in parts])
        self._bands.run(_directions, self._eighth[1], tensor, self._along, self._down)
