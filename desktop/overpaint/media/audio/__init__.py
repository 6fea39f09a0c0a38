"""Sound on the clock of the frames: drift correction, gate, level, buffer. Arrays only.

Sound is 48 kHz stereo, int16, numbered on one grid for the whole host: sample ``n`` was captured at ``n /
48000`` seconds of the frames' clock (``media.frames.now_ns``). What two devices captured at one time has
one number, whatever their clocks say. The devices are in ``media/sound_inputs/``. Must not know
devices or files.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

RATE, CHANNELS = 48_000, 2
"""Samples a second; interleaved channels."""

Sound: TypeAlias = NDArray[np.int16]
"""Samples, shape (n, CHANNELS)."""


def index_at(time_ns: int) -> int:
    """Returns the number of the sample that was captured at a time of the frames' clock."""
    return time_ns * RATE // 1_000_000_000


def silence(count: int) -> Sound:
    """Returns that many silent samples."""
    return np.zeros((max(0, count), CHANNELS), np.int16)
