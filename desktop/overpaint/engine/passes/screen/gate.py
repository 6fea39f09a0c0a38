"""Frames around the picture (masks): a film gate, a CRT's curved rim, an oval, a brushed edge."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane, half_sides, scale_of

Floats = NDArray[np.float32]

BULGE = 10.0
"""Exponent of a curved rim (superellipse): 2 is an oval, infinity a rectangle."""


@kernel
def _cover(first: int, end: int, plane: Any, mask: Any, level: Any, out: Any) -> None:
    """Sets out = level where mask is 0, the plane where it is 255."""
    width = plane.shape[1]
    for row in range(first, end):
        values, shares, result = plane[row], mask[row], out[row]
        for x in range(width):
            share = f32(shares[x]) * f32(1 / 255)
            result[x] = np.uint8(level + (f32(values[x]) - level) * share + f32(0.5))


def inside(height: int, width: int, shape: str, inset: float, corner: float) -> Floats:
    """Signed distance field of the frame's edge, positive inside.

    Args:
        height: Rows.
        width: Columns.
        shape: ``oval``, ``bulged`` (a CRT's curved rim), or another name for a rectangle with round corners.
        inset: Width of the frame, pixels at 1080 rows.
        corner: Radius of the corners, pixels at 1080 rows.

    Returns:
        float32 (height, width), pixels at 1080 rows.
    """
    x, y = textures.grid(height, width)
    right, low = half_sides(height, width)
    across, down = right - inset, low - inset
    if shape == "oval":
        return np.asarray((1 - np.hypot(x / across, y / down)) * min(across, down), np.float32)
    if shape == "bulged":
        away = (np.abs(x / across) ** BULGE + np.abs(y / down) ** BULGE) ** (1 / BULGE)
        return np.asarray((1 - away) * min(across, down), np.float32)
    outside = np.hypot(np.maximum(np.abs(x) - across + corner, 0), np.maximum(np.abs(y) - down + corner, 0))
    within = np.minimum(np.maximum(np.abs(x) - across, np.abs(y) - down) + corner, 0)
    return np.asarray(corner - outside - within, np.float32)


def _mask(
    shelf: Shelf,
    height: int,
    width: int,
    shape: str,
    inset: float,
    corner: float,
    softness: float,
    opacity: float,
) -> Plane:
    """Mask of the picture, uint8 (height, width): 255 inside, less on the frame."""
    # Distances change linearly, so they are computed at a quarter of the size.
    small = (-(-height // 4), -(-width // 4))
    distance: Any = cv2.resize(inside(*small, shape, inset, corner), (width, height))
    if shape == "brushed":
        # Bristle marks are drawn out horizontally: long at the left and right edge, short at the others.
        bristles = textures.tile(shelf, min(height, width), (textures.Grain(7.0, 0.3 * inset, 130.0),), 71)
        distance += textures.repeated(bristles, height, width)
        distance += 0.23 * inset * textures.noise(height, width, 60, 72)
    distance *= np.float32(1 / max(softness, 1.5 / scale_of(height, width)))
    levels = cv2.convertScaleAbs(np.clip(distance + np.float32(0.5), 0, 1), alpha=255)
    share = np.arange(256) / 255
    share = 1 - opacity * (1 - share * share * (3 - 2 * share))
    return np.asarray(cv2.LUT(levels, np.round(255 * share).astype(np.uint8)), np.uint8)


class Gate:
    """A frame pass, which covers the edge of the picture.

    Args:
        stage: Canvas, threads and inputs.
        shape: ``rounded``, ``bulged`` (a CRT's curved rim), ``oval`` or ``brushed`` (rounded, with marks of a
            wide brush).
        inset: Width of the frame, pixels at 1080 rows.
        corner: Radius of the corners, pixels at 1080 rows.
        softness: Width of the transition to the frame, pixels at 1080 rows.
        colour: Colour of the frame, #rrggbb.
        opacity: Opacity of the frame, 0..1.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        shape: str = "rounded",
        inset: float = 12.0,
        corner: float = 60.0,
        softness: float = 6.0,
        colour: str = "#000000",
        opacity: float = 1.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        size = (canvas.height, canvas.width)
        self._mask = stage.shelf.get(_mask, stage.shelf, *size, shape, inset, corner, softness, opacity)
        self._low_mask: Plane = np.asarray(
            cv2.resize(self._mask, canvas.half[::-1], interpolation=cv2.INTER_AREA), np.uint8
        )
        self._levels = [f32(level) for level in yuv([colour])[0]]

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        out = canvas.fresh()
        self._bands.run(_cover, canvas.height, canvas.y, self._mask, self._levels[0], out)
        canvas.y = out
        for plane, level in ((canvas.u, self._levels[1]), (canvas.v, self._levels[2])):
            self._bands.run(_cover, canvas.half[0], plane, self._low_mask, level, plane)
