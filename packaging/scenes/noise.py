"""Procedural noise for textures, terrain and clouds: hashed value noise, its octaves (fractional Brownian
motion) and ridges, compiled by numba on plain floats.

Value noise with quintic interpolation (Perlin, Improving Noise, 2002); ridged noise after Musgrave (Texturing
and Modeling, 1994). Must not know scenes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compiles with numba, freely reordering arithmetic; kept on disk between runs."""
    return cast(F, numba.njit(fastmath=True, error_model="numpy", cache=True, nogil=True)(function))


@compiled
def hashed(i: int, j: int, k: int) -> float:
    """A random number 0..1 for a lattice point."""
    n = (
        np.uint32(i) * np.uint32(374761393)
        + np.uint32(j) * np.uint32(668265263)
        + np.uint32(k) * np.uint32(2147483647)
    )
    n = np.uint32((n ^ (n >> np.uint32(13))) * np.uint32(1274126177))
    n = np.uint32((n ^ (n >> np.uint32(16))) * np.uint32(2246822519))
    n = np.uint32(n ^ (n >> np.uint32(15)))
    return float(n) * (1.0 / 4294967296.0)


@compiled
def noise(x: float, y: float, z: float) -> float:
    """Value noise, 0..1."""
    fx, fy, fz = math.floor(x), math.floor(y), math.floor(z)
    i, j, k = int(fx), int(fy), int(fz)
    x, y, z = x - fx, y - fy, z - fz
    u = x * x * x * (x * (x * 6 - 15) + 10)
    v = y * y * y * (y * (y * 6 - 15) + 10)
    w = z * z * z * (z * (z * 6 - 15) + 10)
    a, b = hashed(i, j, k), hashed(i + 1, j, k)
    c, d = hashed(i, j + 1, k), hashed(i + 1, j + 1, k)
    e, f = hashed(i, j, k + 1), hashed(i + 1, j, k + 1)
    g, h = hashed(i, j + 1, k + 1), hashed(i + 1, j + 1, k + 1)
    low = (a + (b - a) * u) * (1 - v) + (c + (d - c) * u) * v
    high = (e + (f - e) * u) * (1 - v) + (g + (h - g) * u) * v
    return low + (high - low) * w


@compiled
def fractal(x: float, y: float, z: float, octaves: int) -> float:
    """Fractional Brownian motion, about 0..1 around 0.5."""
    total, weight, norm = 0.0, 1.0, 0.0
    for _ in range(octaves):
        total += weight * noise(x, y, z)
        norm += weight
        weight *= 0.5
        # Turned by an angle each octave, so that lattices do not line up.
        x, y, z = 1.6 * x + 1.2 * z + 11.3, 2.0 * y + 7.1, 1.6 * z - 1.2 * x + 3.7
    return total / norm


@compiled
def ridged(x: float, y: float, z: float, octaves: int) -> float:
    """Ridged multifractal noise, 0..1: crests and valleys."""
    total, weight, norm, before = 0.0, 1.0, 0.0, 1.0
    for _ in range(octaves):
        n = 1 - abs(2 * noise(x, y, z) - 1)
        n = n * n
        total += weight * n * before
        norm += weight
        before = min(max(n * 1.4, 0.0), 1.0)
        weight *= 0.5
        x, y, z = 1.6 * x + 1.2 * z + 5.3, 2.0 * y + 9.1, 1.6 * z - 1.2 * x + 8.7
    return total / norm


@compiled
def step(low: float, high: float, x: float) -> float:
    """Smooth step from 0 at ``low`` to 1 at ``high`` (which may be the smaller one)."""
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@compiled
def fill_map(kind, x, z, octaves, seed, out):
    """Fills an array with fractal (0) or ridged (1) noise at places x, z."""
    for j in range(x.shape[0]):
        for i in range(x.shape[1]):
            if kind == 0:
                out[j, i] = fractal(x[j, i], seed * 3.7, z[j, i], octaves)
            else:
                out[j, i] = ridged(x[j, i], seed * 3.7, z[j, i], octaves)


def fractal_map(x, z, octaves=6, seed=1.0):  # type: ignore[no-untyped-def]
    """Fractal noise at arrays of places, 0..1."""
    out = np.empty(x.shape, np.float32)
    fill_map(0, np.asarray(x, np.float64), np.asarray(z, np.float64), octaves, seed, out)
    return out


def ridged_map(x, z, octaves=6, seed=1.0):  # type: ignore[no-untyped-def]
    """Ridged noise at arrays of places, 0..1."""
    out = np.empty(x.shape, np.float32)
    fill_map(1, np.asarray(x, np.float64), np.asarray(z, np.float64), octaves, seed, out)
    return out
