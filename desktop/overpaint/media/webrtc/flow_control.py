"""Flow control: aiortc's sender and receiver with stepped bit rate, timely repair and bounded queues.

The I/O for the decisions of ``rate_control`` and ``retransmission``. ``aiortc_tuning`` puts these classes in
aiortc's place; they use private names of aiortc 1.16 (``_RTCRtp…__``). Must not know rooms, links or
pictures.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import OrderedDict, deque
from contextvars import ContextVar
from typing import Any

from aiortc.codecs import get_encoder
from aiortc.rtcdtlstransport import RTCDtlsTransport
from aiortc.rtcrtpparameters import RTCRtpCodecParameters
from aiortc.rtcrtpreceiver import RTCRtpReceiver
from aiortc.rtcrtpsender import RTCEncodedFrame, RTCRtpSender
from aiortc.rtp import (
    RTCP_PSFB_APP,
    AnyRtcpPacket,
    RtcpPsfbPacket,
    RtcpReceiverInfo,
    RtcpRrPacket,
    RtcpSrPacket,
    RtpPacket,
    is_rtcp,
    unpack_remb_fci,
)

from overpaint.media.webrtc.rate_control import RateController, Report
from overpaint.media.webrtc.retransmission import GapList, RepairBudget

SENDER_REPORT = 200
"""RTCP packet type (RFC 3550, section 12.1)."""
REPORT_SECONDS = 0.2
PACE = 1.5
"""Pace of spread packets as a multiple of the rate, so that the path is free for the next picture."""
PACE_SLACK_S = 0.004
KEYFRAME_AGAIN_S = 0.2
"""Time after a key frame in which requests are ignored: they were already under way."""
RTT_START_S = 0.05
REPORTS_KEPT = 32

origin_is_zero: ContextVar[bool] = ContextVar("origin_is_zero", default=False)


class QuickReports:
    """A replacement of the module ``random`` where aiortc draws the time to its next report, 0.5 to 1.5 s.

    A filling queue is visible after two reports; RFC 3550 (section 6.2) allows 0.045 s at 8 Mb/s.
    """

    @staticmethod
    def random() -> float:
        """Returns what aiortc adds to its half second, so that reports come after 0.15 to 0.25 s."""
        return REPORT_SECONDS * (0.75 + 0.5 * random.random()) - 0.5


class _Way:
    """A sender's own transport, which counts, times and spreads packets."""

    def __init__(self, transport: RTCDtlsTransport, flow: SendFlow) -> None:
        self._transport = transport
        self._flow = flow

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    async def _send_rtp(self, data: bytes) -> None:
        if is_rtcp(data):
            if data[1] == SENDER_REPORT:
                self._flow.reporting(int.from_bytes(data[10:14], "big"), time.monotonic())
        else:
            sequence = int.from_bytes(data[2:4], "big")
            delay = self._flow.sending(sequence, len(data), time.monotonic())
            if delay > PACE_SLACK_S:
                await asyncio.sleep(delay)
        await self._transport._send_rtp(data)


class SendFlow:
    """The state of one sender: its packets, and its receiver's reports. Pure: the time is an argument.

    Attributes:
        rate: The rate controller.
        budget: The budget of repeats.
        repairing: Whether repeats are being sent now.
        rtt_s: Mean round trip.
        pace_bits: Bits a second at which packets are spread; 0: not spread.
    """

    def __init__(self) -> None:
        self.rate = RateController()
        self.budget = RepairBudget()
        self.repairing = False
        self.rtt_s = RTT_START_S
        self.pace_bits = 0.0
        self._free_s = 0.0
        self._reported: OrderedDict[int, float] = OrderedDict()
        self._last: tuple[int, int] | None = None
        self._sent: deque[tuple[float, int]] = deque()
        self._sent_bits = 0

    def sending(self, sequence: int, size: int, now_s: float) -> float:
        """Records an RTP packet; returns its delay for pacing."""
        self._sent.append((now_s, size * 8))
        self._sent_bits += size * 8
        while now_s - self._sent[0][0] > 1:
            self._sent_bits -= self._sent.popleft()[1]
        if self.repairing:
            return 0.0
        self.budget.sent(sequence, size, now_s)
        if not self.pace_bits:
            return 0.0
        waits = max(0.0, self._free_s - now_s)
        self._free_s = now_s + waits + size * 8 / self.pace_bits
        return waits

    def reporting(self, name: int, now_s: float) -> None:
        """Records the time of a sender report, by the receiver's reference to it (LSR; RFC 3550, 6.4.1)."""
        self._reported[name] = now_s
        if len(self._reported) > REPORTS_KEPT:
            self._reported.popitem(last=False)

    def heard(self, report: RtcpReceiverInfo, now_s: float) -> None:
        """Handles a receiver's report on this stream."""
        rtt = self._round_trip(report, now_s)
        if rtt is not None:
            self.rtt_s += (rtt - self.rtt_s) / 4
        before, self._last = self._last, (report.highest_sequence, report.packets_lost)
        expected = lost = 0
        if before is not None:
            expected = (report.highest_sequence - before[0]) % (1 << 16)
            lost = report.packets_lost - before[1]
        self.rate.report(Report(now_s, expected, lost, rtt))

    def _round_trip(self, report: RtcpReceiverInfo, now_s: float) -> float | None:
        sent_s = self._reported.get(report.lsr)
        if sent_s is None:
            return None
        # The packet after the newest received one was still missing: in a filling queue this is known long
        # before a report of ours has passed it.
        missing_s = self.budget.sent_s(report.highest_sequence + 1)
        known = now_s - sent_s - report.dlsr / 65536
        return max(0.0, known, 0.0 if missing_s is None else now_s - missing_s)

    def estimated(self, bits: float, now_s: float) -> None:
        """Handles a receiver's estimate (REMB), bits a second."""
        self.rate.estimate(now_s, bits, self._sent_bits)


class LiveRtpSender(RTCRtpSender):
    """A sender with frames' own 90 kHz times as RTP timestamps, rate control, and no late pictures."""

    _RTCRtpSender__encoder: Any
    _RTCRtpSender__force_keyframe: bool

    def __init__(self, trackOrKind: Any, transport: RTCDtlsTransport) -> None:  # noqa: N803 - aiortc's name
        self._flow = SendFlow()
        self._heard = asyncio.Event()
        self._picture_s = 0.0
        self._full_s = -1.0
        super().__init__(trackOrKind, transport)

    @property
    def transport(self) -> Any:
        """The transport; aiortc sends everything through this property."""
        return _Way(super().transport, self._flow)

    async def _run_rtp(self, codec: RTCRtpCodecParameters) -> None:
        origin_is_zero.set(True)
        await super()._run_rtp(codec)

    async def _next_encoded_frame(self, codec: RTCRtpCodecParameters) -> RTCEncodedFrame | None:
        if self._RTCRtpSender__encoder is None:
            self._RTCRtpSender__encoder = get_encoder(codec)
        encoder = self._RTCRtpSender__encoder
        await self._wait_for_room(getattr(encoder, "interval_s", 0.0))
        encoder.share = self._flow.rate.share
        forced = bool(self._RTCRtpSender__force_keyframe)
        encoded = await super()._next_encoded_frame(codec)
        now = time.monotonic()
        self._picture_s = now
        if forced:
            self._full_s = now
        paces = self._flow.rate.paces(now)
        self._flow.pace_bits = PACE * getattr(encoder, "target_bitrate", 0) if paces else 0.0
        return encoded

    async def _wait_for_room(self, interval_s: float) -> None:
        """Waits until another picture should be sent; pictures meanwhile are dropped, not queued."""
        await asyncio.sleep(max(0.0, self._picture_s + interval_s - time.monotonic()) if interval_s else 0)
        while self._flow.rate.holds_back(time.monotonic()):
            self._heard.clear()
            try:
                async with asyncio.timeout(REPORT_SECONDS):
                    await self._heard.wait()
            except TimeoutError:
                continue

    async def _handle_rtcp_packet(self, packet: AnyRtcpPacket) -> None:
        if isinstance(packet, RtcpRrPacket | RtcpSrPacket):
            for report in packet.reports:
                if report.ssrc == self._ssrc:
                    self._flow.heard(report, time.monotonic())
                    self._heard.set()
        elif isinstance(packet, RtcpPsfbPacket) and packet.fmt == RTCP_PSFB_APP:
            self._estimated(packet.fci)
        await super()._handle_rtcp_packet(packet)

    def _estimated(self, fci: bytes) -> None:
        try:
            bits, ssrcs = unpack_remb_fci(fci)
        except ValueError:
            return
        if self._ssrc in ssrcs:
            self._flow.estimated(bits, time.monotonic())

    def _send_keyframe(self) -> None:
        if time.monotonic() - self._full_s > KEYFRAME_AGAIN_S + self._flow.rtt_s:
            super()._send_keyframe()

    async def _retransmit(self, sequence_number: int) -> None:
        copies = self._flow.budget.copies(sequence_number, time.monotonic(), self._flow.rtt_s)
        self._flow.repairing = True
        try:
            for _ in range(copies):
                await super()._retransmit(sequence_number)
        finally:
            self._flow.repairing = False


class TimedGaps:
    """A replacement of aiortc's list of missing packets: requests by time (``retransmission.GapList``)."""

    def __init__(self) -> None:
        self.gaps = GapList()
        self.ssrc = 0
        self.missing: list[int] = []

    def add(self, packet: RtpPacket) -> bool:
        """Records a packet; returns whether ``missing`` should be requested now."""
        now = time.monotonic()
        self.ssrc = packet.ssrc
        self.gaps.received(packet.sequence_number, now)
        self.missing = self.gaps.due(now)
        return bool(self.missing)


class LiveRtpReceiver(RTCRtpReceiver):
    """A receiver that requests lost packets by a timer, not only with the next packet."""

    _RTCRtpReceiver__nack_generator: TimedGaps | None
    _RTCRtpReceiver__decoder_thread: Any
    _RTCRtpReceiver__decoder_queue: Any
    _RTCRtpReceiver__jitter_buffer: Any
    _RTCRtpReceiver__codecs: dict[int, RTCRtpCodecParameters]

    def __init__(self, kind: str, transport: RTCDtlsTransport) -> None:
        super().__init__(kind, transport)
        self._timer: asyncio.TimerHandle | None = None
        self._asking: asyncio.Task[None] | None = None

    async def _handle_rtp_packet(self, packet: RtpPacket, arrival_time_ms: int) -> None:
        await super()._handle_rtp_packet(packet, arrival_time_ms)
        if self._RTCRtpReceiver__decoder_thread:
            while frame := self._RTCRtpReceiver__jitter_buffer.pop():
                codec = self._RTCRtpReceiver__codecs.get(frame.payload_type)
                if codec is not None:
                    self._RTCRtpReceiver__decoder_queue.put((codec, frame))
        self._set_timer()

    def _set_timer(self) -> None:
        gaps = self._RTCRtpReceiver__nack_generator
        if gaps is None or self._timer is not None:
            return
        due_s = gaps.gaps.next_due_s()
        if due_s is not None:
            delay = max(0.001, due_s - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(delay, self._ask, gaps)

    def _ask(self, gaps: TimedGaps) -> None:
        self._timer = None
        missing = gaps.gaps.due(time.monotonic())
        if missing:
            self._asking = asyncio.create_task(self._send_rtcp_nack(gaps.ssrc, sorted(missing)))
        self._set_timer()

    async def stop(self) -> None:
        """Stops it and its timer."""
        if self._timer is not None:
            self._timer.cancel()
            # Never set again: a packet may still arrive.
            self._RTCRtpReceiver__nack_generator = None
        await super().stop()
