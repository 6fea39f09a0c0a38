"""Coasts and waters: beach by day and at sunset, island, mountain lake, aurora over a lake, under water.

Must not know rays.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from heavens import Sky
from mesh import Build, Floats
from noise import fractal_map, ridged_map
from plants import conifer, grass, palm, scatter, shrub
from shot import Air, Camera, Develop, Scene, Shot, Sun, Taken


def sky_map(taken: Taken, light: Floats) -> Floats:
    """Where the sky is seen."""
    return 1 - taken.cover


def water_map(
    top: float, low: float, dark: float = 0.0, blue: float = 0.0
) -> Callable[[Taken, Floats], Floats]:
    """Water between two rows of the picture, 0..1, told by its colour from what stands before it.

    Args:
        top: First row. low: Last row.
        dark: Radiance below which it is something else. blue: Least blue for its red.
    """

    def make(taken: Taken, light: Floats) -> Floats:
        y = np.linspace(0, 1, light.shape[0], dtype=np.float32)[:, None]
        rows = np.clip((y - top) / 0.02, 0, 1) * np.clip((low - y) / 0.02, 0, 1)
        bright = np.clip((light.mean(-1) - dark) * 12, 0, 1) if dark else 1.0
        ratio = np.clip((light[..., 2] / np.maximum(light[..., 0], 1e-4) - blue) * 5, 0, 1) if blue else 1.0
        return np.asarray(rows * bright * ratio * taken.cover, np.float32)

    return make


def _beach(b: Build, sand: int, water: int, shore: float = 13.0) -> None:
    """Sand that falls to the sea, and the sea to the horizon."""

    def height(x: Floats, z: Floats) -> Floats:
        slope = 0.075 * (shore - z)
        return (
            slope
            + 0.10 * (fractal_map(x * 0.35, z * 0.35, 5) - 0.5)
            + 0.035 * (fractal_map(x * 2, z * 2, 4, 2) - 0.5)
        )

    b.field((-26, 26), (1.6, shore + 6), (240, 300), height, sand, 0.25)
    b.quad((-6000, 0.0, shore - 6), (12000, 0, 0), (0, 0, 9000), water)


def beach_day() -> Scene:
    b = Build(31)
    sand = b.material((0.72, 0.60, 0.44), second=(0.60, 0.48, 0.33), texture="ground", scale=1.2, rough=0.95)
    water = b.material(
        (0.06, 0.42, 0.44),
        second=(0.012, 0.13, 0.27),
        texture="water",
        scale=1.1,
        rough=0.06,
        shine=0.02,
        bump=0.13,
        amount=13.4,
    )
    _beach(b, sand, water)
    bark = b.material((0.34, 0.26, 0.19), second=(0.24, 0.18, 0.13), texture="grain", scale=0.1)
    leaf = b.material((0.05, 0.16, 0.03), second=(0.20, 0.36, 0.07), texture="leaf", through=0.35, rough=0.35)
    for x, z, h, lean in (
        (-3.4, 8.0, 5.2, (1.5, 0.2)),
        (-4.8, 9.6, 6.4, (0.6, 0.8)),
        (4.9, 9.2, 6.0, (-1.4, 0.3)),
        (6.6, 11.0, 7.0, (-0.8, 0.5)),
        (-7.0, 12.0, 7.0, (1.1, 0)),
    ):
        palm(b, (x, 0.2, z), h, lean, bark, leaf)
    for x, z in ((-5.5, 9.0), (-4.2, 8.6), (6.2, 9.8), (7.2, 10.2), (-6.8, 10.5)):
        shrub(b, (x, 0.15, z), 0.8, leaf, 1500, 0.12)
    blades = b.material((0.12, 0.20, 0.05), second=(0.36, 0.40, 0.16), texture="leaf", through=0.3)
    at = np.stack(
        [
            np.concatenate([b.random.uniform(-8, -3.4, 900), b.random.uniform(4.2, 9, 900)]),
            np.full(1800, 0.12),
            b.random.uniform(6.5, 11, 1800),
        ],
        -1,
    )
    grass(b, at, 0.35, blades, 0.012, 0.5)
    # A headland far off.
    hill = b.material((0.16, 0.19, 0.15), second=(0.12, 0.20, 0.08), texture="terrain", scale=60, amount=0.5)
    b.field(
        (-1500, 300),
        (700, 1100),
        (60, 300),
        lambda x, z: (
            120
            * np.clip(
                fractal_map(x / 300, z / 300, 6, 5) - 0.32 - np.clip((x + 350) / 700, -0.35, 1), -0.05, 1
            )
        ),
        hill,
        1.0,
    )
    sky = Sky(
        zenith=(0.04, 0.17, 0.60),
        horizon=(0.50, 0.74, 1.0),
        ground=(0.4, 0.38, 0.3),
        sun=(-0.6, 0.62, 0.2),
        cover=0.30,
        scale=0.9,
        low=1.5,
        thick=0.9,
        dense=30,
        lit=(1.7, 1.62, 1.5),
        shade=(0.55, 0.64, 0.78),
        seed=4,
        glow=0.12,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.75, 0), at=(0, 1.62, 4), tall=36),
            sky,
            Sun((2.5, 2.35, 2.0), 0.5),
            Air(0.0005, colour=(0.62, 0.78, 0.95)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.62, blur=2.6),
        {"sky": sky_map, "water": water_map(0.455, 0.66, blue=1.1)},
    )


def beach_sunset() -> Scene:
    b = Build(37)
    sand = b.material(
        (0.50, 0.40, 0.30), second=(0.36, 0.28, 0.21), texture="ground", scale=1.2, rough=0.55, shine=0.04
    )
    water = b.material(
        (0.04, 0.10, 0.13),
        second=(0.015, 0.045, 0.08),
        texture="water",
        scale=1.3,
        rough=0.05,
        shine=0.02,
        bump=0.12,
        amount=11.4,
    )
    _beach(b, sand, water, 11.0)
    bark = b.material((0.10, 0.08, 0.06))
    leaf = b.material((0.03, 0.06, 0.02), second=(0.10, 0.13, 0.04), texture="leaf", through=0.3, rough=0.4)
    for x, z, h, lean in (
        (-3.1, 7.5, 4.6, (1.2, 0.2)),
        (-4.3, 8.4, 5.8, (0.3, 0.6)),
        (-5.8, 9.5, 6.2, (1.0, 0.0)),
        (5.7, 9.0, 6.0, (-1.0, 0.2)),
    ):
        palm(b, (x, 0.2, z), h, lean, bark, leaf)
    rock = b.material(
        (0.10, 0.085, 0.075), second=(0.05, 0.045, 0.04), texture="plaster", scale=0.4, bump=0.02
    )
    for x, z, r in ((4.2, 10.6, 0.5), (5.2, 11.4, 0.8), (6.5, 12.4, 0.7), (3.4, 11.9, 0.28)):
        b.sphere((x, 0, z), (r * 1.3, r * 0.8, r), rock, 14)
    sky = Sky(
        zenith=(0.05, 0.11, 0.34),
        horizon=(1.0, 0.40, 0.13),
        ground=(0.2, 0.13, 0.1),
        sun=(0.24, 0.055, 1.0),
        light=(1.0, 0.52, 0.20),
        glow=0.75,
        tight=14,
        disc=0.022,
        bright=26,
        cover=0.38,
        scale=1.3,
        low=2.0,
        thick=0.6,
        dense=26,
        lit=(1.7, 0.72, 0.32),
        shade=(0.26, 0.17, 0.24),
        seed=11,
        fall=0.42,
        cirrus=0.5,
        wisps=(1.3, 0.62, 0.42),
        band=(0.10, 0.0, 0.02),
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.7, 0), at=(0, 1.60, 4), tall=36),
            sky,
            Sun((1.6, 0.8, 0.34), 1.2),
            Air(0.0012, tight=10, colour=(0.75, 0.42, 0.25), toward=(0.6, 0.25, 0.08)),
            samples=11,
            bounces=3,
            rows=486,
            clamp=5,
        ),
        Develop(exposure=0.78, blur=2.6, glare=0.12, saturation=1.15),
        {"sky": sky_map, "water": water_map(0.455, 0.68, dark=0.12)},
    )


def island() -> Scene:
    b = Build(41)
    water = b.material(
        (0.08, 0.50, 0.50),
        second=(0.02, 0.22, 0.36),
        texture="water",
        scale=0.9,
        rough=0.05,
        shine=0.02,
        bump=0.09,
        amount=0.0,
    )
    b.quad((-6000, 0, -4), (12000, 0, 0), (0, 0, 9000), water)
    green = b.material(
        (0.12, 0.12, 0.08), second=(0.07, 0.17, 0.04), texture="terrain", scale=14, amount=0.25, rough=1
    )

    def mountain(x: Floats, z: Floats) -> Floats:
        d = np.hypot((x - 85) / 130, (z - 330) / 90)
        e = np.hypot((x + 150) / 110, (z - 420) / 90)
        h = np.exp(-(d**2) * 2.0) * 95 + np.exp(-(e**2) * 2.2) * 62
        return h * (0.45 + 0.85 * ridged_map(x / 95, z / 95, 6)) - 9 + 5 * fractal_map(x / 30, z / 30, 4)

    b.field((-420, 420), (215, 560), (220, 420), mountain, green, 1.0)
    sand = b.material((0.80, 0.70, 0.54), texture="ground", scale=2, rough=1)
    b.field(
        (-20, 62),
        (36, 62),
        (80, 160),
        lambda x, z: 1.1 * np.exp(-(((x - 24) / 24) ** 2 + ((z - 49) / 7) ** 2) * 1.6) - 0.35,
        sand,
    )
    bark = b.material((0.34, 0.26, 0.19))
    leaf = b.material((0.05, 0.17, 0.03), second=(0.20, 0.38, 0.08), texture="leaf", through=0.35, rough=0.35)
    rnd = b.random
    for _ in range(26):
        palm(
            b,
            (rnd.uniform(9, 42), 0.4, rnd.uniform(45, 53)),
            rnd.uniform(5, 9),
            (rnd.uniform(-2, 1.5), rnd.uniform(-1, 1)),
            bark,
            leaf,
            14,
            3.0,
        )
    for _ in range(40):
        shrub(b, (rnd.uniform(10, 42), 0.4, rnd.uniform(46, 54)), rnd.uniform(0.8, 1.6), leaf, 420, 0.25)
    # A pier of planks to huts on stilts.
    wood = b.material((0.36, 0.26, 0.18), second=(0.26, 0.18, 0.12), texture="grain", scale=0.4, rough=0.8)
    thatch = b.material((0.36, 0.28, 0.17), second=(0.22, 0.16, 0.10), texture="grain", scale=0.25, rough=1)
    for x, z in ((-9.5, 27), (-14.5, 33), (-19, 41)):
        b.box((x, 1.2, z), (3.6, 0.12, 3.4), wood)
        b.box(
            (x, 2.2, z),
            (2.9, 1.9, 2.7),
            b.material((0.42, 0.30, 0.20), second=(0.30, 0.20, 0.13), texture="slats", scale=0.14),
        )
        b.box((x + 0.3, 2.1, z - 1.37), (1.0, 1.5, 0.05), b.material((0.05, 0.07, 0.08), rough=0.2))
        b.lathe((x, 3.05, z), [(2.5, 0), (1.3, 0.75), (0.1, 1.75), (0, 1.8)], thatch, 18)
        for dx in (-1.5, 0, 1.5):
            for dz in (-1.4, 1.4):
                b.cylinder((x + dx, -1, z + dz), 0.09, 2.2, wood, 8)
    for i in range(60):
        t = i / 59
        b.box((-6.0 - 14 * t, 1.0, 20 + 25 * t), (0.9, 0.06, 0.42), wood, 30)
        if i % 6 == 0:
            b.cylinder((-6.4 - 14 * t, -1, 20 + 25 * t), 0.06, 2.2, wood, 8)
            b.cylinder((-5.6 - 14 * t, -1, 20 + 25 * t), 0.06, 2.2, wood, 8)
    for x, z, h, lean in ((-5.2, 7.5, 5.4, (2.0, 0.3)), (-6.4, 9.0, 6.8, (1.2, 0.2))):
        palm(b, (x, -0.6, z), h, lean, bark, leaf)
    sky = Sky(
        zenith=(0.04, 0.17, 0.60),
        horizon=(0.50, 0.76, 1.0),
        sun=(0.62, 0.6, -0.1),
        cover=0.31,
        scale=0.9,
        low=1.4,
        thick=0.9,
        dense=30,
        lit=(1.7, 1.62, 1.5),
        shade=(0.55, 0.64, 0.78),
        seed=7,
        glow=0.12,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 2.1, 0), at=(0, 2.0, 4), tall=36),
            sky,
            Sun((2.6, 2.4, 2.05), 0.5),
            Air(0.0006, colour=(0.42, 0.62, 0.9)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.62, blur=2.4),
        {"sky": sky_map, "water": water_map(0.47, 1.01, blue=1.1)},
    )


def _range(peak: float, far: float, seed: float, low: float = 0.0) -> object:
    """A mountain range of a height, its crest at a distance."""

    def height(x: Floats, z: Floats) -> Floats:
        wx, wz = x / far, z / far
        warp = 0.22 * (fractal_map(wx * 3, wz * 3, 4, seed + 3) - 0.5)
        r = ridged_map(wx * 2.1 + warp, wz * 2.1 + warp, 8, seed)
        f = fractal_map(wx * 1.6, wz * 1.6, 3, seed + 1)
        rise = np.clip((z / far - 0.42) / 0.5, 0, 1) ** 1.3
        return low + peak * rise * np.clip(0.15 + 1.15 * r * (0.45 + f) - 0.05, 0, 2)

    return height


def lake() -> Scene:
    b = Build(43)
    water = b.material(
        (0.015, 0.06, 0.06),
        second=(0.012, 0.05, 0.055),
        texture="water",
        scale=0.5,
        rough=0.03,
        shine=0.03,
        bump=0.012,
    )
    b.quad((-6000, 0, -5), (12000, 0, 0), (0, 0, 9000), water)
    rock = b.material(
        (0.20, 0.185, 0.17), second=(0.78, 0.80, 0.84), texture="terrain", scale=160, amount=0.78, rough=1
    )
    b.field((-2600, 2600), (900, 3300), (420, 620), _range(720, 2600, 8.0, -25), rock, 0.75)
    slope = b.material(
        (0.13, 0.12, 0.10), second=(0.055, 0.085, 0.035), texture="terrain", scale=25, amount=0.35, rough=1
    )

    def shores(x: Floats, z: Floats) -> Floats:
        valley = np.clip((np.abs(x + 30) - 110) / 380, -0.08, 1)
        rough = 0.5 + fractal_map(x / 150, z / 150, 6, 2)
        return (
            240 * np.sign(valley) * np.abs(valley) ** 1.15 * rough + 26 * np.clip((z - 620) / 300, 0, 1) - 3
        )

    b.field((-900, 900), (110, 1100), (260, 320), shores, slope, 0.8)
    bark = b.material((0.10, 0.075, 0.055))
    needle = b.material(
        (0.012, 0.040, 0.016), second=(0.055, 0.11, 0.045), texture="leaf", rough=0.7, through=0.1
    )
    rnd = b.random
    spots = []
    while len(spots) < 330:
        x, z = rnd.uniform(-420, 420), rnd.uniform(120, 640)
        y = float(shores(np.array([[x]], np.float32), np.array([[z]], np.float32))[0, 0])
        if 0.3 < y < 110:
            spots.append((x, y, z))
    for x, y, z in spots:
        h = rnd.uniform(11, 20)
        conifer(b, (x, y - 0.4, z), h, h * 0.19, bark, needle, 700, 0.75)
    for x, z, h in (
        (-7.6, 17, 12),
        (-10.5, 21, 15),
        (-13.5, 19, 13),
        (9.2, 19, 13),
        (12.0, 23, 16),
        (15.4, 21, 14),
        (-17, 26, 16),
        (19, 28, 17),
    ):
        conifer(b, (x, 0.4, z), h, h * 0.17, bark, needle, 24000, 0.17)
    bank = b.material((0.14, 0.12, 0.085), second=(0.09, 0.12, 0.04), texture="ground", scale=0.6, rough=1)
    b.field(
        (-26, 26),
        (14, 32),
        (60, 200),
        lambda x, z: (
            -0.9
            + 1.6 * np.clip((np.abs(x + 0.5) - 4.5) / 5, 0, 1)
            + 0.5 * (fractal_map(x * 0.6, z * 0.6, 4) - 0.5)
        ),
        bank,
    )
    stone = b.material(
        (0.20, 0.19, 0.18), second=(0.11, 0.105, 0.10), texture="plaster", scale=0.4, bump=0.02
    )
    for _ in range(34):
        s = 1 if rnd.uniform() < 0.5 else -1
        r = rnd.uniform(0.12, 0.5)
        b.sphere((s * rnd.uniform(4.2, 8.0), 0.0, rnd.uniform(13.5, 18)), (r * 1.4, r * 0.7, r), stone, 10)
    sky = Sky(
        zenith=(0.07, 0.19, 0.50),
        horizon=(0.66, 0.78, 0.92),
        sun=(-0.75, 0.42, 0.1),
        light=(1, 0.9, 0.75),
        cover=0.36,
        scale=1.4,
        low=2.0,
        thick=0.8,
        dense=22,
        lit=(1.25, 1.16, 1.05),
        shade=(0.48, 0.55, 0.67),
        seed=3,
        glow=0.2,
        cirrus=0.35,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 2.0, 0), at=(0, 2.12, 4), tall=36),
            sky,
            Sun((2.3, 2.0, 1.6), 0.5),
            Air(0.00016, 900, colour=(0.50, 0.64, 0.85)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=1.0, blur=2.4),
        {"sky": sky_map, "water": water_map(0.55, 1.01, blue=1.1)},
    )


def aurora() -> Scene:
    b = Build(47)
    snow = b.material((0.62, 0.68, 0.76), second=(0.5, 0.56, 0.64), texture="ground", scale=4, rough=0.9)
    b.field(
        (-60, 60),
        (3, 120),
        (160, 240),
        lambda x, z: (
            0.2
            + 0.9 * (fractal_map(x * 0.08, z * 0.08, 5) - 0.5)
            + 0.02 * np.abs(x)
            - 0.6 * np.exp(-(((z - 30) / 12) ** 2))
        ),
        snow,
        0.3,
    )
    ice = b.material(
        (0.05, 0.08, 0.10),
        second=(0.03, 0.05, 0.07),
        texture="water",
        scale=2.0,
        rough=0.12,
        shine=0.04,
        bump=0.01,
    )
    b.quad((-400, -0.05, 10), (800, 0, 0), (0, 0, 700), ice)
    rock = b.material(
        (0.08, 0.085, 0.095), second=(0.55, 0.60, 0.68), texture="terrain", scale=120, amount=0.62, rough=1
    )
    b.field((-2600, 2600), (600, 2500), (260, 460), _range(560, 2000, 14.0, -10), rock, 0.8)
    bark = b.material((0.06, 0.05, 0.045))
    needle = b.material((0.015, 0.03, 0.025), second=(0.30, 0.34, 0.40), texture="leaf", rough=0.8)
    rnd = b.random
    for x, z, h in (
        (-6.2, 15, 9),
        (-9.0, 18, 11),
        (-12, 17, 9),
        (-15.5, 22, 12),
        (7.4, 16, 10),
        (10.4, 19, 12),
        (13.6, 18, 9),
        (17, 24, 12),
        (-4.6, 21, 7),
        (5.6, 22, 8),
    ):
        conifer(b, (x, 0.1, z), h, h * 0.2, bark, needle, 15000, 0.15)
    for _ in range(150):
        x = rnd.uniform(-200, 200)
        conifer(b, (x, 0.0, rnd.uniform(120, 240)), rnd.uniform(9, 17), 2.6, bark, needle, 260, 1.0)
    # A cabin with a lit window.
    log = b.material((0.16, 0.10, 0.06), second=(0.10, 0.06, 0.04), texture="slats", scale=0.25)
    b.box((5.2, 1.0, 19.0), (3.2, 2.0, 2.6), log, 20)
    b.box((4.4, 1.25, 17.75), (0.55, 0.6, 0.05), b.glow((1.0, 0.62, 0.25), 2.4), 20)
    b.box((5.6, 1.25, 17.32), (0.55, 0.6, 0.05), b.glow((1.0, 0.62, 0.25), 2.4), 20)
    for s in (-1, 1):
        b.box((5.2 + s * 0.85, 2.45, 19.0), (2.2, 0.25, 3.2), snow, 20, tilt=-s * 33)
    sky = Sky(
        zenith=(0.004, 0.010, 0.030),
        horizon=(0.012, 0.042, 0.055),
        ground=(0.02, 0.03, 0.035),
        sun=(-0.2, 0.6, 0.75),
        light=(0.05, 0.30, 0.16),
        glow=0.07,
        tight=2.5,
        stars=0.05,
        fall=0.5,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 2.0, 0), at=(0, 2.5, 4), tall=42),
            sky,
            Sun((0.10, 0.30, 0.20), 12),
            Air(0.0003, colour=(0.02, 0.07, 0.07)),
            samples=10,
            bounces=3,
            rows=486,
            sky_samples=2,
        ),
        Develop(exposure=1.35, blur=1.8, glare=0.12, contrast=1.25),
        {"sky": sky_map},
    )


def underwater() -> Scene:
    b = Build(53)
    sand = b.material(
        (0.55, 0.55, 0.44), second=(0.40, 0.41, 0.34), texture="sand", scale=0.5, rough=1, bump=0.02
    )
    b.field(
        (-40, 40),
        (1.5, 60),
        (200, 260),
        lambda x, z: (
            -0.2
            + 0.5 * (fractal_map(x * 0.25, z * 0.25, 4) - 0.5)
            + 0.10 * np.abs(x) * np.clip(np.abs(x) - 2, 0, 6) / 6
        ),
        sand,
        0.25,
    )
    rock = b.material(
        (0.16, 0.18, 0.17), second=(0.09, 0.11, 0.10), texture="plaster", scale=0.35, bump=0.05, rough=1
    )
    rnd = b.random
    corals = [
        b.material(c, second=d, texture="leaf", through=0.2, rough=0.8)
        for c, d in (
            ((0.55, 0.18, 0.20), (0.75, 0.40, 0.30)),
            ((0.55, 0.36, 0.10), (0.72, 0.55, 0.22)),
            ((0.36, 0.16, 0.42), (0.55, 0.32, 0.60)),
            ((0.12, 0.32, 0.24), (0.25, 0.5, 0.3)),
        )
    ]
    weed = b.material((0.04, 0.16, 0.06), second=(0.16, 0.34, 0.10), texture="leaf", through=0.4)
    for _ in range(46):
        s = 1 if rnd.uniform() < 0.5 else -1
        z = rnd.uniform(4, 16)
        x = s * (1.6 + 0.16 * z + abs(rnd.normal(0, 1.6)))
        r = rnd.uniform(0.2, 0.65)
        y = 0.06 * abs(x)
        b.sphere((x, y, z), (r * 1.3, r * 0.95, r), rock, 14)
        kind = rnd.integers(0, 3)
        c = corals[rnd.integers(4)]
        if kind == 0:
            scatter(b, (x, y + r * 0.9, z), (r * 0.6, r * 0.5, r * 0.6), 420, c, 0.07, 0.5, 1.0)
        elif kind == 1:
            for _ in range(12):
                a, k = rnd.uniform(0, 6.28), rnd.uniform(0.2, 0.75)
                t = np.linspace(0, 1, 6)[:, None]
                path = (
                    np.array([x, y + r * 0.6, z])
                    + t * np.array([math.cos(a) * 0.3, k, math.sin(a) * 0.3])
                    + rnd.normal(0, 0.02, (6, 3))
                )
                b.tube(path, 0.035 * (1.15 - t[:, 0]), c, 6, float(rnd.uniform(0.2, 0.9)))
        else:
            at = np.stack([x + rnd.normal(0, 0.4, 160), np.full(160, y), z + rnd.normal(0, 0.3, 160)], -1)
            grass(b, at, rnd.uniform(0.5, 1.2), weed, 0.025, 0.2)
    sky = Sky(
        zenith=(0.30, 0.95, 1.10),
        horizon=(0.015, 0.20, 0.34),
        ground=(0.01, 0.08, 0.12),
        sun=(-0.15, 0.95, 0.3),
        light=(0.5, 1.0, 1.0),
        glow=0.8,
        tight=6,
        fall=0.85,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.4, 0), at=(0, 1.62, 4), tall=42),
            sky,
            Sun((0.75, 1.25, 1.2), 4),
            Air(0.085, tight=3, colour=(0.012, 0.17, 0.29)),
            samples=10,
            bounces=3,
        ),
        Develop(exposure=0.9, blur=4.0, glare=0.15, contrast=1.5),
        {"depth": lambda taken, light: taken.cover * np.clip(taken.near * 6 - 0.35, 0, 1)},
        _beams,
    )


def _beams(taken: Taken) -> Floats:
    """Soft shafts of light from the surface, fanned from a point above."""
    h, w = taken.light.shape[:2]
    y, x = np.mgrid[0 : 1 : h * 1j, -0.9 : 0.9 : w * 1j].astype(np.float32)
    a = np.arctan2(x + 0.22, y + 0.45)
    n = fractal_map(a * 9, np.zeros_like(a), 3, 4.0) ** 2 * 2.2
    k = np.clip(n - 0.35, 0, 1) * np.clip(1.05 - y * 1.25, 0, 1)
    return taken.light + k[..., None] * np.array([0.05, 0.24, 0.27], np.float32)
