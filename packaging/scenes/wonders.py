"""Rare places: a castle's hall, a lava cave, an aquarium, a photographer's studio.

Must not know rays.
"""

from __future__ import annotations

import math

import numpy as np
from furniture import Palette
from heavens import Sky
from mesh import Build, Floats
from noise import fractal_map
from plants import grass, scatter
from shot import Air, Camera, Develop, Scene, Shot, Taken

BLACK = Sky(zenith=(0, 0, 0), horizon=(0, 0, 0), ground=(0, 0, 0), glow=0)


def castle() -> Scene:
    b = Build(149)
    stone = b.material(
        (0.40, 0.36, 0.30), second=(0.30, 0.27, 0.23), texture="panels", scale=0.42, rough=0.9, bump=0.006
    )
    floor = b.material((0.26, 0.23, 0.20), second=(0.18, 0.16, 0.14), texture="tiles", scale=0.8, rough=0.35)
    p = Palette(b)
    b.quad((-5, 0, -3), (10, 0, 0), (0, 0, 22), floor)
    b.quad((-5, 0, 17), (10, 0, 0), (0, 9, 0), stone)
    for s in (-1, 1):
        b.quad((s * 4.8, 0, -3), (0, 0, 20), (0, 9, 0), stone)
        for k in range(5):
            z = 3.4 + 3.0 * k
            b.lathe(
                (s * 3.3, 0, z),
                [
                    (0.46, 0),
                    (0.46, 0.25),
                    (0.34, 0.4),
                    (0.30, 0.5),
                    (0.30, 3.4),
                    (0.36, 3.5),
                    (0.48, 3.8),
                    (0.5, 3.95),
                ],
                stone,
                16,
            )
            # A pointed arch from pillar to pillar, and a rib across the vault.
            t = np.linspace(0, 1, 16)
            for dz in (-1, 1):
                arch = np.stack(
                    [
                        np.full(16, s * 3.3),
                        3.9 + 1.5 * np.sin(t * math.pi / 2) ** 0.8,
                        z + dz * 1.5 * (1 - np.cos(t * math.pi / 2)),
                    ],
                    -1,
                )
                b.tube(arch, 0.15, stone, 8)
            rib = np.stack(
                [s * 3.3 * np.cos(t * math.pi / 2), 3.9 + 3.6 * np.sin(t * math.pi / 2), np.full(16, z)], -1
            )
            b.tube(rib, 0.14, stone, 8)
    a = np.linspace(0, math.pi, 32)
    vault = np.stack(
        [
            np.stack([4.9 * np.cos(a), 3.9 + 3.75 * np.sin(a), np.full(32, z)], -1)
            for z in np.linspace(-3, 17, 20)
        ]
    )
    b.surface(vault, stone)
    # A tall window at the end, of three lights, and narrow ones high in the sides.
    glass = b.material(
        (0, 0, 0), second=(0.5, 0.45, 0.6), glow=(3.6, 3.2, 2.6), texture="view", scale=1.0, amount=0.0
    )
    for x, top in ((-1.1, 4.6), (0, 5.6), (1.1, 4.6)):
        b.quad((x - 0.4, 1.7, 16.9), (0.8, 0, 0), (0, top - 1.7, 0), glass)
        b.triangles(np.array([[(x - 0.4, top, 16.9), (x + 0.4, top, 16.9), (x, top + 0.8, 16.9)]]), glass)
        for y in np.arange(2.2, top, 0.5):
            b.box((x, y, 16.85), (0.8, 0.03, 0.03), p.black)
        b.box((x, (top + 2.3) / 2, 16.85), (0.03, top - 1.3, 0.03), p.black)
    for k in range(4):
        b.quad(
            (-4.75, 2.2, 4.6 + 3.0 * k),
            (0, 0, 0.7),
            (0, 2.0, 0),
            b.material(
                (0, 0, 0), second=(0.5, 0.45, 0.6), glow=(6, 5.5, 4.5), texture="view", scale=1, amount=0.0
            ),
        )
    red = b.material(
        (0.36, 0.03, 0.03), second=(0.26, 0.02, 0.025), texture="fabric", scale=0.4, rough=1, shine=0.0
    )
    gold = b.material((0.70, 0.46, 0.12), rough=0.4)
    b.box((0, 0.012, 9), (1.9, 0.02, 15), red)
    for s in (-1, 1):
        b.box((s * 0.85, 0.016, 9), (0.07, 0.022, 15), gold)
        for k in range(4):
            z = 4.9 + 3.0 * k
            b.box((s * 3.28, 3.0, z), (0.04, 2.0, 0.8), red)
            b.box((s * 3.25, 3.2, z), (0.05, 0.4, 0.4), gold, 0, tilt=0)
    flame = b.glow((1.0, 0.48, 0.14), 40)
    for s in (-1, 1):
        for k in range(5):
            z = 3.4 + 3.0 * k
            b.cylinder((s * 2.9, 2.0, z - 0.05), 0.035, 0.35, p.walnut, 8)
            b.sphere((s * 2.88, 2.45, z - 0.05), (0.045, 0.11, 0.045), flame, 10)
    # Two chandeliers of candles.
    for z in (6.4, 11.5):
        c = np.linspace(0, 2 * math.pi, 40)
        b.tube(np.stack([0.9 * np.cos(c), np.full(40, 3.5), z + 0.9 * np.sin(c)], -1), 0.03, p.black, 6)
        b.cylinder((0, 3.5, z), 0.012, 4, p.black, 6)
        for i in range(12):
            q = 2 * math.pi * i / 12
            b.cylinder((0.9 * math.cos(q), 3.52, z + 0.9 * math.sin(q)), 0.02, 0.14, p.paper, 8)
            b.sphere((0.9 * math.cos(q), 3.70, z + 0.9 * math.sin(q)), (0.014, 0.034, 0.014), flame, 8)
    # A throne on its steps.
    for k in range(3):
        b.box((0, 0.1 + 0.18 * k, 15.2 + 0.3 * k), (3.4 - 0.5 * k, 0.2, 2.4 - 0.4 * k), stone)
    b.box((0, 1.0, 15.7), (0.9, 0.6, 0.7), p.walnut)
    b.box((0, 1.9, 16.0), (1.0, 1.9, 0.15), p.walnut)
    b.box((0, 1.9, 15.9), (0.7, 1.4, 0.06), red)

    def shafts(taken: Taken) -> Floats:
        h, w = taken.light.shape[:2]
        y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
        k = (
            np.exp(-(((x - 0.89) / 0.30) ** 2))
            * np.exp(-(((y - 0.36) / 0.32) ** 2))
            * (0.7 + 0.6 * (fractal_map(x * 3, y * 3, 4, 3.0) - 0.3))
        )
        return taken.light + k[..., None] * np.float32([0.055, 0.050, 0.040])

    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.4, 0), at=(0, 1.75, 4), tall=42),
            BLACK,
            air=Air(0.012, colour=(0.06, 0.05, 0.04)),
            samples=17,
            bounces=4,
            rows=486,
        ),
        Develop(exposure=1.9, blur=4.5, glare=0.16, warm=0.02),
        {"lights": lambda taken, light: np.clip((light.max(-1) - 1.6), 0, 1)},
        shafts,
    )


def lava() -> Scene:
    b = Build(151)
    rnd = b.random
    rock = b.material(
        (0.10, 0.085, 0.08), second=(0.055, 0.048, 0.047), texture="plaster", scale=0.7, rough=0.75, bump=0.06
    )
    a = np.linspace(-0.15 * math.pi, 1.15 * math.pi, 130)[None]
    z = np.linspace(-3, 26, 150)[:, None]
    wide = 4.6 + 2.2 * np.sin(z * 0.16) + 0 * a
    n = 2.6 * (fractal_map(np.cos(a) * 2.2 + 0 * z, z * 0.28 + np.sin(a) * 2.0, 6, 3.0) - 0.5) + 0.7 * (
        fractal_map(a * 3 + 0 * z, z * 0.9 + 0 * a, 5, 7.0) - 0.5
    )
    r = wide * (1 + 0.22 * n)
    b.surface(np.stack([r * np.cos(a), 0.6 + 0.9 * r * np.sin(a), z + 0 * a], -1), rock)
    b.field(
        (-9, 9),
        (1.6, 26),
        (160, 200),
        lambda x, q: (
            0.25
            + 0.55 * (fractal_map(x * 0.45, q * 0.45, 5, 5.0) - 0.5)
            - 1.1 * np.exp(-(((x - 1.1 - 0.9 * np.sin(q * 0.35)) / (0.7 + 0.05 * q)) ** 2))
            + 0.04 * np.abs(x)
        ),
        rock,
        0.4,
    )
    b.quad((-9, -0.22, 1), (18, 0, 0), (0, 0, 25), b.glow((1.0, 0.23, 0.03), 4.0))
    crust = b.material(
        (0.06, 0.035, 0.03), second=(0.03, 0.02, 0.02), texture="plaster", scale=0.2, bump=0.02
    )
    for _ in range(150):
        q = rnd.uniform(3, 24)
        x = 1.1 + 0.9 * math.sin(q * 0.35) + rnd.normal(0, 0.6 + 0.03 * q)
        s = rnd.uniform(0.08, 0.32)
        b.box((x, -0.22, q), (s * 1.7, 0.05, s * 1.2), crust, rnd.uniform(0, 90), bevel=0.02)
    for _ in range(46):
        q, side = rnd.uniform(3.5, 20), (-1 if rnd.uniform() < 0.5 else 1)
        x, k = side * rnd.uniform(1.9, 4.2), rnd.uniform(0.25, 0.8)
        b.sphere((x, 0.1, q), (k, k * 0.8, k), rock, 12)
    for _ in range(60):
        q, x = rnd.uniform(3.5, 22), rnd.uniform(-4, 4)
        top = 0.6 + 0.9 * (4.6 + 2.2 * math.sin(q * 0.16)) * math.sqrt(max(0.05, 1 - (x / 6) ** 2))
        k = rnd.uniform(0.4, 1.5)
        b.lathe(
            (x, top - k, q),
            [(0.01, 0), (0.05 * k, 0.3 * k), (0.16 * k, 0.8 * k), (0.5 * k, 1.5 * k)],
            rock,
            9,
        )
    # Where the cave opens, far behind, a mound of it.
    b.sphere((0.2, -0.5, 25.5), (4.2, 1.7, 1.0), b.glow((1.0, 0.36, 0.09), 3.0), 16)
    b.box((-1.2, 2.7, -1.0), (1.6, 0.05, 1.2), b.glow((0.5, 0.65, 1.0), 75.0))

    def glow_map(taken: Taken, light: Floats) -> Floats:
        return np.clip((light[..., 0] - 3.0 * light[..., 2] - 0.15) * 0.8, 0, 1)

    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.5, 0), at=(0, 1.6, 4), tall=42),
            Sky(zenith=(0, 0, 0), horizon=(0.02, 0.01, 0.01), ground=(0, 0, 0), glow=0),
            air=Air(0.012, colour=(0.10, 0.036, 0.018)),
            samples=15,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=2.9, blur=4.0, glare=0.13, contrast=1.2, saturation=0.98),
        {"lava": glow_map},
    )


def aquarium() -> Scene:
    b = Build(157)
    p = Palette(b)
    rnd = b.random
    dark = b.material(
        (0.035, 0.04, 0.05), second=(0.028, 0.032, 0.04), texture="panels", scale=1.4, rough=0.4
    )
    floor = b.material((0.05, 0.055, 0.065), rough=0.12, shine=0.06, scale=3)
    b.quad((-9, 0, -3), (18, 0, 0), (0, 0, 8.2), floor)
    b.quad((-9, 3.6, -3), (18, 0, 0), (0, 0, 8.2), dark)
    b.box((0, 0.22, 5.2), (18, 0.44, 0.3), dark)
    b.box((0, 3.35, 5.2), (18, 0.6, 0.3), dark)
    for x in (-5.2, 5.2):
        b.box((x, 1.8, 5.2), (1.6, 3.6, 0.3), dark)
    for x in (-1.5, 1.5):
        b.box((x, 1.8, 5.2), (0.06, 3.0, 0.12), p.black)
    # The tank: water as blue air of its own is the shot's; sand, rock, corals behind the pane.
    sand = b.material((0.50, 0.52, 0.46), second=(0.40, 0.42, 0.38), texture="sand", scale=0.4, rough=1)
    b.field(
        (-14, 14),
        (5.4, 18),
        (80, 140),
        lambda x, z: 0.45 + 0.35 * (fractal_map(x * 0.4, z * 0.4, 4, 3.0) - 0.3),
        sand,
    )
    rock = b.material(
        (0.15, 0.17, 0.17), second=(0.08, 0.10, 0.10), texture="plaster", scale=0.35, bump=0.05, rough=1
    )
    corals = [
        b.material(c, second=d, texture="leaf", through=0.2, rough=0.8)
        for c, d in (
            ((0.60, 0.20, 0.22), (0.80, 0.45, 0.34)),
            ((0.60, 0.40, 0.12), (0.78, 0.60, 0.26)),
            ((0.42, 0.20, 0.48), (0.60, 0.36, 0.64)),
            ((0.14, 0.36, 0.26), (0.28, 0.54, 0.34)),
        )
    ]
    weed = b.material((0.05, 0.20, 0.07), second=(0.18, 0.38, 0.12), texture="leaf", through=0.4)
    for _ in range(64):
        z = rnd.uniform(6.0, 12)
        x = rnd.uniform(-6, 6)
        big = 0.45 + 0.75 * min(1.0, abs(x) / 4)
        r = rnd.uniform(0.2, 0.5) * big
        y = 0.5 + rnd.uniform(0, 0.8) * max(0.0, abs(x) / 4 - 0.35)
        b.sphere((x, y, z), (r * 1.5, r * 1.1, r), rock, 12)
        c = corals[rnd.integers(4)]
        kind = rnd.integers(3)
        if kind == 0:
            scatter(b, (x, y + r, z), (r * 0.9, r * 0.7, r * 0.9), 330, c, 0.07, 0.5, 1.0)
        elif kind == 1:
            for _ in range(12):
                q, k = rnd.uniform(0, 6.28), rnd.uniform(0.2, 0.7) * big
                t = np.linspace(0, 1, 6)[:, None]
                path = (
                    np.array([x, y + r * 0.7, z])
                    + t * np.array([math.cos(q) * 0.35, k, math.sin(q) * 0.3])
                    + rnd.normal(0, 0.02, (6, 3))
                )
                b.tube(path, 0.04 * (1.15 - t[:, 0]), c, 6, float(rnd.uniform(0.2, 0.9)))
        else:
            at = np.stack([x + rnd.normal(0, 0.3, 110), np.full(110, y), z + rnd.normal(0, 0.2, 110)], -1)
            grass(b, at, rnd.uniform(0.6, 1.3) * big, weed, 0.022, 0.15)
    lamp = b.glow((0.55, 0.85, 1.0), 9)
    for z in (7.0, 9.5):
        b.box((0, 4.9, z), (11, 0.03, 0.9), lamp)
    b.quad(
        (-14, 0, 18),
        (28, 0, 0),
        (0, 6, 0),
        b.material((0, 0, 0), glow=(0.02, 0.22, 0.42), texture="view", scale=3, amount=-5),
    )
    for x in (-2.4, 2.4):
        b.box((x, 3.56, 2.6), (0.25, 0.03, 0.25), b.glow((1.0, 0.75, 0.5), 5))

    def water(taken: Taken) -> Floats:
        d = np.clip(1 / np.maximum(taken.near, 0.02) - 6.2, 0, 14)[..., None]
        k = np.exp(-0.16 * d)
        return taken.light * k * (1 - 0.25 * np.clip(d, 0, 1) * np.float32([1, 0, -0.3])) + (
            1 - k
        ) * np.float32([0.006, 0.12, 0.25])

    tank = {"tank": lambda taken, light: (taken.near < 1 / 6.8).astype(np.float32)}
    return Scene(
        Shot(b, Camera(at=(0, 1.42, 4), tall=38), BLACK, samples=15, bounces=3, rows=486),
        Develop(exposure=1.5, blur=4.5, glare=0.14),
        tank,
        water,
    )


def studio() -> Scene:
    def draw(taken: Taken) -> Floats:
        h, w = 540, 960
        y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
        pool = np.exp(-(((x - 0.80) / 0.95) ** 2) - ((y - 0.42) / 0.62) ** 2)
        cloth = fractal_map(x * 1.7, y * 1.7, 6, 3.0) - 0.5 + 0.5 * (fractal_map(x * 7, y * 7, 5, 5.0) - 0.5)
        light = (0.035 + 0.20 * pool) * (1 + 0.55 * cloth)
        return (light[..., None] * np.float32([1.0, 0.985, 0.96])).astype(np.float32)

    return Scene(
        Shot(None, Camera(), BLACK, rows=90),
        Develop(exposure=1.1, blur=6, glare=0, vignette=0.25, contrast=1.1, saturation=1),
        {},
        draw,
    )
