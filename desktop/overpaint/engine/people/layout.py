"""Layout of people (a part atlas): prior probabilities of skin, hair and clothes about a head.

Distances are in radii of the face (half its width), from its middle, so one drawing serves all heads. Must
not know colours.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.people.heads import Head
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

UNIT = 16
"""Pixels of the drawing in one radius of the face."""

LEFT, TOP, RIGHT, BOTTOM = -6.0, -4.0, 6.0, 9.0
"""Extent of the drawing, radii; what lies beyond is as its border is."""


def _rise(value: Floats, low: float, high: float) -> Floats:
    share = np.clip((value - low) / (high - low), 0, 1)
    return np.asarray(share * share * (3 - 2 * share), np.float32)


@cache
def atlas() -> Floats:
    """Priors of skin, hair, clothes and something else about a head, adding up to 1.

    Returns:
        float32 (2, rows, columns, 4): heads seen from behind, and faces.
    """
    x = np.arange(LEFT, RIGHT + 1e-6, 1 / UNIT, dtype=np.float32)[None]
    y = np.arange(TOP, BOTTOM + 1e-6, 1 / UNIT, dtype=np.float32)[:, None]
    x, y = np.abs(x) + 0 * y, y + 0 * x
    return np.stack([_drawn(x, y, 0.0), _drawn(x, y, 1.0)])


def _drawn(x: Floats, y: Floats, turned: float) -> Floats:
    """The atlas at distances from the face's middle, sideways and down; ``turned`` is 1 for a face."""
    front = (1 - _rise(np.hypot(x, (y - 0.1) / 1.4), 0.95, 1.3)) * np.float32(turned)
    cheeks = (1 - _rise(np.hypot(x / 1.25, (y - 0.3) / 1.4), 0.85, 1.15)) * np.float32(turned)
    crown = 1 - _rise(np.hypot(x, (y + 0.4) / 1.15), 1.5, 2.0)
    brow = front * (1 - _rise(y, -1.2, -0.45))
    # Long hair hangs beside the neck down to the chest.
    lengths = (1 - _rise(x, 1.5, 2.3)) * _rise(x, 0.5, 0.9) * (1 - _rise(y, 1.2, 4.5))
    neck = (1 - _rise(x, 0.75, 1.2)) * _rise(y, 0.9, 1.3) * (1 - _rise(y, 1.9, 3.0))
    # Shoulders begin the lower, the nearer they are to the neck, at which they are collars.
    body = _rise(np.asarray(y - 1.55 + 0.12 * np.maximum(0, x - 1), np.float32), -0.25, 0.5)
    skin = 0.9 * front * (1 - 0.5 * brow) + (0.6 * neck + 0.4 * cheeks) * (1 - front) + 0.04 + 0.16 * body
    hair = (
        (0.75 - 0.6 * cheeks) * crown * (1 - front)
        + 0.45 * brow
        + 0.4 * lengths * (1 - front) * (1 - 0.6 * neck)
        + 0.003
    )
    clothes = (0.85 * body + 0.01) * (1 - 0.75 * neck) * (1 - front) + 0.002
    other = 0.015 + 0.05 * crown * (1 - front)
    found = np.stack([skin, hair, clothes, other], -1)
    return np.asarray(found / found.sum(-1, keepdims=True), np.float32)


def places(heads: list[Head]) -> Floats:
    """Heads for kernels: float32 (n, 4) of column, row, radius, and how surely it shows its face."""
    return np.array(
        [(head.x, head.y, head.radius, min(1.0, max(0.6, 6 * head.skin - 0.5))) for head in heads], np.float32
    )


def face(head: Head, shape: tuple[int, int]) -> Floats:
    """How surely pixels show a head's face: 1 in its middle, 0 from hairline, ears and chin on."""
    return np.asarray(np.clip(2 - 2.4 * _distance(head, shape, 1.35), 0, 1), np.float32)


def owners(heads: list[Head], shape: tuple[int, int]) -> Plane:
    """Index of the nearest head at each pixel, uint8, in radii of each."""
    if len(heads) < 2:
        return np.zeros(shape, np.uint8)
    return np.asarray(np.argmin([_distance(head, shape, 1.0) for head in heads], 0), np.uint8)


def _distance(head: Head, shape: tuple[int, int], length: float) -> Floats:
    """Distance from a head's middle in radii; ``length`` is its height by its width."""
    across = (np.arange(shape[1], dtype=np.float32) - np.float32(head.x)) / np.float32(head.radius)
    down = (np.arange(shape[0], dtype=np.float32) - np.float32(head.y)) / np.float32(head.radius * length)
    return np.asarray(np.hypot(across[None], down[:, None]), np.float32)
