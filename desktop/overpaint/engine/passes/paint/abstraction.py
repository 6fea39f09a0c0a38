"""Edge-preserving smoothing at half size (Kuwahara and guided filters), and guided upsampling to full size.

``Kuwahara`` replaces each pixel by a mean of its neighbouring sectors in which those with the least variance
weigh most (after Kuwahara et al. 1976 and the soft weights of Papari et al. 2007, here with eight box
sectors). ``Rise`` enlarges the painted half-size luma along the edges of the full-size frame (guided filter,
He et al. 2010). ``Smooth`` is a guided filter on its own.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.doubling import row_between
from overpaint.engine.passes.pass_interface import Stage

Floats = NDArray[np.float32]


@kernel
def _weigh(
    mean: Any, square: Any, u: Any, v: Any, hard: bool, line: Any, threes: Any, pairs: Any, d: int
) -> None:
    """Weighs the sectors of one row (least variance most), and adds up neighbours in the row.

    ``threes`` gets sums of three sectors at distance ``d``, ``pairs`` those of the two outer ones.
    """
    width = mean.shape[0]
    weights, lumas, blues, reds = line[0], line[1], line[2], line[3]
    for x in range(width):
        m = mean[x]
        spread = max(square[x] - m * m, f32(0)) + f32(3)
        weight = f32(100) / (spread * spread)
        weight = weight * weight if hard else weight
        weights[x] = weight
        lumas[x] = weight * m
        blues[x] = weight * f32(u[x])
        reds[x] = weight * f32(v[x])
    for k in range(4):
        part, three, pair = line[k], threes[k], pairs[k]
        for x in range(width - 2 * d):
            two = part[x] + part[x + 2 * d]
            pair[x] = two
            three[x] = two + part[x + d]


@kernel
def _gather(
    first: int, end: int, mean: Any, square: Any, u: Any, v: Any, hard: bool, d: int,
    low: Any, blue: Any, red: Any,
) -> None:  # fmt: skip
    """Weighted mean of the eight sectors at distance ``d``; the inputs are padded by ``d`` on all sides.

    Rows of weighted sectors are kept in a ring buffer of ``2 * d + 1`` rows, which fits the CPU cache.
    """
    width = low.shape[1]
    ring = 2 * d + 1
    line = np.empty((4, width + 2 * d), np.float32)
    threes = np.empty((ring, 4, width), np.float32)
    pairs = np.empty((ring, 4, width), np.float32)
    for row in range(first, first + 2 * d):
        slot = row % ring
        _weigh(mean[row], square[row], u[row], v[row], hard, line, threes[slot], pairs[slot], d)
    for row in range(first, end):
        last = row + 2 * d
        slot = last % ring
        _weigh(mean[last], square[last], u[last], v[last], hard, line, threes[slot], pairs[slot], d)
        top, middle, bottom = threes[row % ring], pairs[(row + d) % ring], threes[slot]
        for k in range(4):
            above, beside, below, total = top[k], middle[k], bottom[k], line[k]
            for x in range(width):
                total[x] = above[x] + beside[x] + below[x]
        lumas, blues, reds = low[row], blue[row], red[row]
        weights, first_sum, second, third = line[0], line[1], line[2], line[3]
        for x in range(width):
            share = f32(1) / (weights[x] + f32(1e-20))
            lumas[x] = np.uint8(first_sum[x] * share + f32(0.5))
            blues[x] = np.uint8(second[x] * share + f32(0.5))
            reds[x] = np.uint8(third[x] * share + f32(0.5))


class Kuwahara:
    """A Kuwahara-filter pass on ``low``, ``u`` and ``v``, which gives patches of paint.

    Args:
        stage: Canvas, threads and inputs.
        radius: Size of a sector, pixels at 1080 rows of the full picture.
        hardness: 1 (soft patches) or 2 (hard patches).
        rounds: Number of times that the filter is applied.
    """

    def __init__(self, stage: Stage, *, radius: float = 10.0, hardness: int = 2, rounds: int = 1) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._pad = max(1, round(radius * canvas.scale / 4))
        self._side = 2 * self._pad + 1
        self._hard = hardness > 1
        self._rounds = rounds
        height, width = canvas.half
        padded = (height + 2 * self._pad, width + 2 * self._pad)
        self._mean: Floats = np.zeros(padded, np.float32)
        self._square: Floats = np.zeros(padded, np.float32)
        self._planes = [np.zeros(padded, np.uint8) for _ in range(3)]
        self._chroma = [np.zeros(padded, np.uint8) for _ in range(2)]

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``."""
        p, side = self._pad, (self._side, self._side)
        for _ in range(self._rounds):
            for plane, padded in zip((canvas.low, canvas.u, canvas.v), self._planes, strict=True):
                cv2.copyMakeBorder(plane, p, p, p, p, cv2.BORDER_REPLICATE, dst=padded)
            luma, u, v = self._planes
            cv2.boxFilter(luma, cv2.CV_32F, side, dst=self._mean)
            cv2.sqrBoxFilter(luma, cv2.CV_32F, side, dst=self._square)
            cv2.boxFilter(u, -1, side, dst=self._chroma[0])
            cv2.boxFilter(v, -1, side, dst=self._chroma[1])
            self._bands.run(
                _gather, canvas.half[0], self._mean, self._square, *self._chroma, self._hard, p,
                canvas.low, canvas.u, canvas.v,
            )  # fmt: skip


@kernel
def _raise(first: int, end: int, guide: Any, slope: Any, offset: Any, out: Any) -> None:
    """Sets out = slope * guide + offset, with slope and offset (half size) enlarged bilinearly."""
    width = slope.shape[1]
    slopes = np.empty(width + 2, np.float32)
    offsets = np.empty(width + 2, np.float32)
    for row in range(first, end):
        row_between(slope, row, slopes)
        row_between(offset, row, offsets)
        lumas, result = guide[row], out[row]
        for x in range(width):
            a = slopes[x + 1] * f32(0.75)
            b = offsets[x + 1] * f32(0.75) + f32(0.5)
            even = (a + slopes[x] * f32(0.25)) * f32(lumas[2 * x]) + b + offsets[x] * f32(0.25)
            odd = (a + slopes[x + 2] * f32(0.25)) * f32(lumas[2 * x + 1]) + b + offsets[x + 2] * f32(0.25)
            result[2 * x] = np.uint8(min(max(even, f32(0)), f32(255)))
            result[2 * x + 1] = np.uint8(min(max(odd, f32(0)), f32(255)))


class Rise:
    """A guided-upsampling pass: enlarges ``low`` to ``y`` along the frame's edges.

    Args:
        stage: Canvas, threads and inputs.
        crispness: 0 (plain enlargement) to 1 (edges wholly from the frame).
        reach: Radius of the guided filter, pixels at 1080 rows.
        softness: Regulariser of the guided filter: variance of luma, in squared levels, below which a place
            counts as flat.
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
        # The fit is made at quarter size; its residual (the grain of the paint) is added at half size.
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
    """Sets offset = low - slope * guide, the residual of the fit, so that the paint keeps its own mean."""
    width = low.shape[1]
    for row in range(first, end):
        paint, lumas, slopes, offsets = low[row], guide[row], slope[row], offset[row]
        for x in range(width):
            offsets[x] = f32(paint[x]) - slopes[x] * f32(lumas[x])


class Smooth:
    """An edge-preserving smoothing pass: a guided filter with the picture as its own guide.

    Smooths flat places such as skin and walls, and keeps edges.

    Args:
        stage: Canvas, threads and inputs.
        reach: Radius of the filter, pixels at 1080 rows.
        softness: Regulariser: variance of luma, in squared levels, below which a place is smoothed.
        share: Strength of the smoothing, 0..1.
    """

    def __init__(
        self, stage: Stage, *, reach: float = 14.0, softness: float = 40.0, share: float = 0.8
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._side = 2 * max(1, round(reach * canvas.scale / 4)) + 1
        self._softness, self._share = float(softness), float(share)
        height, width = canvas.half
        self._quarter = (max(1, width // 2), max(1, height // 2))
        self._slope: Floats = np.zeros(canvas.half, np.float32)
        self._offset: Floats = np.zeros(canvas.half, np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y`` and ``low``."""
        side = (self._side, self._side)
        guide = cv2.resize(canvas.low, self._quarter, interpolation=cv2.INTER_AREA).astype(np.float32)
        mean = cv2.blur(guide, side)
        spread = np.maximum(cv2.sqrBoxFilter(guide, cv2.CV_32F, side) - mean * mean, 0)
        slope: Any = 1 - self._share * self._softness / (spread + self._softness)
        offset = cv2.blur((1 - slope) * mean, side)
        slope = cv2.blur(slope, side)
        cv2.resize(slope, self._slope.shape[::-1], dst=self._slope)
        cv2.resize(offset, self._offset.shape[::-1], dst=self._offset)
        out = canvas.fresh()
        self._bands.run(_raise, canvas.height, canvas.y, self._slope, self._offset, out)
        canvas.y = out
        cv2.resize(out, canvas.low.shape[::-1], dst=canvas.low, interpolation=cv2.INTER_AREA)
