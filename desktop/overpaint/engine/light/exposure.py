"""Exposure: the tone curve that brings a picture to its target, and its steps over time (auto exposure).

A picture is first scaled (white point), then lifted along curves y' = g y / (1 + (g - 1) y), which keep black
and white and never clip. The gain g depends on the brightness around a pixel, so that a dark person before a
window is lifted and the window is not (local tone mapping). Must not know pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LEVELS: Floats = np.linspace(0, 1, 256, dtype=np.float32)

_SAMPLES = np.linspace(0, 1, 64)

SCALE_MOST, GAIN_MOST, GAIN_LEAST = 3.2, 9.0, 0.25
"""Limits of the scale, and of the gain of a curve: beyond them there is more noise than picture."""

OWN_LIGHT = 2.3, 4.5
"""Brightness relative to the subject up to which a place is lifted with it, and from which it is left alone:
a white wall reflects less than twice as much as skin, so what is brighter has light of its own."""

FOLLOW = 0.13
"""Weight of a new target in each frame: nine tenths of a step within 17 frames, half a second."""

DRIFT = 0.03
"""The weight instead while the room's light is the same, and only what is found in the picture differs."""

SETTLED = 0.4 / 255
"""Distance from "no change" below which nothing is changed any more."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """The correction of one frame.

    Attributes:
        scale: Factor on luma, at least 1.
        curve: float32 (256,), output 0..1 of each scaled luma 0..1, in places of that brightness.
        cast: Cast (u, v) that is taken away, as a share of luma.
    """

    scale: float
    curve: Floats
    cast: tuple[float, float]

    @property
    def neutral(self) -> bool:
        """Whether it changes nothing that can be seen."""
        return (
            abs(self.scale - 1) < SETTLED
            and float(np.abs(self.curve - LEVELS).max()) < SETTLED
            and max(map(abs, self.cast)) < SETTLED
        )

    def towards(self, target: Exposure, share: float) -> Exposure:
        """A step of this share towards another exposure."""
        first, second = (np.array(part.cast) for part in (self, target))
        cast = first + (second - first) * share
        return Exposure(
            float(self.scale * (target.scale / self.scale) ** share),
            np.asarray(self.curve + (target.curve - self.curve) * np.float32(share), np.float32),
            (float(cast[0]), float(cast[1])),
        )

    def differs(self, other: Exposure) -> float:
        """Greatest difference from another exposure, as a share of white."""
        mine, others = (np.interp(_SAMPLES * each.scale, LEVELS, each.curve) for each in (self, other))
        casts = max(abs(a - b) for a, b in zip(self.cast, other.cast, strict=True))
        return max(float(np.abs(mine - others).max()), casts)

    def gains(self) -> Floats:
        """float32 (256,): gain of the curve through each point, by scaled luma."""
        at, to = np.clip(LEVELS, 0.012, 0.985), np.clip(self.curve, 0.012, 0.985)
        return np.asarray(np.clip(to * (1 - at) / (at * (1 - to)), GAIN_LEAST, 16), np.float32)

    def apply(self, luma: Floats) -> Floats:
        """Luma 0..255 of a picture without detail, corrected."""
        return np.asarray(
            np.interp(luma * np.float32(self.scale / 255), LEVELS, self.curve) * 255, np.float32
        )


NEUTRAL = Exposure(1.0, LEVELS, (0.0, 0.0))
"""No correction."""


def gain_between(at: float, to: float) -> float:
    """Gain of the curve that maps ``at`` to ``to``, both 0..1."""
    at, to = min(max(at, 0.01), 0.99), min(max(to, 0.01), 0.99)
    return to * (1 - at) / (at * (1 - to))


def exposed(subject: float, target: float, white: float) -> Exposure:
    """The exposure that brings a subject to its target.

    Args:
        subject: Mean luma of what matters, 0..1.
        target: What it shall be, 0..1.
        white: Luma of the brightest places, 0..1.
    """
    wanted = target / max(subject, 0.01)
    scale = min(max(1.0, min(0.84 / max(white, 0.01), wanted)), SCALE_MOST)
    bright = min(subject * scale, 0.97)
    gain = min(max(gain_between(bright, target), GAIN_LEAST), GAIN_MOST)
    if gain >= 1:
        first, last = (factor * bright for factor in OWN_LIGHT)
        own = np.clip((LEVELS - first) / (max(last, first + 0.25) - first), 0, 1)
        local = 1 + (gain - 1) * (1 - own * own * (3 - 2 * own))
    else:
        local = np.full_like(LEVELS, gain)
    return Exposure(scale, _monotone(_curved(LEVELS, local)), (0.0, 0.0))


def filled(exposure: Exposure, dark: float, lit: float, wanted: float) -> Exposure:
    """An exposure that also lifts the shadowed side of a subject (fill light).

    Args:
        exposure: Without fill light.
        dark: Luma of the shadowed side before any correction, 0..1.
        lit: Luma of the lit side before any correction, 0..1.
        wanted: Least ratio of the two after it.
    """
    low, high = (float(side) / 255 for side in exposure.apply(np.array([dark, lit], np.float32) * 255))
    if low >= wanted * high:
        return exposure
    gain = min(gain_between(low, wanted * high), GAIN_MOST)
    share = np.clip((high - exposure.curve) / max(high - low, 0.02), 0, 1)
    curve = _curved(exposure.curve, 1 + (gain - 1) * share)
    return replace(exposure, curve=_monotone(curve))


def _curved(luma: Floats, gain: Floats) -> Floats:
    return np.asarray(gain * luma / (1 + (gain - 1) * luma), np.float32)


def _monotone(curve: Floats) -> Floats:
    return np.asarray(np.maximum.accumulate(curve), np.float32)
