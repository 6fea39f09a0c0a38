"""Metering: what a picture's exposure should be, by face first, then person, then the whole frame.

Sees small copies of the picture only: one in which people are looked for, and a smaller one that is measured.
People are looked for in the corrected copy, since neither the net of the person mask nor the range of skin's
colours knows the dark. Must not know how a correction is applied.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.bands import Bands
from overpaint.engine.light.exposure import NEUTRAL, Exposure, exposed, filled
from overpaint.engine.people.face import Face
from overpaint.engine.people.person_mask import SEEN, Person, small_size
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

DIM_FACE, BRIGHT_FACE = 0.47, 0.73
"""Mean luma of a face below which it is lifted, and above which it is lowered."""

LIT_FACE = 0.36
"""The lower limit instead of ``DIM_FACE`` where the person has bright places: dark skin in good light."""

LIT_PLACES, LIT_FRAME = (0.3, 0.46), (0.7, 0.88)
"""Luma of a person's brightest tenth, and of the frame's brightest places, from which the light counts as
less than dim, and as good where both say so."""

DIM_PERSON, DIM_FRAME = 0.5, 0.28
"""Lower limits of the upper third of a person without a face, and of the mean of what is not black in a frame
without either."""

SIDES = 0.6
"""Ratio of the two sides of a face below which the darker one gets fill light."""

CAST, CAST_MOST = 0.13, 0.4
"""Cast as a share of luma up to which it counts as the room's own colours, and the most that is removed."""

HEAD = 0.7
"""Share of a person's height, from the top, in which the face is."""

FACE_LEAST, MISSED = 0.3, 8
"""Share of the head and shoulders that must be skin to be a face, and searches without one after which it is
given up."""

FIRST_LOOKS = 5
"""Most times that the first frame is metered, each time in the light of the time before."""

WHITE = 0.985
"""Share of a picture's pixels that are darker than its brightest places."""

SHADOWS = 0.4
"""Luma of the darkest quarter of a picture in the copy in which a lost face is looked for again:
before a bright window it is too dark to be seen as one."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """The part of a picture that matters. Luma 0..1, before any correction."""

    mean: float
    floor: float
    ceiling: float
    sides: tuple[float, float] | None = None


class Meter:
    """The light meter of one stream.

    Args:
        half: Rows and columns of the half-size planes of the stream.
        bands: Thread pool for kernels.

    Attributes:
        small: uint8 (3, rows, columns), luma in full range, u, v; people are looked for in it. The caller
            fills it before ``look``.
        tiny: uint8 (3, rows, columns) of half that size, which is measured. The caller fills it before
            ``look`` and ``target``.
    """

    def __init__(self, half: tuple[int, int], bands: Bands) -> None:
        self._size = rows, columns = small_size(half, SEEN)
        self._person = Person(self._size, bands)
        self._face = Face(self._size)
        self._seen: Plane = np.zeros((3, *self._size), np.uint8)
        self._begun = False
        self._metered = NEUTRAL
        self._head = 0
        self._misses = 0
        self._lifting = False
        self._mask = np.zeros((rows // 2, columns // 2), np.bool_)
        self._weight: Plane = np.zeros((rows // 2, columns // 2), np.uint8)
        self.small: Plane = np.zeros((3, *self._size), np.uint8)
        self.tiny: Plane = np.zeros((3, rows // 2, columns // 2), np.uint8)

    def look(self) -> None:
        """Looks for the person and the face, in the light of the last metering."""
        small, now = self.small, self._metered
        for _ in range(1 if self._begun else FIRST_LOOKS):
            self._lifting = self._misses > 0 and not self._lifting
            self._search(small, self._lifted(small) if self._lifting else now)
            area = float(self._face.alpha.sum()) / max(int(self._face.alpha.max()), 1)
            found = area > max(FACE_LEAST * self._head, 1.0)
            self._misses = 0 if found else self._misses + 1
            if found or not self._lifting:
                # What a search in lifted shadows finds beside a face may not be there in the next one.
                # The net's picture has another shape where this one is a long strip.
                np.greater(cv2.resize(self._person.small_alpha, self._mask.shape[::-1]), 140, out=self._mask)
            if found:
                cv2.resize(self._face.alpha, self._weight.shape[::-1], dst=self._weight)
            elif self._misses > MISSED:
                self._weight.fill(0)
            now = self.target()
            if found and now.neutral:
                break

    def target(self) -> Exposure:
        """The exposure that a picture should have, by what was found in the last look."""
        luma = self.tiny[0]
        white = quantile(luma, WHITE)
        subject = self._subject(luma, white)
        target = min(max(subject.mean, subject.floor), subject.ceiling)
        exposure = NEUTRAL
        if target != subject.mean:
            exposure = exposed(subject.mean, target, white)
        if subject.sides is not None:
            exposure = filled(exposure, *subject.sides, SIDES)
        self._metered = replace(exposure, cast=_cast(self.tiny, self._weight, white))
        return self._metered

    def _lifted(self, small: Plane) -> Exposure:
        return exposed(quantile(small[0], 0.25), SHADOWS, quantile(small[0], WHITE))

    def _search(self, small: Plane, exposure: Exposure) -> None:
        luma = small[0].astype(np.float32)
        lit = exposure.apply(luma)
        np.copyto(self._seen[0], lit, casting="unsafe")
        ratio = lit / np.maximum(luma, 4)
        for plane, seen, cast in zip(small[1:], self._seen[1:], exposure.cast, strict=True):
            chroma = (plane.astype(np.float32) - 128) * ratio - cast * lit + 128
            np.copyto(seen, np.clip(chroma, 0, 255), casting="unsafe")
        self._begun = True
        self._person.find(*self._seen)
        self._head = _keep_largest(self._person.small_alpha)
        self._face.find(self._person)

    def _subject(self, luma: Plane, white: float) -> _Subject:
        if self._mask.mean() < 0.01:
            seen = luma > 0.15 * white * 255
            return _Subject(float(luma[seen].mean()) / 255 if seen.any() else 1.0, DIM_FRAME, 1.0)
        person = luma[self._mask]
        weight = float(self._weight.sum()) / 255
        if weight < 0.002 * luma.size:
            return _Subject(quantile(person, 0.7), DIM_PERSON, 1.0)
        good = _between(quantile(person, 0.9), LIT_PLACES) * _between(white, LIT_FRAME)
        face = self._weight.astype(np.float32)
        lit = luma * face
        mean = float(lit.sum()) / float(face.sum()) / 255
        return _Subject(mean, DIM_FACE + (LIT_FACE - DIM_FACE) * good, BRIGHT_FACE, _sides(lit, face))


def _keep_largest(alpha: Plane) -> int:
    """Clears a mask but for its largest patch, less the lowest part: other skin is curtains, chairs, hands.

    Returns:
        Pixels of that patch's upper part.
    """
    sure = cv2.morphologyEx((alpha > 190).astype(np.uint8), cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    count, labels, measures, _ = cv2.connectedComponentsWithStats(sure)
    if count < 2:
        return 0
    largest = 1 + int(np.argmax(measures[1:, cv2.CC_STAT_AREA]))
    kept = cv2.dilate((labels == largest).astype(np.uint8), np.ones((7, 7), np.uint8))
    top, height = (int(measures[largest, part]) for part in (cv2.CC_STAT_TOP, cv2.CC_STAT_HEIGHT))
    kept[top + round(HEAD * height) :] = 0
    alpha[kept == 0] = 0
    return int(kept[: top + round(HEAD * height / 2)].sum())


def _between(value: float, ends: tuple[float, float]) -> float:
    """Where a value lies between two ends, 0..1."""
    return min(max((value - ends[0]) / (ends[1] - ends[0]), 0.0), 1.0)


def _sides(lit: Floats, face: Floats) -> tuple[float, float]:
    """Mean luma of the darker and of the brighter half of a face, whose weighted luma is ``lit``."""
    weights, sums = face.sum(axis=0), lit.sum(axis=0)
    middle = int(np.searchsorted(np.cumsum(weights), weights.sum() / 2))
    halves = [float(sums[part].sum()) / max(float(weights[part].sum()), 1e-3) / 255
              for part in (slice(0, middle), slice(middle, None))]  # fmt: skip
    return min(halves), max(halves)


def _cast(tiny: Plane, face: Plane, white: float) -> tuple[float, float]:
    """Cast (u, v) of the light as a share of luma, beyond what rooms have; skin is left out."""
    luma = tiny[0]
    bright = (luma > max(16.0, 0.25 * 255 * white)) & (luma < 240) & (face < 64)
    if bright.mean() < 0.03:
        return 0.0, 0.0
    # One vector a pixel, as complex numbers: u + v i.
    lit = luma[bright].astype(np.float32)
    shares = (
        tiny[1][bright].astype(np.float32) - 128 + 1j * (tiny[2][bright].astype(np.float32) - 128)
    ) / lit
    centre = complex(np.median(shares.real), np.median(shares.imag))
    for reach in (0.2, 0.12):  # the colours nearest to the commonest one count: coloured things do not
        away = shares - np.complex64(centre)
        weight = np.exp((away.real**2 + away.imag**2) * np.float32(-0.5 / reach**2))
        centre = complex((shares * weight).sum() / weight.sum())
    beyond = min(max(0.0, abs(centre) - CAST), CAST_MOST)
    kept = centre * (beyond / max(abs(centre), 1e-6))
    return kept.real, kept.imag


def quantile(luma: Plane, share: float) -> float:
    """The luma 0..1 below which a share of the pixels lies, to the next whole level.

    Args:
        luma: uint8, of any shape.
        share: 0..1.
    """
    counts = np.cumsum(np.bincount(luma.ravel(), minlength=256))
    return int(np.searchsorted(counts, share * counts[-1])) / 255


def noise_of(luma: Plane) -> float:
    """Standard deviation of a picture's noise, levels (median of second differences; Immerkær 1996).

    Args:
        luma: uint8 (H, W); each 32nd row is read.
    """
    rows = luma[16::32].astype(np.int16)
    middle = rows[:, 1:-1]
    second = np.abs(rows[:, :-2] + rows[:, 2:] - 2 * middle)[(middle > 8) & (middle < 240)]
    if second.size < 64:
        return 0.0
    counts = np.cumsum(np.bincount(second, minlength=2))
    # The median between whole levels.
    median = float(np.interp(second.size / 2, counts, np.arange(1, len(counts) + 1))) - 0.5
    return max(0.0, median) / (0.6745 * 6**0.5)
