"""Person and background apart: one stays as it was, or the background is painted without the person.

At a soft edge a camera's pixel is part person, part room. Over another background the room's part would
show as a rim, so the person's own colour is taken from what is surely person nearby (after Forte and Pitié
2021), and a little of the new background's light falls on the edge, as it would. Must not know looks.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.people.face import Face
from overpaint.engine.people.person_mask import Person, shrink
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

WRAP_REACH = 5
"""Side of the square, in pixels of half the small picture, over which light of the background reaches."""

LEVELS = 5
"""How often a picture is halved to fill a hole: the fifth half of 128 columns is four."""


def person_of(stage: Stage) -> Person:
    """The mask that a pass works with.

    Raises:
        ValueError: The look has no ``person`` step before this one.
    """
    if stage.canvas.person is None:
        raise ValueError("this pass needs a person step before it")
    return stage.canvas.person


class Find:
    """Finds the person in the frame. Comes first: what it sees is what others bring back.

    Args:
        stage: Where it works; its canvas gets the mask.
    """

    def __init__(self, stage: Stage) -> None:
        self._person = Person(stage.canvas.half, stage.bands)
        stage.canvas.person = self._person

    def apply(self, canvas: Canvas) -> None:
        """Brings the mask up to date."""
        self._person.find(canvas.low_source, canvas.u, canvas.v)


def spread(planes: Plane, weight: Floats) -> Floats:
    """Fills what has no weight with the colours around it, near ones first (pull-push, Gortler et al. 1996).

    Args:
        planes: uint8 (3, H, W).
        weight: float32 (H, W), 0..1.

    Returns:
        uint8 (3, H / 2, W / 2).
    """
    size = (weight.shape[1] // 2, weight.shape[0] // 2)
    parts = [cv2.multiply(plane, weight, dtype=cv2.CV_32F) for plane in planes]
    small = [cv2.resize(part, size, interpolation=cv2.INTER_AREA) for part in (*parts, weight)]
    levels = [np.asarray(cv2.merge(small), np.float32)]
    for _ in range(LEVELS):
        height, width = levels[-1].shape[:2]
        if min(height, width) < 4:
            break
        levels.append(
            np.asarray(cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA))
        )
    # Where nothing has any weight for far around, the mean of what has some; grey when there is nothing.
    coarse = levels[-1].reshape(-1, 4).sum(0) + np.array([128, 128, 128, 1], np.float32) * 1e-3
    mean = coarse[:3] / coarse[3]
    filled: Any = (levels[-1][..., :3] + mean * 1e-3) / (levels[-1][..., 3:] + 1e-3)
    for level in reversed(levels[:-1]):
        raised = cv2.resize(filled, level.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        # Coarse levels answer for whatever has any weight at all, fine ones for their own share.
        filled = level[..., :3] + raised * (1 - level[..., 3:])
    return np.ascontiguousarray(np.asarray(np.clip(filled + 0.5, 0, 255), np.uint8).transpose(2, 0, 1))


@kernel
def _lay(first: int, end: int, source: Any, alpha: Any, own: Any, glow: Any, new: Any, out: Any) -> None:
    """The person over a new background, in planes of the mask's size."""
    width = source.shape[1]
    # What lies under is often written over: from a copy, the processor may take many pixels at once.
    under = np.empty(width, np.float32)
    for row in range(first, end):
        sources, alphas, owns, glows = source[row], alpha[row], own[row], glow[row]
        news, result = new[row], out[row]
        for x in range(width):
            under[x] = f32(news[x])
        for x in range(width):
            a = f32(alphas[x]) * f32(1 / 255)
            body = f32(owns[x]) + (f32(sources[x]) - f32(owns[x])) * a + f32(glows[x]) - f32(128)
            value = under[x] + (body - under[x]) * a + f32(0.5)
            result[x] = np.uint8(min(max(value, f32(0)), f32(255)))


@kernel
def _lay_luma(first: int, end: int, source: Any, alpha: Any, own: Any, glow: Any, new: Any, out: Any) -> None:
    """The same at twice the mask's size: the mask is enlarged bilinearly."""
    height, width = alpha.shape
    line = np.empty(width + 2, np.float32)
    for row in range(first, end):
        near = row >> 1
        far = min(max(near + (1 if row & 1 else -1), 0), height - 1)
        close, distant, owns, glows = alpha[near], alpha[far], own[near], glow[near]
        sources, news, result = source[row], new[row], out[row]
        for x in range(width):
            line[x + 1] = f32(close[x]) * f32(0.75 / 255) + f32(distant[x]) * f32(0.25 / 255)
        line[0], line[width + 1] = line[1], line[width]
        for x in range(width):
            middle = line[x + 1] * f32(0.75)
            mine, light = f32(owns[x]), f32(glows[x]) - f32(128)
            a = middle + line[x] * f32(0.25)
            under = f32(news[2 * x])
            value = under + (mine + (f32(sources[2 * x]) - mine) * a + light - under) * a + f32(0.5)
            result[2 * x] = np.uint8(min(max(value, f32(0)), f32(255)))
            a = middle + line[x + 2] * f32(0.25)
            under = f32(news[2 * x + 1])
            value = under + (mine + (f32(sources[2 * x + 1]) - mine) * a + light - under) * a + f32(0.5)
            result[2 * x + 1] = np.uint8(min(max(value, f32(0)), f32(255)))


class Overlay:
    """Lays the person, as the camera saw them, over whatever is painted.

    Args:
        stage: Where it works.
        wrap: How much of the background's light falls on the person's edge, 0..1.
    """

    def __init__(self, stage: Stage, wrap: float) -> None:
        self._bands = stage.bands
        self._person = person_of(stage)
        self._wrap = float(wrap)
        half = stage.canvas.half
        self._own: Plane = np.zeros((3, *half), np.uint8)
        self._glow: Plane = np.full((3, *half), 128, np.uint8)

    def lay(self, canvas: Canvas, y: Plane) -> None:
        """Sets ``y``, ``low``, ``u`` and ``v``; what is painted in the last three is the background.

        Args:
            canvas: Painted.
            y: uint8 (height, width), the background's luma; not ``canvas.fresh()``.
        """
        person, run = self._person, self._bands.run
        self._look_up(canvas)
        out = canvas.fresh()
        run(_lay_luma, canvas.height, canvas.source, person.alpha, self._own[0], self._glow[0], y, out)
        canvas.y = out
        planes = ((canvas.low_source, canvas.low), (person.u, canvas.u), (person.v, canvas.v))
        for index, (source, plane) in enumerate(planes):
            run(
                _lay, canvas.half[0], source, person.alpha, self._own[index], self._glow[index], plane, plane
            )  # fmt: skip

    def _look_up(self, canvas: Canvas) -> None:
        """Sets the person's own colours and the light that falls on them, at the mask's size."""
        person = self._person
        half = canvas.half[::-1]
        alpha = person.small_alpha.astype(np.float32) * (1 / 255)
        own = spread(person.small, np.clip(alpha * 5 - 4, 0, 1))
        size = own.shape[:0:-1]
        for index in range(3):
            cv2.resize(own[index], half, dst=self._own[index], interpolation=cv2.INTER_LINEAR)
        if self._wrap <= 0:
            return
        side = (WRAP_REACH, WRAP_REACH)
        share = cv2.resize(self._wrap * (1 - cv2.blur(alpha, (2 * WRAP_REACH, 2 * WRAP_REACH))), size)
        light = np.empty(own.shape[1:], np.uint8)
        for index, plane in enumerate((canvas.low, canvas.u, canvas.v)):
            shrink(plane, light)
            lit = cv2.blur(light.astype(np.float32), side)
            change = share * (lit - own[index])
            # Light is added, never taken away.
            change = np.clip(change + 128, 128 if index == 0 else 0, 255)
            cv2.resize(
                np.asarray(change + 0.5, np.uint8),
                half,
                dst=self._glow[index],
                interpolation=cv2.INTER_LINEAR,
            )


@kernel
def _mix(first: int, end: int, source: Any, alpha: Any, painted: Any) -> None:
    """Keeps what is painted where alpha is 255, and the source where it is 0."""
    for row in range(first, end):
        sources, alphas, result = source[row], alpha[row], painted[row]
        for x in range(sources.shape[0]):
            old = f32(sources[x])
            result[x] = np.uint8(old + (f32(result[x]) - old) * (f32(alphas[x]) * f32(1 / 255)) + f32(0.5))


class Blend:
    """Puts other planes where a mask is not; both show the same person, so edges need no care.

    Args:
        stage: Where it works.
    """

    def __init__(self, stage: Stage) -> None:
        self._bands = stage.bands
        self._alpha: Plane = np.zeros((stage.canvas.height, stage.canvas.width), np.uint8)

    def put(self, canvas: Canvas, alpha: Plane, y: Plane, planes: tuple[Plane, Plane, Plane]) -> None:
        """Sets ``y``, ``low``, ``u`` and ``v``.

        Args:
            canvas: Painted; stays where ``alpha`` is 255.
            alpha: uint8 of half the canvas's size.
            y: uint8 (height, width), luma where ``alpha`` is 0.
            planes: The same of ``low``, ``u`` and ``v``.
        """
        run = self._bands.run
        cv2.resize(alpha, self._alpha.shape[::-1], dst=self._alpha, interpolation=cv2.INTER_LINEAR)
        out = canvas.fresh()
        np.copyto(out, canvas.y)
        run(_mix, canvas.height, y, self._alpha, out)
        canvas.y = out
        for plane, painted in zip(planes, (canvas.low, canvas.u, canvas.v), strict=True):
            run(_mix, canvas.half[0], plane, alpha, painted)


class Keep:
    """Brings back the person, their face, or the background, as the camera saw it.

    Args:
        stage: Where it works.
        part: ``person``, ``face`` or ``background``.
        amount: How much of it comes back, 0..1.
        wrap: With the person: how much of the painted background's light falls on their edge, 0..1.
    """

    def __init__(self, stage: Stage, *, part: str = "person", amount: float = 1.0, wrap: float = 0.2) -> None:
        if part not in ("person", "face", "background"):
            raise ValueError(f"a person, a face or a background can be kept, no {part}")
        self._person = person_of(stage)
        self._overlay = Overlay(stage, wrap) if part == "person" and amount >= 1 else None
        self._face = Face(stage.canvas.half) if part == "face" else None
        self._blend = Blend(stage)
        levels = np.arange(256) if part == "background" else np.arange(255, -1, -1)
        # What is painted stays by this much for each level of the mask.
        self._stays: Plane = np.round(255 - (255 - levels) * min(1.0, max(0.0, amount))).astype(np.uint8)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``low``, ``u`` and ``v``."""
        if self._overlay is not None:
            self._overlay.lay(canvas, canvas.y)
            return
        person, alpha = self._person, self._person.alpha
        if self._face is not None:
            self._face.find(person)
            alpha = self._face.alpha
        stays = np.asarray(cv2.LUT(alpha, self._stays), np.uint8)
        self._blend.put(canvas, stays, canvas.source, (canvas.low_source, person.u, person.v))


class Vacate:
    """Takes the person out of ``low``, ``u`` and ``v``, so that their colours are not painted into the room.

    What is behind them is made up of the colours around: it is there for brushes to run over, not to be seen.

    Args:
        stage: Where it works.
    """

    def __init__(self, stage: Stage) -> None:
        self._person = person_of(stage)
        self._bands = stage.bands
        self._hole: Plane = np.zeros(stage.canvas.half, np.uint8)
        self._room: Plane = np.zeros((3, *stage.canvas.half), np.uint8)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``."""
        person, half = self._person, canvas.half[::-1]
        hole = cv2.dilate(person.small_alpha, np.ones((5, 5), np.uint8))
        room = spread(person.small, 1 - hole.astype(np.float32) * (1 / 255))
        cv2.resize(cv2.blur(hole, (3, 3)), half, dst=self._hole, interpolation=cv2.INTER_LINEAR)
        cv2.bitwise_not(self._hole, dst=self._hole)
        for index, plane in enumerate((canvas.low, canvas.u, canvas.v)):
            cv2.resize(room[index], half, dst=self._room[index], interpolation=cv2.INTER_LINEAR)
            self._bands.run(_mix, canvas.half[0], self._room[index], self._hole, plane)
