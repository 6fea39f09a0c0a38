"""Low poly (triangulation): the picture in flat triangles, small where there is detail and large elsewhere.

The mesh is that of ``bisection``. Detail decides, with hysteresis, which vertices are used, and each vertex
moves a little towards the nearest edge, so that triangles follow outlines and do not flicker in a still
scene.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.areas.bisection import Floats, close, cut, halvings, hierarchy
from overpaint.engine.passes.pass_interface import Stage

FOLLOW = 0.3
"""Weight of a new frame in the temporal average of vertices' offsets."""

LEAN_PX, LEAN_SHARE = 5.0, 0.25
"""Largest offset of a vertex: pixels at 1080 rows, and share of its ``reach``, lest triangles fold over."""

KEEP = 0.7
"""Share of the threshold below which a vertex in use is dropped (hysteresis)."""


@kernel
def _colours(
    first: int, end: int, triangles: Any, places: Any, low: Any, u: Any, v: Any, facet: Any, out: Any
) -> None:
    """Sets each triangle's luma, u and v: the mean over ten points in it, with a lightness of its own."""
    height, width = low.shape
    for t in range(first, end):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        luma, blue, red = f32(0), f32(0), f32(0)
        # All points whose barycentric coordinates are positive multiples of 1/6.
        for i in range(1, 5):
            for j in range(1, 6 - i):
                wa, wb = f32(i) * f32(1 / 6), f32(j) * f32(1 / 6)
                wc = f32(1) - wa - wb
                x = (wa * places[a, 0] + wb * places[b, 0] + wc * places[c, 0]) * f32(0.5)
                y = (wa * places[a, 1] + wb * places[b, 1] + wc * places[c, 1]) * f32(0.5)
                column = min(max(np.int32(x), np.int32(0)), np.int32(width - 1))
                row = min(max(np.int32(y), np.int32(0)), np.int32(height - 1))
                luma += f32(low[row, column])
                blue += f32(u[row, column])
                red += f32(v[row, column])
        # A fixed pseudo-random number for each triangle, as if it were tilted towards the light or away.
        turned = f32(((a * 73 + b * 151 + c * 283) & 63) - 32) * f32(1 / 32)
        luma = luma * f32(0.1) * (f32(1) + facet * turned)
        out[t, 0] = min(max(luma, f32(0)), f32(255))
        out[t, 1], out[t, 2] = blue * f32(0.1), red * f32(0.1)


@kernel
def _sorted(triangle: Any, places: Any, factor: Any, corners: Any) -> None:
    """Writes the corners of a triangle, times a factor, from top to bottom."""
    for k in range(3):
        corners[k, 0] = places[triangle[k], 0] * factor
        corners[k, 1] = places[triangle[k], 1] * factor
    for k, other in ((0, 1), (1, 2), (0, 1)):
        if corners[other, 1] < corners[k, 1]:
            for c in range(2):
                held = corners[k, c]
                corners[k, c] = corners[other, c]
                corners[other, c] = held


@kernel
def _slopes(corners: Any, slopes: Any) -> None:
    """Writes the slopes (dx/dy) of the sides of a sorted triangle: the long one, the upper, the lower."""
    for k, one, other in ((0, 0, 2), (1, 0, 1), (2, 1, 2)):
        tall = corners[other, 1] - corners[one, 1]
        slopes[k] = (corners[other, 0] - corners[one, 0]) / tall if tall > f32(1e-6) else f32(0)


@kernel
def _fill(first: int, end: int, triangles: Any, places: Any, colours: Any, out: Any) -> None:
    """Rasterises luma with anti-aliasing: two scanlines a row, and each pixel's coverage in each of them."""
    width = out.shape[1]
    out[first:end] = np.uint8(0)
    corners, slopes = np.empty((3, 2), np.float32), np.empty(3, np.float32)
    left, right = np.empty(2, np.float32), np.empty(2, np.float32)
    for t in range(triangles.shape[0]):
        _sorted(triangles[t], places, f32(1), corners)
        _slopes(corners, slopes)
        level = colours[t, 0]
        whole = np.uint8(level + f32(0.5))
        top = max(first, int(np.floor(corners[0, 1])))
        bottom = min(end, int(np.ceil(corners[2, 1])))
        for row in range(top, bottom):
            for k in range(2):
                y = f32(row) + f32(0.25) + f32(0.5) * f32(k)
                one = corners[0, 0] + slopes[0] * (y - corners[0, 1])
                if y < corners[1, 1]:
                    two = corners[0, 0] + slopes[1] * (y - corners[0, 1])
                else:
                    two = corners[1, 0] + slopes[2] * (y - corners[1, 1])
                missed = y < corners[0, 1] or y >= corners[2, 1]
                left[k], right[k] = min(one, two), max(one, two)
                if missed:
                    # This scanline does not cross the triangle: it covers no pixel, and none is solid.
                    left[k], right[k] = f32(1e9), f32(-1e9)
            outer_left, outer_right = min(left[0], left[1]), max(right[0], right[1])
            begin = min(max(int(np.floor(outer_left)), 0), width)
            stop = min(max(int(np.ceil(outer_right)), 0), width)
            solid = min(max(int(np.ceil(max(left[0], left[1]))), begin), stop)
            after = min(max(int(np.floor(min(right[0], right[1]))), begin), stop)
            if after < solid:
                solid = after = stop
            result = out[row]
            for part in range(2):
                near, far = (begin, solid) if part == 0 else (after, stop)
                for x in range(near, far):
                    a, b = f32(x), f32(x + 1)
                    share = max(min(right[0], b) - max(left[0], a), f32(0))
                    share += max(min(right[1], b) - max(left[1], a), f32(0))
                    value = f32(result[x]) + level * share * f32(0.5) + f32(0.5)
                    result[x] = np.uint8(min(value, f32(255)))
            result[solid:after] = whole


@kernel
def _dye(first: int, end: int, triangles: Any, places: Any, colours: Any, u: Any, v: Any) -> None:
    """Rasterises both chroma planes, without anti-aliasing."""
    width = u.shape[1]
    corners, slopes = np.empty((3, 2), np.float32), np.empty(3, np.float32)
    for t in range(triangles.shape[0]):
        _sorted(triangles[t], places, f32(0.5), corners)
        _slopes(corners, slopes)
        blue, red = np.uint8(colours[t, 1] + f32(0.5)), np.uint8(colours[t, 2] + f32(0.5))
        top = max(first, int(np.ceil(corners[0, 1] - f32(0.5))))
        bottom = min(end, int(np.ceil(corners[2, 1] - f32(0.5))))
        for row in range(top, bottom):
            y = f32(row) + f32(0.5)
            one = corners[0, 0] + slopes[0] * (y - corners[0, 1])
            if y < corners[1, 1]:
                two = corners[0, 0] + slopes[1] * (y - corners[0, 1])
            else:
                two = corners[1, 0] + slopes[2] * (y - corners[1, 1])
            begin = min(max(int(np.ceil(min(one, two) - f32(0.5))), 0), width)
            stop = min(max(int(np.ceil(max(one, two) - f32(0.5))), 0), width)
            u[row, begin:stop] = blue
            v[row, begin:stop] = red


class Facets:
    """A low-poly pass.

    Args:
        stage: Canvas, threads and inputs.
        largest: Side of the largest squares that triangles are cut from, pixels at 1080 rows.
        rounds: Number of times that a side may be halved; the smallest side is ``largest / 2**rounds``.
        detail: Contrast within a triangle, levels, from which it is halved.
        facet: Random difference in lightness between triangles, as a share of luma, 0..0.1.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        largest: float = 176.0,
        rounds: int = 4,
        detail: float = 6.0,
        facet: float = 0.03,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        # Triangles below eight pixels cannot be recognised, so a small picture gets fewer rounds.
        square = largest * canvas.scale
        while rounds > 1 and square / 2**rounds < 8:
            rounds -= 1
        self._rounds = halvings(rounds)
        self._mesh = stage.shelf.get(hierarchy, canvas.width, canvas.height, max(square, 24.0), rounds)
        self._used = self._mesh.level == 0
        self._lean_most = np.minimum(LEAN_PX * canvas.scale, LEAN_SHARE * self._mesh.reach)[:, None]
        self._lean: Floats = np.zeros_like(self._mesh.places)
        roots = len(self._mesh.corners)
        self._found = np.zeros((roots << self._rounds, 3), np.int32)
        self._count = np.zeros(roots, np.int32)
        self._colours = np.zeros((len(self._found), 3), np.float32)
        self._detail, self._facet = detail, f32(facet)
        self._frames = 0
        self._quarter = (max(4, canvas.width // 4), max(4, canvas.height // 4))
        # Two rounds halve the size of detail, so two rounds share one blur.
        coarse = [float(self._mesh.reach[here].mean()) for here in self._mesh.rounds[::2]]
        self._sides = [max(2, round(coarse[k // 2] / 2.8)) for k in range(len(self._mesh.rounds))]
        # Place of each vertex in the quarter-size picture; vertices outside use its edge.
        at = np.clip(self._mesh.places / 4, 0, np.array(self._quarter) - 1).astype(np.int64)
        self._column, self._row = at[:, 0], at[:, 1]

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        small = cv2.resize(canvas.low, self._quarter, interpolation=cv2.INTER_AREA).astype(np.float32)
        # The mesh is chosen on every second frame only: a delay of one frame is not noticed.
        if self._frames % 2 == 0:
            self._choose(small)
        self._frames += 1
        places = self._mesh.places + self._leaning(small)
        roots = len(self._mesh.corners)
        self._bands.run(cut, roots, self._mesh.corners, self._used, self._rounds, self._found, self._count)
        taken = np.arange(1 << self._rounds)[None] < self._count[:, None]
        triangles = np.ascontiguousarray(self._found[taken.ravel()])
        colours = self._colours[: len(triangles)]
        self._bands.run(
            _colours, len(triangles), triangles, places, canvas.low, canvas.u, canvas.v, self._facet, colours
        )
        out = canvas.fresh()
        self._bands.run(_fill, canvas.height, triangles, places, colours, out)
        self._bands.run(_dye, canvas.half[0], triangles, places, colours, canvas.u, canvas.v)
        canvas.y = out

    def _choose(self, small: NDArray[np.float32]) -> None:
        """Marks the vertices that the picture's detail requires."""
        wanted = self._mesh.level == 0
        mean: Any = small
        spread: Any = small
        for number, (here, side) in enumerate(zip(self._mesh.rounds, self._sides, strict=True), 1):
            if number == 1 or side != self._sides[number - 2]:
                mean = cv2.blur(small, (side, side))
                spread = cv2.sqrBoxFilter(small, cv2.CV_32F, (side, side))
            row, column = self._row[here], self._column[here]
            variance = spread[row, column] - mean[row, column] ** 2
            limit = self._detail * (1 + 0.12 * number) * np.where(self._used[here], KEEP, 1)
            wanted[here] = variance > limit * limit
        close(wanted, self._mesh)
        self._used = wanted

    def _leaning(self, small: NDArray[np.float32]) -> Floats:
        """Offset of each vertex towards the nearest edge, float32 (n, 2), pixels."""
        soft = cv2.GaussianBlur(small, (0, 0), 1.2)
        across, down = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
        edge = cv2.GaussianBlur(cv2.magnitude(across, down), (0, 0), 2.0)
        slopes = [
            cv2.Sobel(edge, cv2.CV_32F, *way, scale=0.125)[self._row, self._column]
            for way in ((1, 0), (0, 1))
        ]
        slope = np.stack(slopes, -1)
        size = np.hypot(slope[:, 0], slope[:, 1])[:, None]
        wanted = slope / (size + 0.15) * self._lean_most
        self._lean += FOLLOW * (wanted.astype(np.float32) - self._lean)
        return self._lean
