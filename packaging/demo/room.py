"""The room behind the person: its shape. Must not know light or colours."""

from __future__ import annotations

import math

from shapes import (
    box,
    capsule,
    clamp,
    compiled,
    ellipsoid,
    hashed,
    smin,
    sphere,
)

WALL_Z = -6.0
LAMP = (5.75, -0.85, -4.9)
WINDOW = (-5.15, 1.05, 1.95, 2.45)  # centre x, y; half width, half height
WALL, GLASS, WOOD, CURTAIN, BOOK, PAINT, SHADE, BRASS, LEAF, POT, FRAME = range(11)
SHELVES = (0.55, 2.55)
SHELF_FROM, SHELF_TO = 2.95, 9.0


@compiled
def leaf(
    x: float,
    y: float,
    z: float,
    bx: float,
    by: float,
    bz: float,
    turn: float,
    rise: float,
    length: float,
    width: float,
) -> float:
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
def plant(x: float, y: float, z: float) -> tuple[float, int]:
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
def trailing(x: float, y: float, z: float) -> tuple[float, int]:
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
def book_at(slot: int, row: int) -> tuple[float, float, float, float]:
    """One book's left edge, width, height, depth; slots run from left to right."""
    x = SHELF_FROM + 0.12 + 0.235 * slot
    width = 0.15 + 0.075 * hashed(slot, row, 1)
    height = 0.85 + 0.50 * hashed(slot, row, 2)
    return x, width, height, 0.55 + 0.25 * hashed(slot, row, 3)


@compiled
def has_book(slot: int, row: int) -> bool:
    """Whether a slot of a shelf holds a book: there are gaps for a plant and for air."""
    if row == 1:
        return (6 <= slot <= 13) or slot >= 17
    return slot <= 7 or 11 <= slot <= 15 or slot >= 18


@compiled
def books(x: float, y: float, z: float) -> tuple[float, int]:
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
def scene(x: float, y: float, z: float, with_plants: bool) -> tuple[float, int, int]:
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
def distance(x: float, y: float, z: float) -> float:
    """Distance to the room with its plants."""
    return scene(x, y, z, True)[0]
