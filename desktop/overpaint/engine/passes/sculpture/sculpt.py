"""Materials: the person, or everything, as marble, bronze, ice; an edit of the frame (material transfer).

The surface is estimated from the picture (``surface``), its texture moves with the person (``anchoring``),
its light comes from lamps and surroundings of our own (``lit_sphere``). Must not know prompts or looks.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import entry_named
from overpaint.engine.colours import yuv
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.place.subject import person_of, spread
from overpaint.engine.passes.sculpture import solid_textures
from overpaint.engine.passes.sculpture.anchoring import Anchor
from overpaint.engine.passes.sculpture.features import Features
from overpaint.engine.passes.sculpture.lit_sphere import RoomLight, sphere
from overpaint.engine.passes.sculpture.material import Material, ramp
from overpaint.engine.passes.sculpture.shading import finish, light, spans_of, vacate
from overpaint.engine.passes.sculpture.surface import NEUTRAL, Spans, Surface
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

FRAMES_S = 30.0
"""Frames a second, for glow that swells."""

CARVING = 0.02
"""Slope for a difference of one level of flattened luma over two pixels at half of 1080 rows."""

BRIGHT, DIM, ADAPT = 95.0, 0.72, 0.05
"""Mean luma of a bright room; factor on light in a black one; share a frame by which it follows a lamp."""

NOISE = 2.0
"""Fine luma, levels, below which it is noise rather than a line."""


class Sculpt:
    """A material on the person, or on everything.

    Args:
        stage: Canvas, threads and inputs.
        name: Name of the material in the catalogue.
        part: ``person`` or ``all``.

    Raises:
        KeyError: There is no such material.
        ValueError: There is no such part.
    """

    def __init__(self, stage: Stage, *, name: str, part: str = "person") -> None:
        if part not in ("person", "all"):
            raise ValueError(f"a person or all can be of a material, no {part}")
        self._bands, canvas = stage.bands, stage.canvas
        self._whole = part == "all"
        self._person = person_of(stage)
        self._material = material = Material.of(entry_named("materials", name).parameters)
        small, half = self._person.small_alpha.shape, canvas.half
        scale = canvas.scale
        self._surface = Surface(
            stage, small, self._whole, material.form, material.relief, material.softness, material.own,
            material.plain,
        )  # fmt: skip
        self._features = Features(small, half)
        unit = max(canvas.width, canvas.height) / scale / max(small)
        self._anchor = Anchor(small, unit, self._whole)
        # At half size one pixel of a tile is one of the picture or less.
        side = 1 << max(5, math.ceil(math.log2(solid_textures.SIDE * min(1.0, scale) / 2)))
        tile = stage.shelf.get(solid_textures.tile, material.texture, side)
        self._texels = tile.reshape(-1, 4).view(np.int32)[:, 0]
        self._texel = np.float32(side / solid_textures.SIDE / material.size)
        # What most of the texture is: no vein, crack or pore.
        self._quiet = np.array([np.median(tile[..., 0]), material.plain], np.float32)
        self._slant = np.float32(material.slant)
        self._sphere = sphere(material)
        self._room_light: RoomLight | None = None
        self._palette, self._glow = _palettes(material)
        self._tables = _tables(material)
        self._cavity = _cavity(material)
        self._optics = np.array(
            [
                CARVING * material.carving * scale,
                material.bump / 127,
                material.detail,
                material.clearness,
                material.refraction * canvas.height / 2,
                material.edge,
            ],
            np.float32,
        )
        self._where: Floats = np.zeros((2, small[0] // 2, half[1]), np.float32)
        self._room: Plane = np.zeros((3, *half), np.uint8)
        self._all: Plane = np.full(half, 255, np.uint8)
        self._lit: Floats = np.zeros(half, np.float32)
        self._gain: Floats = np.zeros(half, np.float32)
        self._cover: Plane = np.zeros(half, np.uint8)
        self._spans: Spans = np.zeros((2, half[0]), np.int32)
        self._hole: Plane = np.zeros(small, np.uint8)
        self._exposure = 0.0
        self._frame = 0

    def apply(self, canvas: Canvas) -> None:
        """Paints ``source``, ``u`` and ``v``."""
        person, run, rows = self._person, self._bands.run, canvas.half[0]
        alpha, small_alpha = person.alpha, person.small_alpha
        if self._whole:
            alpha, small_alpha = self._all, np.full_like(small_alpha, 255)
        run(spans_of, rows, alpha, self._spans)
        self._features.find(person.small, person.small_alpha)
        self._bands.at_once(
            lambda: self._surface.see(
                canvas.low_source, alpha, person.small[0], small_alpha, self._spans, self._features
            ),
            lambda: self._fill_room(canvas, small_alpha),
        )
        if self._material.clearness > 0 and not self._whole:
            self._open_room(canvas)
        # Cut from a block: where the form turns away, the texture comes from deeper within.
        where = (self._anchor.where - self._surface.lean * self._slant) * self._texel
        for plane, wide in zip(where, self._where, strict=True):
            cv2.resize(plane, wide.shape[::-1], dst=wide, interpolation=cv2.INTER_LINEAR)
        surface, lines = self._surface, self._lines(rows, canvas.scale) * self._exposed()
        faces, face_rows, ball = self._features.share, self._features.rows, self._sphere.reshape(-1, 4)
        run(
            light, rows, canvas.low_source, alpha, self._spans, surface.flat, surface.slopes,
            self._where, self._texels, faces, face_rows, self._quiet, ball, self._glowing(), self._tables,
            self._cavity, self._room, self._optics, lines, self._lit, self._gain, self._cover, canvas.u,
            canvas.v,
        )  # fmt: skip
        run(
            finish, canvas.height, self._spans, alpha, canvas.low_source, self._lit, self._gain, self._cover,
            self._room[0], np.float32(NOISE), canvas.source.view(np.uint16),
        )  # fmt: skip
        self._frame += 1
        canvas.edited()

    def _fill_room(self, canvas: Canvas, small_alpha: Plane) -> None:
        """Sets the room as it may be behind the figure, and the texture's place; uses no kernels."""
        self._anchor.follow(self._person.small[0], small_alpha)
        if self._whole:
            for plane, room in zip((canvas.low_source, canvas.u, canvas.v), self._room, strict=True):
                np.copyto(room, plane)
            return
        self._hole = np.asarray(cv2.dilate(small_alpha, np.ones((5, 5), np.uint8)), np.uint8)
        free = 1 - self._hole.astype(np.float32) * np.float32(1 / 255)
        filled = np.asarray(spread(self._person.small, free), np.uint8)
        if self._material.room > 0:
            self._room_light = self._room_light or RoomLight(self._material, self._sphere, filled.shape[1:])
            self._sphere = self._room_light.ball(filled)
        for plane, room in zip(filled, self._room, strict=True):
            cv2.resize(plane, room.shape[::-1], dst=room, interpolation=cv2.INTER_LINEAR)

    def _open_room(self, canvas: Canvas) -> None:
        """Puts the true room around what was filled in, for what can be seen through the figure."""
        hole = cv2.resize(cv2.blur(self._hole, (3, 3)), self._room.shape[:0:-1])
        for plane, room in zip((canvas.low_source, canvas.u, canvas.v), self._room, strict=True):
            self._bands.run(vacate, len(room), plane, hole, room)

    def _exposed(self) -> np.float32:
        """Factor on light: a statue in a dim room is a little darker than one in a bright room."""
        room = min(cv2.mean(self._room[0][::4, ::4])[0] / BRIGHT, 1.0)
        self._exposure += (room - self._exposure) * (ADAPT if self._frame else 1.0)
        return np.float32(DIM + (1 - DIM) * self._exposure)

    def _glowing(self) -> Floats:
        """The palette, with the light that it gives off in this frame."""
        if not self._material.glow:
            return self._palette
        swell = 1.0
        if self._material.pulse_s:
            swell += 0.22 * math.sin(2 * math.pi * self._frame / (FRAMES_S * self._material.pulse_s))
        self._palette[:, 3:] = self._glow * np.float32(swell)
        return self._palette

    def _lines(self, rows: int, scale: float) -> Floats:
        """Factor on light by row: the lines of a hologram, which run down slowly."""
        if not self._material.scan:
            return np.ones(rows, np.float32)
        period = max(2.0, self._material.scan * scale / 2)
        phase = 2 * math.pi * (np.arange(rows) / period - self._frame / 25)
        sweep = np.exp(-(((np.arange(rows) / rows - self._frame / 110) % 1.0 - 0.5) ** 2) / 0.0012)
        return np.asarray(0.84 + 0.16 * np.cos(phase) + 0.22 * sweep, np.float32)


def _palettes(material: Material) -> tuple[Floats, Floats]:
    """The palette with room for its glow, float32 (256, 6), and the glow, float32 (256, 3)."""
    colours = ramp(material.palette)
    glow = np.zeros_like(colours)
    if material.glow:
        share = np.clip((np.linspace(0, 1, 256) - material.glow_from) / (1 - material.glow_from), 0, 1)
        hot = (yuv([material.glow]) - np.array([0, 128, 128], np.float32)) * material.glow_strength
        glow = np.asarray(share[:, None] ** 0.8 * hot, np.float32)
    return np.ascontiguousarray(np.concatenate([colours, glow], 1), np.float32), glow


def _tables(material: Material) -> Floats:
    ratio = np.arange(256) / NEUTRAL
    dark = np.minimum(ratio, 1) ** material.shade
    dark = 1 - material.depth * (1 - dark)
    # Brighter than its area is a ridge: it gets a third of that light.
    shade = dark * (1 + 0.35 * np.maximum(ratio - 1, 0))
    shine = np.clip(ratio * 1.35 - 0.3, 0.05, 1.15)
    deep = material.cavities * np.clip(1.12 - ratio * 1.25, 0, 1) ** 0.8
    edge = np.clip((np.arange(256) / 255 - 0.5) * 1.5 + 0.55, 0, 1)
    return np.ascontiguousarray(np.stack([shade, shine, deep, edge], -1), np.float32)


def _cavity(material: Material) -> Floats:
    if not material.cavity:
        return np.zeros(3, np.float32)
    return np.asarray(yuv([material.cavity])[0] - np.array([0, 128, 128]), np.float32)
