"""Portrait relighting: the person in the light of a scene.

Form is guessed from outlines: mask and face are inflated like cushions (Johnston 2002, "Lumo"), and a wrapped
Lambert term of their normals is the key light. The light that the room itself throws from one side is
measured on the face, as luma along the same normals, and taken back first. Light from behind draws a rim.
All of it is smooth, so it is found on a small copy; the full picture costs one pass over the person's
pixels. Must not know scenes' pictures, nor how the person is put before them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.place.subject import span
from overpaint.engine.people.face import Face
from overpaint.engine.people.person_mask import Person
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.scene_light import Colour, SceneLight

Floats = NDArray[np.float32]

FACE_LEAST, FACE_MOST = 92.0, 196.0
"""Mean luma of a face between which it stays in any scene, unless the camera's own is outside already."""

ADAPTED = 0.55
"""Share of the way from the face's own luma to that of the scene's middle tones and lights."""

COLOUR = 0.75
"""Share of the light's colour that reaches the picture: eyes and cameras adapt to the rest."""

COLOUR_MOST, COOL = 0.17, 0.55
"""Greatest tint of the person, as chroma per luma, and the share of a blue or green one that is left: under a
violet lamp, skin is still told from cloth, and under a blue sky nobody looks dead."""

HAZE, HAZE_MOST = 0.35, 20.0
"""Share of the scene's black level, above that of the person, that lifts theirs, and the most, levels."""

SOFT = 0.35
"""Wrap of the Lambert term: 0 a point of light, 1 an overcast sky."""

FRONT = 0.65
"""How far the key light stands before the person, relative to its distance to the side."""

MODELLED = 0.7
"""Exponent of the light's unevenness: a camera's own tone curve softens it, and a call is no portrait."""

REMOVED, OWN_MOST = 0.6, 0.5
"""Share of the room's own light from one side that is taken back, and the most that is measured: the change
of log luma from a surface that looks ahead to one that looks sideways."""

RIM = 0.45
"""Share of white that a full light from behind adds to a white edge."""

FOLLOW = 0.15
"""Weight of a new measurement of the person, each time that the light is drawn: settled in half a second."""

EVERY, FACE_EVERY = 2, 4
"""Frames from one drawing of the light to the next, and from one search for the face: light is softer than
any movement in that time."""

FACE_FOLLOW = 0.35
"""Weight of a newly found face in where it is, each time that the light is drawn."""

FIRST_LOOKS = 4
"""Searches of the first frame, after which a face has faded in."""

KNEE, BEND = 170.0, 0.0022
"""Luma above which the person's highlights are compressed rather than clipped, and the curvature there."""


@kernel
def _between(maps: Any, row: int, height: int, left: int, lines: Any) -> None:
    """Sets ``lines`` to a part of one row of each map, as if the maps had ``height`` rows."""
    rows = maps.shape[1]
    at = (f32(row) + f32(0.5)) * f32(rows) / f32(height) - f32(0.5)
    at = min(max(at, f32(0)), f32(rows - 1))
    above = min(int(at), rows - 1)
    below = min(above + 1, rows - 1)
    t = at - f32(above)
    right = left + lines.shape[1]
    for index in range(maps.shape[0]):
        upper, lower, line = maps[index, above, left:right], maps[index, below, left:right], lines[index]
        for x in range(line.shape[0]):
            line[x] = upper[x] + (lower[x] - upper[x]) * t


@kernel
def _light(first: int, end: int, y: Any, alpha: Any, gains: Any, rims: Any, black: Any, out: Any) -> None:
    """Lights the person's luma; all other pixels keep what they held.

    Args:
        first: First row of luma.
        end: Row after the last one.
        y: uint8, luma.
        alpha: uint8, the person mask at half size.
        gains: float32 (1, any, columns of ``y``), gain.
        rims: float32 (1, any, columns of ``y``), luma that the rim adds to white, 1 for white.
        black: Black level.
        out: uint8, luma.
    """
    height, width = y.shape
    lines = np.empty((2, width), np.float32)
    for row in range(first, end):
        left, right = span(alpha[row >> 1])
        left, right = 2 * left, 2 * right
        if left == right:
            continue
        _between(gains, row, height, left, lines[:1, : right - left])
        _between(rims, row, height, left, lines[1:, : right - left])
        gain, rim = lines[0], lines[1]
        lumas, result = y[row, left:right], out[row, left:right]
        for x in range(lumas.shape[0]):
            luma = f32(lumas[x])
            # Dark hair catches as much of the rim as a grey coat does.
            value = black + luma * gain[x] + rim[x] * (f32(64) + luma * f32(0.75))
            over = min(max(value - f32(KNEE), f32(0)), f32(0.5 / BEND))
            value -= over * over * f32(BEND) - f32(0.5)
            result[x] = np.uint8(min(max(value, f32(0)), f32(255)))


@kernel
def _tint(
    first: int, end: int, low: Any, u: Any, v: Any, alpha: Any, lights: Any, rim_u: Any, rim_v: Any,
    out_u: Any, out_v: Any,
) -> None:  # fmt: skip
    """Lights the person's chroma.

    Args:
        first: First row of chroma.
        end: Row after the last one.
        low: uint8, lit luma at half size, as all planes here are.
        u: uint8, chroma.
        v: uint8, chroma.
        alpha: uint8, the person mask.
        lights: float32 (4, any, columns of ``u``), gain, rim, and tints of u and v per luma.
        rim_u: Tint of the rim per luma.
        rim_v: The same of v.
        out_u: uint8, chroma.
        out_v: uint8, chroma.
    """
    height, width = u.shape
    lines = np.empty((4, width), np.float32)
    for row in range(first, end):
        left, right = span(alpha[row])
        if left == right:
            continue
        _between(lights, row, height, left, lines[:, : right - left])
        gain, rim, tint_u, tint_v = lines[0], lines[1], lines[2], lines[3]
        lows, us, vs = low[row, left:right], u[row, left:right], v[row, left:right]
        result_u, result_v = out_u[row, left:right], out_v[row, left:right]
        for x in range(lows.shape[0]):
            # Brightened colours grow less than luma, as those of film do.
            share = min(gain[x], f32(0.3) + gain[x] * f32(0.7))
            lit, edge = f32(lows[x]), rim[x] * f32(160)
            new_u = (f32(us[x]) - f32(128)) * share + lit * tint_u[x] + edge * rim_u
            new_v = (f32(vs[x]) - f32(128)) * share + lit * tint_v[x] + edge * rim_v
            result_u[x] = np.uint8(min(max(new_u + f32(128.5), f32(16)), f32(240)))
            result_v[x] = np.uint8(min(max(new_v + f32(128.5), f32(16)), f32(240)))


@dataclass(frozen=True, slots=True)
class Tones:
    """The tones of a scene's picture.

    Attributes:
        black: Luma of its darkest places, levels.
        middle: Mean luma.
        light: Luma of its bright places.
    """

    black: float
    middle: float
    light: float


def tones_of(luma: Plane) -> Tones:
    """Measures the tones of a scene.

    Args:
        luma: uint8, full range, of any size.
    """
    small = cv2.resize(luma, (96, 54), interpolation=cv2.INTER_AREA)
    black, light = np.percentile(small, (2, 90))
    return Tones(float(black), float(small.mean()), float(light))


def luma_of(colour: Colour) -> float:
    """Luma of an RGB colour."""
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue


def chroma_of(colour: Colour) -> tuple[float, float]:
    """Chroma (u, v) of a colour per its luma, both 0 in the middle."""
    luma = max(luma_of(colour), 1e-3)
    return (colour[2] / luma - 1) * 0.4955, (colour[0] / luma - 1) * 0.6262


class PersonLight:
    """The relighting of the person on one canvas.

    Args:
        canvas: The canvas.
        person: Its person mask.
        bands: Thread pool for kernels.
        light: The scene's light.
        tones: The scene's tones.

    Attributes:
        y: uint8 (height, width), the person's luma in the scene's light after ``apply``. Arbitrary where no
            person is, as ``u`` and ``v``.
        u: uint8 (height / 2, width / 2), their chroma.
        v: uint8 (height / 2, width / 2), as ``u``.
    """

    def __init__(self, canvas: Canvas, person: Person, bands: Bands, light: SceneLight, tones: Tones) -> None:
        self._person, self._bands, self._scene, self._tones = person, bands, light, tones
        rows, columns = person.small_alpha.shape
        self._coarse = (columns // 4, rows // 4)
        self._face = Face((rows, columns))
        self._black = f32(min(HAZE_MOST, HAZE * max(0.0, tones.black - 14)))
        self._drawn: tuple[Floats, ...] = ()
        self._age = 0
        self._where: Floats | None = None
        self._measured: Floats | None = None
        # A rim is narrow, all other light is wide.
        self._gains: Floats = np.zeros((1, rows // 4, canvas.width), np.float32)
        self._lights: Floats = np.zeros((4, rows // 4, canvas.half[1]), np.float32)
        self._rims: Floats = np.zeros((1, rows // 2, canvas.width), np.float32)
        self._low = np.full(canvas.half, 128, np.uint8)
        self.y: Plane = np.zeros((canvas.height, canvas.width), np.uint8)
        self.u, self.v = np.full_like(self._low, 128), np.full_like(self._low, 128)

    def apply(self, canvas: Canvas, with_small: bool = True) -> None:
        """Sets ``y``, ``u`` and ``v``; on demand the person's small picture is lit, too."""
        if self._age % EVERY == 0:
            self._draw()
        self._age += 1
        black = self._black
        alpha, run = self._person.alpha, self._bands.run
        run(_light, canvas.height, canvas.source, alpha, self._gains, self._rims, black, self.y)
        cv2.resize(self.y, self._low.shape[::-1], dst=self._low, interpolation=cv2.INTER_AREA)
        rim = map(f32, chroma_of(self._scene.key))
        run(_tint, len(self.u), self._low, canvas.u, canvas.v, alpha, self._lights, *rim, self.u, self.v)
        if with_small:
            self._light_small(black)

    def _light_small(self, black: np.float32) -> None:
        """Lights the person's small picture, with the room in it, of which soft edges hold some."""
        small = self._person.small
        size = small.shape[:0:-1]
        gain, rim, tint_u, tint_v = (
            cv2.resize(plane, size, interpolation=cv2.INTER_LINEAR) for plane in self._drawn
        )
        luma = small[0].astype(np.float32)
        lit: Any = black + luma * gain + rim * (f32(64) + luma * f32(0.75))
        over = np.clip(lit - f32(KNEE), 0, f32(0.5 / BEND))
        lit -= over * over * f32(BEND)
        small[0] = np.clip(lit + f32(0.5), 0, 255)
        share = np.minimum(gain, f32(0.3) + gain * f32(0.7))
        rims = chroma_of(self._scene.key)
        for plane, tint, glare in zip(small[1:], (tint_u, tint_v), rims, strict=True):
            chroma = (plane.astype(np.float32) - f32(128)) * share + lit * tint + rim * f32(160 * glare)
            plane[:] = np.clip(chroma + f32(128.5), 16, 240)

    def _draw(self) -> None:
        """Draws the maps of the light."""
        person, scene = self._person, self._scene
        alpha, luma = (
            cv2.resize(plane, self._coarse, interpolation=cv2.INTER_AREA).astype(np.float32)
            for plane in (person.small_alpha, person.small[0])
        )
        alpha *= f32(1 / 255)
        face = self._find_face()
        across, up, ahead = normals(alpha, face)
        level, found, own = self._measure(alpha, face, luma, across)
        # float32 (3, 1, 1), so that all maps are.
        key = np.array(scene.key, np.float32)[:, None, None] * f32(1 - 0.8 * scene.backlit)
        ambient = np.array(scene.ambient, np.float32)[:, None, None]
        light = ambient * (f32(0.85) + f32(0.15) * up) + key * _lambert(scene, across, up, ahead)
        strength = light[0] * f32(0.299) + light[1] * f32(0.587) + light[2] * f32(0.114)
        weight = alpha + (face - alpha) * f32(found)
        mean = max(float((strength * weight).sum() / max(float(weight.sum()), 1e-3)), 1e-3)
        gain = (strength / f32(mean)) ** f32(MODELLED) * np.exp(f32(-REMOVED * own) * across)
        gain *= f32(self._exposure(level))
        tint_u = np.clip((light[2] / strength - 1) * f32(0.4955 * COLOUR), -COLOUR_MOST, COLOUR_MOST)
        tint_v = np.clip((light[0] / strength - 1) * f32(0.6262 * COLOUR), -COLOUR_MOST, COLOUR_MOST)
        tints = np.minimum(tint_u, tint_u * f32(COOL)), np.maximum(tint_v, tint_v * f32(COOL))
        rim = self._rim(across, up) if scene.backlit > 0 else np.zeros((1, 1), np.float32)
        self._drawn = gain, rim, *tints
        gains, rims, lights = self._gains[0], self._rims[0], self._lights
        maps = [(gain, gains), (gain, lights[0]), (tints[0], lights[2]), (tints[1], lights[3])]
        if scene.backlit > 0:
            maps += [(rim, rims), (rim, lights[1])]
        for plane, wide in maps:
            cv2.resize(plane, wide.shape[::-1], dst=wide, interpolation=cv2.INTER_LINEAR)

    def _find_face(self) -> Floats:
        """Where the face is, 0..1, on the coarse copy; it follows the face softly."""
        first = self._where is None
        if self._age % FACE_EVERY == 0:
            for _ in range(FIRST_LOOKS if first else 1):
                self._face.find(self._person)
        found = cv2.resize(self._face.alpha, self._coarse, interpolation=cv2.INTER_AREA).astype(np.float32)
        found *= f32(1 / 255)
        if self._where is None:
            self._where = found
        self._where += (found - self._where) * f32(FACE_FOLLOW)
        return self._where

    def _measure(
        self, alpha: Floats, face: Floats, luma: Floats, across: Floats
    ) -> tuple[float, float, float]:
        """Mean luma of the face (of the person without one), whether there is one, and the room's side light.

        All are averaged over time, so that the light is as steady as the scene's.
        """
        found = float(face.sum()) > 0.002 * face.size
        weight = face if found else alpha
        total = max(float(weight.sum()), 1e-3)
        mean = float((luma * weight).sum() / total)
        slope = 0.0
        if found:
            tone = np.log(luma + 12)
            x, y = across - float((across * face).sum() / total), tone - float((tone * face).sum() / total)
            slope = float((face * x * y).sum() / max(float((face * x * x).sum()), 0.01 * total))
        new = np.array([mean, float(found), np.clip(slope, -OWN_MOST, OWN_MOST)], np.float32)
        if self._measured is None:
            self._measured = new
        self._measured += (new - self._measured) * FOLLOW
        level, sure, own = map(float, self._measured)
        return level, sure, own

    def _exposure(self, own: float) -> float:
        """The gain of the face's mean luma, above the black level."""
        own = max(own, 1.0)
        scene = 0.55 * self._tones.middle + 0.45 * self._tones.light
        wanted = own + (scene * (1 - 0.15 * self._scene.backlit) - own) * ADAPTED
        return (float(np.clip(wanted, min(FACE_LEAST, own), max(FACE_MOST, own))) - float(self._black)) / own

    def _rim(self, across: Floats, up: Floats) -> Floats:
        """The rim, 1 for as much as white adds to black, at the size of the small picture."""
        scene = self._scene
        alpha = self._person.small_alpha
        deep = cv2.blur(cv2.blur(alpha.astype(np.float32) * (1 / 255), (3, 3)), (3, 3))
        band = np.clip(2 - 2 * deep, 0, 1)
        toward = scene.side * across + max(scene.elevation, 0.25) * up
        size = alpha.shape[::-1]
        lit = cv2.resize(np.asarray(np.clip(0.3 + toward, 0, 1), np.float32), size)
        return np.asarray(band * band * lit * (RIM * scene.backlit * luma_of(scene.key)), np.float32)


def normals(alpha: Floats, face: Floats) -> tuple[Floats, Floats, Floats]:
    """Normals of an inflated person.

    Args:
        alpha: float32 (rows, columns), the person mask, 0..1.
        face: The same of the face.

    Returns:
        Components to the right, up and towards the viewer, float32 (rows, columns) each.
    """
    across: Any = np.zeros_like(alpha)
    up: Any = np.zeros_like(alpha)
    edge = cv2.BORDER_REPLICATE  # the picture's edge is no edge of the person
    for mask, reach, weight in ((alpha, alpha.shape[1] // 10, 1.0), (face, alpha.shape[1] // 20, 0.7)):
        side = (2 * reach + 1,) * 2
        height = cv2.blur(cv2.blur(mask, side, borderType=edge), side, borderType=edge)
        steep = weight * 2 * reach / 8  # a Sobel filter of three pixels' side is eight times as steep
        across -= cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3, scale=steep, borderType=edge)
        up += cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3, scale=steep, borderType=edge)
    length = np.sqrt(across * across + up * up)
    share = f32(0.95) / np.maximum(length, f32(0.95))
    across, up = np.asarray(across * share), np.asarray(up * share)
    return across, up, np.asarray(np.sqrt(1 - across * across - up * up), np.float32)


def _lambert(scene: SceneLight, across: Floats, up: Floats, ahead: Floats) -> Floats:
    """The wrapped Lambert term of the key light."""
    direction = np.array([scene.side, scene.elevation, FRONT])
    x, y, z = direction / np.linalg.norm(direction)
    return np.asarray(np.clip((across * x + up * y + ahead * z + SOFT) / (1 + SOFT), 0, 1), np.float32)
