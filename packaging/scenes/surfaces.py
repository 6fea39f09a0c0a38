"""Surfaces: the procedural colour, roughness, bump and glow of a material at a point.

A material is a row of numbers (``COLUMNS``); its texture says how its two colours mix. Patterns lie in world
coordinates (metres), on walls by the axis that the surface faces. Must not know rays.
"""

from __future__ import annotations

import math

import numpy as np
from noise import compiled, fractal, hashed, noise, step

COLUMNS = (
    "texture",
    "r",
    "g",
    "b",
    "r2",
    "g2",
    "b2",
    "rough",
    "shine",
    "metal",
    "through",
    "er",
    "eg",
    "eb",
    "scale",
    "bump",
    "glass",
    "amount",
)
"""Texture's number; two colours; roughness; reflectance at normal incidence; metal; share of light that
passes a leaf; emission; size of the pattern, metres; height of its relief; glass; share of lit windows and
the like."""

TEXTURES = {
    name: number
    for number, name in enumerate(
        (
            "plain",
            "planks",
            "brick",
            "tiles",
            "plaster",
            "fabric",
            "stone",
            "facade",
            "water",
            "wet",
            "grain",
            "terrain",
            "sand",
            "leaf",
            "slats",
            "panels",
            "ground",
            "crater",
            "view",
            "screen",
        )
    )
}


@compiled
def grid(a: float, b: float, w: float, h: float, shift: float, seed: int):
    """A grid of cells w by h, rows shifted: distance to the nearest joint, random number of the cell."""
    row = math.floor(b / h)
    a = a + row * shift * w
    column = math.floor(a / w)
    fa, fb = a - column * w, b - row * h
    return min(min(fa, w - fa), min(fb, h - fb)), hashed(int(column), int(row), seed)


@compiled
def surface(m, tint, x, y, z, nx, ny, nz):
    """Colour, roughness, relief (height) and glow at a point: (r, g, b, rough, height, er, eg, eb)."""
    kind = int(m[0])
    s = m[14]
    rough, height, t, shade = m[7], 0.0, 0.0, 1.0
    er, eg, eb = m[11], m[12], m[13]
    ax, ay, az = abs(nx), abs(ny), abs(nz)
    if ay > ax and ay > az:
        a, b = x, z
    elif ax > az:
        a, b = z, y
    else:
        a, b = x, y
    if kind == 0:
        t = fractal(x / s, y / s, z / s, 3)
    elif kind == 1:
        d, r = grid(b, a, s * 8, s, 0.37, 3)
        g = fractal(a / s * 14.0 + r * 40, b / s * 0.7 + r * 17, r * 9, 4)
        t = 0.55 * g + 0.45 * r
        shade = 0.45 + 0.55 * step(0.0, 0.012 * s * 4, d)
        height = step(0.0, 0.02 * s, d)
        rough = rough * (0.8 + 0.5 * g)
    elif kind == 2:
        d, r = grid(a, b, s, s * 0.32, 0.5, 5)
        joint = step(0.035 * s, 0.06 * s, d + 0.02 * s * (noise(x / s * 9, y / s * 9, z / s * 9) - 0.5))
        n = fractal(x / s * 7, y / s * 7, z / s * 7, 4)
        t = 0.5 * r + 0.5 * n
        height = joint + 0.25 * n
        shade = 0.62 + 0.38 * joint
        if joint < 0.5:
            return 0.36 + 0.1 * n, 0.34 + 0.1 * n, 0.32 + 0.1 * n, 0.95, height, 0.0, 0.0, 0.0
    elif kind == 3:
        d, r = grid(a, b, s, s, 0.0, 7)
        joint = step(0.008 * s, 0.02 * s, d)
        n = fractal(x / s * 2 + r * 30, y / s * 2, z / s * 2, 4)
        t = 0.3 * r + 0.7 * n
        height = joint
        shade = 0.55 + 0.45 * joint
        rough = rough * (1.6 - 0.6 * joint)
    elif kind == 4:
        n = fractal(x / s, y / s, z / s, 5)
        t = step(0.25, 0.75, n)
        height = fractal(x / s * 9, y / s * 9, z / s * 9, 3)
    elif kind == 5:
        n = noise(x / s * 60, y / s * 60, z / s * 60)
        t = 0.6 * n + 0.4 * fractal(x / s, y / s, z / s, 3)
        height = n
    elif kind == 6:
        n = fractal(x / s, y / s, z / s, 5)
        v = 1 - abs(2 * fractal(x / s * 0.7 + n, y / s * 0.7, z / s * 0.7 + n, 4) - 1)
        t = step(0.55, 0.99, v) * 0.8 + 0.2 * n
        height = n
    elif kind == 7:
        # Storeys s high; windows by twos; some are lit.
        w = s * 0.8
        row, column = math.floor(y / s), math.floor(a / w)
        fa, fb = a / w - column, y / s - row
        pane = step(0.10, 0.13, fa) * step(0.90, 0.87, fa) * step(0.22, 0.26, fb) * step(0.92, 0.88, fb)
        if ay > 0.7:
            pane = 0.0
        who = int(tint * 977)
        r = hashed(int(column), int(row), 11 + who)
        r2 = hashed(int(column), int(row), 37 + who)
        floor_on = hashed(int(row), who, 71)
        on = 1.0 if r < m[17] * (0.35 + 1.3 * floor_on) else 0.0
        t = pane
        rough = rough + (0.06 - rough) * pane
        inner = 0.5 + 0.5 * noise(a / w * 3.0, y / s * 2.0, r * 50)
        bright = on * pane * inner * (0.25 + 1.3 * r2 * r2)
        warm = hashed(int(column), int(row), 53 + who)
        er, eg, eb = er * bright, eg * bright * (0.78 + 0.32 * warm), eb * bright * (0.45 + 0.75 * warm)
        shade = 0.8 + 0.3 * fractal(x * 0.05, y * 0.05, z * 0.05, 3)
    elif kind == 8:
        height = 0.6 * fractal(x / s * 1.3, 1.5, z / s * 2.6, 4) + 0.4 * fractal(
            x / s * 0.3 + 3, 9.5, z / s * 0.7, 3
        )
        t = step(m[17], m[17] + 30 * s, z + 14 * s * (fractal(x / s * 0.08, 2.5, z / s * 0.16, 3) - 0.5))
        if m[17] > 0:
            # Foam where it meets the shore, and on two low waves before it.
            off = z - m[17] - 1.6 * (fractal(x * 0.22, 7.5, 1.0, 3) - 0.5) * 2
            n = fractal(x * 2.2, 5.5, z * 3.0, 4)
            foam = step(0.9, 0.0, off) * step(0.30, 0.5, n + 0.25 * step(0.5, 0.0, off))
            foam = max(
                foam,
                0.9
                * step(0.7, 0.0, abs(off - 3.2) - 0.35 * n)
                * step(0.42, 0.6, n)
                * step(0.35, 0.6, noise(x * 0.12, 1.0, 3.0)),
            )
            foam = max(
                foam,
                0.7
                * step(0.8, 0.0, abs(off - 9.0) - 0.5 * n)
                * step(0.45, 0.62, n)
                * step(0.4, 0.6, noise(x * 0.07, 4.0, 3.0)),
            )
            if foam > 0:
                return (
                    m[1] + (0.85 - m[1]) * foam,
                    m[2] + (0.88 - m[2]) * foam,
                    m[3] + (0.9 - m[3]) * foam,
                    rough + (0.8 - rough) * foam,
                    height,
                    0.0,
                    0.0,
                    0.0,
                )
    elif kind == 9:
        n = fractal(x / s, 0.5, z / s, 4)
        puddle = step(0.46, 0.56, n)
        rough = rough + (0.03 - rough) * puddle
        t = 0.6 * puddle + 0.3 * noise(x * 40, y * 40, z * 40)
        height = (1 - puddle) * fractal(x * 30, y * 30, z * 30, 3)
        shade = 1 - 0.45 * puddle
    elif kind == 10:
        if ay > ax and ay > az:
            g = fractal(x / s * 0.8, y / s * 6, z / s * 7.0, 4)
        else:
            g = fractal(a / s * 7.0, 4.0 + nx, b / s * 0.8, 4)
        t = g
        height = 0.3 * g
    elif kind == 11:
        # Rock, and what lies on it where it is flat (snow, grass).
        n = fractal(x / s, y / s, z / s, 5)
        flat = step(m[17] - 0.14, m[17] + 0.14, ny + 0.35 * (n - 0.5))
        strata = fractal(x / s * 0.6, y / s * 5, z / s * 0.6, 4)
        t = flat
        shade = (0.62 + 0.75 * strata) * (1 - flat) + flat * (0.88 + 0.22 * n)
        height = n
    elif kind == 12:
        n = fractal(x * 0.35 / s, 0.0, z * 0.35 / s, 3)
        ripple = math.sin((z * 1.6 + 0.5 * x + 3.2 * n * s) / s * 6.0)
        t = fractal(x / s * 3, y / s * 3, z / s * 3, 4)
        height = 0.5 + 0.5 * ripple * (0.4 + n) + 0.35 * t
    elif kind == 13:
        t = tint
        shade = 0.8 + 0.4 * hashed(int(tint * 8191), 3, 5)
    elif kind == 14:
        f = a / s - math.floor(a / s)
        d = min(f, 1 - f)
        t = fractal(a / s * 7.0, b * 1.2, 3.0 + math.floor(a / s), 4)
        shade = 0.25 + 0.75 * step(0.02, 0.10, d)
        height = step(0.0, 0.12, d)
    elif kind == 15:
        d, r = grid(a, b, s * 1.7, s, 0.5, 9)
        d2, r2 = grid(a + 0.3, b + 0.2, s * 0.43, s * 0.5, 0.31, 19)
        t = 0.65 * r + 0.35 * r2
        shade = (0.5 + 0.5 * step(0.0, 0.03 * s, d)) * (0.8 + 0.2 * step(0.0, 0.02 * s, d2))
        height = step(0.0, 0.03 * s, d) + 0.5 * step(0.0, 0.02 * s, d2)
        rough = rough * (0.7 + 0.6 * r2)
    elif kind == 16:
        n = fractal(x / s, y / s, z / s, 5)
        t = step(0.3, 0.7, n)
        shade = 0.75 + 0.5 * fractal(x / s * 12, y / s * 12, z / s * 12, 3)
        height = fractal(x / s * 16, y / s * 16, z / s * 16, 3)
    elif kind == 18:
        # What is seen through a window: sky over trees; its colours are shares of the glow.
        n = fractal(a / s, y / s, 3.0, 5)
        k = step(-0.12, 0.12, (y - m[17]) / s + 1.6 * (n - 0.5))
        n2 = fractal(a / s * 5, y / s * 5, 9.0, 4)
        d = (0.35 + 1.3 * n2) * (1 - k)
        er, eg, eb = er * (k + m[4] * d), eg * (k + m[5] * d), eb * (k + m[6] * d)
    elif kind == 19:
        # A display: soft waves of light of two colours; the scale is the height of a wave.
        n = fractal(a / s * 0.35 + m[17], b / s * 0.5, m[17], 4)
        w = 0.5 + 0.5 * math.sin(b / s * 2.6 + n * 9.0 + a / s * 0.5)
        f = 0.12 + 0.88 * step(0.25, 0.95, w) * (0.5 + n)
        q = step(0.35, 0.65, fractal(a / s * 0.25, 5.0 + m[17], b / s * 0.25, 3))
        er, eg, eb = (
            f * (er * q + eb * 0.55 * (1 - q)),
            f * (eg * (0.6 + 0.4 * q) + 0.15 * eb * (1 - q)),
            f * (eb * (1.0 - 0.35 * q)),
        )
    else:
        n = fractal(x / s, y / s, z / s, 6)
        t = step(0.3, 0.7, n)
        height = fractal(x / s * 8, y / s * 8, z / s * 8, 5)
        shade = 0.85 + 0.3 * height
    if kind != 13 and kind != 7 and kind < 18:
        shade = shade * (0.5 + tint)
    r = (m[1] + (m[4] - m[1]) * t) * shade
    g = (m[2] + (m[5] - m[2]) * t) * shade
    b2 = (m[3] + (m[6] - m[3]) * t) * shade
    return r, g, b2, rough, height, er, eg, eb


@compiled
def relief(m, tint, x, y, z, nx, ny, nz, eps):
    """The normal, tilted by the material's relief (bump mapping, Blinn 1978)."""
    bump = m[15]
    if bump <= 0:
        return nx, ny, nz
    h = surface(m, tint, x, y, z, nx, ny, nz)[4]
    hx = surface(m, tint, x + eps, y, z, nx, ny, nz)[4]
    hy = surface(m, tint, x, y + eps, z, nx, ny, nz)[4]
    hz = surface(m, tint, x, y, z + eps, nx, ny, nz)[4]
    k = bump / eps
    gx, gy, gz = (hx - h) * k, (hy - h) * k, (hz - h) * k
    along = gx * nx + gy * ny + gz * nz
    gx, gy, gz = gx - along * nx, gy - along * ny, gz - along * nz
    size = math.sqrt(gx * gx + gy * gy + gz * gz)
    if size > 1.2:
        gx, gy, gz = gx * 1.2 / size, gy * 1.2 / size, gz * 1.2 / size
    x, y, z = nx - gx, ny - gy, nz - gz
    length = math.sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def material_row(**values: object) -> np.ndarray:
    """A material as a row: ``colour``, ``second``, ``glow`` as triples, the rest as in ``COLUMNS``."""
    row = dict.fromkeys(COLUMNS, 0.0)
    row.update(rough=0.6, shine=0.04, scale=1.0)
    colour = values.pop("colour", (0.6, 0.6, 0.6))
    second = values.pop("second", None) or tuple(0.8 * c for c in colour)
    glow = values.pop("glow", (0, 0, 0))
    row.update(
        zip(("r", "g", "b", "r2", "g2", "b2", "er", "eg", "eb"), (*colour, *second, *glow), strict=True)
    )
    row["texture"] = TEXTURES[str(values.pop("texture", "plain"))]
    unknown = set(values) - set(COLUMNS)
    if unknown:
        raise KeyError(f"no such property: {unknown}")
    row.update(values)
    return np.array([row[name] for name in COLUMNS], np.float32)
