"""The light in a photo (illumination estimation): a ``SceneLight`` for a place of which nothing is known.

Bright places are taken for light, and where they lie for its direction; the colours of the bright and of the
middle tones are those of key light and ambient light. Crude, but the eye asks for no more than the side, the
colour and the contrast. Must not know people.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.planes import Plane
from overpaint.engine.scenes.scene_light import Colour, SceneLight

Floats = NDArray[np.float32]

SIDE = (64, 36)
"""Columns and rows of the copy on which light is measured."""

LIGHTEST = 0.9
"""Share of a photo's pixels that are darker than what counts as its light."""

DIRECTED = 2.2
"""Factor from the offset of a photo's bright places, -1..1, to the side that its light comes from: that of a
window at the left edge is -1, though half of the room is bright."""

GLARE = (0.16, 0.45)
"""Excess of the light's luma over the middle tones', 0..1, behind the person's head, from which the light
counts as coming from behind, and from which all of it does."""

MOST_COLOUR, OF_THINGS, MOST_GREEN = 0.45, 0.6, 0.08
"""Greatest distance of a light's channel from its luma, the share of it that middle tones have, and the
greatest excess of green: a red wall is no red lamp, and leaves make nobody's face green."""

NEUTRAL = SceneLight(
    side=0.0,
    elevation=0.0,
    key=(1.0, 1.0, 1.0),
    ambient=(1.0, 1.0, 1.0),
    backlit=0.0,
    ground=2.0,
    grain=0.0,
    blur=0.0,
)
"""Light that leaves a person as the camera saw them."""


def light_in(photo: Plane) -> SceneLight:
    """Estimates the light of a photo.

    Args:
        photo: uint8 (H, W, 3), BGR, as it will stand behind the person.
    """
    small = cv2.resize(photo, SIDE, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    rgb: Floats = np.ascontiguousarray(small[..., ::-1], np.float32)
    luma = np.asarray(rgb @ np.array([0.299, 0.587, 0.114], np.float32), np.float32)
    middle, limit = float(np.median(luma)), float(np.quantile(luma, LIGHTEST))
    bright = np.asarray(np.maximum(luma - (middle + limit) / 2, 0), np.float32)
    total = float(bright.sum())
    if total < 1e-3:  # a single colour has no light of its own
        return NEUTRAL
    columns, rows = np.linspace(-1, 1, SIDE[0]), np.linspace(1, -1, SIDE[1])
    across, up = float((bright.sum(0) @ columns) / total), float((bright.sum(1) @ rows) / total)
    head = luma[SIDE[1] // 8 : SIDE[1] * 5 // 8, SIDE[0] * 3 // 10 : SIDE[0] * 7 // 10]
    glare = (float(head.mean()) - float(luma.mean()) + (limit - middle) * 0.5 - GLARE[0]) / (
        GLARE[1] - GLARE[0]
    )
    contrast = min(1.0, (limit - middle) / 0.35)
    key = _colour(rgb, bright, MOST_COLOUR, 0.75 + 0.45 * contrast)
    # Middle tones: what light comes from everywhere is coloured like.
    usual = np.asarray(np.exp(-(((luma - middle) / 0.15) ** 2)), np.float32)
    ambient = _colour(rgb, usual, MOST_COLOUR * OF_THINGS, 0.85 - 0.3 * contrast)
    return SceneLight(
        side=float(np.clip(across * DIRECTED, -1, 1)),
        elevation=float(np.clip(0.15 + up, -0.3, 0.9)),
        key=key,
        ambient=ambient,
        backlit=float(np.clip(glare, 0, 0.8)),
        # Where a photo's ground lies, in which the person would cast a shadow, is not known.
        ground=2.0,
        grain=0.0,
        blur=0.0,
    )


def _colour(rgb: Floats, weight: Floats, most: float, strength: float) -> Colour:
    """The mean colour of weighted pixels as that of a light of some strength."""
    mean = (rgb * weight[..., None]).sum((0, 1)) / weight.sum()
    mean = mean / max(float(mean @ np.array([0.299, 0.587, 0.114])), 0.02)
    red, green, blue = (1 + most * np.tanh((mean - 1) / most)) * strength
    green = min(green, (red + blue) / 2 + MOST_GREEN * strength)
    return float(red), float(green), float(blue)
