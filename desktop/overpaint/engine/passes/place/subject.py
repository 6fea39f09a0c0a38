"""Person and background as separate layers (matting, compositing).

A pixel at a soft edge is part person, part room. Over another background the room's part would show as a
rim. The person's own colour is therefore estimated from nearby pixels that surely show the person, or surely
the room (foreground estimation, Forte and Pitié 2021), and a little of the new background's light is added
at the edge (light wrap). Must not know looks.
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
Planes = tuple[Plane, Plane, Plane]

WRAP_REACH = 5
"""Side of the window over which the background's light is averaged, in pixels of half the size of the mask's
small picture."""

EVERY = 2
"""Frames from one estimate of the colours around an edge to the next: they are means over many pixels."""

LEVELS = 5
"""Number of times that a picture is halved to fill a hole: 128 columns become four."""


def person_of(stage: Stage) -> Person:
    """The person mask of a look.

    Raises:
        ValueError: The look has no ``person`` pass before this one.
    """
    if stage.canvas.person is None:
        raise ValueError("this pass needs a person step before it")
    return stage.canvas.person


class Find:
    """A pass that finds the person in the frame (segmentation).

    It comes first, because it also keeps the frame's own chroma, which later passes restore.

    Args:
        stage: Canvas, threads and inputs; sets the canvas's ``person``.
    """

    def __init__(self, stage: Stage) -> None:
        self._person = Person(stage.canvas.half, stage.bands)
        stage.canvas.person = self._person

    def apply(self, canvas: Canvas) -> None:
        """Updates the mask."""
        self._person.find(canvas.low_source, canvas.u, canvas.v)


def spread(planes: Plane, weight: Floats) -> Floats:
    """Hole filling (inpainting): fills pixels without weight with the colours around them, near ones first.

    Pull-push on a pyramid (Gortler et al. 1996).

    Args:
        planes: uint8 (3, H, W).
        weight: float32 (H, W), 0..1; 0 in holes.

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
    # Far from any weight, the mean of all pixels with weight; grey where no pixel has weight.
    coarse = levels[-1].reshape(-1, 4).sum(0) + np.array([128, 128, 128, 1], np.float32) * 1e-3
    mean = coarse[:3] / coarse[3]
    filled: Any = (levels[-1][..., :3] + mean * 1e-3) / (levels[-1][..., 3:] + 1e-3)
    for level in reversed(levels[:-1]):
        raised = cv2.resize(filled, level.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        # The coarsest level is divided by its weights; finer ones are blended over it by theirs.
        filled = level[..., :3] + raised * (1 - level[..., 3:])
    return np.ascontiguousarray(np.asarray(np.clip(filled + 0.5, 0, 255), np.uint8).transpose(2, 0, 1))


@kernel
def span(line: Any) -> tuple[int, int]:
    """First column of a row of a mask that is not 0, and the one after the last; equal in an empty row."""
    left, right = 0, line.shape[0]
    while left < right and line[left] == 0:
        left += 1
    while right > left and line[right - 1] == 0:
        right -= 1
    return left, right


@kernel
def _lay(
    first: int, end: int, source: Any, alpha: Any, own: Any, room: Any, glow: Any, new: Any, out: Any
) -> None:
    """Composites the person over a new background (alpha blending), in planes of the mask's size.

    What the mean colours of person and room leave unexplained of a pixel is added to the person's mean colour
    with a share ``k`` = a / (a² + (1 - a)²): the least change of both means that explains the pixel. Only
    from the first column of a row with some of the person to the last one.
    """
    # ``new`` and ``out`` are often the same plane: with a copy of the row the loop can be vectorised (SIMD),
    # as it can in slices that begin at 0.
    under = np.empty(source.shape[1], np.float32)
    for row in range(first, end):
        left, right = span(alpha[row])
        sources, alphas, result = source[row, left:right], alpha[row, left:right], out[row, left:right]
        owns, rooms = own[row, left:right], room[row, left:right]
        glows, news = glow[row, left:right], new[row, left:right]
        for x in range(news.shape[0]):
            under[x] = f32(news[x])
        for x in range(news.shape[0]):
            a = f32(alphas[x]) * f32(1 / 255)
            rest = f32(1) - a
            mine = f32(owns[x])
            k = a / (a * a + rest * rest)
            body = mine + k * (f32(sources[x]) - a * mine - rest * f32(rooms[x]))
            body = min(max(body, f32(0)), f32(255)) + f32(glows[x]) - f32(128)
            value = under[x] + (body - under[x]) * a + f32(0.5)
            result[x] = np.uint8(min(max(value, f32(0)), f32(255)))


@kernel
def _lay_luma(
    first: int, end: int, source: Any, alpha: Any, own: Any, room: Any, glow: Any, new: Any, out: Any
) -> None:
    """As ``_lay``, in planes of twice the mask's size: the mask is enlarged bilinearly."""
    height, width = alpha.shape
    line = np.empty(width + 2, np.float32)
    for row in range(first, end):
        near = row >> 1
        far = min(max(near + (1 if row & 1 else -1), 0), height - 1)
        left, right = span(alpha[near])
        other_left, other_right = span(alpha[far])
        # The enlarged mask reaches half a pixel farther.
        left, right = max(0, min(left, other_left) - 1), min(width, max(right, other_right) + 1)
        close, distant, owns = alpha[near, left:right], alpha[far, left:right], own[near, left:right]
        rooms, glows = room[near, left:right], glow[near, left:right]
        sources, news = source[row, 2 * left : 2 * right], new[row, 2 * left : 2 * right]
        result = out[row, 2 * left : 2 * right]
        count = close.shape[0]
        for x in range(count):
            line[x + 1] = f32(close[x]) * f32(0.75 / 255) + f32(distant[x]) * f32(0.25 / 255)
        line[0], line[count + 1] = line[1], line[count]
        for x in range(count):
            mine, theirs, light = f32(owns[x]), f32(rooms[x]), f32(glows[x]) - f32(128)
            for side in range(2):
                a = line[x + 1] * f32(0.75) + line[x + 2 * side] * f32(0.25)
                rest = f32(1) - a
                k = a / (a * a + rest * rest)
                under = f32(news[2 * x + side])
                body = mine + k * (f32(sources[2 * x + side]) - a * mine - rest * theirs)
                body = min(max(body, f32(0)), f32(255)) + light
                value = under + (body - under) * a + f32(0.5)
                result[2 * x + side] = np.uint8(min(max(value, f32(0)), f32(255)))


class Overlay:
    """The compositing of the person, as the camera saw them, over the painted background.

    Args:
        stage: Canvas, threads and inputs.
        wrap: Strength of the background's light on the person's edge (light wrap), 0..1.
    """

    def __init__(self, stage: Stage, wrap: float) -> None:
        self._bands = stage.bands
        self._person = person_of(stage)
        self._wrap = float(wrap)
        half = stage.canvas.half
        self._own: Plane = np.zeros((3, *half), np.uint8)
        self._room: Plane = np.zeros((3, *half), np.uint8)
        self._glow: Plane = np.full((3, *half), 128, np.uint8)
        self._age = 0

    @property
    def looks(self) -> bool:
        """Whether the person's small picture will be looked at for the next frame."""
        return self._age == 0 or self._age % EVERY == 1

    def lay(self, canvas: Canvas, y: Plane) -> None:
        """Sets ``y``, ``low``, ``u`` and ``v``; before, ``low``, ``u`` and ``v`` hold the background.

        Args:
            canvas: Written.
            y: uint8 (height, width), the background's luma; must not be ``canvas.fresh()``.
        """
        person = self._person
        self._look_up((canvas.low, canvas.u, canvas.v))
        out = canvas.fresh()
        self._lay_luma(canvas.source, y, out)
        canvas.y = out
        cv2.resize(out, canvas.half[::-1], dst=canvas.low, interpolation=cv2.INTER_AREA)
        self._lay(1, person.u, canvas.u, canvas.u)
        self._lay(2, person.v, canvas.v, canvas.v)

    def edit(self, canvas: Canvas, figure: Planes, background: Planes) -> None:
        """Sets ``source``, ``u`` and ``v``: the person stands before the background in the frame itself.

        Args:
            canvas: Written.
            figure: Luma and chroma of the person, as their small picture shows them; not the canvas's own.
            background: y (height, width), u and v of half the size; only read.
        """
        y, u, v = background
        # Every fourth pixel is enough for light that is averaged over hundreds.
        self._look_up((np.ascontiguousarray(y[::4, ::4]), u, v))
        self._lay_luma(figure[0], background[0], canvas.source)
        self._lay(1, figure[1], background[1], canvas.u)
        self._lay(2, figure[2], background[2], canvas.v)

    def _lay_luma(self, source: Plane, under: Plane, out: Plane) -> None:
        np.copyto(out, under)
        around = self._own[0], self._room[0], self._glow[0]
        self._bands.run(_lay_luma, len(out), source, self._person.alpha, *around, under, out)

    def _lay(self, index: int, source: Plane, under: Plane, out: Plane) -> None:
        if out is not under:
            np.copyto(out, under)
        around = self._own[index], self._room[index], self._glow[index]
        self._bands.run(_lay, len(out), source, self._person.alpha, *around, under, out)

    def _look_up(self, background: Planes) -> None:
        """Estimates the colours of person and room, and the light on the person, at the mask's size."""
        looks = self.looks
        self._age += 1
        if not looks:
            return
        person = self._person
        half = self._person.alpha.shape[::-1]
        alpha = person.small_alpha.astype(np.float32) * (1 / 255)
        own = spread(person.small, np.clip(alpha * 5 - 4, 0, 1))
        room = spread(person.small, np.clip(1 - alpha * 5, 0, 1))
        size = own.shape[:0:-1]
        for index in range(3):
            cv2.resize(own[index], half, dst=self._own[index], interpolation=cv2.INTER_LINEAR)
            cv2.resize(room[index], half, dst=self._room[index], interpolation=cv2.INTER_LINEAR)
        if self._wrap <= 0:
            return
        side = (WRAP_REACH, WRAP_REACH)
        share = cv2.resize(self._wrap * (1 - cv2.blur(alpha, (2 * WRAP_REACH, 2 * WRAP_REACH))), size)
        light = np.empty(own.shape[1:], np.uint8)
        for index, plane in enumerate(background):
            shrink(plane, light, quick=True)
            lit = cv2.blur(light.astype(np.float32), side)
            change = share * (lit - own[index])
            # Luma is only added; chroma may change both ways.
            change = np.clip(change + 128, 128 if index == 0 else 0, 255)
            cv2.resize(
                np.asarray(change + 0.5, np.uint8),
                half,
                dst=self._glow[index],
                interpolation=cv2.INTER_LINEAR,
            )


@kernel
def _mix(first: int, end: int, source: Any, alpha: Any, painted: Any) -> None:
    """Blends ``painted`` (kept where alpha is 255) with ``source`` (taken where alpha is 0)."""
    for row in range(first, end):
        sources, alphas, result = source[row], alpha[row], painted[row]
        for x in range(sources.shape[0]):
            old = f32(sources[x])
            result[x] = np.uint8(old + (f32(result[x]) - old) * (f32(alphas[x]) * f32(1 / 255)) + f32(0.5))


class Blend:
    """A blend of two pictures of the same scene by a mask, without the edge treatment of ``Overlay``.

    Args:
        stage: Canvas, threads and inputs.
    """

    def __init__(self, stage: Stage) -> None:
        self._bands = stage.bands
        self._alpha: Plane = np.zeros((stage.canvas.height, stage.canvas.width), np.uint8)

    def put(self, canvas: Canvas, alpha: Plane, y: Plane, planes: tuple[Plane, Plane, Plane]) -> None:
        """Sets ``y``, ``low``, ``u`` and ``v``.

        Args:
            canvas: Written; unchanged where ``alpha`` is 255.
            alpha: uint8, of half the canvas's size.
            y: uint8 (height, width), luma where ``alpha`` is 0.
            planes: uint8 (height / 2, width / 2) each, ``low``, ``u`` and ``v`` where ``alpha`` is 0.
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
    """A pass that restores the person, their face, or the background, as the camera saw it.

    Args:
        stage: Canvas, threads and inputs.
        part: ``person``, ``face`` or ``background``.
        amount: Share of the original in that part, 0..1.
        wrap: For ``person``: strength of the painted background's light on their edge (light wrap), 0..1.
    """

    def __init__(self, stage: Stage, *, part: str = "person", amount: float = 1.0, wrap: float = 0.2) -> None:
        if part not in ("person", "face", "background"):
            raise ValueError(f"a person, a face or a background can be kept, no {part}")
        self._person = person_of(stage)
        self._overlay = Overlay(stage, wrap) if part == "person" and amount >= 1 else None
        self._face = Face(stage.canvas.half) if part == "face" else None
        self._blend = Blend(stage)
        levels = np.arange(256) if part == "background" else np.arange(255, -1, -1)
        # Share of the painting that stays, by level of the mask.
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
    """A pass that removes the person from ``low``, ``u`` and ``v`` (inpainting).

    It keeps the person's colours from being painted into the room. The hole is filled with the colours around
    it; it only serves passes that smooth across it, since the person is put back later.

    Args:
        stage: Canvas, threads and inputs.
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
