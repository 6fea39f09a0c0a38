"""The jitter buffer: when a received picture is shown, at once on an even network, evenly on an uneven one.

A lost packet that is sent again holds up its picture and those behind it, which then come all at once, and
all but the last of them would be dropped by whoever wants the newest. So pictures are held back by as much
as most of them are late, which is nothing where none is. A picture that is late by itself (the sender or this
machine had no time) is no reason. Pure: told what happened and when.
"""

from __future__ import annotations

from collections import deque

CLOCK = 90_000
WRAP = 1 << 32
BASE_FRAMES, RECENT_FRAMES = 300, 60
"""The quickest of ten seconds is what lateness is measured against; that of two seconds counts."""
USUAL = 0.9
SMALL_S = 0.025
"""Lateness that nobody sees at 30 pictures a second: nothing is held back for it."""
MOST_S = 0.2
SLOWER = 0.02
ANEW_S = 2.0


class PlayoutClock:
    """Of one stream of pictures.

    Attributes:
        hold_s: By how much pictures are held back now, against the quickest.
    """

    def __init__(self) -> None:
        self.hold_s = 0.0
        self._lates: deque[float] = deque(maxlen=BASE_FRAMES)
        self._held_up: deque[float] = deque(maxlen=RECENT_FRAMES)
        self._stamp: int | None = None
        self._media_s = 0.0
        self._due_s = 0.0

    def due_s(self, stamp: int, arrived_s: float, held_up: bool) -> float:
        """When to show a picture.

        Args:
            stamp: Its RTP timestamp, 90 kHz, 32 bits.
            arrived_s: When its last packet came, seconds of a clock that only rises.
            held_up: Whether it had to wait for a packet that was sent again, or overtaken.

        Returns:
            A time of the same clock: ``arrived_s``, or up to ``MOST_S`` later.
        """
        self._advance(stamp)
        late = arrived_s - self._media_s
        if self._lates and abs(late - self._lates[-1]) > ANEW_S:
            self._lates.clear()
            self._held_up.clear()
            self.hold_s = 0.0
        self._lates.append(late)
        base = min(self._lates)
        self._held_up.append(late - base if held_up else 0.0)
        self._adapt()
        due = arrived_s
        if self.hold_s:
            due = min(max(arrived_s, base + self._media_s + self.hold_s, self._due_s), arrived_s + MOST_S)
        self._due_s = due
        return due

    def _advance(self, stamp: int) -> None:
        if self._stamp is not None:
            step = (stamp - self._stamp + WRAP // 2) % WRAP - WRAP // 2
            self._media_s += step / CLOCK
        self._stamp = stamp

    def _adapt(self) -> None:
        recent = sorted(self._held_up)
        usual = min(MOST_S, recent[int(USUAL * (len(recent) - 1))])
        if usual > self.hold_s:
            self.hold_s = usual
        else:
            self.hold_s = max(usual, self.hold_s * (1 - SLOWER))
        if self.hold_s < SMALL_S and usual < SMALL_S:
            self.hold_s = 0.0
