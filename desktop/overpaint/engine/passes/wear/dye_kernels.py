"""Kernels that recolour a part of a person: local means and folds, and the new luma and chroma of each pixel.

Shade is the ratio of a pixel's luma to what is usual around it; a table makes of it what light does to the
new cloth. Must not know what is measured over a whole part, nor what a cloth is called.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from overpaint.engine.kernels.compilation import f32, kernel

TOE = 20.0
"""Levels added to luma before ratios are taken: what is black shows noise and glare, not folds."""

PRINT, FLAT = 15.0, 0.85
"""Standard deviation of luma, levels, above which a place shows a print and not folds, and share of a print's
contrast that is taken away."""

SHOULDER = 208.0
"""Luma from which highlights are compressed."""

SHIFT = 1 << 14
"""Added to places on a fabric, which are then positive: a multiple of every fabric's side."""

STEPS, ENTRIES = 400, 1024
"""Entries of a table for a shade of 1, where luma is the part's usual one, and in all."""

MEAN, CHROMA_U, CHROMA_V, SLOPE, OFFSET, U, V, PHASE = range(8)
"""Planes of a part that are made at the small picture's size: mean luma and chroma, the line that gives the
luma of a shade of 1 by that of a pixel, the place on the fabric, and which way a sequin must look to
shine."""


@kernel
def _plain_row(begin: int, stop: int, cloth: Any, step: Any, tables: Any, new: Any) -> None:
    """New luma of a row of plain cloth."""
    for side in range(2):
        for x in range(begin, stop):
            at = np.uintp(step[side, x])
            new[side, x] = cloth * tables[0, at] - f32(TOE) + tables[1, at]


@kernel
def _woven_row(
    begin: int, stop: int, lines: Any, light: Any, share: Any, step: Any, tables: Any, fabric: Any,
    glints: Any, glint: Any, new: Any,
) -> None:  # fmt: skip
    """New luma of a row of woven cloth; ``share`` becomes 0 where the part covers next to nothing."""
    last, one, shiny = np.uint32(fabric.shape[0] - 1), np.uint32(1), glints.shape[0] > 1
    us, vs, far = lines[U], lines[V], lines.shape[1] - 1
    scale = light * f32(1 / 65536)
    for x in range(begin, stop):
        if share[0, x] + share[1, x] < f32(0.008):
            share[0, x], share[1, x], new[0, x], new[1, x] = f32(0), f32(0), f32(0), f32(0)
            continue
        left, right = max(x - 1, 0), min(x + 1, far)
        steps_u, steps_v = (us[right] - us[left]) * f32(0.125), (vs[right] - vs[left]) * f32(0.125)
        for side in range(2):
            way = f32(2 * side - 1)
            # Fixed point with 8 bits, in unsigned numbers, which numba does not test for being negative.
            column = np.uint32(np.int32((us[x] + way * steps_u + f32(SHIFT)) * f32(256)))
            down = np.uint32(np.int32((vs[x] + way * steps_v + f32(SHIFT)) * f32(256)))
            i, j = np.int32(column & np.uint32(255)), np.int32(down & np.uint32(255))
            column, down = column >> np.uint32(8), down >> np.uint32(8)
            p, q = np.uintp(column & last), np.uintp(down & last)
            p1, q1 = np.uintp((column + one) & last), np.uintp((down + one) & last)
            upper = np.int32(fabric[q, p]) * (np.int32(256) - i) + np.int32(fabric[q, p1]) * i
            lower = np.int32(fabric[q1, p]) * (np.int32(256) - i) + np.int32(fabric[q1, p1]) * i
            cloth = f32(upper * (np.int32(256) - j) + lower * j) * scale + f32(TOE)
            at = np.uintp(step[side, x])
            value = cloth * tables[0, at] - f32(TOE) + tables[1, at]
            if shiny:
                away = f32(glints[q, p]) - lines[PHASE, x]
                away -= f32(256) * np.floor(away * f32(1 / 256) + f32(0.5))
                value += max(f32(1) - away * away * f32(1 / 900), f32(0)) * glint * tables[0, at]
            new[side, x] = value


@kernel
def _shade_row(
    begin: int, stop: int, lumas: Any, lines: Any, cover: Any, core: Any, share: Any, own: Any, step: Any
) -> None:
    """Share of the part, its own luma, and the tables' entry for its shade, of even and of odd pixels."""
    means, slopes, offsets = lines[MEAN], lines[SLOPE], lines[OFFSET]
    for side in range(2):
        shares, owns, steps = share[side], own[side], step[side]
        for x in range(begin, stop):
            a = cover[x + 1] * f32(0.75) + cover[x + 2 * side] * f32(0.25)
            detail = (f32(lumas[2 * x + side]) - means[x]) * min(max(a * f32(2) - f32(1), f32(0)), f32(1))
            shares[x], owns[x] = a, means[x] + detail
            # Steps of single levels in black cloth would be bands in white cloth (coring).
            value = means[x] + detail * (detail * detail / (detail * detail + core))
            shade = (value + f32(TOE)) / (slopes[x] * value + offsets[x])
            steps[x] = np.int32(min(max(shade * f32(STEPS), f32(0)), f32(ENTRIES - 1)))


@kernel
def _write_row(begin: int, stop: int, share: Any, own: Any, new: Any, lumas: Any) -> None:
    """Replaces the part's own luma by its new one, with soft highlights, by its share of each pixel."""
    for side in range(2):
        shares, owns, news = share[side], own[side], new[side]
        for x in range(begin, stop):
            over = max(news[x] - f32(SHOULDER), f32(0))
            value = min(news[x], f32(SHOULDER)) + over / (f32(1) + over * f32(1 / 52))
            value = f32(lumas[2 * x + side]) + shares[x] * (value - owns[x]) + f32(0.5)
            lumas[2 * x + side] = np.uint8(min(max(value, f32(0)), f32(255)))


@kernel
def _lines(row: int, height: int, span: Any, planes: int, wide: Any, lines: Any) -> None:
    """The planes of a part at one row of a picture of ``height`` rows, interpolated between theirs."""
    small = span[4]
    at = min(max((f32(row) + f32(0.5)) * f32(small) / f32(height) - f32(0.5), f32(0)), f32(small - 1))
    above = int(at)
    t = at - f32(above)
    above = max(above - span[5], 0)
    below = min(above + 1, wide.shape[1] - 1)
    for k in range(planes):
        upper, lower, line = wide[k, above], wide[k, below], lines[k]
        for x in range(lines.shape[1]):
            line[x] = upper[x] + (lower[x] - upper[x]) * t


@kernel
def dye_luma(
    first: int, end: int, span: Any, alpha: Any, wide: Any, tables: Any, fabric: Any, glints: Any, glint: Any,
    light: Any, core: Any, luma: Any,
) -> None:  # fmt: skip
    """Recolours rows of the full-size luma in place, from row ``span[0]`` on, and between half columns.

    A row is done in several loops, of which most can be vectorised (SIMD). Even and odd pixels lie in the two
    rows of its buffers.
    """
    half, width = alpha.shape
    begin, stop = span[2], span[3]
    plain = fabric.shape[0] == 1
    planes = 5 if plain else PHASE + int(glints.shape[0] > 1)
    lines, cover = np.empty((8, width), np.float32), np.empty(width + 2, np.float32)
    share, own = np.empty((2, width), np.float32), np.empty((2, width), np.float32)
    new, step = np.empty((2, width), np.float32), np.empty((2, width), np.int32)
    for number in range(first, end):
        row = span[0] + number
        near = row >> 1
        nears, fars = alpha[near], alpha[min(max(near + (1 if row & 1 else -1), 0), half - 1)]
        for x in range(width):
            cover[x + 1] = (f32(nears[x]) * f32(0.75) + f32(fars[x]) * f32(0.25)) * f32(1 / 255)
        cover[0], cover[width + 1] = cover[1], cover[width]
        _lines(row, luma.shape[0], span, planes, wide, lines)
        _shade_row(begin, stop, luma[row], lines, cover, core, share, own, step)
        if plain:
            _plain_row(begin, stop, f32(fabric[0, 0]) * light + f32(TOE), step, tables, new)
        else:
            _woven_row(begin, stop, lines, light, share, step, tables, fabric, glints, glint, new)
        _write_row(begin, stop, share, own, new, luma[row])


@kernel
def dye_chroma(
    first: int, end: int, span: Any, alpha: Any, wide: Any, tables: Any, fabric_u: Any, fabric_v: Any,
    low: Any, u: Any, v: Any,
) -> None:  # fmt: skip
    """Recolours rows of both half-size chroma planes in place; arguments as of ``dye_luma``."""
    last, plain = np.uint32(fabric_u.shape[0] - 1), fabric_u.shape[0] == 1
    lines = np.empty((8, alpha.shape[1]), np.float32)
    begin, stop = span[2], span[3]
    for number in range(first, end):
        row = span[0] // 2 + number
        _lines(row, low.shape[0], span, 5 if plain else V + 1, wide, lines)
        alphas, lumas, us, vs = alpha[row], low[row], u[row], v[row]
        for x in range(begin, stop):
            a = f32(alphas[x]) * f32(1 / 255)
            if a < f32(0.004):
                continue
            sure = min(max(a * f32(2) - f32(1), f32(0)), f32(1))
            own = lines[MEAN, x] + (f32(lumas[x]) - lines[MEAN, x]) * sure
            shade = (own + f32(TOE)) / (lines[SLOPE, x] * own + lines[OFFSET, x])
            step = int(min(max(shade * f32(STEPS), f32(0)), f32(ENTRIES - 1)))
            p, q = np.uintp(0), np.uintp(0)
            if not plain:
                p = np.uintp(np.uint32(lines[U, x] * f32(0.5) + f32(SHIFT)) & last)
                q = np.uintp(np.uint32(lines[V, x] * f32(0.5) + f32(SHIFT)) & last)
            # Colour fades with the light, and in highlights.
            scale = tables[2, step]
            new_u = f32(128) + (f32(fabric_u[q, p]) - f32(128)) * scale
            new_v = f32(128) + (f32(fabric_v[q, p]) - f32(128)) * scale
            own_u = lines[CHROMA_U, x] + (f32(us[x]) - lines[CHROMA_U, x]) * sure
            own_v = lines[CHROMA_V, x] + (f32(vs[x]) - lines[CHROMA_V, x]) * sure
            us[x] = np.uint8(min(max(f32(us[x]) + a * (new_u - own_u) + f32(0.5), f32(0)), f32(255)))
            vs[x] = np.uint8(min(max(f32(vs[x]) + a * (new_v - own_v) + f32(0.5), f32(0)), f32(255)))


@kernel
def level_planes(
    first: int, end: int, sums: Any, usual_by_mean: Any, rim: Any, inner: Any, planes: Any
) -> None:
    """Sets the planes of luma and chroma from local sums of weight, weighted luma, its square, u and v."""
    for row in range(first, end):
        for x in range(inner.shape[1]):
            scale = f32(1) / sums[0, row, x]
            mean = sums[1, row, x] * scale
            variance = max(sums[2, row, x] * scale - mean * mean, f32(0))
            slope = variance / (variance + f32(PRINT * PRINT))
            # The luma of a shade of 1 lies between that of the place and that of the whole part; as a line of
            # the pixel's own luma, which within a print it follows.
            usual = usual_by_mean[int(min(max(mean + f32(0.5), f32(0)), f32(255)))]
            slope *= f32(FLAT) * usual / (mean + f32(TOE))
            # Brighter at the outline is as if the cloth had been darker before.
            dim = f32(1) - rim * (f32(1) - inner[row, x])
            planes[MEAN, row, x] = mean
            planes[CHROMA_U, row, x] = sums[3, row, x] * scale
            planes[CHROMA_V, row, x] = sums[4, row, x] * scale
            planes[SLOPE, row, x] = slope * dim
            planes[OFFSET, row, x] = (usual - slope * mean) * dim
