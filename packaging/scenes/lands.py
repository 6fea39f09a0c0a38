"""Bare lands: snowy mountains, desert dunes, moon, Mars; and planets seen from afar.

Must not know rays.
"""

from __future__ import annotations

import numpy as np
from coasts import _range, sky_map
from heavens import Sky
from mesh import Build, Floats
from noise import fractal_map
from plants import conifer
from shot import Air, Camera, Develop, Scene, Shot, Sun, Taken


def snow() -> Scene:
    b = Build(61)
    white = b.material(
        (0.80, 0.83, 0.88), second=(0.72, 0.76, 0.83), texture="ground", scale=5, rough=0.8, bump=0.004
    )

    def ground(x: Floats, z: Floats) -> Floats:
        return (
            0.035 * np.abs(x)
            - 0.1
            + 1.3 * (fractal_map(x * 0.07, z * 0.07, 5) - 0.5) * np.clip(z / 14, 0.25, 2)
            + 0.004 * z
        )

    b.field((-70, 70), (2, 130), (200, 260), ground, white, 0.3)
    rock = b.material(
        (0.17, 0.175, 0.19), second=(0.80, 0.83, 0.88), texture="terrain", scale=140, amount=0.62, rough=1
    )
    b.field((-2600, 2600), (500, 2700), (420, 620), _range(560, 2100, 26.0, -15), rock, 0.75)
    bark = b.material((0.09, 0.065, 0.05))
    needle = b.material((0.018, 0.05, 0.032), second=(0.36, 0.42, 0.44), texture="leaf", rough=0.8)
    rnd = b.random
    for x, z, h in (
        (-5.4, 12, 8.5),
        (-8.2, 15, 11),
        (-11.8, 14, 9),
        (-15, 20, 13),
        (6.2, 13, 9.5),
        (9.2, 16, 12),
        (12.8, 15, 10),
        (16, 21, 13),
        (-4.6, 22, 8),
        (5.0, 24, 9),
        (-8.5, 26, 12),
        (9.8, 28, 13),
    ):
        conifer(b, (x, 0.05 * abs(x) - 0.3, z), h, h * 0.19, bark, needle, 20000, 0.105)
    for _ in range(240):
        x, z = rnd.uniform(-160, 160), rnd.uniform(60, 230)
        if abs(x) > 0.10 * z:
            conifer(b, (x, 0.035 * abs(x) - 0.5, z), rnd.uniform(9, 17), 2.7, bark, needle, 330, 0.9)
    sky = Sky(
        zenith=(0.14, 0.26, 0.52),
        horizon=(0.74, 0.81, 0.90),
        ground=(0.6, 0.64, 0.7),
        sun=(0.72, 0.34, 0.3),
        light=(1, 0.88, 0.72),
        cover=0.42,
        scale=1.5,
        low=2.2,
        thick=0.8,
        dense=18,
        lit=(1.15, 1.05, 0.95),
        shade=(0.52, 0.58, 0.68),
        seed=9,
        glow=0.2,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.8, 0), at=(0, 2.0, 4), tall=36),
            sky,
            Sun((1.9, 1.65, 1.35), 0.6),
            Air(0.0002, 800, colour=(0.6, 0.7, 0.85)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.74, blur=2.8, saturation=1.05),
    )


def desert() -> Scene:
    b = Build(79)
    sand = b.material(
        (0.76, 0.47, 0.24), second=(0.64, 0.36, 0.165), texture="sand", scale=0.9, rough=1, bump=0.016
    )

    def dunes(x: Floats, z: Floats) -> Floats:
        wx = x + 26 * (fractal_map(x * 0.012, z * 0.012, 3, 2) - 0.5)
        # Crests are blunt: a sharp one is jagged between the field's points.
        a = 1 - np.hypot(2 * fractal_map(wx * 0.016, z * 0.011, 2, 7) - 1, 0.012)
        c = 1 - np.hypot(2 * fractal_map(wx * 0.05 + 9, z * 0.03, 2, 3) - 1, 0.012)
        return (15 * a**1.6 + 2.2 * c - 11.5) * np.clip((z - 4) / 40, 0.06, 1) * np.clip(
            0.55 + np.hypot(x, 0.9) / (0.5 * z + 8), 0, 1.4
        ) - 0.6

    b.field((-420, 420), (2, 620), (700, 700), dunes, sand, 0.06)
    far = b.material((0.46, 0.27, 0.16), second=(0.6, 0.36, 0.2), texture="terrain", scale=60, amount=0.6)
    b.field((-1800, 1800), (900, 1800), (80, 300), _range(150, 1500, 5.0, -10), far, 0.9)
    sky = Sky(
        zenith=(0.04, 0.20, 0.60),
        horizon=(0.66, 0.74, 0.80),
        ground=(0.5, 0.32, 0.18),
        sun=(0.86, 0.30, 0.26),
        light=(1, 0.8, 0.55),
        glow=0.2,
        tight=5,
        cirrus=0.22,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 2.2, 0), at=(0, 2.25, 4), tall=36),
            sky,
            Sun((3.9, 2.95, 1.85), 0.5),
            Air(0.0004, tight=5, colour=(0.66, 0.60, 0.54), toward=(0.3, 0.2, 0.1)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.8, blur=2.6),
        {"sky": sky_map},
    )


def _craters(
    x: Floats,
    z: Floats,
    seed: int,
    count: int,
    area: tuple[float, float, float, float],
    size: tuple[float, float],
) -> Floats:
    """Heights of craters: a bowl and a raised rim each."""
    rnd = np.random.default_rng(seed)
    out = np.zeros(x.shape, np.float32)
    for _ in range(count):
        cz = area[2] + (area[3] - area[2]) * rnd.uniform() ** 1.7
        cx = rnd.uniform(area[0], area[1]) * (cz / area[3])
        r = size[0] * (size[1] / size[0]) ** (rnd.uniform() ** 2.0) * (0.3 + 0.7 * cz / area[3])
        d = np.hypot(x - cx, z - cz) / r
        out += r * (0.22 * np.where(d < 1, d**2.2 - 1, 0) * 0.9 + 0.075 * np.exp(-(((d - 1.05) / 0.22) ** 2)))
    return out


def moon() -> Scene:
    b = Build(97)
    dust = b.material(
        (0.33, 0.325, 0.32), second=(0.25, 0.245, 0.24), texture="crater", scale=3.0, rough=1, bump=0.05
    )

    def ground(x: Floats, z: Floats) -> Floats:
        return (
            1.1 * (fractal_map(x * 0.03, z * 0.03, 6) - 0.5)
            + 0.10 * (fractal_map(x * 0.5, z * 0.5, 5, 3) - 0.5)
            + _craters(x, z, 3, 130, (-90, 90, 4, 160), (0.6, 16))
            - 0.2
        )

    b.field((-110, 110), (1.6, 200), (460, 460), ground, dust, 0.10)
    hills = b.material(
        (0.35, 0.345, 0.34), second=(0.27, 0.265, 0.26), texture="crater", scale=60, rough=1, bump=1.0
    )
    b.field(
        (-2200, 2200),
        (500, 1900),
        (240, 420),
        lambda x, z: (
            330
            * np.clip((z / 1500 - 0.35), 0, 1)
            * fractal_map(x / 520, z / 520, 6, 3) ** 1.4
            * (1.1 - 0.9 * np.exp(-(((x + 100) / 500) ** 2)))
            - 6
        ),
        hills,
        0.8,
    )
    rnd = b.random
    for _ in range(90):
        z = rnd.uniform(3.5, 40)
        x = rnd.uniform(-0.7, 0.7) * z
        r = rnd.uniform(0.04, 0.22) * (1 + z / 40)
        b.sphere((x, -0.1, z), (r * 1.2, r * 0.8, r), dust, 8)
    sky = Sky(
        zenith=(0, 0, 0),
        horizon=(0, 0, 0.0005),
        ground=(0, 0, 0),
        sun=(-0.78, 0.30, 0.05),
        light=(0, 0, 0),
        glow=0,
        stars=0.025,
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.9, 0), at=(0, 2.05, 4), tall=38),
            sky,
            Sun((3.6, 3.5, 3.3), 0.4),
            samples=8,
            bounces=2,
            rows=486,
            sky_samples=2,
        ),
        Develop(exposure=0.85, blur=1.6, saturation=1.0, glare=0.05),
        {},
        _earth,
    )


def _earth(taken: Taken) -> Floats:
    """The earth in the sky of the moon."""
    h, w = taken.light.shape[:2]
    y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
    ball = planet(x, y, (1.33, 0.22), 0.085, (-0.78, 0.35, 0.5))
    return taken.light * (1 - ball[..., 3:] * (1 - taken.cover[..., None])) + ball[..., :3] * (
        1 - taken.cover[..., None]
    )


def planet(
    x: Floats,
    y: Floats,
    centre: tuple[float, float],
    radius: float,
    sun: tuple[float, float, float],
    dry: bool = False,
) -> Floats:
    """A planet with seas, lands and clouds, float32 (H, W, 4): radiance and coverage."""
    u, v = (x - centre[0]) / radius, (y - centre[1]) / radius
    d2 = u * u + v * v
    z = np.sqrt(np.clip(1 - d2, 0, 1))
    s = np.asarray(sun, np.float32)
    s = s / np.linalg.norm(s)
    lit = np.clip(u * s[0] - v * s[1] + z * s[2] + 0.06, 0, 1)
    # Fractal noise on the sphere, by two planes of it.
    p, q = u * 1.6 + 0.3 * z, v * 1.6 - 0.5 * z
    land = fractal_map(p + 3, q + 1, 7, 2.0)
    cloud = fractal_map(p * 2.2 + 0.8 * fractal_map(p * 2, q * 2, 3, 6.0), q * 3.6 + 5, 7, 8.0)
    k = np.clip((land - 0.52) * 14, 0, 1)[..., None]
    ground = np.where(land[..., None] > 0.6, np.float32([0.30, 0.24, 0.14]), np.float32([0.10, 0.17, 0.07]))
    colour = np.float32([0.02, 0.075, 0.20]) * (1 - k) + ground * k
    c = np.clip((cloud - 0.47) * 5.5, 0, 1)[..., None]
    colour = colour * (1 - c) + 0.85 * c
    if dry:
        bands = fractal_map(u * 0.7 + z * 0.2, v * 5.5 + 0.5 * fractal_map(u * 3, v * 3, 4, 2.0), 6, 4.0)[
            ..., None
        ]
        colour = np.float32([0.55, 0.36, 0.22]) * (1 - bands) + np.float32([0.85, 0.70, 0.52]) * bands
    rim = np.clip(1 - z, 0, 1)[..., None] ** 2.5
    colour = (colour + rim * np.float32([0.15, 0.35, 0.75]) * (0.3 if dry else 1.0)) * lit[..., None] * 1.6
    soft = 2.0 / (x.shape[0] * radius)
    cover = np.clip((1 - np.sqrt(d2)) / soft, 0, 1)[..., None]
    halo = (
        np.exp(-np.clip(np.sqrt(d2) - 1, 0, 9) * 16)[..., None]
        * (1 - cover)
        * np.clip(u * s[0] - v * s[1] + 0.35, 0, 1)[..., None]
        * np.float32([0.10, 0.25, 0.6])
        * (0.2 if dry else 0.7)
    )
    return np.concatenate([colour * cover + halo, cover], -1).astype(np.float32)


def mars() -> Scene:
    b = Build(101)
    dust = b.material(
        (0.44, 0.20, 0.09), second=(0.34, 0.145, 0.065), texture="crater", scale=2.0, rough=1, bump=0.03
    )

    def ground(x: Floats, z: Floats) -> Floats:
        return (
            2.0 * (fractal_map(x * 0.02, z * 0.02, 6) - 0.5) * np.clip(z / 30, 0.2, 1.5)
            + 0.10 * (fractal_map(x * 0.4, z * 0.4, 5, 3) - 0.5)
            - 0.1
        )

    b.field((-160, 160), (1.6, 300), (360, 420), ground, dust, 0.08)
    mesa = b.material(
        (0.36, 0.16, 0.075), second=(0.50, 0.25, 0.12), texture="terrain", scale=34, amount=0.72, rough=1
    )

    def mesas(x: Floats, z: Floats) -> Floats:
        n = fractal_map(x / 330, z / 330, 6, 11.0) + 0.12 * np.clip(np.abs(x) / 900, 0, 1)
        top = np.clip((n - 0.53) * 12, 0, 1)
        second = np.clip((n - 0.60) * 12, 0, 1)
        return 80 * top + 62 * second + 26 * (n - 0.5) + 9 * fractal_map(x / 40, z / 40, 5, 2) - 14

    b.field((-1500, 1500), (330, 1400), (300, 520), mesas, mesa, 0.8)
    rnd = b.random
    rock = b.material(
        (0.27, 0.13, 0.07), second=(0.18, 0.085, 0.05), texture="plaster", scale=0.4, bump=0.04, rough=1
    )
    for _ in range(260):
        z = 3 + 45 * rnd.uniform() ** 1.6
        x = rnd.uniform(-0.7, 0.7) * (z + 1)
        r = abs(rnd.normal(0, 0.12)) * (1 + z / 25) + 0.03
        b.box(
            (x, r * 0.2, z),
            (r * 2.0, r * 1.3, r * 1.6),
            rock,
            rnd.uniform(0, 360),
            bevel=r * 0.55,
            tilt=rnd.uniform(-25, 25),
        )
    sky = Sky(
        zenith=(0.34, 0.22, 0.15),
        horizon=(0.86, 0.56, 0.36),
        ground=(0.3, 0.15, 0.08),
        sun=(0.65, 0.36, 0.45),
        light=(0.9, 0.75, 0.62),
        glow=0.4,
        tight=5,
        cirrus=0.25,
        wisps=(0.9, 0.68, 0.5),
    )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 1.9, 0), at=(0, 2.0, 4), tall=36),
            sky,
            Sun((2.3, 1.75, 1.3), 0.5),
            Air(0.0011, tight=4, colour=(0.66, 0.42, 0.27), toward=(0.25, 0.16, 0.1)),
            samples=8,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=0.85, blur=2.4),
    )
