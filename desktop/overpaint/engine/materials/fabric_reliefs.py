"""Reliefs of fabrics: light and shadow of a weave, a grain or creases on a seamless tile, and sequins.

A relief is float32 (side, side) of mean 0 and standard deviation 1. Must not know colours or patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.materials.fabric_tiles import SIDE, grid, nearest, noise, normal, scattered
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

SEQUINS = 80
"""Rows of sequins in a tile; even, so that rows shifted by half a sequin meet."""


def _twill() -> Floats:
    across, along = np.meshgrid(np.arange(SIDE), np.arange(SIDE))
    ribs = np.sin((across + along) * (2 * np.pi / 8))
    return normal(ribs + 0.5 * noise(101, 3) + 0.4 * noise(102, 4, 40))


def _linen() -> Floats:
    return normal(noise(111, 3, -60) + noise(112, 3, 60) + 0.3 * noise(113, 3))


def _wool() -> Floats:
    return normal(noise(121, 3) + 0.7 * noise(122, 12))


def _knit() -> Floats:
    """Columns of stitches in the form of a V."""
    x, _ = grid(32)
    _, rows = grid(40)
    stitch = np.cos(2 * np.pi * (rows + np.abs(x - 0.5) * 1.3)) * 0.8
    stitch = (
        stitch - 1.2 * np.exp(-(np.minimum(x, 1 - x) ** 2) / 0.006) - 0.5 * np.exp(-((x - 0.5) ** 2) / 0.004)
    )
    return normal(stitch + 0.25 * noise(131, 4))


def _corduroy() -> Floats:
    x, _ = grid(64)
    return normal(np.abs(np.sin(np.pi * x)) + 0.06 * noise(141, 3))


def _leather() -> Floats:
    """Grain: small cells between creases."""
    distance, _, _ = nearest(scattered(72, 151))
    return normal(-np.clip(distance * 72, 0, 0.75) + 0.16 * noise(152, 60))


def _velvet() -> Floats:
    return normal(noise(161, 90) + 0.5 * noise(162, 4))


def _crushed() -> Floats:
    """Small sharp creases, as of foil."""
    return normal(-np.abs(noise(181, 42)) - 0.6 * np.abs(noise(182, 18)))


def _sequin_at() -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Row and column of the sequin that shows at each pixel, and the distance from its middle, in sequins."""
    place = (np.arange(SIDE) + 0.5) * SEQUINS / SIDE
    row = np.floor(place).astype(int)[:, None] + np.zeros((1, SIDE), int)
    down = (place % 1)[:, None]

    def seen(line: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.floating]]:
        shifted = place[None] + 0.5 * (line % 2)
        return np.floor(shifted).astype(int) % SEQUINS, shifted % 1 - 0.5

    column, across = seen(row)
    radius = np.hypot(across, down - 0.35)
    # Beyond the round lower border of a sequin, the one of the next row shows.
    beyond = radius > 0.62
    below, offset = seen(row + 1)
    row, column = np.where(beyond, (row + 1) % SEQUINS, row), np.where(beyond, below, column)
    radius = np.where(beyond, np.hypot(offset, down - 1.35), radius)
    return row, column, np.asarray(radius, np.float32)


def _sequins() -> Floats:
    """Overlapping discs in rows, each tilted its own way."""
    row, column, radius = _sequin_at()
    tilt = np.random.default_rng(172).standard_normal((SEQUINS, SEQUINS))[row, column]
    return normal(0.8 * tilt - 3 * np.clip(radius - 0.42, 0, 1))


def glints() -> Plane:
    """The way that each sequin looks, uint8 (side, side), an angle in 256 parts of a turn."""
    row, column, _ = _sequin_at()
    return np.random.default_rng(171).integers(0, 256, (SEQUINS, SEQUINS)).astype(np.uint8)[row, column]


RELIEFS: Mapping[str, Callable[[], Floats]] = {
    "twill": _twill,
    "linen": _linen,
    "wool": _wool,
    "knit": _knit,
    "corduroy": _corduroy,
    "leather": _leather,
    "velvet": _velvet,
    "sequins": _sequins,
    "crushed": _crushed,
}
"""Reliefs by name."""
