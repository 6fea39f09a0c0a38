"""Rate control: the bit rate of a sender, stepped down by loss and growing delay, and up again.

Pure: events and times are arguments; no clock, no I/O. The rate is a share of the full rate of a picture
(``codecs.bits_per_second``), so that it applies to every size and frame rate. Must not know aiortc, encoders
or packets.

    report                                    reaction
    more than a tenth lost                    down, by what was lost
    delay has grown by 60 ms                  down, by how fast it grows: a queue is filling
    both, each a little                       down: a short queue overflows
    the receiver's own estimate falls (REMB)  down to it, once some delay or loss agrees
    a little lost, no delay                   nothing: radio losses, not a queue
    all well for a second                     up: fast below the last good rate, slowly above it
    0.25 s of queue                           nothing is sent until it has drained: late pictures are useless
    less was sent, delay stayed               half of the former rate: not a queue but a longer path

Sources of the idea: RFC 8698 and draft-ietf-rmcat-gcc (delay and loss as separate signals, the thresholds
of 2 and 10 % loss); RFC 3550, section 6.4.1 (round trip and loss out of receiver reports).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

START_SHARE = 0.4
"""Share until the first reports; enough for 1080p, and full after a second."""
LEAST_SHARE = 0.03
MUCH_LOSS, SOME_LOSS = 0.10, 0.04
LOSS_PACKETS = 60
"""Least number of packets for a share of losses."""
QUEUE_S, SOME_QUEUE_S, DRAIN_QUEUE_S, DRAINED_S = 0.06, 0.02, 0.25, 0.1
BASE_WINDOW_S = 15.0
"""The shortest delay of one to two windows counts as the delay without a queue, since paths change."""
AGAIN_S = 0.3
"""Time between two steps down, beside the round trip, so that the first can take effect."""
CALM_S = 1.0
DRAIN_LIMIT_S = 0.4
LONG_WAY_S = 0.3
STEP = 0.85
JITTER_MOST_S = 0.02
"""Larger jitter means a busy machine, or a queue."""
SHRINKS, START_GROWS, MOST_GROWTH = -0.1, 0.15, 0.7
START_GROWTH = 1.25
"""Growth per report before the first trouble."""
GROWTH = 1.2
NEAR_GROWTH = 1.03
"""Growth per second: below, and near, the share that was too much."""
NEAR = 0.85
FORGET_S = 30.0
STEADY, STEADY_S = 0.1, 0.01
"""An apparent queue that changes by no more than this share, or seconds, when less is sent, is none."""
TRIES, HOLD_TRIES = 3, 2
"""Steps down without effect after which it counts as no queue; a pause in sending counts as this many."""
FORMER = 0.5
"""Share of the former rate after such a mistake, since the new path may also be narrower."""
PACE_S = 10.0
"""Time after trouble for which packets are spread, since a burst would overflow a short queue."""

PARTS = ((1, 1), (3, 4), (2, 3), (1, 2), (1, 3), (1, 4))
LEAST_OF_FULL = 0.35
"""Share of a size's full rate below which it becomes blocky."""
UPWARD = 1.3
"""Hysteresis, larger than a step down and up, so that sizes do not oscillate."""
NOMINAL_FPS = 30
LONGEST_INTERVAL_S = 0.2


@dataclass(frozen=True, slots=True)
class Report:
    """A receiver's report on a part of the stream.

    Attributes:
        at_s: Time of arrival, seconds of a monotonic clock.
        expected: Packets expected since the former report.
        lost: Packets lost of those.
        rtt_s: Round trip computed from it; None where that is not possible.
    """

    at_s: float
    expected: int
    lost: int
    rtt_s: float | None


class RateController:
    """The rate controller of one sender.

    Attributes:
        share: Share of the full rate, ``LEAST_SHARE`` to 1.
        queue_s: Present delay beyond the shortest one.
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
        """Adjusts the share by a receiver's report."""
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
        """Adjusts the share by a receiver's estimate (REMB), bits a second.

        Only when it falls and there is other trouble: for a still picture the estimate is low without a
        reason.

        Args:
            at_s: Time of arrival.
            bits: The estimate.
            sending: Bits sent in the last second.
        """
        fell = self._estimate is not None and bits < 0.95 * self._estimate
        self._estimate = bits
        amiss = self._loss > SOME_LOSS / 2 or self.queue_s > self._some_queue()
        if fell and amiss and bits < sending and not self._settles(at_s):
            factor = max(0.3, bits / sending)
            self._down(at_s, factor, factor / STEP)

    def holds_back(self, at_s: float) -> bool:
        """Returns whether to pause sending, so that a queue can drain."""
        return at_s < self._held_until_s

    def paces(self, at_s: float) -> bool:
        """Returns whether to spread packets over time, after recent trouble."""
        return self._trouble_s is not None and at_s - self._trouble_s < PACE_S

    def _some_queue(self) -> float:
        return SOME_QUEUE_S + 2 * self._jitter_s()

    def _jitter_s(self) -> float:
        return min(JITTER_MOST_S, self._deviation)

    def _note_way(self, now: float, rtt: float) -> float:
        """Records a round trip; returns its growth, seconds a second."""
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
        # The smaller of the last two: a single late answer is no queue.
        self.queue_s = min(rtt for _, rtt in self._rtts) - min(least for _, least in self._bases)
        return growth

    def _note_loss(self, report: Report) -> float | None:
        """Returns the share of lost packets whenever enough were expected; else None."""
        self._expected += report.expected
        self._lost += report.lost
        if self._expected < LOSS_PACKETS:
            return None
        loss = min(1.0, max(0.0, self._lost / self._expected))
        self._expected = self._lost = 0
        self._loss += (loss - self._loss) / 4
        return loss

    def _factor(self, loss: float | None, growth: float) -> tuple[float, float]:
        """Returns the factor for the share, 1 without trouble, and the part that gets through."""
        factor = fits = 1.0
        if loss is not None and loss > MUCH_LOSS and max(self._loss, loss / 2) > MUCH_LOSS:
            fits = 1 - loss
            factor = STEP * fits if loss > 2 * MUCH_LOSS else 1 - loss / 2
        if self.queue_s > QUEUE_S + 2 * self._jitter_s() and growth > SHRINKS:
            # A round trip that grows by g seconds a second means packets that wait that much longer.
            fits = min(fits, 1 - min(MOST_GROWTH, max(0.0, growth)))
            factor = min(factor, STEP * fits)
        elif self._loss > SOME_LOSS and self.queue_s > self._some_queue():
            factor = min(factor, STEP)
        return factor, fits

    def _is_longer_way(self, loss: float | None) -> bool:
        """Returns whether an apparent queue is a longer path: it does not shrink however little is sent."""
        queue, before = self.queue_s, self._stepped_queue_s
        steady = abs(queue - before) < max(STEADY_S + self._jitter_s(), STEADY * before)
        if not before or not steady or (loss is not None and loss > SOME_LOSS):
            self._in_vain, self._stepped_queue_s = 0, 0.0
            return False
        self._in_vain += HOLD_TRIES if queue > DRAIN_QUEUE_S else 1
        return self._in_vain >= TRIES

    def _begin_anew(self, now: float) -> None:
        """Starts over on another path."""
        self._bases.clear()
        self._bases.append(self._rtts[-1])
        self.queue_s, self._held_until_s = 0.0, now
        self._in_vain, self._stepped_queue_s = 0, 0.0
        self._limit, self._changed_s = 1.0, now
        self.share = max(self.share, FORMER * self._former)

    def _settles(self, now: float) -> bool:
        """Returns whether the last step down cannot have taken effect yet."""
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
    """The encoding parameters of the next picture.

    Attributes:
        width: Width of the encoded picture, pixels.
        height: Height of the encoded picture, pixels.
        bits: Bits a second, at 30 pictures a second.
        interval_s: Least time between two pictures; 0: as they come.
    """

    width: int
    height: int
    bits: int
    interval_s: float


class SizeLadder:
    """The ladder of picture sizes: with fewer bits first smaller pictures, then fewer of them.

    A full-size picture with too few bits is blocky; a smaller one, enlarged at the receiver, is only soft.
    Only sizes of exactly the picture's aspect are used, so that it fills the frame.

    Args:
        full_bits: Returns the full rate of a size, bits a second.
    """

    def __init__(self, full_bits: Callable[[int, int], int]) -> None:
        self._full_bits = full_bits
        self._rung = 0

    def plan(self, width: int, height: int, share: float) -> Plan:
        """Returns the parameters for pictures of a size at a share of their full rate."""
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
