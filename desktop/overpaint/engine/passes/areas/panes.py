"""Superpixels (panes): areas of similar colour that follow forms and stand still in a still scene.

The picture is clustered around fixed seeds by place and colour (after SLIC, Achanta et al. 2012) at quarter
size. A pixel's last pane is remembered, and the pixel changes to another only if that is clearly nearer.
Where something has moved, this memory is cleared. So panes neither crawl nor leave trails. Panes with much
detail are cut into four. Must not know how panes are painted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.bands import Bands
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

STAY = 0.12
"""Advantage of a pixel's last pane, in squared pitches (hysteresis)."""

MOVED = 3
"""Change in levels above which a place counts as moved."""

HOLD = 0.6
"""Share of the threshold below which the spread of a cut pane must fall to join it again (hysteresis)."""


@kernel
def _assign(
    first: int,
    end: int,
    picture: Any,
    seeds: Any,
    colours: Any,
    cut: Any,
    grid: Any,
    rates: Any,
    panes: Any,
) -> None:
    """Gives each pixel its pane: the nearest seed by place and colour, then its nearest part.

    Args:
        first: First row.
        end: Row after the last.
        picture: uint8 (3, h, w), luma, u, v.
        seeds: float32 (2, 5n), columns and rows of seeds: n whole panes, then four parts of each.
        colours: float32 (5n, 3), colour at each seed.
        cut: uint8 (n,), whether a pane is cut into parts.
        grid: int64 (2,): columns of the grid of panes, number of panes n.
        rates: float32 (4,): pitch, 1 / pitch², weight of colour, advantage of the pane of the last frame.
        panes: int32 (h, w), read and written.
    """
    width = panes.shape[1]
    columns, count = grid[0], grid[1]
    pitch, near, likeness, stay = rates[0], rates[1], rates[2], rates[3]
    rows = count // columns
    for row in range(first, end):
        j = min(int(f32(row) / pitch), rows - 1)
        for x in range(width):
            i = min(int(f32(x) / pitch), columns - 1)
            luma, blue, red = f32(picture[0, row, x]), f32(picture[1, row, x]), f32(picture[2, row, x])
            last = panes[row, x]
            whole = last if last < count else (last - count) >> 2
            best, found = f32(1e9), 0
            for dj in range(max(j - 1, 0), min(j + 2, rows)):
                for di in range(max(i - 1, 0), min(i + 2, columns)):
                    pane = dj * columns + di
                    dx, dy = seeds[0, pane] - f32(x), seeds[1, pane] - f32(row)
                    a, b, c = colours[pane, 0] - luma, colours[pane, 1] - blue, colours[pane, 2] - red
                    far = (dx * dx + dy * dy) * near + (
                        f32(0.3) * a * a + f32(8) * (b * b + c * c)
                    ) * likeness
                    if pane == whole:
                        far -= stay
                    if far < best:
                        best, found = far, pane
            if cut[found]:
                best, part = f32(1e9), 0
                for pane in range(count + 4 * found, count + 4 * found + 4):
                    dx, dy = seeds[0, pane] - f32(x), seeds[1, pane] - f32(row)
                    a, b, c = colours[pane, 0] - luma, colours[pane, 1] - blue, colours[pane, 2] - red
                    far = (dx * dx + dy * dy) * near * f32(4) + (
                        f32(0.3) * a * a + f32(8) * (b * b + c * c)
                    ) * likeness
                    if pane == last:
                        far -= stay
                    if far < best:
                        best, part = far, pane
                found = part
            panes[row, x] = found


@kernel
def _sum(first: int, end: int, picture: Any, panes: Any, count: int, sums: Any) -> None:
    """Adds up pixels, luma, chroma and squared luma of each pane; parts also count for their whole pane."""
    width = panes.shape[1]
    for row in range(first, end):
        for x in range(width):
            pane = panes[row, x]
            luma, blue, red = f32(picture[0, row, x]), f32(picture[1, row, x]), f32(picture[2, row, x])
            for _ in range(2):
                sums[pane, 0] += f32(1)
                sums[pane, 1] += luma
                sums[pane, 2] += blue
                sums[pane, 3] += red
                sums[pane, 4] += luma * luma
                if pane < count:
                    break
                pane = (pane - count) >> 2


class Panes:
    """The segmentation of successive pictures into panes (superpixels).

    Args:
        bands: Thread pool for kernels.
        size: Width and height of the pictures, pixels.
        pitch: Distance of two seeds, pixels.
        detail: Standard deviation of luma, in levels, above which a pane is cut into four.
        likeness: Weight of squared colour distance against squared distance in pitches.
        seed: Seed of the random numbers.

    Attributes:
        count: Number of whole panes; with the four parts of each there are ``5 * count``.
        areas: int32 (h, w), the pane of each pixel: below ``count`` a whole one, then four parts of each.
        means: float32 (5 * count, 3), mean luma, u and v of each pane.
    """

    def __init__(
        self, bands: Bands, size: tuple[int, int], pitch: float, detail: float, likeness: float, seed: int
    ) -> None:
        self._bands = bands
        width, height = self._size = size
        columns, rows = max(2, round(width / pitch)), max(2, round(height / pitch))
        self.count = columns * rows
        self._grid = np.array([columns, self.count], np.int64)
        self._rates = np.array([pitch, 1 / pitch**2, likeness, STAY], np.float32)
        self._seeds = self._strew(np.random.default_rng(seed), columns, rows)
        place = np.clip(self._seeds.astype(np.int64), 0, [[width - 1], [height - 1]])
        self._at = (place[1], place[0])
        # The picture is blurred first, so that panes have large simple shapes and leave out small details.
        self._calm = (2 * max(1, round(pitch / 11)) + 1,) * 2
        self._coarse = (max(1, width // 8), max(1, height // 8))
        self._reach = np.ones((2 * round(1.5 * pitch / 8) + 3,) * 2, np.uint8)
        self._detail = detail
        self._cut = np.zeros(self.count, bool)
        self._held = np.ones(self.count, bool)
        self._picture: Plane = np.zeros((3, height, width), np.uint8)
        self.areas: NDArray[np.int32] = np.full((height, width), -1, np.int32)
        self.means: Floats = np.zeros((5 * self.count, 3), np.float32)

    def _strew(self, rng: np.random.Generator, columns: int, rows: int) -> Floats:
        """Seeds of whole panes on a jittered grid with every second row shifted, and of their four parts."""
        wide, high = self._size[0] / columns, self._size[1] / rows
        j, i = np.mgrid[0:rows, 0:columns]
        shaken = rng.uniform(-0.28, 0.28, (2, rows, columns))
        x = (i + 0.5 + shaken[0] + np.where(j % 2, 0.2, -0.2)) * wide
        y = (j + 0.5 + shaken[1]) * high
        whole = np.stack([x.ravel(), y.ravel()])
        parts = []
        for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            part = np.stack([np.full(self.count, dx * wide), np.full(self.count, dy * high)]) * 0.25
            parts.append(whole + part + rng.uniform(-0.1, 0.1, (2, self.count)) * wide)
        return np.asarray(np.hstack([whole, np.stack(parts, -1).reshape(2, -1)]), np.float32)

    def follow(self, planes: Sequence[Plane]) -> None:
        """Segments the next picture: sets ``areas`` and ``means``.

        Args:
            planes: Luma, u and v; uint8, of any size; they are resized to ``size``.
        """
        self._take(planes)
        likes = np.stack([cv2.blur(plane, self._calm)[self._at] for plane in self._picture], -1)
        self._bands.run(
            _assign, self._size[1], self._picture, self._seeds, likes.astype(np.float32),
            self._cut.view(np.uint8), self._grid, self._rates, self.areas,
        )  # fmt: skip
        sums = np.zeros((5 * self.count, 5), np.float32)
        _sum(0, self._size[1], self._picture, self.areas, self.count, sums)
        size = np.maximum(sums[:, 0], 1)
        self.means = np.asarray(sums[:, 1:4] / size[:, None], np.float32)
        square = sums[: self.count, 4] / size[: self.count]
        spread = np.sqrt(np.maximum(square - self.means[: self.count, 0] ** 2, 0))
        self._cut = spread > np.where(self._cut & self._held, self._detail * HOLD, self._detail)

    def _take(self, planes: Sequence[Plane]) -> None:
        """Sets the blurred picture, and clears the panes of places that have moved since the last one."""
        last = self._picture[0].copy()
        for plane, small in zip(planes, self._picture, strict=True):
            cv2.resize(plane, self._size, dst=small, interpolation=cv2.INTER_AREA)
            cv2.blur(cv2.blur(small, self._calm), self._calm, dst=small)
        self._held = np.ones(self.count, bool)
        _, moved = cv2.threshold(cv2.absdiff(last, self._picture[0]), MOVED, 255, cv2.THRESH_BINARY)
        if not moved.any():
            return
        # A movement also changes the panes around it: all pixels within their reach choose again.
        small = cv2.resize(moved, self._coarse, interpolation=cv2.INTER_AREA)
        near = cv2.resize(cv2.dilate(small, self._reach), self._size, interpolation=cv2.INTER_NEAREST) > 0
        stale = self.areas[near]
        stale = np.where(stale < self.count, stale, (stale - self.count) >> 2)
        self._held[np.unique(stale[stale >= 0])] = False
        self.areas[near] = -1
