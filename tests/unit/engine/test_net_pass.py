"""The own any-style net: a photo's palette reaches the picture, evenly, calmly, and at any detail."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import data

from helpers.clips import portrait
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.frame_intake import Settle
from overpaint.engine.passes.paint.style_net import Net
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.photo import measure

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 640, 360


@pytest.fixture(scope="module")
def frame() -> Picture:
    return np.asarray(cv2.cvtColor(portrait(WIDTH, HEIGHT), cv2.COLOR_BGR2YUV_I420), np.uint8)


def blue_photo() -> Picture:
    """A photograph in blue."""
    photo = np.ascontiguousarray(data.coffee()[:, :, ::-1])
    photo[..., 0] = np.clip(photo[..., 0].astype(int) + 110, 0, 255)
    photo[..., 2] //= 4
    return np.asarray(photo, np.uint8)


def painted(frames: list[Picture], photo: Picture | None, details: tuple[float, ...] = ()) -> list[Picture]:
    """Half-size luma and chroma after each frame, one beside the other."""
    canvas, bands = Canvas(WIDTH, HEIGHT), Bands(1)
    intake = Settle(canvas, bands, 0.0)
    net = Net(Stage(canvas, bands, None if photo is None else measure(photo)))
    results = []
    for number, frame in enumerate(frames):
        if number < len(details):
            net.set_detail(details[number])
        intake.take(frame, canvas)
        net.apply(canvas)
        results.append(np.stack([canvas.low, canvas.u, canvas.v]))
    return results


def test_without_a_photo_nothing_changes(frame: Picture) -> None:
    canvas = Canvas(WIDTH, HEIGHT)
    Settle(canvas, Bands(1), 0.0).take(frame, canvas)
    before = np.stack([canvas.low, canvas.u, canvas.v])
    assert (painted([frame], None)[0] == before).all()


def test_the_palette_of_the_photo_reaches_the_picture_and_the_face_stays(frame: Picture) -> None:
    plain, blue = painted([frame], None)[0], painted([frame], blue_photo())[0]
    assert blue[1].mean() > plain[1].mean() + 8, "bluer"
    assert np.corrcoef(plain[0].ravel(), blue[0].ravel())[0, 1] > 0.8, "light and dark where they were"


def test_the_rim_of_the_picture_is_not_darker() -> None:
    image = np.full((HEIGHT * 3 // 2, WIDTH), 128, np.uint8)
    stones = np.random.default_rng(2).integers(40, 220, (HEIGHT // 10, WIDTH // 10))
    image[:HEIGHT] = np.kron(stones, np.ones((10, 10)))
    luma = painted([image], blue_photo())[0][0].astype(int)
    rim = np.concatenate([luma[:4].ravel(), luma[-4:].ravel(), luma[:, :4].ravel(), luma[:, -4:].ravel()])
    assert abs(rim.mean() - luma[30:-30, 30:-30].mean()) < 6


def test_a_still_scene_is_calm_though_its_sensor_is_not(frame: Picture) -> None:
    random = np.random.default_rng(1)
    noisy = [np.clip(frame + random.normal(0, 4, frame.shape), 16, 235).astype(np.uint8) for _ in range(10)]
    results = [result[0].astype(int) for result in painted(noisy, blue_photo())]
    raw = np.abs(noisy[-1][:HEIGHT].astype(int) - noisy[-2][:HEIGHT]).mean()
    assert np.abs(results[-1] - results[-2]).mean() < 0.7 * raw


def test_another_detail_is_no_jump(frame: Picture) -> None:
    results = painted([frame] * 6, blue_photo(), details=(1.0, 1.0, 1.0, 0.7, 0.7, 1.25))
    steps = [np.abs(b.astype(int) - a).mean() for a, b in itertools.pairwise(results[2:])]
    assert max(steps) < 2.5
