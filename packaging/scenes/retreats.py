"""Retreats: fireside, winter cabin, greenhouse.

Must not know rays.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from furniture import (
    Palette,
    curtain,
    picture,
    pierced,
    room,
    rug,
    shelf,
    sofa,
    standing_lamp,
)
from heavens import Sky
from mesh import Build, Floats
from plants import conifer, potted, scatter, shrub
from shot import Air, Camera, Develop, Scene, Shot, Sun, Taken


def _fire_map(taken: Taken, light: Floats) -> Floats:
    """Where flames are, and a little about them."""
    hot = np.clip(light[..., 0] - 3 * light[..., 2] - 2.0, 0, 1)
    hot[:, : light.shape[1] * 6 // 10] = 0
    hot[: light.shape[0] // 2] = 0
    return np.clip(cv2.GaussianBlur(cv2.dilate(hot, np.ones((9, 9))), (0, 0), 7), 0, 1)


def _glow_map(taken: Taken, light: Floats) -> Floats:
    """Where the fire's light falls."""
    h, w = light.shape[:2]
    y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
    return np.exp(-(((x - 1.23) / 0.42) ** 2) - ((y - 0.80) / 0.34) ** 2)


def _lamp_map(taken: Taken, light: Floats) -> Floats:
    """About small bright lamps and flames."""
    hot = np.clip(light[..., 0] - 3 * light[..., 2] - 0.8, 0, 1)
    return np.clip(cv2.GaussianBlur(hot, (0, 0), 10) * 2.5, 0, 1)


def fireplace() -> Scene:
    b = Build(19)
    p = Palette(b)
    stone = b.material(
        (0.38, 0.34, 0.30), second=(0.22, 0.20, 0.19), texture="panels", scale=0.2, rough=0.85, bump=0.012
    )
    wall = b.material((0.30, 0.19, 0.11), second=(0.20, 0.12, 0.07), texture="slats", scale=0.2, rough=0.6)
    floor = b.material(
        (0.28, 0.16, 0.08), second=(0.18, 0.10, 0.05), texture="planks", scale=0.15, rough=0.25
    )
    room(
        b,
        6.6,
        5.3,
        2.9,
        floor,
        wall,
        b.material((0.24, 0.15, 0.09), second=(0.16, 0.10, 0.06), texture="planks", scale=0.2),
    )
    # The chimney breast, right of the middle, and its hearth.
    cx = 1.15
    for x, w in ((cx - 0.82, 0.5), (cx + 0.82, 0.5)):
        b.box((x, 0.6, 4.95), (w, 1.2, 0.75), stone)
    b.box((cx, 2.05, 4.95), (2.14, 1.72, 0.75), stone)
    soot = b.material((0.03, 0.026, 0.024))
    b.quad((cx - 0.6, 0, 5.25), (1.2, 0, 0), (0, 1.2, 0), soot)
    b.box((cx, 0.06, 4.5), (2.4, 0.12, 0.5), stone)
    b.box((cx, 1.28, 4.52), (2.5, 0.1, 0.36), p.walnut, bevel=0.02)
    bark = b.material((0.12, 0.07, 0.04), second=(0.05, 0.03, 0.02), texture="plaster", scale=0.05)
    ember = b.glow((1.0, 0.26, 0.04), 9)
    for i, (dx, y, a) in enumerate(((-0.15, 0.2, 12), (0.15, 0.2, -14), (0.0, 0.32, 4))):
        b.box((cx + dx * 0.4, y, 4.85 + 0.08 * (i - 1)), (0.75, 0.11, 0.11), bark, a, bevel=0.03)
    b.box((cx, 0.155, 4.87), (0.6, 0.04, 0.26), ember)
    # Slender flames side by side; out of focus they run together.
    fires = [b.glow((1.0, green, 0.03), 9) for green in (0.17, 0.23, 0.30)]
    for i in range(22):
        dx = float(np.clip(b.random.normal(0, 0.15), -0.3, 0.3))
        high = b.random.uniform(0.12, 0.50) * math.exp(-((dx / 0.30) ** 2))
        wide = b.random.uniform(0.02, 0.045)
        foot = np.array([cx + dx, 0.22, 4.95 + b.random.uniform(-0.08, 0.08)])
        t = np.linspace(0, 1, 9)[:, None]
        path = foot + t * np.array([0.3 * b.random.normal(0, 0.2), high, 0])
        path[:, 0] += 0.03 * np.sin(5 * t[:, 0] + i) * t[:, 0]
        b.tube(path, wide * np.sin(np.pi * (0.12 + 0.88 * t[:, 0])) + 0.002, fires[i % 3], 8)
    # Candles and books on the mantel, a clock's picture above.
    candle = b.material((0.75, 0.66, 0.5), through=0.2)
    flame = b.glow((1.0, 0.58, 0.2), 60)
    for x, h in ((cx - 0.95, 0.2), (cx - 0.82, 0.13), (cx + 0.9, 0.17)):
        b.cylinder((x, 1.33, 4.5), 0.03, h, candle)
        b.sphere((x, 1.33 + h + 0.035, 4.5), (0.010, 0.026, 0.010), flame, 8)
    for i in range(5):
        b.box((cx + 0.5 + 0.045 * i, 1.45, 4.55), (0.038, 0.2 + 0.02 * (i % 3), 0.15), p.books[i])
    picture(
        b,
        (cx, 2.05, 4.55),
        (0.95, 0.7),
        p.brass,
        b.material((0.20, 0.26, 0.20), second=(0.50, 0.42, 0.26), texture="stone", scale=0.5),
    )
    shelf(b, p, (-2.3, 0, 4.95), 1.9, 2.5, p.walnut, 7, bays=2, full=0.85)
    red = b.material((0.28, 0.06, 0.04), second=(0.22, 0.04, 0.03), texture="fabric", scale=0.07, rough=0.95)
    sofa(b, (-2.2, 0, 3.7), 1.3, red, p.walnut, -62)
    rug(
        b,
        (0.3, 0, 3.4),
        (3.4, 1.7),
        b.material(
            (0.38, 0.12, 0.07), second=(0.16, 0.09, 0.10), texture="fabric", scale=0.5, rough=1.0, shine=0.0
        ),
    )
    shade = b.glow((1.0, 0.58, 0.28), 5.0)
    standing_lamp(b, (-0.15, 0, 4.95), 1.5, shade, p.brass, 0.19)
    standing_lamp(b, (-3.0, 0, 4.3), 1.55, shade, p.brass, 0.17)
    fill = b.glow((1.0, 0.72, 0.48), 1.6)
    b.box((0, 2.88, 1.2), (2.0, 0.02, 1.2), fill)
    return Scene(
        Shot(b, Camera(at=(0, 1.2, 4)), Sky(zenith=(0, 0, 0.02), horizon=(0.01, 0.01, 0.02)), samples=15),
        Develop(exposure=3.9, blur=5.5, glare=0.14, warm=0.02),
        {"fire": _fire_map, "glow": _glow_map},
    )


def cabin() -> Scene:
    b = Build(23)
    p = Palette(b)
    logs = b.material((0.40, 0.24, 0.12), second=(0.27, 0.15, 0.075), texture="grain", scale=0.4, rough=0.55)
    floor = b.material(
        (0.34, 0.20, 0.10), second=(0.24, 0.13, 0.065), texture="planks", scale=0.18, rough=0.3
    )
    room(b, 6.4, 4.6, 2.7, floor, logs, logs, open_back=True)
    pierced(
        b,
        "x",
        4.6,
        (-3.2, 3.2),
        2.7,
        [(-1.9, 1.9, 0.85, 2.3)],
        logs,
        b.material((0.30, 0.17, 0.09), rough=0.5),
        0.3,
        (3, 2),
    )
    # Logs: half rounds along the back wall beside and under the window.
    for i in range(11):
        y = 0.12 + 0.245 * i
        spans = ((-3.2, -1.98), (1.98, 3.2)) if 0.75 < y < 2.35 else ((-3.2, 3.2),)
        for x0, x1 in spans:
            b.tube(
                np.array([(x, y, 4.5) for x in np.linspace(x0, x1, 6)]),
                0.125,
                logs,
                14,
                tint=0.4 + 0.2 * ((i * 7) % 5) / 5,
            )
    snow = b.material((0.82, 0.85, 0.90), texture="plaster", scale=2.0, rough=0.8)
    b.field(
        (-40, 40),
        (5.2, 60),
        (60, 80),
        lambda x, z: 0.25 + 0.03 * (z - 5) + 0.4 * np.sin(x * 0.31 + z * 0.2) * np.clip((z - 6) / 10, 0, 1),
        snow,
        0.4,
    )
    bark = b.material((0.10, 0.07, 0.05))
    needle = b.material((0.03, 0.08, 0.05), second=(0.50, 0.56, 0.62), texture="leaf", rough=0.8)
    for x, z, h in (
        (-5.5, 12, 6.5),
        (-2.9, 14.5, 7),
        (3.0, 13, 7),
        (5.8, 11, 6),
        (0.9, 24, 8),
        (-1.4, 22, 9),
        (-7.5, 20, 9),
        (8.5, 19, 9),
        (4.7, 26, 10),
        (-4.6, 28, 11),
    ):
        conifer(b, (x, 0.2, z), h, h * 0.22, bark, needle, 11000, 0.11)
    wool = b.material((0.45, 0.08, 0.06), second=(0.36, 0.06, 0.05), texture="fabric", scale=0.3, rough=1.0)
    curtain(b, (-2.35, 0.8, 4.25), 0.5, 1.65, wool, 4)
    curtain(b, (1.85, 0.8, 4.25), 0.5, 1.65, wool, 4)
    b.box((0, 0.87, 4.42), (3.9, 0.05, 0.34), p.oak)
    flame = b.glow((1.0, 0.56, 0.2), 50)
    for x, h in ((-1.55, 0.2), (-1.40, 0.13), (1.5, 0.18)):
        b.cylinder((x, 0.9, 4.4), 0.033, h, p.paper)
        b.sphere((x, 0.94 + h, 4.4), (0.011, 0.028, 0.011), flame, 8)
    bulb = b.glow((1.0, 0.60, 0.25), 30)
    for i in range(13):
        t = i / 12
        b.sphere((-2.2 + 4.4 * t, 2.42 - 0.16 * math.sin(math.pi * ((t * 3) % 1)), 4.25), 0.022, bulb, 8)
    shade = b.glow((1.0, 0.60, 0.30), 7.0)
    standing_lamp(b, (-2.75, 0, 3.75), 1.5, shade, p.walnut, 0.2)
    standing_lamp(b, (2.75, 0, 3.6), 1.3, shade, p.walnut, 0.17)
    fill = b.glow((1.0, 0.66, 0.4), 1.2)
    b.box((0, 2.68, 0.8), (2.0, 0.02, 1.2), fill)
    dusk = Sky(
        zenith=(0.10, 0.17, 0.36),
        horizon=(0.34, 0.42, 0.62),
        ground=(0.3, 0.33, 0.4),
        sun=(0.6, 0.05, 0.9),
        light=(0.9, 0.5, 0.5),
        glow=0.2,
    )
    maps = {"window": lambda taken, light: (taken.near < 1 / 6.2).astype(np.float32), "candles": _lamp_map}
    return Scene(
        Shot(b, Camera(at=(0, 1.32, 4)), dusk, samples=13), Develop(exposure=1.9, blur=4.5, glare=0.12), maps
    )


def greenhouse() -> Scene:
    b = Build(29)
    p = Palette(b)
    iron = b.material((0.72, 0.74, 0.72), rough=0.4)
    floor = b.material((0.40, 0.36, 0.31), second=(0.30, 0.27, 0.24), texture="tiles", scale=0.4, rough=0.6)
    b.quad((-4, 0, -3), (8, 0, 0), (0, 0, 15), floor)
    for z in np.arange(-2, 11, 1.5):
        for s in (-1, 1):
            b.box((s * 3.2, 1.3, z), (0.06, 2.6, 0.06), iron)
            b.tube(np.array([(s * 3.2, 2.6, z), (s * 1.6, 3.7, z), (0, 4.3, z)]), 0.035, iron, 6)
    for s in (-1, 1):
        for y in (0.8, 1.7, 2.6):
            b.box((s * 3.2, y, 4), (0.04, 0.04, 14), iron)
        b.box((s * 1.6, 3.7, 4), (0.04, 0.04, 14), iron)
    b.box((0, 4.3, 4), (0.08, 0.08, 14), iron)
    for x in np.arange(-3.2, 3.3, 0.8):
        b.box((x, 1.9, 10.5), (0.045, 3.8, 0.045), iron)
    for y in (0.8, 1.7, 2.6, 3.5):
        b.box((0, y, 10.5), (6.4, 0.04, 0.04), iron)
    leaves = [
        b.material(c, second=d, texture="leaf", through=0.35, rough=0.4)
        for c, d in (
            ((0.03, 0.13, 0.03), (0.13, 0.30, 0.07)),
            ((0.05, 0.16, 0.06), (0.20, 0.38, 0.12)),
            ((0.02, 0.09, 0.04), (0.08, 0.22, 0.09)),
        )
    ]
    rnd = b.random
    for s in (-1, 1):
        b.box((s * 2.45, 0.4, 5), (1.2, 0.8, 10), p.pale)
        for i in range(26):
            z, x = 2.2 + 0.32 * i, s * rnd.uniform(2.0, 2.9)
            kind = ("broad", "blades", "tall")[rnd.integers(3)]
            potted(
                b,
                (x, 0.8, z),
                rnd.uniform(0.6, 1.35),
                leaves[rnd.integers(3)],
                (p.clay, p.pot)[rnd.integers(2)],
                kind,
            )
        for i in range(7):
            potted(
                b,
                (s * rnd.uniform(1.3, 2.2), rnd.uniform(2.6, 3.1), 3.4 + i),
                0.55,
                leaves[rnd.integers(3)],
                p.clay,
                "vines",
            )
        for i in range(6):
            potted(
                b,
                (s * 1.55, 0, 3.6 + 1.2 * i),
                rnd.uniform(0.7, 1.3),
                leaves[rnd.integers(3)],
                p.clay,
                "broad",
            )
    for x in (-2, -1, 1.1, 2.1):
        shrub(b, (x, 0.3, 10.0), 0.9, leaves[rnd.integers(3)], 2600, 0.09)
    flower = b.material((0.75, 0.20, 0.24), second=(0.85, 0.62, 0.30), texture="leaf", through=0.3)
    for i in range(16):
        scatter(
            b,
            ((-1) ** i * rnd.uniform(1.5, 2.6), rnd.uniform(1.2, 1.8), rnd.uniform(3, 9)),
            (0.12, 0.1, 0.12),
            30,
            flower,
            0.05,
        )
    # Trees outside, pale behind the glass.
    far = b.material((0.16, 0.26, 0.10), second=(0.34, 0.46, 0.22), texture="leaf", through=0.3)
    for x in np.arange(-12, 13, 2.4):
        scatter(
            b, (x, 2.2 + rnd.uniform(-0.5, 1.2), 17 + rnd.uniform(-2, 2)), (1.9, 2.4, 1.6), 900, far, 0.28
        )
    sky = Sky(
        zenith=(0.3, 0.48, 0.8),
        horizon=(0.8, 0.9, 0.95),
        ground=(0.3, 0.34, 0.25),
        sun=(-0.5, 0.75, 0.45),
        glow=0.4,
    )
    return Scene(
        Shot(
            b,
            Camera(at=(0, 1.3, 4)),
            sky,
            Sun((3.6, 3.3, 2.7), 1.2),
            Air(0.007, colour=(0.6, 0.72, 0.6)),
            samples=10,
            bounces=3,
        ),
        Develop(exposure=0.85, blur=6),
    )
