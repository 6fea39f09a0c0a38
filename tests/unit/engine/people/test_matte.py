"""What the matte promises of people whose matte is known: near the truth, steady, no room over the head."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from helpers.marched_people import marched_clip
from helpers.matrix import few_of
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.frame_intake import Settle
from overpaint.engine.people.person_mask import Person

Floats = NDArray[np.float32]
WIDTH, HEIGHT, FRAMES = 640, 360, 4

BOUNDS = {
    "hair like the wall": (2.9, 35.0),
    "headphones": (14.0, 34.0),
    "hand and window": (22.0, 60.0),
    "dark in the dark": (17.0, 31.0),
}
"""Largest sum of absolute differences for each 1000 pixels, and largest error of changes over time (dtSSD):
1000 times the root mean square."""


class Mattes:
    """A stream's mattes."""

    def __init__(self, width: int, height: int) -> None:
        bands = Bands(1)
        self._canvas = Canvas(width, height)
        self._intake = Settle(self._canvas, bands, 0.8)
        self.person = Person(self._canvas.half, bands)

    def see(self, bgr: NDArray[np.uint8]) -> Floats:
        """The matte of a frame, 0..1, at half size."""
        frame = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)
        frame.flags.writeable = False
        self._intake.take(frame, self._canvas)
        self.person.find(self._canvas.low_source, self._canvas.u, self._canvas.v)
        return self.person.alpha.astype(np.float32) / 255


def dimmed(bgr: NDArray[np.uint8], share: float, seed: int) -> NDArray[np.uint8]:
    """A picture in less light, with the noise of a camera that has little of it."""
    noise = np.random.default_rng(seed).normal(0, 2, bgr.shape)
    return np.clip(bgr * share + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("name", few_of(list(BOUNDS), ["headphones"]))
def test_the_matte_is_near_the_truth_and_steady(name: str) -> None:
    frames = marched_clip(name, WIDTH, HEIGHT, FRAMES)
    stream = Mattes(WIDTH, HEIGHT)
    wrong = [stream.see(frame.bgr) - frame.alpha for frame in frames]
    differences, changes = BOUNDS[name]
    assert 1000 * float(np.mean(np.abs(wrong[2:]))) < differences
    steps = [after - before for before, after in itertools.pairwise(wrong[1:])]
    assert 1000 * float(np.sqrt(np.mean(np.square(steps)))) < changes


def test_no_strip_of_the_room_stands_above_a_head_near_the_border() -> None:
    """Before a panel of the colour of skin, as a door or a curtain is."""
    frame = marched_clip("head at the border", WIDTH, HEIGHT, 1)[0]
    matte = Mattes(WIDTH, HEIGHT).see(frame.bgr)
    top = int(np.flatnonzero(frame.alpha.max(1) > 0.5)[0])
    assert top >= 6, "the head must not reach the border in this picture"
    assert float(matte[: top - 2].mean()) < 0.005


@pytest.mark.parametrize("share", few_of([0.3, 0.1, 0.06], [0.1]))
def test_someone_in_the_dark_is_found_as_in_the_light(share: float) -> None:
    scene = portrait(WIDTH, HEIGHT)
    lit = Mattes(WIDTH, HEIGHT).see(scene) > 0.5
    stream = Mattes(WIDTH, HEIGHT)
    dark = [stream.see(dimmed(scene, share, seed)) for seed in range(3)][-1] > 0.5
    assert (lit & dark).sum() / (lit | dark).sum() > 0.93
