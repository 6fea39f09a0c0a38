"""A shot: a scene's triangles before a camera, in their light, rendered and developed as a picture.

Developing: depth of field from distance, glare, exposure, a filmic curve, grading. Must not know which scenes
there are.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from bvh import build
from heavens import Sky, fill_map, fill_view
from mesh import Build, Vector, unit
from numpy.typing import NDArray
from surfaces import TEXTURES
from tracer import denoised, trace_rows

Floats = NDArray[np.float32]
SIZE = (1920, 1080)


@dataclass(frozen=True)
class Camera:
    """A camera. ``tall``: vertical field of view, degrees; ``lens``: radius of its aperture, metres."""

    eye: Vector = (0, 1.25, 0)
    at: Vector = (0, 1.2, 4)
    tall: float = 38.0
    lens: float = 0.0
    focus: float = 1.2
    lift: float = 0.0

    def row(self) -> Floats:
        """The camera as numbers, for the kernels."""
        eye, at = np.asarray(self.eye, np.float32), np.asarray(self.at, np.float32)
        ahead = unit(at - eye)
        right = unit(np.cross(np.array([0, 1, 0], np.float32), ahead))
        up = np.cross(ahead, right)
        half = math.tan(math.radians(self.tall) / 2)
        return np.array(
            [*eye, *right, *up, *ahead, half, 16 / 9, self.lens, self.focus, self.lift], np.float32
        )


@dataclass(frozen=True)
class Sun:
    """The sun: its light on a surface that faces it, divided by pi, and its radius, degrees."""

    light: Vector = (0, 0, 0)
    radius: float = 0.0


@dataclass(frozen=True)
class Air:
    """Air: density a metre, scale height (0 if even), ground, colour, and its glow towards the sun."""

    density: float = 0.0
    fall: float = 0.0
    ground: float = 0.0
    tight: float = 6.0
    colour: Vector = (0.6, 0.7, 0.85)
    toward: Vector = (0, 0, 0)


@dataclass
class Taken:
    """What was rendered: radiance (H, W, 3), coverage (H, W), 1 / (1 + distance) (H, W)."""

    light: Floats
    cover: Floats
    near: Floats


@dataclass
class Shot:
    """All that a picture is made from."""

    build: Build | None
    camera: Camera = field(default_factory=Camera)
    sky: Sky = field(default_factory=Sky)
    sun: Sun = field(default_factory=Sun)
    air: Air = field(default_factory=Air)
    rows: int = 432
    samples: int = 16
    bounces: int = 4
    smooth: float = 3.0
    passes: int = 4
    clamp: float = 4.0
    sky_samples: int = 2

    def take(self, quality: float = 1.0) -> Taken:
        """Renders; a quality below 1 is a quick draft."""
        rows = max(90, round(self.rows * min(1.0, quality * 2 if quality < 1 else 1)) // 2 * 2)
        columns = rows * 16 // 9 // 2 * 2
        samples = max(4, round(self.samples * quality))
        camera, heavens = self.camera.row(), self.sky.row()
        dome = np.zeros((128, 256, 3), np.float32)
        fill_map(heavens, dome)
        behind = np.zeros((rows, columns, 3), np.float32)
        fill_view(heavens, camera, behind, self.sky_samples if quality >= 1 else 1)
        if self.build is None:
            return Taken(behind, np.zeros((rows, columns), np.float32), np.zeros((rows, columns), np.float32))
        points, normals, of, tint, mats = self.build.arrays()
        bounds, links, order = build(points.min(1), points.max(1), points.mean(1))
        points, normals, of, tint = points[order], normals[order], of[order], tint[order]
        tris = np.concatenate([points[:, 0], points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]], 1)
        clear = ((mats[of, 16] > 0) | (mats[of, 0] == TEXTURES["view"])).astype(np.uint8)
        lights, power = _lights(points, of, mats)
        sun = np.array([*heavens[9:12], *self.sun.light, math.radians(self.sun.radius)], np.float32)
        a = self.air
        air = np.array([a.density, a.fall, a.ground, a.tight, *a.colour, *a.toward], np.float32)
        out = np.zeros((rows, columns, 4), np.float32)
        aux = np.zeros((rows, columns, 8), np.float32)
        built = time.process_time()
        trace_rows(
            0, rows, out, aux, camera, samples, self.bounces, bounds, links,
            np.ascontiguousarray(tris, np.float32),
            normals.reshape(-1, 9), of, tint, clear, mats, lights, power, sun, dome, air, 1, self.clamp,
        )  # fmt: skip
        traced = time.process_time()
        light = denoised(out, aux, samples, self.smooth, self.passes)
        print(
            f"    {len(tris)} triangles, {len(lights)} lights: traced in {traced - built:.1f} s",
            flush=True,
        )
        cover = out[..., 3]
        return Taken(light + behind * (1 - cover[..., None]), cover, aux[..., 6])


def _lights(points: Floats, of: Floats, mats: Floats) -> tuple[Floats, Floats]:
    """The triangles that shine (``tracer``), and the cumulative chance of each to be chosen."""
    which = np.flatnonzero((mats[of, 11:14].sum(1) > 0) & (mats[of, 0] != 7))
    if not len(which):
        return np.zeros((0, 16), np.float32), np.zeros(0, np.float32)
    p = points[which]
    e1, e2 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
    cross = np.cross(e1, e2)
    area = np.linalg.norm(cross, axis=1) / 2
    glow = mats[of[which], 11:14]
    share = area * glow.sum(1) + 1e-12
    share = 0.9 * share / share.sum() + 0.1 / len(share)
    lights = np.concatenate([p[:, 0], e1, e2, unit(cross), glow, (area / share)[:, None]], 1)
    return lights.astype(np.float32), np.cumsum(share).astype(np.float32)


@dataclass(frozen=True)
class Develop:
    """How a picture is developed. ``blur``: radius of the lens's disc, pixels at 1080 rows."""

    exposure: float = 1.0
    contrast: float = 1.35
    saturation: float = 1.12
    glare: float = 0.08
    blur: float = 5.0
    warm: float = 0.0
    vignette: float = 0.12
    lift: float = 0.0
    tint: Vector = (1.0, 1.0, 1.0)


def filmic(v: Floats) -> Floats:
    """A filmic curve with a long shoulder (after Hable, Uncharted 2, 2010), then sRGB's gamma."""

    def curve(x: Floats) -> Floats:
        return (x * (0.22 * x + 0.03) + 0.002) / (x * (0.22 * x + 0.3) + 0.06) - 0.002 / 0.06

    shown = np.clip(curve(np.maximum(v, 0) * 1.9) / curve(np.float32(11.2)), 0, 1)
    return np.where(shown <= 0.0031308, shown * 12.92, 1.055 * shown ** (1 / 2.4) - 0.055)


def disc(radius: float) -> Floats:
    """A lens's circle of confusion as a kernel that sums to 1."""
    r = math.ceil(radius)
    y, x = np.mgrid[-r : r + 1, -r : r + 1]
    k = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return (k / k.sum()).astype(np.float32)


def defocused(light: Floats, radius: float) -> Floats:
    """Out of focus by a disc of a radius in pixels: highlights become discs, as a lens draws them."""
    return (
        light
        if radius < 0.6
        else np.asarray(cv2.filter2D(light, -1, disc(radius), borderType=cv2.BORDER_REFLECT))
    )


def developed(light: Floats, how: Develop, size: tuple[int, int] = SIZE) -> NDArray[np.uint8]:
    """Radiance as a picture, BGR uint8."""
    rows = light.shape[0]
    v = (
        light
        * how.exposure
        * np.array([1 + how.warm, 1, 1 - how.warm], np.float32)
        * np.asarray(how.tint, np.float32)
    )
    v = defocused(np.minimum(v, 60), how.blur * rows / 1080)
    if how.glare:
        over = np.minimum(v, 12)
        small = cv2.resize(over, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        glow = sum(cv2.GaussianBlur(small, (0, 0), s * rows / 1080) for s in (2.5, 8, 24)) / 3
        v = v + (cv2.resize(glow, (v.shape[1], rows)) - over) * how.glare
    if how.vignette:
        y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : v.shape[1] * 1j].astype(np.float32)
        v = v * (1 - how.vignette * np.clip(0.6 * x**2 + 0.5 * y**2, 0, 1) ** 1.3)[..., None]
    s = filmic(v.astype(np.float32))
    s = np.asarray(cv2.resize(s, size, interpolation=cv2.INTER_CUBIC), np.float32)
    s = np.clip(s, 0, 1)
    s = s + (s * s * (3 - 2 * s) - s) * (how.contrast - 1)
    grey = (s @ np.array([0.299, 0.587, 0.114], np.float32))[..., None]
    s = np.clip(grey + (s - grey) * how.saturation, 0, 1)
    s = how.lift + s * (1 - how.lift)
    s += np.random.default_rng(1).uniform(-0.5, 0.5, (*s.shape[:2], 1)).astype(np.float32) / 255 * 1.5
    return np.clip(s[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)


@dataclass
class Scene:
    """A scene as it is made: the shot, how it is developed, its maps, and what is added to its light.

    Attributes:
        maps: By name, what makes a map (H, W), 0..1, of what was rendered and of the developed light.
        after: Changes the light before it is developed: beams, lamps out of focus.
    """

    shot: Shot
    develop: Develop = field(default_factory=Develop)
    maps: dict[str, Callable[[Taken, Floats], Floats]] = field(default_factory=dict)
    after: Callable[[Taken], Floats] | None = None
