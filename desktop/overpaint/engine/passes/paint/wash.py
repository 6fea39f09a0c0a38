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
from overpaint.engine.planes import Plane, half_sides, soft

Floats = NDArray[np.float32]


@kernel
def _pigment(
    first: int, end: int, low: Any, soft: Any, sheet: Any, mask: Any, rim: Any, u: Any, v: Any
) -> None:
    """Sets luma and chroma by the density of pigment: darkness plus edges, times ``sheet`` and ``mask``."""
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


def _blooms(height: int, width: int) -> Floats:
    """Noise of blooms (where water has gathered), float32; mean 0, standard deviation about 0.8."""
    blooms = 0.6 * textures.noise(height, width, 70, 31) + 0.5 * textures.noise(height, width, 22, 32)
    return np.asarray(blooms, np.float32)


def _sheet(shelf: Shelf, height: int, width: int, uneven: float, blooms: float) -> Plane:
    """Factor on the pigment at each place (granulation), uint8 (height, width); 128 for 1."""
    grains = (textures.Grain(2.0, 0.5), textures.Grain(4.5, 0.45), textures.Grain(11.0, 0.3))
    fine = textures.tile(shelf, min(height, width), grains, 33)
    takes = shelf.get(_blooms, height, width) * np.float32(blooms) + textures.repeated(fine, height, width)
    return np.asarray(np.clip(takes * np.float32(20.48 * uneven) + 128, 60, 200), np.uint8)


def _painted(shelf: Shelf, height: int, width: int, margin: float) -> Plane:
    """Mask of the painted area, uint8 (height, width): 255 inside, 0 on the ragged rim of the sheet."""
    if not margin:
        return np.full((height, width), 255, np.uint8)
    x, y = textures.grid(height, width)
    right, low = half_sides(height, width)
    ragged = np.minimum(right - np.abs(x), low - np.abs(y)) - np.float32(margin)
    ragged += np.float32(0.55 * margin) * shelf.get(_blooms, height, width)
    rim = textures.tile(shelf, min(height, width), (textures.Grain(9.0, 0.22 * margin),), 34)
    ragged += textures.repeated(rim, height, width)
    return np.asarray(np.clip(ragged * 14, 0, 255), np.uint8)


class Wash:
    """A watercolour pass on ``low``, ``u`` and ``v``.

    Args:
        stage: Canvas, threads and inputs.
        rim: Edge darkening, 0..2.
        uneven: Variation of pigment (granulation), 0..1.
        blooms: Share of broad clouds, where water has gathered, in that variation.
        bleed: Distance that colours bleed, pixels at 1080 rows; 0 for none.
        margin: Width of the unpainted, ragged edge of the sheet, pixels at 1080 rows; 0 for none.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        rim: float = 0.9,
        uneven: float = 0.5,
        blooms: float = 1.0,
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
        self._sheet = stage.shelf.get(_sheet, stage.shelf, height, width, uneven, blooms)
        self._mask = stage.shelf.get(_painted, stage.shelf, height, width, margin)
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
            _pigment, canvas.half[0], canvas.low, smooth, self._sheet, self._mask, self._rim,
            canvas.u, canvas.v,
        )  # fmt: skip
