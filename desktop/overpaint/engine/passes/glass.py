"""A window of stained glass: panes that follow the form, held in lead, with painted features.

Panes are a clustering of the picture around fixed seeds by place and colour (after SLIC, Achanta et
al. 2012) at quarter size, carried on from frame to frame: a pixel leaves its pane only for one that
suits it clearly better, so leads stand still in a still scene. Panes are cut into four where they hold
much detail. As glaziers do, features are painted on the glass: what a pane's one colour loses of the
frame's luma is partly put back.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine import textures
from overpaint.engine.canvas import Canvas, Plane
from overpaint.engine.kernels import f32, kernel
from overpaint.engine.passes.stage import Stage

Floats = NDArray[np.float32]

MOVED = 3
"""Change in levels from which a place has moved."""

HOLD = 0.6
"""A pane that is cut stays so until its spread falls below this share of what cut it."""

ALIKE = 14.0
"""Panes whose chroma differs less than this are parts of one thing."""


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
        picture: uint8 (3, h, w).
        seeds: float32 (2, 5n), columns and rows: n whole panes, then four parts of each.
        colours: float32 (5n, 3), what each is like.
        cut: uint8 (n,), whether a pane is cut into parts.
        grid: int64 (2,): columns of the grid of panes, panes.
        rates: float32 (4,): pitch, 1 / pitch², weight of colour, discount for the pane of the last frame.
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
    """Adds up pixels, luma, chroma and squared luma of each pane, and of the whole ones that are cut."""
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


@kernel
def _lead(first: int, end: int, panes: Any, colours: Any, count: int, lead: Any) -> None:
    """Marks where a pane meets the next one to the right or below.

    255 between panes of different colours (an outline), 200 between alike ones, 160 between parts of one.
    """
    height, width = panes.shape
    for row in range(first, end):
        below = panes[min(row + 1, height - 1)]
        own, result = panes[row], lead[row]
        for x in range(width):
            pane, mark = own[x], 0
            for other in (own[min(x + 1, width - 1)], below[x]):
                if other == pane:
                    continue
                blue = abs(colours[pane, 1] - colours[other, 1])
                red = abs(colours[pane, 2] - colours[other, 2])
                whole = pane if pane < count else (pane - count) >> 2
                beside = other if other < count else (other - count) >> 2
                if blue + red > f32(ALIKE):
                    mark = 255
                else:
                    mark = max(mark, 160 if whole == beside else 200)
            result[x] = mark


@kernel
def _spare(first: int, end: int, picture: Any, busy: Any, lead: Any) -> None:
    """Takes lead away where there is fine detail in the colours of skin: none runs through an eye."""
    width = lead.shape[1]
    for row in range(first, end):
        details, blues, reds, marks = busy[row], picture[1, row], picture[2, row], lead[row]
        for x in range(width):
            # Skin of any tone lies on one ray of chroma: more red, less blue, in about one proportion.
            warm = (f32(reds[x]) - f32(128)) - f32(0.45) * (f32(128) - f32(blues[x]))
            skin = min(max((f32(reds[x]) - f32(132)) * f32(0.2), f32(0)), f32(1))
            skin *= min(max((f32(22) - abs(warm)) * f32(0.2), f32(0)), f32(1))
            fine = min(max((f32(details[x]) - f32(3)) * f32(0.25), f32(0)), f32(1))
            if marks[x] < 255:
                marks[x] = np.uint8(f32(marks[x]) * (f32(1) - skin * fine) + f32(0.5))


@kernel
def _glaze(
    first: int, end: int, y: Any, panes: Any, colours: Any, lead: Any, relief: Any, rates: Any, out: Any,
    u: Any, v: Any,
) -> None:  # fmt: skip
    """Paints pairs of rows.

    Args:
        first: First half-size row.
        end: Half-size row after the last.
        y: uint8 (2h, 2w), the features to paint.
        panes: int32 (h / 2, w / 2).
        colours: float32 (5n, 3), of the glass.
        lead: uint8 (h, w), soft mark of lead.
        relief: uint8 (2h, 2w), light through uneven glass, 128 for even.
        rates: float32 (3,): share of features, level of the mark where lead begins, sharpness of its edge.
        out: Written.
        u: Written.
        v: Written.
    """
    height, half = lead.shape
    line = np.empty(half + 2, np.float32)
    glass = np.empty((3, half), np.float32)
    dark = np.empty(half, np.float32)
    share, begin, sharp = rates[0], rates[1], rates[2]
    rows, columns = panes.shape
    for row in range(first, end):
        own = panes[min(row >> 1, rows - 1)]
        for x in range(half):
            pane = own[min(x >> 1, columns - 1)]
            glass[0, x], glass[1, x], glass[2, x] = colours[pane, 0], colours[pane, 1], colours[pane, 2]
            dark[x] = f32(0)
        for k in range(2):
            far = min(max(row + (1 if k else -1), 0), height - 1)
            for x in range(half):
                line[x + 1] = f32(lead[row, x]) * f32(0.75) + f32(lead[far, x]) * f32(0.25)
            line[0], line[half + 1] = line[1], line[half]
            lumas, bumps, result = y[2 * row + k], relief[2 * row + k], out[2 * row + k]
            for x in range(half):
                pane_luma = glass[0, x]
                for side in range(2):
                    at = 2 * x + side
                    mark = line[x + 1] * f32(0.75) + line[x + 2 * side] * f32(0.25)
                    metal = min(max((mark - begin) * sharp, f32(0)), f32(1))
                    level = pane_luma + (f32(lumas[at]) - pane_luma) * share
                    level *= f32(bumps[at]) * f32(1 / 128)
                    # Lead is a dull round bar: a little light on its middle.
                    bar = f32(16) + max(mark - begin - f32(50), f32(0)) * f32(0.35)
                    level += (bar - level) * metal
                    dark[x] += metal
                    result[at] = np.uint8(min(max(level + f32(0.5), f32(0)), f32(255)))
        for x in range(half):
            keep = f32(1) - dark[x] * f32(0.25)
            u[row, x] = np.uint8(min(max(f32(128.5) + (glass[1, x] - f32(128)) * keep, f32(0)), f32(255)))
            v[row, x] = np.uint8(min(max(f32(128.5) + (glass[2, x] - f32(128)) * keep, f32(0)), f32(255)))


class Glass:
    """Glazes the picture.

    Args:
        stage: Where it works.
        size: Size of a whole pane, pixels at 1080 rows.
        detail: Deviation of luma, in levels, from which a pane is cut into four.
        likeness: How much colour counts against place when panes are cut out.
        features: How much of the frame's own luma is painted on the glass, 0..1.
        lead: Width of leads, pixels at 1080 rows.
        saturation: Factor on the glass's chroma.
        hue: How much panes differ in chroma beside the picture, levels.
        vary: How much they differ in luma, levels.
        seed: Which window.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        size: float = 130.0,
        detail: float = 34.0,
        likeness: float = 0.0004,
        features: float = 0.55,
        lead: float = 6.0,
        saturation: float = 1.9,
        hue: float = 7.0,
        vary: float = 10.0,
        seed: int = 91,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._size = (max(16, canvas.width // 4), max(16, canvas.height // 4))
        width, height = self._size
        pitch = max(6.0, size * canvas.scale / 4)
        columns, rows = max(2, round(width / pitch)), max(2, round(height / pitch))
        self._count = columns * rows
        self._grid = np.array([columns, self._count], np.int64)
        self._rates = np.array([pitch, 1 / pitch**2, likeness, 0.12], np.float32)
        rng = np.random.default_rng(seed)
        self._seeds = self._strew(rng, columns, rows, width / columns, height / rows)
        columns_rows = np.clip(self._seeds.astype(np.int64), 0, [[width - 1], [height - 1]])
        self._at = (columns_rows[1], columns_rows[0])
        self._panes: NDArray[np.int32] = np.full((height, width), -1, np.int32)
        self._cut = np.zeros(self._count, np.uint8)
        self._held = np.zeros(self._count, bool)
        self._coarse = (max(1, width // 8), max(1, height // 8))
        self._reach = np.ones((2 * round(1.5 * pitch / 8) + 3,) * 2, np.uint8)
        self._detail, self._saturation = detail, saturation
        self._offsets = np.stack(
            [rng.normal(0, deviation, 5 * self._count) for deviation in (vary, hue, hue)], -1
        ).astype(np.float32)
        self._picture: Plane = np.zeros((3, height, width), np.uint8)
        self._lead: Plane = np.zeros((height, width), np.uint8)
        self._mark: Plane = np.zeros(canvas.half, np.uint8)
        self._calm = max(0.8, pitch / 9)
        self._lead_sigma = max(0.55, lead * canvas.scale / 7)
        self._paint = np.array([features, 62, 1 / 34], np.float32)
        streaks = textures.fibres(canvas.height, canvas.width, 78, 160, 26, seed + 1)
        seedy = textures.noise(canvas.height, canvas.width, 7, seed + 2)
        self._relief = np.clip(128 + 7 * streaks + 3 * seedy, 60, 200).astype(np.uint8)

    def _strew(self, rng: np.random.Generator, columns: int, rows: int, wide: float, high: float) -> Floats:
        """Seeds of whole panes on a shaken grid with every second row shifted, and of their four parts."""
        j, i = np.mgrid[0:rows, 0:columns]
        shaken = rng.uniform(-0.28, 0.28, (2, rows, columns))
        x = (i + 0.5 + shaken[0] + np.where(j % 2, 0.2, -0.2)) * wide
        y = (j + 0.5 + shaken[1]) * high
        whole = np.stack([x.ravel(), y.ravel()])
        parts = []
        for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            part = np.stack([np.full(self._count, dx * wide), np.full(self._count, dy * high)]) * 0.25
            parts.append(whole + part + rng.uniform(-0.1, 0.1, (2, self._count)) * wide)
        four = np.stack(parts, -1).reshape(2, -1)
        return np.asarray(np.hstack([whole, four]), np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        rows = self._size[1]
        self._look_at(canvas)
        likes = self._likes()
        self._bands.run(
            _assign, rows, self._picture, self._seeds, likes, self._cut, self._grid,
            self._rates, self._panes,
        )  # fmt: skip
        means = self._means()
        glass = np.stack([means[:, 0], *((means[:, 1:] - 128) * self._saturation + 128).T], -1)
        glass = np.clip(glass + self._offsets, 8, 250).astype(np.float32)
        self._bands.run(_lead, rows, self._panes, means, self._count, self._lead)
        self._bands.run(_spare, rows, self._picture, self._busy(canvas), self._lead)
        soft = cv2.GaussianBlur(self._lead, (0, 0), self._lead_sigma)
        cv2.resize(soft, self._mark.shape[::-1], dst=self._mark, interpolation=cv2.INTER_CUBIC)
        out = canvas.fresh()
        self._bands.run(
            _glaze, canvas.half[0], canvas.y, self._panes, glass, self._mark, self._relief, self._paint, out,
            canvas.u, canvas.v,
        )  # fmt: skip
        canvas.y = out

    def _look_at(self, canvas: Canvas) -> None:
        """Sets the calm quarter-size picture; what has moved since the last frame forgets its pane."""
        last = self._picture[0].copy()
        for plane, small in zip((canvas.low, canvas.u, canvas.v), self._picture, strict=True):
            cv2.resize(plane, self._size, dst=small, interpolation=cv2.INTER_AREA)
            # Glass is cut in large simple shapes: an eye or a leaf is painted on it, not cut out.
            cv2.GaussianBlur(small, (0, 0), self._calm, dst=small)
        _, moved = cv2.threshold(cv2.absdiff(last, self._picture[0]), MOVED, 255, cv2.THRESH_BINARY)
        if not moved.any():
            return
        # What moves changes its neighbours' panes too: all within their reach choose anew.
        small = cv2.resize(moved, self._coarse, interpolation=cv2.INTER_AREA)
        near = cv2.resize(cv2.dilate(small, self._reach), self._size, interpolation=cv2.INTER_NEAREST) > 0
        stale = self._panes[near]
        stale = np.where(stale < self._count, stale, (stale - self._count) >> 2)
        self._held[np.unique(stale[stale >= 0])] = False
        self._panes[near] = -1

    def _likes(self) -> Floats:
        """float32 (5n, 3), the colour around each seed: by it and by place pixels choose their pane."""
        soft = [cv2.GaussianBlur(plane, (0, 0), 2 * self._calm) for plane in self._picture]
        return np.stack([plane[self._at] for plane in soft], -1).astype(np.float32)

    def _means(self) -> Floats:
        """float32 (5n, 3), the mean colour of each pane's pixels; also decides which panes are to be cut."""
        rows, count = self._size[1], self._count
        sums = np.zeros((5 * count, 5), np.float32)
        _sum(0, rows, self._picture, self._panes, count, sums)
        size = np.maximum(sums[:, 0], 1)
        means = sums[:, 1:4] / size[:, None]
        spread = np.sqrt(np.maximum(sums[:count, 4] / size[:count] - means[:count, 0] ** 2, 0))
        self._held = spread > np.where(self._held, self._detail * HOLD, self._detail)
        self._cut = self._held.astype(np.uint8)
        return np.asarray(means, np.float32)

    def _busy(self, canvas: Canvas) -> Plane:
        """uint8 (H / 4, W / 4), how much fine detail lies near by, levels."""
        quarter = cv2.resize(canvas.low_source, self._size, interpolation=cv2.INTER_AREA)
        fine = cv2.absdiff(quarter, cv2.GaussianBlur(quarter, (0, 0), self._calm))
        return np.asarray(cv2.GaussianBlur(fine, (0, 0), 1.6 * self._calm), np.uint8)
