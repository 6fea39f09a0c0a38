"""Plants: trees, conifers, palms, shrubs, grass, flowers and plants in pots, of branches and leaves.

Must not know scenes.
"""

from __future__ import annotations

import math

import numpy as np
from mesh import Build, Floats, Vector, unit


def scatter(
    b: Build,
    centre: Vector,
    radius: Vector,
    count: int,
    material: int,
    size: float,
    shell: float = 0.6,
    long: float = 1.6,
) -> None:
    """A cluster of leaves: an ellipsoid, fuller towards its surface; its leaves face outwards."""
    d = unit(b.random.standard_normal((count, 3)))
    r = b.random.uniform(shell**3, 1, (count, 1)) ** (1 / 3) * b.random.uniform(0.85, 1.12, (count, 1))
    at = np.asarray(centre, np.float32) + d * r * np.asarray(radius, np.float32)
    shade = np.clip(0.45 + 0.25 * d[:, 1] + b.random.normal(0, 0.22, count), 0, 1)
    b.leaves(at.astype(np.float32), size, material, long, facing=d.astype(np.float32), tint=shade)


def tree(
    b: Build,
    base: Vector,
    height: float,
    spread: float,
    bark: int,
    leaf: int,
    leaves: int = 9000,
    size: float = 0.11,
    bare: float = 0.3,
    clusters: int = 26,
    thick: float = 0.035,
) -> None:
    """A broadleaved tree: a trunk, boughs, and clusters of leaves at their ends."""
    p = np.asarray(base, np.float32)
    rnd = b.random
    t = np.linspace(0, 1, 9)[:, None]
    lean = np.cumsum(rnd.normal(0, 0.012, (9, 3)), 0) * [1, 0, 1] * height
    trunk = p + lean + t * [0, height * 0.8, 0]
    b.tube(trunk, height * thick * (1.15 - 0.95 * t[:, 0]) + 0.01, bark, 8)
    for i in range(clusters):
        a = 2.4 * i + rnd.uniform(-0.5, 0.5)
        up = bare + (1 - bare) * (i + 0.5) / clusters
        out = spread * (0.25 + 0.75 * math.sin(math.pi * min(1.0, 0.25 + 0.78 * (up - bare) / (1 - bare))))
        out *= rnd.uniform(0.55, 1.0)
        end = p + np.array([math.cos(a) * out, height * up * rnd.uniform(0.96, 1.06), math.sin(a) * out])
        start = trunk[min(8, max(1, int(up * 8.2) - 1))]
        s = np.linspace(0, 1, 6)[:, None]
        path = (
            start
            + (end - start) * s
            + np.array([0, 0.12 * height, 0]) * (s * (1 - s))
            + rnd.normal(0, 0.012 * height, (6, 3)) * s
        )
        b.tube(path, height * thick * 0.34 * (1.1 - s[:, 0]) + 0.006, bark, 5)
        r = spread * rnd.uniform(0.24, 0.4)
        scatter(b, end, (r, r * 0.72, r), leaves // clusters, leaf, size, 0.3)


def conifer(
    b: Build,
    base: Vector,
    height: float,
    width: float,
    bark: int,
    leaf: int,
    needles: int = 5000,
    size: float = 0.16,
) -> None:
    """A spruce: whorls of drooping boughs, shorter towards the top."""
    p = np.asarray(base, np.float32)
    rnd = b.random
    t = np.linspace(0, 1, 5)[:, None]
    b.tube(p + t * [0, height, 0], 0.018 * height * (1.05 - t[:, 0]) + 0.004, bark, 6)
    n = needles
    whorls = int(np.clip(2.6 * height, 16, 34))
    up = 1 - np.sqrt(rnd.uniform(0.0004, 0.95, n))
    whorl = (np.floor(up * whorls) + rnd.normal(0, 0.05, n)) / whorls
    bough = rnd.integers(0, 9, n)
    a = bough * (2 * np.pi / 9) + np.floor(up * whorls) * 2.4
    # Boughs of one tree differ in length, and bend down under their weight, the tips up again.
    reach = width * (1 - whorl) ** 0.9 * (0.8 + 0.35 * np.sin(np.floor(up * whorls) * 12.9 + bough * 4.1))
    s = rnd.uniform(0.03, 1, n) ** 0.6
    aside = rnd.normal(0, 1, n)
    spread = 0.17 * reach * (1.12 - s) ** 0.7 * aside
    sag = -0.42 * reach * (s**1.3 - 0.35 * s**4) - 0.05 * reach * np.abs(aside)
    y = height * (0.05 + 0.95 * whorl) + sag + rnd.normal(0, 0.004, n) * height
    out = np.stack([np.cos(a), 0 * a, np.sin(a)], -1)
    across = np.stack([-np.sin(a), 0 * a, np.cos(a)], -1)
    at = p + out * (reach * s)[:, None] + across * spread[:, None]
    at[:, 1] += y
    b.leaves(
        at.astype(np.float32),
        size * 0.55 * (0.6 + 0.6 * (1 - whorl)),
        leaf,
        5.0,
        facing=unit(0.7 * out + np.array([0, 0.8, 0])),
        tint=np.clip(0.2 + 0.65 * s + rnd.normal(0, 0.12, n), 0, 1),
        along=unit(out + across * np.sign(aside)[:, None] * 0.9 + np.array([0, -0.35, 0])),
    )


def palm(
    b: Build,
    base: Vector,
    height: float,
    lean: Vector,
    bark: int,
    leaf: int,
    fronds: int = 17,
    length: float = 2.6,
) -> None:
    """A coconut palm: a leaning trunk, arched fronds of many leaflets."""
    p = np.asarray(base, np.float32)
    rnd = b.random
    t = np.linspace(0, 1, 24)[:, None]
    path = p + t * [0, height, 0] + t**1.7 * np.array([lean[0], 0, lean[1]])
    b.tube(
        path,
        (0.17 - 0.07 * t[:, 0]) * (1 + 0.07 * np.sin(t[:, 0] * 150)) + 0.10 * np.exp(-t[:, 0] * 14),
        bark,
        9,
    )
    top = path[-1]
    for i in range(fronds):
        a = 2.4 * i + rnd.uniform(-0.2, 0.2)
        rise = 1.1 - 1.5 * i / fronds + rnd.uniform(-0.15, 0.15)
        long = length * rnd.uniform(0.85, 1.1)
        s = np.linspace(0, 1, 34)[:, None]
        d = np.array([math.cos(a), 0, math.sin(a)])
        rib = (
            top
            + d * long * s * (1 - 0.16 * s)
            + np.array([0, 1, 0]) * long * (rise * 0.55 * s - (0.55 + 0.25 * rise) * s**2.1)
        )
        b.tube(rib, 0.022 * (1.1 - s[:, 0]), leaf, 4, 0.7)
        along = unit(np.gradient(rib, axis=0))
        side = unit(np.cross(along, [0, 1, 0]))
        for sign in (-1, 1):
            w = 0.30 * long * np.sin(np.pi * np.clip(s * 0.94 + 0.06, 0, 1)) ** 0.6
            tip = (
                rib
                + sign * side * w * 0.85
                + along * w * 0.55
                - np.array([0, 1, 0]) * w * rnd.uniform(0.25, 0.6, (34, 1))
            )
            wide = along * 0.045 * long / 2.6
            tris = np.stack([rib - wide, rib + wide, tip], 1)[2:]
            b.triangles(tris, leaf, np.clip(0.5 + rnd.normal(0, 0.2, len(tris)), 0, 1))
    for _ in range(5):
        b.sphere(top + rnd.normal(0, 0.13, 3) - [0, 0.22, 0], 0.12, bark, 8)


def grass(
    b: Build, at: Floats, height: Floats | float, material: int, width: float = 0.012, lean: float = 0.35
) -> None:
    """Blades of grass at points, float (N, 3): a bent blade of three triangles each."""
    n = len(at)
    h = np.broadcast_to(np.asarray(height, np.float32), (n,))[:, None] * b.random.uniform(0.55, 1.25, (n, 1))
    a = b.random.uniform(0, 2 * np.pi, n)
    side = np.stack([np.cos(a), 0 * a, np.sin(a)], -1) * width * h / h.mean()
    bend = b.random.normal(0, lean, (n, 3)) * [1, 0, 1] * h
    mid, tip = at + [0, 0.55, 0] * h + bend * 0.35, at + [0, 0.93, 0] * h + bend
    tris = np.stack(
        [
            np.stack([at - side, at + side, mid + side * 0.7], 1),
            np.stack([at - side, mid + side * 0.7, mid - side * 0.7], 1),
            np.stack([mid - side * 0.7, mid + side * 0.7, tip], 1),
        ],
        1,
    )
    tint = np.repeat(np.clip(b.random.normal(0.5, 0.25, n), 0, 1), 3)
    # Grass is lit as the ground it stands on is, more than by its blades' own angles.
    normals = np.broadcast_to(
        unit(np.array([0, 1, 0]) + b.random.normal(0, 0.35, (n, 3)))[:, None, None], (n, 3, 3, 3)
    )
    b.triangles(tris.reshape(-1, 3, 3), material, tint, normals.reshape(-1, 3, 3))


def shrub(b: Build, base: Vector, radius: float, leaf: int, leaves: int = 3000, size: float = 0.05) -> None:
    """A round bush of a few clusters."""
    p = np.asarray(base, np.float32)
    for _ in range(7):
        d = b.random.normal(0, 0.42, 3) * radius * [1, 0.5, 1]
        r = radius * b.random.uniform(0.45, 0.7)
        scatter(b, p + d + [0, radius * 0.62, 0], (r, r * 0.85, r), leaves // 7, leaf, size, 0.5)


def potted(
    b: Build, base: Vector, height: float, leaf: int, pot: int, kind: str = "broad", stem: int | None = None
) -> None:
    """A plant in a pot: ``broad`` leaves on stems, a ``tall`` tree, hanging ``vines``, or ``blades``."""
    p = np.asarray(base, np.float32)
    rnd = b.random
    w = height * 0.15
    b.lathe(
        p,
        [
            (0, 0),
            (w * 0.7, 0),
            (w * 0.75, 0.02),
            (w, height * 0.27),
            (w * 0.93, height * 0.27),
            (w * 0.9, height * 0.25),
            (0, height * 0.25),
        ],
        pot,
    )
    top = p + np.array([0, height * 0.25, 0])
    stem = leaf if stem is None else stem
    if kind == "blades":
        for _ in range(26):
            a, out = rnd.uniform(0, 2 * np.pi), rnd.uniform(0.05, 0.22) * height
            d = np.array([math.cos(a), 0, math.sin(a)])
            h = height * rnd.uniform(0.45, 0.78)
            s = np.linspace(0, 1, 6)[:, None]
            path = top + d * (0.25 * w + out * s**2) + [0, 1, 0] * s * h
            side = unit(np.cross(d, [0, 1, 0])) * 0.03 * height * np.sin(np.pi * (0.25 + 0.75 * s)) ** 0.7
            b.surface(np.stack([path - side, path + side], 1), leaf, float(rnd.uniform(0.2, 0.9)))
        return
    count = {"broad": 26, "tall": 60, "vines": 40}[kind]
    for _ in range(count):
        a = rnd.uniform(0, 2 * np.pi)
        d = np.array([math.cos(a), 0, math.sin(a)])
        if kind == "broad":
            out, h = rnd.uniform(0.1, 0.36) * height, rnd.uniform(0.2, 0.72) * height
        elif kind == "tall":
            out, h = rnd.uniform(0.03, 0.22) * height, rnd.uniform(0.35, 0.78) * height
        else:
            out, h = rnd.uniform(0.1, 0.3) * height, rnd.uniform(-0.9, 0.25) * height
        s = np.linspace(0, 1, 6)[:, None]
        end = top + d * out + np.array([0, h, 0])
        path = top + (end - top) * s + d * 0.1 * height * s * (1 - s)
        b.tube(path, 0.004 * height + 0.001, stem, 4)
        _blade(
            b,
            end,
            unit(d + np.array([0, rnd.uniform(-0.5, 0.5), 0])),
            height * (0.17 if kind == "broad" else 0.09),
            leaf,
        )


def _blade(b: Build, at: Floats, along: Floats, size: float, leaf: int) -> None:
    """One broad leaf, bent down to its tip."""
    side = unit(np.cross(along, [0, 1, 0]))
    up = np.cross(side, along)
    s = np.linspace(0, 1, 6)[:, None]
    w = 0.36 * size * np.sin(np.pi * np.clip(s**0.8, 0, 1)) + 1e-4
    rib = at + along * size * s - np.array([0, 1, 0]) * size * 0.45 * s**2
    points = np.stack([rib - side * w + up * w * 0.25, rib, rib + side * w + up * w * 0.25], 1)
    b.surface(points, leaf, float(b.random.uniform(0.1, 0.95)))
