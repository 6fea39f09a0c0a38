"""Patterns of fabrics: which of its yarns or inks shows at each place of a seamless tile.

A pattern gives shares of colours, float32 (side, side, n), adding up to 1, or (1, 1, n) for plain cloth,
from the number of its repeats in a tile's side and the number of colours. Must not know the colours
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.materials.fabric_tiles import (
    SIDE,
    grid,
    highest,
    inside,
    nearest,
    noise,
    scattered,
    whole,
)

Floats = NDArray[np.float32]

SETT = (
    (0.30, 0.13, 1), (0.80, 0.10, 2), (0.55, 0.018, 3), (0.05, 0.018, 3), (0.17, 0.012, 2), (0.43, 0.012, 2),
)  # fmt: skip
"""Bands of a tartan: middle and half width in a repeat, and colour."""


def _layers(count: int, *layers: tuple[int, Floats]) -> Floats:
    """Shares of ``count`` colours: the first everywhere, and others laid over it in order."""
    found = np.zeros((SIDE, SIDE, count), np.float32)
    found[..., 0] = 1
    for colour, cover in layers:
        found *= (1 - cover)[..., None]
        found[..., colour % count] += cover
    return found


def _blots(seed: int, cell: float, share: float, width: float = 0.12) -> Floats:
    """Soft-edged blots that cover a share of the tile."""
    return highest(noise(seed, cell), share, width)


def _angles(seed: int, number: NDArray[np.int32]) -> Floats:
    """An angle by chance for each numbered thing."""
    chance = np.random.default_rng(seed).uniform(0, 2 * np.pi, int(number.max()) + 1)
    return chance.astype(np.float32)[number]


def _plain(repeat: int, count: int) -> Floats:
    return np.eye(1, count, dtype=np.float32)[None]


def _stripes(repeat: int, count: int) -> Floats:
    """Rings around the body, as on a sailor's shirt."""
    _, y = grid(repeat)
    bands = [inside(np.abs(y - (index + 0.5) / count) - 0.5 / count, repeat) for index in range(1, count)]
    return _layers(count, *((index + 1, whole(band)) for index, band in enumerate(bands)))


def _pinstripe(repeat: int, count: int) -> Floats:
    x, _ = grid(repeat)
    return _layers(count, (1, whole(0.85 * inside(np.abs(x - 0.5) - 0.035, repeat))))


def _dots(repeat: int, count: int) -> Floats:
    x, y = grid(repeat)
    first, second = np.hypot(x - 0.25, y - 0.25) - 0.135, np.hypot(x - 0.75, y - 0.75) - 0.135
    return _layers(count, (1, inside(first, repeat)), (count - 1, inside(second, repeat)))


def _gingham(repeat: int, count: int) -> Floats:
    x, y = grid(repeat)
    warp, weft = inside(np.abs(x - 0.5) - 0.25, repeat), inside(np.abs(y - 0.5) - 0.25, repeat)
    return _layers(count, (1, np.asarray((warp + weft) * 0.5, np.float32)))


def _plaid(repeat: int, count: int) -> Floats:
    """A tartan: the same bands of yarn in warp and weft, in the diagonals of a twill where they cross."""
    phase = grid(repeat)[0].ravel()
    yarns = np.zeros((SIDE, count), np.float32)
    yarns[:, 0] = 1
    for middle, reach, colour in SETT:
        cover = inside(np.abs((phase - middle + 0.5) % 1 - 0.5) - reach, repeat)
        yarns *= 1 - cover[:, None]
        yarns[:, colour % count] += cover
    across, along = np.meshgrid(np.arange(SIDE), np.arange(SIDE))
    # The twill is finer than the eye sees from afar: half of the mixture is even.
    warp = (0.25 + 0.5 * ((across + along) // 4 % 2)).astype(np.float32)[..., None]
    return np.asarray(warp * yarns[None] + (1 - warp) * yarns[:, None], np.float32)


def _houndstooth(repeat: int, count: int) -> Floats:
    """A twill of two over two, of four dark and four light threads both ways."""
    x, y = grid(repeat)
    column, row = np.floor(x * 8).astype(int), np.floor(y * 8).astype(int)
    dark = np.where((column + row) % 4 < 2, column < 4, row < 4)
    return _layers(count, (1, dark.astype(np.float32)))


def _camouflage(repeat: int, count: int) -> Floats:
    shares = zip(range(1, count), (0.42, 0.28, 0.16), strict=False)
    return _layers(count, *((index, _blots(20 + index, SIDE / repeat, share)) for index, share in shares))


def _leopard(repeat: int, count: int) -> Floats:
    """Rosettes: broken dark rings around darker middles."""
    cell = 1 / repeat
    distance, _, _ = nearest(scattered(repeat, 7))
    shaken = distance + 0.09 * cell * noise(31, SIDE / repeat / 2)
    ring = inside(np.abs(shaken - 0.34 * cell) - 0.10 * cell) * _blots(32, SIDE / repeat / 1.6, 0.7)
    return _layers(count, (2, inside(shaken - 0.24 * cell)), (1, ring))


def _zebra(repeat: int, count: int) -> Floats:
    _, y = grid(1)
    wave = np.sin(2 * np.pi * (repeat * y + 0.9 * noise(41, 260) + 0.25 * noise(42, 90)))
    return _layers(count, (1, np.asarray(np.clip(wave * 4 + 0.5, 0, 1), np.float32)))


def _tie_dye(repeat: int, count: int) -> Floats:
    """Spirals of colours around the tile's middle and halfway to the next, bled into each other."""
    x, y = grid(1)
    # Near a middle the way to it; periodic, so that the tile has no seam.
    across, down = (np.sin(2 * np.pi * (at - 0.5)) / (2 * np.pi) for at in (x, y))
    phase = np.arctan2(down, across) / (2 * np.pi) + np.log(np.hypot(across, down) + 0.06) * 0.55
    phase = (phase + 0.035 * noise(51, 60) + 0.03 * noise(52, 18)) * count % count
    apart = [np.minimum(np.abs(phase - index), count - np.abs(phase - index)) for index in range(count)]
    found = np.clip(1.15 - np.stack(apart, -1), 0, 1)
    return np.asarray(found / found.sum(-1, keepdims=True), np.float32)


def _floral(repeat: int, count: int) -> Floats:
    """Small flowers of five petals among leaves."""
    cell = 1 / repeat
    distance, turn, number = nearest(scattered(repeat, 61))
    angle = turn + _angles(62, number)
    petals = inside(distance - cell * (0.26 + 0.09 * np.cos(5 * angle)))
    leaves = inside(distance - cell * (0.30 + 0.2 * np.cos(2 * angle))) * (np.cos(angle) > -0.2)
    kind = (number % 2).astype(np.float32)
    heart = inside(distance - cell * 0.09)
    return _layers(count, (3, leaves), (1, petals * kind), (2, petals * (1 - kind)), (4, heart))


def _hawaiian(repeat: int, count: int) -> Floats:
    """Hibiscus blossoms over palm fronds."""
    cell = 1 / repeat
    away, around, frond = nearest(scattered(repeat, 73))
    lean = around + _angles(74, frond)
    feathered = 0.2 * np.cos(7.5 * lean) ** 2 + 0.16 * np.cos(lean)
    leaves = inside(away - cell * (0.24 + feathered))
    distance, turn, number = nearest(scattered(repeat, 71))
    angle = turn + _angles(72, number)
    bloom = inside(distance - cell * (0.25 + 0.075 * np.cos(5 * angle) + 0.02 * np.cos(25 * angle)))
    vein = 0.35 * bloom * (np.abs(np.sin(2.5 * angle)) < 0.18) * inside(distance - cell * 0.22)
    heart = inside(distance - cell * 0.07)
    return _layers(count, (2, leaves), (1, bloom), (3, vein.astype(np.float32)), (3, heart))


def _mottled(repeat: int, count: int) -> Floats:
    """Yarns of several colours twisted together, as in tweed."""
    shares = zip(range(1, count), (0.35, 0.14, 0.05), strict=False)
    return _layers(count, *((index, 0.8 * _blots(80 + index, 4.5, share, 0.6)) for index, share in shares))


def _faded(repeat: int, count: int) -> Floats:
    """Indigo, washed out in upright streaks."""
    streaks = 0.25 + 0.16 * noise(91, 5, 60) + 0.12 * noise(92, 120)
    return _layers(count, (1, np.asarray(np.clip(streaks, 0, 0.6), np.float32)))


PATTERNS: Mapping[str, Callable[[int, int], Floats]] = {
    "plain": _plain,
    "stripes": _stripes,
    "pinstripe": _pinstripe,
    "dots": _dots,
    "gingham": _gingham,
    "plaid": _plaid,
    "houndstooth": _houndstooth,
    "camouflage": _camouflage,
    "leopard": _leopard,
    "zebra": _zebra,
    "tie-dye": _tie_dye,
    "floral": _floral,
    "hawaiian": _hawaiian,
    "mottled": _mottled,
    "faded": _faded,
}
"""Patterns by name."""
