"""Colours and light of the room, and one careful rendering of it.

The room does not move, so it is traced once into layers that the film recombines for every frame: what
sky and lamp light, what the sun lights, where the window's glass is, and where everything stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray
from room import (
    BOOK,
    BRASS,
    CURTAIN,
    FRAME,
    GLASS,
    LAMP,
    LEAF,
    PAINT,
    POT,
    SHADE,
    WALL,
    WALL_Z,
    WINDOW,
    WOOD,
    distance,
    scene,
)
from shading import EYE_DISTANCE, EYE_HEIGHT, HALF_VIEW
from shapes import Triple, clamp, compiled, fractal, hashed, mix, noise, step

SUN = (-0.62, 0.52, 0.588)


@compiled
def book_colour(n: int, x: float, y: float, z: float) -> Triple:
    """A book's cloth and its gilded lines."""
    h = hashed(n, 21, 4)
    palette = int(h * 6.99)
    r, g, b = 0.35, 0.07, 0.05
    if palette == 1:
        r, g, b = 0.05, 0.16, 0.20
    elif palette == 2:
        r, g, b = 0.55, 0.36, 0.16
    elif palette == 3:
        r, g, b = 0.62, 0.56, 0.45
    elif palette == 4:
        r, g, b = 0.08, 0.19, 0.12
    elif palette == 5:
        r, g, b = 0.50, 0.20, 0.08
    elif palette == 6:
        r, g, b = 0.12, 0.12, 0.22
    line = y * 3.1 + h * 7.0
    f = line - math.floor(line)
    band = step(0.06, 0.03, abs(f - 0.5)) + step(0.02, 0.01, abs(f - 0.62))
    return mix(r, 0.75, 0.6 * band), mix(g, 0.58, 0.6 * band), mix(b, 0.30, 0.6 * band)


@compiled
def painting(u: float, v: float) -> Triple:
    """An abstract landscape: sun over hills. u, v in −1…1."""
    n = fractal(u * 3.0 + 5.0, v * 3.0, 2.0) - 0.5
    t = 0.5 + 0.5 * v
    r, g, b = mix(0.75, 0.28, t), mix(0.50, 0.42, t), mix(0.30, 0.48, t)
    disc = step(0.30, 0.26, math.sqrt((u - 0.25) ** 2 + (1.28 * (v - 0.25)) ** 2) + 0.05 * n)
    r, g, b = mix(r, 0.85, disc), mix(g, 0.33, disc), mix(b, 0.12, disc)
    far = step(0.0, -0.05, v + 0.10 - 0.20 * math.sin(u * 2.4 + 0.5) - 0.2 * n)
    r, g, b = mix(r, 0.16, far), mix(g, 0.27, far), mix(b, 0.30, far)
    near = step(0.0, -0.05, v + 0.48 + 0.18 * math.sin(u * 2.0 - 0.6) - 0.2 * n)
    r, g, b = mix(r, 0.05, near), mix(g, 0.13, near), mix(b, 0.12, near)
    return r * (0.85 + 0.5 * n), g * (0.85 + 0.5 * n), b * (0.85 + 0.5 * n)


@compiled
def colour(kind: int, sub: int, x: float, y: float, z: float) -> Triple:
    """Albedo, linear RGB."""
    if kind == WALL:
        n = fractal(x * 0.9, y * 0.9, 1.0) - 0.5
        grain = noise(x * 14.0, y * 14.0, 2.0) - 0.5
        k = 1.0 + 0.16 * n + 0.10 * grain
        if y < -4.9:
            return 0.6 * k, 0.58 * k, 0.52 * k
        return 0.300 * k, 0.400 * k, 0.370 * k
    if kind == WOOD:
        n = noise(x * 1.6, y * 22.0 + 3.0 * noise(x * 0.8, y, z), z * 22.0)
        k = 0.70 + 0.55 * n
        return 0.34 * k, 0.185 * k, 0.085 * k
    if kind == FRAME:
        return 0.74, 0.70, 0.62
    if kind == CURTAIN:
        weave = 0.9 + 0.2 * noise(x * 30.0, y * 12.0, z * 30.0)
        return 0.66 * weave, 0.50 * weave, 0.36 * weave
    if kind == BOOK:
        return book_colour(sub, x, y, z)
    if kind == PAINT:
        u, v = (x - 1.72) / 0.70, (y - 1.72) / 0.90
        if abs(u) > 0.80 or abs(v) > 0.84:
            return 0.78, 0.75, 0.68
        return painting(u / 0.8, v / 0.84)
    if kind == LEAF:
        if sub == 99:
            return 0.16, 0.12, 0.06
        k = 0.7 + 0.5 * hashed(sub, 4, 4) + 0.2 * noise(x * 9.0, y * 9.0, z * 9.0)
        if sub >= 30:
            return 0.17 * k, 0.38 * k, 0.10 * k
        return 0.085 * k, 0.29 * k, 0.105 * k
    if kind == POT:
        k = 0.85 + 0.3 * noise(x * 6.0, y * 20.0, z * 6.0)
        return 0.50 * k, 0.30 * k, 0.20 * k
    if kind == BRASS:
        return 0.50, 0.33, 0.12
    return 0.8, 0.6, 0.4


@compiled
def shadow(x: float, y: float, z: float, dx: float, dy: float, dz: float, far: float, width: float) -> float:
    """How much light arrives from the direction d, no further than ``far``, 0…1; ``width`` softens."""
    lit, t = 1.0, 0.05
    for _ in range(40):
        d = distance(x + dx * t, y + dy * t, z + dz * t)
        lit = min(lit, 0.5 + 0.5 * d / (width * t))
        if lit <= 0.0:
            return 0.0
        t += clamp(d, 0.03, 0.5)
        if t > far:
            break
    return lit * lit * (3.0 - 2.0 * lit)


@compiled
def trace(sx: float, sy: float, with_plants: bool) -> tuple[float, float, float, int, int]:
    """One ray: hit?, position, kind, sub."""
    dx, dy, dz = sx * HALF_VIEW, sy * HALF_VIEW, -1.0
    length = math.sqrt(dx * dx + dy * dy + 1.0)
    dx, dy, dz = dx / length, dy / length, dz / length
    t = (EYE_DISTANCE + 0.6) * length
    kind, sub = WALL, 0
    for _ in range(120):
        x, y, z = dx * t, EYE_HEIGHT + dy * t, EYE_DISTANCE + dz * t
        d, kind, sub = scene(x, y, z, with_plants)
        if d < 0.003:
            break
        t += d * 0.9
    return dx * t, EYE_HEIGHT + dy * t, EYE_DISTANCE + dz * t, kind, sub


@numba.njit(fastmath=True, parallel=True, error_model="numpy")
def _render(
    soft: NDArray[np.float32], sunny: NDArray[np.float32], place: NDArray[np.float32], with_plants: bool
) -> None:
    """Fills the three layers, as ``RoomLayers`` says."""
    height, width = place.shape[0], place.shape[1]
    for row in numba.prange(height):
        for col in range(width):
            sx, sy = (2.0 * col + 1.0 - width) / height, 1.0 - (2.0 * row + 1.0) / height
            x, y, z, kind, sub = trace(sx, sy, with_plants)
            place[row, col, 0], place[row, col, 1], place[row, col, 2] = x, y, z
            if kind == GLASS:
                place[row, col, 3] = 1.0
                continue
            if kind == LEAF:
                place[row, col, 4] = 1.0
            e = 0.006
            c = distance(x, y, z)
            nx, ny, nz = distance(x + e, y, z) - c, distance(x, y + e, z) - c, distance(x, y, z + e) - c
            n = math.sqrt(nx * nx + ny * ny + nz * nz) + 1e-9
            nx, ny, nz = nx / n, ny / n, nz / n
            r, g, b = colour(kind, sub, x, y, z)
            ao, weight = 0.0, 1.0
            for i in range(5):
                h = 0.04 + 0.17 * i
                ao += max(h - distance(x + nx * h, y + ny * h, z + nz * h), 0.0) * weight
                weight *= 0.7
            ao = clamp(1.0 - 0.85 * ao, 0.08, 1.0)
            # light from the window: strongest near it, from its direction
            wx, wy, wz = WINDOW[0] - x, WINDOW[1] + 0.4 - y, WALL_Z + 0.6 - z
            far = math.sqrt(wx * wx + wy * wy + wz * wz)
            into = max(0.25 + 0.75 * (nx * wx + ny * wy + nz * wz) / far, 0.0) / (1.0 + 0.045 * far * far)
            # the lamp, shining mostly up and down out of its shade
            lx, ly, lz = LAMP[0] - x, LAMP[1] - y, LAMP[2] - z
            near = math.sqrt(lx * lx + ly * ly + lz * lz)
            up = step(0.15, 0.75, abs(ly) / (near + 1e-6))
            warm = max((nx * lx + ny * ly + nz * lz) / near + 0.15, 0.0) / (0.35 + 0.55 * near * near)
            warm *= 0.25 + 0.9 * up
            if near > 0.8 and kind != SHADE:
                warm *= 0.25 + 0.75 * shadow(
                    x + nx * 0.02, y, z + nz * 0.02, lx / near, ly / near, lz / near, near - 0.8, 0.2
                )
            sky = 0.30 + 0.12 * ny + 0.13 * nz
            soft[row, col, 0] = r * (ao * (0.88 * sky + 0.55 * into) + 2.3 * warm)
            soft[row, col, 1] = g * (ao * (0.94 * sky + 0.62 * into) + 1.15 * warm)
            soft[row, col, 2] = b * (ao * (1.00 * sky + 0.72 * into) + 0.40 * warm)
            if kind == CURTAIN:  # daylight through the cloth
                glow = 0.16 * step(3.4, 0.5, abs(y - 1.0))
                soft[row, col, 0] += 1.0 * glow * r
                soft[row, col, 1] += 0.95 * glow * g
                soft[row, col, 2] += 0.85 * glow * b
            if kind == SHADE:
                core = 1.0 - 0.55 * abs(y - LAMP[1] + 0.1) / 0.5
                edge = 0.55 + 0.45 * abs(nz)
                soft[row, col, 0] = 2.5 * core * edge
                soft[row, col, 1] = 1.42 * core * edge
                soft[row, col, 2] = 0.62 * core * edge
            facing = max(nx * SUN[0] + ny * SUN[1] + nz * SUN[2], 0.0)
            if facing > 0.0 and kind != SHADE:
                s = facing * shadow(
                    x + nx * 0.02, y + ny * 0.02, z + nz * 0.02, SUN[0], SUN[1], SUN[2], 5.0, 0.05
                )
                sunny[row, col, 0], sunny[row, col, 1], sunny[row, col, 2] = (
                    2.1 * r * s,
                    1.75 * g * s,
                    1.15 * b * s,
                )


@dataclass(frozen=True, slots=True)
class RoomLayers:
    """The room, traced once. All float32, linear light.

    Attributes:
        soft: (H, W, 3) lit by sky and lamp.
        sunny: (H, W, 3) lit by an unbroken sun.
        place: (H, W, 5) scene x, y, z of what is seen, 1 where it is the window's glass, 1 on leaves.
    """

    soft: NDArray[np.float32]
    sunny: NDArray[np.float32]
    place: NDArray[np.float32]


def render_room(width: int, height: int, with_plants: bool) -> RoomLayers:
    """Traces the room at the given size (pixels). Plants cast their shadows even where they are left out."""
    soft = np.zeros((height, width, 3), np.float32)
    sunny = np.zeros((height, width, 3), np.float32)
    place = np.zeros((height, width, 5), np.float32)
    _render(soft, sunny, place, with_plants)
    return RoomLayers(soft, sunny, place)
