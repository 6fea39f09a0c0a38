"""Retransmission: the choice of lost packets to request (NACK), and of packets to send again.

Pure: events and times are arguments. Source: RFC 4585, section 6.2.1 (generic NACK). aiortc requests all
missing packets again at every new gap, and repeats every requested one: where a queue overflows, that keeps
it full. Must not know aiortc, sockets or frames.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

WRAP = 1 << 16
GIVE_UP_S = 0.45
"""Time after which packets are no longer requested; their picture is given up after 0.4 s."""
MISORDER_MOST_S = 0.04
ANSWER_START_S, ANSWER_LEAST_S, ANSWER_MOST_S = 0.1, 0.02, 0.25
CLOSED_KEPT = 256
MOST_OPEN = 512
LONG_WAY_S = 0.08
"""Round trip beyond which there is no time for many attempts."""
REPAIR_SHARE = 0.25
"""Limit of repeats as a share of the stream; more mean an overflowing queue."""
BURST_BYTES = 40_000


def is_newer(sequence: int, than: int) -> bool:
    """Returns whether a 16-bit sequence number is after another (RFC 3550, appendix A.1)."""
    return 0 < (sequence - than) % WRAP < WRAP // 2


@dataclass(slots=True)
class _Gap:
    noticed_s: float
    asked_s: float | None = None
    times: int = 0


class GapList:
    """The missing packets of a receiver.

    A packet is requested at once; on a path that reorders packets, after the delay that reordered ones had.
    It is requested again when the answer is overdue.
    """

    def __init__(self) -> None:
        self._newest: int | None = None
        self._open: OrderedDict[int, _Gap] = OrderedDict()
        self._closed: OrderedDict[int, tuple[float, bool]] = OrderedDict()
        self._misorder_s = 0.0
        self._answer_s = ANSWER_START_S

    def received(self, sequence: int, now_s: float) -> None:
        """Records a packet, original or repeated."""
        if self._newest is None:
            self._newest = sequence
        elif is_newer(sequence, self._newest):
            ahead = (sequence - self._newest) % WRAP
            if ahead <= MOST_OPEN:
                for step in range(1, ahead):
                    self._open[(self._newest + step) % WRAP] = _Gap(now_s)
            else:  # the sender restarted
                self._open.clear()
            self._newest = sequence
        elif gap := self._open.pop(sequence, None):
            self._close(sequence, gap, now_s)
        elif closed := self._closed.pop(sequence, None):
            # Received twice though requested once: the original was not lost but late.
            late_s, once = closed
            if once:
                self._tolerate(late_s)

    def due(self, now_s: float) -> list[int]:
        """Returns the packets to request now, oldest first; they count as requested."""
        asked = []
        for sequence, gap in tuple(self._open.items()):
            if now_s - gap.noticed_s > GIVE_UP_S:
                del self._open[sequence]
            elif now_s >= self._due_s(gap):
                gap.asked_s, gap.times = now_s, gap.times + 1
                asked.append(sequence)
        return asked

    def next_due_s(self) -> float | None:
        """Returns the next time for ``due``; None while nothing is missing."""
        return min((self._due_s(gap) for gap in self._open.values()), default=None)

    def _due_s(self, gap: _Gap) -> float:
        if gap.asked_s is None:
            return gap.noticed_s + self._misorder_s
        return gap.asked_s + self._answer_s * 1.25 + 0.005

    def _close(self, sequence: int, gap: _Gap, now_s: float) -> None:
        late_s = now_s - gap.noticed_s
        if gap.asked_s is None:
            self._tolerate(late_s)
            return
        answer_s = now_s - gap.asked_s
        if gap.times == 1:
            self._answer_s += (answer_s - self._answer_s) / 8
            self._answer_s = min(ANSWER_MOST_S, max(ANSWER_LEAST_S, self._answer_s))
            self._misorder_s *= 0.99
        self._closed[sequence] = (late_s, gap.times == 1)
        if len(self._closed) > CLOSED_KEPT:
            self._closed.popitem(last=False)

    def _tolerate(self, late_s: float) -> None:
        self._misorder_s = max(self._misorder_s, min(MISORDER_MOST_S, late_s * 1.2))


class RepairBudget:
    """The budget of repeats of a sender: recent packets, not too often, at most a quarter of the stream."""

    def __init__(self) -> None:
        self._sent: OrderedDict[int, tuple[float, int]] = OrderedDict()
        self._repeated: OrderedDict[int, tuple[float, int]] = OrderedDict()
        self._bytes = float(BURST_BYTES)

    def sent(self, sequence: int, size: int, now_s: float) -> None:
        """Records a packet sent for the first time."""
        self._bytes = min(float(BURST_BYTES), self._bytes + size * REPAIR_SHARE)
        self._sent[sequence] = (now_s, size)
        self._repeated.pop(sequence, None)
        if len(self._sent) > 4 * MOST_OPEN:
            self._sent.popitem(last=False)

    def sent_s(self, sequence: int) -> float | None:
        """Returns the time of a recent packet's first sending; else None."""
        known = self._sent.get(sequence % WRAP)
        return known[0] if known else None

    def copies(self, sequence: int, now_s: float, rtt_s: float) -> int:
        """Returns the number of copies to send of a requested packet.

        0, 1, or 2 where a repeat was lost, or there is no time to lose another.
        """
        known = self._sent.get(sequence)
        if known is None or now_s - known[0] > GIVE_UP_S + rtt_s:
            return 0
        before = self._repeated.get(sequence)
        if before is not None and now_s - before[0] < rtt_s / 2:
            return 0
        count = 1 if before is None and rtt_s < LONG_WAY_S else 2
        if self._bytes < known[1] * count:
            return 0
        self._bytes -= known[1] * count
        self._repeated[sequence] = (now_s, count)
        if len(self._repeated) > MOST_OPEN:
            self._repeated.popitem(last=False)
        return count
