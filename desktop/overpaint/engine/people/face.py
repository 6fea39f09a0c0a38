"""Face detection by skin colour: a soft ellipse around the face, which follows it without jumps.

Uses no net. Within the person mask, skin is found by its chroma, which is similar in all people and lights;
a large patch that lies high counts as the face. This is good enough to paint a face more lightly, not to
recognise anyone, and finds one face only. Must not know what is done with it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.people.person_mask import Person
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

SKIN_U, SKIN_V = (84, 125), (133, 176)
"""Ranges of the chroma of skin, from the darkest to the palest, under white and warm light."""

DARKEST = 30
"""Luma below which chroma is unreliable."""

LEAST = 0.003
"""Share of the picture below which a patch of skin is no face."""

LONGEST = 1.35
"""Greatest ratio of a face's height to its width; skin below that is neck."""

FOLLOW, FADE = 0.35, 0.25
"""Least weight of a new frame in the ellipse's place, and step a frame by which it fades in and out."""

MARGIN = 1.1
"""Ratio of the ellipse's size to that of the skin, so that hairline, ears and chin lie inside."""


class Face:
    """The face of one stream.

    Args:
        half: Rows and columns of the mask.

    Attributes:
        alpha: uint8 ``half``, 255 in a face; valid until the next ``find``.
    """

    def __init__(self, half: tuple[int, int]) -> None:
        self.alpha: Plane = np.zeros(half, np.uint8)
        self._ellipse: Floats | None = None
        self._presence = 0.0

    def find(self, person: Person) -> None:
        """Sets ``alpha`` from the person mask of the same frame."""
        found = skin_ellipse(person.small, person.small_alpha)
        if found is None:
            self._presence = max(0.0, self._presence - FADE)
        else:
            self._presence = min(1.0, self._presence + FADE)
            far = self._ellipse is None or bool(
                np.abs(found[:2] - self._ellipse[:2]).max() > 2 * found[2:].max()
            )
            if self._ellipse is None or far:
                self._ellipse = found
            else:
                # Large movements of the head are followed at once, small ones are smoothed.
                step = found - self._ellipse
                quick = np.clip(np.abs(step) / found[2:].mean() * 4, FOLLOW, 1)
                self._ellipse = np.asarray(self._ellipse + step * quick, np.float32)
        if self._ellipse is None or self._presence <= 0:
            self.alpha.fill(0)
            return
        rows, columns = person.small_alpha.shape
        x, y, across, down = self._ellipse
        away = np.hypot(
            (np.arange(columns, dtype=np.float32)[None] - x) / across,
            (np.arange(rows, dtype=np.float32)[:, None] - y) / down,
        )
        # Opaque up to 0.75 of the ellipse's radius, transparent from 1.2 on.
        share = np.clip((1.2 - away) / 0.45, 0, 1)
        share = share * share * (3 - 2 * share) * self._presence
        soft = np.asarray(share * person.small_alpha, np.uint8)
        cv2.resize(soft, self.alpha.shape[::-1], dst=self.alpha, interpolation=cv2.INTER_LINEAR)


def skin_ellipse(planes: Plane, alpha: Plane) -> Floats | None:
    """Centre (x, y) and semi-axes of the face in a small picture, float32 (4,), pixels; None without one."""
    y, u, v = planes
    skin = (alpha > 150) & (y > DARKEST)
    skin &= (u > SKIN_U[0]) & (u < SKIN_U[1]) & (v > SKIN_V[0]) & (v < SKIN_V[1])
    calm = cv2.morphologyEx(skin.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, measures, middles = cv2.connectedComponentsWithStats(calm, ltype=cv2.CV_16U)
    best, most = 0, LEAST * alpha.size
    for index in range(1, count):
        area = float(measures[index, cv2.CC_STAT_AREA])
        # Hands are skin, too: of two patches the higher one scores more.
        score = area * (1.5 - float(middles[index, 1]) / alpha.shape[0])
        if area > LEAST * alpha.size and score > most:
            best, most = index, score
    if best == 0:
        return None
    left, top, width, height = (int(measures[best, part]) for part in range(4))
    height = min(height, round(LONGEST * width))
    patch = labels[top : top + height, left : left + width] == best
    rows, columns = np.nonzero(patch)
    spread = np.array([columns.std(), rows.std()]) * 2 * MARGIN
    return np.array([left + columns.mean(), top + rows.mean(), *np.maximum(spread, 2)], np.float32)
