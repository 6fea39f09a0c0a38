"""Scenes that are not ours: the user's photo, a plain colour, and a photographer's sheet of coloured paper.

They have the interface of ``SceneView``: a plate, its light, and the same picture in every frame. Must not
know people.
"""

from __future__ import annotations

import cv2
import numpy as np

from overpaint.engine.colours import yuv
from overpaint.engine.materials import textures
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.photo_light import NEUTRAL, light_in
from overpaint.engine.scenes.plate import fitted, planes_of
from overpaint.engine.scenes.scene_light import SceneLight

Planes = tuple[Plane, Plane, Plane]

SOFTNESS = 3.0
"""Blur of a photo, pixels at 1080 rows: behind a person at the depth of field of a portrait."""

PAPER = "#7d8a94"
"""Colour of the paper."""

GRAIN = (textures.Grain(1.5, 0.8),)
"""Grain of the paper, below one level: it dithers the long gradient, which would show steps (banding)."""


class StillView:
    """A still picture as a scene.

    Args:
        planes: y (H, W) in full range, u and v (H / 2, W / 2), uint8.
        light: What a person in front of it is to be lit like.

    Attributes:
        light: As given.
    """

    def __init__(self, planes: Planes, light: SceneLight) -> None:
        self.light = light
        self._planes = planes

    def draw(self, frame: int) -> Planes:
        """The picture; see ``SceneView.draw``."""
        return self._planes


def photo_view(stage: Stage, photo: Plane) -> StillView:
    """A photo, cropped around its centre to the canvas's shape.

    Args:
        stage: Canvas.
        photo: uint8 (H, W, 3), BGR.
    """
    canvas = stage.canvas
    picture = fitted(photo, canvas.width, canvas.height)
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), canvas.sigma(SOFTNESS, 0.4)), np.uint8)
    return StillView(planes_of(soft), light_in(picture))


def colour_view(stage: Stage, colour: str) -> StillView:
    """A plain colour: flat, and without light on the person, so that green can be keyed out elsewhere.

    Args:
        stage: Canvas.
        colour: #rrggbb.
    """
    canvas = stage.canvas
    level, u, v = (round(float(value)) for value in yuv([colour])[0])
    y = np.full((canvas.height, canvas.width), level, np.uint8)
    return StillView((y, np.full(canvas.half, u, np.uint8), np.full(canvas.half, v, np.uint8)), NEUTRAL)


def paper_view(stage: Stage) -> StillView:
    """Paper with a pool of light behind the person, darker towards the corners.

    Args:
        stage: Canvas and shelf.
    """
    canvas = stage.canvas
    level, u, v = (float(value) for value in yuv([PAPER])[0])
    x, y = textures.grid(canvas.height, canvas.width)
    light = np.exp(-((x / 900) ** 2 + ((y + 80) / 620) ** 2))
    tile = textures.tile(stage.shelf, canvas.height, GRAIN, 91)
    grain = textures.repeated(tile, canvas.height, canvas.width)
    luma = np.clip(level * (0.55 + 0.62 * light) + grain, 0, 255)
    return StillView(
        (
            np.asarray(luma + 0.5, np.uint8),
            np.full(canvas.half, round(u), np.uint8),
            np.full(canvas.half, round(v), np.uint8),
        ),
        NEUTRAL,
    )
