"""Colours of people, quantised: bins of luma and chroma, and which of them look like anybody's skin.

Must not know one person's colours.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.compilation import kernel
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

LUMAS, CHROMAS = 16, 32
"""Bins of luma, 16 levels wide, and of each chroma, 4 levels wide from 64 to 191."""

BINS = LUMAS * CHROMAS * CHROMAS

DARK = 24.0
"""Levels added to luma where chroma is divided by it, since dark pixels have none worth the name."""

SKIN, SPREAD = (-0.085, 0.135), 0.055
"""Chroma of skin divided by luma, mean of palest and darkest, and its deviation over people and lights."""

BIN_LUMA: Floats = (np.arange(LUMAS, dtype=np.float32) * 16 + 8)[:, None, None]
"""Middles of the bins of luma, levels; broadcasts over chroma."""

_MIDDLES = np.arange(CHROMAS, dtype=np.float32) * 4 - 62


def relative_chroma(luma: Floats, u: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Chroma by luma: nearly the same in light and shadow, since gamma keeps ratios.

    Args:
        luma: Levels in full range.
        u: Levels around 0.
        v: Levels around 0.
    """
    scale = 1 / (luma + DARK)
    return np.asarray(u * scale, np.float32), np.asarray(v * scale, np.float32)


BIN_A, BIN_B = relative_chroma(BIN_LUMA, _MIDDLES[None, :, None], _MIDDLES[None, None, :])
"""Relative chroma of the bins' middles, to be broadcast to (``LUMAS``, ``CHROMAS``, ``CHROMAS``)."""


@kernel
def bin_of(luma: Any, u: Any, v: Any) -> Any:
    """The bin of a colour; for kernels."""
    across = min(max(np.int32(u) - np.int32(64), np.int32(0)), np.int32(127)) >> np.int32(2)
    along = min(max(np.int32(v) - np.int32(64), np.int32(0)), np.int32(127)) >> np.int32(2)
    return ((np.int32(luma) >> np.int32(4)) * np.int32(CHROMAS) + across) * np.int32(CHROMAS) + along


def bins(part: Plane) -> NDArray[np.int32]:
    """The bin of each pixel.

    Args:
        part: uint8 (3, H, W), luma and chroma.
    """
    chroma = (np.clip(part[1:], 64, 191) - np.uint8(64)) >> 2
    luma = part[0].astype(np.int32) >> 4
    return np.asarray((luma * CHROMAS + chroma[0]) * CHROMAS + chroma[1], np.int32)


@cache
def skin_likeness() -> Floats:
    """How much each bin looks like anybody's skin, float32 (``BINS``,), 0..1."""
    away = ((BIN_A - SKIN[0]) ** 2 + (BIN_B - SKIN[1]) ** 2) / SPREAD**2
    return np.asarray(np.exp(-0.5 * away), np.float32).ravel()
