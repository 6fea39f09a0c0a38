"""Skies: gradient and glow round the sun, clouds as a lit volume, thin high clouds, stars.

Clouds are a slab of noise, marched with single scattering and Beer's law (Schneider and Vos, Horizon Zero
Dawn, SIGGRAPH 2015, in the small). Must not know what stands below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from noise import compiled, fractal, hashed, step
from numpy.typing import NDArray

Colour = tuple[float, float, float]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Sky:
    """A sky; colours are linear radiance, lengths of clouds kilometres."""

    zenith: Colour = (0.16, 0.34, 0.75)
    horizon: Colour = (0.75, 0.86, 1.0)
    ground: Colour = (0.25, 0.24, 0.22)
    sun: Colour = (0.4, 0.5, 0.75)
    light: Colour = (1.0, 0.93, 0.82)
    glow: float = 0.5
    tight: float = 8.0
    disc: float = 0.0
    bright: float = 30.0
    cover: float = 0.0
    low: float = 1.5
    thick: float = 1.0
    scale: float = 1.6
    seed: float = 1.0
    dense: float = 14.0
    cirrus: float = 0.0
    stars: float = 0.0
    fall: float = 0.45
    lit: Colour = (1.0, 0.96, 0.9)
    shade: Colour = (0.42, 0.5, 0.62)
    eye: float = 0.0
    steps: int = 36
    fade: float = 30.0
    band: Colour = (0.0, 0.0, 0.0)
    wisps: Colour = (1.0, 1.0, 1.0)
    extra: dict[str, float] = field(default_factory=dict)

    def row(self) -> Floats:
        """The sky as numbers, for the kernels."""
        s = np.array(self.sun, np.float64)
        s /= np.linalg.norm(s)
        parts = (
            self.zenith,
            self.horizon,
            self.ground,
            s,
            self.light,
            [
                self.glow,
                self.tight,
                self.disc,
                self.bright,
                self.cover,
                self.low,
                self.thick,
                self.scale,
                self.seed,
                self.dense,
                self.cirrus,
                self.stars,
                self.fall,
            ],
            self.lit,
            self.shade,
            [self.eye, self.steps, self.fade],
            self.band,
            self.wisps,
        )
        return np.concatenate([np.asarray(p, np.float32).ravel() for p in parts])


@compiled
def density(p, x, y, z):
    """Density of cloud at a point, kilometres."""
    low, thick, scale, seed = p[20], p[21], p[22], p[23]
    h = (y - low) / thick
    if h <= 0 or h >= 1:
        return 0.0
    q = x / scale + seed * 13.7, y / scale * 1.3, z / scale + seed * 7.1
    big = fractal(q[0] * 0.5, q[1] * 0.5, q[2] * 0.5, 3)
    profile = step(0.0, 0.12, h) * step(1.0, 0.25, h)
    d = big - (1 - p[19]) * 0.72 - 0.10 + 0.16 * (profile - 1)
    if d <= -0.12:
        return 0.0
    d = d + 0.34 * (fractal(q[0] * 2.3, q[1] * 2.3, q[2] * 2.3, 4) - 0.5)
    return max(d, 0.0) * profile * p[24]


@compiled
def sky_colour(p, dx, dy, dz, shake):
    """Radiance from a direction: (r, g, b)."""
    sx, sy, sz = p[9], p[10], p[11]
    c = dx * sx + dy * sy + dz * sz
    up = max(dy, 0.0)
    t = up ** p[27]
    r = p[1 * 3] + (p[0] - p[3]) * t
    g = p[4] + (p[1] - p[4]) * t
    b = p[5] + (p[2] - p[5]) * t
    # A band of colour low in the sky, as at dusk.
    k = math.exp(-(((up - 0.10) / 0.10) ** 2)) * (0.55 + 0.45 * c)
    r, g, b = r + p[37] * k, g + p[38] * k, b + p[39] * k
    glow = p[15] * (max(c, 0.0) ** p[16] + 0.35 * max(c, 0.0) ** (p[16] * 0.25))
    glow += p[15] * 3.0 * max(c, 0.0) ** (p[16] * 60)
    r, g, b = r + p[12] * glow, g + p[13] * glow, b + p[14] * glow
    if dy < 0 and p[34] <= p[20]:
        k = step(0.0, -0.06, dy)
        r, g, b = r + (p[6] - r) * k, g + (p[7] - g) * k, b + (p[8] - b) * k
    if p[17] > 0 and c > math.cos(p[17] * 1.25):
        k = step(math.cos(p[17] * 1.25), math.cos(p[17]), c) * p[18]
        r, g, b = r + p[12] * k, g + p[13] * k, b + p[14] * k
    if p[26] > 0 and dy > -0.2:
        # Stars: cells on the sphere's cylinder.
        for layer in range(3):
            n = 90.0 * (1.6**layer)
            u, v = math.atan2(dx, dz) * n / 1.2, math.asin(min(max(dy, -1.0), 1.0)) * n
            i, j = math.floor(u), math.floor(v)
            h = hashed(i, j, 5 + layer)
            if h < p[26]:
                px, py = i + 0.2 + 0.6 * hashed(i, j, 15 + layer), j + 0.2 + 0.6 * hashed(i, j, 25 + layer)
                d = math.sqrt((u - px) ** 2 + (v - py) ** 2) / n * 90
                m = hashed(i, j, 35 + layer) ** 5
                s = (0.10 + 2.2 * m) * math.exp(-((d / (0.055 + 0.06 * m)) ** 2))
                w = hashed(i, j, 45 + layer)
                r, g, b = r + s * (0.75 + 0.4 * w), g + s * 0.9, b + s * (1.15 - 0.3 * w)
    if p[25] > 0 and dy > 0.01:
        k = 8.0 / (dy + 0.06)
        x, z = dx * k * 0.28 + p[23], dz * k * 0.28
        n = fractal(x * 0.7 + 0.6 * fractal(x, 1.0, z, 3), 3.1, z * 2.2 + 0.5 * fractal(z, 5.0, x, 3), 5)
        k = step(0.47, 0.8, n) * p[25] * step(0.015, 0.14, dy)
        m = 0.55 + 0.8 * max(c, 0.0) ** 3
        r, g, b = r + (p[40] * m - r) * k, g + (p[41] * m - g) * k, b + (p[42] * m - b) * k
    if p[19] > 0:
        low, high, eye = p[20], p[20] + p[21], p[34]
        near, far = 0.0, 0.0
        if eye < low and dy > 0.012:
            near, far = (low - eye) / dy, (high - eye) / dy
        elif eye > high and dy < -0.004:
            near, far = (high - eye) / dy, (low - eye) / dy
        elif low <= eye <= high:
            near, far = 0.0, 3 * p[21]
        far = min(far, near + 9 * p[21])
        if far > near and near < p[36] * 4:
            steps = int(p[35])
            size = (far - near) / steps
            left = 1.0
            cr = cg = cb = 0.0
            t = near + size * shake
            for _ in range(steps):
                x, y, z = dx * t, eye + dy * t, dz * t
                d = density(p, x, y, z)
                if d > 0.005:
                    shadow = 0.0
                    s = 0.06
                    for _ in range(5):
                        shadow += density(p, x + sx * s, y + sy * s, z + sz * s) * s * 0.9
                        s *= 1.75
                    beam = math.exp(-shadow * 0.9) * 0.72 + 0.28 * math.exp(-shadow * 0.22)
                    powder = 1 - 0.6 * math.exp(-d * 1.2)
                    phase = 0.75 + 0.9 * max(c, 0.0) ** 12 + 0.25 * max(c, 0.0) ** 2
                    h = min(max((y - low) / p[21], 0.0), 1.0)
                    lr = p[28] * beam * powder * phase + p[31] * (0.55 + 0.45 * h)
                    lg = p[29] * beam * powder * phase + p[32] * (0.55 + 0.45 * h)
                    lb = p[30] * beam * powder * phase + p[33] * (0.55 + 0.45 * h)
                    a = 1 - math.exp(-d * size)
                    mist = 1 - math.exp(-((t / p[36]) ** 1.5))
                    lr, lg, lb = lr + (r - lr) * mist, lg + (g - lg) * mist, lb + (b - lb) * mist
                    cr, cg, cb = cr + left * a * lr, cg + left * a * lg, cb + left * a * lb
                    left *= 1 - a
                    if left < 0.01:
                        break
                t += size
            r, g, b = r * left + cr, g * left + cg, b * left + cb
    return r, g, b


@compiled
def fill_map(p, out):
    """Fills a map of latitude and longitude, the zenith in its first row."""
    h, w = out.shape[0], out.shape[1]
    for j in range(h):
        a = math.pi * (j + 0.5) / h
        for i in range(w):
            o = 2 * math.pi * ((i + 0.5) / w - 0.5)
            s = math.sin(a)
            r, g, b = sky_colour(p, s * math.sin(o), math.cos(a), s * math.cos(o), hashed(i, j, 1))
            out[j, i, 0], out[j, i, 1], out[j, i, 2] = r, g, b


@compiled
def fill_view(p, camera, out, samples):
    """Fills the sky as a camera sees it (``tracer.trace_rows`` for its numbers)."""
    h, w = out.shape[0], out.shape[1]
    half, aspect, lift = camera[12], camera[13], camera[16]
    for j in range(h):
        for i in range(w):
            for s in range(samples):
                px = (2 * (i + (s + 0.5) / samples) / w - 1) * half * aspect
                py = (1 - 2 * (j + hashed(i, j, 7 + s)) / h) * half + lift
                dx = camera[9] + px * camera[3] + py * camera[6]
                dy = camera[10] + px * camera[4] + py * camera[7]
                dz = camera[11] + px * camera[5] + py * camera[8]
                k = 1 / math.sqrt(dx * dx + dy * dy + dz * dz)
                r, g, b = sky_colour(p, dx * k, dy * k, dz * k, hashed(i, j, 2 + s))
                out[j, i, 0] += r / samples
                out[j, i, 1] += g / samples
                out[j, i, 2] += b / samples
