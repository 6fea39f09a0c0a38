"""Pixel art: a coarse grid of squares in a fixed palette, with ordered dithering (Bayer matrix)."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.compilation import kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

RAMPS = (
    "#0e0d12 #23222a #3f3e47 #62616a #8c8b92 #b9b8bb #e0dedb #f8f5ee",
    "#2e1512 #5e2a20 #93432f #c4694a #e29a74 #f4c29f #fde3cb",
    "#3d251a #6b452e #986644 #c08e62 #dcb48c",
    "#332608 #755410 #b8861c #ecc03a #fbe98a",
    "#10241a #1f4c33 #3c7a3f #74a94b #b7d36b #dfeab0",
    "#10183a #1d3a73 #2f66ad #559ed6 #9cd3ee",
    "#1c2733 #34475a #547089 #83a2b8 #b9d0dc",
    "#4a0d14 #8f1822 #d2322d #f4673e",
    "#321a4a #66357f #a35fa8",
)
"""Overpaint's own palette: ramps for greys, skin, hair, gold, leaves, sky, slate, red and violet."""

BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float32) / 16 - 0.47


def _palette() -> NDArray[np.float32]:
    """The palette as float32 (n, 3): luma in full range, u, v."""
    return yuv([colour for ramp in RAMPS for colour in ramp.split()])


@kernel
def _choose(first: int, end: int, low: Any, u: Any, v: Any, table: Any, palette: Any) -> None:
    """Replaces each colour by the palette's nearest, in place (colour lookup table with 5 bits a channel)."""
    width = low.shape[1]
    for row in range(first, end):
        for x in range(width):
            chosen = table[low[row, x] >> 3, u[row, x] >> 3, v[row, x] >> 3]
            low[row, x], u[row, x], v[row, x] = palette[chosen, 0], palette[chosen, 1], palette[chosen, 2]


class Pixels:
    """A pixel-art pass.

    Args:
        stage: Canvas, threads and inputs; with a photo, its sixteen main colours join the palette's greys
            in place of the other ramps.
        size: Side of a square, pixels at 1080 rows.
        dither: Strength of the dithering, levels.
        contrast: Factor on the distance of luma from the middle.
        crispness: Strength of the sharpening before colours are chosen.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        size: float = 8.0,
        dither: float = 11.0,
        contrast: float = 1.2,
        crispness: float = 0.9,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        # Even sizes, so that a square never shares a chroma sample with its neighbour.
        self._side = max(2, round(size * canvas.scale / 2) * 2)
        self._columns = -(-canvas.width // self._side)
        self._rows = -(-canvas.height // self._side)
        palette = _palette()
        if stage.photo is not None:
            palette = np.vstack([palette[:8] * [1, 0, 0] + [0, 128, 128], stage.photo.palette]).astype(
                np.float32
            )
        self._palette: Plane = np.clip(palette + 0.5, 0, 255).astype(np.uint8)
        self._table = self._nearest(palette)
        self._contrast, self._crispness = contrast, crispness
        tile = np.tile(BAYER, (self._rows // 4 + 1, self._columns // 4 + 1))
        self._dither = (tile[: self._rows, : self._columns] * dither).astype(np.int16)

    @staticmethod
    def _nearest(palette: NDArray[np.float32]) -> Plane:
        steps = np.arange(32, dtype=np.float32) * 8 + 4
        weights = np.array([1, 3.2, 3.2], np.float32)
        y, u, v = ((steps[:, None] - palette[:, c]) ** 2 * weights[c] for c in range(3))
        chroma = u[:, None] + v[None]
        nearest = [(level + chroma).argmin(-1) for level in y]
        return np.asarray(nearest, np.uint8)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        grid = (self._columns, self._rows)
        low, u, v = (
            cv2.resize(plane, grid, interpolation=cv2.INTER_AREA)
            for plane in (canvas.low, canvas.u, canvas.v)
        )
        soft = cv2.GaussianBlur(low, (0, 0), 1.2)
        sharp = low.astype(np.float32) * (1 + self._crispness) - soft.astype(np.float32) * self._crispness
        sharp = (sharp - 128) * self._contrast + 132 + self._dither
        small: Plane = np.clip(sharp, 0, 255).astype(np.uint8)
        blue, red = np.asarray(u, np.uint8), np.asarray(v, np.uint8)
        self._bands.run(_choose, self._rows, small, blue, red, self._table, self._palette)
        canvas.y = self._enlarge(small, self._side, canvas.fresh())
        self._enlarge(blue, self._side // 2, canvas.u)
        self._enlarge(red, self._side // 2, canvas.v)

    @staticmethod
    def _enlarge(small: Plane, side: int, out: Plane) -> Plane:
        height, width = out.shape
        size = (small.shape[1] * side, small.shape[0] * side)
        big = cv2.resize(small, size, interpolation=cv2.INTER_NEAREST)
        np.copyto(out, big[:height, :width])
        return out
