"""Watercolour at half size: edge darkening, granulation and bleeding of pigment."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane, soft

Floats = NDArray[np.float32]

GRAINS = (2.0, 0.68), (4.5, 0.61), (11.0, 0.41)
"""Sizes of the grains of pigment, pixels at 1080 rows, and their shares, whose squares sum to 1."""


@kernel
def _pigment(first: int, end: int, low: Any, soft: Any, sheet: Any, rim: Any, u: Any, v: Any) -> None:
    """Sets luma and chroma by the density of pigment: darkness plus edges, times ``sheet``."""
    width = low.shape[1]
    for row in range(first, end):
        lumas, softs, reliefs, us, vs = low[row], soft[row], sheet[row], u[row], v[row]
        for x in range(width):
            luma = f32(lumas[x])
            edge = max(f32(softs[x]) - luma - f32(2), f32(0)) * rim
            uneven = f32(reliefs[x]) * f32(1 / 128)
            density = (f32(255) - luma + edge) * uneven
            lumas[x] = np.uint8(min(max(f32(255.5) - density, f32(0)), f32(255)))
            full = f32(0.5) + f32(0.5) * uneven
            us[x] = np.uint8(f32(128.5) + (f32(us[x]) - f32(128)) * min(full, f32(1)))
            vs[x] = np.uint8(f32(128.5) + (f32(vs[x]) - f32(128)) * min(full, f32(1)))


def _blooms(height: int, width: int) -> Floats:
    """Noise of blooms (where water has gathered), float32; mean 0, standard deviation about 0.8."""
    blooms = 0.6 * textures.noise(height, width, 70, 31) + 0.5 * textures.noise(height, width, 22, 32)
    return np.asarray(blooms, np.float32)


def _sheet(shelf: Shelf, height: int, width: int, uneven: float, blooms: float, grain: float) -> Plane:
    """Factor on the pigment at each place (granulation), uint8 (height, width); 128 for 1."""
    grains = tuple(textures.Grain(cell, grain * part) for cell, part in GRAINS)
    fine = textures.tile(shelf, min(height, width), grains, 33)
    takes = shelf.get(_blooms, height, width) * np.float32(blooms) + textures.repeated(fine, height, width)
    return np.asarray(np.clip(takes * np.float32(20.48 * uneven) + 128, 60, 200), np.uint8)


class Wash:
    """A watercolour pass on ``low``, ``u`` and ``v``.

    Args:
        stage: Canvas, threads and inputs.
        rim: Edge darkening, 0..2.
        uneven: Variation of pigment (granulation), 0..1.
        blooms: Share of broad clouds, where water has gathered, in that variation.
        grain: Share of grains of pigment in it.
        bleed: Distance that colours bleed, pixels at 1080 rows; 0 for none.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        rim: float = 0.9,
        uneven: float = 0.5,
        blooms: float = 1.0,
        grain: float = 0.25,
        bleed: float = 10.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._rim = f32(rim)
        self._runs = bleed > 0
        self._bleed = canvas.sigma(bleed / 8)
        self._spread = canvas.sigma(3.0)
        height, width = canvas.half
        self._sheet = stage.shelf.get(_sheet, stage.shelf, height, width, uneven, blooms, grain)
        self._small = (max(1, width // 4), max(1, height // 4))

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``."""
        smooth = soft(canvas.low, self._spread)
        for plane in (canvas.u, canvas.v) if self._runs else ():
            small = cv2.resize(plane, self._small, interpolation=cv2.INTER_AREA)
            bled = soft(np.asarray(small, np.uint8), self._bleed)
            run = cv2.resize(bled, plane.shape[::-1], interpolation=cv2.INTER_LINEAR)
            cv2.addWeighted(plane, 0.5, run, 0.5, 0, dst=plane)
        self._bands.run(
            _pigment, canvas.half[0], canvas.low, smooth, self._sheet, self._rim,
            canvas.u, canvas.v,
        )  # fmt: skip
