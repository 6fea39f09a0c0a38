"""Appearance models of a person's parts: what colours and grain their skin, hair and clothes have.

All is learnt from the person: for each part a histogram over luma and chroma and one over fine contrast
(hair has strands, skin is smooth), and for skin besides a Gaussian of its chroma by luma, learnt from the
face, which holds in light and shadow. Every frame gives its pixels to parts by what is known (Bayes), and
what is known follows slowly (online expectation maximisation, Cappé and Moulines 2009). Must not know where
parts lie.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.compilation import kernel
from overpaint.engine.people.colour_bins import (
    BIN_A,
    BIN_B,
    BIN_LUMA,
    BINS,
    CHROMAS,
    DARK,
    LUMAS,
    bin_of,
    relative_chroma,
    skin_likeness,
)
from overpaint.engine.people.person_mask import shrink
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

SKIN, HAIR, CLOTHES, OTHER = range(4)
"""Parts. The last one is what people hold or wear on their heads, of which nothing is known."""

UNKNOWN = (0.01, 0.05, 0.08, 1.0)
"""Share of a part's pixels, by part, that may have any colour: clothes have prints and shadows."""

PARAMETRIC = 0.7
"""Share of the Gaussian in the model of skin; the rest is its histogram."""

SKIN_LUMA = 0.45
"""Standard deviation of the logarithm of skin's luma, from a lit cheek to a neck in shadow."""

FACE_LEAST = 0.05
"""How surely a pixel must show a face to be looked at."""

WIDER = np.array([2e-4, 2e-4, 0.05], np.float32)
"""Added to the variances of skin while outliers are left out, so that few pixels do not narrow it too far."""

GRAINS = 16
"""Bins of fine contrast."""

FOLLOW = 0.08
"""Weight of a new frame in what is known."""

SKINLIKE = {HAIR: 0.7, CLOTHES: 0.96}
"""Share by which pixels of exactly the skin's colour count less in the models of other parts."""


_GRAIN: Plane = np.clip(2.2 * np.log2(1 + np.arange(256)), 0, GRAINS - 1).astype(np.uint8)


def grain_of(low: Plane, out: Plane) -> Plane:
    """Bins of the fine contrast of a picture, without that of single edges.

    Args:
        low: uint8 (H, W), luma.
        out: uint8, smaller; written.
    """
    fine = cv2.absdiff(low, cv2.blur(low, (5, 5)))
    shrink(np.asarray(cv2.convertScaleAbs(fine, alpha=8), np.uint8), out)
    return np.asarray(cv2.LUT(cv2.erode(out, np.ones((3, 3), np.uint8)), _GRAIN), np.uint8)


@kernel
def _count(
    first: int,
    end: int,
    small: Any,
    grain: Any,
    weights: Any,
    begin: int,
    stop: int,
    counts: Any,
    grains: Any,
) -> None:
    """Adds the weights of pixels to their bins, by part. One band only: bands share bins."""
    for row in range(first, end):
        lumas, us, vs = small[0, row], small[1, row], small[2, row]
        for x in range(begin, stop):
            at = bin_of(lumas[x], us[x], vs[x])
            for part in range(counts.shape[0]):
                weight = weights[part, row, x]
                counts[part, at] += weight
                grains[part, grain[row, x]] += weight


def _skin_density(small: Plane, face: Floats) -> Floats:
    """Density of one face's skin over bins: a Gaussian in chroma by luma, and in the logarithm of luma."""
    where = face > FACE_LEAST
    luma, u, v = small[:, where].astype(np.float32)
    a, b = relative_chroma(luma, u - 128, v - 128)
    values = np.stack([a, b, np.log(luma + DARK)])
    share = near = face[where]
    for _ in range(3):
        # The mean of what lies near the mean: without eyes, lips, glasses and fringe.
        total = float(near.sum()) + 1e-6
        means = values @ near / total
        away = (values - means[:, None]) ** 2
        spread = away @ near / total
        near = share * np.exp(-0.5 * (away / (2 * spread + WIDER)[:, None]).sum(0))
    # A bin is wide in dark colours, whose chroma by luma is uncertain.
    coarse = (4 / (BIN_LUMA + DARK)) ** 2 / 12
    away_a = (BIN_A - means[0]) ** 2 / (spread[0] + 3.5e-4 + coarse)
    away_b = (BIN_B - means[1]) ** 2 / (spread[1] + 5e-4 + coarse)
    # Darker than the face is shadow; much brighter is not skin.
    step = np.log(BIN_LUMA + DARK) - means[2]
    away_luma = (step / np.where(step < 0, SKIN_LUMA, 0.6 * SKIN_LUMA)) ** 2
    found = np.exp(-0.5 * (away_a + away_b + away_luma)).ravel()
    return np.asarray(found / (found.sum() + 1e-9), np.float32)


class Appearance:
    """The appearance models of the people in one stream.

    Attributes:
        densities: float32 (``BINS``, 4), probability of each bin of colour, by part; the last part's is
            uniform.
        grains: float32 (``GRAINS``, 4), the same of fine contrast.
        likeness: float32 (``BINS``,), how much a colour looks like the skin of the people here, 0..1.
    """

    def __init__(self) -> None:
        self.densities: Floats = np.full((BINS, 4), 1 / BINS, np.float32)
        self.grains: Floats = np.full((GRAINS, 4), 1 / GRAINS, np.float32)
        self.likeness: Floats = skin_likeness()
        self._counts: Floats = np.zeros((3, BINS), np.float32)
        self._grain_counts: Floats = np.full((3, GRAINS), 1 / GRAINS, np.float32)
        self._gaussian: Floats = np.zeros(BINS, np.float32)
        self._frames = 0

    def learn_skin(self, small: Plane, faces: list[Floats]) -> None:
        """Learns the Gaussians of skin.

        Args:
            small: uint8 (3, H, W), luma and chroma.
            faces: For each face, float32 (H, W), how surely a pixel shows it, 0..1.
        """
        found = [_skin_density(small, face) for face in faces if np.count_nonzero(face > FACE_LEAST) >= 12]
        if found:
            self._gaussian = np.asarray(np.mean(found, 0), np.float32)

    def learn(self, small: Plane, grain: Plane, weights: Floats, span: tuple[int, int]) -> None:
        """Learns from the parts of a frame.

        Args:
            small: uint8 (3, H, W), luma and chroma.
            grain: uint8 (H, W), bins of fine contrast.
            weights: float32 (3, H, W), weight of each pixel for skin, hair and clothes.
            span: First column with people, and the one after the last.
        """
        self._frames += 1
        follow = max(FOLLOW, 1 / self._frames)
        found = np.zeros((3, BINS), np.float32)
        grains = np.zeros((3, GRAINS), np.float32)
        _count(0, small.shape[1], small, grain, weights, *span, found, grains)
        # What looks like skin teaches clothes little, or hands before a shirt would soon be clothes. A shirt
        # of that colour is learnt all the same, since only shares among clothes count.
        alike = self._gaussian / (self._gaussian.max() + 1e-9)
        for part, share in SKINLIKE.items():
            found[part] *= 1 - share * alike
        for known, new in (
            *zip(self._counts, found, strict=True),
            *zip(self._grain_counts, grains, strict=True),
        ):
            total = float(new.sum())
            # A part that is hardly seen teaches little.
            known += follow * min(1.0, total / 40) * (new / (total + 1e-6) - known)
        self._settle()

    def _settle(self) -> None:
        """Sets the densities from counts, blurred over neighbouring bins."""
        for part, counts in enumerate(self._counts):
            chroma = cv2.blur(counts.reshape(LUMAS * CHROMAS, CHROMAS), (3, 3))
            even = cv2.blur(chroma.reshape(LUMAS, CHROMAS * CHROMAS), (1, 3)).ravel()
            total = float(even.sum())
            known = even / total if total > 0 else self._gaussian
            if part == SKIN:
                known = PARAMETRIC * self._gaussian + (1 - PARAMETRIC) * known
            rare = UNKNOWN[part]
            self.densities[:, part] = (1 - rare) * known + rare / BINS
        skin, hair, clothes, _ = self.densities.T
        self.likeness = np.asarray(0.35 * skin_likeness() + 0.65 * skin / (skin + hair + clothes), np.float32)
        soft = cv2.blur(self._grain_counts, (3, 1), borderType=cv2.BORDER_REPLICATE)
        self.grains[:, :3] = 0.9 * soft.T / soft.sum(1) + 0.1 / GRAINS
