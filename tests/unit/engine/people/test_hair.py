"""What hair promises: found on a photograph in any light and colour, and the rest of the person left out."""

from __future__ import annotations

import importlib.util

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from helpers.drawn_people import Scene, Sitter, draw
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.frame_intake import Settle
from overpaint.engine.people.appearance import HAIR
from overpaint.engine.people.hair import EVERY, LEAST, HairFinder
from overpaint.engine.people.heads import Head
from overpaint.engine.people.parts import Parts
from overpaint.engine.people.person_mask import Person

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 960, 540

OUTLINE = np.array(
    [
        [232, 16], [215, 20], [200, 25], [189, 39], [172, 47], [157, 57], [150, 71], [154, 91], [160, 107],
        [175, 118], [182, 122], [180, 105], [185, 92], [190, 82], [205, 80], [220, 82], [240, 82], [252, 85],
        [262, 90], [268, 98], [270, 115], [268, 135], [280, 132], [292, 122], [299, 105], [301, 85],
        [297, 60], [285, 38], [265, 25], [250, 18],
    ],
    np.float64,
)  # fmt: skip
"""The astronaut's hair in ``portrait``, drawn by hand on its 512×288 pixels; the net has not seen her."""

FACE = (225, 120), (26, 34)
"""Middle and semi-axes of her face without its rim."""


def drawn_mask(points: NDArray[np.float64]) -> NDArray[np.float32]:
    drawn = np.zeros((HEIGHT // 2, WIDTH // 2), np.uint8)
    cv2.fillPoly(drawn, [np.round(points * [WIDTH / 1024, HEIGHT / 576]).astype(np.int32)], 1)
    return drawn.astype(np.float32)


def face() -> NDArray[np.bool_]:
    drawn = np.zeros((288, 512), np.uint8)
    cv2.ellipse(drawn, *FACE, 0, 0, 360, 1, -1)
    return np.asarray(cv2.resize(drawn, (WIDTH // 2, HEIGHT // 2)) > 0)


def hair_in(bgr: Picture, frames: int = 4) -> NDArray[np.float32]:
    """The mask of hair, 0..1, at half size, in a stream of one picture."""
    bands, canvas = Bands(1), Canvas(bgr.shape[1], bgr.shape[0])
    intake, person = Settle(canvas, bands, 0.8), Person(canvas.half, bands)
    parts = Parts(canvas.half, bands, (HAIR,))
    planes = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8).view()
    planes.flags.writeable = False
    for _ in range(frames):
        intake.take(planes, canvas)
        person.find(canvas.low_source, canvas.u, canvas.v)
        parts.find(person, canvas.low_source)
    return parts.alpha[HAIR].astype(np.float32) / 255


def overlap(found: NDArray[np.float32], true: NDArray[np.float32]) -> float:
    return float(np.minimum(found, true).sum() / np.maximum(found, true).sum())


def tinted(bgr: Picture, where: NDArray[np.float32], colour: tuple[float, float, float]) -> Picture:
    """A picture whose hair has another colour, BGR factors."""
    share = cv2.resize(where, bgr.shape[1::-1])[..., None]
    changed = bgr * (1 + share * (np.array(colour) - 1))
    return np.clip(changed, 0, 255).astype(np.uint8)


@pytest.mark.skipif(importlib.util.find_spec("skimage") is None, reason="needs scikit-image's photograph")
@pytest.mark.parametrize(
    ("light", "colour"),
    [(1.0, (1, 1, 1)), (0.3, (1, 1, 1)), (1.0, (0.35, 0.35, 0.4)), (1.0, (1.9, 0.7, 0.9))],
    ids=["as she is", "in the dark", "black hair", "dyed hair"],
)
def test_hair_is_found_on_a_photograph_and_her_face_is_left_out(
    light: float, colour: tuple[float, float, float]
) -> None:
    true = drawn_mask(OUTLINE)
    bgr = tinted(portrait(WIDTH, HEIGHT), true, colour)
    found = hair_in(np.asarray(bgr * light, np.uint8))
    assert overlap(found, true) > 0.7
    assert found[face()].mean() < 0.03
    # Below her chin are a neck, a collar and a suit.
    assert found[int(0.68 * HEIGHT / 2) :].mean() < 0.01


def test_hair_is_looked_for_in_every_second_frame_only() -> None:
    scene = Scene(WIDTH, HEIGHT)
    scene.show(draw(WIDTH, HEIGHT, Sitter()))
    rows, columns = scene.person.small_alpha.shape
    finder, head = HairFinder(), Head(columns / 2, 0.36 * rows, 0.115 * rows, 1.0)
    first = finder.find(scene.person, [head])
    assert first.max() > 0.5
    assert all(finder.find(scene.person, []) is first for _ in range(EVERY - 1))
    assert finder.find(scene.person, []).max() <= LEAST
