"""Tiles of fabrics: the phases, soft edges, noise and scattered points that patterns and reliefs are made of.

All of it is seamless: the tile's right border meets its left one, and its lower border the upper one. Must
not know patterns.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

SIDE = 1024
"""Side of the finest tile, pixels."""

COARSE = 8.0
"""Size of a bump from which noise is made at a quarter of the size, pixels."""


def grid(repeat: float) -> tuple[Floats, Floats]:
    """Phases 0..1 of each pixel within a repeat: x (1, side) and y (side, 1)."""
    phase = np.asarray((np.arange(SIDE) + 0.5) * (repeat / SIDE) % 1, np.float32)
    return phase[None], phase[:, None]


def inside(distance: NDArray[np.floating], unit: float = 1.0) -> Floats:
    """1 where a distance is negative, 0 where it is positive, with an edge two pixels wide.

    Args:
        distance: In units of which ``unit`` are the tile's side.
        unit: See ``distance``: the number of repeats, or 1.
    """
    return np.asarray(np.clip(0.5 - distance * (SIDE / unit / 2), 0, 1), np.float32)


def noise(seed: int, cell: float, streak: float = 0.0) -> Floats:
    """Smooth noise of mean 0 and standard deviation 1.

    Args:
        seed: Seed of the random numbers.
        cell: Size of a bump, pixels.
        streak: Length by which bumps are drawn out, pixels; upright where positive, level where negative.
    """
    step = 4 if cell >= COARSE else 1
    side, pad = SIDE // step, SIDE // 8
    small = np.random.default_rng(seed).standard_normal((side, side)).astype(np.float32)
    small = np.pad(small, pad, mode="wrap")
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), max(0.6, cell / 2 / step)), np.float32)
    if streak:
        length = max(1, round(abs(streak) / step))
        small = np.asarray(cv2.blur(small, (1, length) if streak > 0 else (length, 1)), np.float32)
    if step > 1:
        small = np.asarray(
            cv2.resize(small, None, fx=step, fy=step, interpolation=cv2.INTER_CUBIC), np.float32
        )
    pad *= step
    return normal(small[pad : pad + SIDE, pad : pad + SIDE])


def normal(values: NDArray[np.floating]) -> Floats:
    """Values shifted and scaled to mean 0 and standard deviation 1."""
    return np.asarray((values - values.mean()) / values.std(), np.float32)


def highest(values: Floats, share: float, width: float = 0.12) -> Floats:
    """1 where values are among the highest ``share``, with an edge ``width`` of their standard deviation
    wide.
    """
    level = float(np.quantile(values[::4, ::4], 1 - share))
    return np.asarray(np.clip((values - level) / width + 0.5, 0, 1), np.float32)


def scattered(repeat: int, seed: int) -> Floats:
    """Points on a shaken grid of ``repeat`` rows, the tile's side being 1: float32 (n, 2)."""
    rows, columns = np.meshgrid(np.arange(repeat), np.arange(repeat), indexing="ij")
    shift = np.random.default_rng(seed).uniform(-0.32, 0.32, (2, repeat, repeat))
    # Every second row is shifted by half a step, which needs an even number of rows to meet itself again.
    x = (columns + 0.5 + (0.5 * (rows % 2) if repeat % 2 == 0 else 0) + shift[0]) / repeat
    return np.asarray(np.stack([x.ravel() % 1, ((rows + 0.5 + shift[1]) / repeat).ravel()], -1), np.float32)


def nearest(points: Floats) -> tuple[Floats, Floats, NDArray[np.int32]]:
    """Distance to the nearest of many points, angle from it, and its number; the tile's side is 1."""
    side = SIDE // 2
    middles = (np.arange(side, dtype=np.float32) + 0.5) / side
    reach = 1.8 / len(points) ** 0.5
    best = np.full((side, side), reach, np.float32)
    turn, number = np.zeros_like(best), np.zeros(best.shape, np.int32)
    for index, (x, y) in enumerate(points):
        across, down = (middles - x + 0.5) % 1 - 0.5, (middles - y + 0.5) % 1 - 0.5
        columns, rows = np.flatnonzero(np.abs(across) < reach), np.flatnonzero(np.abs(down) < reach)
        part = np.ix_(rows, columns)
        distance = np.hypot(across[columns][None], down[rows][:, None])
        nearer = distance < best[part]
        best[part] = np.where(nearer, distance, best[part])
        turn[part] = np.where(nearer, np.arctan2(down[rows][:, None], across[columns][None]), turn[part])
        number[part] = np.where(nearer, index, number[part])
    size = (SIDE, SIDE)
    return (
        np.asarray(cv2.resize(best, size), np.float32),
        np.asarray(cv2.resize(turn, size, interpolation=cv2.INTER_NEAREST), np.float32),
        np.asarray(cv2.resize(number, size, interpolation=cv2.INTER_NEAREST), np.int32),
    )


def whole(values: NDArray[np.floating]) -> Floats:
    """Values of one row or column, repeated over the whole tile."""
    return np.asarray(np.broadcast_to(values, (SIDE, SIDE)), np.float32)
