"""The kernels that look a solid texture up at the places of a figure: coordinates, texels, faces left plain.

Must not know what a texture shows, nor how it is lit (``shading``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overpaint.engine.kernels.compilation import f32, kernel


@kernel
def between(row: int, height: int, planes: Any, begin: int, first: Any, second: Any) -> None:
    """One row of two planes of fewer rows than ``height``, from a column on, interpolated."""
    rows = planes.shape[1]
    at = (f32(row) + f32(0.5)) * f32(rows) / f32(height) - f32(0.5)
    # At the picture's edges continued, not cut off: a texture would be drawn out there.
    upper = min(max(int(at), 0), rows - 2)
    lower = upper + 1
    t = at - f32(upper)
    s = f32(1) - t
    a0, a1 = planes[0, upper, begin:], planes[0, lower, begin:]
    b0, b1 = planes[1, upper, begin:], planes[1, lower, begin:]
    for x in range(first.shape[0]):
        first[x] = a0[x] * s + a1[x] * t
        second[x] = b0[x] * s + b1[x] * t


@kernel
def place(right: Any, below: Any, turn: Any, texels: Any, spots: Any) -> None:
    """Looks up each place in the texture, which repeats."""
    side = f32(turn) + f32(1)
    for x in range(spots.shape[0]):
        column = np.int32(right[x] + f32(65536)) & turn
        line = np.int32(below[x] + f32(65536)) & turn
        spots[x] = np.int32(f32(line) * side + f32(column))
    for x in range(spots.shape[0]):
        spots[x] = texels[np.uintp(spots[x])]


@kernel
def quieten(row: int, height: int, faces: Any, begin: int, quiet: Any, spots: Any, shares: Any) -> None:
    """Fades texels to the usual value and to no relief by how far they lie in a face (``shares``)."""
    rows = faces.shape[0]
    at = (f32(row) + f32(0.5)) * f32(rows) / f32(height) - f32(0.5)
    upper = min(max(int(at), 0), rows - 2)
    t = at - f32(upper)
    above, below = faces[upper, begin:], faces[upper + 1, begin:]
    for x in range(spots.shape[0]):
        spot = spots[x]
        share = min(max(above[x] + (below[x] - above[x]) * t, f32(0)), f32(1)) * quiet[1]
        shares[x] = share
        value, across, down = f32(spot & 255), f32((spot >> 8) & 255), f32((spot >> 16) & 255)
        value += (quiet[0] - value) * share
        across += (f32(128) - across) * share
        down += (f32(128) - down) * share
        spots[x] = np.int32(value) | (np.int32(across) << 8) | (np.int32(down) << 16)
