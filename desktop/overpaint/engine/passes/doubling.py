"""Bilinear upsampling of half-size planes inside a kernel, a row at a time, without a full-size plane.

A row of the full-size plane lies a quarter of a row's distance from the nearer half-size row. When this file
changes, numba does not renew the cached kernels that call it. The engine's cache folder changes then
(``cpu.kernels_of``); the cache beside the sources does not. Must not know what is done with a row.
"""

from __future__ import annotations

from typing import Any

from overpaint.engine.kernels.compilation import f32, kernel


@kernel
def row_between(plane: Any, row: int, line: Any) -> None:
    """Sets ``line`` to one row of a plane of twice the height.

    Args:
        plane: uint8 or float32 (h, w).
        row: Number of the row in the full-size plane.
        line: float32 (w + 2,), the row with its ends repeated: full-size column ``2 x`` has 3/4 of
            ``line[x + 1]`` and 1/4 of ``line[x]``, column ``2 x + 1`` 1/4 of ``line[x + 2]`` instead.
    """
    height, width = plane.shape
    near = row >> 1
    far = min(max(near + (1 if row & 1 else -1), 0), height - 1)
    close, distant = plane[near], plane[far]
    for x in range(width):
        line[x + 1] = close[x] * f32(0.75) + distant[x] * f32(0.25)
    line[0], line[width + 1] = line[1], line[width]
