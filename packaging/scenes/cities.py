"""Cities: skyline, city at night, rooftop, rainy window, neon street.

Must not know rays.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from coasts import sky_map
from furniture import Palette, sofa, table
from heavens import Sky
from mesh import Build, Floats
from plants import potted, shrub
from shot import Air, Camera, Develop, Scene, Shot, Sun, Taken, defocused


def towers(
    b: Build,
    facades: list[int],
    z: tuple[float, float],
    half: float,
    count: int,
    height: tuple[float, float],
    wide: tuple[float, float] = (14, 34),
    base: float = 0.0,
    roof: int | None = None,
    low_middle: float = 0.0,
) -> None:
    """Buildings in a field before the camera, lower in the middle by a share."""
    rnd = b.random
    for _ in range(count):
        zz = z[0] + (z[1] - z[0]) * rnd.uniform() ** 0.8
        x = rnd.uniform(-1, 1) * half * zz / z[1]
        h = rnd.uniform(*height) * (1 + 0.6 * rnd.uniform() ** 4)
        h *= 1 - low_middle * math.exp(-((x / (0.22 * zz)) ** 2))
        w, d = rnd.uniform(*wide), rnd.uniform(*wide)
        f, tint = facades[rnd.integers(len(facades))], float(rnd.uniform(0.05, 0.95))
        b.box((x, base + h / 2, zz), (w, h, d), f, tint=tint)
        if rnd.uniform() < 0.5:
            b.box((x, base + h * 1.06, zz), (w * 0.6, h * 0.14, d * 0.6), f, tint=tint)
        if roof is not None and rnd.uniform() < 0.5:
            b.box((x + rnd.uniform(-0.3, 0.3) * w, base + h + 2, zz - 0.2 * d), (w * 0.25, 4, d * 0.2), roof)


def skyline() -> Scene:
    b = Build(103)
    p = Palette(b)
    facades = [
        b.material(c, second=d, texture="facade", scale=s, rough=0.5, shine=0.05)
        for c, d, s in (
            ((0.42, 0.40, 0.37), (0.06, 0.09, 0.12), 3.6),
            ((0.30, 0.32, 0.34), (0.09, 0.14, 0.18), 3.4),
            ((0.50, 0.46, 0.40), (0.05, 0.07, 0.09), 3.8),
            ((0.22, 0.27, 0.31), (0.13, 0.20, 0.26), 3.2),
            ((0.36, 0.24, 0.18), (0.05, 0.06, 0.08), 3.5),
        )
    ]
    ground = b.material((0.16, 0.17, 0.15), second=(0.12, 0.16, 0.09), texture="ground", scale=40)
    b.quad((-4000, -95, 40), (8000, 0, 0), (0, 0, 8000), ground)
    towers(b, facades, (170, 900), 620, 170, (40, 120), base=-95, low_middle=0.35, roof=p.white)
    towers(b, facades, (900, 2400), 1700, 240, (40, 150), (22, 60), base=-95)
    b.quad((-9, -2, 4.25), (18, 0, 0), (0, 2.5, 0), p.white)
    # The window of an office: frame, sill, plants.
    frame = b.material((0.10, 0.105, 0.11), rough=0.4)
    for x in (-2.75, -0.92, 0.92, 2.75):
        b.box((x, 1.5, 4.2), (0.07, 3.6, 0.10), frame)
    b.box((0, 0.55, 4.2), (9, 0.09, 0.14), frame)
    b.box((0, 2.62, 4.2), (9, 0.07, 0.12), frame)
    desk = b.material((0.50, 0.36, 0.22), second=(0.40, 0.28, 0.16), texture="grain", scale=0.4, rough=0.4)
    b.box((0, 0.42, 3.95), (9, 0.06, 0.75), desk)
    potted(b, (-1.95, 0.45, 3.9), 0.75, p.leaf, p.pot, "broad")
    potted(b, (2.05, 0.45, 3.95), 0.55, p.leaf, p.pot, "blades")
    for i in range(6):
        b.box((1.25 + 0.05 * i, 0.58, 3.95), (0.042, 0.24 + 0.02 * (i % 3), 0.18), p.books[i])
    b.box((0, 2.95, 1.5), (9, 0.05, 5.2), p.white)
    sky = Sky(
        zenith=(0.08, 0.22, 0.58),
        horizon=(0.72, 0.83, 0.95),
        ground=(0.4, 0.4, 0.4),
        sun=(-0.7, 0.5, -0.25),
        cover=0.30,
        scale=1.0,
        low=1.5,
        thick=0.8,
        dense=26,
        lit=(1.5, 1.42, 1.3),
        shade=(0.55, 0.62, 0.72),
        seed=6,
        glow=0.15,
    )
    return Scene(
        Shot(
            b,
            Camera(at=(0, 1.2, 4), tall=36),
            sky,
            Sun((2.4, 2.2, 1.8), 0.5),
            Air(0.00055, colour=(0.58, 0.70, 0.86)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.85, blur=4.6),
        {"sky": sky_map},
    )


def night_city() -> Scene:
    b = Build(107)
    lit = [
        b.material(
            (0.03, 0.032, 0.036),
            second=(0.012, 0.014, 0.018),
            texture="facade",
            scale=s,
            glow=g,
            amount=a,
            rough=0.5,
        )
        for s, g, a in (
            (3.6, (4.2, 3.0, 1.7), 0.30),
            (3.4, (3.2, 3.2, 3.3), 0.24),
            (3.8, (4.5, 2.8, 1.3), 0.34),
            (3.3, (2.2, 2.8, 3.6), 0.22),
        )
    ]
    ground = b.material((0.02, 0.02, 0.022))
    b.quad((-4000, -60, 40), (8000, 0, 0), (0, 0, 8000), ground)
    towers(b, lit, (420, 1000), 700, 110, (70, 190), (18, 44), base=-60, low_middle=0.45)
    towers(b, lit, (1000, 2600), 1700, 300, (60, 210), (26, 70), base=-60, low_middle=0.15)
    rnd = b.random
    for _ in range(330):
        z = rnd.uniform(120, 1200)
        x = rnd.uniform(-0.7, 0.7) * z
        c = (
            (1, 0.62, 0.28),
            (1, 0.8, 0.55),
            (0.9, 0.95, 1),
            (1, 0.16, 0.08),
            (0.2, 0.9, 0.6),
            (0.3, 0.5, 1.0),
        )[rnd.choice(6, p=[0.42, 0.22, 0.14, 0.1, 0.06, 0.06])]
        b.box((x, -60 + rnd.uniform(3, 26), z), (0.0035 * z,) * 3, b.glow(c, 26))
    sky = Sky(
        zenith=(0.006, 0.010, 0.030),
        horizon=(0.075, 0.055, 0.085),
        ground=(0.02, 0.015, 0.02),
        sun=(0, 0.2, 1),
        light=(0.35, 0.2, 0.15),
        glow=0.12,
        tight=2,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 6, 0), at=(0, 5.6, 40), tall=30),
            sky,
            air=Air(0.00075, colour=(0.07, 0.05, 0.08)),
            samples=11,
            bounces=2,
            rows=720,
            passes=0,
            clamp=3,
        ),
        Develop(exposure=1.15, blur=11, glare=0.22, contrast=1.3, saturation=1.2),
        {"lights": _bright_map},
    )


def _bright_map(taken: Taken, light: Floats) -> Floats:
    """Where lamps shine."""
    return np.clip((light.max(-1) - 0.35) * 1.5, 0, 1)


def rooftop() -> Scene:
    b = Build(109)
    p = Palette(b)
    lit = [
        b.material(
            (0.05, 0.052, 0.06),
            second=(0.014, 0.016, 0.02),
            texture="facade",
            scale=s,
            glow=g,
            amount=a,
            rough=0.5,
        )
        for s, g, a in (
            (3.0, (1.1, 0.78, 0.44), 0.30),
            (2.9, (0.85, 0.86, 0.9), 0.22),
            (3.1, (1.2, 0.74, 0.35), 0.34),
        )
    ]
    b.quad((-4000, -70, 60), (8000, 0, 0), (0, 0, 8000), b.material((0.02, 0.02, 0.025)))
    towers(b, lit, (220, 520), 420, 46, (60, 125), (18, 36), base=-70, low_middle=0.35)
    towers(b, lit, (420, 1400), 1000, 200, (50, 140), (22, 55), base=-70, low_middle=0.1)
    deck = b.material((0.24, 0.15, 0.09), second=(0.17, 0.105, 0.06), texture="planks", scale=0.16, rough=0.5)
    b.quad((-9, 0, -3), (18, 0, 0), (0, 0, 11), deck)
    rail = b.material((0.05, 0.05, 0.055), rough=0.4)
    b.box((0, 1.08, 7.9), (18, 0.06, 0.08), rail)
    for x in np.arange(-9, 9.1, 1.5):
        b.box((x, 0.54, 7.9), (0.05, 1.08, 0.05), rail)
    b.quad((-9, 0.08, 7.9), (18, 0, 0), (0, 0.95, 0), p.glass)
    grey = b.material((0.26, 0.25, 0.24), texture="fabric", scale=0.1, rough=0.95)
    sofa(b, (-2.5, 0, 5.6), 2.1, grey, p.walnut, -24, p.books[4])
    sofa(b, (3.2, 0, 5.9), 1.6, grey, p.walnut, 28, p.books[4])
    table(b, (0.5, 0, 4.9), (0.9, 0.36, 0.6), p.oak)
    planter = b.material((0.10, 0.10, 0.11), rough=0.6)
    green = b.material((0.03, 0.09, 0.03), second=(0.12, 0.22, 0.07), texture="leaf", through=0.3)
    for x in (-5.6, -4.2, 4.6, 6.0):
        b.box((x, 0.3, 7.2), (1.1, 0.6, 0.5), planter)
        shrub(b, (x, 0.55, 7.2), 0.62, green, 2400, 0.07)
    bulb = b.glow((1.0, 0.58, 0.24), 60)
    wire = b.material((0.02, 0.02, 0.02))
    for z0, sag in ((3.6, 0.42), (5.6, 0.5), (7.6, 0.45)):
        xs = np.linspace(-6, 6, 60)
        ys = 2.95 - sag * (1 - (2 * ((xs + 6) / 6 % 1) - 1) ** 2)
        b.tube(np.stack([xs, ys, np.full(60, z0)], -1), 0.008, wire, 4)
        for i in range(2, 60, 4):
            b.sphere((xs[i], ys[i] - 0.07, z0), 0.042, bulb, 8)
    for x in (-6, 0.0, 6):
        b.cylinder((x, 0, 7.6), 0.04, 3.0, rail, 8)
    for x, z in ((0.35, 4.9), (0.7, 5.0)):
        b.lathe((x, 0.38, z), [(0.05, 0), (0.05, 0.12)], p.glass, 12)
        b.sphere((x, 0.43, z), (0.012, 0.03, 0.012), b.glow((1, 0.55, 0.2), 60), 8)
    sky = Sky(
        zenith=(0.012, 0.022, 0.07),
        horizon=(0.075, 0.045, 0.070),
        ground=(0.03, 0.025, 0.03),
        sun=(0.3, 0.02, 1),
        light=(0.8, 0.32, 0.18),
        glow=0.06,
        tight=2.5,
        fall=0.38,
        stars=0.02,
    )
    return Scene(
        Shot(
            b,
            Camera(at=(0, 1.45, 4), tall=38),
            sky,
            air=Air(0.0006, colour=(0.06, 0.04, 0.055)),
            samples=13,
            bounces=4,
            rows=486,
        ),
        Develop(exposure=1.7, blur=5.5, glare=0.16),
        {"lights": _bright_map},
    )


def rainy_window() -> Scene:
    scene = night_city()
    scene.after = _drops
    scene.develop = Develop(exposure=1.45, blur=0, glare=0.2, contrast=1.3, saturation=1.15)
    scene.maps = {}
    return scene


def _drops(taken: Taken) -> Floats:
    """Drops on a pane: each a small lens that shows the city upside down, before the city out of focus."""
    rnd = np.random.default_rng(5)
    h, w = taken.light.shape[:2]
    far = defocused(np.minimum(taken.light, 40), 24 * h / 1080)
    far = far * 0.85 + 0.012 * np.float32([0.8, 0.9, 1.1])
    sharp = cv2.GaussianBlur(np.minimum(taken.light, 12), (0, 0), 7 * h / 1080)
    dx, dy, cover, shine = (np.zeros((h, w), np.float32) for _ in range(4))

    def drop(x: float, y: float, r: float, tall: float) -> None:
        n = math.ceil(r * max(tall, 1) + 2)
        x0, x1, y0, y1 = (
            max(0, int(x) - n),
            min(w, int(x) + n + 1),
            max(0, int(y) - n),
            min(h, int(y) + n + 1),
        )
        if x0 >= x1 or y0 >= y1:
            return
        yy, xx = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        u, v = (xx - x) / r, (yy - y) / (r * tall)
        v = v + 0.18 * u * u
        d = np.hypot(u, v)
        k = np.clip((1 - d) * r * 0.8, 0, 1)
        bend = d**2 * r * 6
        part = (slice(y0, y1), slice(x0, x1))
        dx[part] = dx[part] * (1 - k) - u * (40 + bend) * h / 540 * k
        dy[part] = dy[part] * (1 - k) - v * (40 + bend) * h / 540 * k
        cover[part] = np.maximum(cover[part], k)
        shine[part] = np.maximum(
            shine[part] * (1 - k), k * np.exp(-((u + 0.35) ** 2 + (v + 0.4) ** 2) * 9)
        ) + 0.25 * k * np.clip(d - 0.75, 0, 1)

    for _ in range(2600):
        drop(rnd.uniform(0, w), rnd.uniform(0, h), rnd.uniform(0.8, 2.1) * h / 540, 1.0)
    for _ in range(420):
        r = rnd.uniform(2.2, 5.5) * h / 540
        drop(rnd.uniform(0, w), rnd.uniform(0, h), r, rnd.uniform(1.0, 1.35))
    for _ in range(26):
        x, y, r = rnd.uniform(0, w), rnd.uniform(0.1, 1) * h, rnd.uniform(4.5, 7) * h / 540
        for k in range(int(rnd.integers(8, 26))):
            x += rnd.normal(0, 0.8)
            drop(x, y - k * 6.5 * h / 540 - 8, r * rnd.uniform(0.16, 0.42), 1.2)
        drop(x, y, r, 1.4)
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    lens = cv2.remap(sharp, xx + dx, yy + dy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    k = cover[..., None]
    out = far * (1 - k) + (lens * 0.9 + far * 0.15) * k
    out += (shine * 0.10)[..., None] * np.float32([0.8, 0.9, 1.0])
    return out.astype(np.float32)


def neon_street() -> Scene:
    b = Build(113)
    p = Palette(b)
    rnd = b.random
    wet = b.material(
        (0.045, 0.047, 0.055),
        second=(0.03, 0.032, 0.04),
        texture="wet",
        scale=2.6,
        rough=0.42,
        shine=0.05,
        bump=0.003,
    )
    b.quad((-30, 0, -4), (60, 0, 0), (0, 0, 140), wet)
    walls = [
        b.material(c, second=d, texture=t, scale=s, rough=0.6)
        for c, d, t, s in (
            ((0.09, 0.09, 0.10), (0.06, 0.06, 0.075), "panels", 1.1),
            ((0.11, 0.08, 0.07), (0.07, 0.05, 0.05), "brick", 0.3),
            ((0.07, 0.08, 0.10), (0.05, 0.055, 0.07), "tiles", 0.6),
        )
    ]
    lit = [
        b.material(
            (0.05, 0.055, 0.07),
            second=(0.015, 0.018, 0.025),
            texture="facade",
            scale=3.1,
            glow=g,
            amount=0.30,
            rough=0.4,
        )
        for g in ((0.5, 0.9, 1.3), (1.3, 0.55, 0.9), (1.3, 0.9, 0.5))
    ]
    neon = [
        b.glow(c, 7.0)
        for c in (
            (1.0, 0.06, 0.42),
            (0.05, 0.75, 1.0),
            (0.55, 0.12, 1.0),
            (1.0, 0.42, 0.06),
            (0.06, 1.0, 0.55),
        )
    ]
    warm = b.material((0, 0, 0), glow=(1.1, 0.62, 0.30), texture="screen", scale=1.1, amount=4)
    cool = b.material((0, 0, 0), glow=(0.25, 0.6, 0.9), texture="screen", scale=0.9, amount=8)
    for side in (-1, 1):
        z = 3.0
        while z < 90:
            d, h = rnd.uniform(5, 9), rnd.uniform(9, 26)
            x = side * (5.4 + rnd.uniform(-0.3, 0.8))
            b.box((x + side * 3, 2.1, z + d / 2), (6, 4.2, d), walls[rnd.integers(3)])
            b.box(
                (x + side * 3.2, 4.2 + h / 2, z + d / 2),
                (6, h, d - 0.2),
                lit[rnd.integers(3)],
                tint=float(rnd.uniform(0.1, 0.9)),
            )
            # A shop window and its awning.
            glow = (warm, cool, warm)[rnd.integers(3)]
            b.quad((x - side * 0.02, 0.7, z + 0.7), (0, 0, d - 1.6), (0, 1.9, 0), glow)
            for k in range(5):
                b.box((x - side * 0.06, 1.65, z + 0.7 + (d - 1.6) * k / 4), (0.06, 1.95, 0.06), p.black)
            b.box((x - side * 0.5, 2.85, z + d / 2), (1.1, 0.07, d - 0.8), walls[0], tilt=side * 14)
            for _ in range(3):
                n = neon[rnd.integers(5)]
                kind = rnd.integers(3)
                yy, zz = rnd.uniform(3.4, 7.5), z + rnd.uniform(0.6, d - 0.6)
                if kind == 0:
                    out = rnd.uniform(0.5, 0.9)
                    b.box((x - side * (out / 2 + 0.1), yy, zz), (out, rnd.uniform(1.4, 2.6), 0.14), p.black)
                    for q in range(4):
                        b.box(
                            (x - side * (out / 2 + 0.1), yy + 0.75 - 0.45 * q, zz - 0.09),
                            (out * 0.62, 0.09, 0.03),
                            n,
                        )
                        b.box(
                            (x - side * (out / 2 + 0.1 + 0.12 * (q % 2)), yy + 0.58 - 0.45 * q, zz - 0.09),
                            (0.07, 0.28, 0.03),
                            n,
                        )
                elif kind == 1:
                    b.box((x - side * 0.12, yy, zz), (0.06, 0.09, rnd.uniform(1.5, 3)), n)
                    b.box((x - side * 0.12, yy - 0.35, zz), (0.06, 0.07, rnd.uniform(0.8, 2)), n)
                else:
                    a = np.linspace(0, 2 * np.pi, 26)
                    b.tube(
                        np.stack(
                            [np.full(26, x - side * 0.15), yy + 0.5 * np.sin(a), zz + 0.5 * np.cos(a)], -1
                        ),
                        0.035,
                        n,
                        5,
                    )
            z += d + 0.15
    for _ in range(9):
        z, y = rnd.uniform(9, 50), rnd.uniform(6, 11)
        t = np.linspace(0, 1, 20)
        b.tube(
            np.stack(
                [-6 + 12 * t, y - 0.8 * np.sin(math.pi * t), np.full(20, z) + rnd.uniform(-2, 2) * t], -1
            ),
            0.025,
            p.black,
            4,
        )
    lantern = b.glow((1.0, 0.28, 0.12), 4.0)
    for side in (-1, 1):
        for k in range(6):
            b.sphere((side * 4.3, 2.55, 6 + 3.2 * k), (0.17, 0.22, 0.17), lantern, 10)
    b.box((0, 18, 92), (14, 40, 2), lit[0], tint=0.3)
    b.quad(
        (-3, 10, 90.8),
        (6, 0, 0),
        (0, 9, 0),
        b.material((0, 0, 0), glow=(0.9, 0.35, 1.1), texture="screen", scale=0.9, amount=3),
    )
    sky = Sky(
        zenith=(0.010, 0.010, 0.03),
        horizon=(0.045, 0.022, 0.07),
        ground=(0.02, 0.02, 0.03),
        sun=(0, 0.1, 1),
        light=(0.4, 0.1, 0.4),
        glow=0.2,
        tight=2,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.5, 0), at=(0, 1.95, 5), tall=44),
            sky,
            air=Air(0.010, colour=(0.055, 0.025, 0.085)),
            samples=16,
            bounces=3,
            rows=486,
            clamp=3,
        ),
        Develop(exposure=1.6, blur=4.5, glare=0.22, saturation=1.15),
        {"lights": _bright_map},
    )
