"""Meshes: triangles with normals, materials and a tint each, and the solids that scenes are built of.

Lengths in metres, y is up, the camera looks along +z. Must not know rays.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from surfaces import material_row

Floats = NDArray[np.float32]
Vector = Sequence[float]


def unit(v: Floats) -> Floats:
    """Vectors of length 1."""
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12), np.float32)


class Build:
    """A scene's triangles, as they are put together."""

    def __init__(self, seed: int = 1) -> None:
        self.random = np.random.default_rng(seed)
        self.materials: list[Floats] = []
        self._points: list[Floats] = []
        self._normals: list[Floats] = []
        self._of: list[Floats] = []
        self._tint: list[Floats] = []

    def material(self, colour: Vector = (0.6, 0.6, 0.6), **values: object) -> int:
        """A new material; its number."""
        self.materials.append(material_row(colour=tuple(colour), **values))
        return len(self.materials) - 1

    def glow(self, colour: Vector, strength: float) -> int:
        """A light: a material that shines."""
        return self.material((0, 0, 0), glow=tuple(c * strength for c in colour))

    def triangles(
        self, points: Floats, material: int, tint: Floats | float = 0.5, normals: Floats | None = None
    ) -> None:
        """Adds triangles, float (N, 3, 3); flat unless normals, alike, are given."""
        points = np.asarray(points, np.float32).reshape(-1, 3, 3)
        if normals is None:
            flat = unit(np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]))
            normals = np.repeat(flat[:, None], 3, 1)
        self._points.append(points)
        self._normals.append(np.asarray(normals, np.float32).reshape(-1, 3, 3))
        self._of.append(np.full(len(points), material, np.int32))
        self._tint.append(np.broadcast_to(np.asarray(tint, np.float32), (len(points),)).copy())

    def surface(
        self, points: Floats, material: int, tint: float = 0.5, smooth: bool = True, closed: bool = False
    ) -> None:
        """Adds a grid of points, float (R, C, 3); ``closed`` joins its last column to the first."""
        points = np.asarray(points, np.float32)
        if closed:
            points = np.concatenate([points, points[:, :1]], 1)
        a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
        tris = np.stack([np.stack([a, b, c], 2), np.stack([a, c, d], 2)], 2).reshape(-1, 3, 3)
        normals = None
        if smooth:
            rows = np.gradient(points, axis=0)
            padded = np.concatenate([points[:, -2:-1], points, points[:, 1:2]], 1) if closed else None
            columns = np.gradient(points, axis=1) if padded is None else (padded[:, 2:] - padded[:, :-2]) / 2
            n = np.cross(columns, rows)
            n = unit(n + 1e-9)
            a, b, c, d = n[:-1, :-1], n[:-1, 1:], n[1:, 1:], n[1:, :-1]
            normals = np.stack([np.stack([a, b, c], 2), np.stack([a, c, d], 2)], 2).reshape(-1, 3, 3)
        self.triangles(tris, material, tint, normals)

    def quad(self, corner: Vector, side: Vector, up: Vector, material: int, tint: float = 0.5) -> None:
        """A parallelogram."""
        p, u, v = (np.asarray(a, np.float32) for a in (corner, side, up))
        self.triangles(np.stack([[p, p + u, p + u + v], [p, p + u + v, p + v]]), material, tint)

    def box(
        self,
        centre: Vector,
        size: Vector,
        material: int,
        turn: float = 0.0,
        tint: float = 0.5,
        bevel: float = 0.0,
        tilt: float = 0.0,
    ) -> None:
        """A box by its centre and sizes, turned about y and tilted about z, degrees; it may have a bevel."""
        h = np.asarray(size, np.float32) / 2
        corners = []
        if bevel > 0:
            k = np.minimum(bevel, h * 0.49)
            loops = []
            for level in (-1, 1):
                inner = [
                    (sx * (h[0] - k[0]), level * h[1], sz * (h[2] - k[2])) for sx, sz in _around(h, k, True)
                ]
                outer = [(x, level * (h[1] - k[1]), z) for x, z in _around(h, k, False)]
                loops += [inner, outer] if level < 0 else [outer, inner]
            rings = np.array(loops, np.float32)
            tris = []
            for low, high in itertools.pairwise(rings):
                for i in range(8):
                    j = (i + 1) % 8
                    tris += [[low[i], low[j], high[j]], [low[i], high[j], high[i]]]
            for ring in (rings[0], rings[-1]):
                tris += [[ring[0], ring[i], ring[i + 1]] for i in range(1, 7)]
            corners = np.array(tris, np.float32)
        else:
            tris = []
            for axis in range(3):
                o, q = (axis + 1) % 3, (axis + 2) % 3
                for sign in (-1, 1):
                    p = np.zeros((4, 3), np.float32)
                    p[:, axis] = sign * h[axis]
                    p[:, o] = np.array([-1, 1, 1, -1]) * h[o]
                    p[:, q] = np.array([-1, -1, 1, 1]) * h[q]
                    tris += [p[[0, 1, 2]], p[[0, 2, 3]]]
            corners = np.array(tris, np.float32)
        self.triangles(_turned(corners, turn, tilt) + np.asarray(centre, np.float32), material, tint)

    def lathe(
        self,
        centre: Vector,
        profile: Sequence[tuple[float, float]],
        material: int,
        sides: int = 24,
        tint: float = 0.5,
    ) -> None:
        """A solid of revolution about y: (radius, height) from below to above."""
        angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
        r, y = (np.array(v, np.float32)[:, None] for v in zip(*profile, strict=True))
        points = np.stack([r * np.cos(angle), y + 0 * angle, r * np.sin(angle)], -1)
        self.surface(points + np.asarray(centre, np.float32), material, tint, closed=True)

    def cylinder(
        self, base: Vector, radius: float, height: float, material: int, sides: int = 16, tint: float = 0.5
    ) -> None:
        """An upright cylinder with its lid."""
        self.lathe(
            base,
            [(0, 0), (radius, 0), (radius, 0.001), (radius, height - 0.001), (radius, height), (0, height)],
            material,
            sides,
            tint,
        )

    def sphere(
        self, centre: Vector, radius: float | Vector, material: int, sides: int = 20, tint: float = 0.5
    ) -> None:
        """A sphere or an ellipsoid."""
        a = np.linspace(-np.pi / 2, np.pi / 2, sides // 2 + 1)[:, None]
        b = np.linspace(0, 2 * np.pi, sides, endpoint=False)[None]
        points = np.stack([np.cos(a) * np.cos(b), np.sin(a) + 0 * b, np.cos(a) * np.sin(b)], -1)
        self.surface(
            points * np.asarray(radius, np.float32) + np.asarray(centre, np.float32),
            material,
            tint,
            closed=True,
        )

    def tube(
        self, path: Floats, radius: Floats | float, material: int, sides: int = 6, tint: float = 0.5
    ) -> None:
        """A tube along points, float (N, 3)."""
        path = np.asarray(path, np.float32)
        along = unit(np.gradient(path, axis=0))
        side = unit(np.cross(along, np.array([0.31, 0.2, 0.93], np.float32)))
        other = np.cross(along, side)
        r = np.broadcast_to(np.asarray(radius, np.float32), (len(path),))[:, None, None]
        b = np.linspace(0, 2 * np.pi, sides, endpoint=False)[None, :, None]
        self.surface(
            path[:, None] + r * (np.cos(b) * side[:, None] + np.sin(b) * other[:, None]),
            material,
            tint,
            closed=True,
        )

    def field(
        self,
        x: tuple[float, float],
        z: tuple[float, float],
        shape: tuple[int, int],
        height: Callable[[Floats, Floats], Floats],
        material: int,
        narrow: float = 1.0,
    ) -> None:
        """Terrain over a trapezium: rows from near to far ever wider apart.

        Args:
            x: Left and right at the far end. z: Near and far. shape: Rows and columns.
            height: Gives heights at places. material: Its material.
            narrow: Width at the near end, as a share of the far end's.
        """
        t = np.linspace(0, 1, shape[0])[:, None]
        zz = z[0] * (z[1] / z[0]) ** t if z[0] > 0 else z[0] + (z[1] - z[0]) * t**2
        wide = narrow + (1 - narrow) * (zz - z[0]) / (z[1] - z[0])
        s = np.linspace(0, 1, shape[1])[None]
        xx = (x[0] + (x[1] - x[0]) * s) * wide
        zz = zz + 0 * s
        yy = height(xx.astype(np.float32), zz.astype(np.float32))
        self.surface(np.stack([xx, yy, zz], -1), material)

    def leaves(
        self,
        at: Floats,
        size: Floats | float,
        material: int,
        long: float = 1.6,
        facing: Floats | None = None,
        tint: Floats | None = None,
        up: float = 0.3,
        along: Floats | None = None,
    ) -> None:
        """Leaves: a kite of two triangles at each point, at random angles, or nearly along a direction;
        normals lean to ``facing``."""
        n = len(at)
        axis = self.random.standard_normal((n, 3)) + np.array([0, up, 0])
        axis = unit(axis if along is None else along + 0.3 * axis)
        side = unit(np.cross(axis, self.random.standard_normal((n, 3))))
        s = np.broadcast_to(np.asarray(size, np.float32), (n,))[:, None] * self.random.uniform(
            0.7, 1.3, (n, 1)
        )
        tip, left, right = axis * s * long / 2, side * s * 0.5, -side * s * 0.5
        points = np.stack(
            [np.stack([at - tip, at + left, at + tip], 1), np.stack([at - tip, at + tip, at + right], 1)], 1
        )
        tint = self.random.uniform(0, 1, n) if tint is None else tint
        normals = None
        if facing is not None:
            flat = unit(np.cross(tip, left))
            flat *= np.where((flat * facing).sum(-1, keepdims=True) < 0, -1, 1)
            normals = np.broadcast_to(unit(flat + 0.9 * facing)[:, None, None], (n, 2, 3, 3))
        self.triangles(
            points.reshape(-1, 3, 3),
            material,
            np.repeat(tint, 2),
            None if normals is None else normals.reshape(-1, 3, 3),
        )

    def arrays(self) -> tuple[Floats, ...]:
        """Points (N, 3, 3), normals (N, 3, 3), material numbers (N), tints (N), materials (M, K)."""
        return (
            np.concatenate(self._points),
            np.concatenate(self._normals),
            np.concatenate(self._of),
            np.concatenate(self._tint),
            np.stack(self.materials),
        )


def _around(h: Floats, k: Floats, corner: bool) -> list[tuple[float, float]]:
    """Eight points round a bevelled box; of its lid as signs."""
    if corner:
        return [(-1, -1), (-1, -1), (1, -1), (1, -1), (1, 1), (1, 1), (-1, 1), (-1, 1)]
    x, z, a, b = h[0], h[2], k[0], k[2]
    return [
        (-x, -z + b),
        (-x + a, -z),
        (x - a, -z),
        (x, -z + b),
        (x, z - b),
        (x - a, z),
        (-x + a, z),
        (-x, z - b),
    ]


def _turned(points: Floats, turn: float, tilt: float = 0.0) -> Floats:
    """Points turned about y and before about z, degrees."""
    if tilt:
        c, s = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
        points = points @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]], np.float32)
    if turn:
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        points = points @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]], np.float32)
    return points
