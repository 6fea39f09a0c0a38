"""Virtual background (compositing, keying): the person before a scene, a photo, or a plain colour.

An edit of the frame itself: what comes after sees the person in the scene, as if the camera had. The person
is relit by the scene, put before it with colours of their own up to the edge, and throws a soft shadow where
there is ground. Must not know looks or prompts.
"""

from __future__ import annotations

import time
from typing import Any, Protocol

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import entry_named
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.place.person_light import PersonLight, tones_of
from overpaint.engine.passes.place.subject import Overlay, Planes, person_of
from overpaint.engine.scenes.photo_light import NEUTRAL
from overpaint.engine.scenes.scene_light import SceneLight
from overpaint.engine.scenes.scene_view import SceneView
from overpaint.engine.scenes.still_view import colour_view, paper_view, photo_view

WRAP, GLARE_WRAP = 0.35, 0.3
"""Strength of the scene's light on the person's edge (light wrap), and what light from behind adds to it."""

FRAMES_S = 30
"""Frames of a scene a second."""

DAY_S = 86400
"""Seconds after which the motion of a live scene begins anew."""

SHADOW, SHADOW_REACH = 0.34, 9
"""Most that the person's shadow takes from the ground's luma, and how far it reaches, pixels of the mask's
small picture."""


class View(Protocol):
    """A scene as a pass sees it (``SceneView``)."""

    light: SceneLight

    def draw(self, frame: int) -> Planes:
        """The scene's planes at a frame's number; only to be read."""


@kernel
def _shade(first: int, end: int, y: Any, shadow: Any, out: Any) -> None:
    """Darkens luma by a half-size shadow, 255 for all of it."""
    for row in range(first, end):
        lumas, shadows, result = y[row], shadow[row >> 1], out[row]
        for x in range(shadows.shape[0]):
            rest = f32(1) - f32(shadows[x]) * f32(1 / 255)
            result[2 * x] = np.uint8(f32(lumas[2 * x]) * rest + f32(0.5))
            result[2 * x + 1] = np.uint8(f32(lumas[2 * x + 1]) * rest + f32(0.5))


class Scene:
    """A virtual-background pass: an edit, see ``prompt/edits``.

    Args:
        stage: Canvas, threads and inputs.
        name: Name of a scene of the catalogue; empty for none.
        colour: Colour of a plain background, #rrggbb; empty for none. Without either, the reference photo is
            the background, and paper where there is none.
        wrap: Factor on the scene's light on the person's edge.
    """

    def __init__(self, stage: Stage, *, name: str = "", colour: str = "", wrap: float = 1.0) -> None:
        self._stage = stage
        self._person = person_of(stage)
        self._view = _view(stage, name, colour)
        light = self._view.light
        self._overlay = Overlay(stage, 0.0 if colour else wrap * (WRAP + GLARE_WRAP * light.backlit))
        self._light: PersonLight | None = None
        if light is not NEUTRAL:
            tones = tones_of(self._view.draw(0)[0])
            self._light = PersonLight(stage.canvas, self._person, stage.bands, light, tones)
        # Zeros take no memory until they are written: a scene without ground never does.
        self._spare, self._ground = np.zeros_like(stage.canvas.source), np.zeros_like(stage.canvas.source)
        self._shadow = np.zeros(stage.canvas.half, np.uint8)
        self._frame = 0

    def apply(self, canvas: Canvas) -> None:
        """Sets ``source``, ``u`` and ``v``."""
        planes = self._shaded(self._view.draw(self._number()))
        if self._light is None:
            figure = canvas.source, self._person.u, self._person.v
            canvas.source, self._spare = self._spare, canvas.source
        else:
            self._light.apply(canvas, with_small=self._overlay.looks)
            figure = self._light.y, self._light.u, self._light.v
        self._overlay.edit(canvas, figure, planes)
        canvas.edited()

    def _number(self) -> int:
        """The frame's number. That of a live scene follows the clock: two levels of detail show the same."""
        if self._stage.sparing:
            return round(time.monotonic() % DAY_S * FRAMES_S)
        self._frame += 1
        return self._frame - 1

    def _shaded(self, planes: Planes) -> Planes:
        """The scene with the person's shadow on its ground."""
        y, u, v = planes
        light = self._view.light
        begin = round(light.ground * len(y) / 2) * 2
        if begin >= len(y) - 8:
            return planes
        alpha = self._person.small_alpha
        rows, columns = alpha.shape
        side = (2 * SHADOW_REACH + 1, SHADOW_REACH)
        soft: Any = cv2.blur(cv2.blur(alpha, side), side).astype(np.float32)
        # Away from the light, and deeper where the ground is nearer.
        shift = np.array([[1, 0, -light.side * SHADOW_REACH / 2], [0, 1, 2]], np.float32)
        soft = cv2.warpAffine(soft, shift, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
        depth = np.clip((np.arange(rows) / rows - light.ground) / max(0.05, 1 - light.ground), 0, 1)
        shadow = soft * (SHADOW * (1 - 0.5 * light.backlit) * np.sqrt(depth))[:, None].astype(np.float32)
        cv2.resize(
            np.asarray(shadow + 0.5, np.uint8), self._shadow.shape[::-1], dst=self._shadow,
            interpolation=cv2.INTER_LINEAR,
        )  # fmt: skip
        shaded = self._ground
        np.copyto(shaded[:begin], y[:begin])
        self._stage.bands.run(_shade, len(y) - begin, y[begin:], self._shadow[begin // 2 :], shaded[begin:])
        return shaded, u, v


def _view(stage: Stage, name: str, colour: str) -> View:
    if name:
        return SceneView(stage, entry_named("scenes", name))
    if colour:
        return colour_view(stage, colour)
    if stage.reference is not None:
        return photo_view(stage, stage.reference)
    return paper_view(stage)
