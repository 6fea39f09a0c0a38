"""Abstraction at half size: the picture in patches of paint, and its way back to full size.

``Kuwahara`` replaces each pixel by the means of its calmest neighbouring sectors (after Kuwahara et
al. 1976 and the soft weights of Papari et al. 2007, here with eight box sectors). ``Rise`` carries
the painted half-size luma up along the edges of the full-size frame (guided filter, He et al. 2010).
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels import f32, kernel
from overpaint.engine.passes.stage import Stage

Floats = NDArray[np.float32]


@kernel
def _calm(first: int, end: int, mean: Any, square: Any, u: Any, v: Any, out: Any, power: int) -> None:
    """out[0] = weight of a sector by its variance, out[1..3] = weight times its mean colour."""
    width = mean.shape[1]
    for row in range(first, end):
        for x in range(width):
            m = mean[row, x]
            spread = max(square[row, x] - m * m, f32(0)) + f32(3)
            weight = f32(100) / (spread * spread)
            if power > 1:
                weight *= weight
            out[0, row, x] = weight
            out[1, row, x] = weight * m
            out[2, row, x] = weight * f32(u[row, x])
            out[3, row, x] = weight * f32(v[row, x])


@kernel
def _gather(first: int, end: int, parts: Any, pad: int, d: int, low: Any, u: Any, v: Any) -> None:
    """Mean of the eight sectors' colours at distance ``d``, weighted."""
    width = low.shape[1]
    for row in range(first, end):
        t, m, b = row + pad - d, row + pad, row + pad + d
        for x in range(width):
            left, mid, right = x + pad - d, x + pad, x + pad + d
            total = (
                parts[0, t, left] + parts[0, t, mid] + parts[0, t, right] + parts[0, m, left]
                + parts[0, m, right] + parts[0, b, left] + parts[0, b, mid] + parts[0, b, right]
            )  # fmt: skip
            luma = (
                parts[1, t, left] + parts[1, t, mid] + parts[1, t, right] + parts[1, m, left]
                + parts[1, m, right] + parts[1, b, left] + parts[1, b, mid] + parts[1, b, right]
            )  # fmt: skip
            blue = (
                parts[2, t, left] + parts[2, t, mid] + parts[2, t, right] + parts[2, m, left]
                + parts[2, m, right] + parts[2, b, left] + parts[2, b, mid] + parts[2, b, right]
            )  # fmt: skip
            red = (
                parts[3, t, left] + parts[3, t, mid] + parts[3, t, right] + parts[3, m, left]
                + parts[3, m, right] + parts[3, b, left] + parts[3, b, mid] + parts[3, b, right]
            )  # fmt: skip
            share = f32(1) / (total + f32(1e-20))
            low[row, x] = np.uint8(luma * share + f32(0.5))
            u[row, x] = np.uint8(blue * share + f32(0.5))
            v[row, x] = np.uint8(red * share + f32(0.5))


class Kuwahara:
    """Patches of paint, on ``low``, ``u`` and ``v``.

    Args:
        stage: Where it works.
        radius: Size of a sector, pixels at 1080 rows of the full picture.
        hardness: 1 (soft patches) or 2 (hard ones).
        rounds: How often it is applied.
    """

    def __init__(self, stage: Stage, *, radius: float = 10.0, hardness: int = 2, rounds: int = 1) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._reach = max(1, round(radius * canvas.scale / 4))
        self._side = 2 * self._reach + 1
        self._power = hardness
        self._rounds = rounds
        self._pad = self._reach
        height, width = canvas.half
        padded = (height + 2 * self._pad, width + 2 * self._pad)
        self._parts: Floats = np.zeros((4, *padded), np.float32)
        self._mean: Floats = np.zeros(padded, np.float32)
        self._square: Floats = np.zeros(padded, np.float32)
        self._planes = [np.zeros(padded, np.uint8) for _ in range(3)]
        self._chroma = [np.zeros(padded, np.uint8) for _ in range(2)]

    def apply(self, canvas: Canvas) -> None:
        """Paints ``low``, ``u`` and ``v`` in patches."""
        p, side = self._pad, (self._side, self._side)
        for _ in range(self._rounds):
            for plane, padded in zip((canvas.low, canvas.u, canvas.v), self._planes, strict=True):
                cv2.copyMakeBorder(plane, p, p, p, p, cv2.BORDER_REPLICATE, dst=padded)
            luma, u, v = self._planes
            cv2.boxFilter(luma, cv2.CV_32F, side, dst=self._mean)
            cv2.sqrBoxFilter(luma, cv2.CV_32F, side, dst=self._square)
            cv2.boxFilter(u, -1, side, dst=self._chroma[0])
            cv2.boxFilter(v, -1, side, dst=self._chroma[1])
            rows = luma.shape[0]
            self._bands.run(_calm, rows, self._mean, self._square, *self._chroma, self._parts, self._power)
            self._bands.run(
                _gather, canvas.half[0], self._parts, p, self._reach, canvas.low, canvas.u, canvas.v
            )


@kernel
def _raise(first: int, end: int, guide: Any, slope: Any, offset: Any, out: Any) -> None:
    """Sets out = slope * guide + offset, both doubled in size bilinearly; two rows at a time."""
    height, width = slope.shape
    top = np.empty(width, np.float32)
    base = np.empty(width, np.float32)
    for row in range(first, end):
        near = row >> 1
        far = min(max(near + (1 if row & 1 else -1), 0), height - 1)
        for x in range(width):
            top[x] = slope[near, x] * f32(0.75) + slope[far, x] * f32(0.25)
            base[x] = offset[near, x] * f32(0.75) + offset[far, x] * f32(0.25)
        for x in range(width):
            before, after = max(x - 1, 0), min(x + 1, width - 1)
            a = top[x] * f32(0.75)
            b = base[x] * f32(0.75)
            even = (a + top[before] * f32(0.25)) * f32(guide[row, 2 * x]) + b + base[before] * f32(0.25)
            odd = (a + top[after] * f32(0.25)) * f32(guide[row, 2 * x + 1]) + b + base[after] * f32(0.25)
            out[row, 2 * x] = np.uint8(min(max(even + f32(0.5), f32(0)), f32(255)))
            out[row, 2 * x + 1] = np.uint8(min(max(odd + f32(0.5), f32(0)), f32(255)))


class Rise:
    """Carries ``low`` up to ``y`` along the frame's edges.

    Args:
        stage: Where it works.
        crispness: 0 (plain enlargement) to 1 (edges wholly from the frame).
        reach: Radius of the fit, pixels at 1080 rows.
        softness: Variance of luma, in squared levels, below which a place counts as flat paint.
    """

    def __init__(
        self, stage: Stage, *, crispness: float = 1.0, reach: float = 6.0, softness: float = 60.0
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._crispness = np.float32(min(1.0, max(0.0, crispness)))
        self._side = 2 * max(1, round(reach * canvas.scale / 4)) + 1
        self._softness = float(softness)
        height, width = canvas.half
        self._quarter = (max(1, width // 2), max(1, height // 2))
        self._slope: Floats = np.zeros(canvas.half, np.float32)
        self._offset: Floats = np.zeros(canvas.half, np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        out = canvas.fresh()
        if self._crispness <= 0:
            cv2.resize(canvas.low, out.shape[::-1], dst=out, interpolation=cv2.INTER_LINEAR)
            canvas.y = out
            return
        # The fit is made at quarter size; what the paint has beyond it (its grain) is added at half size.
        side = (self._side, self._side)
        guide = cv2.resize(canvas.low_source, self._quarter, interpolation=cv2.INTER_AREA).astype(np.float32)
        paint = cv2.resize(canvas.low, self._quarter, interpolation=cv2.INTER_AREA).astype(np.float32)
        mean_guide, mean_paint = cv2.blur(guide, side), cv2.blur(paint, side)
        spread = cv2.sqrBoxFilter(guide, cv2.CV_32F, side) - mean_guide * mean_guide
        both = cv2.blur(guide * paint, side) - mean_guide * mean_paint
        slope = cv2.blur(both / (spread + self._softness), side) * self._crispness
        cv2.resize(slope, self._slope.shape[::-1], dst=self._slope)
        self._bands.run(_rest, canvas.half[0], canvas.low, canvas.low_source, self._slope, self._offset)
        self._bands.run(_raise, canvas.height, canvas.source, self._slope, self._offset, out)
        canvas.y = out


@kernel
def _rest(first: int, end: int, low: Any, guide: Any, slope: Any, offset: Any) -> None:
    """Sets offset = what the slope does not explain, so that the half-size mean is the paint's own."""
    width = low.shape[1]
    for row in range(first, end):
        for x in range(width):
            offset[row, x] = f32(low[row, x]) - slope[row, x] * f32(guide[row, x])
