"""Fixed layouts of small areas of one colour each: the tiles of a mosaic, the dabs of a pointillist.

A layout belongs to the sheet, not to the frame: it is made once for a size from fixed seeds, so that
nothing crawls. Every layout has two levels, a coarse one and a fine one for places with detail. Must
not know frames.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.engine import textures
from overpaint.engine.bands import Bands
from overpaint.engine.canvas import REFERENCE_HEIGHT
from overpaint.engine.kernels import f32, kernel

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Areas of about one size.

    Attributes:
        areas: int32 (H, W), number of the area that each pixel lies in.
        cover: uint8 (H, W), how much of a pixel the area covers; the rest is ground.
        relief: uint8 (H, W), light on the area's own form, 128 for none.
        centre: int32 (2, n), column and row of each area's middle, in pixels, inside the picture.
        parent: int32 (n,), the area of the coarse level that decides with it, or its own number.
    """

    areas: Numbers
    cover: Bytes
    relief: Bytes
    centre: Numbers
    parent: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Two levels; a fine area shows where detail asks for it, the coarse one elsewhere."""

    coarse: Level
    fine: Level


@kernel
def _tile(
    first: int, end: int, across: Any, down: Any, shift: Any, turn: Any, shape: Any, parts: int,
    columns: int, areas: Any, cover: Any, relief: Any,
) -> None:  # fmt: skip
    """Square tiles in rows, each turned a little; ``parts`` 2 cuts each into four.

    Args:
        first: First row.
        end: Row after the last.
        across: float32 (h, w), place along the rows, pixels at 1080 rows, above 0.
        down: The same across the rows.
        shift: float32 (rows of tiles,), shift of each row, in tiles.
        turn: float32 (4096,), tangents of angles.
        shape: float32 (4,): side of a coarse tile, gap, width of the bevel, pixels per unit.
        parts: Tiles along a coarse tile's side.
        columns: Coarse tiles in a row.
        areas: Written.
        cover: Written.
        relief: Written.
    """
    width = areas.shape[1]
    side, gap, bevel, scale = shape[0] / parts, shape[1], shape[2], shape[3]
    for row in range(first, end):
        for x in range(width):
            place = down[row, x] / shape[0]
            j = int(place)
            along = across[row, x] / shape[0] + shift[j]
            i = int(along)
            inner_x, inner_y = (along - i) * parts, (place - j) * parts
            sub_x, sub_y = int(inner_x), int(inner_y)
            number = (j * columns + i) * parts * parts + sub_y * parts + sub_x
            lean = turn[number & 4095]
            lx, ly = inner_x - sub_x - f32(0.5), inner_y - sub_y - f32(0.5)
            tx, ty = lx + lean * ly, ly - lean * lx
            in_x, in_y = f32(0.5) - abs(tx), f32(0.5) - abs(ty)
            inset = min(in_x, in_y) * side - gap * (f32(0.35) + abs(lean))
            lit = tx if in_x < in_y else ty
            slope = max(f32(1) - inset / bevel, f32(0))
            light = -slope if lit > 0 else slope
            areas[row, x] = number
            cover[row, x] = np.uint8(min(max(inset * scale + f32(0.5), f32(0)), f32(1)) * f32(255))
            relief[row, x] = np.uint8(f32(128) + light * f32(34))


def tiles(
    height: int, width: int, side: float, gap: float, wander: float, seed: int, bands: Bands
) -> Lattice:
    """Rows of square tiles that wander a little, each of which may be cut into four.

    Args:
        height: Rows.
        width: Columns.
        side: Side of a coarse tile, pixels at 1080 rows.
        gap: Width of the joint, pixels at 1080 rows.
        wander: How far rows stray from straight, pixels at 1080 rows.
        seed: Which layout.
        bands: Threads.
    """
    k = height / REFERENCE_HEIGHT
    x, y = textures.grid(height, width)
    wide, high = 540 * width / height, 540.0
    edge = 4 * wander + 2 * side
    across = x + wide + edge + wander * textures.noise(height, width, 420, seed)
    down = y + high + edge + wander * textures.noise(height, width, 420, seed + 1)
    columns = math.ceil((2 * wide + 2 * edge) / side) + 4
    rows = math.ceil((2 * high + 2 * edge) / side) + 4
    rng = np.random.default_rng(seed)
    shift = rng.random(rows, np.float32)
    turn = np.clip(rng.standard_normal(4096, np.float32) * 0.05, -0.14, 0.14).astype(np.float32)
    levels = []
    for parts in (1, 2):
        areas = np.zeros((height, width), np.int32)
        cover, relief = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
        shape = np.array([side, gap, max(1.5, side / parts * 0.16), k], np.float32)
        bands.run(_tile, height, across, down, shift, turn, shape, parts, columns, areas, cover, relief)
        count = rows * columns * parts * parts
        parent = np.arange(count, dtype=np.int32) // (parts * parts)
        levels.append(Level(areas, cover, relief, _middles(areas, count), parent))
    return Lattice(*levels)


def _middles(areas: Numbers, count: int) -> Numbers:
    """Columns and rows of areas' middles; the picture's middle for numbers that do not occur."""
    height, width = areas.shape
    flat = areas.ravel()
    size = np.bincount(flat, minlength=count)
    columns = np.bincount(flat, np.tile(np.arange(width), height), minlength=count)
    rows = np.bincount(flat, np.repeat(np.arange(height), width), minlength=count)
    known = np.maximum(size, 1)
    centre = np.stack([columns / known, rows / known])
    centre[:, size == 0] = [[width / 2], [height / 2]]
    return np.asarray(centre, np.int32)


@kernel
def _dab(
    first: int, end: int, seeds: Any, order: Any, pitch: Any, radius: Any, columns: int, areas: Any,
    cover: Any, relief: Any,
) -> None:  # fmt: skip
    """Round dabs over each other: each pixel belongs to the one painted last, or to the nearest."""
    width = areas.shape[1]
    for row in range(first, end):
        j = int(f32(row) / pitch) + 1
        for x in range(width):
            i = int(f32(x) / pitch) + 1
            top, best, nearest, found = f32(-1), 0, f32(1e9), f32(0)
            fallback = 0
            for dj in range(-1, 2):
                for di in range(-1, 2):
                    number = (j + dj) * columns + i + di
                    dx, dy = seeds[0, number] - f32(x), seeds[1, number] - f32(row)
                    away = np.sqrt(dx * dx + dy * dy)
                    if away < nearest:
                        nearest, fallback = away, number
                    if away < radius and order[number] > top:
                        top, best, found = order[number], number, radius - away
            if top < f32(0):
                areas[row, x] = fallback
                cover[row, x] = np.uint8(min(max(radius + f32(1) - nearest, f32(0)), f32(1)) * f32(255))
                relief[row, x] = 128
            else:
                areas[row, x] = best
                cover[row, x] = 255
                # The rim of a dab lies a little lower than its middle.
                rim = max(f32(1) - found / (radius * f32(0.35)), f32(0))
                relief[row, x] = np.uint8(f32(131) - rim * f32(14))


def dabs(height: int, width: int, pitch: float, finer: float, seed: int, bands: Bands) -> Lattice:
    """Round dabs strewn evenly but without rows; ``finer`` times smaller ones for detail.

    Args:
        height: Rows.
        width: Columns.
        pitch: Mean distance of coarse dabs, pixels at 1080 rows.
        finer: Factor between the levels.
        seed: Which layout.
        bands: Threads.
    """
    levels = []
    for step, part in enumerate((pitch, pitch / finer)):
        size = max(2.0, part * height / REFERENCE_HEIGHT)
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
