"""The measured reference photo: colour statistics, tints and a small palette.

Must not keep the photo after it is measured; only a copy of 256 × 256 pixels stays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.planes import FULL_FROM_LIMITED, split
from overpaint.errors import EngineError

Floats = NDArray[np.float32]

LONGEST_SIDE = 160
"""Longest side of the copy on which colours are measured, pixels; more pixels do not change them."""

SMALL_SIDE = 256
"""Side of the copy that is kept, pixels."""

LEGIBLE = (70.0, 190.0)
"""Mean luma, full range, between which a photo is brought before it is measured: in the style of a nearly
black painting nobody could be recognised."""

GAMMA_LEAST, GAMMA_MOST = 0.35, 3.0
"""Limits of the exponent that does so; with more, the noise of a black photo would be its colours."""

SPREAD, SPREAD_MOST = 40.0, 3.0
"""Standard deviation of luma that such a photo has at least then, and the limit of the factor for it."""

NEIGHBOURS, VIVIDNESS = 3, 1.35
"""Palette entries on each side among which the most colourful is taken, and the factor on its chroma."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """The colours of a reference photo.

    Attributes:
        mean: float32 (3,), mean of (luma, u, v), luma in full range.
        covariance: float32 (3, 3), covariance of (luma, u, v).
        tint: float32 (256, 2), the photo's chroma (u, v around 0) at each luma level, smoothed.
        palette: float32 (16, 3), its sixteen main colours as (luma, u, v), dark to light.
        small: uint8 (256, 256, 3) BGR, a reduced copy from which a net reads the photo's style.
    """

    mean: Floats
    covariance: Floats
    tint: Floats
    palette: Floats
    small: NDArray[np.uint8]

    def colourful(self, place: float) -> Floats:
        """The most colourful of the main colours near a place in the palette, made a little more vivid.

        Args:
            place: Position in the palette: 0 is the darkest colour, 1 the lightest.

        Returns:
            float32 (3,): luma, u, v. The luma is that of the colour at ``place``, so that dark stays dark.
        """
        last = len(self.palette) - 1
        at = round(place * last)
        near = self.palette[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1]
        chroma = near[:, 1:] - 128
        best = chroma[np.hypot(chroma[:, 0], chroma[:, 1]).argmax()] * VIVIDNESS
        return np.array([self.palette[at, 0], 128 + best[0], 128 + best[1]], np.float32)


def measure(photo: object) -> Photo:
    """Measures a photo's colours.

    Args:
        photo: BGR uint8 (H, W, 3).

    Raises:
        EngineError: The photo is no such array, or is empty (``bad_reference``).
    """
    lit = _legible(photo)
    pixels = _pixels(lit)
    mean = pixels.mean(0)
    covariance = np.cov(pixels.T, ddof=0).astype(np.float32)
    small = cv2.resize(lit, (SMALL_SIDE, SMALL_SIDE), interpolation=cv2.INTER_AREA)
    return Photo(
        mean.astype(np.float32), covariance, _tint(pixels), _palette(pixels), np.asarray(small, np.uint8)
    )


def _legible(photo: object) -> NDArray[np.uint8]:
    """The photo, brighter or darker where its mean luma is outside ``LEGIBLE``; BGR uint8 (H, W, 3)."""
    if (
        not isinstance(photo, np.ndarray)
        or photo.dtype != np.uint8
        or photo.ndim != 3
        or photo.shape[2] != 3
        or min(photo.shape[:2]) < 1
    ):
        raise EngineError("reference_photo_malformed")
    mean = min(max(_brightness(photo)[0], 1.0), 254.0)
    goal = min(max(mean, LEGIBLE[0]), LEGIBLE[1])
    if goal == mean:
        return photo
    gamma = min(max(math.log(goal / 255) / math.log(mean / 255), GAMMA_LEAST), GAMMA_MOST)
    curve = 255 * (np.arange(256) / 255) ** gamma
    lit = np.asarray(cv2.LUT(photo, np.rint(curve).astype(np.uint8)), np.uint8)
    mean, spread = _brightness(lit)
    more = min(max(SPREAD / max(spread, 1.0), 1.0), SPREAD_MOST)
    levels = np.clip((np.arange(256) - mean) * more + mean, 0, 255)
    return np.asarray(cv2.LUT(lit, np.rint(levels).astype(np.uint8)), np.uint8)


def _brightness(photo: NDArray[np.uint8]) -> tuple[float, float]:
    """Mean and standard deviation of a photo's luma, full range."""
    mean, spread = cv2.meanStdDev(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY))
    return float(mean[0, 0]), float(spread[0, 0])


def _pixels(photo: NDArray[np.uint8]) -> Floats:
    longest = max(photo.shape[:2])
    scale = min(1.0, LONGEST_SIDE / longest)
    size = [max(2, round(side * scale) // 2 * 2) for side in photo.shape[1::-1]]
    small = cv2.resize(photo, (size[0], size[1]), interpolation=cv2.INTER_AREA)
    y, u, v = split(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2YUV_I420), np.uint8))
    y = FULL_FROM_LIMITED[cv2.resize(y, u.shape[::-1], interpolation=cv2.INTER_AREA)]
    return np.stack([y, u, v], -1).reshape(-1, 3).astype(np.float32)


def _tint(pixels: Floats) -> Floats:
    """Mean chroma by luma, smoothed by a Gaussian over levels (σ = 24) so that gaps are filled."""
    levels = np.arange(256, dtype=np.float32)
    bins = np.clip(pixels[:, 0], 0, 255).astype(np.int64)
    counts = np.bincount(bins, minlength=256).astype(np.float32)
    weights = np.exp(-(((levels[:, None] - levels[None]) / 24) ** 2) / 2)
    total = weights @ counts + 1e-6 * counts.sum()
    sums = [np.bincount(bins, pixels[:, channel] - 128, minlength=256) for channel in (1, 2)]
    fallback = pixels[:, 1:].mean(0) - 128
    curves = [
        (weights @ plane + 1e-6 * counts.sum() * mean) / total
        for plane, mean in zip(sums, fallback, strict=True)
    ]
    return np.stack(curves, -1).astype(np.float32)


def _palette(pixels: Floats, colours: int = 16) -> Floats:
    """Palette by k-means clustering, started from quantiles of luma so that a photo always gives the same."""
    order = pixels[np.argsort(pixels[:, 0], kind="stable")]
    picks = np.linspace(0, len(order) - 1, colours).astype(int)
    centres = order[picks].copy()
    for _ in range(12):
        distance = ((pixels[:, None] - centres[None]) ** 2 * np.array([1, 2, 2], np.float32)).sum(-1)
        nearest = distance.argmin(1)
        for index in range(colours):
            members = pixels[nearest == index]
            if len(members):
                centres[index] = members.mean(0)
    return np.asarray(centres[np.argsort(centres[:, 0])], np.float32)
