"""The jitter buffer: delays received pictures for even playout, by nothing on an even network.

A retransmitted packet delays its picture and those behind it, which then come all at once, and a slot for the
newest would drop all but the last. So pictures are delayed by as much as most of them are late, which is
nothing on an even network. Lateness of a busy sender or receiver does not count. Pure: events and times are
arguments.
"""

from __future__ import annotations

from collections import deque

CLOCK = 90_000
WRAP = 1 << 32
BASE_FRAMES, RECENT_FRAMES = 300, 60
"""Windows: lateness is relative to the fastest picture of ten seconds, and measured over two."""
USUAL = 0.9
SMALL_S = 0.025
"""Invisible lateness at 30 pictures a second, for which nothing is delayed."""
MOST_S = 0.2
SLOWER = 0.02
ANEW_S = 2.0


class PlayoutClock:
    """The playout clock of one stream.

    Attributes:
        hold_s: Present delay, relative to the fastest picture.
    """

    def __init__(self) -> None:
        self.hold_s = 0.0
        self._lates: deque[float] = deque(maxlen=BASE_FRAMES)
        self._held_up: deque[float] = deque(maxlen=RECENT_FRAMES)
        self._stamp: int | None = None
        self._media_s = 0.0
        self._due_s = 0.0

    def due_s(self, stamp: int, arrived_s: float, held_up: bool) -> float:
        """Returns when to show a picture.

        Args:
            stamp: Its RTP timestamp, 90 kHz, 32 bits.
            arrived_s: Time of its last packet, seconds of a monotonic clock.
            held_up: Whether it had to wait for a retransmitted or reordered packet.

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
