"""The face: an ellipse around the highest patch of skin, soft, following without a jump.

No net: within the person's mask skin is told by its chroma, which is much alike in all people and lights,
and a face is the skin that lies highest. Good enough to paint a face more lightly, not to recognise anyone;
one face, the largest. Must not know what is done with it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.people.person_mask import Person
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

SKIN_U, SKIN_V = (84, 125), (133, 176)
"""Chroma of skin, from the darkest to the palest, under white and warm light."""

DARKEST = 30
"""Luma below which chroma says nothing."""

LEAST = 0.003
"""Share of the picture below which a patch of skin is no face."""

LONGEST = 1.35
"""Height of a face by its width: what is below that is neck."""

FOLLOW, FADE = 0.35, 0.25
"""Share of a new frame in the ellipse's place, and how fast it comes and goes."""

MARGIN = 1.1
"""Size of the ellipse by that of the skin: hairline, ears and chin are part of a face."""


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
        """Sets ``alpha`` from a person that has been found in the same frame."""
        found = _ellipse(person.small, person.small_alpha)
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
                # A head that moves is followed at once, one that trembles is not.
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
        # Whole up to 0.75 of the way, gone at 1.2.
        share = np.clip((1.2 - away) / 0.45, 0, 1)
        share = share * share * (3 - 2 * share) * self._presence
        soft = np.asarray(share * person.small_alpha, np.uint8)
        cv2.resize(soft, self.alpha.shape[::-1], dst=self.alpha, interpolation=cv2.INTER_LINEAR)


def _ellipse(planes: Plane, alpha: Plane) -> Floats | None:
    """Middle (x, y) and half axes of the face in a small picture, pixels; None without one."""
    y, u, v = planes
    skin = (alpha > 150) & (y > DARKEST)
    skin &= (u > SKIN_U[0]) & (u < SKIN_U[1]) & (v > SKIN_V[0]) & (v < SKIN_V[1])
    calm = cv2.morphologyEx(skin.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, measures, middles = cv2.connectedComponentsWithStats(calm, ltype=cv2.CV_16U)
    best, most = 0, LEAST * alpha.size
    for index in range(1, count):
        area = float(measures[index, cv2.CC_STAT_AREA])
        # Hands are skin as well: of two patches the higher one counts for more.
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
