"""Furniture and parts of rooms: walls, windows, shelves with books, seats, tables, lamps, pictures.

Lengths in metres; ``Palette`` makes the common materials once for a scene. Must not know scenes.
"""

from __future__ import annotations

import math

import numpy as np
from mesh import Build, Vector


class Palette:
    """Common materials of one scene."""

    def __init__(self, b: Build) -> None:
        m = b.material
        self.white = m((0.78, 0.77, 0.74))
        self.black = m((0.03, 0.03, 0.035), rough=0.4)
        self.steel = m((0.55, 0.55, 0.56), metal=1.0, rough=0.35)
        self.brass = m((0.75, 0.52, 0.24), metal=1.0, rough=0.3)
        self.oak = m((0.46, 0.29, 0.15), second=(0.30, 0.17, 0.08), texture="grain", scale=0.25, rough=0.4)
        self.pale = m((0.66, 0.50, 0.33), second=(0.52, 0.37, 0.22), texture="grain", scale=0.25, rough=0.45)
        self.walnut = m(
            (0.20, 0.11, 0.06), second=(0.11, 0.055, 0.03), texture="grain", scale=0.25, rough=0.35
        )
        self.paper = m((0.72, 0.68, 0.58))
        self.leaf = m((0.05, 0.16, 0.04), second=(0.14, 0.30, 0.08), texture="leaf", rough=0.35, through=0.25)
        self.clay = m((0.50, 0.25, 0.15), rough=0.8)
        self.pot = m((0.62, 0.60, 0.57), rough=0.5)
        self.glass = m((0.96, 0.98, 0.97), glass=1.0, rough=0.0)
        self.books = [m(c, rough=0.7) for c in (
            (0.32, 0.07, 0.06), (0.08, 0.16, 0.28), (0.10, 0.20, 0.13), (0.45, 0.32, 0.14),
            (0.55, 0.50, 0.42), (0.16, 0.09, 0.06), (0.05, 0.06, 0.08), (0.36, 0.20, 0.10),
            (0.25, 0.30, 0.34), (0.60, 0.42, 0.22))]  # fmt: skip


def room(
    b: Build,
    width: float,
    back: float,
    height: float,
    floor: int,
    wall: int,
    ceiling: int,
    left: int | None = None,
    right: int | None = None,
    front: float = -3.0,
    open_back: bool = False,
    open_left: bool = False,
    open_right: bool = False,
) -> None:
    """A room's floor, ceiling and walls round the camera; walls may be left open for windows."""
    w = width / 2
    deep = back - front
    b.quad((-w, 0, front), (width, 0, 0), (0, 0, deep), floor)
    b.quad((-w, height, front), (width, 0, 0), (0, 0, deep), ceiling)
    b.quad((-w, 0, front), (width, 0, 0), (0, height, 0), wall)
    if not open_back:
        b.quad((-w, 0, back), (width, 0, 0), (0, height, 0), wall)
    if not open_left:
        b.quad((-w, 0, front), (0, 0, deep), (0, height, 0), wall if left is None else left)
    if not open_right:
        b.quad((w, 0, front), (0, 0, deep), (0, height, 0), wall if right is None else right)


def pierced(
    b: Build,
    axis: str,
    at: float,
    span: tuple[float, float],
    height: float,
    holes: list[tuple[float, float, float, float]],
    wall: int,
    frame: int,
    thick: float = 0.16,
    bars: tuple[int, int] = (2, 2),
    glass: int | None = None,
) -> None:
    """A wall with windows: along x at a z (``axis`` "x") or along z at an x ("z").

    Args:
        holes: Each from, to, sill and head. bars: Panes across and up.
    """

    def block(
        a0: float, a1: float, y0: float, y1: float, material: int, depth: float, off: float = 0.0
    ) -> None:
        if a1 - a0 < 1e-4 or y1 - y0 < 1e-4:
            return
        c, s = ((a0 + a1) / 2, (y0 + y1) / 2), (a1 - a0, y1 - y0)
        if axis == "x":
            b.box((c[0], c[1], at + off), (s[0], s[1], depth), material)
        else:
            b.box((at + off, c[1], c[0]), (depth, s[1], s[0]), material)

    edge = span[0]
    for left, right, sill, head in sorted(holes):
        block(edge, left, 0, height, wall, thick)
        block(left, right, 0, sill, wall, thick)
        block(left, right, head, height, wall, thick)
        f = 0.055
        for i in range(bars[0] + 1):
            x = left + (right - left) * i / bars[0]
            k = f if i in (0, bars[0]) else f * 0.55
            block(x - k / 2, x + k / 2, sill, head, frame, 0.07)
        for j in range(bars[1] + 1):
            y = sill + (head - sill) * j / bars[1]
            k = f if j in (0, bars[1]) else f * 0.55
            block(left, right, y - k / 2, y + k / 2, frame, 0.07)
        block(left - 0.06, right + 0.06, sill - 0.05, sill, frame, thick + 0.14)
        if glass is not None:
            if axis == "x":
                b.quad((left, sill, at), (right - left, 0, 0), (0, head - sill, 0), glass)
            else:
                b.quad((at, sill, left), (0, 0, right - left), (0, head - sill, 0), glass)
        edge = right
    block(edge, span[1], 0, height, wall, thick)


def shelf(
    b: Build,
    p: Palette,
    corner: Vector,
    width: float,
    height: float,
    wood: int,
    rows: int = 5,
    deep: float = 0.3,
    turn: float = 0.0,
    full: float = 0.85,
    bays: int = 1,
    back: int | None = None,
) -> None:
    """A bookcase from its left lower front corner; ``turn`` 0 faces the camera, ±90 a side."""
    x0, y0, z0 = corner
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def put(
        x: float, y: float, z: float, size: Vector, material: int, tint: float = 0.5, tilt: float = 0.0
    ) -> None:
        b.box((x0 + c * x + s * z, y0 + y, z0 - s * x + c * z), size, material, turn, tint, tilt=tilt)

    t = 0.03
    put(width / 2, height / 2, deep, (width, height, 0.015), wood if back is None else back)
    for i in range(bays + 1):
        put(width * i / bays, height / 2, deep / 2, (t, height, deep), wood)
    gap = height / rows
    for j in range(rows + 1):
        put(width / 2, gap * j, deep / 2, (width + t, t, deep), wood)
    rnd = b.random
    for j in range(rows):
        for i in range(bays):
            x, end = width * i / bays + t, width * (i + 1) / bays - t
            while x < end - 0.03:
                if rnd.uniform() > full:
                    kind = rnd.integers(0, 3)
                    wide = min(rnd.uniform(0.12, 0.28), end - x)
                    if kind == 0 and wide > 0.1:
                        put(
                            x + wide / 2, gap * j + t / 2 + 0.06, deep * 0.45, (wide * 0.6, 0.12, 0.12), p.pot
                        )
                    elif kind == 1 and wide > 0.14:
                        for k in range(int(rnd.integers(2, 5))):
                            put(
                                x + wide / 2,
                                gap * j + t / 2 + 0.02 + 0.035 * k,
                                deep * 0.45,
                                (wide * 0.9, 0.03, 0.16),
                                p.books[rnd.integers(10)],
                            )
                    x += wide
                    continue
                run = min(rnd.uniform(0.2, 0.7), end - x)
                tone, tall = rnd.integers(10), rnd.uniform(0.62, 0.86)
                stop = x + run
                while x < stop - 0.02:
                    w = rnd.uniform(0.018, 0.05)
                    h = gap * min(0.92, tall + rnd.uniform(-0.09, 0.09))
                    book = p.books[tone if rnd.uniform() < 0.3 else rnd.integers(10)]
                    put(
                        x + w / 2,
                        gap * j + t / 2 + h / 2,
                        deep * 0.5 + rnd.uniform(-0.02, 0.03),
                        (w * 0.94, h, deep * 0.7),
                        book,
                        rnd.uniform(0.35, 0.8),
                    )
                    x += w


def sofa(
    b: Build, base: Vector, width: float, cloth: int, legs: int, turn: float = 0.0, pillow: int | None = None
) -> None:
    """A sofa: seat, back, arms, cushions."""
    x, y, z = base
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def put(
        dx: float,
        dy: float,
        dz: float,
        size: Vector,
        material: int,
        bevel: float,
        tilt: float = 0.0,
        extra: float = 0.0,
    ) -> None:
        b.box(
            (x + c * dx + s * dz, y + dy, z - s * dx + c * dz),
            size,
            material,
            turn + extra,
            bevel=bevel,
            tilt=tilt,
        )

    put(0, 0.24, 0, (width, 0.22, 0.85), cloth, 0.05)
    n = 3 if width > 1.9 else 2
    for i in range(n):
        cx = (i + 0.5) / n * (width - 0.36) - (width - 0.36) / 2
        w = (width - 0.38) / n
        put(cx, 0.42, -0.05, (w, 0.17, 0.72), cloth, 0.06)
        put(cx, 0.68, 0.28, (w, 0.46, 0.2), cloth, 0.08)
    put(0, 0.52, 0.40, (width, 0.66, 0.14), cloth, 0.06)
    for side in (-1, 1):
        put(side * (width / 2 - 0.08), 0.36, 0, (0.18, 0.52, 0.86), cloth, 0.07)
        for dz in (-0.35, 0.35):
            put(side * (width / 2 - 0.12), 0.06, dz, (0.04, 0.13, 0.04), legs, 0)
    if pillow is not None:
        put(-width / 2 + 0.38, 0.70, 0.10, (0.42, 0.40, 0.15), pillow, 0.07, 12)
        put(width / 2 - 0.40, 0.69, 0.12, (0.40, 0.38, 0.14), pillow, 0.06, -14, 8)


def table(
    b: Build,
    centre: Vector,
    size: Vector,
    wood: int,
    turn: float = 0.0,
    legs: int | None = None,
    round_: bool = False,
) -> None:
    """A table: its centre on the floor; width, height, depth."""
    w, h, d = size
    if round_:
        b.lathe(
            (centre[0], centre[1] + h - 0.03, centre[2]),
            [(0, 0), (w / 2, 0), (w / 2, 0.03), (0, 0.03)],
            wood,
            32,
        )
        b.cylinder(centre, 0.03, h - 0.03, wood if legs is None else legs)
        b.lathe(centre, [(0, 0), (w * 0.28, 0), (w * 0.27, 0.02), (0, 0.03)], wood if legs is None else legs)
        return
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    b.box((centre[0], centre[1] + h - 0.02, centre[2]), (w, 0.04, d), wood, turn, bevel=0.008)
    for sx in (-1, 1):
        for sz in (-1, 1):
            dx, dz = sx * (w / 2 - 0.05), sz * (d / 2 - 0.05)
            b.box(
                (centre[0] + c * dx + s * dz, centre[1] + (h - 0.04) / 2, centre[2] - s * dx + c * dz),
                (0.045, h - 0.04, 0.045),
                wood if legs is None else legs,
                turn,
            )


def chair(b: Build, base: Vector, seat: int, legs: int, turn: float = 0.0, height: float = 0.46) -> None:
    """A chair with a back; turn 0 faces away from the camera's side (its back is far)."""
    x, y, z = base
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def put(dx: float, dy: float, dz: float, size: Vector, material: int, bevel: float = 0.0) -> None:
        b.box((x + c * dx + s * dz, y + dy, z - s * dx + c * dz), size, material, turn, bevel=bevel)

    put(0, height, 0, (0.42, 0.05, 0.42), seat, 0.02)
    put(0, height + 0.33, 0.20, (0.40, 0.24, 0.03), seat, 0.012)
    for sx in (-1, 1):
        put(sx * 0.18, height / 2, -0.18, (0.03, height, 0.03), legs)
        put(sx * 0.18, (height + 0.44) / 2, 0.20, (0.03, height + 0.44, 0.03), legs)


def picture(
    b: Build,
    centre: Vector,
    size: tuple[float, float],
    frame: int,
    inside: int,
    side: str = "back",
    mount: int | None = None,
) -> None:
    """A framed picture on the back wall (``back``) or a side wall (``left``, ``right``)."""
    w, h = size
    x, y, z = centre
    if side == "back":
        b.box((x, y, z), (w, h, 0.03), frame)
        b.box((x, y, z - 0.012), (w - 0.05, h - 0.05, 0.02), inside if mount is None else mount)
        if mount is not None:
            b.box((x, y, z - 0.016), (w * 0.62, h * 0.66, 0.02), inside)
    else:
        k = 1 if side == "left" else -1
        b.box((x, y, z), (0.03, h, w), frame)
        b.box((x + k * 0.012, y, z), (0.02, h - 0.05, w - 0.05), inside if mount is None else mount)
        if mount is not None:
            b.box((x + k * 0.016, y, z), (0.02, h * 0.66, w * 0.62), inside)


def pendant(
    b: Build, at: Vector, top: float, radius: float, shade: int, bulb: int, cable: int, kind: str = "cone"
) -> None:
    """A hanging lamp: its bulb at ``at``."""
    x, y, z = at
    b.cylinder((x, y + radius * 0.6, z), 0.006, top - y - radius * 0.6, cable, 6)
    if kind == "cone":
        b.lathe(
            (x, y - radius * 0.2, z),
            [(radius, 0), (radius * 0.55, radius * 0.55), (radius * 0.18, radius * 0.9), (0, radius * 0.95)],
            shade,
        )
        b.sphere((x, y + radius * 0.12, z), radius * 0.3, bulb, 10)
    else:
        b.sphere((x, y, z), radius, bulb, 14)


def standing_lamp(b: Build, base: Vector, height: float, shade: int, foot: int, radius: float = 0.2) -> None:
    """A standing or table lamp; its shade shines."""
    x, y, z = base
    b.cylinder(base, radius * 0.7, 0.02, foot)
    b.cylinder(base, 0.012, height, foot, 8)
    b.lathe((x, y + height - radius * 0.7, z), [(radius, 0), (radius * 0.72, radius * 1.35)], shade)


def curtain(
    b: Build, base: Vector, width: float, height: float, cloth: int, folds: int = 7, along: str = "x"
) -> None:
    """A hanging curtain with folds."""
    s = np.linspace(0, 1, folds * 12)[None]
    t = np.linspace(0, 1, 6)[:, None]
    wave = 0.05 * np.sin(2 * np.pi * folds * s + 0.6 * np.sin(7 * s)) * (0.6 + 0.4 * (1 - t))
    a, y = width * s + 0 * t, height * t + 0 * s
    x, z = (a, wave) if along == "x" else (wave, a)
    b.surface(np.stack([x, y, z], -1) + np.asarray(base, np.float32), cloth)


def rug(b: Build, centre: Vector, size: tuple[float, float], cloth: int) -> None:
    """A rug on the floor."""
    b.box((centre[0], centre[1] + 0.008, centre[2]), (size[0], 0.016, size[1]), cloth)
