"""Virtual background: the reference photo, or a photographer's sheet of coloured paper, behind the person.

Must not know looks.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.colours import yuv
from overpaint.engine.materials import textures
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.place.subject import Overlay
from overpaint.engine.planes import FULL_FROM_LIMITED, Plane, split

Floats = NDArray[np.float32]

GRAIN = (textures.Grain(1.5, 0.8),)
"""Grain of the paper, below one level: it dithers the long gradient, which would show steps (banding)."""


class Backdrop:
    """A virtual-background pass, with the same background in all frames.

    Args:
        stage: Canvas, threads and inputs; a reference photo becomes the background.
        colour: Colour of the paper where there is no photo, #rrggbb.
        softness: Blur of a photo, pixels at 1080 rows.
        wrap: Strength of the background's light on the person's edge (light wrap), 0..1.
    """

    def __init__(
        self, stage: Stage, *, colour: str = "#7d8a94", softness: float = 3.0, wrap: float = 0.45
    ) -> None:
        canvas = stage.canvas
        self._overlay = Overlay(stage, wrap)
        if stage.reference is None:
            self._y, self._u, self._v = _paper(stage, colour)
        else:
            self._y, self._u, self._v = _scene(stage.reference, canvas, canvas.sigma(softness, 0.0))
        self._low = np.asarray(cv2.resize(self._y, canvas.half[::-1], interpolation=cv2.INTER_AREA), np.uint8)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``low``, ``u`` and ``v``."""
        np.copyto(canvas.low, self._low)
        np.copyto(canvas.u, self._u)
        np.copyto(canvas.v, self._v)
        self._overlay.lay(canvas, self._y)


def _scene(photo: Plane, canvas: Canvas, sigma: float) -> tuple[Plane, Plane, Plane]:
    """A photo cropped around its centre to the canvas's shape, as full-range luma and half-size u and v."""
    height, width = photo.shape[:2]
    scale = max(canvas.width / width, canvas.height / height)
    cut = (min(width, max(1, round(canvas.width / scale))), min(height, max(1, round(canvas.height / scale))))
    left, top = (width - cut[0]) // 2, (height - cut[1]) // 2
    part = np.ascontiguousarray(photo[top : top + cut[1], left : left + cut[0]])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    filling = cv2.resize(part, (canvas.width, canvas.height), interpolation=how)
    if sigma > 0:
        filling = cv2.GaussianBlur(filling, (0, 0), sigma)
    y, u, v = split(np.asarray(cv2.cvtColor(filling, cv2.COLOR_BGR2YUV_I420), np.uint8))
    return np.asarray(cv2.LUT(y, FULL_FROM_LIMITED), np.uint8), u, v


def _paper(stage: Stage, colour: str) -> tuple[Plane, Plane, Plane]:
    """Paper with a pool of light behind the person, darker towards the corners; planes as of ``_scene``."""
    canvas = stage.canvas
    level, u, v = (float(value) for value in yuv([colour])[0])
    x, y = textures.grid(canvas.height, canvas.width)
    light = np.exp(-((x / 900) ** 2 + ((y + 80) / 620) ** 2))
    tile = textures.tile(stage.shelf, canvas.height, GRAIN, 91)
    grain = textures.repeated(tile, canvas.height, canvas.width)
    luma = np.clip(level * (0.55 + 0.62 * light) + grain, 0, 255)
    return (
        np.asarray(luma + 0.5, np.uint8),
        np.full(canvas.half, round(u), np.uint8),
        np.full(canvas.half, round(v), np.uint8),
    )
