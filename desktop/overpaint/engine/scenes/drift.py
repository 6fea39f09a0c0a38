"""Drift: part of a plate that drifts on for ever (clouds, falling water), without a seam.

Two copies of the plate, each displaced further and further, take turns: one fades in while the other, quite
displaced, fades out (flow-map animation, Vlachos, Water Flow in Portal 2, SIGGRAPH 2010). What is not to
drift is first painted over by what drifts around it, so that no edge of a tree or roof drifts along. Must
not know scenes.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np

from overpaint.engine.kernels.bands import Bands
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.hashing import chance

FPS = 30.0
LEVELS = 7
"""Halvings of the picture in which holes are filled."""


@kernel
def _sample(rows: Any, at: float, shift: float, share: float, begin: int, stop: int, line: Any) -> None:
    """Adds a displaced row of a plane to ``line``: between rows and columns (bilinear), times a share.

    Edges are repeated. ``at`` is the row, ``shift`` how far it is displaced to the right; only columns
    from ``begin`` to ``stop`` are made.
    """
    height, width = rows.shape
    at = min(max(at, 0.0), height - 1.001)
    near = int(at)
    down = f32(at - near)
    whole = math.floor(-shift)
    part, offset = f32(-shift - whole), int(whole)
    left = min(max(begin, -offset), stop)
    right = max(min(stop, width - 1 - offset), left)
    for step in range(2):
        weight = f32(share) * (down if step else 1 - down)
        if weight <= 0:
            continue
        row = rows[near + step]
        a, b = (1 - part) * weight, part * weight
        # Views, so that the loop knows no offsets and can be vectorised (SIMD).
        first, second, target = row[left + offset :], row[left + offset + 1 :], line[left:right]
        for x in range(right - left):
            target[x] += a * f32(first[x]) + b * f32(second[x])
        line[begin:left] += weight * f32(row[0])
        line[right:stop] += weight * f32(row[width - 1])


@kernel
def _drift(first: int, end: int, clean: Any, mask: Any, spans: Any, moves: Any, mix: float, out: Any) -> None:
    """Blends two displaced copies of ``clean`` into ``out`` by ``mask``.

    ``spans``: int32 (H, 2), first and last column that drift. ``moves``: float32 (H, 4), displacement of the
    first copy (x, y) and of the second, pixels, by row.
    """
    line = np.empty(clean.shape[1], np.float32)
    for row in range(first, end):
        begin, stop = spans[row]
        if stop <= begin:
            continue
        move = moves[row]
        line[begin:stop] = 0
        _sample(clean, row - move[1], move[0], 1 - mix, begin, stop, line)
        _sample(clean, row - move[3], move[2], mix, begin, stop, line)
        masks, result = mask[row, begin:stop], out[row, begin:stop]
        lines = line[begin:stop]
        for x in range(stop - begin):
            old = f32(result[x])
            result[x] = np.uint8(old + (lines[x] - old) * (f32(masks[x]) * f32(1 / 255)) + f32(0.5))


def filled(plane: Plane, mask: Plane) -> Plane:
    """Fills what the mask leaves out of a plane with what is around it (pull-push, Gortler et al. 1996).

    Args:
        plane: uint8 (H, W).
        mask: uint8 (H, W), 255 where it is to be kept.
    """
    # Near its edge the mask is uncertain: there, too, the surroundings are taken.
    weight = cv2.erode(mask, np.ones((5, 5), np.uint8)).astype(np.float32) * (1 / 255)
    levels = [(plane.astype(np.float32) * weight, weight)]
    for _ in range(LEVELS):
        value, share = levels[-1]
        if min(value.shape) < 4:
            break
        size = (value.shape[1] // 2, value.shape[0] // 2)
        levels.append(
            (
                np.asarray(cv2.resize(value, size, interpolation=cv2.INTER_AREA)),
                np.asarray(cv2.resize(share, size, interpolation=cv2.INTER_AREA)),
            )
        )
    value, share = levels[-1]
    # Far from all that is kept, its mean.
    mean = value.sum() / max(float(share.sum()), 1e-6)
    found = (value + mean * 1e-3) / (share + 1e-3)
    for value, share in reversed(levels[:-1]):
        coarse = cv2.resize(found, value.shape[::-1], interpolation=cv2.INTER_LINEAR)
        found = value + coarse * (1 - share)
    return np.asarray(np.clip(found + 0.5, 0, 255), np.uint8)


class Drift:
    """A part of the plate that drifts.

    Args:
        bands: Threads.
        plate: y, u and v of the plate.
        mask: uint8 (H, W), 255 where it drifts.
        scale: Pixels in a height of the plate.
        top: Row of the plate's upper edge, pixels; 0 or less.
        speed: Right and down, heights of the plate a second, at the mask's fastest.
        reach: How far a copy drifts before the other takes its turn, heights of the plate.
        horizon: Row, 0..1 of the plate, where it does not drift at all; it drifts the faster the farther
            above (clouds in perspective). None if it drifts alike everywhere.
    """

    def __init__(
        self,
        bands: Bands,
        plate: tuple[Plane, Plane, Plane],
        mask: Plane,
        scale: float,
        top: float,
        speed: tuple[float, float],
        reach: float,
        horizon: float | None = None,
    ) -> None:
        half = cv2.resize(mask, plate[1].shape[::-1], interpolation=cv2.INTER_AREA)
        self._masks = (mask, np.asarray(half, np.uint8), np.asarray(half, np.uint8))
        self._clean = tuple(filled(p, m) for p, m in zip(plate, self._masks, strict=True))
        self._bands, self._scale = bands, scale
        length = math.hypot(*speed)
        self._direction = (speed[0] / length, speed[1] / length)
        self._period = reach / length * FPS
        self._reach = reach * scale
        rows = (np.arange(mask.shape[0], dtype=np.float32) + 0.5 - top) / scale
        fast = np.ones_like(rows) if horizon is None else np.clip((horizon - rows) / horizon, 0, 1)
        half_fast = np.ascontiguousarray(fast[::2])
        self._fast = (fast, half_fast, half_fast)
        self._spans = tuple(_spans(m) for m in self._masks)

    def draw(self, frame: int, planes: tuple[Plane, Plane, Plane]) -> None:
        """Draws a frame over the plate."""
        turns = (frame / self._period + 0.5, frame / self._period)
        # A copy has no weight at the moment it jumps back. Halfway, where both are mixed, detail pales
        # a little; a smooth step keeps that short.
        mix = 1 - abs(2 * (turns[1] % 1.0) - 1)
        mix = mix * mix * (3 - 2 * mix)
        # Each turn starts somewhere else, or the same picture would come back every half a turn.
        paths = [turn % 1.0 - 0.5 + 2 * (chance(int(turn), copy) - 0.5) for copy, turn in enumerate(turns)]
        for index, (plane, clean, mask) in enumerate(zip(planes, self._clean, self._masks, strict=True)):
            fast = self._fast[index] * (self._reach / (2 if index else 1))
            moves = np.stack([fast * (way * path) for path in paths for way in self._direction], 1)
            moves = np.ascontiguousarray(moves, np.float32)
            self._bands.run(_drift, len(fast), clean, mask, self._spans[index], moves, mix, plane)


def _spans(mask: Plane) -> Any:
    """First and last column in which a mask is above 0, by row, int32 (H, 2)."""
    used: Any = mask > 0
    first = used.argmax(1)
    last = mask.shape[1] - used[:, ::-1].argmax(1)
    return np.where(used.any(1)[:, None], np.stack([first, last], 1), 0).astype(np.int32)
