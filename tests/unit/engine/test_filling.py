"""What lies behind a person is made up of the colours around them, and a person's edge of their own."""

from __future__ import annotations

import numpy as np

from overpaint.engine.passes.place.subject import spread


def test_a_hole_is_filled_with_what_surrounds_it() -> None:
    planes = np.zeros((3, 96, 160), np.uint8)
    planes[:, :, :80], planes[:, :, 80:] = 60, 180
    weight = np.ones((96, 160), np.float32)
    weight[24:72, 30:130] = 0
    filled = spread(planes, weight)
    assert filled.shape == (3, 48, 80)
    assert np.abs(filled[:, 24, 18].astype(int) - 60).max() < 40
    assert np.abs(filled[:, 24, 62].astype(int) - 180).max() < 40
    assert np.array_equal(filled[:, :10, :38], np.full((3, 10, 38), 60))


def test_what_has_no_weight_far_around_gets_the_mean_colour_and_never_a_garish_one() -> None:
    planes = np.full((3, 96, 160), 140, np.uint8)
    weight = np.zeros((96, 160), np.float32)
    weight[40:60, 10:30] = 1
    assert np.abs(spread(planes, weight).astype(int) - 140).max() <= 6
    assert np.array_equal(np.unique(spread(planes, np.zeros_like(weight))), [128])
