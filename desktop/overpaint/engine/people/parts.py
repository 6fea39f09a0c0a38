"""Human parsing: soft masks of clothes, hair and skin within the person mask, steady in time.

Where parts lie about a head (``heads``; for hair a net says so, ``hair``) and what colours this person's
parts have (``appearance``) give each pixel of the small picture to skin, hair, clothes or something else
(Bayes). The answer is averaged over time and fitted to edges as the person mask is, by the same guided
filter. Must not know what is done with the masks.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.bands import Bands
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.people import layout
from overpaint.engine.people.appearance import HAIR, Appearance, grain_of
from overpaint.engine.people.colour_bins import BINS, bin_of
from overpaint.engine.people.hair import HairFinder
from overpaint.engine.people.heads import PATIENCE, Head, HeadTracker
from overpaint.engine.people.person_mask import (
    REACH,
    SOFTNESS,
    Person,
    _apply,
    _follow,
    _multiply,
    _solve,
)
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

CONTRAST, MIDDLE = 1.9, 0.54
"""As of the person mask, for the edges between parts."""

FIRST_ROUNDS = 4
"""Rounds of learning on the first frame: a picture has no others."""

REACHES = 12.0, 6.0
"""Reaches of the smoothing that gives a place the part of its surroundings, pixels of the small picture."""

STEPS = 0.25
"""Pixels that a level of difference between two neighbours counts for, in that smoothing."""

LEARN_EVERY = 3
"""Frames between two lessons of the colour models."""

FACE = 0.1
"""Share of a head's face that must look like skin for its colour to be learnt."""

LEAST = 0.03
"""Share of a part below which a row does not have it."""

_KEEP: tuple[Floats, ...] = tuple(
    np.exp(-(1 + STEPS * np.arange(256)) / reach).astype(np.float32) for reach in REACHES
)

_EVEN: Floats = np.ones((BINS, 4), np.float32)
"""Densities of which nothing is known."""

_CORE: Floats = np.clip(np.arange(256, dtype=np.float32) * (2 / 255) - 1, 1e-3, 1)
"""How surely a pixel lies within a person, by the least level of the mask around it."""


@kernel
def _classify(
    first: int, end: int, small: Any, grain: Any, core: Any, heads: Any, atlas: Any, hairs: Any,
    densities: Any, grains: Any, begin: int, stop: int, shares: Any, weights: Any,
) -> None:  # fmt: skip
    """Probability of each part at each pixel, times ``core``; ``weights`` are the same, of the likely place.

    Where hair lies the net (``hairs``) and the atlas say, with equal weight (geometric mean of odds).

    As in all kernels here, only columns ``begin`` to ``stop``, in which people are.
    """
    unit, left, top = f32(layout.UNIT), f32(layout.LEFT), f32(layout.TOP)
    for row in range(first, end):
        lumas, us, vs, cores = small[0, row], small[1, row], small[2, row], core[row]
        for x in range(begin, stop):
            known, fine = densities[bin_of(lumas[x], us[x], vs[x])], grains[grain[row, x]]
            nearest, at, column, line = f32(1e9), 0, 0, 0
            for index in range(heads.shape[0]):
                across = (f32(x) - heads[index, 0]) / heads[index, 2]
                down = (f32(row) - heads[index, 1]) / heads[index, 2]
                away = across * across + down * down
                if away < nearest:
                    nearest, at = away, index
                    column = min(max(int((across - left) * unit), 0), atlas.shape[2] - 1)
                    line = min(max(int((down - top) * unit), 0), atlas.shape[1] - 1)
            seen = heads[at, 3]
            behind, face = atlas[0, line, column], atlas[1, line, column]
            total = f32(1e-12)
            found, drawn = hairs[row, x], behind[HAIR] + (face[HAIR] - behind[HAIR]) * seen
            odds = np.sqrt(found * drawn / ((f32(1) - found) * (f32(1) - drawn)))
            hair = odds / (f32(1) + odds)
            rest = (f32(1) - hair) / (f32(1) - drawn)
            for part in range(4):
                prior = (behind[part] + (face[part] - behind[part]) * seen) * rest
                if part == HAIR:
                    prior = hair
                likely = known[part] * fine[part] * prior
                total += likely
                if part < 3:
                    shares[part, row, x], weights[part, row, x] = likely, prior
            scale = cores[x] / total
            for part in range(3):
                share = shares[part, row, x] * scale
                shares[part, row, x] = share
                weights[part, row, x] *= weights[part, row, x] * share


@kernel
def _smooth_rows(first: int, end: int, small: Any, weights: Any, begin: int, stop: int, shares: Any) -> None:
    """Edge-preserving smoothing along rows: a recursive filter, there and back, that stops at steps of
    colour.
    """
    keep = np.empty(small.shape[2], np.float32)
    for row in range(first, end):
        for x in range(begin + 1, stop):
            step = abs(np.int32(small[0, row, x]) - np.int32(small[0, row, x - 1]))
            step += np.int32(2) * abs(np.int32(small[1, row, x]) - np.int32(small[1, row, x - 1]))
            step += np.int32(2) * abs(np.int32(small[2, row, x]) - np.int32(small[2, row, x - 1]))
            keep[x] = weights[min(step, np.int32(255))]
        for x in range(begin + 1, stop):
            for part in range(shares.shape[0]):
                shares[part, row, x] += keep[x] * (shares[part, row, x - 1] - shares[part, row, x])
        for x in range(stop - 2, begin - 1, -1):
            for part in range(shares.shape[0]):
                shares[part, row, x] += keep[x + 1] * (shares[part, row, x + 1] - shares[part, row, x])


@kernel
def _smooth_columns(first: int, end: int, small: Any, weights: Any, begin: int, shares: Any) -> None:
    """As ``_smooth_rows``, along columns; a band has columns from ``begin + first`` on."""
    height = small.shape[1]
    left, right = begin + first, begin + end
    keep = np.empty((height, right - left), np.float32)
    for row in range(1, height):
        for x in range(left, right):
            step = abs(np.int32(small[0, row, x]) - np.int32(small[0, row - 1, x]))
            step += np.int32(2) * abs(np.int32(small[1, row, x]) - np.int32(small[1, row - 1, x]))
            step += np.int32(2) * abs(np.int32(small[2, row, x]) - np.int32(small[2, row - 1, x]))
            keep[row, x - left] = weights[min(step, np.int32(255))]
    for part in range(shares.shape[0]):
        share = shares[part]
        for row in range(1, height):
            for x in range(left, right):
                share[row, x] += keep[row, x - left] * (share[row - 1, x] - share[row, x])
        for row in range(height - 2, -1, -1):
            for x in range(left, right):
                share[row, x] += keep[row + 1, x - left] * (share[row + 1, x] - share[row, x])


@kernel
def _normalise(first: int, end: int, begin: int, stop: int, shares: Any, alpha: Any) -> None:
    """Divides smoothed shares by the last one, the smoothed core, and cuts them to the mask."""
    last = shares.shape[0] - 1
    for row in range(first, end):
        inners, alphas = shares[last, row], alpha[row]
        for part in range(last):
            share = shares[part, row]
            share[:begin] = 0
            share[stop:] = 0
            for x in range(begin, stop):
                share[x] = share[x] / (inners[x] + f32(1e-6)) * (f32(alphas[x]) * f32(1 / 255))


class Parts:
    """The parts of the people of one stream.

    All attributes are valid until the next ``find``.

    Args:
        half: Rows and columns of the masks.
        bands: Thread pool for kernels.
        wanted: Parts whose masks are drawn, of ``HAIR`` and ``CLOTHES`` (``appearance``).

    Attributes:
        alpha: By part, uint8 ``half``, 255 where it is.
        small_alpha: By part, uint8, in the size of the person mask's small picture.
        heads: The heads, steady in time.
    """

    def __init__(self, half: tuple[int, int], bands: Bands, wanted: tuple[int, ...]) -> None:
        self._bands = bands
        self._half = half
        self._wanted = wanted
        self._models = Appearance()
        self._tracker = HeadTracker()
        self._hair = HairFinder()
        self._turn, self._absent = 0, 0
        self._small = (0, 0)
        self.alpha: dict[int, Plane] = {part: np.zeros(half, np.uint8) for part in wanted}
        self.small_alpha: dict[int, Plane] = {}
        self.heads: list[Head] = []

    def find(self, person: Person, low: Plane) -> None:
        """Sets the masks from the person mask of the same frame.

        Args:
            person: The person mask.
            low: uint8 ``half``, luma in full range.
        """
        if self._small != person.small_alpha.shape:
            self._begin(person.small_alpha.shape)
        columns = np.flatnonzero(person.small_alpha.max(0))
        if len(columns) == 0:
            self._leave()
            return
        first = self._turn == 0
        self.heads = self._tracker.follow(person.small, person.small_alpha, self._models.likeness)
        if not self.heads:
            # Whose head is not in the picture cannot be told apart into parts.
            self._leave()
            return
        self._absent = 0
        shares = self._divide(
            person, low, (max(0, int(columns[0]) - 1), min(self._small[1], int(columns[-1]) + 2))
        )
        share = np.ones(self._small, np.float32) if first else person.moved
        for new, kept in zip(shares, self._answer, strict=False):
            self._bands.run(_follow, self._small[0], new, share, kept)
        for part, answer in zip(self._wanted, self._answer, strict=True):
            self._draw(part, answer, person, low)

    def _begin(self, small: tuple[int, int]) -> None:
        """Makes the buffers."""
        self._small = small
        count = len(self._wanted)
        self._fine = self._grain = np.zeros(small, np.uint8)
        self._shares, self._weights = (np.zeros((3, *small), np.float32) for _ in range(2))
        self._smoothed: Floats = np.zeros((count + 1, *small), np.float32)
        self._answer: Floats = np.zeros((count, *small), np.float32)
        self._sums: Floats = np.zeros((13, *small), np.float32)
        self._fit: Floats = np.zeros((4, *small), np.float32)
        self._wide: Floats = np.zeros((4, small[0], self._half[1]), np.float32)
        self.small_alpha = {part: np.zeros(small, np.uint8) for part in self._wanted}
        # Rows of the small picture after which its rows and those of the masks begin together again.
        self._step = small[0] // math.gcd(small[0], self._half[0])

    def _leave(self) -> None:
        """Clears the masks when no head is there; whoever comes after a while is somebody else."""
        self._answer.fill(0)
        for part in self._wanted:
            self.alpha[part].fill(0)
            self.small_alpha[part].fill(0)
        self.heads = []
        self._absent += 1
        if self._absent > PATIENCE:
            self._models, self._tracker, self._turn = Appearance(), HeadTracker(), 0

    def _divide(self, person: Person, low: Plane, span: tuple[int, int]) -> Floats:
        """Share of each wanted part at each pixel, and that of the core, float32 (n + 1, rows, columns)."""
        small, models, (rows, _) = person.small, self._models, self._small
        # The colours of the rim are mixed with the room's: it gets its parts from further in.
        core = cv2.LUT(cv2.erode(person.small_alpha, np.ones((3, 3), np.uint8)), _CORE)
        rounds = FIRST_ROUNDS if self._turn == 0 else 1
        learns = self._turn % LEARN_EVERY == 0
        if learns:
            self._grain = grain_of(low, self._fine)
            shown = [head for head in self.heads if head.skin > FACE]
            models.learn_skin(small, [layout.face(head, self._small) * core for head in shown])
        hairs = self._hair.find(person, self.heads)
        for turn in range(rounds):
            # At first only where parts lie is known.
            known = turn > 0 or self._turn > 0
            tables = (models.densities, models.grains) if known else (_EVEN, _EVEN)
            self._bands.run(
                _classify, rows, small, self._grain, core, layout.places(self.heads),
                layout.atlas(), hairs, *tables, *span, self._shares, self._weights,
            )  # fmt: skip
            if learns:
                models.learn(small, self._grain, self._weights, span)
        self._turn += 1
        shares = self._smoothed
        for share, part in zip(shares, self._wanted, strict=False):
            np.copyto(share, self._shares[part])
        shares[-1] = core
        for keep in _KEEP:
            self._bands.run(_smooth_rows, rows, small, keep, *span, shares)
            self._bands.run(_smooth_columns, span[1] - span[0], small, keep, span[0], shares)
        self._bands.run(_normalise, rows, *span, shares, person.small_alpha)
        return shares

    def _draw(self, part: int, answer: Floats, person: Person, low: Plane) -> None:
        """Fits the answer for a part to edges, in the rows in which it is."""
        out = self.alpha[part]
        out.fill(0)
        lines = np.flatnonzero(answer.max(1) > LEAST)
        if len(lines):
            margin = 2 * REACH + 1
            top = max(0, int(lines[0]) - margin) // self._step * self._step
            end = min(self._small[0], -(-(int(lines[-1]) + 1 + margin) // self._step) * self._step)
            rows, side = slice(top, end), (2 * REACH + 1, 2 * REACH + 1)
            count, sums, wide = end - top, self._sums[:, rows], self._wide[:, rows]
            self._bands.run(_multiply, count, person.small[:, rows], answer[rows], sums)
            for plane in sums:
                cv2.blur(plane, side, dst=plane)
            self._bands.run(_solve, count, sums, f32(SOFTNESS), self._fit[:, rows])
            for plane, broad in zip(self._fit[:, rows], wide, strict=True):
                cv2.blur(plane, (REACH, REACH), dst=plane)
                cv2.resize(plane, broad.shape[::-1], dst=broad, interpolation=cv2.INTER_LINEAR)
            half = slice(top * self._half[0] // self._small[0], end * self._half[0] // self._small[0])
            self._bands.run(
                _apply, half.stop - half.start, wide, low[half], person.u[half], person.v[half],
                f32(CONTRAST), f32(MIDDLE), out[half],
            )  # fmt: skip
            cv2.min(out, person.alpha, dst=out)
        # The mask is smooth enough to be sampled.
        small = self.small_alpha[part]
        cv2.resize(out, small.shape[::-1], dst=small, interpolation=cv2.INTER_LINEAR)
