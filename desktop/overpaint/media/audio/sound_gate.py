"""The gate of sound: silence for what was captured while the user did not want to be heard.

It decides by the time of capture, sample by sample: a word spoken while it was closed stays out although it
is processed later. Whether it is open is the hold policy's decision (``media.hold_policy.may_hear``). Must
not know the user's choices. Thread-safe.
"""

from __future__ import annotations

import threading

from overpaint.media.audio import Sound, index_at
from overpaint.media.frames import now_ns

LATENCY_NS = 200_000_000
"""Most that a device's samples are older than their time of arrival says
(Bluetooth): the gate opens later by it.
"""
KEPT = 256
"""Changes that are remembered: far more than a user makes while a chunk is on its way."""


class SoundGate:
    """The gate, closed at first."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._changes: list[tuple[int, bool]] = []

    @property
    def open(self) -> bool:
        """Whether what is captured from now on is heard."""
        with self._guard:
            return bool(self._changes) and self._changes[-1][1]

    def set(self, open_: bool) -> None:
        """Opens or closes it from now on."""
        time_ns = now_ns()
        with self._guard:
            if open_ == (bool(self._changes) and self._changes[-1][1]):
                return
            first = not self._changes
            # Before the first change nothing was captured that must stay out.
            late_ns = LATENCY_NS if open_ and not first else 0
            at = index_at(time_ns + late_ns)
            # One that has not come into effect yet never does.
            self._changes = [change for change in self._changes if change[0] < at][-KEPT:]
            self._changes.append((at, open_))

    def apply(self, start: int, sound: Sound) -> Sound:
        """Returns samples with silence where it was closed.

        Args:
            start: Number of the first sample on the grid.
            sound: The samples; not changed.
        """
        with self._guard:
            changes = list(self._changes)
        end, heard, place = start + len(sound), False, start
        closed: list[tuple[int, int]] = []
        for at, open_ in [*changes, (end, True)]:
            if not heard and at > place:
                closed.append((place, min(at, end)))
            place, heard = max(place, min(at, end)), open_
        if not closed:
            return sound
        gated = sound.copy()
        for begin, stop in closed:
            gated[begin - start : stop - start] = 0
        return gated
