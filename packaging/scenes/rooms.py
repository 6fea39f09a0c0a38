"""Rooms to sit in: living room, library, office, café, loft, classroom.

Must not know rays.
"""

from __future__ import annotations

import math

import numpy as np
from furniture import (
    Palette,
    chair,
    curtain,
    pendant,
    picture,
    pierced,
    room,
    rug,
    shelf,
    sofa,
    standing_lamp,
    table,
)
from heavens import Sky
from mesh import Build
from plants import potted, scatter
from shot import Camera, Develop, Scene, Shot, Sun

DAY = Sky(zenith=(0.25, 0.42, 0.8), horizon=(0.8, 0.9, 1.0), sun=(-0.75, 0.55, 0.35))


def window_light(b: Build, glow: tuple[float, float, float], trees: float = 1.0, scale: float = 1.2) -> int:
    """The view from a window, which is its light: sky over trees."""
    return b.material(
        (0, 0, 0), second=(0.10, 0.16, 0.05), glow=glow, texture="view", scale=scale, amount=trees
    )


def painted(b: Build, colour: tuple[float, float, float]) -> int:
    """A painted wall, a little uneven."""
    return b.material(colour, second=tuple(0.93 * c for c in colour), texture="plaster", scale=1.3, rough=0.7)


def living_room() -> Scene:
    b = Build(3)
    p = Palette(b)
    wall = painted(b, (0.70, 0.67, 0.61))
    floor = b.material(
        (0.50, 0.33, 0.18), second=(0.36, 0.22, 0.11), texture="planks", scale=0.15, rough=0.3, bump=0.001
    )
    room(b, 6.6, 5.4, 2.75, floor, wall, p.white, open_left=True)
    pierced(b, "z", -3.3, (-3, 5.4), 2.75, [(1.6, 4.6, 0.35, 2.45)], wall, p.white, bars=(3, 1))
    b.quad((-3.9, 0.0, 0.8), (0, 0, 5), (0, 3, 0), window_light(b, (6.5, 7.2, 8.0), 0.9))
    linen = b.material((0.72, 0.70, 0.66), texture="fabric", scale=0.1, through=0.4, rough=0.9)
    curtain(b, (-3.12, 0.02, 4.5), 0.55, 2.55, linen, 5, "z")
    curtain(b, (-3.12, 0.02, 1.2), 0.5, 2.55, linen, 5, "z")
    cloth = b.material(
        (0.28, 0.34, 0.36), second=(0.22, 0.28, 0.30), texture="fabric", scale=0.08, rough=0.95
    )
    ochre = b.material((0.62, 0.36, 0.10), texture="fabric", scale=0.06, rough=0.95)
    sofa(b, (-0.75, 0, 4.6), 2.3, cloth, p.walnut, pillow=ochre)
    table(b, (-0.5, 0, 3.1), (1.0, 0.36, 0.55), p.oak)
    rug(
        b,
        (-0.5, 0, 3.6),
        (3.2, 2.2),
        b.material((0.60, 0.55, 0.47), second=(0.50, 0.44, 0.37), texture="fabric", scale=0.3, rough=1.0),
    )
    art = b.material((0.70, 0.42, 0.25), second=(0.16, 0.27, 0.33), texture="stone", scale=0.35)
    picture(b, (-1.25, 1.62, 5.36), (0.75, 0.95), p.black, art, mount=p.white)
    picture(
        b,
        (-0.32, 1.62, 5.36),
        (0.75, 0.95),
        p.black,
        b.material((0.12, 0.22, 0.24), second=(0.75, 0.66, 0.5), texture="stone", scale=0.5),
        mount=p.white,
    )
    shelf(b, p, (1.05, 0, 5.05), 1.7, 2.15, p.oak, 6, full=0.72, bays=2)
    potted(b, (2.55, 0, 3.9), 1.75, p.leaf, p.pot, "broad")
    shade = b.glow((1.0, 0.66, 0.36), 5)
    standing_lamp(b, (0.68, 0, 5.0), 1.55, shade, p.brass)
    return Scene(
        Shot(b, Camera(at=(0, 1.22, 4)), DAY, Sun((6, 5.2, 4.0), 0.6), samples=10),
        Develop(exposure=0.95, blur=6, warm=0.03),
    )


def library() -> Scene:
    b = Build(5)
    p = Palette(b)
    wood = b.material((0.20, 0.10, 0.05), second=(0.12, 0.055, 0.025), texture="grain", scale=0.3, rough=0.35)
    floor = b.material(
        (0.32, 0.18, 0.09), second=(0.20, 0.10, 0.05), texture="planks", scale=0.14, rough=0.22
    )
    wall = b.material((0.24, 0.15, 0.09), rough=0.7)
    room(b, 6.4, 7.2, 3.6, floor, wall, b.material((0.35, 0.25, 0.16)))
    shelf(b, p, (-2.9, 0, 6.8), 2.0, 3.3, wood, 9, bays=2)
    shelf(b, p, (0.9, 0, 6.8), 2.0, 3.3, wood, 9, bays=2)
    shelf(b, p, (-2.85, 0, 2.2), 4.4, 3.3, wood, 9, turn=-90, bays=4)
    shelf(b, p, (2.85, 0, 6.6), 4.4, 3.3, wood, 9, turn=90, bays=4)
    # A tall window at the end of the aisle.
    b.box((0, 1.75, 7.18), (1.5, 2.9, 0.05), wood)
    b.quad((-0.62, 0.55, 7.12), (1.24, 0, 0), (0, 2.45, 0), window_light(b, (3.2, 3.1, 2.7), 1.1, 0.8))
    for x in (-0.62, -0.2, 0.2, 0.62):
        b.box((x, 1.78, 7.1), (0.035, 2.5, 0.04), wood)
    for y in (0.55, 1.17, 1.78, 2.4, 3.0):
        b.box((0, y, 7.1), (1.28, 0.035, 0.04), wood)
    rug(
        b,
        (0, 0, 5),
        (1.7, 4),
        b.material((0.35, 0.06, 0.05), second=(0.12, 0.05, 0.08), texture="fabric", scale=0.4, rough=1.0),
    )
    table(b, (-1.35, 0, 4.8), (1.1, 0.76, 0.6), wood, 90)
    table(b, (1.35, 0, 4.4), (1.1, 0.76, 0.6), wood, 90)
    glow = b.glow((1.0, 0.62, 0.28), 16)
    green = b.material((0.03, 0.22, 0.10), rough=0.15, through=0.3)
    for x, z in ((-1.35, 4.9), (1.35, 4.5)):
        b.cylinder((x, 0.77, z), 0.09, 0.02, p.brass)
        b.cylinder((x, 0.77, z), 0.012, 0.36, p.brass, 8)
        b.lathe((x, 1.08, z), [(0.15, 0), (0.13, 0.06), (0.05, 0.10), (0, 0.10)], green)
        b.sphere((x, 1.09, z), 0.05, glow, 10)
    for x in (-1.6, 1.6):
        for z in (3.2, 5.6):
            pendant(
                b, (x * 0.75, 2.65, z), 3.6, 0.13, p.brass, b.glow((1.0, 0.66, 0.34), 14), p.brass, "globe"
            )
    return Scene(Shot(b, Camera(at=(0, 1.32, 4)), DAY, samples=11), Develop(exposure=2.4, blur=6, warm=0.04))


def office() -> Scene:
    b = Build(7)
    p = Palette(b)
    wall = painted(b, (0.80, 0.77, 0.72))
    room(b, 8.0, 7.5, 2.9, p.pale, wall, p.white, open_left=True)
    pierced(
        b,
        "z",
        -4.0,
        (-3, 7.5),
        2.9,
        [(0.5, 2.6, 0.5, 2.6), (2.9, 5.0, 0.5, 2.6), (5.3, 7.3, 0.5, 2.6)],
        wall,
        p.steel,
        bars=(2, 1),
    )
    b.quad(
        (-5.0, -0.5, 0.2),
        (0, 0, 8),
        (0, 4, 0),
        b.material(
            (0, 0, 0), second=(0.34, 0.38, 0.43), glow=(5.0, 5.6, 6.2), texture="view", scale=1.6, amount=0.9
        ),
    )
    dark = b.material((0.05, 0.055, 0.06), rough=0.5)
    for x, z in ((-2.2, 5.8), (-0.4, 5.8), (-2.2, 4.2), (2.4, 5.2)):
        table(b, (x, 0, z), (1.6, 0.74, 0.75), p.oak, legs=p.black)
        b.box((x, 1.05, z + 0.15), (0.62, 0.36, 0.03), p.black)
        b.quad(
            (x - 0.30, 0.89, z + 0.132),
            (0.6, 0, 0),
            (0, 0.33, 0),
            b.glow((0.30, 0.45, 0.62), 0.8),
        )
        b.box((x, 0.82, z + 0.17), (0.05, 0.14, 0.05), p.black)
        chair(b, (x + 0.1, 0, z - 0.65), dark, p.steel, 180 + 25 * math.sin(x * 5 + z))
    # A meeting room behind glass.
    for x in (0.9, 2.3, 3.7):
        b.box((x, 1.4, 6.3), (0.05, 2.8, 0.05), p.black)
    b.box((2.4, 2.75, 6.3), (3.2, 0.06, 0.05), p.black)
    b.quad((0.9, 0, 6.3), (3.1, 0, 0), (0, 2.75, 0), p.glass)
    panel = b.material((0.50, 0.34, 0.18), second=(0.40, 0.26, 0.13), texture="slats", scale=0.09, rough=0.5)
    b.quad((0.9, 0, 7.45), (3.1, 0, 0), (0, 2.9, 0), panel)
    b.quad(
        (1.7, 1.1, 7.40),
        (1.5, 0, 0),
        (0, 0.85, 0),
        b.glow((0.35, 0.50, 0.65), 1.0),
    )
    light = b.glow((1.0, 0.93, 0.82), 9)
    for z in (2.2, 4.2, 6.2):
        for x in (-1.9, 1.2):
            b.box((x, 2.86, z), (1.3, 0.04, 0.16), light)
    potted(b, (3.25, 0, 4.2), 1.7, p.leaf, p.pot, "tall", p.walnut)
    potted(b, (-3.4, 0, 6.9), 1.5, p.leaf, dark, "broad")
    green = b.material((0.07, 0.17, 0.06), second=(0.22, 0.33, 0.13), texture="leaf", through=0.3)
    for i in range(8):
        scatter(
            b, (-1.2 + 0.28 * i, 1.75 + 0.06 * math.sin(i * 9), 7.38), (0.24, 0.55, 0.09), 420, green, 0.08
        )
    b.box((-0.2, 1.75, 7.46), (2.4, 1.25, 0.04), dark)
    return Scene(
        Shot(b, Camera(at=(0, 1.2, 4)), DAY, samples=10), Develop(exposure=1.15, blur=6.5, warm=0.02)
    )


def cafe() -> Scene:
    b = Build(11)
    p = Palette(b)
    brick = b.material(
        (0.36, 0.15, 0.09), second=(0.24, 0.10, 0.065), texture="brick", scale=0.24, rough=0.9, bump=0.004
    )
    tiles = b.material((0.16, 0.14, 0.13), second=(0.22, 0.19, 0.17), texture="tiles", scale=0.3, rough=0.35)
    dark = b.material((0.06, 0.055, 0.05), rough=0.7)
    room(b, 7.0, 6.2, 3.2, tiles, brick, dark, open_left=True)
    pierced(
        b,
        "z",
        -3.5,
        (-3, 6.2),
        3.2,
        [(0.8, 3.2, 0.6, 2.7), (3.6, 5.9, 0.6, 2.7)],
        brick,
        p.black,
        bars=(3, 3),
    )
    b.quad((-4.3, 0, 0), (0, 0, 7), (0, 3.4, 0), window_light(b, (4.2, 4.4, 4.6), 1.0))
    counter = b.material(
        (0.34, 0.20, 0.10), second=(0.22, 0.12, 0.06), texture="slats", scale=0.10, rough=0.4
    )
    b.box((1.3, 0.52, 4.6), (3.6, 1.04, 0.7), counter)
    b.box((1.3, 1.06, 4.55), (3.7, 0.05, 0.85), p.walnut, bevel=0.01)
    for y in (1.55, 1.98, 2.41):
        b.box((1.5, y, 6.0), (3.4, 0.04, 0.26), p.oak)
        x = -0.1
        while x < 3.1:
            w, h = b.random.uniform(0.05, 0.10), b.random.uniform(0.12, 0.32)
            kind = b.random.integers(0, 4)
            colour = (p.pot, p.brass, p.books[b.random.integers(10)], p.white)[kind]
            b.lathe(
                (x + w, y + 0.02, 5.98),
                [(0, 0), (w * 0.8, 0), (w * 0.8, h * 0.65), (w * 0.35, h * 0.8), (w * 0.3, h), (0, h)],
                colour,
                10,
            )
            x += 2 * w + b.random.uniform(0.01, 0.12)
        strip = b.glow((1.0, 0.62, 0.30), 5)
        b.box((1.5, y - 0.03, 5.9), (3.3, 0.012, 0.02), strip)
    # The espresso machine.
    b.box((0.7, 1.32, 4.7), (0.8, 0.42, 0.5), p.steel, bevel=0.05)
    b.box((0.7, 1.56, 4.7), (0.84, 0.05, 0.5), p.black)
    board = b.material((0.035, 0.04, 0.04), second=(0.09, 0.10, 0.10), texture="plaster", scale=0.3)
    b.box((-1.45, 1.95, 6.15), (1.5, 1.1, 0.04), board)
    for z in (6.13,):
        for i in range(6):
            b.box(
                (-1.55 + 0.08 * (i % 3), 2.32 - 0.14 * i, z - 0.01),
                (0.5 + 0.35 * ((i * 7) % 3) / 2, 0.025, 0.005),
                p.paper,
            )
    bulb = b.glow((1.0, 0.56, 0.22), 42)
    cup = b.material((0.05, 0.07, 0.07), rough=0.3)
    for x, z in ((-1.1, 3.9), (0.35, 4.3), (1.45, 4.3), (2.55, 4.3), (-2.3, 5.0)):
        pendant(b, (x, 2.18, z), 3.2, 0.20, cup, bulb, p.black)
    for x, z, k in ((-2.3, 3.4, 1), (-1.0, 5.1, 2), (-2.6, 5.2, 3)):
        table(b, (x, 0, z), (0.7, 0.74, 0.7), p.oak, legs=p.black, round_=True)
        chair(b, (x - 0.55, 0, z + 0.1), p.walnut, p.black, 90 + 15 * k)
        chair(b, (x + 0.55, 0, z - 0.05), p.walnut, p.black, -80 + 9 * k)
        b.lathe(
            (x + 0.1, 0.74, z), [(0, 0), (0.03, 0), (0.045, 0.07), (0.04, 0.07), (0.0, 0.05)], p.white, 12
        )
    potted(b, (-3.05, 0, 2.3), 1.4, p.leaf, p.clay, "broad")
    for x in (0.2, 2.9):
        potted(b, (x, 2.75, 5.95), 0.5, p.leaf, p.clay, "vines")
    return Scene(Shot(b, Camera(at=(0, 1.3, 4)), DAY, samples=12), Develop(exposure=2.3, blur=7, warm=0.03))


def loft() -> Scene:
    b = Build(13)
    p = Palette(b)
    brick = b.material(
        (0.52, 0.27, 0.18), second=(0.38, 0.19, 0.13), texture="brick", scale=0.24, rough=0.9, bump=0.004
    )
    floor = b.material(
        (0.34, 0.33, 0.31), second=(0.25, 0.24, 0.23), texture="plaster", scale=1.5, rough=0.28
    )
    concrete = b.material((0.46, 0.45, 0.43), second=(0.34, 0.33, 0.32), texture="plaster", scale=1.0)
    room(b, 9.0, 7.0, 3.9, floor, brick, concrete, open_right=True)
    holes = [(0.4, 2.4, 0.7, 3.4), (2.8, 4.8, 0.7, 3.4), (5.2, 6.8, 0.7, 3.4)]
    pierced(b, "z", 4.5, (-3, 7.0), 3.9, holes, brick, p.black, bars=(4, 5))
    b.quad(
        (5.6, -1, -0.5),
        (0, 0, 8.5),
        (0, 6, 0),
        b.material(
            (0, 0, 0), second=(0.30, 0.30, 0.32), glow=(6.0, 6.4, 6.8), texture="view", scale=1.8, amount=1.1
        ),
    )
    leather = b.material((0.30, 0.13, 0.06), second=(0.24, 0.10, 0.045), rough=0.35, scale=0.3)
    sofa(b, (-1.5, 0, 5.7), 2.4, leather, p.black, 8, p.books[4])
    rug(
        b,
        (-1.2, 0, 4.6),
        (3.2, 2.0),
        b.material((0.42, 0.38, 0.33), second=(0.20, 0.18, 0.17), texture="fabric", scale=0.6, rough=1.0),
    )
    table(b, (-1.1, 0, 4.4), (1.1, 0.36, 0.6), p.walnut, legs=p.black)
    b.box((1.9, 0.45, 6.6), (2.2, 0.5, 0.45), p.walnut, bevel=0.01)
    for i in range(9):
        b.box((1.1 + 0.045 * i, 0.86, 6.6), (0.035, 0.28, 0.22), p.books[i])
    standing_lamp(b, (2.6, 0.7, 6.55), 0.55, b.glow((1, 0.64, 0.34), 6), p.black, 0.15)
    art = b.material((0.75, 0.70, 0.62), second=(0.07, 0.10, 0.16), texture="stone", scale=0.9)
    picture(b, (-1.7, 1.95, 6.96), (1.7, 1.15), p.black, art)
    for z in (1.5, 4.2, 6.6):
        b.box((0, 3.75, z), (9, 0.28, 0.16), p.black)
    duct = b.material((0.50, 0.51, 0.52), metal=1.0, rough=0.4)
    b.tube(np.array([(-3.2, 3.4, z) for z in np.linspace(-2, 6.9, 12)]), 0.2, duct, 14)
    potted(b, (3.7, 0, 5.6), 2.2, p.leaf, p.clay, "broad")
    potted(b, (-3.7, 0, 5.9), 1.5, p.leaf, p.pot, "blades")
    for x in (-0.4, 0.35, 1.1):
        pendant(b, (x + 0.6, 2.35, 5.2), 3.8, 0.12, p.black, b.glow((1, 0.6, 0.28), 20), p.black, "globe")
    return Scene(
        Shot(b, Camera(at=(0, 1.35, 4)), Sky(sun=(0.8, 0.5, 0.25)), Sun((7, 6, 4.6), 0.6), samples=10),
        Develop(exposure=1.35, blur=6),
    )


def classroom() -> Scene:
    b = Build(17)
    p = Palette(b)
    wall = painted(b, (0.66, 0.64, 0.56))
    floor = b.material((0.40, 0.30, 0.20), second=(0.33, 0.24, 0.16), texture="planks", scale=0.2, rough=0.3)
    room(b, 8.0, 6.6, 3.1, floor, wall, p.white, open_left=True)
    pierced(
        b,
        "z",
        -4.0,
        (-3, 6.6),
        3.1,
        [(0.4, 2.2, 0.9, 2.75), (2.6, 4.4, 0.9, 2.75), (4.8, 6.3, 0.9, 2.75)],
        wall,
        p.white,
        bars=(2, 2),
    )
    b.quad((-4.9, -0.5, -0.5), (0, 0, 8), (0, 4.2, 0), window_light(b, (6.5, 7.0, 7.4), 1.2))
    board = b.material(
        (0.045, 0.13, 0.085), second=(0.10, 0.19, 0.14), texture="plaster", scale=0.6, rough=0.8
    )
    b.box((0.1, 1.75, 6.55), (4.1, 1.35, 0.05), p.oak)
    b.box((0.1, 1.75, 6.51), (3.96, 1.22, 0.05), board)
    chalk = b.material((0.55, 0.58, 0.55))
    rnd = b.random
    for row in range(4):
        x = -1.65
        while x < -0.3 + 0.2 * row:
            w = rnd.uniform(0.04, 0.16)
            b.box(
                (x + w / 2, 2.15 - 0.2 * row + rnd.uniform(-0.012, 0.012), 6.48),
                (w, rnd.uniform(0.02, 0.055), 0.004),
                chalk,
            )
            x += w + rnd.uniform(0.02, 0.07)
    t = np.linspace(0, 1, 40)
    curve = np.stack([0.7 + 1.1 * t, 1.55 + 0.35 * np.sin(t * 6.3), 6.48 + 0 * t], -1)
    b.tube(curve, 0.011, chalk, 4)
    b.box((1.25, 1.55, 6.48), (1.25, 0.012, 0.004), chalk)
    b.box((0.68, 1.65, 6.48), (0.012, 0.8, 0.004), chalk)
    b.box((0.1, 1.1, 6.46), (3.9, 0.03, 0.09), p.oak)
    for x, w, h, c in ((2.95, 0.9, 1.1, (0.16, 0.35, 0.52)), (-2.85, 0.8, 1.1, (0.60, 0.50, 0.28))):
        picture(
            b,
            (x, 1.85, 6.56),
            (w, h),
            p.oak,
            b.material(c, second=(0.75, 0.72, 0.6), texture="stone", scale=0.6),
        )
    top = b.material((0.58, 0.42, 0.26), second=(0.50, 0.35, 0.2), texture="grain", scale=0.4, rough=0.3)
    blue = b.material((0.07, 0.16, 0.32), rough=0.35)
    for z in (3.0, 4.3, 5.4):
        for x in (-2.6, -1.2, 1.2, 2.6):
            table(b, (x, 0, z), (0.95, 0.70, 0.5), top, legs=p.steel)
            chair(b, (x + 0.05, 0, z - 0.5), blue, p.steel, 180)
            if rnd.uniform() < 0.6:
                b.box(
                    (x + rnd.uniform(-0.2, 0.2), 0.725, z),
                    (0.2, 0.03, 0.26),
                    p.books[rnd.integers(10)],
                    rnd.uniform(-30, 30),
                )
    shelf(b, p, (3.0, 0, 6.2), 0.9, 1.2, p.pale, 3)
    b.sphere(
        (3.4, 1.45, 6.35),
        0.2,
        b.material((0.07, 0.22, 0.42), second=(0.20, 0.34, 0.14), texture="plaster", scale=0.16, rough=0.3),
    )
    light = b.glow((1, 0.98, 0.94), 5)
    for z in (2.5, 4.8):
        for x in (-1.7, 1.7):
            b.box((x, 3.0, z), (1.3, 0.05, 0.18), light)
    return Scene(
        Shot(b, Camera(at=(0, 1.25, 4)), DAY, Sun((5, 4.6, 3.8), 0.6), samples=9),
        Develop(exposure=0.95, blur=6),
    )
