"""Lit spheres (matcaps; Sloan et al., The Lit Sphere, 2001): light by the direction in which a surface faces.

Drawn once for a material: diffuse light of two lamps and the surroundings, and the reflection of a small
environment of soft boxes, windows or sky. A shader then only looks up. Must not know frames.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.colours import yuv
from overpaint.engine.passes.sculpture.material import Material, ramp

Floats = NDArray[np.float32]

SIDE = 160
"""Rows and columns of a lit sphere, which fills its square."""

KEY, FILL = (-0.52, 0.62, 0.59), (0.78, 0.12, 0.4)
"""Directions to the lamps: right, up, towards the viewer."""


def sphere(material: Material) -> Floats:
    """The lit sphere of a material.

    Returns:
        float32 (``SIDE``, ``SIDE``, 4): diffuse light, a factor around 1; reflected luma, u and v, levels.
        The row is how far a surface faces down, the column how far to the right.
    """
    x, up, z = facing()
    diffuse = material.ambient * (0.72 + 0.28 * up)
    for lamp, strength in ((KEY, material.key), (FILL, material.fill)):
        across = (x * lamp[0] + up * lamp[1] + z * lamp[2]) / float(np.linalg.norm(lamp))
        wrapped = np.clip((across + material.wrap) / (1 + material.wrap), 0, None)
        diffuse = diffuse + strength * wrapped ** (1 + 0.3 * material.wrap)
    away = np.clip(1 - z, 0, 1)
    shine = _blurred(mirrored(x, up, z, material.environment), material.roughness)
    shine = np.clip(shine * _mirroring(material, away), 0, 1)
    colours = ramp(material.reflection)
    at = np.arange(256) / 255
    reflected = [np.interp(shine, at, colours[:, part]) for part in range(3)]
    luma, u, v = (float(part) for part in yuv([material.velvet_tint])[0])
    rim = material.velvet * away**1.7 * (0.75 + 0.25 * up)
    for index, part in enumerate((luma, u - 128, v - 128)):
        reflected[index] = reflected[index] + rim * part
    return np.ascontiguousarray(np.stack([diffuse, *reflected], -1), np.float32)


def _mirroring(material: Material, away: Floats) -> Floats:
    """Share of light that is reflected (Fresnel equations, after Schlick 1994)."""
    return np.asarray(material.gloss * (material.mirror + (1 - material.mirror) * away**4), np.float32)


class RoomLight:
    """The room of the frame in a lit sphere: polished metal takes on its colours.

    Args:
        material: Its ``room`` is the share of the room in reflections.
        ball: The material's own lit sphere, see ``sphere``.
        size: Rows and columns of the pictures of the room.
    """

    def __init__(self, material: Material, ball: Floats, size: tuple[int, int]) -> None:
        x, up, z = facing()
        rows, columns = size
        # What lies to the left is mirrored on the left; the rim sees the whole room.
        self._columns = np.asarray((0.5 + 0.5 * x) * (columns - 1), np.float32)
        self._rows = np.asarray((0.5 - 0.5 * up) * (rows - 1), np.float32)
        self._share = (material.room * _mirroring(material, np.clip(1 - z, 0, 1)))[..., None]
        self._ball = ball
        self._own = ball[..., 1:] * np.float32(1 - material.room)

    def ball(self, room: NDArray[np.uint8]) -> Floats:
        """The lit sphere in a room.

        Args:
            room: uint8 (3, rows, columns), luma and chroma of the room without the figure.
        """
        seen = cv2.remap(
            np.ascontiguousarray(room.transpose(1, 2, 0)), self._columns, self._rows, cv2.INTER_LINEAR
        )
        light = np.asarray(seen, np.float32) - np.array([0, 128, 128], np.float32)
        self._ball[..., 1:] = self._own + light * self._share
        return self._ball


def facing() -> tuple[Floats, Floats, Floats]:
    """Directions that the places of a lit sphere face: right, up and towards the viewer."""
    line = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE * 2 - 1
    x, y = (np.asarray(plane, np.float32) for plane in np.meshgrid(line, line))
    far = np.maximum(np.hypot(x, y), 1e-6)
    # Corners lie outside the sphere and continue its rim.
    limit = np.asarray(np.minimum(far, 0.995) / far, np.float32)
    x, y = x * limit, y * limit
    return x, -y, np.asarray(np.sqrt(np.maximum(1 - x * x - y * y, 0)), np.float32)


def mirrored(x: Floats, up: Floats, z: Floats, environment: str) -> Floats:
    """What a mirror ball shows of an environment: light by the direction of facing, about 0..1.3."""
    return ENVIRONMENTS[environment](2 * z * x, 2 * z * up, 2 * z * z - 1)


def _blurred(light: Floats, roughness: float) -> Floats:
    sigma = roughness * SIDE / 5
    return np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32) if sigma > 0.3 else light


def _step(value: Floats, edge: float, softness: float) -> Floats:
    share = np.clip((value - edge) / softness + 0.5, 0, 1)
    return np.asarray(share * share * (3 - 2 * share), np.float32)


def _box(x: Floats, y: Floats, middle: tuple[float, float], size: tuple[float, float], soft: float) -> Floats:
    """A soft box: 1 within a rectangle of two angles."""
    inside = _step(size[0] - np.abs(x - middle[0]), 0, soft) * _step(size[1] - np.abs(y - middle[1]), 0, soft)
    return np.asarray(inside, np.float32)


def _angles(x: Floats, up: Floats, z: Floats) -> tuple[Floats, Floats]:
    """Longitude (0 towards the viewer, right positive) and latitude, radians."""
    return np.arctan2(x, z), np.arcsin(np.clip(up, -1, 1))


def _studio(x: Floats, up: Floats, z: Floats) -> Floats:
    """A dark studio: a large soft box on the left, a strip on the right, one overhead, a pale floor."""
    east, north = _angles(x, up, z)
    light = 0.16 + 0.2 * _step(-up, 0.1, 0.9) + 0.1 * np.clip(up, 0, 1)
    light = light + 1.15 * _box(east, north, (-1.05, 0.42), (0.48, 0.55), 0.16)
    light = light + 0.8 * _box(east, north, (1.5, 0.2), (0.2, 0.75), 0.14)
    light = light + 0.7 * _box(x, z, (0.1, 0.25), (0.5, 0.3), 0.2) * _step(up, 0.55, 0.2)
    return np.asarray(light, np.float32)


def _gallery(x: Floats, up: Floats, z: Floats) -> Floats:
    """A tall hall: dark floor, a horizon, paler towards the ceiling, windows on both sides and behind."""
    east, north = _angles(x, up, z)
    floor = 0.1 + 0.26 * _step(-up, 0.7, 0.6)
    walls = 0.36 + 0.38 * _step(up, 0.4, 1.1)
    # The horizon lies low: faces look down a little, and must not be of the floor's dark.
    share = _step(up, -0.34, 0.24)
    light = floor + (walls - floor) * share - 0.1 * np.exp(-(((up + 0.42) / 0.08) ** 2))
    light = light + 0.55 * _box(east, north, (-1.2, 0.55), (0.3, 0.4), 0.5)
    light = light + 0.45 * _box(east, north, (1.3, 0.42), (0.2, 0.5), 0.4)
    light = light + 0.45 * _box(east, north, (0.15, 1.0), (0.9, 0.18), 0.2)
    behind = _step(-z, 0.45, 0.5) * _step(np.abs(x), 0.35, 0.3)
    return np.asarray(light + 0.45 * behind * _step(up, -0.5, 0.6), np.float32)


def _sky(x: Floats, up: Floats, z: Floats) -> Floats:
    """Open sky with a sun on the left, over darker ground."""
    sky = 0.5 + 0.4 * _step(up, 0.1, 0.5)
    light = np.where(up > 0, sky, 0.3 + 0.2 * _step(-up, 0.4, 1.0)).astype(np.float32)
    light = np.asarray(light * (1 - 0.45 * np.exp(-((up / 0.09) ** 2))), np.float32)
    sun = np.clip(x * KEY[0] + up * KEY[1] + z * KEY[2], 0, 1) ** 60
    return np.asarray(light + 1.1 * sun, np.float32)


def _lamp(x: Floats, up: Floats, z: Floats) -> Floats:
    """One window on the left and one small lamp on the right in a dim room."""
    east, north = _angles(x, up, z)
    window = _box(east, north, (-0.8, 0.55), (0.3, 0.34), 0.08)
    bars = 1 - 0.8 * np.maximum(
        np.exp(-(((east + 0.8) / 0.03) ** 2)), np.exp(-(((north - 0.55) / 0.03) ** 2))
    )
    lamp = _box(east, north, (1.2, 0.3), (0.16, 0.2), 0.14)
    return np.asarray(0.06 + 0.1 * np.clip(up, 0, 1) + 1.25 * window * bars + 0.6 * lamp, np.float32)


ENVIRONMENTS: Mapping[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "gallery": _gallery,
    "lamp": _lamp,
    "sky": _sky,
    "studio": _studio,
}
"""Light by the direction from which it comes, by name."""
