"""Signed-distance shapes, noise and small maths for the demo clip's ray marcher.

Everything is compiled by numba and works on plain floats: a tuple costs nothing there, an array does.
Distances are in decimetres-ish scene units (the person's head is about two units high). Shapes follow
the standard distance-field constructions: exact for spheres, capsules and boxes, first order for
ellipsoids. This module must not know the scene.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Triple = tuple[float, float, float]
F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compiles with numba, freely reordering arithmetic."""
    return cast(F, numba.njit(fastmath=True, error_model="numpy")(function))


@compiled
def clamp(x: float, low: float, high: float) -> float:
    """x, held between low and high."""
    return min(max(x, low), high)


@compiled
def mix(a: float, b: float, t: float) -> float:
    """From a (t = 0) to b (t = 1)."""
    return a + (b - a) * t


@compiled
def step(low: float, high: float, x: float) -> float:
    """Smooth step from 0 at ``low`` to 1 at ``high`` (which may be the smaller one)."""
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@compiled
def smin(a: float, b: float, k: float) -> float:
    """Union with a fillet about ``k`` wide."""
    h = max(k - abs(a - b), 0.0) / k
    return min(a, b) - h * h * k * 0.25


@compiled
def smax(a: float, b: float, k: float) -> float:
    """Intersection with a fillet about ``k`` wide."""
    h = max(k - abs(a - b), 0.0) / k
    return max(a, b) + h * h * k * 0.25


@compiled
def sphere(x: float, y: float, z: float, r: float) -> float:
    """Exact."""
    return math.sqrt(x * x + y * y + z * z) - r


@compiled
def ellipsoid(x: float, y: float, z: float, a: float, b: float, c: float) -> float:
    """First order: exact near the surface."""
    x, y, z = x / a, y / b, z / c
    k0 = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / a, y / b, z / c
    k1 = math.sqrt(x * x + y * y + z * z)
    return k0 * (k0 - 1.0) / (k1 + 1e-9)


@compiled
def box(x: float, y: float, z: float, a: float, b: float, c: float, r: float) -> float:
    """A box of half sizes a, b, c whose edges are rounded by ``r``."""
    x, y, z = abs(x) - a + r, abs(y) - b + r, abs(z) - c + r
    px, py, pz = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    return math.sqrt(px * px + py * py + pz * pz) + min(max(x, max(y, z)), 0.0) - r


@compiled
def capsule(
    x: float,
    y: float,
    z: float,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    ra: float,
    rb: float,
) -> float:
    """A rod from a to b whose radius goes from ``ra`` to ``rb``."""
    x, y, z, bx, by, bz = x - ax, y - ay, z - az, bx - ax, by - ay, bz - az
    h = clamp((x * bx + y * by + z * bz) / (bx * bx + by * by + bz * bz), 0.0, 1.0)
    x, y, z = x - bx * h, y - by * h, z - bz * h
    return math.sqrt(x * x + y * y + z * z) - (ra + (rb - ra) * h)


@compiled
def torus(x: float, y: float, z: float, a: float, c: float, r: float) -> float:
    """A ring round the y axis, elliptic with half axes ``a`` (x) and ``c`` (z)."""
    q = math.sqrt((x / a) ** 2 + (z / c) ** 2)
    d = (q - 1.0) * min(a, c)
    return math.sqrt(d * d + y * y) - r


@compiled
def hashed(i: int, j: int, k: int) -> float:
    """A random-looking number in 0…1 for a lattice point."""
    n = (i * 374761393 + j * 668265263 + k * 1440662683) & 0x7FFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0x7FFFFFFF
    n = ((n ^ (n >> 16)) * 668265263) & 0x7FFFFFFF
    return ((n ^ (n >> 15)) & 0xFFFF) / 65535.0


@compiled
def noise(x: float, y: float, z: float) -> float:
    """Value noise in 0…1 with features one unit wide."""
    fx, fy, fz = math.floor(x), math.floor(y), math.floor(z)
    i, j, k = int(fx), int(fy), int(fz)
    u, v, w = x - fx, y - fy, z - fz
    u, v, w = u * u * (3 - 2 * u), v * v * (3 - 2 * v), w * w * (3 - 2 * w)
    a = mix(
        mix(hashed(i, j, k), hashed(i + 1, j, k), u), mix(hashed(i, j + 1, k), hashed(i + 1, j + 1, k), u), v
    )
    k += 1
    b = mix(
        mix(hashed(i, j, k), hashed(i + 1, j, k), u), mix(hashed(i, j + 1, k), hashed(i + 1, j + 1, k), u), v
    )
    return mix(a, b, w)


@compiled
def fractal(x: float, y: float, z: float) -> float:
    """Three octaves of noise, 0…1."""
    return (
        noise(x, y, z) * 0.57
        + noise(x * 2.03 + 7.1, y * 2.03, z * 2.03) * 0.29
        + noise(x * 4.1 + 3.3, y * 4.1, z * 4.1) * 0.14
    )
