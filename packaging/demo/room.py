"""The room behind the person: its shape, its surfaces and one careful rendering of it.

The room does not move, so it is traced once into layers that the film recombines for every frame:
what sky and lamp light, what the sun lights, where the window's glass is, and how far everything is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray
from shading import EYE_DISTANCE, EYE_HEIGHT, HALF_VIEW
from shapes import (
    box,
    capsule,
    clamp,
    compiled,
    ellipsoid,
    fractal,
    hashed,
    mix,
    noise,
    smin,
    sphere,
    step,
)

WALL_Z = -6.0
SUN = (-0.62, 0.52, 0.588)
LAMP = (5.75, -0.85, -4.9)
WINDOW = (-5.15, 1.05, 1.95, 2.45)  # centre x, y; half width, half height
WALL, GLASS, WOOD, CURTAIN, BOOK, PAINT, SHADE, BRASS, LEAF, POT, FRAME = range(11)
SHELVES = (0.55, 2.55)
SHELF_FROM, SHELF_TO = 2.95, 9.0


@compiled
def leaf(x, y, z, bx, by, bz, turn, rise, length, width):
    """A bent leaf that grows from b, first at the angle ``rise`` above the level, towards ``turn``."""
    x, y, z = x - bx, y - by, z - bz
    c, s = math.cos(turn), math.sin(turn)
    x, z = c * x + s * z, -s * x + c * z
    c, s = math.cos(rise), math.sin(rise)
    x, y = c * x + s * y, -s * x + c * y
    h = clamp(x / length, 0.0, 1.0)
    y += 0.34 * length * h * h
    y -= 0.25 * abs(z)
    half = width * math.sin(3.1416 * min(h**0.72, 1.0)) + 0.012
    dx = x - h * length
    dz = max(abs(z) - half, 0.0)
    return (math.sqrt(dx * dx + y * y + dz * dz) - 0.018) * 0.62


@compiled
def plant(x, y, z):
    """The rubber plant on the floor: leaves on three stems. Distance and the index of the leaf."""
    px, pz = -2.75, -3.6
    d, which = sphere(x - px, y + 1.5, z - pz, 2.5), -1
    if d > 0.4:
        return d, which
    d = 1e9
    for i in range(24):
        a, b = hashed(i, 3, 1), hashed(i, 7, 2)
        h = i / 23.0
        stem = i % 3
        lean = (stem - 1) * 0.35
        bx = px + lean * (0.3 + h) + 0.1 * (a - 0.5)
        by = -3.0 + 2.75 * h
        bz = pz + 0.25 * (b - 0.5)
        turn = i * 2.4 + 0.5 * a
        e = leaf(x, y, z, bx, by, bz, turn, 0.35 + 0.65 * h, 0.95 - 0.25 * h + 0.25 * b, 0.34 - 0.07 * h)
        if e < d:
            d, which = e, i
    for stem in range(3):
        lean = (stem - 1) * 0.35
        e = capsule(x, y, z, px + lean * 0.2, -4.2, pz, px + lean * 1.3, -0.3, pz, 0.045, 0.03)
        if e < d:
            d, which = e, 99
    return d, which


@compiled
def trailing(x, y, z):
    """A small plant that hangs from the upper shelf."""
    px, py, pz = 3.75, 2.95, -5.2
    d, which = sphere(x - px, y - py + 0.3, z - pz, 1.25), -1
    if d > 0.3:
        return d, which
    d = 1e9
    for i in range(26):
        a, b = hashed(i, 13, 1), hashed(i, 17, 2)
        turn = i * 2.4
        out = 0.18 + 0.22 * b
        drop = max(0.0, (i - 9) / 16.0)
        bx = px + math.cos(turn) * out * (1.0 + 0.6 * drop)
        bz = pz + abs(math.sin(turn)) * out + 0.25 * drop + 0.10
        by = py + 0.28 - 0.05 * i / 26.0 - drop * (0.9 + 0.35 * a)
        e = leaf(x, y, z, bx, by, bz, -turn + a, 0.75 - 1.1 * drop, 0.34 + 0.14 * a, 0.13)
        if e < d:
            d, which = e, i
    return d, which


@compiled
def book_at(slot, row):
    """One book's left edge, width, height, depth; slots run from left to right."""
    x = SHELF_FROM + 0.12 + 0.235 * slot
    width = 0.15 + 0.075 * hashed(slot, row, 1)
    height = 0.85 + 0.50 * hashed(slot, row, 2)
    return x, width, height, 0.55 + 0.25 * hashed(slot, row, 3)


@compiled
def has_book(slot, row):
    if row == 1:
        return (6 <= slot <= 13) or slot >= 17
    return slot <= 7 or 11 <= slot <= 15 or slot >= 18


@compiled
def books(x, y, z):
    """The nearest book: distance, its number."""
    best, which = 1e9, 0
    for row in range(2):
        base = SHELVES[row] + 0.06
        if y < base - 0.6 or y > base + 2.0:
            best = min(best, max(base - 0.55 - y, y - base - 1.9, 0.3))
            continue
        near = int((x - SHELF_FROM - 0.12) / 0.235)
        for slot in range(max(near - 2, 0), min(near + 3, 26)):
            if not has_book(slot, row):
                continue
            left, width, height, depth = book_at(slot, row)
            tilt = 0.13 * (hashed(slot, row, 7) > 0.86)
            bx = x - left - width * 0.5 + tilt * (y - base - height * 0.5)
            back = z - (WALL_Z + 0.16 + depth * 0.5)
            e = box(bx, y - base - height * 0.5, back, width * 0.5, height * 0.5, depth * 0.5, 0.03)
            if e < best:
                best, which = e, slot + 40 * row
        best = min(best, 0.45) if x < SHELF_FROM - 0.5 else best
    return best, which


@compiled
def scene(x, y, z, with_plants):
    """Distance to the room and which surface it is; ``sub`` tells books and leaves apart."""
    wx, wy = x - WINDOW[0], y - WINDOW[1]
    hole = max(abs(wx) - WINDOW[2], abs(wy) - WINDOW[3])
    d, kind, sub = max(z - WALL_Z, -hole), WALL, 0
    skirting = box(x, y + 5.4, z - WALL_Z, 30.0, 0.5, 0.07, 0.03)
    d = min(d, skirting)
    e = z - (WALL_Z - 0.55)
    if e < d:
        d, kind = e, GLASS
    bar = max(abs(abs(wx) - WINDOW[2] * 0.98) - 0.13, abs(wy) - WINDOW[3] - 0.1)
    bar = min(bar, max(abs(abs(wy) - WINDOW[3] * 0.98) - 0.13, abs(wx) - WINDOW[2] - 0.1))
    bar = min(bar, max(abs(wx) - 0.075, abs(wy) - WINDOW[3]))
    bar = min(bar, max(abs(wy - 0.55) - 0.065, abs(wx) - WINDOW[2]))
    e = max(bar, abs(z - WALL_Z + 0.22) - 0.13)
    e = min(e, box(wx, wy + WINDOW[3] + 0.1, z - WALL_Z - 0.2, WINDOW[2] + 0.35, 0.09, 0.48, 0.05))
    if e < d:
        d, kind = e, FRAME
    # curtains left and right of the window, and their rod
    cx = abs(wx) - 2.55
    fold = math.sin(wx * 8.5 + 0.7 * math.sin(y * 0.7)) + 0.35 * math.sin(wx * 19.0 + y * 0.5)
    e = box(cx, y - 0.2, z - WALL_Z - 0.72 + 0.13 * fold, 0.62, 4.4, 0.05, 0.04) * 0.55
    if e < d:
        d, kind = e, CURTAIN
    e = capsule(x, y, z, -9.0, 4.1, WALL_Z + 0.72, -1.6, 4.1, WALL_Z + 0.72, 0.06, 0.06)
    e = min(e, sphere(x + 1.55, y - 4.1, z - WALL_Z - 0.72, 0.13))
    if e < d:
        d, kind = e, BRASS
    # shelves, sideboard
    middle, half = (SHELF_FROM + SHELF_TO) * 0.5, (SHELF_TO - SHELF_FROM) * 0.5
    e = 1e9
    for row in range(2):
        e = min(e, box(x - middle, y - SHELVES[row], z - WALL_Z - 0.5, half, 0.06, 0.5, 0.02))
    top = -2.25
    e = min(e, box(x - 6.6, y - top, z - WALL_Z - 0.75, 3.7, 0.07, 0.80, 0.03))
    body = box(x - 6.6, y - top + 1.5, z - WALL_Z - 0.70, 3.6, 1.45, 0.70, 0.04)
    seam = abs((x + 0.2) / 1.55 - math.floor((x + 0.2) / 1.55) - 0.5) * 1.55
    e = min(e, max(body, -max(0.73 - seam, abs(z - WALL_Z - 1.4) - 0.04)))
    if e < d:
        d, kind = e, WOOD
    if x > SHELF_FROM - 1.2:
        e, which = books(x, y, z)
        if e < d:
            d, kind, sub = e, BOOK, which
        lx, ly, lz = x - LAMP[0], y - LAMP[1], z - LAMP[2]
        ring = math.sqrt(lx * lx + lz * lz)
        e = max(abs(ring - (0.62 - 0.22 * (ly + 0.42))) * 0.9 - 0.015, abs(ly) - 0.45)
        if e < d:
            d, kind = e, SHADE
        e = ellipsoid(lx, y - top - 0.36, lz, 0.30, 0.34, 0.30)
        e = smin(e, capsule(lx, y, lz, 0.0, top, 0.0, 0.0, LAMP[1], 0.0, 0.07, 0.04), 0.12)
        if e < d:
            d, kind = e, POT
        # three books lying on the sideboard, a bowl on them
        for i in range(3):
            e = box(
                x - 3.95 - 0.07 * i,
                y - top - 0.17 - 0.19 * i,
                z - LAMP[2],
                0.62 - 0.06 * i,
                0.085,
                0.42,
                0.03,
            )
            if e < d:
                d, kind, sub = e, BOOK, 90 + i
        e = ellipsoid(x - 4.0, y - top - 0.86, z - LAMP[2], 0.34, 0.24, 0.34)
        e = max(e, y - top - 0.93)
        if e < d:
            d, kind = e, POT
    # the picture
    px, py = x - 1.72, y - 1.72
    e = max(
        box(px, py, z - WALL_Z, 0.82, 1.02, 0.10, 0.02),
        -box(px, py, z - WALL_Z - 0.1, 0.70, 0.90, 0.08, 0.01),
    )
    if e < d:
        d, kind = e, WOOD
    e = box(px, py, z - WALL_Z, 0.75, 0.95, 0.05, 0.01)
    if e < d:
        d, kind = e, PAINT
    if with_plants:
        e, which = plant(x, y, z)
        if e < d:
            d, kind, sub = e, LEAF, which
        e, which = trailing(x, y, z)
        if e < d:
            d, kind, sub = e, LEAF, which + 30
        e = capsule(x, y, z, 3.75, 2.62, -5.2, 3.75, 3.1, -5.2, 0.26, 0.33)
        e = max(e, y - 3.2)
        if e < d:
            d, kind = e, POT
    return d, kind, sub


@compiled
def distance(x, y, z):
    return scene(x, y, z, True)[0]


@compiled
def book_colour(n, x, y, z):
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
def painting(u, v):
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
def colour(kind, sub, x, y, z):
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
            return 0.13 * k, 0.30 * k, 0.075 * k
        return 0.055 * k, 0.20 * k, 0.075 * k
    if kind == POT:
        k = 0.85 + 0.3 * noise(x * 6.0, y * 20.0, z * 6.0)
        return 0.50 * k, 0.30 * k, 0.20 * k
    if kind == BRASS:
        return 0.50, 0.33, 0.12
    return 0.8, 0.6, 0.4


@compiled
def shadow(x, y, z, dx, dy, dz, far, width):
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
def trace(sx, sy, with_plants):
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


@numba.njit(fastmath=True, parallel=True, error_model="numpy")  # type: ignore[untyped-decorator]
def _render(soft, sunny, place, with_plants):
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
            sky = 0.20 + 0.10 * ny + 0.10 * nz
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
