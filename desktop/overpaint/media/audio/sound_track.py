"""A sound track: what one device captured, on the grid of the frames' clock, for readers of other threads.

A device's chunks are corrected for drift, gated, metered and kept for some seconds. Time without sound is
silence, so that a track has no gaps. Must not know devices or files.
"""

from __future__ import annotations

import threading

import numpy as np

from overpaint.media.audio import CHANNELS, RATE, Sound, silence
from overpaint.media.audio.drift_correction import DriftCorrection
from overpaint.media.audio.sound_gate import SoundGate

KEPT_S = 10
"""Seconds that a reader may be behind."""


class SoundTrack:
    """A sound track. Thread-safe.

    Args:
        gate: Decides what is heard.

    Attributes:
        end: Number of the sample after the newest one; 0 before the first.
        running: Whether a device fills it now.
    """

    def __init__(self, gate: SoundGate) -> None:
        self._gate = gate
        self._guard = threading.Lock()
        self._ring = silence(KEPT_S * RATE)
        self._correction: DriftCorrection | None = None
        self._peak = 0
        self.end = 0
        self.running = False

    def begin(self, rate: int) -> None:
        """Prepares for a device that starts to deliver; its nominal samples a second."""
        self._correction = DriftCorrection(rate)
        self.running = True

    def end_device(self) -> None:
        """Notes that the device delivers no more: nobody waits for its sound."""
        self.running = False

    @property
    def drift(self) -> float:
        """Share by which the device runs too fast."""
        return self._correction.clock.drift if self._correction is not None else 0.0

    def push(self, sound: Sound, arrived_ns: int) -> None:
        """Takes the device's next samples, as they were read at a time of the frames' clock."""
        assert self._correction is not None
        start, corrected = self._correction.push(sound, arrived_ns)
        if not len(corrected):
            return
        heard = self._gate.apply(start, corrected)
        peak = int(np.abs(heard.astype(np.int32)).max())
        with self._guard:
            self._peak = max(self._peak, peak)
            self._keep(start, heard)

    def read(self, start: int, end: int) -> Sound:
        """Returns the samples of a range; silence where there are none (or none any more)."""
        with self._guard:
            oldest = max(0, self.end - len(self._ring))
            begin, stop = max(start, oldest), min(end, self.end)
            if stop <= begin:
                return silence(end - start)
            there = self._ring.take(range(begin, stop), axis=0, mode="wrap")
        return np.concatenate((silence(begin - start), there, silence(end - stop)))

    def take_peak(self) -> float:
        """Returns the greatest amplitude since the last call, 0 to 1."""
        with self._guard:
            peak, self._peak = self._peak, 0
        return peak / 32768

    def _keep(self, start: int, sound: Sound) -> None:
        """Writes into the ring; what lies between the newest sample and these is silence."""
        size = len(self._ring)
        if start > self.end:
            gap = min(start - self.end, size)
            self._ring[np.arange(start - gap, start) % size] = 0
        sound = sound[max(0, len(sound) - size) :]
        places = np.arange(len(sound)) + (start % size)
        self._ring[places % size] = sound.reshape(-1, CHANNELS)
        self.end = max(self.end, start + len(sound))
