"""Fixed tessellations of small areas with one colour each: tiles of a mosaic, dabs of pointillism.

A layout does not depend on the frame: it is made once for a size from fixed seeds, so that areas never move.
Every layout has two levels, a coarse one and a fine one for places with detail. Must not know frames.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.bands import Bands
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.planes import half_sides, scale_of

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """A level of a layout: areas of about one size.

    Attributes:
        areas: int32 (H, W), number of the area at each pixel (label map).
        cover: uint8 (H, W), share of a pixel that the area covers, 255 for all; the rest is ground.
        relief: uint8 (H, W), shading of the area's surface, 128 for none.
        centre: int32 (2, n), column and row of each area's centre, in pixels, inside the picture.
        parent: int32 (n,), the coarse area in which a fine one lies, or the area's own number where areas
            have no parents.
    """

    areas: Numbers
    cover: Bytes
    relief: Bytes
    centre: Numbers
    parent: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """A layout with two levels: fine areas are shown where there is detail, coarse ones elsewhere."""

    coarse: Level
    fine: Level


@kernel
def _tile(
    first: int, end: int, stray: Any, shift: Any, turn: Any, shape: Any, parts: Any, columns: Any,
    areas: Any, cover: Any, relief: Any,
) -> None:  # fmt: skip
    """Draws square tiles in rows, each rotated a little; ``parts`` 2 cuts each into four.

    Args:
        first: First row.
        end: Row after the last.
        stray: float32 (2, h, w), displacement along and across the rows, pixels at 1080 rows.
        shift: float32 (rows of tiles,), shift of each row, in tiles.
        turn: float32 (4096,), tangents of the angles of rotation.
        shape: float32 (6,): side of a coarse tile, gap, width of the bevel, pixels per unit, and the offset
            of the first pixel along and across the rows, pixels at 1080 rows, larger than any displacement.
        parts: Tiles along a coarse tile's side.
        columns: Coarse tiles in a row.
        areas: Written.
        cover: Written.
        relief: Written.
    """
    width = areas.shape[1]
    whole, side, gap, bevel, scale = shape[0], shape[0] / parts, shape[1], shape[2], shape[3]
    unit, per, steep, cut = f32(1) / scale, f32(1) / whole, f32(1) / bevel, f32(parts)
    strays, leans = np.empty(width, np.int32), np.empty(width, np.float32)
    ups, lefts = np.empty(width, np.float32), np.empty(width, np.float32)
    for row in range(first, end):
        along, across = stray[0, row], stray[1, row]
        numbers, covers, reliefs = areas[row], cover[row], relief[row]
        top = shape[5] + f32(row) * unit
        for x in range(width):
            place = (top + across[x]) * per
            strays[x] = np.int32(place)
            ups[x] = place - np.floor(place)
        for x in range(width):
            leans[x] = shift[strays[x]]
        for x in range(width):
            place = (shape[4] + f32(x) * unit + along[x]) * per + leans[x]
            whole_x = np.floor(place)
            inner_x, inner_y = (place - whole_x) * cut, ups[x] * cut
            sub_x, sub_y = np.floor(inner_x), np.floor(inner_y)
            number = (strays[x] * columns + np.int32(whole_x)) * parts + np.int32(sub_y)
            numbers[x] = number * parts + np.int32(sub_x)
            lefts[x], ups[x] = inner_x - sub_x - f32(0.5), inner_y - sub_y - f32(0.5)
        for x in range(width):
            leans[x] = turn[numbers[x] & np.int32(4095)]
        for x in range(width):
            lean, lx, ly = leans[x], lefts[x], ups[x]
            tx, ty = lx + lean * ly, ly - lean * lx
            in_x, in_y = f32(0.5) - abs(tx), f32(0.5) - abs(ty)
            inset = min(in_x, in_y) * side - gap * (f32(0.35) + abs(lean))
            lit = tx if in_x < in_y else ty
            slope = max(f32(1) - inset * steep, f32(0))
            light = -slope if lit > f32(0) else slope
            covers[x] = np.uint8(min(max(inset * scale + f32(0.5), f32(0)), f32(1)) * f32(255))
            reliefs[x] = np.uint8(f32(128) + light * f32(34))


def tiles(
    height: int, width: int, side: float, gap: float, wander: float, seed: int, bands: Bands
) -> Lattice:
    """A mosaic: slightly wavy rows of square tiles, each of which may be cut into four.

    Args:
        height: Rows.
        width: Columns.
        side: Side of a coarse tile, pixels at 1080 rows.
        gap: Width of the joint, pixels at 1080 rows.
        wander: Deviation of rows from straight, pixels at 1080 rows.
        seed: Seed of the random numbers.
        bands: Thread pool for kernels.
    """
    k = scale_of(height, width)
    wide, high = half_sides(height, width)
    edge = 4 * wander + 2 * side
    stray = np.stack([textures.noise(height, width, 420, seed + way) for way in (0, 1)])
    stray *= np.float32(wander)
    begin = edge + 0.5 / k
    columns = math.ceil((2 * wide + 2 * edge) / side) + 4
    rows = math.ceil((2 * high + 2 * edge) / side) + 4
    rng = np.random.default_rng(seed)
    shift = rng.random(rows, np.float32)
    turn = np.clip(rng.standard_normal(4096, np.float32) * 0.05, -0.14, 0.14).astype(np.float32)
    levels = []
    for parts in (1, 2):
        areas = np.zeros((height, width), np.int32)
        cover, relief = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
        shape = np.array([side, gap, max(1.5, side / parts * 0.16), k, begin, begin], np.float32)
        bands.run(
            _tile, height, stray, shift, turn, shape, np.int32(parts), np.int32(columns), areas, cover, relief
        )
        count = rows * columns * parts * parts
        parent = np.arange(count, dtype=np.int32) // (parts * parts)
        levels.append(Level(areas, cover, relief, _middles(areas, count), parent))
    return Lattice(*levels)


def _middles(areas: Numbers, count: int) -> Numbers:
    """Columns and rows of areas' centroids; the picture's centre for numbers that do not occur."""
    height, width = areas.shape
    sums = np.zeros((3, count), np.int64)
    _add_up(0, height, areas, sums)
    known = np.maximum(sums[0], 1)
    centre = sums[1:] // known
    centre[:, sums[0] == 0] = [[width // 2], [height // 2]]
    return np.asarray(centre, np.int32)


@kernel
def _add_up(first: int, end: int, areas: Any, sums: Any) -> None:
    """Adds up pixels, columns and rows of each area; must not run in bands, which would share ``sums``."""
    for row in range(first, end):
        line = areas[row]
        for x in range(line.shape[0]):
            area = line[x]
            sums[0, area] += 1
            sums[1, area] += x
            sums[2, area] += row


@kernel
def _dab(
    first: int, end: int, seeds: Any, order: Any, pitch: Any, radius: Any, columns: int, areas: Any,
    cover: Any, relief: Any,
) -> None:  # fmt: skip
    """Draws overlapping round dabs: each pixel belongs to the dab painted last, or to the nearest."""
    width = areas.shape[1]
    reach = radius * radius
    top, away, found = np.empty(width, np.float32), np.empty(width, np.float32), np.empty(width, np.int32)
    for row in range(first, end):
        below = int(f32(row) / pitch) + 1
        top[:] = f32(-1)
        for number in range((below - 1) * columns, (below + 2) * columns):
            middle, dy = seeds[0, number], seeds[1, number] - f32(row)
            if dy * dy < reach:
                half = np.sqrt(reach - dy * dy)
                begin = max(int(np.floor(middle - half)) + 1, 0)
                stop = min(int(np.ceil(middle + half)), width)
                for x in range(begin, stop):
                    if order[number] > top[x]:
                        dx = middle - f32(x)
                        top[x], found[x], away[x] = order[number], number, dx * dx + dy * dy
        numbers, covers, reliefs = areas[row], cover[row], relief[row]
        for x in range(width):
            if top[x] < f32(0):
                number, near = _nearest(seeds, columns, below, int(f32(x) / pitch) + 1, f32(x), f32(row))
                numbers[x], reliefs[x] = number, 128
                covers[x] = np.uint8(min(max(f32(1) + radius - near, f32(0)), f32(1)) * f32(255))
            else:
                numbers[x], covers[x] = found[x], 255
                # The rim of a dab is shaded as a little lower than its centre.
                rim = max(f32(1) - (radius - np.sqrt(away[x])) / (radius * f32(0.35)), f32(0))
                reliefs[x] = np.uint8(f32(131) - rim * f32(14))


@kernel
def _nearest(seeds: Any, columns: int, row: int, column: int, x: Any, y: Any) -> Any:
    """The dab nearest to a place in a cell of the dabs' grid, and the distance of its centre, pixels."""
    found, nearest = 0, f32(1e9)
    for down in range(row - 1, row + 2):
        for across in range(column - 1, column + 2):
            number = down * columns + across
            dx, dy = seeds[0, number] - x, seeds[1, number] - y
            if dx * dx + dy * dy < nearest:
                found, nearest = number, dx * dx + dy * dy
    return found, np.sqrt(nearest)


def dabs(height: int, width: int, pitch: float, finer: float, seed: int, bands: Bands) -> Lattice:
    """A layout of round dabs for pointillism, on a jittered grid; ``finer`` times smaller ones for detail.

    Args:
        height: Rows.
        width: Columns.
        pitch: Mean distance of coarse dabs, pixels at 1080 rows.
        finer: Ratio of the pitch of coarse dabs to that of fine ones.
        seed: Seed of the random numbers.
        bands: Thread pool for kernels.
    """
    levels = []
    for step, part in enumerate((pitch, pitch / finer)):
        size = max(2.0, part * scale_of(height, width))
        columns, rows = math.ceil(width / size) + 3, math.ceil(height / size) + 3
        rng = np.random.default_rng(seed + step)
        jitter = rng.random((2, rows, columns), np.float32) * 0.7 + 0.15
        j, i = np.mgrid[0:rows, 0:columns].astype(np.float32)
        seeds = np.stack([(i - 1 + jitter[0]) * size, (j - 1 + jitter[1]) * size]).reshape(2, -1)
        seeds = np.asarray(seeds, np.float32)
        order = rng.random(rows * columns, np.float32)
        areas = np.zeros((height, width), np.int32)
        cover, relief = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
        bands.run(_dab, height, seeds, order, f32(size), f32(size * 0.74), columns, areas, cover, relief)
        centre = np.clip(seeds, 0, [[width - 1], [height - 1]]).astype(np.int32)
        parent = np.arange(rows * columns, dtype=np.int32)
        levels.append(Level(areas, cover, relief, centre, parent))
    return Lattice(*levels)
