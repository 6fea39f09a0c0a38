"""Rate control: the bit rate of a sender, stepped down by loss and growing delay, and up again.

Pure: told what happened and when, it keeps no clock and does no I/O. Must not know aiortc, encoders or
packets. The rate is a share of the full rate of a picture (``codecs.bits_per_second``), so that it
holds for every size and frame rate.

    what a report says                        what follows
    more than a tenth lost                    down, by what was lost
    the way has become 60 ms longer           down, by how fast it grows: a queue is filling
    both, each a little                       down: a short queue overflows
    the receiver's own estimate falls (REMB)  down to it, once some delay or loss agrees
    a little lost, no delay                   nothing: that is the air, not a queue
    all well for a second                     up: quickly where it was well before, slowly where it was not
    0.25 s of queue                           nothing is sent until it has drained: late pictures help nobody
    less was sent, the way stayed as long     half of what was sent before: it is no queue but a longer way

Sources of the idea: RFC 8698 and draft-ietf-rmcat-gcc (delay and loss as separate signals, the thresholds
of 2 and 10 % loss); RFC 3550, section 6.4.1 (round trip and loss out of receiver reports).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

START_SHARE = 0.4
"""Until the first reports have come; 1080p stays 1080p with it, and it is full after a second."""
LEAST_SHARE = 0.03
MUCH_LOSS, SOME_LOSS = 0.10, 0.04
LOSS_PACKETS = 60
"""A share of fewer packets says little."""
QUEUE_S, SOME_QUEUE_S, DRAIN_QUEUE_S, DRAINED_S = 0.06, 0.02, 0.25, 0.1
BASE_WINDOW_S = 15.0
"""The shortest way of one to two windows counts as the way without a queue: ways do change."""
AGAIN_S = 0.3
"""Between two steps down, beside the round trip: the first must be able to show."""
CALM_S = 1.0
DRAIN_LIMIT_S = 0.4
LONG_WAY_S = 0.3
STEP = 0.85
JITTER_MOST_S = 0.02
"""More unevenness than that is a machine that has no time, or a queue."""
SHRINKS, START_GROWS, MOST_GROWTH = -0.1, 0.15, 0.7
START_GROWTH = 1.25
"""For each report, before anything was ever wrong."""
GROWTH = 1.2
NEAR_GROWTH = 1.03
"""A second: below, and about, the share that was too much."""
NEAR = 0.85
FORGET_S = 30.0
STEADY, STEADY_S = 0.1, 0.01
"""What looks like a queue and changes no more than by that share, or seconds, once less is sent, is none."""
TRIES, HOLD_TRIES = 3, 2
"""Steps down in vain after which it was no queue; so many of them is one during which nothing was sent."""
FORMER = 0.5
"""Of what was sent before such a mistake: the new way may be a narrower one too."""
PACE_S = 10.0
"""So long after trouble packets are spread, as a burst would overflow a short queue."""

PARTS = ((1, 1), (3, 4), (2, 3), (1, 2), (1, 3), (1, 4))
LEAST_OF_FULL = 0.35
"""Share of a size's full rate below which it turns to mush."""
UPWARD = 1.3
"""More than a step down and up again: sizes must not swing with it."""
NOMINAL_FPS = 30
LONGEST_INTERVAL_S = 0.2


@dataclass(frozen=True, slots=True)
class Report:
    """What a receiver said about a stretch of the stream.

    Attributes:
        at_s: When it came, seconds of any clock that only rises.
        expected: Packets it should have got since its last report.
        lost: Those of them that had not come.
        rtt_s: Round trip that it allows to be reckoned; None when it does not.
    """

    at_s: float
    expected: int
    lost: int
    rtt_s: float | None


class RateController:
    """One sender's rate.

    Attributes:
        share: Of the full rate, ``LEAST_SHARE`` to 1.
        queue_s: How much longer than at its best the way takes now.
    """

    def __init__(self) -> None:
        self.share = START_SHARE
        self.queue_s = 0.0
        self._rtts: deque[tuple[float, float]] = deque(maxlen=2)
        self._bases: deque[tuple[float, float]] = deque(maxlen=2)
        self._mean_rtt = self._deviation = 0.0
        self._expected = self._lost = 0
        self._loss = 0.0
        self._estimate: float | None = None
        self._changed_s: float | None = None
        self._trouble_s: float | None = None
        self._limit = 1.0
        self._held_until_s = 0.0
        self._former, self._stepped_queue_s, self._in_vain = START_SHARE, 0.0, 0

    def report(self, report: Report) -> None:
        """Takes a receiver's report and steps the share."""
        now = report.at_s
        growth = self._note_way(now, report.rtt_s) if report.rtt_s is not None else 0.0
        if self.queue_s < DRAINED_S:
            self._held_until_s = min(self._held_until_s, now)
        if self._settles(now):
            self._expected = self._lost = 0
            return
        if self.queue_s > DRAIN_QUEUE_S:
            self._held_until_s = now + min(DRAIN_LIMIT_S, self.queue_s)
        loss = self._note_loss(report)
        if self._is_longer_way(loss):
            self._begin_anew(now)
            return
        factor, fits = self._factor(loss, growth)
        if factor < 1:
            self._stepped_queue_s = self.queue_s
            self._down(now, factor, fits)
        else:
            self._up(now, growth)

    def estimate(self, at_s: float, bits: float, sending: float) -> None:
        """Takes a receiver's own estimate (REMB), bits a second.

        It counts when it falls and something else is amiss: the estimate of a stream that shows a still
        picture is low without any reason, and stays so.

        Args:
            at_s: When it came.
            bits: What the receiver thinks that it can take.
            sending: What was sent in the last second.
        """
        fell = self._estimate is not None and bits < 0.95 * self._estimate
        self._estimate = bits
        amiss = self._loss > SOME_LOSS / 2 or self.queue_s > self._some_queue()
        if fell and amiss and bits < sending and not self._settles(at_s):
            factor = max(0.3, bits / sending)
            self._down(at_s, factor, factor / STEP)

    def holds_back(self, at_s: float) -> bool:
        """Whether nothing should be sent now, so that a queue on the way can drain."""
        return at_s < self._held_until_s

    def paces(self, at_s: float) -> bool:
        """Whether packets should be spread over time: there was trouble lately."""
        return self._trouble_s is not None and at_s - self._trouble_s < PACE_S

    def _some_queue(self) -> float:
        return SOME_QUEUE_S + 2 * self._jitter_s()

    def _jitter_s(self) -> float:
        return min(JITTER_MOST_S, self._deviation)

    def _note_way(self, now: float, rtt: float) -> float:
        """Keeps the round trip; returns by how many seconds it grows in a second."""
        growth = 0.0
        if self._rtts:
            before_s, before = self._rtts[-1]
            growth = (rtt - before) / max(0.05, now - before_s)
            self._deviation += (abs(rtt - self._mean_rtt) - self._deviation) / 8
            self._mean_rtt += (rtt - self._mean_rtt) / 8
        else:
            self._mean_rtt = rtt
        self._rtts.append((now, rtt))
        if not self._bases or now - self._bases[-1][0] > BASE_WINDOW_S:
            self._bases.append((now, rtt))
        else:
            begun, least = self._bases[-1]
            self._bases[-1] = (begun, min(least, rtt))
        # The lesser of the last two: a single late answer is no queue.
        self.queue_s = min(rtt for _, rtt in self._rtts) - min(least for _, least in self._bases)
        return growth

    def _note_loss(self, report: Report) -> float | None:
        """The share of packets lost, each time that enough were expected."""
        self._expected += report.expected
        self._lost += report.lost
        if self._expected < LOSS_PACKETS:
            return None
        loss = min(1.0, max(0.0, self._lost / self._expected))
        self._expected = self._lost = 0
        self._loss += (loss - self._loss) / 4
        return loss

    def _factor(self, loss: float | None, growth: float) -> tuple[float, float]:
        """What the share is multiplied with, 1 when nothing is wrong; and its part that gets through."""
        factor = fits = 1.0
        if loss is not None and loss > MUCH_LOSS and max(self._loss, loss / 2) > MUCH_LOSS:
            fits = 1 - loss
            factor = STEP * fits if loss > 2 * MUCH_LOSS else 1 - loss / 2
        if self.queue_s > QUEUE_S + 2 * self._jitter_s() and growth > SHRINKS:
            # An answer that comes g seconds later each second tells of packets that wait so much longer.
            fits = min(fits, 1 - min(MOST_GROWTH, max(0.0, growth)))
            factor = min(factor, STEP * fits)
        elif self._loss > SOME_LOSS and self.queue_s > self._some_queue():
            factor = min(factor, STEP)
        return factor, fits

    def _is_longer_way(self, loss: float | None) -> bool:
        """Whether what looks like a queue is none: it does not change however little is sent."""
        queue, before = self.queue_s, self._stepped_queue_s
        steady = abs(queue - before) < max(STEADY_S + self._jitter_s(), STEADY * before)
        if not before or not steady or (loss is not None and loss > SOME_LOSS):
            self._in_vain, self._stepped_queue_s = 0, 0.0
            return False
        self._in_vain += HOLD_TRIES if queue > DRAIN_QUEUE_S else 1
        return self._in_vain >= TRIES

    def _begin_anew(self, now: float) -> None:
        """On another way."""
        self._bases.clear()
        self._bases.append(self._rtts[-1])
        self.queue_s, self._held_until_s = 0.0, now
        self._in_vain, self._stepped_queue_s = 0, 0.0
        self._limit, self._changed_s = 1.0, now
        self.share = max(self.share, FORMER * self._former)

    def _settles(self, now: float) -> bool:
        """Whether the last step down can not have shown yet."""
        if self._trouble_s is None:
            return False
        way = min(LONG_WAY_S, self._rtts[-1][1]) if self._rtts else 0.0
        return now - max(self._trouble_s, self._held_until_s) < AGAIN_S + way

    def _down(self, now: float, factor: float, fits: float) -> None:
        if self._trouble_s is None or now - self._trouble_s > PACE_S:
            self._former = self.share
        self._limit = self.share * fits
        self.share = max(LEAST_SHARE, self.share * factor)
        self._trouble_s = self._changed_s = now

    def _up(self, now: float, growth: float) -> None:
        since = 0.0 if self._changed_s is None else min(1.0, now - self._changed_s)
        self._changed_s = now
        if self._trouble_s is None:
            if growth < START_GROWS:
                self.share = min(1.0, self.share * START_GROWTH)
            return
        calm = now - self._trouble_s
        if calm > FORGET_S:
            self._limit = 1.0
        waits = self.queue_s > QUEUE_S / 2 + 2 * self._jitter_s() or self._loss > MUCH_LOSS / 2
        if calm > CALM_S and not waits:
            step = NEAR_GROWTH if NEAR < self.share / self._limit < 1 / NEAR else GROWTH
            self.share = min(1.0, self.share * step**since)


@dataclass(frozen=True, slots=True)
class Plan:
    """How to encode the next picture.

    Attributes:
        width: Of the encoded picture, pixels.
        height: The same.
        bits: A second, at 30 pictures a second.
        interval_s: Least time between two pictures; 0: as they come.
    """

    width: int
    height: int
    bits: int
    interval_s: float


class SizeLadder:
    """What becomes smaller when bits are few: first the picture, and at its smallest how many there are.

    A full-size picture of too few bits is mush; a smaller one, enlarged where it arrives, is only soft.
    Only sizes of exactly the picture's shape are taken, so that it fills the frame again.

    Args:
        full_bits: The full rate of a size, bits a second.
    """

    def __init__(self, full_bits: Callable[[int, int], int]) -> None:
        self._full_bits = full_bits
        self._rung = 0

    def plan(self, width: int, height: int, share: float) -> Plan:
        """How to encode pictures of a size with a share of their full rate."""
        bits = self._full_bits(width, height) * share
        rungs = [
            (width * part // whole, height * part // whole)
            for part, whole in PARTS
            if not (width * part % (2 * whole) or height * part % (2 * whole))
        ]
        least = [self._full_bits(*rung) * LEAST_OF_FULL for rung in rungs]
        self._rung = min(self._rung, len(rungs) - 1)
        while self._rung < len(rungs) - 1 and bits < least[self._rung]:
            self._rung += 1
        while self._rung > 0 and bits > least[self._rung - 1] * UPWARD:
            self._rung -= 1
        floor = least[self._rung]
        seconds = 0.0 if bits >= floor else min(LONGEST_INTERVAL_S, floor / bits / NOMINAL_FPS)
        return Plan(*rungs[self._rung], round(max(bits, floor)), seconds)
