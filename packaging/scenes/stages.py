"""Stages: concert, nightclub, news studio.

Must not know rays.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from furniture import Palette
from heavens import Sky
from mesh import Build, Floats
from shot import Air, Camera, Develop, Scene, Shot, Taken


def _flares(specs: list[tuple[float, float, tuple[float, float, float]]]) -> Callable[[Taken], Floats]:
    """Adds the glare of lamps: each x, y, colour. Their beams move, and are drawn by the scene's view."""

    def add(taken: Taken) -> Floats:
        h, w = taken.light.shape[:2]
        out = taken.light.copy()
        y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
        for u, v, colour in specs:
            out += np.exp(-((x - u) ** 2 + (y - v) ** 2) / 0.00025)[..., None] * np.float32(colour) * 8
        return out

    return add


def stage() -> Scene:
    b = Build(127)
    p = Palette(b)
    rnd = b.random
    floor = b.material(
        (0.03, 0.03, 0.035), second=(0.022, 0.022, 0.026), texture="planks", scale=0.3, rough=0.22, shine=0.05
    )
    b.quad((-12, 0, -3), (24, 0, 0), (0, 0, 16), floor)
    dark = b.material((0.02, 0.018, 0.025), rough=0.9)
    b.quad((-12, 0, 10), (24, 0, 0), (0, 8, 0), dark)
    for s in (-1, 1):
        for k in range(7):
            b.tube(
                np.array([(s * (5.2 + 0.16 * k), y, 9.4 + 0.15 * (k % 2)) for y in np.linspace(0, 7, 5)]),
                0.11,
                b.material((0.12, 0.01, 0.04), rough=0.9),
                8,
            )
        # Speakers, amplifiers.
        for k in range(4):
            b.box((s * 4.6, 0.38 + 0.74 * k, 8.6), (1.0, 0.7, 0.6), p.black, -s * 18, bevel=0.02)
            b.cylinder((s * 4.6, 0.38 + 0.74 * k, 8.2), 0.2, 0.02, b.material((0.06, 0.06, 0.065), rough=0.4))
        b.box((s * 2.4, 0.45, 8.9), (1.1, 0.9, 0.45), p.black, -s * 8, bevel=0.02)
    # Truss with lamps.
    steel = b.material((0.30, 0.30, 0.32), rough=0.4)
    for y in (3.85, 4.2):
        for z in (7.4, 7.75):
            b.tube(np.array([(x, y, z) for x in np.linspace(-7, 7, 4)]), 0.03, steel, 6)
    for i in range(29):
        x = -7 + 0.5 * i
        b.tube(np.array([(x, 3.85, 7.4), (x + 0.25, 4.2, 7.4)]), 0.014, steel, 4)
        b.tube(np.array([(x, 4.2, 7.4), (x + 0.25, 3.85, 7.75)]), 0.014, steel, 4)
    # A wall of bars of light behind the band.
    bars = [b.glow(c, 2.6) for c in ((0.55, 0.10, 0.95), (0.95, 0.10, 0.55), (0.12, 0.28, 1.0))]
    for i in range(15):
        tall = 1.5 + 0.7 * math.cos(0.42 * (i - 7)) ** 2
        b.box((-2.94 + 0.42 * i, 1.0 + tall / 2, 9.8), (0.075, tall, 0.05), bars[(i // 2) % 3])
    # A drum kit and microphones.
    shell = b.material((0.35, 0.03, 0.05), rough=0.2)
    skin = b.material((0.7, 0.7, 0.68))
    riser = b.material((0.04, 0.04, 0.045))
    b.box((1.7, 0.2, 8.2), (2.6, 0.4, 1.6), riser)
    for x, y, z, r, h in (
        (1.7, 0.68, 7.8, 0.28, 0.4),
        (1.35, 1.05, 7.9, 0.16, 0.2),
        (2.05, 1.05, 7.9, 0.16, 0.2),
        (2.45, 0.75, 8.0, 0.21, 0.35),
        (1.0, 0.8, 8.0, 0.18, 0.18),
    ):
        b.cylinder((x, y, z), r, h, shell, 24)
        b.cylinder((x, y + h, z), r, 0.01, skin, 24)
    for x, y in ((0.75, 1.45), (2.65, 1.5), (2.3, 1.7)):
        b.lathe((x, y, 8.1), [(0.0, 0.04), (0.06, 0.03), (0.26, 0)], p.brass, 24)
        b.cylinder((x, 0.4, 8.1), 0.012, y - 0.4, steel, 6)
    for x, z in ((-1.6, 6.0), (-2.9, 6.8)):
        b.cylinder((x, 0, z), 0.012, 1.5, steel, 6)
        b.lathe((x, 0, z), [(0.14, 0), (0.13, 0.02), (0.0, 0.03)], steel)
        b.sphere((x + 0.06, 1.53, z), 0.045, p.black, 10)
    wash = [b.glow(c, 26) for c in ((1.0, 0.08, 0.55), (0.12, 0.25, 1.0), (0.6, 0.1, 1.0), (1.0, 0.45, 0.12))]
    specs = []
    colours = (
        (1.0, 0.10, 0.55),
        (0.15, 0.35, 1.1),
        (0.6, 0.15, 1.1),
        (0.15, 0.35, 1.1),
        (1.0, 0.10, 0.55),
        (0.6, 0.15, 1.1),
        (0.15, 0.35, 1.1),
    )
    for i in range(7):
        x = -4.5 + 1.5 * i
        b.cylinder((x, 3.5, 7.5), 0.11, 0.3, p.black)
        b.cylinder((x, 3.49, 7.5), 0.09, 0.01, wash[(i * 3) % 4])
        u = 16 / 18 + x / 7.5 / (2 * math.tan(math.radians(19)))
        v = 0.5 - (3.49 - 1.25) / 7.5 / (2 * math.tan(math.radians(19))) + 0.02
        specs.append((u, v, tuple(0.36 * c for c in colours[i])))
        b.box((x, 4.35, 5.6), (0.5, 0.03, 0.5), b.glow(colours[i], 14))
    for _ in range(3):
        b.box((rnd.uniform(-2, 2), 4.6, 3), (1.5, 0.02, 0.5), b.glow((0.9, 0.5, 0.8), 1.2))
    sky = Sky(zenith=(0, 0, 0), horizon=(0, 0, 0), ground=(0, 0, 0), glow=0)
    return Scene(
        Shot(
            b,
            Camera(at=(0, 1.4, 4)),
            sky,
            air=Air(0.014, colour=(0.05, 0.02, 0.07)),
            samples=15,
            bounces=3,
            rows=486,
        ),
        Develop(exposure=2.3, blur=5.5, glare=0.22, saturation=1.1),
        {},
        _flares(specs),
    )


def nightclub() -> Scene:
    b = Build(131)
    p = Palette(b)
    floor = b.material(
        (0.03, 0.03, 0.035), texture="tiles", second=(0.02, 0.02, 0.025), scale=0.6, rough=0.12, shine=0.06
    )
    b.quad((-9, 0, -3), (18, 0, 0), (0, 0, 13), floor)
    dark = b.material(
        (0.03, 0.025, 0.035), second=(0.02, 0.018, 0.025), texture="panels", scale=0.7, rough=0.4
    )
    b.quad((-9, 0, 8.5), (18, 0, 0), (0, 4.2, 0), dark)
    b.quad((-5.2, 0, -3), (0, 0, 12), (0, 4.2, 0), dark)
    b.quad((5.2, 0, -3), (0, 0, 12), (0, 4.2, 0), dark)
    b.quad((-9, 3.9, -3), (18, 0, 0), (0, 0, 13), dark)
    pink, blue, violet = (
        b.glow((1.0, 0.05, 0.40), 7),
        b.glow((0.06, 0.30, 1.0), 7),
        b.glow((0.45, 0.08, 1.0), 7),
    )
    for i, x in enumerate(np.linspace(-4.6, 4.6, 9)):
        b.box((x, 1.95, 8.42), (0.05, 3.3, 0.05), (blue, violet, pink)[i % 3])
    for y, m in ((3.75, violet), (0.08, pink)):
        b.box((0, y, 8.4), (10, 0.05, 0.05), m)
    for s, m in ((-1, blue), (1, pink)):
        b.box((s * 5.1, 3.7, 3), (0.05, 0.05, 11), m)
        b.box((s * 5.1, 0.1, 3), (0.05, 0.05, 11), violet)
    # The DJ's desk.
    b.box((-0.1, 0.58, 7.2), (2.6, 1.16, 0.7), p.black, bevel=0.02)
    b.quad(
        (-1.3, 0.2, 6.84),
        (2.4, 0, 0),
        (0, 0.8, 0),
        b.material((0, 0, 0), glow=(0.35, 0.30, 1.3), texture="screen", scale=0.09, amount=21),
    )
    for x in (-0.75, 0.55):
        b.cylinder((x, 1.17, 7.15), 0.17, 0.03, b.material((0.15, 0.15, 0.16), rough=0.3), 24)
    for s in (-1, 1):
        for k in range(3):
            b.box((s * 2.6, 0.5 + 0.8 * k, 7.7), (0.8, 0.78, 0.6), p.black, -s * 16, bevel=0.03)
    # A mirror ball.
    mirror = b.material((0.9, 0.9, 0.95), metal=1.0, rough=0.08)
    c, r = np.array([1.25, 2.95, 5.4]), 0.34
    for la in np.linspace(-75, 75, 13):
        n = max(4, int(26 * math.cos(math.radians(la))))
        for k in range(n):
            a = 2 * math.pi * k / n
            d = np.array(
                [
                    math.cos(math.radians(la)) * math.cos(a),
                    math.sin(math.radians(la)),
                    math.cos(math.radians(la)) * math.sin(a),
                ]
            )
            u = np.cross(d, [0, 1, 0])
            u = u / np.linalg.norm(u) * 0.036
            v = np.cross(u / np.linalg.norm(u), d) * 0.036
            q = c + d * r
            b.triangles(
                np.array([[q - u - v, q + u - v, q + u + v], [q - u - v, q + u + v, q - u + v]]), mirror
            )
    b.cylinder((1.25, 3.28, 5.4), 0.01, 0.6, p.black)
    bar = b.material((0.05, 0.045, 0.05), rough=0.2)
    b.box((-4.4, 0.55, 5), (0.9, 1.1, 5), bar)
    b.box((-3.93, 0.15, 5), (0.03, 0.05, 5), pink)
    for y in (1.55, 2.05):
        b.box((-5.0, y, 5), (0.3, 0.03, 4.6), bar)
        b.box((-4.9, y - 0.03, 5), (0.02, 0.015, 4.5), b.glow((1.0, 0.45, 0.15), 6))
        for z in np.arange(2.9, 7.2, 0.17):
            b.lathe(
                (-4.98, y + 0.02, z),
                [(0.04, 0), (0.04, 0.2), (0.015, 0.25), (0.015, 0.33)],
                p.books[b.random.integers(10)],
                8,
            )
    sky = Sky(zenith=(0, 0, 0), horizon=(0, 0, 0), ground=(0, 0, 0), glow=0)
    return Scene(
        Shot(
            b,
            Camera(at=(0, 1.35, 4)),
            sky,
            air=Air(0.03, colour=(0.05, 0.02, 0.08)),
            samples=15,
            bounces=4,
            rows=486,
        ),
        Develop(exposure=2.0, blur=5.5, glare=0.22),
    )


def news() -> Scene:
    b = Build(137)
    p = Palette(b)
    floor = b.material((0.05, 0.06, 0.08), second=(0.035, 0.045, 0.06), rough=0.1, shine=0.06, scale=3)
    b.quad((-9, 0, -3), (18, 0, 0), (0, 0, 13), floor)
    navy = b.material((0.05, 0.075, 0.13), rough=0.4)
    b.quad((-9, 0, 8.6), (18, 0, 0), (0, 5, 0), navy)
    blue = b.glow((0.25, 0.55, 1.0), 3.2)
    white = b.glow((0.85, 0.93, 1.0), 3.0)
    # A curved wall of panels with lines of light between them.
    for i in range(11):
        a = math.radians(-52 + 10.4 * i)
        x, z = 7.2 * math.sin(a), 0.9 + 7.2 * math.cos(a)
        turn = math.degrees(a)
        m = (
            b.material(
                (0.06, 0.10, 0.19), second=(0.045, 0.08, 0.15), texture="slats", scale=0.16, rough=0.35
            )
            if i % 2
            else navy
        )
        b.box((x, 1.75, z), (1.24, 3.4, 0.1), m, turn)
        a += math.radians(5.2)
        b.box((7.1 * math.sin(a), 1.75, 0.9 + 7.1 * math.cos(a)), (0.035, 3.4, 0.05), blue, turn)
    deep, pale = b.glow((0.05, 0.16, 0.50), 1.0), b.glow((0.35, 0.65, 1.0), 1.1)
    ring = np.linspace(0, 2 * np.pi, 40)
    for x, w, turn in ((-2.75, 2.3, -22), (2.75, 2.3, 22)):
        b.box((x, 1.9, 7.0), (w + 0.12, 1.5, 0.1), p.black, turn)
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        b.quad(
            (x - c * w / 2 - 0.0 - s * 0.07, 1.22, 7.0 + s * w / 2 - c * 0.07),
            (c * w, 0, -s * w),
            (0, 1.36, 0),
            deep,
        )
        # On the screen a globe of meridians and parallels, and a line of news.
        lines = [(0.45 * k * np.cos(ring), 0.45 * np.sin(ring)) for k in (1.0, 0.75, 0.35)]
        lines += [
            (0.45 * math.cos(lat) * np.cos(ring), np.full(40, 0.45 * math.sin(lat)))
            for lat in (-0.6, 0.0, 0.6)
        ]
        for across, up in lines:
            path = np.stack([x + c * across - 0.08 * s, 2.0 + up, 7.0 - s * across - 0.08 * c], -1)
            b.tube(path, 0.011, pale, 5)
        b.box((x - 0.085 * s, 1.36, 7.0 - 0.085 * c), (w * 0.86, 0.13, 0.01), pale, turn)
    b.box((0, 3.3, 7.6), (15, 0.05, 0.05), white)
    b.box((0, 0.12, 7.6), (15, 0.05, 0.05), blue)
    for x in (-3.2, -1.1, 1.1, 3.2):
        b.box((x, 3.95, 5), (1.5, 0.04, 0.35), b.glow((0.95, 0.97, 1.0), 16))
    # A low desk behind, with a line of light.
    b.lathe(
        (0, 0, 5.9),
        [(1.55, 0), (1.3, 0.75), (1.75, 0.78), (1.75, 0.83), (0, 0.83)],
        b.material((0.55, 0.58, 0.62), rough=0.2, shine=0.06),
        40,
    )
    b.lathe((0, 0, 5.9), [(1.47, 0.30), (1.455, 0.36)], blue, 40)
    sky = Sky(zenith=(0, 0, 0), horizon=(0, 0, 0), ground=(0, 0, 0), glow=0)
    return Scene(
        Shot(b, Camera(at=(0, 1.35, 4)), sky, samples=12, bounces=4),
        Develop(exposure=1.5, blur=6.5, glare=0.14, saturation=1.05),
    )
