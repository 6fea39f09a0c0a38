"""Adaptive resampling: a device's samples, carried over to the grid of the frames' clock.

The ratio follows the recovered clock (``device_clock``) without steps, so that an hour of sound is as long
as the hour of pictures beside it, and no correction is heard. Must not know devices.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray

from overpaint.media.audio import CHANNELS, RATE, Sound, index_at
from overpaint.media.audio.device_clock import DeviceClock

PHASES = 1024
"""Fractional positions between two samples for which there is a filter."""
HALF = 8
"""Samples on each side that a filter uses, at the grid's rate or below."""

_Samples = NDArray[np.float32]


class DriftCorrection:
    """The resampler of one running device.

    Args:
        rate: Nominal samples a second of the device.

    Attributes:
        clock: The device's clock.
    """

    def __init__(self, rate: int) -> None:
        self.clock = DeviceClock(rate)
        self._half = HALF * max(1, math.ceil(rate / RATE))
        self._filters = _filters(self._half, min(1.0, RATE / rate))
        self._kept = np.zeros((0, CHANNELS), np.float32)
        self._count = 0
        self._next: int | None = None
        self._place = 0.0

    def push(self, sound: Sound, arrived_ns: int) -> tuple[int, Sound]:
        """Takes the device's next samples.

        Args:
            sound: The samples; of any number, as read at once.
            arrived_ns: When they were read, by the frames' clock.

        Returns:
            The number on the grid of the first new sample, and the new samples. They follow the former ones,
            unless the device lost some.
        """
        self._count += len(sound)
        jumped = self.clock.note(self._count, arrived_ns)
        self._kept = np.concatenate((self._kept, sound.astype(np.float32)))
        first = self._count - len(self._kept)
        if self._next is None or jumped:
            # Before this chunk lies what the filter needs, or nothing.
            begun_ns = arrived_ns - len(sound) * 1e9 / RATE
            self._next = index_at(round(begun_ns))
            self._place = max(self._at(self._next), float(first))
        last = self._count - self._half - 1
        number = math.floor(
            (last - self._place) / (self._at(self._next + RATE) - self._at(self._next)) * RATE
        )
        # The line from the place reached to the one that the clock says now: no step where the clock moved.
        end = self._at(self._next + number) if number > 0 else self._place
        if number <= 0 or end <= self._place:
            return self._next, np.zeros((0, CHANNELS), np.int16)
        places = self._place + (end - self._place) / number * np.arange(number)
        out = self._resample(places - first)
        start = self._next
        self._next, self._place = start + number, end
        self._kept = self._kept[max(0, math.floor(end) - self._half - first) :]
        return start, out

    def _at(self, index: int) -> float:
        return self.clock.position(index * 1e9 / RATE)

    def _resample(self, places: NDArray[np.floating]) -> Sound:
        """Returns the sound at places of the kept samples."""
        before = np.concatenate((np.zeros((self._half, CHANNELS), np.float32), self._kept))
        whole = np.floor(places).astype(np.intp)
        phase = ((places - whole) * PHASES).astype(np.intp)
        taps = np.lib.stride_tricks.sliding_window_view(before, 2 * self._half, axis=0)
        # Tap 0 lies half - 1 samples before the place, which the zeros in front shift by half.
        windows = taps[np.clip(whole + 1, 0, len(taps) - 1)]
        mixed = np.matmul(windows, self._filters[phase][:, :, None])[:, :, 0]
        rounded: Sound = np.clip(np.rint(mixed), -32768, 32767).astype(np.int16)
        return rounded


@functools.lru_cache(maxsize=4)
def _filters(half: int, band: float) -> _Samples:
    """Returns windowed sincs (Kaiser), shape (PHASES, 2 * half); number ``p`` looks ``p / PHASES`` on."""
    cutoff = 0.94 * band
    away = np.arange(-half + 1, half + 1)[None, :] - (np.arange(PHASES)[:, None] + 0.5) / PHASES
    window = np.i0(7.0 * np.sqrt(np.clip(1 - (away / half) ** 2, 0, 1))) / np.i0(7.0)
    taps = cutoff * np.sinc(cutoff * away) * window
    filters: _Samples = (taps / taps.sum(axis=1, keepdims=True)).astype(np.float32)
    return filters
