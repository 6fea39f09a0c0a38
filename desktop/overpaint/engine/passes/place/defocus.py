"""Background blur (bokeh, depth-of-field effect): a disc blur behind the sharp person.

The background is blurred without the person's pixels, so that their colours do not bleed into the room. Sums
over a disc are differences of prefix sums of its rows, in exact integers. Must not know looks.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.place.subject import Blend, Overlay, person_of
from overpaint.engine.planes import Plane

RADIUS = 5.5
"""Radius of a disc in pixels of the reduced picture that is blurred; larger discs only cost more time."""

BRIGHT = 185
"""Luma above which highlights get more weight."""

MOST = 4
"""Weight added to the brightest highlight at a bloom of 1; all pixels have at least 1."""


@kernel
def _accumulate(first: int, end: int, y: Any, u: Any, v: Any, alpha: Any, gain: Any, sums: Any) -> None:
    """Prefix sums along each row of weight, and of weight times luma and chroma."""
    for row in range(first, end):
        lumas, us, vs, alphas = y[row], u[row], v[row], alpha[row]
        total, total_y, total_u, total_v = np.int32(0), np.int32(0), np.int32(0), np.int32(0)
        for x in range(lumas.shape[0]):
            sums[0, row, x], sums[1, row, x] = total, total_y
            sums[2, row, x], sums[3, row, x] = total_u, total_v
            free = np.int32(255) - np.int32(alphas[x])
            weight = (free * free * gain[lumas[x]]) >> np.int32(14)
            total += weight
            total_y += weight * np.int32(lumas[x])
            total_u += weight * np.int32(us[x])
            total_v += weight * np.int32(vs[x])
        last = lumas.shape[0]
        sums[0, row, last], sums[1, row, last] = total, total_y
        sums[2, row, last], sums[3, row, last] = total_u, total_v


@kernel
def _discs(first: int, end: int, sums: Any, reach: Any, y: Any, u: Any, v: Any) -> None:
    """Weighted mean over a disc; where all weights are 0 (deep inside a person) pixels stay unchanged."""
    width = y.shape[1]
    radius = reach.shape[0] // 2
    totals = np.empty((4, width), np.int32)
    for row in range(first, end):
        totals[:] = 0
        for step in range(reach.shape[0]):
            far = reach[step]
            left, right = radius - far, radius + far + 1
            for k in range(4):
                total = totals[k]
                ahead = sums[k, row + step, right : right + width]
                behind = sums[k, row + step, left : left + width]
                for x in range(width):
                    total[x] += ahead[x] - behind[x]
        weights, lumas, us, vs = totals[0], y[row], u[row], v[row]
        for x in range(width):
            if weights[x] > 0:
                share = f32(1) / f32(weights[x])
                lumas[x] = np.uint8(f32(totals[1, x]) * share + f32(0.5))
                us[x] = np.uint8(f32(totals[2, x]) * share + f32(0.5))
                vs[x] = np.uint8(f32(totals[3, x]) * share + f32(0.5))


class Defocus:
    """A background-blur pass.

    Args:
        stage: Canvas, threads and inputs.
        radius: Radius of the discs, pixels at 1080 rows.
        bloom: Extra weight of highlights, 0..1.
        dim: Darkening of the background, 0..1.
        wrap: Strength of the background's light on the person's edge (light wrap), 0..1.
        natural: Whether the person is shown as the camera saw them, not as painted.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        radius: float = 22.0,
        bloom: float = 0.7,
        dim: float = 0.04,
        wrap: float = 0.15,
        natural: bool = True,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._person = person_of(stage)
        self._overlay = Overlay(stage, wrap) if natural else None
        self._blend = Blend(stage)
        shrink = max(2, round(radius * canvas.scale / RADIUS))
        self._size = (max(8, canvas.width // shrink), max(8, canvas.height // shrink))
        exact = max(1.0, radius * canvas.scale / shrink)
        self._pad = int(np.ceil(exact))
        rows = np.arange(-self._pad, self._pad + 1)
        self._reach: NDArray[np.int32] = np.round(np.sqrt(np.maximum(exact**2 - rows**2, 0))).astype(np.int32)
        bright = np.clip((np.arange(256) - BRIGHT) / (255 - BRIGHT), 0, 1)
        # Fixed point, 64 for 1: with at most 5 times that, sums of weights times levels stay within 31 bits.
        self._gain: NDArray[np.int32] = np.round(64 * (1 + MOST * bloom * bright**2)).astype(np.int32)
        self._dim: Plane = np.round(np.arange(256) * (1 - dim)).astype(np.uint8)
        width, height = self._size
        self._sums: NDArray[np.int32] = np.zeros(
            (4, height + 2 * self._pad, width + 2 * self._pad + 1), np.int32
        )
        self._luma: Plane = np.zeros((canvas.height, canvas.width), np.uint8)
        self._half: Plane = np.zeros((3, *canvas.half), np.uint8)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``low``, ``u`` and ``v``."""
        shrunk = [
            np.asarray(cv2.resize(plane, self._size, interpolation=cv2.INTER_AREA), np.uint8)
            for plane in (canvas.y, canvas.u, canvas.v, self._person.alpha)
        ]
        p = self._pad
        padded = [cv2.copyMakeBorder(plane, p, p, p, p, cv2.BORDER_REFLECT_101) for plane in shrunk]
        self._bands.run(_accumulate, padded[0].shape[0], *padded, self._gain, self._sums)
        self._bands.run(_discs, shrunk[0].shape[0], self._sums, self._reach, *shrunk[:3])
        luma, u, v = (cv2.blur(plane, (3, 3)) for plane in shrunk[:3])
        luma = cv2.LUT(luma, self._dim)
        cv2.resize(luma, self._luma.shape[::-1], dst=self._luma, interpolation=cv2.INTER_LINEAR)
        for plane, half in zip((luma, u, v), self._half, strict=True):
            cv2.resize(plane, canvas.half[::-1], dst=half, interpolation=cv2.INTER_LINEAR)
        if self._overlay is None:
            low, u, v = self._half
            self._blend.put(canvas, self._person.alpha, self._luma, (low, u, v))
            return
        for half, painted in zip(self._half, (canvas.low, canvas.u, canvas.v), strict=True):
            np.copyto(painted, half)
        self._overlay.lay(canvas, self._luma)
