"""Skies and space: planets and gas, above the clouds, a sunset, a spaceship's bridge.

Must not know rays.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from coasts import sky_map
from furniture import Palette
from heavens import Sky
from lands import planet
from mesh import Build, Floats
from noise import fractal_map
from shot import Air, Camera, Develop, Scene, Shot, Sun, Taken

BLACK = Sky(zenith=(0, 0, 0), horizon=(0, 0, 0), ground=(0, 0, 0), glow=0)


def _nebula(h: int, w: int, seed: float, colours: tuple[tuple[float, float, float], ...]) -> Floats:
    """Glowing gas and dust: domain-warped noise in a slanting band."""
    y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
    wx = x + 0.5 * (fractal_map(x * 1.6, y * 1.6, 5, seed) - 0.5)
    wy = y + 0.5 * (fractal_map(x * 1.6, y * 1.6, 5, seed + 1) - 0.5)
    band = np.exp(-(((wy - 0.30 - 0.20 * (wx - 0.9)) / 0.30) ** 2))
    a = fractal_map(wx * 2.2, wy * 2.2, 7, seed + 2)
    c = fractal_map(wx * 3.4, wy * 3.4, 7, seed + 3)
    dust = np.clip((fractal_map(wx * 4.5, wy * 4.5, 7, seed + 4) - 0.44) * 4, 0, 1)
    glow = np.clip(a - 0.34, 0, 1) ** 1.6 * 3.2 * band
    mix = np.clip((c - 0.36) * 3.4, 0, 1)[..., None]
    colour = np.float32(colours[0]) * (1 - mix) + np.float32(colours[1]) * mix
    out = glow[..., None] * colour * (1 - 0.75 * dust[..., None])
    core = np.exp(-(((wx - 1.32) / 0.30) ** 2 + ((wy - 0.36) / 0.20) ** 2)) * a
    return (out + core[..., None] * np.float32(colours[2]) * 0.55 * (1 - 0.6 * dust[..., None])).astype(
        np.float32
    )


def _stars(h: int, w: int, seed: int, count: int) -> Floats:
    """Points of light of many magnitudes and the colours of hot and cool stars."""
    rnd = np.random.default_rng(seed)
    out = np.zeros((h, w, 3), np.float32)
    for _ in range(count):
        x, y = rnd.uniform(2, w - 3), rnd.uniform(2, h - 3)
        m = 0.10 + 2.6 * rnd.uniform() ** 9
        t = rnd.uniform()
        r = (0.55 + 0.45 * m**0.4) * h / 1080
        i, j = int(x), int(y)
        n = max(2, math.ceil(3 * r))
        yy, xx = np.mgrid[max(0, j - n) : min(h, j + n + 1), max(0, i - n) : min(w, i + n + 1)]
        k = m * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * r * r))
        out[yy[0, 0] : yy[-1, 0] + 1, xx[0, 0] : xx[0, -1] + 1] += k[..., None] * np.float32(
            [0.7 + 0.4 * t, 0.85, 1.15 - 0.4 * t]
        )
    return out


def space() -> Scene:
    def draw(taken: Taken) -> Floats:
        h, w = 1080, 1920
        gas = cv2.resize(
            _nebula(h // 2, w // 2, 3.0, ((0.05, 0.16, 0.42), (0.42, 0.08, 0.30), (0.85, 0.45, 0.35))), (w, h)
        )
        out = np.float32([0.002, 0.003, 0.007]) + gas * 0.75 + _stars(h, w, 5, 2300)
        y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
        for centre, radius, dry in (((0.30, 0.80), 0.42, False), ((1.46, 0.26), 0.10, True)):
            ball = planet(x, y, centre, radius, (0.75, 0.45, 0.35), dry)
            out = out * (1 - ball[..., 3:]) + ball[..., :3]
        # A ring round the small one.
        u, v = x - 1.46, (y - 0.26) + 0.34 * (x - 1.46)
        d = np.hypot(u, v * 3.4) / 0.10
        ring = (
            np.clip((d - 1.35) * 9, 0, 1)
            * np.clip((2.15 - d) * 9, 0, 1)
            * (0.45 + 0.55 * fractal_map(d * 9, 0 * d, 4, 2.0))
        )
        hidden = (v < 0) & (np.hypot(x - 1.46, y - 0.26) < 0.10)
        out += (ring * ~hidden * 0.33)[..., None] * np.float32([0.85, 0.72, 0.55])
        return out.astype(np.float32)

    return Scene(
        Shot(None, Camera(), BLACK, rows=90),
        Develop(exposure=1.15, blur=0, glare=0.12, vignette=0.2, contrast=1.25),
        {},
        draw,
    )


def above_clouds() -> Scene:
    sky = Sky(
        zenith=(0.02, 0.09, 0.36),
        horizon=(0.62, 0.60, 0.66),
        ground=(0.5, 0.52, 0.6),
        sun=(0.80, 0.22, 0.50),
        light=(1.0, 0.78, 0.5),
        glow=0.30,
        tight=7,
        cover=0.60,
        low=0.0,
        thick=1.7,
        scale=1.5,
        dense=34,
        eye=2.3,
        steps=64,
        fade=75,
        lit=(1.9, 1.45, 1.12),
        shade=(0.16, 0.21, 0.36),
        seed=5,
        fall=0.36,
        cirrus=0.35,
        wisps=(1.2, 1.05, 0.95),
    )
    return Scene(
        Shot(None, Camera(eye=(0, 0, 0), at=(0, -0.10, 4), tall=38), sky, rows=486, sky_samples=1),
        Develop(exposure=1.0, blur=2.4, glare=0.08, contrast=1.5),
        {"sky": lambda taken, light: np.ones(light.shape[:2], np.float32)},
    )


def sunset_sky() -> Scene:
    sky = Sky(
        zenith=(0.03, 0.06, 0.24),
        horizon=(1.0, 0.32, 0.10),
        ground=(0.03, 0.02, 0.025),
        sun=(-0.36, 0.035, 1.0),
        light=(1.0, 0.42, 0.16),
        glow=0.6,
        tight=12,
        cover=0.44,
        low=2.2,
        thick=0.8,
        scale=1.6,
        dense=22,
        lit=(1.9, 0.72, 0.42),
        shade=(0.13, 0.09, 0.19),
        seed=17,
        fall=0.36,
        cirrus=0.8,
        wisps=(1.5, 0.6, 0.42),
        band=(0.14, 0.0, 0.05),
        fade=40,
    )
    b = Build(3)
    hill = b.material((0.018, 0.016, 0.022), rough=1, shine=0.0)
    b.quad((-6000, -5, 5), (12000, 0, 0), (0, 0, 6000), hill)
    for k, (z, top) in enumerate(((900, 36), (520, 20), (260, 7))):
        b.field(
            (-z * 1.4, z * 1.4),
            (z, z * 1.3),
            (24, 400),
            lambda x, q, top=top, k=k, z=z: (
                top * 2.0 * (fractal_map(x / z * 3.2, q / z * 3.2, 7, 4.0 + k) - 0.25) - 6
            ),
            hill,
        )
    return Scene(
        Shot(
            b,
            Camera(eye=(0, 8, 0), at=(0, 11.2, 40), tall=40),
            sky,
            Sun((0.3, 0.1, 0.05), 2),
            Air(0.0011, tight=8, colour=(0.40, 0.18, 0.15), toward=(0.5, 0.18, 0.05)),
            samples=8,
            bounces=2,
            rows=486,
            sky_samples=2,
        ),
        Develop(exposure=0.8, blur=2.4, glare=0.12, contrast=1.45),
        {"sky": sky_map},
    )


def bridge() -> Scene:
    b = Build(139)
    p = Palette(b)
    hull = b.material((0.34, 0.36, 0.40), second=(0.30, 0.32, 0.36), rough=0.4, shine=0.05)
    dark = b.material(
        (0.06, 0.065, 0.075), second=(0.045, 0.05, 0.06), texture="panels", scale=0.4, rough=0.3, shine=0.05
    )
    floor = b.material(
        (0.07, 0.075, 0.085), second=(0.05, 0.055, 0.065), texture="tiles", scale=0.7, rough=0.18, shine=0.06
    )
    b.quad((-6, 0, -3), (12, 0, 0), (0, 0, 12), floor)
    b.quad((-6, 3.3, -3), (12, 0, 0), (0, 0, 12), dark)
    for s in (-1, 1):
        b.quad((s * 4.2, 0, -3), (0, 0, 9.6), (0, 3.3, 0), hull)
    blue, white, amber = (
        b.glow((0.25, 0.65, 1.0), 4),
        b.glow((0.85, 0.93, 1.0), 4.5),
        b.glow((1.0, 0.45, 0.12), 4),
    )
    # The great window: an arc of panes.
    for i in range(6):
        a = math.radians(-45 + 18 * i)
        x, z = 5.2 * math.sin(a), 1.4 + 5.2 * math.cos(a)
        b.tube(np.array([(x, 0.9, z), (x * 1.02, 2.2, z + 0.1), (x * 0.93, 3.1, z - 0.35)]), 0.08, dark, 8)
    arc = np.radians(np.linspace(-46, 46, 40))
    for y, r, m, k in (
        (0.86, 5.2, dark, 0.13),
        (3.06, 4.9, dark, 0.14),
        (0.98, 5.08, blue, 0.014),
        (2.94, 4.78, white, 0.022),
    ):
        b.tube(np.stack([r * np.sin(arc), np.full(40, y), 1.4 + r * np.cos(arc)], -1), k, m, 8)
    lower = np.stack(
        [np.stack([5.2 * np.sin(arc), np.full(40, y), 1.4 + 5.2 * np.cos(arc)], -1) for y in (0.0, 0.86)]
    )
    b.surface(lower, hull)
    upper = np.stack(
        [
            np.stack([r * np.sin(arc), np.full(40, y), 1.4 + r * np.cos(arc)], -1)
            for r, y in ((4.9, 3.05), (4.7, 3.35))
        ]
    )
    b.surface(upper, dark)
    # Consoles with displays.
    screens = [
        b.material((0, 0, 0), glow=g, texture="screen", scale=0.10, amount=k)
        for k, g in enumerate(((0.3, 0.75, 1.1), (1.0, 0.55, 0.2), (0.3, 0.9, 0.8)))
    ]
    for x, z, turn in ((-2.55, 4.5, -34), (-1.15, 5.15, -12), (1.15, 5.15, 12), (2.55, 4.5, 34)):
        b.box((x, 0.42, z), (1.05, 0.84, 0.5), hull, turn, bevel=0.06)
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        b.quad(
            (x - 0.46 * c - 0.24 * s, 0.86, z + 0.46 * s - 0.24 * c),
            (0.92 * c, 0, -0.92 * s),
            (0.30 * s, 0.22, 0.30 * c),
            screens[int(abs(x) * 2) % 3],
        )
        b.box((x - 0.26 * s, 0.12, z - 0.26 * c), (0.9, 0.02, 0.02), blue, turn)
    for s in (-1, 1):
        for k in range(4):
            z = 1.8 + 1.05 * k
            b.quad((s * 4.17, 1.2, z), (0, 0, 0.8), (0, 0.62, 0), screens[(k + (s > 0)) % 3])
            b.box((s * 4.16, 2.05, z + 0.4), (0.03, 0.03, 0.8), white)
            b.box((s * 4.16, 0.95, z + 0.4), (0.03, 0.02, 0.8), (blue, amber)[k % 2])
        b.box((s * 1.5, 3.27, 2), (0.16, 0.03, 7), white)
        b.box((s * 2.6, 3.27, 1), (0.5, 0.03, 6), b.glow((0.75, 0.85, 1.0), 2.6))
        b.box((s * 4.1, 0.06, 2), (0.04, 0.03, 8), blue)
    for x in (-1.9, 1.9):
        b.box((x, 0.5, 3.55), (0.62, 0.14, 0.6), p.black, bevel=0.05)
        b.box((x, 0.92, 3.30), (0.58, 0.85, 0.14), p.black, bevel=0.06)
        b.cylinder((x, 0, 3.55), 0.09, 0.45, hull)

    def stars(taken: Taken) -> Floats:
        h, w = taken.light.shape[:2]
        gas = _nebula(h, w, 8.0, ((0.04, 0.20, 0.40), (0.30, 0.06, 0.36), (0.5, 0.35, 0.6)))
        out = np.float32([0.002, 0.003, 0.008]) + gas * 0.5 + 0.6 * _stars(h, w, 9, 900)
        y, x = np.mgrid[0 : 1 : h * 1j, 0 : 16 / 9 : w * 1j].astype(np.float32)
        ball = planet(x, y, (1.22, 0.40), 0.26, (-0.75, 0.5, 0.3))
        out = out * (1 - ball[..., 3:]) + ball[..., :3] * 0.8
        return taken.light + out * (1 - taken.cover[..., None])

    return Scene(
        Shot(b, Camera(at=(0, 1.5, 4), tall=40), BLACK, samples=13, bounces=4, rows=486),
        Develop(exposure=1.75, blur=4.0, glare=0.14),
        {"sky": sky_map},
        stars,
    )
