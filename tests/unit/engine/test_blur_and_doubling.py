"""How passes leave a size and come back to it: wide blurs, and planes doubled row by row."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from helpers.clips import portrait
from overpaint.engine.passes.doubling import row_between
from overpaint.engine.planes import soft


@pytest.mark.parametrize("sigma", [0.8, 2.4, 5.0, 11.0, 30.0])
def test_a_wide_blur_looks_like_a_gaussian(sigma: float) -> None:
    luma = np.asarray(cv2.cvtColor(portrait(480, 270), cv2.COLOR_BGR2GRAY), np.uint8)
    difference = soft(luma, sigma).astype(float) - cv2.GaussianBlur(luma, (0, 0), sigma)
    assert np.abs(difference).mean() < 1.5
    assert abs(difference.mean()) < 0.1


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
def test_rows_between_are_those_of_a_bilinear_enlargement(kind: type) -> None:
    plane = np.random.default_rng(1).integers(0, 255, (9, 14)).astype(kind)
    expected = cv2.resize(plane.astype(np.float32), (28, 18), interpolation=cv2.INTER_LINEAR)
    line = np.zeros(16, np.float32)
    for row in range(18):
        row_between(plane, row, line)
        even = line[1:15] * 0.75 + line[:14] * 0.25
        odd = line[1:15] * 0.75 + line[2:] * 0.25
        assert np.stack([even, odd], -1).ravel() == pytest.approx(expected[row], abs=1e-3)
