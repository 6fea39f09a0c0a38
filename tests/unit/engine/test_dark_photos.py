"""A reference photo that is nearly black, or nearly white, leaves the person readable."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import data

from helpers.clips import portrait
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.interface import LookRequest
from overpaint.engine.photo import LEGIBLE, measure

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 640, 360


def painting(mean: float) -> Picture:
    """A photograph as a painting of that mean brightness, 0..255."""
    coffee = np.ascontiguousarray(data.coffee()[:, :, ::-1]).astype(np.float32)
    return np.clip(coffee * (mean / coffee.mean()), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("prompt", ["", "colour grade"])
def test_in_a_dark_paintings_colours_or_style_the_picture_stays_readable(prompt: str) -> None:
    frame = np.asarray(cv2.cvtColor(portrait(WIDTH, HEIGHT), cv2.COLOR_BGR2YUV_I420), np.uint8)
    look = CpuEngine(1).compile(LookRequest(prompt, painting(14)), WIDTH, HEIGHT)
    luma = look.apply(frame)[:HEIGHT]
    assert luma.mean() > 0.35 * frame[:HEIGHT].mean(), luma.mean()
    assert luma.std() > 0.3 * frame[:HEIGHT].std(), luma.std()


def test_only_a_photo_out_of_the_legible_is_changed() -> None:
    for mean, expected in ((14, LEGIBLE[0]), (100, 100), (110, 110)):
        assert abs(measure(painting(mean)).mean[0] - expected) < 8, mean
    white = np.full((90, 120, 3), 250, np.uint8)
    assert measure(white).mean[0] < 248


def test_a_black_photo_is_no_error() -> None:
    assert np.isfinite(measure(np.zeros((90, 120, 3), np.uint8)).palette).all()
