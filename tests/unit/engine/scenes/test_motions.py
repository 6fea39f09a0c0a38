"""Motions on plates of our own: they stay where they may be seen, and start over without a jump."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from overpaint.engine.kernels.bands import Bands
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.drift import filled
from overpaint.engine.scenes.motions import Planes, motions_of
from overpaint.engine.scenes.particles import HABITS
from overpaint.engine.scenes.plate import window_on

WIDTH, HEIGHT = 320, 180
KINDS: dict[str, dict[str, Any]] = {
    "drift": {"speed": [0.05, 0.0], "reach": 0.2},
    "noise": {"cells": [6.0, 6.0], "rate": 1.0, "colour": [40, 20, 60]},
    "waves": {"horizon": 0.0, "cells": [1.5, 0.6], "speed": 0.4, "rate": 0.3, "colour": [30, 30, 30]},
    "aurora": {"low": [60, 120, 60], "high": [90, 40, 120]},
    "beams": {"beams": [[0.9, 0.1, 0.2, 0.3, 0.6, 0.1, 90, 60, 90]]},
    **{kind: {"colours": [[255, 40, 20]], "count": 400} for kind in HABITS},
}


def plate() -> Planes:
    random = np.random.default_rng(3)
    half = (HEIGHT // 2, WIDTH // 2)
    return (
        random.integers(60, 120, (HEIGHT, WIDTH)).astype(np.uint8),
        random.integers(110, 140, half).astype(np.uint8),
        random.integers(110, 140, half).astype(np.uint8),
    )


def left_half(name: str) -> Plane:
    """A map of the left half of the picture."""
    assert name == "left"
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    mask[:, : WIDTH // 2] = 255
    return mask


def drawn(kind: str, frame: int, seed: int = 1) -> Planes:
    still = plate()
    table = {"kind": kind, "map": "left", "seed": seed, **KINDS[kind]}
    (motion,) = motions_of([table], Bands(1), window_on(WIDTH, HEIGHT), still, left_half)
    moved = (still[0].copy(), still[1].copy(), still[2].copy())
    motion.draw(frame, moved)
    return moved


@pytest.mark.parametrize("kind", KINDS)
def test_a_motion_is_seen_where_its_map_lets_it_and_nowhere_else(kind: str) -> None:
    still = plate()
    for frame in (31, 4000):
        y, u, v = drawn(kind, frame)
        margin = 16
        assert (y[:, : WIDTH // 2] != still[0][:, : WIDTH // 2]).any()
        assert np.array_equal(y[:, WIDTH // 2 + margin :], still[0][:, WIDTH // 2 + margin :])
        for plane, before in ((u, still[1]), (v, still[2])):
            assert np.array_equal(plane[:, WIDTH // 4 + margin :], before[:, WIDTH // 4 + margin :])


@pytest.mark.parametrize("kind", KINDS)
def test_a_motion_goes_on(kind: str) -> None:
    assert not np.array_equal(drawn(kind, 10)[0], drawn(kind, 25)[0])


def test_what_drifts_comes_from_beside_it() -> None:
    """A bright bar on the left moves to the right, and its place is taken by what was left of it."""
    still = plate()
    still[0][:] = 50
    still[0][:, 60:70] = 200
    table = {"kind": "drift", "map": "left", "speed": [0.2, 0.0], "reach": 0.4}
    (motion,) = motions_of([table], Bands(1), window_on(WIDTH, HEIGHT), still, left_half)

    def bar(frame: int) -> float | None:
        """Where the bar is, unless it has left the map."""
        moved = (still[0].copy(), still[1].copy(), still[2].copy())
        motion.draw(frame, moved)
        row = np.maximum(moved[0][90, :150].astype(float) - 150, 0)  # the bar alone
        return float((row * np.arange(150)).sum() / row.sum()) if row.sum() > 400 else None

    # In the middle of a turn (60 frames) one copy has nearly all the weight.
    seen = [[bar(turn * 60 + frame) for frame in (28, 30, 32)] for turn in range(12)]
    whole = [[at for at in places if at is not None] for places in seen if None not in places]
    assert len(whole) >= 3
    assert all(first < second < third for first, second, third in whole)


def test_what_does_not_drift_is_filled_from_around_it() -> None:
    """A tree before the sky leaves no trace; far from any sky, its mean colour stands."""
    sky = np.full((180, 320), 140, np.uint8)
    mask = np.zeros_like(sky)
    mask[:60] = 255
    mask[100:102, 300:304] = 255  # a scrap of sky between two hills
    seen = np.where(mask > 0, sky, 20).astype(np.uint8)
    assert np.abs(filled(seen, mask).astype(int) - 140).max() <= 2


def test_an_unknown_motion_is_an_error() -> None:
    with pytest.raises(ValueError, match="no such motion: swirl"):
        motions_of([{"kind": "swirl"}], Bands(1), window_on(WIDTH, HEIGHT), plate(), left_half)


def test_other_seeds_give_other_particles() -> None:
    assert not np.array_equal(drawn("snow", 10)[0], drawn("snow", 10, seed=2)[0])
