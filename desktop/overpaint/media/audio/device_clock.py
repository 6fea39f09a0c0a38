"""Clock recovery: when a device captured each sample, by the frames' clock. Pure.

A device has a clock of its own, which is off by up to some 100 ppm (0.36 s an hour), and its chunks arrive
with jitter, never early. A second-order loop follows the least late chunk of each second: it finds the real
rate, is not moved by stalls of this process or of the sound server, and follows a device that is late for
good. Must not know devices, nor what the samples are.
"""

from __future__ import annotations

import math

SETTLING_S = 4.0
"""Time for which the loop follows quickly."""
QUICK_HZ, SLOW_HZ = 0.2, 0.04
"""The loop's bandwidth while it settles, and later."""
QUICK_WINDOW_S, WINDOW_S = 0.25, 1.0
"""Time of which the least late chunk counts."""
BURST_S = 0.1
"""Most of the time between two chunks that counts for a window: a stall and the burst of chunks that makes up
for it are over before a window is, else its first chunks would look like lost samples."""
EARLY_NS = 4e6
"""While it settles, a chunk that is earlier by this shows at once that those before it were late."""
STEP_NS = 4e6
"""A deviation of this much is a change of the device's latency, and says nothing of its rate."""
SLEW = 0.008
"""Most of a correction a second: a change of pitch that nobody hears."""
GAP_NS = 60e6
"""A deviation of this much is none of the rate: samples were lost, or the computer slept."""
MOST_DRIFT = 0.002
"""Share by which a device's rate may be off."""


class DeviceClock:
    """The clock of one running device.

    Args:
        rate: Nominal samples a second.
    """

    def __init__(self, rate: int) -> None:
        self._nominal_ns = 1e9 / rate
        self._sample_ns = self._nominal_ns
        self._count = 0
        self._time_ns = 0.0
        self._age_s = self._slew = 0.0
        self._window_s, self._waited_s, self._least_ns = 0.0, 0.0, math.inf
        self._arrived_ns = 0
        self._begun = False

    @property
    def drift(self) -> float:
        """Share by which the device runs faster than its nominal rate, as estimated."""
        return self._nominal_ns / self._sample_ns - 1

    def note(self, count: int, arrived_ns: int) -> bool:
        """Records an arrival.

        Args:
            count: Number of the device's samples so far, those of this chunk included.
            arrived_ns: When they were read.

        Returns:
            Whether the clock had to jump, since samples before this chunk are missing.
        """
        new = count - self._count
        self._count = count
        waited_s, self._arrived_ns = (arrived_ns - self._arrived_ns) / 1e9, arrived_ns
        if not self._begun:
            self._begun, self._time_ns = True, float(arrived_ns)
            return False
        step_s = new * self._nominal_ns / 1e9
        self._age_s += step_s
        self._time_ns += new * self._sample_ns + self._slew * step_s * 1e9
        late_ns = arrived_ns - self._time_ns
        settling = self._age_s < SETTLING_S
        if settling and late_ns < -EARLY_NS:
            self._time_ns, late_ns = float(arrived_ns), 0.0
            self._window_s, self._waited_s, self._least_ns = 0.0, 0.0, math.inf
        self._window_s += step_s
        self._waited_s += min(waited_s, max(step_s, BURST_S))
        self._least_ns = min(self._least_ns, late_ns)
        if min(self._window_s, self._waited_s) < (QUICK_WINDOW_S if settling else WINDOW_S):
            return False
        least_ns, window_s = self._least_ns, self._window_s
        self._window_s, self._waited_s, self._least_ns = 0.0, 0.0, math.inf
        if abs(least_ns) > GAP_NS:
            self._time_ns += least_ns
            self._slew = 0.0
            return True
        self._turn(least_ns, window_s, 2 * math.pi * (QUICK_HZ if settling else SLOW_HZ) * window_s)
        return False

    def _turn(self, late_ns: float, window_s: float, turn: float) -> None:
        """Turns phase and rate by what a window has shown; the phase in the course of the next one."""
        self._slew = min(max(math.sqrt(2) * turn * late_ns / window_s / 1e9, -SLEW), SLEW)
        counts_ns = late_ns if abs(late_ns) < STEP_NS else 0.0
        rate = self._sample_ns + turn * turn * counts_ns / (window_s * 1e9 / self._nominal_ns)
        bound = self._nominal_ns * MOST_DRIFT
        self._sample_ns = min(max(rate, self._nominal_ns - bound), self._nominal_ns + bound)

    def position(self, time_ns: float) -> float:
        """Returns the number, with a fraction, of the device's sample captured at a time."""
        return self._count + (time_ns - self._time_ns) / self._sample_ns
