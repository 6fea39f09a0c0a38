"""Recolouring of a part of a person (intrinsic images): its own colour and print go, its folds and light
stay.

Luma is split into what varies slowly (albedo and light) and what varies fast (folds) by a guided filter (He
et al. 2010) that follows the edges of prints; the first is flattened where it varies much, and all of it
multiplies the new colour. At the part's soft edge, the change is computed for the part's own colour, not
for one mixed with the background's. Must not know who wears it, nor what a cloth is called.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials.fabrics import Fabric
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.people.person_mask import Person
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

TOE = 20.0
"""Levels added to luma before ratios are taken: what is black shows noise and glare, not folds."""

REACH = 4
"""Radius of the guided filter, pixels of the person mask's small picture."""

PRINT = 16.0
"""Standard deviation of luma, levels, above which a place shows a print and not folds."""

FOLDS = 0.11
"""Standard deviation of the logarithm of luma that folds should have to be seen."""

SHOULDER = 208.0
"""Luma from which highlights are compressed."""

FOLLOW, MEASURE_EVERY = 0.25, 4
"""Weight of a new measurement of a whole part, and frames between two."""

_SHARE: Floats = (np.arange(256) / 255 + 1e-4).astype(np.float32)
"""Weight of a pixel in what is measured, by the mask."""

SHIFT = 1 << 14
"""Added to places on a fabric, which are then positive: a multiple of every fabric's side."""

STEPS = 100
"""Entries of a table for a shade of 1, where luma is the part's usual one."""

MEAN, CHROMA_U, CHROMA_V, SLOPE, OFFSET, U, V, PHASE = range(8)
"""Planes of a part that are made at the small picture's size: mean luma and chroma, the line that gives the
luma of a shade of 1 by that of a pixel, the place on the fabric, and which way a sequin must look to
shine."""


@dataclass(frozen=True, slots=True)
class Shading:
    """How a cloth takes light.

    Attributes:
        folds: Factor on the contrast of folds.
        sheen: Levels of white that a fully lit fold adds.
        tightness: Exponent of the sheen: small for satin, large for leather.
        rim: Share by which cloth brightens towards the outline, as velvet does; negative darkens it.
        glint: Levels of white that a sequin adds when it looks into the light.
        flatness: Share of light's slow changes that is taken away.
        chroma: Factor on the colour's chroma.
    """

    folds: float = 1.0
    sheen: float = 0.0
    tightness: float = 2.0
    rim: float = 0.0
    glint: float = 0.0
    flatness: float = 0.0
    chroma: float = 1.0


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
    """New luma of a row of woven cloth, and ``share`` 0 where the part covers next to nothing; arguments as
    of ``_dye_luma``.
    """
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
def _dye_luma(
    first: int, end: int, span: Any, alpha: Any, wide: Any, tables: Any, fabric: Any, glints: Any, glint: Any,
    light: Any, luma: Any,
) -> None:  # fmt: skip
    """Recolours rows of the full-size luma in place, from row ``span[0]`` on, and between half columns.

    A row is done in three loops, of which the first and the last can be vectorised (SIMD). Even and odd
    pixels lie in the two rows of its buffers.
    """
    height, half, small, width = luma.shape[0], alpha.shape[0], span[4], alpha.shape[1]
    begin, stop = span[2], span[3]
    planes = 5 if fabric.shape[0] == 1 else wide.shape[0]
    lines, cover = np.empty((8, width), np.float32), np.empty(width + 2, np.float32)
    share, own = np.empty((2, width), np.float32), np.empty((2, width), np.float32)
    new = np.empty((2, width), np.float32)
    step = np.empty((2, width), np.int32)
    for number in range(first, end):
        row = span[0] + number
        near = row >> 1
        far = min(max(near + (1 if row & 1 else -1), 0), half - 1)
        nears, fars = alpha[near], alpha[far]
        for x in range(width):
            cover[x + 1] = (f32(nears[x]) * f32(0.75) + f32(fars[x]) * f32(0.25)) * f32(1 / 255)
        cover[0], cover[width + 1] = cover[1], cover[width]
        at = min(max((f32(row) + f32(0.5)) * f32(small) / f32(height) - f32(0.5), f32(0)), f32(small - 1))
        above = int(at)
        t = at - f32(above)
        above = max(above - span[5], 0)
        below = min(above + 1, wide.shape[1] - 1)
        for k in range(planes):
            upper, lower, line = wide[k, above], wide[k, below], lines[k]
            for x in range(width):
                line[x] = upper[x] + (lower[x] - upper[x]) * t
        lumas = luma[row]
        means, slopes, offsets = lines[MEAN], lines[SLOPE], lines[OFFSET]
        for side in range(2):
            shares, owns, steps = share[side], own[side], step[side]
            for x in range(begin, stop):
                a = cover[x + 1] * f32(0.75) + cover[x + 2 * side] * f32(0.25)
                value = means[x] + (f32(lumas[2 * x + side]) - means[x]) * min(
                    max(a * f32(2) - f32(1), f32(0)), f32(1)
                )
                shade = (value + f32(TOE)) / (slopes[x] * value + offsets[x])
                shares[x], owns[x] = a, value
                steps[x] = np.int32(min(max(shade * f32(STEPS), f32(0)), f32(255)))
        if planes == 5:
            _plain_row(begin, stop, f32(fabric[0, 0]) * light + f32(TOE), step, tables, new)
        else:
            _woven_row(begin, stop, lines, light, share, step, tables, fabric, glints, glint, new)
        for side in range(2):
            shares, owns, news = share[side], own[side], new[side]
            for x in range(begin, stop):
                over = max(news[x] - f32(SHOULDER), f32(0))
                value = min(news[x], f32(SHOULDER)) + over / (f32(1) + over * f32(1 / 52))
                value = f32(lumas[2 * x + side]) + shares[x] * (value - owns[x]) + f32(0.5)
                lumas[2 * x + side] = np.uint8(min(max(value, f32(0)), f32(255)))


@kernel
def _dye_chroma(
    first: int, end: int, span: Any, alpha: Any, wide: Any, tables: Any, fabric_u: Any, fabric_v: Any,
    low: Any, u: Any, v: Any,
) -> None:  # fmt: skip
    """Recolours rows of both half-size chroma planes in place; arguments as of ``_dye_luma``."""
    height, small, last = low.shape[0], span[4], np.uint32(fabric_u.shape[0] - 1)
    plain = fabric_u.shape[0] == 1
    planes = 5 if plain else V + 1
    lines = np.empty((8, alpha.shape[1]), np.float32)
    begin, stop = span[2], span[3]
    for number in range(first, end):
        row = span[0] // 2 + number
        at = min(max((f32(row) + f32(0.5)) * f32(small) / f32(height) - f32(0.5), f32(0)), f32(small - 1))
        above = int(at)
        t = at - f32(above)
        above = max(above - span[5], 0)
        below = min(above + 1, wide.shape[1] - 1)
        for k in range(planes):
            upper, lower, line = wide[k, above], wide[k, below], lines[k]
            for x in range(begin, stop):
                line[x] = upper[x] + (lower[x] - upper[x]) * t
        alphas, lumas, us, vs = alpha[row], low[row], u[row], v[row]
        for x in range(begin, stop):
            a = f32(alphas[x]) * f32(1 / 255)
            if a < f32(0.004):
                continue
            sure = min(max(a * f32(2) - f32(1), f32(0)), f32(1))
            own = lines[MEAN, x] + (f32(lumas[x]) - lines[MEAN, x]) * sure
            shade = (own + f32(TOE)) / (lines[SLOPE, x] * own + lines[OFFSET, x])
            step = int(min(max(shade * f32(STEPS), f32(0)), f32(255)))
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
def _level(
    first: int, end: int, sums: Any, usual_by_mean: Any, kept: Any, rim: Any, inner: Any, planes: Any
) -> None:
    """Sets the planes of luma and chroma from local sums: of the weight, and weighted luma, its square, u
    and v.
    """
    for row in range(first, end):
        for x in range(inner.shape[1]):
            scale = f32(1) / sums[0, row, x]
            mean = sums[1, row, x] * scale
            variance = max(sums[2, row, x] * scale - mean * mean, f32(0))
            slope = variance / (variance + f32(PRINT * PRINT))
            # The luma of a shade of 1 lies between that of the place and that of the whole part; as a line of
            # the pixel's own luma, which within a print it follows.
            usual = usual_by_mean[int(min(max(mean + f32(0.5), f32(0)), f32(255)))]
            slope *= (f32(1) - kept) * usual / (mean + f32(TOE))
            # Brighter at the outline is as if the cloth had been darker before.
            dim = f32(1) - rim * (f32(1) - inner[row, x])
            planes[MEAN, row, x] = mean
            planes[CHROMA_U, row, x], planes[CHROMA_V, row, x] = (
                sums[3, row, x] * scale,
                sums[4, row, x] * scale,
            )
            planes[SLOPE, row, x] = slope * dim
            planes[OFFSET, row, x] = (usual - slope * mean) * dim


class Dye:
    """The recolouring of one part in one stream.

    Args:
        stage: Canvas, threads and inputs.
        shading: How the new cloth takes light.
    """

    def __init__(self, stage: Stage, shading: Shading) -> None:
        self._bands = stage.bands
        self._shading = shading
        self._measured: Floats | None = None
        self._turn = 0
        self._level, self._kept = 0.0, 1.0
        self._tables: Floats = np.zeros((3, 256), np.float32)
        self._usual: Floats = np.ones(256, np.float32)
        self._planes: Floats = np.zeros((0, 0, 0), np.float32)
        self._sums: Floats = np.zeros((0, 0, 0), np.float32)
        self._wide: Floats = np.zeros((0, 0, 0), np.float32)

    @property
    def level(self) -> float:
        """The part's usual luma, before it is recoloured; 0 before the first frame."""
        return 0.0 if self._measured is None else float(np.exp(self._level)) - TOE

    def apply(
        self,
        canvas: Canvas,
        person: Person,
        masks: tuple[Plane, Plane],
        fabric: Fabric,
        place: Floats | None,
        light: float,
    ) -> None:
        """Recolours ``source``, ``u`` and ``v`` where the part is.

        Args:
            canvas: Written.
            person: The person mask, with the planes of the frame before any change.
            masks: uint8, the part in half size and in the small picture's size.
            fabric: The new cloth.
            place: float32 (3, rows, columns): column and row on the fabric, pixels of it, and phase of
                glints;
                None for a plain one.
            light: Light of the scene, 1 where a white cloth is white.
        """
        alpha, small_alpha = masks
        columns = np.flatnonzero(small_alpha.max(0) > 2)
        lines = np.flatnonzero(small_alpha.max(1) > 2)
        if len(columns) == 0:
            return
        rows, width = small_alpha.shape
        down, across = canvas.height / rows, canvas.half[1] / width
        top, bottom = max(0, int(lines[0]) - 2), min(rows, int(lines[-1]) + 3)
        # First and last row, first and last half column, rows of the small picture, and its first row.
        span = np.array(
            [
                int(top * down) & ~1, min(canvas.height, int(bottom * down) + 1) & ~1,
                max(0, int((columns[0] - 1) * across)),
                min(canvas.half[1], int((columns[-1] + 2) * across) + 1),
                rows, max(0, top - 1),
            ],
            np.int64,
        )  # fmt: skip
        self._prepare(
            person, small_alpha, place, canvas.half[1], slice(max(0, top - 1), min(rows, bottom + 1))
        )
        count, tables, wide = int(span[1] - span[0]), self._tables, self._wide
        self._bands.run(
            _dye_chroma, count // 2, span, alpha, wide, tables, fabric.u, fabric.v, canvas.low_source, canvas.u,
            canvas.v,
        )  # fmt: skip
        self._bands.run(
            _dye_luma, count, span, alpha, wide, tables, fabric.luma, fabric.glints, f32(self._shading.glint),
            f32(light), canvas.source,
        )  # fmt: skip

    def _prepare(self, person: Person, alpha: Plane, place: Floats | None, width: int, rows: slice) -> None:
        """Sets the planes of the part, as wide as the half-size picture, and measures the part."""
        if self._planes.size == 0:
            self._planes = np.zeros((8, *alpha.shape), np.float32)
            self._sums = np.zeros((5, *alpha.shape), np.float32)
        share = np.asarray(cv2.LUT(cv2.erode(alpha, np.ones((3, 3), np.uint8)), _SHARE), np.float32)
        side = (2 * REACH + 1, 2 * REACH + 1)
        luma, sums = person.small[0], self._sums
        cv2.blur(share, side, dst=sums[0])
        weighted = cv2.multiply(luma, share, dtype=cv2.CV_32F)
        cv2.blur(weighted, side, dst=sums[1])
        cv2.blur(cv2.multiply(luma, weighted, dtype=cv2.CV_32F), side, dst=sums[2])
        for plane, out in zip(person.small[1:], sums[3:], strict=True):
            cv2.blur(cv2.multiply(plane, share, dtype=cv2.CV_32F), side, dst=out)
        if self._turn % MEASURE_EVERY == 0 or self._measured is None:
            self._measure(luma, share)
        self._turn += 1
        inner = cv2.blur(share, (4 * REACH + 1, 4 * REACH + 1)) if self._shading.rim else share
        rim, kept = f32(self._shading.rim), f32(self._kept)
        self._bands.run(_level, len(share), sums, self._usual, kept, rim, inner, self._planes)
        count = 5
        if place is not None:
            count = 8 if self._shading.glint else 7
            self._planes[5:] = place
        if self._wide.shape[1:] != (rows.stop - rows.start, width):
            self._wide = np.zeros((8, rows.stop - rows.start, width), np.float32)
        for plane, wide in zip(self._planes[:count], self._wide, strict=False):
            cv2.resize(plane[rows], wide.shape[::-1], dst=wide, interpolation=cv2.INTER_LINEAR)

    def _measure(self, luma: Plane, share: Floats) -> None:
        """Follows the part's usual luma, and how much its slow and its fast changes vary (logarithms)."""
        weight = share[::2, ::2]
        base = np.log(self._sums[1, ::2, ::2] / self._sums[0, ::2, ::2] + np.float32(TOE))
        total = float(weight.sum())
        level = float((base * weight).sum()) / total
        slow = float((weight * (base - level) ** 2).sum()) / total
        fast = float((weight * (np.log(luma[::2, ::2] + np.float32(TOE)) - base) ** 2).sum()) / total
        found = np.array([level, slow**0.5, fast**0.5], np.float32)
        if self._measured is None:
            self._measured = found
        else:
            self._measured += FOLLOW * (found - self._measured)
        self._set_tables(*(float(value) for value in self._measured))

    def _set_tables(self, level: float, slow: float, fast: float) -> None:
        """Sets the kernels' tables by shade: factor on luma, white added, and factor on chroma."""
        shading = self._shading
        self._level = level
        # Light varies by a third over a plain cloth; what varies more is prints, or a shirt below a jacket.
        self._kept = min(1.0, max(0.25, 1.1 - 1.3 * max(0.0, slow - 0.15))) * (1 - shading.flatness)
        self._usual = np.exp((1 - self._kept) * np.log(np.arange(256) + TOE) + self._kept * level).astype(
            np.float32
        )
        shade = np.log((np.arange(256) + 0.5) / STEPS)
        gain = shading.folds * min(1.6, max(0.9, FOLDS / (fast + 0.02)))
        bent = np.tanh(gain * shade / 0.9) * 0.9
        factor = np.exp(np.where(shade > 0, np.tanh(bent / 0.45) * 0.45, bent))
        white = shading.sheen * np.clip((factor - 0.75) / 0.8, 0, 1) ** shading.tightness
        colour = shading.chroma * np.minimum(factor, 1.12) * (1 - np.clip(white / 200, 0, 0.7))
        self._tables = np.stack([factor, white, colour]).astype(np.float32)
