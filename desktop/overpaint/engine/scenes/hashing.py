"""Random numbers and smooth noise for motion, by lattice point and time; without state, frame by frame.

Value noise (Perlin, Improving Noise, 2002) on an integer hash. Must not know pictures.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from overpaint.engine.kernels.compilation import f32, kernel


@kernel
def chance(index: int, salt: int) -> float:
    """A random number 0..1 for an index."""
    n = np.uint64(index) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(salt) * np.uint64(0xC2B2AE3D27D4EB4F)
    n = (n ^ (n >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    n = (n ^ (n >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    return float((n ^ (n >> np.uint64(32))) & np.uint64(0xFFFFFF)) * (1.0 / 16777216.0)


@kernel
def corner(i: int, j: int, k: int) -> Any:
    """A random number 0..1 for a lattice point."""
    n = np.uint32(i * 374761393 + j * 668265263 + k * 1440662683)
    n = np.uint32((n ^ (n >> np.uint32(13))) * np.uint32(1274126177))
    n = np.uint32(n ^ (n >> np.uint32(16)))
    return f32(n & np.uint32(0xFFFF)) * f32(1 / 65536)


@kernel
def smooth_noise(x: float, y: float, z: float) -> Any:
    """Value noise, 0..1; its lattice has a point at every whole number."""
    fx, fy, fz = math.floor(x), math.floor(y), math.floor(z)
    i, j, k = int(fx), int(fy), int(fz)
    u, v, w = f32(x - fx), f32(y - fy), f32(z - fz)
    u, v, w = u * u * (3 - 2 * u), v * v * (3 - 2 * v), w * w * (3 - 2 * w)
    a, b, c, d = corner(i, j, k), corner(i + 1, j, k), corner(i, j + 1, k), corner(i + 1, j + 1, k)
    near = (a + (b - a) * u) * (1 - v) + (c + (d - c) * u) * v
    a, b, c, d = (
        corner(i, j, k + 1), corner(i + 1, j, k + 1), corner(i, j + 1, k + 1), corner(i + 1, j + 1, k + 1),
    )  # fmt: skip
    far = (a + (b - a) * u) * (1 - v) + (c + (d - c) * u) * v
    return near + (far - near) * w
