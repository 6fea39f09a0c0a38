"""Mosaic and pointillism: the picture in small areas with one colour each.

The areas are fixed (``lattices``); only their colours follow the frame. Small areas replace large ones where
there is detail, with hysteresis, so that none flickers.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import lattices
from overpaint.engine.passes.drawing.crayon import ground_colour
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane, soft

HOLD = 0.72
"""Share of the threshold below which detail must fall for a visible fine area to be hidden (hysteresis)."""


@kernel
def _lay(
    first: int, end: int, coarse: Any, fine: Any, coarse_cover: Any, fine_cover: Any, coarse_relief: Any,
    fine_relief: Any, shown: Any, coarse_colours: Any, fine_colours: Any, ground: Any, y: Any, u: Any, v: Any,
) -> None:  # fmt: skip
    """Paints pairs of rows: each pixel gets the colour of its fine area where shown, else of its coarse one.

    Args:
        first: First half-size row.
        end: Half-size row after the last.
        coarse: int32 (2h, 2w), areas of the coarse level.
        fine: int32 (2h, 2w), areas of the fine level.
        coarse_cover: uint8 (2h, 2w), see ``lattices.Level``.
        fine_cover: uint8 (2h, 2w).
        coarse_relief: uint8 (2h, 2w), see ``lattices.Level``.
        fine_relief: uint8 (2h, 2w).
        shown: uint8 (n,), whether a fine area is shown.
        coarse_colours: float32 (m, 3), luma, u, v.
        fine_colours: float32 (n, 3), luma, u, v.
        ground: float32 (3,), colour between areas.
        y: uint8 (2h, 2w), written.
        u: uint8 (h, w), written.
        v: uint8 (h, w), written.
    """
    half = u.shape[1]
    level, blue, red = ground[0], ground[1], ground[2]
    for row in range(first, end):
        for x in range(half):
            blues, reds = f32(0), f32(0)
            for k in range(4):
                down, at = 2 * row + (k >> 1), 2 * x + (k & 1)
                small = fine[down, at]
                if shown[small]:
                    cover, light = f32(fine_cover[down, at]), f32(fine_relief[down, at])
                    luma, b, r = fine_colours[small, 0], fine_colours[small, 1], fine_colours[small, 2]
                else:
                    large = coarse[down, at]
                    cover, light = f32(coarse_cover[down, at]), f32(coarse_relief[down, at])
                    luma, b, r = coarse_colours[large, 0], coarse_colours[large, 1], coarse_colours[large, 2]
                cover *= f32(1 / 255)
                value = level + (luma * light * f32(1 / 128) - level) * cover
                y[down, at] = np.uint8(min(max(value + f32(0.5), f32(0)), f32(255)))
                blues += (b - blue) * cover
                reds += (r - red) * cover
            u[row, x] = np.uint8(min(max(blue + blues * f32(0.25) + f32(0.5), f32(0)), f32(255)))
            v[row, x] = np.uint8(min(max(red + reds * f32(0.25) + f32(0.5), f32(0)), f32(255)))


class Cells:
    """A pass that paints the picture as a mosaic or in pointillism.

    Args:
        stage: Canvas, threads and inputs.
        layout: ``tiles`` (a mosaic) or ``dabs`` (pointillism).
        size: Size of a coarse area, pixels at 1080 rows.
        gap: Width of joints between tiles, pixels at 1080 rows.
        wander: Deviation of rows of tiles from straight, pixels at 1080 rows.
        finer: Ratio of the size of coarse dabs to that of fine ones.
        ground: Colour between areas, #rrggbb.
        detail: Contrast in levels from which fine areas are shown.
        vary: Standard deviation of a random offset of areas' luma, levels.
        hue: Size of a random offset of areas' chroma, levels.
        crispness: Amount of unsharp masking of areas' luma; 0 for none.
        seed: Seed of the random numbers.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        layout: str = "tiles",
        size: float = 22.0,
        gap: float = 2.4,
        wander: float = 24.0,
        finer: float = 1.8,
        ground: str = "#4a4540",
        detail: float = 7.0,
        vary: float = 7.0,
        hue: float = 3.0,
        crispness: float = 0.8,
        seed: int = 81,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        shape = (canvas.height, canvas.width)
        if layout == "tiles":
            self._lattice = stage.shelf.get(lattices.tiles, *shape, size, gap, wander, seed, stage.bands)
        else:
            self._lattice = stage.shelf.get(lattices.dabs, *shape, size, finer, seed, stage.bands)
        self._ground = ground_colour(ground)
        self._crispness = crispness
        self._sigmas = (canvas.sigma(size / 5), canvas.sigma(size / finer / 5))
        self._wide = canvas.sigma(size / 2)
        self._detail = detail
        self._quarter = (max(1, canvas.width // 4), max(1, canvas.height // 4))
        rng = np.random.default_rng(seed + 9)
        self._offsets = [
            np.stack([rng.normal(0, vary, count), *self._hues(rng, count, hue)], -1).astype(np.float32)
            for count in (self._lattice.coarse.parent.size, self._lattice.fine.parent.size)
        ]
        self._shown = np.zeros(self._lattice.fine.parent.size, bool)

    @staticmethod
    def _hues(rng: np.random.Generator, count: int, hue: float) -> tuple[Any, Any]:
        """Chroma offsets of equal size in random directions, which average out to none."""
        angle = rng.random(count) * 2 * np.pi
        return hue * np.cos(angle), hue * np.sin(angle)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v`` from ``low``, ``u`` and ``v``."""
        coarse, fine = self._lattice.coarse, self._lattice.fine
        wide = soft(canvas.low, self._wide)
        self._choose(canvas, wide)
        colours = []
        for level, sigma, offsets in zip((coarse, fine), self._sigmas, self._offsets, strict=True):
            at = (level.centre[1] >> 1, level.centre[0] >> 1)
            luma = soft(canvas.low, sigma)[at].astype(np.float32)
            luma += (luma - wide[at]) * self._crispness
            chosen = np.stack([luma, *(cv2.blur(plane, (3, 3))[at] for plane in (canvas.u, canvas.v))], -1)
            # Dark areas vary less, since a light dab in a shadow would stand out.
            share = 0.3 + luma[:, None] * (0.7 / 255)
            colours.append(np.clip(chosen + offsets * share, 0, 255).astype(np.float32))
        out = canvas.fresh()
        self._bands.run(
            _lay, canvas.half[0], coarse.areas, fine.areas, coarse.cover, fine.cover, coarse.relief,
            fine.relief, self._shown.view(np.uint8), *colours, self._ground, out, canvas.u, canvas.v,
        )  # fmt: skip
        canvas.y = out

    def _choose(self, canvas: Canvas, wide: Plane) -> None:
        """Chooses the fine areas that are shown: those with detail, with hysteresis."""
        fine = self._lattice.fine
        busy = cv2.resize(cv2.absdiff(canvas.low_source, wide), self._quarter, interpolation=cv2.INTER_AREA)
        busy = cv2.blur(cv2.dilate(busy, np.ones((3, 3), np.uint8)), (13, 13))
        middle = (
            self._lattice.coarse.centre[:, fine.parent]
            if fine.parent[-1] < fine.parent.size - 1
            else fine.centre
        )
        width, height = self._quarter
        at = (np.minimum(middle[1] >> 2, height - 1), np.minimum(middle[0] >> 2, width - 1))
        found: NDArray[np.uint8] = np.asarray(busy)[at]
        self._shown = found > np.where(self._shown, self._detail * HOLD, self._detail)
