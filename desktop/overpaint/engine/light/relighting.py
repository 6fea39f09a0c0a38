"""Relighting: an exposure applied to the planes of a canvas, and their noise reduced by as much as it grows.

Gains are found at a sixteenth of the size and fitted to edges by a guided filter (He et al. 2010), so that no
bright seam surrounds a dark head. Noise is cored in three octaves (Laplacian pyramid): what differs from the
next coarser picture by less than noise does is taken away. Must not know why an exposure was chosen.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.light.exposure import Exposure
from overpaint.engine.passes.doubling import row_between
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

CORE = 2.2
"""Difference that is half taken away, in standard deviations of noise."""

COARSER = 0.75
"""Ratio of noise from an octave to the next coarser one: white noise has 0.5, that of JPEG more."""

LEAST_NOISE = 1.3
"""Least noise that is reckoned with, levels: JPEG rounds noise off where it is fine, and leaves blotches."""

EDGE, REACH = 12.0, 2
"""Standard deviation of corrected luma, in levels, from which a place is an edge of the gains, and radius of
the filter in pixels of the sixteenth."""

COLOUR = 0.75
"""Share of luma's factor that chroma gets: dark pictures are more colourful than bright ones already."""


@kernel
def _core(first: int, end: int, plane: Any, coarse: Any, noise: Any, out: Any) -> None:
    """Out = coarse plus what of plane differs from it by more than noise (Wiener-like coring)."""
    for row in range(first, end):
        fine, soft, result = plane[row], coarse[row], out[row]
        for x in range(soft.shape[0]):
            detail = f32(fine[x]) - soft[x]
            square = detail * detail
            result[x] = soft[x] + detail * square / (square + noise + f32(1e-3))


@kernel
def _core_row(plane: Any, row: int, coarse: Any, noise: Any, line: Any, out: Any) -> None:
    """As ``_core``, for one row and against a plane of half the size; ``out`` repeats the row's ends."""
    height, width = plane.shape
    row = min(max(row, 0), height - 1)
    row_between(coarse, row, line)
    fine = plane[row]
    for x in range(width >> 1):
        middle = line[x + 1] * f32(0.75)
        out[2 * x + 1] = middle + line[x] * f32(0.25)
        out[2 * x + 2] = middle + line[x + 2] * f32(0.25)
    if width & 1:
        out[width] = line[coarse.shape[1]]
    for x in range(width):
        soft = out[x + 1]
        detail = f32(fine[x]) - soft
        square = detail * detail
        out[x + 1] = soft + detail * square / (square + noise + f32(1e-3))
    out[0], out[width + 1] = out[1], out[width]


@kernel
def _lift_row(lumas: Any, near: Any, far: Any, lift: Any, bend: Any, limit: Any, out: Any) -> None:
    """Cores a row of luma against the half-size rows beside it, and lifts it along its curves."""
    for x in range(lift.shape[0]):
        middle = near[x + 1] * f32(0.75) + far[x + 1] * f32(0.25)
        left = near[x] * f32(0.75) + far[x] * f32(0.25)
        right = near[x + 2] * f32(0.75) + far[x + 2] * f32(0.25)
        # The cored luma, n / d, goes through the curve in the same division.
        soft = middle * f32(0.75) + left * f32(0.25)
        change = f32(lumas[2 * x]) - soft
        square = change * change
        d = square + limit[x]
        n = soft * d + change * square
        out[2 * x] = np.uint8(min(max(lift[x] * n / (d + bend[x] * n) + f32(0.5), f32(0)), f32(255)))
        soft = middle * f32(0.75) + right * f32(0.25)
        change = f32(lumas[2 * x + 1]) - soft
        square = change * change
        d = square + limit[x]
        n = soft * d + change * square
        out[2 * x + 1] = np.uint8(min(max(lift[x] * n / (d + bend[x] * n) + f32(0.5), f32(0)), f32(255)))


@kernel
def _relight(
    first: int, end: int, y: Any, low: Any, coarse: Any, gain: Any,
    scale: Any, noise: Any, octave: Any, out: Any, out_low: Any,
) -> None:  # fmt: skip
    """Takes luma's noise away and lifts it, for each row of the half-size planes.

    Args:
        first: First row of the half-size planes.
        end: Row after the last one.
        y: uint8, luma.
        low: uint8, luma at half size.
        coarse: float32, luma at a quarter of the size, without noise.
        gain: float32, gains of curves, as wide as ``low`` and of any height.
        scale: Factor on luma before the curve.
        noise: Square of a detail of ``y`` that is half taken away.
        octave: The same of ``low``.
        out: uint8, luma in its new light.
        out_low: uint8, the same at half size.
    """
    height, width = low.shape
    rows = gain.shape[0]
    line = np.empty(coarse.shape[1] + 2, np.float32)
    soft = np.empty((3, width + 2), np.float32)
    lift, bend, limit = np.empty(width, np.float32), np.empty(width, np.float32), np.empty(width, np.float32)
    _core_row(low, first - 1, coarse, octave, line, soft[(first - 1) % 3])
    _core_row(low, first, coarse, octave, line, soft[first % 3])
    for row in range(first, end):
        _core_row(low, row + 1, coarse, octave, line, soft[(row + 1) % 3])
        at = (f32(row) + f32(0.5)) * f32(rows) / f32(height) - f32(0.5)
        at = min(max(at, f32(0)), f32(rows - 1))
        above = min(int(at), rows - 1)
        t = at - f32(above)
        upper, lower = gain[above], gain[min(above + 1, rows - 1)]
        for x in range(width):
            g = upper[x] + (lower[x] - upper[x]) * t
            lift[x], bend[x] = g * scale, (g - f32(1)) * scale * f32(1 / 255)
            limit[x] = noise * min(max((g * scale - f32(1.1)) * f32(0.7), f32(0)), f32(1)) + f32(1e-3)
        near, top, bottom = soft[row % 3], out[2 * row], out[2 * row + 1]
        _lift_row(y[2 * row], near, soft[(row + 2) % 3], lift, bend, limit, top)
        _lift_row(y[2 * row + 1], near, soft[(row + 1) % 3], lift, bend, limit, bottom)
        half = out_low[row]
        for x in range(width):
            four = np.uint32(top[2 * x]) + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1]
            half[x] = np.uint8((four + 2) >> 2)


@kernel
def _recolour(
    first: int, end: int, low: Any, lit: Any, soft_u: Any, soft_v: Any, casts: Any, share: Any, u: Any, v: Any
) -> None:
    """Scales chroma with luma, and takes a cast away that is a share of luma."""
    cast_u, cast_v = casts
    for row in range(first, end):
        before, after, us, vs, out_u, out_v = low[row], lit[row], soft_u[row], soft_v[row], u[row], v[row]
        for x in range(before.shape[0]):
            bright = f32(after[x])
            ratio = (bright + f32(8)) / (f32(before[x]) + f32(8))
            factor = f32(1) + (min(ratio, f32(5)) - f32(1)) * share
            tinted = bright * (f32(1) - bright * bright * f32(1 / 65025))  # clipped places have no cast left
            new_u = (f32(us[x]) - f32(128)) * factor - cast_u * tinted + f32(128.5)
            new_v = (f32(vs[x]) - f32(128)) * factor - cast_v * tinted + f32(128.5)
            out_u[x] = np.uint8(min(max(new_u, f32(0)), f32(255)))
            out_v[x] = np.uint8(min(max(new_v, f32(0)), f32(255)))


class Relighting:
    """Applies exposures to one canvas.

    Args:
        canvas: The canvas.
        bands: Thread pool for kernels.
    """

    def __init__(self, canvas: Canvas, bands: Bands) -> None:
        self._bands = bands
        rows, columns = canvas.half
        # Rounded up, so that each row and column at half size has one at a quarter of the size.
        self._quarter = (-(-columns // 2), -(-rows // 2))
        self._eighth, self._sixteenth = (columns // 4, rows // 4), (columns // 8, rows // 8)
        self._gain: Floats = np.zeros((self._sixteenth[1], columns), np.float32)
        self._soft: tuple[Plane, Plane] = (np.zeros_like(canvas.u), np.zeros_like(canvas.v))
        self._lit: tuple[Plane, Plane] = (np.zeros_like(canvas.source), np.zeros_like(canvas.low_source))

    def apply(self, canvas: Canvas, exposure: Exposure, noise: float) -> None:
        """Corrects ``source``, ``low_source``, ``u`` and ``v`` of a canvas that was begun.

        Args:
            canvas: The canvas.
            exposure: The correction.
            noise: Standard deviation of luma's noise, levels.
        """
        run, rows = self._bands.run, canvas.half[0]
        former, low = canvas.source, canvas.low_source
        noise = max(noise, LEAST_NOISE) * CORE
        quarter = cv2.resize(low, self._quarter, interpolation=cv2.INTER_AREA)
        eighth = cv2.resize(quarter, self._eighth, interpolation=cv2.INTER_AREA)
        gain = self._gains(cv2.resize(eighth, self._sixteenth, interpolation=cv2.INTER_AREA), exposure)
        cv2.resize(gain, self._gain.shape[::-1], dst=self._gain, interpolation=cv2.INTER_LINEAR)
        coarse = cv2.resize(eighth.astype(np.float32), self._quarter)
        run(_core, len(coarse), quarter, coarse, f32((noise * COARSER**2) ** 2), coarse)
        squares = f32(noise**2), f32((noise * COARSER) ** 2)
        run(_relight, rows, former, low, coarse, self._gain, f32(exposure.scale), *squares, *self._lit)
        for plane, soft in zip((canvas.u, canvas.v), self._soft, strict=True):
            cv2.blur(plane, (5, 5), dst=soft)
        casts = (f32(exposure.cast[0]), f32(exposure.cast[1]))
        run(_recolour, rows, low, self._lit[1], *self._soft, casts, f32(COLOUR), canvas.u, canvas.v)
        canvas.source, canvas.low_source = self._lit
        self._lit = former, low
        canvas.restart()

    def _gains(self, small: Any, exposure: Exposure) -> Floats:
        """float32 gains at a sixteenth of the size, smooth within things and not across their edges."""
        scaled = cv2.convertScaleAbs(small, alpha=exposure.scale)
        gains = cv2.LUT(scaled, exposure.gains())
        guide = cv2.LUT(scaled, np.asarray(exposure.curve * 255, np.float32))
        side = (2 * REACH + 1,) * 2
        mean, middle = cv2.blur(guide, side), cv2.blur(gains, side)
        spread = cv2.blur(guide * guide, side) - mean * mean
        slope = (cv2.blur(guide * gains, side) - mean * middle) / (spread + EDGE * EDGE)
        offset = middle - slope * mean
        fitted = cv2.blur(slope, side) * guide + cv2.blur(offset, side)
        return np.asarray(np.clip(fitted, gains.min(), gains.max()), np.float32)
