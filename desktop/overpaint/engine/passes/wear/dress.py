"""The clothes pass: clothes in another colour or cloth (virtual try-on by recolouring), and dyed hair.

Cloth lies on the tracked torso as on a cylinder, and folds bend its pattern. Its place moves with the body
alone. Must not know prompts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import entry_named
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials.fabric_tiles import SIDE
from overpaint.engine.materials.fabrics import RADII, WHITE, Fabric, Weave, fabric_levels
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.place.subject import person_of
from overpaint.engine.passes.wear.dyeing import Dye, Shading
from overpaint.engine.people import layout
from overpaint.engine.people.appearance import CLOTHES, HAIR
from overpaint.engine.people.parts import Parts
from overpaint.engine.people.person_mask import Person
from overpaint.engine.people.torso import Torso
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

GIRTH = 3.4
"""Radius of the cylinder that a torso is taken for, radii of the face."""

CHEST = 3.6
"""The chest's distance from the face's middle, radii of the face."""

BEND, BEND_MOST = 0.9, 0.12
"""Displacement of a pattern by a fold's slope (logarithm of luma a pixel), and its limit, radii of the
face."""

TURN = 900.0
"""Change of the way to the light, in 256 parts of a turn, by a fold's slope: sequins light up along folds."""

DYED = Shading(folds=1.15, sheen=10.0, tightness=2.0, chroma=0.85)
"""How hair takes light."""

FOLLOW, MEASURE_EVERY = 0.2, 4
"""Weight of a new measurement in the light of the scene, and parts recoloured between two."""

_LOGARITHM: Floats = np.log(np.arange(256, dtype=np.float32) + 20)
"""Logarithm of luma, without the noise of black."""

LEVEL_SLACK = 0.2
"""Share of a level by which a fabric's size waits before it changes."""


def weave_of(parameters: Mapping[str, Any], colour: str) -> Weave:
    """The fabric of a cloth's data.

    Args:
        parameters: Those of an entry of ``cloths``: fields of ``Weave``, and ``tinted``, the numbers of the
            colours that a given colour replaces, the most important first.
        colour: #rrggbb; empty for the cloth's own.
    """
    values = {part.name: parameters[part.name] for part in fields(Weave) if part.name in parameters}
    colours = tuple(map(str, parameters["colours"]))
    if colour:
        tinted = tuple(parameters.get("tinted", (0,)))
        levels = yuv(colours)[:, 0]
        for index in tinted:
            tint = _shaded(colour, float((levels[index] + 8) / (levels[tinted[0]] + 8)))
            colours = (*colours[:index], tint, *colours[index + 1 :])
    values["colours"] = colours
    return Weave(**values)


def shading_of(parameters: Mapping[str, Any]) -> Shading:
    """How a cloth takes light, from its data."""
    return Shading(
        **{part.name: float(parameters[part.name]) for part in fields(Shading) if part.name in parameters}
    )


def _shaded(colour: str, factor: float) -> str:
    """A colour, darker or lighter by a factor."""
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], np.float64)
    rgb = rgb * factor if factor <= 1 else 255 - (255 - rgb) / factor
    return "#" + "".join(f"{round(value):02x}" for value in np.clip(rgb, 0, 255))


@kernel
def _drape(
    first: int, end: int, poses: Any, owners: Any, scale: Any, folds: Any, inner: Any, place: Any
) -> None:
    """Place on the fabric of each pixel of the small picture, and phase of glints."""
    height, width = inner.shape
    limit, bend = f32(BEND_MOST), f32(BEND)
    for row in range(first, end):
        above, below = max(row - 1, 0), min(row + 1, height - 1)
        for x in range(width):
            left, right = max(x - 1, 0), min(x + 1, width - 1)
            sure = f32(inner[row, x]) * f32(0.5 / 255)
            slope = (folds[row, right] - folds[row, left]) * sure
            fall = (folds[below, x] - folds[above, x]) * sure
            pose = poses[owners[row, x]]
            across = pose[0, 0] * f32(x) + pose[0, 1] * f32(row) + pose[0, 2]
            down = pose[1, 0] * f32(x) + pose[1, 1] * f32(row) + pose[1, 2]
            # The arc sine of a cylinder's girth, as a series.
            part = min(max(across * f32(1 / GIRTH), f32(-1)), f32(1))
            around = across * (f32(1) + part * part * (f32(1 / 6) + part * part * f32(3 / 40)))
            around += min(max(slope * bend, -limit), limit)
            down += min(max(fall * bend, -limit), limit)
            # The middle of a tile lies on the chest, and its border beside the body.
            place[0, row, x] = (around + f32(RADII / 2)) * scale
            place[1, row, x] = (down + f32(RADII / 2 - CHEST)) * scale
            place[2, row, x] = f32(128) + f32(TURN) * (slope + fall)


class Dress:
    """A clothes pass.

    Args:
        stage: Canvas, threads and inputs.
        cloth: Name of an entry of ``cloths``; empty keeps the cloth.
        colour: #rrggbb of the clothes; empty for the cloth's own.
        hair: #rrggbb of the hair; empty keeps it.
    """

    def __init__(self, stage: Stage, *, cloth: str = "", colour: str = "", hair: str = "") -> None:
        self._person = person_of(stage)
        self._bands = stage.bands
        wanted = ((CLOTHES,) if cloth or colour else ()) + ((HAIR,) if hair else ())
        self._parts = Parts(stage.canvas.half, stage.bands, wanted)
        self._torsos: dict[int, Torso] = {}
        self._place: Floats = np.zeros((0, 0, 0), np.float32)
        self._light = 0.0
        self._turn = 0
        self._level = 0.0
        self._clothes: tuple[Dye, tuple[Fabric, ...]] | None = None
        self._hair: tuple[Dye, tuple[Fabric, ...]] | None = None
        if cloth or colour:
            parameters = entry_named("cloths", cloth).parameters if cloth else {"colours": [colour]}
            fabric = stage.shelf.get(fabric_levels, weave_of(parameters, colour))
            self._clothes = Dye(stage, shading_of(parameters)), fabric
        if hair:
            self._hair = Dye(stage, DYED), stage.shelf.get(fabric_levels, Weave(colours=(hair,)))

    def apply(self, canvas: Canvas) -> None:
        """Changes ``source``, ``u`` and ``v``; leaves them alone where nobody is."""
        person, parts = self._person, self._parts
        parts.find(person, canvas.low_source)
        if not parts.heads:
            return
        if self._clothes is not None:
            dye, levels = self._clothes
            alpha = parts.small_alpha[CLOTHES]
            fabric, place = self._draped(levels, person, alpha, canvas)
            light = max(self._measured(person), dye.level / WHITE)
            dye.apply(canvas, person, (parts.alpha[CLOTHES], alpha), fabric, place, light)
        if self._hair is not None:
            dye, levels = self._hair
            alpha = parts.small_alpha[HAIR]
            dye.apply(canvas, person, (parts.alpha[HAIR], alpha), levels[0], None, self._measured(person))
        canvas.edited()

    def _measured(self, person: Person) -> float:
        """Light of the scene, 1 in a well-lit room: by the picture's brightest parts and by the faces."""
        self._turn += 1
        if self._light and self._turn % MEASURE_EVERY:
            return self._light
        bright = float(np.percentile(person.small[0][::4, ::4], 97)) / 225
        faces = [
            float(
                person.small[0][_square(head.x, head.y, 0.5 * head.radius, person.small_alpha.shape)].mean()
            )
            for head in self._parts.heads
        ]
        found = float(np.clip(0.5 * bright + 0.5 * max(faces) / 130, 0.35, 1.0))
        self._light = found if self._light == 0 else self._light + FOLLOW * (found - self._light)
        return self._light

    def _draped(
        self, levels: tuple[Fabric, ...], person: Person, alpha: Plane, canvas: Canvas
    ) -> tuple[Fabric, Floats | None]:
        """The fabric in the size that is needed, and its place on the torso, see ``Dye.apply``."""
        if levels[0].luma.shape == (1, 1):
            return levels[0], None
        poses, owners = self._poses(person, alpha)
        radius = canvas.height / len(alpha) / float(np.hypot(poses[0, 0, 0], poses[0, 1, 0]))
        wanted = float(np.clip(np.log2(SIDE / RADII / radius), 0, len(levels) - 1))
        if abs(wanted - self._level) > 0.5 + LEVEL_SLACK:
            self._level = float(round(wanted))
        fabric = levels[int(self._level)]
        folds = cv2.GaussianBlur(cv2.LUT(person.small[0], _LOGARITHM), (0, 0), 1.5)
        inner = cv2.erode(alpha, np.ones((5, 5), np.uint8))
        if self._place.size == 0:
            self._place = np.zeros((3, *alpha.shape), np.float32)
        scale = f32(len(fabric.luma) / RADII)
        self._bands.run(_drape, len(alpha), poses, owners, scale, folds, inner, self._place)
        return fabric, self._place

    def _poses(self, person: Person, alpha: Plane) -> tuple[Floats, Plane]:
        """Poses of all torsos, float32 (n, 2, 3), and which one each pixel belongs to."""
        heads = self._parts.heads
        owners = layout.owners(heads, (alpha.shape[0], alpha.shape[1]))
        # Whoever is new gets a torso, and whoever has left loses it.
        self._torsos = {head.number: self._torsos.get(head.number, Torso(self._bands)) for head in heads}
        for index, head in enumerate(heads):
            own = alpha if len(heads) == 1 else np.where(owners == index, alpha, np.uint8(0))
            self._torsos[head.number].follow(person.small, own, head)
        return np.stack([torso.pose for torso in self._torsos.values()]).astype(np.float32), owners


def _square(x: float, y: float, reach: float, shape: tuple[int, ...]) -> tuple[slice, slice]:
    top, left = int(np.clip(y - reach, 0, shape[0] - 1)), int(np.clip(x - reach, 0, shape[1] - 1))
    return slice(top, max(top + 1, int(y + reach))), slice(left, max(left + 1, int(x + reach)))
