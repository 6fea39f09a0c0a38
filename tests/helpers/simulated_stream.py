"""A stream over a bad network in simulated time: the link's own rate, repair, jitter buffer and playout.

Everything that needs a clock is told one that jumps from event to event, so a minute takes a second and
comes out the same on every machine.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

from aiortc.rtp import RtcpReceiverInfo, RtpPacket

from helpers.bad_network import Impairment, Way
from overpaint.media.webrtc.aiortc_tuning import CompletedFrame, FrameEndJitterBuffer
from overpaint.media.webrtc.flow_control import PACE, REPORT_SECONDS, SendFlow
from overpaint.media.webrtc.jitter_buffer import PlayoutClock
from overpaint.media.webrtc.retransmission import GapList

FULL_BITS, FPS, PACKET_BYTES = 8_000_000, 30, 1200
FULL_PICTURE = 4
"""Times the size of a usual picture."""
KEY, PART = b"\x00\x00\x00\x01\x67", b"p"


@dataclass
class Outcome:
    """What came of it.

    Attributes:
        shown: ``(frame, sent_s, shown_s)``, in the order shown.
        shares: ``(time, share of the full rate)`` at each report.
        sent_bits: All that was sent, repeats included.
        full_pictures: How many were asked for and sent.
    """

    shown: list[tuple[int, float, float]] = field(default_factory=list)
    shares: list[tuple[float, float]] = field(default_factory=list)
    sent_bits: int = 0
    repeated: int = 0
    full_pictures: int = 0

    def delays(self, since: float = 0.0) -> list[float]:
        """Seconds from sent to shown, sorted."""
        return sorted(shown - sent for _, sent, shown in self.shown if sent >= since)

    def fps(self, since: float, until: float) -> float:
        """Pictures shown a second, no two of them within 5 ms: the older would be dropped for the newer."""
        times = [shown for _, _, shown in self.shown if since <= shown < until]
        kept = [a for a, b in itertools.pairwise([*times, math.inf]) if b - a > 0.005]
        return len(kept) / (until - since)

    def longest_wait(self, since: float = 0.0) -> float:
        """Between two shown pictures, seconds."""
        times = [shown for _, _, shown in self.shown if shown >= since]
        return max((b - a for a, b in itertools.pairwise(times)), default=math.inf)

    def share_at(self, time: float) -> float:
        """The share of the full rate at a time."""
        return [share for at, share in self.shares if at <= time][-1]


class Simulation:
    """One sender, one receiver. The network of ``changes`` begins at their times.

    Args:
        impairment: Of the way there; the way back has its loss and delay, but no bottleneck.
        changes: ``(time, impairment)`` of the way there.
    """

    def __init__(self, impairment: Impairment, *changes: tuple[float, Impairment], seed: int = 1) -> None:
        self.outcome = Outcome()
        self._there = Way(impairment, seed)
        self._back = Way(Impairment(impairment.loss, impairment.delay_s, impairment.jitter_s), seed + 1)
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._now = 0.0
        self._flow, self._sequence, self._frame = SendFlow(), 0, 0
        self._wants_full, self._full_s, self._sending_until = True, -1.0, 0.0
        self._history: dict[int, RtpPacket] = {}
        self._gaps, self._clock = GapList(), PlayoutClock()
        self._buffer = FrameEndJitterBuffer(512, is_video=True)
        self._open, self._asked_full_s = False, -1.0
        self._highest, self._received, self._first = -1, 0, 0
        self._report_name, self._named_s = 0, 0.0
        self._sent_frames: dict[int, float] = {}
        for time, change in changes:
            self._at(time, lambda change=change: setattr(self._there, "impairment", change))

    def run(self, seconds: float) -> Outcome:
        """Runs it for so long."""
        self._at(0.0, self._tick)
        self._at(REPORT_SECONDS, self._sender_report)
        self._at(REPORT_SECONDS, self._receiver_report)
        while self._events and self._events[0][0] <= seconds:
            self._now, _, event = heapq.heappop(self._events)
            event()
        return self.outcome

    def _at(self, time: float, event: Callable[[], None]) -> None:
        heapq.heappush(self._events, (time, next(self._order), event))

    def _over(self, way: Way, size: int, event: Callable[[], None]) -> None:
        at = way.arrival(self._now, size)
        if at is not None:
            self._at(at, event)

    # ---- the sender ------------------------------------------------------------------------------

    def _tick(self) -> None:
        self._at(self._now + 1 / FPS, self._tick)
        self._frame += 1
        rate = self._flow.rate
        if self._now < self._sending_until or rate.holds_back(self._now):
            return
        bits = FULL_BITS * rate.share / FPS
        full, self._wants_full = self._wants_full, False
        if full:
            bits *= FULL_PICTURE
            self._full_s = self._now
            self.outcome.full_pictures += 1
        self._flow.pace_bits = PACE * FULL_BITS * rate.share if rate.paces(self._now) else 0.0
        count = max(1, round(bits / 8 / PACKET_BYTES))
        self._sent_frames[self._frame] = self._now
        at = self._now
        for index in range(count):
            packet = RtpPacket(99, index == count - 1, self._sequence % 65536, self._frame * 3000)
            packet._data = KEY if full and index == 0 else PART  # type: ignore[attr-defined]
            self._sequence += 1
            at += self._flow.sending(packet.sequence_number, PACKET_BYTES, at)
            self._at(at, lambda packet=packet: self._send(packet))  # type: ignore[misc]
        self._sending_until = at

    def _send(self, packet: RtpPacket) -> None:
        self._history[packet.sequence_number] = packet
        self.outcome.sent_bits += PACKET_BYTES * 8
        self._over(self._there, PACKET_BYTES, lambda: self._arrive(packet, first=True))

    def _repeat(self, missing: list[int]) -> None:
        for sequence in missing:
            for _ in range(self._flow.budget.copies(sequence, self._now, self._flow.rtt_s)):
                packet = self._history[sequence]
                self.outcome.sent_bits += PACKET_BYTES * 8
                self.outcome.repeated += 1
                self._over(self._there, PACKET_BYTES, lambda p=packet: self._arrive(p, first=False))  # type: ignore[misc]

    def _send_full(self) -> None:
        if self._now - self._full_s > 0.2 + self._flow.rtt_s:
            self._wants_full = True

    def _sender_report(self) -> None:
        self._at(self._now + REPORT_SECONDS, self._sender_report)
        name = next(self._order)
        self._flow.reporting(name, self._now)

        def named() -> None:
            self._report_name, self._named_s = name, self._now

        self._over(self._there, 80, named)

    # ---- the receiver ----------------------------------------------------------------------------

    def _arrive(self, packet: RtpPacket, first: bool) -> None:
        if first:
            self._received += 1
            ahead = (packet.sequence_number - self._highest) % 65536
            self._highest += ahead if ahead < 32768 else 0
        self._gaps.received(packet.sequence_number, self._now)
        self._ask()
        gave_up, frame = self._buffer.add(packet)
        if gave_up:
            self._ask_full()
        while isinstance(frame, CompletedFrame):
            self._complete(frame)
            frame = self._buffer.pop()

    def _ask(self) -> None:
        missing = self._gaps.due(self._now)
        if missing:
            self._over(self._back, 60, lambda: self._repeat(missing))
        due = self._gaps.next_due_s()
        if due is not None:
            self._at(max(due, self._now + 0.001), self._ask_later)

    def _ask_later(self) -> None:
        missing = self._gaps.due(self._now)
        if missing:
            self._over(self._back, 60, lambda: self._repeat(missing))
            due = self._gaps.next_due_s()
            if due is not None:
                self._at(max(due, self._now + 0.001), self._ask_later)

    def _ask_full(self) -> None:
        self._asked_full_s = self._now
        self._over(self._back, 60, self._send_full)

    def _complete(self, frame: CompletedFrame) -> None:
        if frame.after_loss:
            self._open = False
        self._open = self._open or frame.data.startswith(KEY)
        if not self._open:
            if self._now - self._asked_full_s > 0.3:
                self._ask_full()
            return
        number = frame.timestamp // 3000
        due = self._clock.due_s(frame.timestamp, self._now, frame.held_up)
        self.outcome.shown.append((number, self._sent_frames[number], due))

    def _receiver_report(self) -> None:
        self._at(self._now + REPORT_SECONDS, self._receiver_report)
        since = int((self._now - self._named_s) * 65536)
        lost = self._highest + 1 - self._received
        report = RtcpReceiverInfo(1, 0, lost, self._highest, 0, self._report_name, since)

        def heard() -> None:
            self._flow.heard(report, self._now)
            self.outcome.shares.append((self._now, self._flow.rate.share))

        self._over(self._back, 60, heard)
