"""Woods and gardens: forest, autumn park, meadow, waterfall, zen garden.

Must not know rays.
"""

from __future__ import annotations

import math

import numpy as np
from coasts import _range, sky_map
from heavens import Sky
from mesh import Build, Floats, unit
from noise import fractal_map
from plants import grass, scatter, shrub, tree
from shot import Air, Camera, Develop, Scene, Shot, Sun, Taken


def forest() -> Scene:
    b = Build(67)
    moss = b.material((0.13, 0.10, 0.05), second=(0.10, 0.16, 0.035), texture="ground", scale=0.8, rough=1)
    b.field(
        (-40, 40),
        (2, 60),
        (160, 220),
        lambda x, z: 0.5 * (fractal_map(x * 0.2, z * 0.2, 5) - 0.5) + 0.03 * np.abs(x),
        moss,
        0.3,
    )
    bark = b.material((0.16, 0.12, 0.09), second=(0.08, 0.06, 0.045), texture="grain", scale=0.25, rough=1)
    leaf = b.material((0.05, 0.13, 0.02), second=(0.22, 0.36, 0.07), texture="leaf", through=0.5, rough=0.6)
    fern = b.material((0.05, 0.14, 0.03), second=(0.18, 0.32, 0.08), texture="leaf", through=0.4, rough=0.6)
    rnd = b.random
    spots: list[tuple[float, float]] = []
    while len(spots) < 62:
        z = rnd.uniform(6, 44)
        x = rnd.uniform(-0.75, 0.75) * z
        if abs(x) > 1.3 + 0.02 * z and all((x - a) ** 2 + (z - c) ** 2 > 3.2 for a, c in spots):
            spots.append((x, z))
    for x, z in spots:
        h, r = rnd.uniform(13, 20), rnd.uniform(0.13, 0.30)
        t = np.linspace(0, 1, 14)[:, None]
        sway = np.cumsum(rnd.normal(0, 0.05, (14, 3)), 0) * [1, 0, 1]
        b.tube(
            np.array([x, -0.3, z]) + sway + t * [0, h, 0],
            r * (1.05 - 0.6 * t[:, 0]) + 0.12 * np.exp(-t[:, 0] * 40),
            bark,
            9,
            float(rnd.uniform(0.35, 0.65)),
        )
        for _ in range(8):
            a, up, out = rnd.uniform(0, 6.28), rnd.uniform(0.34, 0.95) * h, rnd.uniform(1.0, 2.8)
            c = np.array([x + math.cos(a) * out, up, z + math.sin(a) * out])
            s = np.linspace(0, 1, 5)[:, None]
            b.tube(np.array([x, up - 0.9, z]) + (c - [x, up - 0.9, z]) * s, 0.035 * (1.2 - s[:, 0]), bark, 4)
            scatter(b, c, (1.5, 0.6, 1.5), 330, leaf, 0.16, 0.1)
    for _ in range(260):
        z = rnd.uniform(3.5, 30)
        x = rnd.uniform(-0.8, 0.8) * z
        if abs(x) < 0.9:
            continue
        for k in range(7):
            a = 6.28 * k / 7 + rnd.uniform(-0.3, 0.3)
            d = np.array([math.cos(a), 0, math.sin(a)])
            s = np.linspace(0, 1, 9)[:, None]
            n = rnd.uniform(0.35, 0.7)
            rib = (
                np.array([x, 0.03 * abs(x), z])
                + d * n * s
                + np.array([0, 1, 0]) * n * (0.95 * s - 0.85 * s**2.2)
            )
            side = unit(np.cross(d, [0, 1, 0])) * 0.13 * n * (1 - s) ** 0.7
            b.surface(np.stack([rib - side, rib, rib + side], 1), fern, float(rnd.uniform(0.1, 0.9)))
    at = np.stack([rnd.uniform(-14, 14, 9000), np.zeros(9000), rnd.uniform(2.5, 24, 9000)], -1)
    at[:, 1] = 0.03 * np.abs(at[:, 0])
    grass(b, at[np.abs(at[:, 0]) > 0.7], 0.17, fern, 0.012, 0.5)
    back = b.material((0.10, 0.20, 0.04), second=(0.30, 0.44, 0.12), texture="leaf", through=0.5)
    for x in np.arange(-36, 37, 4.5):
        scatter(b, (x, rnd.uniform(2, 7), 50 + rnd.uniform(-3, 3)), (4.5, 6.5, 2), 900, back, 0.6)
    sky = Sky(
        zenith=(0.55, 0.72, 0.80),
        horizon=(0.95, 1.02, 0.85),
        ground=(0.12, 0.14, 0.06),
        sun=(0.38, 0.62, 0.69),
        light=(1, 0.9, 0.65),
        glow=0.7,
        tight=5,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.6, 0), at=(0, 1.9, 4), tall=40),
            sky,
            Sun((5.0, 4.4, 3.1), 1.0),
            Air(0.016, tight=5, colour=(0.20, 0.27, 0.16), toward=(0.55, 0.52, 0.30)),
            samples=10,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.95, blur=4.0, glare=0.16),
        {"shafts": _shaft_map},
        _sunbeams,
    )


def _shaft_map(taken: Taken, light: Floats) -> Floats:
    """Where shafts of light are seen: from the upper right, fanned."""
    h, w = light.shape[:2]
    y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
    a = np.arctan2(x - 1.25, y + 0.55)
    n = fractal_map(a * 11, np.zeros_like(a), 3, 9.0)
    return (
        np.clip((n - 0.42) * 3.4, 0, 1)
        * np.clip(1.25 - y * 1.2, 0, 1)
        * np.clip(1.3 - np.abs(a + 0.42) * 1.3, 0, 1)
    )


def _sunbeams(taken: Taken) -> Floats:
    k = _shaft_map(taken, taken.light) * np.clip(1.15 - taken.near * 5, 0.25, 1)
    return taken.light + k[..., None] * np.array([0.50, 0.46, 0.27], np.float32)


def autumn() -> Scene:
    b = Build(71)
    lawn = b.material((0.16, 0.17, 0.05), second=(0.38, 0.22, 0.06), texture="ground", scale=1.5, rough=1)
    b.field(
        (-45, 45),
        (2, 80),
        (120, 200),
        lambda x, z: 0.4 * (fractal_map(x * 0.06, z * 0.06, 4) - 0.5) + 0.012 * np.abs(x),
        lawn,
        0.3,
    )
    gravel = b.material((0.42, 0.36, 0.29), second=(0.34, 0.28, 0.22), texture="ground", scale=0.8, rough=1)
    z = np.linspace(1.5, 60, 60)[:, None]
    mid = 0.9 * np.sin(z * 0.07) + 0.024 * z
    rise = 0.4 * (fractal_map((mid * 0.06).astype(np.float32), (z * 0.06).astype(np.float32), 4) - 0.5)
    b.surface(np.concatenate([np.stack([mid + s * 1.3, 0.08 + rise, z], -1) for s in (-1, 1)], 1), gravel)
    bark = b.material((0.13, 0.10, 0.08), second=(0.07, 0.055, 0.045), texture="grain", scale=0.3)
    golds = [
        b.material(c, second=d, texture="leaf", through=0.5, rough=0.6)
        for c, d in (
            ((0.42, 0.13, 0.02), (0.80, 0.40, 0.06)),
            ((0.50, 0.26, 0.03), (0.90, 0.60, 0.10)),
            ((0.34, 0.07, 0.02), (0.70, 0.24, 0.05)),
            ((0.26, 0.26, 0.05), (0.60, 0.50, 0.12)),
        )
    ]
    rnd = b.random
    for i, (x, zz, h) in enumerate(
        (
            (-5.0, 10, 8),
            (5.6, 11, 8.5),
            (-7.5, 17, 10),
            (8.4, 18, 10),
            (-4.8, 24, 9),
            (7.0, 27, 10),
            (-12, 25, 11),
            (14, 26, 11),
            (-7, 36, 11),
            (9.5, 38, 12),
            (-17, 38, 12),
            (19, 40, 12),
            (0.5, 56, 12),
            (-10, 52, 13),
            (12, 55, 13),
            (-24, 50, 13),
            (26, 52, 13),
        )
    ):
        tree(
            b,
            (x, 0, zz),
            h,
            h * 0.40,
            bark,
            golds[(i * 7) % 4],
            8500 if zz < 30 else 4200,
            0.17 if zz < 30 else 0.28,
            0.26,
            26,
        )
    for x in np.arange(-46, 47, 6):
        scatter(
            b, (x, rnd.uniform(3, 6), 76 + rnd.uniform(-3, 3)), (5, 5.5, 2), 700, golds[rnd.integers(4)], 0.8
        )
    n = 15000
    at = np.stack([rnd.uniform(-16, 16, n), np.zeros(n), 2.5 + 36 * rnd.uniform(0, 1, n) ** 1.6], -1)
    at[:, 1] = 0.035 + 0.012 * np.abs(at[:, 0])
    for i in range(4):
        part = at[i::4]
        b.leaves(
            part.astype(np.float32),
            0.075,
            golds[i],
            1.5,
            facing=np.broadcast_to(np.array([0, 1, 0], np.float32), part.shape),
            up=-0.2,
        )
    # A bench and a lamp beside the path.
    wood = b.material((0.24, 0.14, 0.08), texture="grain", scale=0.2)
    iron = b.material((0.03, 0.03, 0.03), rough=0.4)
    for k in range(4):
        b.box((-2.55, 0.46, 9.2 + 0.1 * k), (1.5, 0.035, 0.08), wood, 62)
    for k in range(3):
        b.box((-2.75, 0.62 + 0.13 * k, 9.75), (1.5, 0.09, 0.03), wood, 62)
    for x, zz in ((3.9, 13), (-3.4, 21), (5.2, 30)):
        b.cylinder((x, 0, zz), 0.05, 3.1, iron, 8)
        b.lathe(
            (x, 3.1, zz), [(0.08, 0), (0.19, 0.38), (0.02, 0.55)], b.material((0.8, 0.75, 0.65), rough=0.3), 8
        )
    sky = Sky(
        zenith=(0.22, 0.38, 0.68),
        horizon=(0.95, 0.90, 0.80),
        ground=(0.25, 0.18, 0.08),
        sun=(-0.55, 0.38, 0.6),
        light=(1, 0.85, 0.6),
        glow=0.5,
        tight=5,
        cirrus=0.5,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.6, 0), at=(0, 1.75, 4), tall=38),
            sky,
            Sun((4.2, 3.3, 2.1), 0.8),
            Air(0.006, tight=5, colour=(0.55, 0.50, 0.42), toward=(0.5, 0.36, 0.16)),
            samples=10,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.92, blur=4.0, glare=0.12),
    )


def meadow() -> Scene:
    b = Build(73)
    rnd = b.random

    def hills(x: Floats, z: Floats) -> Floats:
        return 9.0 * (fractal_map(x * 0.011, z * 0.011, 4, 4) - 0.52) * np.clip(
            (z - 14) / 60, 0, 1
        ) + 0.14 * (fractal_map(x * 0.4, z * 0.4, 4) - 0.5)

    soil = b.material((0.13, 0.19, 0.045), second=(0.24, 0.30, 0.08), texture="ground", scale=2.0, rough=1)
    b.field((-220, 220), (1.2, 260), (240, 300), hills, soil, 0.12)
    blades = b.material((0.09, 0.17, 0.03), second=(0.34, 0.44, 0.12), texture="leaf", through=0.4, rough=0.6)
    n = 60000
    z = 2.2 + 30 * rnd.uniform(0, 1, n) ** 1.7
    x = rnd.uniform(-0.75, 0.75, n) * (z + 1.2)
    at = np.stack([x, hills(x[:, None].astype(np.float32), z[:, None].astype(np.float32))[:, 0], z], -1)
    grass(
        b,
        at,
        0.30 * (0.6 + 0.8 * fractal_map((x * 0.5)[:, None], (z * 0.5)[:, None], 3)[:, 0]),
        blades,
        0.009,
        0.4,
    )
    petals = [
        b.material(c, texture="leaf", second=c, through=0.3)
        for c in ((0.75, 0.08, 0.05), (0.85, 0.80, 0.72), (0.80, 0.58, 0.06), (0.30, 0.22, 0.62))
    ]
    for i, p in enumerate(petals):
        m = 2600
        pz = 2.6 + 26 * rnd.uniform(0, 1, m) ** 1.5
        px = rnd.uniform(-0.75, 0.75, m) * (pz + 1.2)
        keep = fractal_map((px * 0.35)[:, None], (pz * 0.35)[:, None], 3, i + 5.0)[:, 0] > 0.5
        px, pz = px[keep], pz[keep]
        py = hills(px[:, None].astype(np.float32), pz[:, None].astype(np.float32))[:, 0] + rnd.uniform(
            0.2, 0.42, len(px)
        )
        for _ in range(3):
            b.leaves(
                np.stack([px, py, pz], -1).astype(np.float32)
                + rnd.normal(0, 0.012, (len(px), 3)).astype(np.float32),
                0.05,
                p,
                1.2,
                facing=np.broadcast_to(np.array([0, 1, 0], np.float32), (len(px), 3)),
            )
    bark = b.material((0.14, 0.11, 0.08))
    leaf = b.material((0.04, 0.11, 0.02), second=(0.17, 0.29, 0.06), texture="leaf", through=0.3, rough=0.6)
    for x, zz, h in ((-13, 30, 9), (-17.5, 33, 8), (17, 42, 10)):
        y = float(hills(np.array([[x]], np.float32), np.array([[zz]], np.float32))[0, 0])
        tree(b, (x, y, zz), h, h * 0.42, bark, leaf, 9000, 0.22, 0.22, 26)
    for _ in range(60):
        x, zz = rnd.uniform(-130, 130), rnd.uniform(120, 200)
        y = float(hills(np.array([[x]], np.float32), np.array([[zz]], np.float32))[0, 0])
        r = rnd.uniform(3, 5.5)
        scatter(b, (x, y + r * 0.8, zz), (r, r, r), 420, leaf, 0.8, 0.5)
    far = b.material((0.10, 0.16, 0.08), second=(0.12, 0.20, 0.09), texture="terrain", scale=90, amount=0.4)
    b.field((-1500, 1500), (500, 1500), (80, 240), _range(210, 1200, 33.0, -8), far, 0.8)
    sky = Sky(
        zenith=(0.04, 0.17, 0.60),
        horizon=(0.52, 0.74, 1.0),
        ground=(0.2, 0.25, 0.1),
        sun=(-0.66, 0.6, 0.1),
        cover=0.34,
        scale=0.9,
        low=1.4,
        thick=0.9,
        dense=30,
        lit=(1.7, 1.62, 1.5),
        shade=(0.55, 0.63, 0.76),
        seed=2,
        glow=0.12,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.5, 0), at=(0, 1.62, 4), tall=36),
            sky,
            Sun((2.6, 2.4, 1.95), 0.6),
            Air(0.0007, colour=(0.55, 0.70, 0.9)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.70, blur=3.0),
        {"sky": sky_map},
    )


def waterfall() -> Scene:
    b = Build(83)
    rnd = b.random
    rock = b.material(
        (0.13, 0.125, 0.11),
        second=(0.07, 0.10, 0.035),
        texture="terrain",
        scale=1.6,
        amount=0.72,
        rough=0.75,
        bump=0.10,
    )

    y = np.linspace(-0.5, 13, 110)[:, None]
    x = np.linspace(-16, 16, 220)[None]
    gap = np.exp(-(((x - 1.6) / 2.0) ** 2))
    ledge = 0.55 * np.floor(y / 2.1 + 0.9 * fractal_map(x * 0.25 + 0 * y, 0 * x + y * 0.05, 3, 2)) * 0.9
    z = (
        15
        + ledge
        + 3.4 * (fractal_map(x * 0.22 + 0 * y, y * 0.22 + 0 * x, 6, 5) - 0.5)
        - 0.0105 * x**2 * 2.2
        + 1.2 * gap
    )
    b.surface(np.stack([x + 0 * y, y + 0 * x, z], -1), rock)
    # The fall: thin sheets of many streaks before the rock.
    white = b.material(
        (0.86, 0.90, 0.93), second=(0.55, 0.64, 0.70), texture="grain", scale=0.35, rough=0.5, through=0.3
    )
    for k in range(210):
        top, w = rnd.uniform(10.5, 13), rnd.uniform(0.015, 0.11)
        px = 1.6 + rnd.normal(0, 0.62)
        t = np.linspace(0, 1, 22)[:, None]
        yy = top * (1 - t) - 0.1
        spread = (px - 1.6) * (1 + 0.5 * t)
        zz = 14.6 + 0.10 * top - 1.1 * t + 0.4 * np.floor(t * 3 + 0.4) / 3 * -1.2 + rnd.uniform(-0.25, 0.25)
        centre = np.concatenate([1.6 + spread + 0.05 * np.sin(t * 30 + k), yy, zz], 1)
        side = np.array([1.0, 0, 0]) * w * (0.6 + 0.5 * t)
        b.surface(np.stack([centre - side, centre + side], 1), white, float(rnd.uniform(0.3, 0.62)))
    pool = b.material(
        (0.03, 0.12, 0.11),
        second=(0.02, 0.07, 0.07),
        texture="water",
        scale=0.6,
        rough=0.06,
        shine=0.03,
        bump=0.10,
    )
    b.quad((-40, 0, -2), (80, 0, 0), (0, 0, 20), pool)
    stone = b.material(
        (0.12, 0.115, 0.10),
        second=(0.08, 0.11, 0.04),
        texture="terrain",
        scale=0.5,
        amount=0.8,
        rough=0.6,
        bump=0.05,
    )
    for _ in range(60):
        s = 1 if rnd.uniform() < 0.5 else -1
        zz = rnd.uniform(4.5, 13)
        xx = s * (1.2 + 0.16 * zz + abs(rnd.normal(0, 1.8)))
        r = rnd.uniform(0.2, 0.8)
        b.sphere((xx, -0.05, zz), (r * 1.4, r * 0.75, r), stone, 14)
    leaf = b.material((0.035, 0.11, 0.02), second=(0.17, 0.33, 0.06), texture="leaf", through=0.4, rough=0.5)
    for _ in range(150):
        s = 1 if rnd.uniform() < 0.5 else -1
        yy = rnd.uniform(0, 13)
        xx = 1.6 + s * (2.0 + abs(rnd.normal(0, 4.0)))
        shrub(
            b,
            (xx, yy, 14.2 - 0.023 * xx**2 + 0.24 * yy + rnd.uniform(-0.6, 0.2)),
            rnd.uniform(0.4, 1.1),
            leaf,
            240,
            0.19,
        )
    fern = b.material((0.05, 0.15, 0.03), second=(0.20, 0.36, 0.08), texture="leaf", through=0.4)
    for _ in range(70):
        s = 1 if rnd.uniform() < 0.5 else -1
        zz = rnd.uniform(3.8, 11)
        xx = s * (2.2 + 0.2 * zz + abs(rnd.normal(0, 1.2)))
        scatter(b, (xx, 0.35, zz), (0.5, 0.35, 0.5), 130, fern, 0.13, 0.2, 3.0)
    bark = b.material((0.10, 0.08, 0.06))
    for xx, zz, h in ((-6.4, 9.5, 9), (7.4, 10, 9), (-10, 12, 11), (11, 12, 11)):
        tree(b, (xx, 0, zz), h, h * 0.36, bark, leaf, 7000, 0.17, 0.3, 24)
    sky = Sky(
        zenith=(0.5, 0.68, 0.9),
        horizon=(0.95, 1.0, 1.0),
        ground=(0.1, 0.14, 0.06),
        sun=(-0.5, 0.75, -0.35),
        glow=0.3,
    )
    maps = {"fall": lambda taken, light: _fall_map(light), "mist": lambda taken, light: _mist(light)}
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.5, 0), at=(0, 2.2, 4), tall=42),
            sky,
            Sun((2.4, 2.2, 1.8), 1.0),
            Air(0.006, 5.0, colour=(0.62, 0.72, 0.74)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.95, blur=3.4, glare=0.1),
        maps,
        _spray,
    )


def _fall_map(light: Floats) -> Floats:
    """Where water falls: bright and grey in the middle."""
    h, w = light.shape[:2]
    grey = light.min(-1) / np.maximum(light.max(-1), 1e-4)
    y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
    near = np.exp(-(((x - 0.98) / 0.16) ** 4)) * np.clip((0.66 - y) / 0.05, 0, 1)
    return near * np.clip((light.mean(-1) - 0.22) * 4, 0, 1) * np.clip((grey - 0.55) * 4, 0, 1)


def _mist(light: Floats) -> Floats:
    """How much mist hangs where the water strikes the pool, 0..1."""
    h, w = light.shape[:2]
    y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
    n = 0.5 + fractal_map(x * 5, y * 5, 5, 6.0)
    return np.clip(np.exp(-(((x - 1.0) / 0.32) ** 2) - ((y - 0.82) / 0.12) ** 2) * n * 0.75, 0, 0.85)


def _spray(taken: Taken) -> Floats:
    k = _mist(taken.light)[..., None]
    return (taken.light * (1 - k) + k * np.float32([0.72, 0.82, 0.85])).astype(np.float32)


def zen() -> Scene:
    b = Build(89)
    rnd = b.random
    gravel = b.material((0.66, 0.64, 0.60), second=(0.58, 0.56, 0.52), texture="ground", scale=0.3, rough=1)
    stones = ((-2.2, 7.2, 0.75), (-1.3, 7.7, 0.42), (2.7, 8.4, 0.6), (2.2, 7.7, 0.34))

    def raked(x: Floats, z: Floats) -> Floats:
        d = np.full(x.shape, 99.0)
        for sx, sz, r in stones:
            d = np.minimum(d, np.hypot(x - sx, z - sz) - r)
        ring = np.cos(d * 26) * np.clip(1.5 - d, 0, 1)
        lines = np.cos(z * 26) * np.clip(d - 0.5, 0, 1)
        return 0.022 * np.where(d < 1.4, ring, lines)

    b.field((-9, 9), (2.2, 11.0), (900, 500), raked, gravel, 0.35)
    rock = b.material(
        (0.17, 0.165, 0.16),
        second=(0.10, 0.12, 0.06),
        texture="terrain",
        scale=0.5,
        amount=0.85,
        rough=0.9,
        bump=0.05,
    )
    for x, z, r in stones:
        b.sphere((x, 0.05, z), (r, r * 0.85, r * 0.75), rock, 18)
    moss = b.material((0.08, 0.14, 0.025), second=(0.16, 0.24, 0.05), texture="ground", scale=0.4, rough=1)
    b.field(
        (-16, 16),
        (10.8, 20),
        (60, 200),
        lambda x, z: 0.05 + 0.5 * fractal_map(x * 0.25, z * 0.25, 4) * np.clip((z - 10.8) / 1.5, 0, 1),
        moss,
    )
    wall = b.material((0.62, 0.55, 0.43), second=(0.54, 0.47, 0.36), texture="plaster", scale=1.4)
    tile = b.material((0.07, 0.075, 0.085), second=(0.05, 0.05, 0.06), texture="slats", scale=0.22, rough=0.4)
    wood = b.material((0.14, 0.085, 0.05), texture="grain", scale=0.3)
    b.box((0, 0.95, 16.5), (40, 1.9, 0.3), wall)
    for x in np.arange(-15, 16, 3.0):
        b.box((x, 0.95, 16.32), (0.14, 1.9, 0.08), wood)
    b.box((0, 2.02, 16.2), (40, 0.09, 0.75), tile, tilt=0)
    b.box((0, 2.10, 16.45), (40, 0.09, 0.6), tile)
    # A stone lantern.
    grey = b.material((0.36, 0.35, 0.33), second=(0.26, 0.26, 0.24), texture="plaster", scale=0.2, bump=0.006)
    b.lathe(
        (3.9, 0, 10.2),
        [(0.32, 0), (0.30, 0.12), (0.13, 0.2), (0.12, 0.85), (0.28, 0.95), (0.28, 1.02), (0.20, 1.04)],
        grey,
        6,
    )
    for a in range(6):
        b.box(
            (3.9 + 0.17 * math.cos(a * 1.047), 1.2, 10.2 + 0.17 * math.sin(a * 1.047)),
            (0.05, 0.34, 0.05),
            grey,
        )
    b.sphere((3.9, 1.18, 10.2), 0.09, b.glow((1, 0.7, 0.35), 3.0), 10)
    b.lathe(
        (3.9, 1.36, 10.2),
        [(0.46, 0), (0.40, 0.05), (0.14, 0.25), (0.05, 0.36), (0.07, 0.42), (0, 0.48)],
        grey,
        6,
    )
    bark = b.material((0.09, 0.06, 0.055), second=(0.05, 0.035, 0.03), texture="grain", scale=0.2)
    blossom = b.material(
        (0.80, 0.44, 0.52), second=(0.95, 0.74, 0.78), texture="leaf", through=0.5, rough=0.7
    )
    for x, z, h, s in ((-4.4, 10.5, 5.4, 3.2), (5.8, 12.5, 5.6, 3.2), (-9.0, 14, 6, 3.4), (10.4, 15, 6, 3.4)):
        tree(b, (x, 0, z), h, s, bark, blossom, 13000, 0.085, 0.42, 34, 0.034)
    green = b.material((0.03, 0.09, 0.02), second=(0.13, 0.23, 0.06), texture="leaf", through=0.2)
    for x, z, r in (
        (-6.2, 11.6, 0.8),
        (-2.9, 12.6, 0.7),
        (0.2, 13.6, 0.9),
        (2.1, 12.8, 0.6),
        (7.4, 12.4, 0.9),
        (-8.6, 11.4, 0.9),
        (5.0, 13.9, 1.0),
    ):
        shrub(b, (x, 0.1, z), r, green, 3600, 0.06)
    maple = b.material((0.20, 0.26, 0.05), second=(0.40, 0.44, 0.12), texture="leaf", through=0.4)
    for x in np.arange(-26, 27, 4):
        scatter(
            b,
            (x, rnd.uniform(3.2, 5.2), 22 + rnd.uniform(-1, 2)),
            (3, 3, 2),
            800,
            (green, maple)[rnd.integers(2)],
            0.4,
        )
    bamboo = b.material((0.16, 0.24, 0.07), second=(0.28, 0.34, 0.12), texture="leaf", rough=0.4)
    for _ in range(50):
        x = rnd.uniform(-2.5, 2.5)
        b.cylinder(
            (x, 0, 19 + rnd.uniform(-1, 1)), 0.045, rnd.uniform(6, 9), bamboo, 6, float(rnd.uniform(0.2, 0.9))
        )
        scatter(b, (x, rnd.uniform(3.5, 7), 19), (0.8, 0.8, 0.6), 160, maple, 0.12, 0.1, 4)
    n = 1500
    at = np.stack([rnd.uniform(-8, 8, n), np.full(n, 0.035), rnd.uniform(3, 10.5, n)], -1).astype(np.float32)
    at = at[rnd.uniform(0, 1, n) < np.clip((np.abs(at[:, 0]) - 1) / 4, 0.06, 1)]
    b.leaves(at, 0.03, blossom, 1.3, facing=np.broadcast_to(np.array([0, 1, 0], np.float32), at.shape))
    sky = Sky(
        zenith=(0.35, 0.52, 0.85),
        horizon=(0.92, 0.93, 0.98),
        ground=(0.35, 0.34, 0.3),
        sun=(-0.55, 0.62, 0.1),
        light=(1, 0.93, 0.82),
        glow=0.25,
        cirrus=0.6,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.7, 0), at=(0, 1.75, 4), tall=36),
            sky,
            Sun((2.7, 2.45, 2.05), 0.9),
            Air(0.004, colour=(0.75, 0.77, 0.8)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.72, blur=3.2),
    )
