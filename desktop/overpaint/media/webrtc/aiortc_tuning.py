"""Tuning of aiortc 1.16 for one live 1080p picture: the list of all patches.

aiortc has no public settings for this, so classes and constants of aiortc and aioice are replaced, for tested
versions only (``private_names``): ``apply`` refuses others, and a version without the replaced names. Must
not know our rooms, links or sockets.

    what aiortc does                    why it is changed
    encoders                            made for 3 Mb/s thumbnails; see ``codecs``
    H.264 level 3.1 in every offer      means 720p30 at most to a strict peer (H.264 table A-1)
    frame held until the next begins    one frame of delay; the RTP marker bit ends a frame (RFC 6184, 5.1)
    pictures decoded after a loss       shown torn; now the last whole one stands until a key frame comes
    random origin of RTP timestamps     the stamp is a frame's identity here; SRTP hides it on the wire
    decoded and encoded frames queue    delay grows forever when taker or decoder is slow
    a lost packet waited for by count   a picture stands for seconds; 0.4 s is enough to send it again
    a late repeat resets the buffer     100 packets behind is an eighth of a second at 8 Mb/s
    each gap requests all gaps again    repeats of repeats fill a queue that overflows; see ``retransmission``
    a report a second                   a queue is full by then; ``rate_control`` needs five
    sent at one rate despite losses     see ``flow_control``, which replaces aiortc's sender and receiver
    pictures shown as they arrive       those behind a repeated packet come at once; see ``jitter_buffer``
    128 packets kept for repair         four frames at 8 Mb/s; a lost packet is often requested later
    default socket buffers              a key frame is a burst of 200 packets; see ``ice_sockets``
    unsent packets kept without limit   late by seconds; now dropped, and sent again on request
    no loopback candidate               without a network two processes of one host never meet
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, cast

import aiortc
import av
from aioice import ice, turn
from aiortc import codecs, rtcpeerconnection, rtcrtpreceiver, rtcrtpsender, utils
from aiortc.jitterbuffer import JitterBuffer, JitterFrame
from aiortc.rtcrtpparameters import RTCRtpCodecParameters
from aiortc.rtp import RtpPacket

from overpaint.errors import LinkError, ProcessError
from overpaint.media.access_units import AccessUnit, UnitReader
from overpaint.media.webrtc.codecs import (
    KeyframeGate,
    LiveH264Encoder,
    LiveVp8Encoder,
    begins_full_picture,
    vp8_pixels,
)
from overpaint.media.webrtc.flow_control import (
    LiveRtpReceiver,
    LiveRtpSender,
    QuickReports,
    TimedGaps,
    origin_is_zero,
)
from overpaint.media.webrtc.ice_sockets import (
    RECEIVE_BUFFER_BYTES,
    RelayedTransport,
    RoomyStunProtocol,
    host_addresses,
)
from overpaint.media.webrtc.jitter_buffer import PlayoutClock
from overpaint.media.webrtc.retransmission import is_newer
from overpaint.private_names import check_names, check_versions

LEVELS = {"42001f": "42002a", "42e01f": "42e02a"}
"""profile-level-id of (constrained) baseline: level 3.1 → 4.2, which is 1080p60."""
REPAIR_PACKETS = 1024
"""Packets kept by a sender for repeats, and checked by a receiver for gaps: a second at 8 Mb/s."""
GIVE_UP_TICKS = 36_000
"""0.4 s at 90 kHz: time for which a frame waits for a repeated packet."""
BACKLOG_FRAMES = 10
"""Encoded pictures waiting for a decoder before it skips them and requests a key frame: a third of a second.
Else a machine that was busy for a while would lag behind forever."""

MOST_PIXELS = 7680 * 4320
"""Limit of decoded pictures. In H.264, 31 bytes can repeat a picture of 256 megapixels: 3 s of a core and
1.5 GB, in the process that serves everybody."""

log = logging.getLogger(__name__)
_plain_random32 = utils.random32
_plain_decoder_worker = rtcrtpreceiver.decoder_worker


def apply() -> None:
    """Applies the tuning in this process, once; further calls do nothing.

    Raises:
        LinkError: aiortc or aioice has an untested version, or lacks a replaced name.
    """
    try:
        check_versions("aiortc", "aioice")
        check_names("aiortc", "aioice")
    except ProcessError as error:
        raise LinkError.of(error) from error
    _replace(codecs, "H264Encoder", LiveH264Encoder)
    _replace(codecs, "Vp8Encoder", LiveVp8Encoder)
    _raise_levels()
    _replace(rtcrtpreceiver, "JitterBuffer", FrameEndJitterBuffer)
    _replace(rtcrtpreceiver, "TimestampMapper", PlainTimestamps)
    _replace(rtcrtpreceiver, "decoder_worker", decode_to_sink)
    _replace(rtcrtpreceiver, "RTP_HISTORY_SIZE", REPAIR_PACKETS)
    _replace(rtcrtpsender, "RTP_HISTORY_SIZE", REPAIR_PACKETS)
    _replace(rtcrtpsender, "random32", _random32)
    _replace(rtcrtpsender, "random", QuickReports)
    _replace(rtcrtpreceiver, "random", QuickReports)
    _replace(rtcrtpreceiver, "NackGenerator", TimedGaps)
    _replace(rtcpeerconnection, "RTCRtpSender", LiveRtpSender)
    _replace(rtcpeerconnection, "RTCRtpReceiver", LiveRtpReceiver)
    _replace(turn, "UDP_SOCKET_BUFFER_SIZE", RECEIVE_BUFFER_BYTES)
    _replace(ice, "StunProtocol", RoomyStunProtocol)
    _replace(turn, "TurnTransport", RelayedTransport)
    _replace(ice, "get_host_addresses", host_addresses)


def _replace(owner: Any, name: str, value: object) -> None:
    """Replaces a name that type checkers consider fixed; its existence was checked before."""
    setattr(owner, name, value)


def _raise_levels() -> None:
    for codec in codecs.CODECS["video"]:
        level = str(codec.parameters.get("profile-level-id", ""))
        codec.parameters.update({"profile-level-id": LEVELS[level]} if level in LEVELS else {})


class CompletedFrame(JitterFrame):
    """An encoded picture from the jitter buffer.

    Attributes:
        after_loss: Whether packets before it were given up.
        payload_type: Payload type of its packets.
        held_up: Whether it, or a former one, had to wait for a packet out of order.
        arrived_s: Time of its last packet, ``time.monotonic``.
    """

    def __init__(self, data: bytes, timestamp: int, after_loss: bool, payload_type: int = 0) -> None:
        super().__init__(data, timestamp)
        self.after_loss = after_loss
        self.payload_type = payload_type
        self.held_up = False
        self.arrived_s = time.monotonic()


class FrameEndJitterBuffer(JitterBuffer):
    """A jitter buffer that completes a video frame with the marker bit, not with the next frame.

    It gives a missing packet up by time: aiortc does so after 512 later ones, which is half a second of a
    large picture and six of a small one. Then only a key frame helps, so frames before one are not waited
    for.
    """

    def __init__(self, capacity: int, prefetch: int = 0, is_video: bool = False) -> None:
        super().__init__(capacity, prefetch, is_video)
        self._lost = False
        self._newest: int | None = None
        self._newest_time: int | None = None
        self._waiting_since: int | None = None
        self._full_at: int | None = None

    def add(self, packet: RtpPacket) -> tuple[bool, JitterFrame | None]:
        """Adds a packet; returns whether a key frame should be requested, and a completed frame."""
        if not self._is_video:
            return super().add(packet)
        if self._origin is not None and self._ahead(packet.sequence_number) > (1 << 16) - REPAIR_PACKETS:
            return False, None  # a late repeat, on which aiortc would reset the buffer
        late = self._newest is not None and not is_newer(packet.sequence_number, self._newest)
        if not late:
            self._newest, self._newest_time = packet.sequence_number, packet.timestamp
        if begins_full_picture(cast(Any, packet)._data):
            self._full_at = packet.sequence_number
        gave_up, frame = super().add(packet)
        if frame is None and self._is_too_late(packet):
            gave_up = True
            self._skip_to(packet.sequence_number)
            self._waiting_since = packet.timestamp
        self._lost = self._lost or gave_up
        return gave_up, self._mark(frame, late) or self.pop()

    def pop(self) -> JitterFrame | None:
        """Returns a further completed frame: a repeated packet may complete several."""
        if self._origin is None or not self._is_video:
            return None
        full = self._full_at
        if self._lost and full is not None and self._ahead(full) < self._capacity:
            self._skip_to(full)
        oldest = self._packets[self._origin % self._capacity]
        return None if oldest is None else self._mark(self._remove_frame(oldest.sequence_number), True)

    def _mark(self, frame: JitterFrame | None, held_up: bool) -> JitterFrame | None:
        if isinstance(frame, CompletedFrame):
            frame.held_up = held_up
            frame.after_loss, self._lost = self._lost, False
            self._waiting_since = None if frame.timestamp == self._newest_time else frame.timestamp
        return frame

    def _ahead(self, sequence: int) -> int:
        """Returns the distance from the oldest awaited packet."""
        return (sequence - (self._origin or 0)) % (1 << 16)

    def _skip_to(self, sequence: int) -> None:
        """Drops all packets before one."""
        self.remove(min(self._ahead(sequence), self._capacity))

    def _is_too_late(self, packet: RtpPacket) -> bool:
        """Returns whether ``packet`` is of a frame so new that former ones have waited too long."""
        if self._waiting_since is None:
            self._waiting_since = packet.timestamp
        oldest = self._packets[(self._origin or 0) % self._capacity]
        waits_for_this = oldest is not None and oldest.timestamp == packet.timestamp
        waited = (packet.timestamp - self._waiting_since) % (1 << 32)
        return not waits_for_this and GIVE_UP_TICKS < waited < 1 << 31

    def _remove_frame(self, sequence_number: int) -> JitterFrame | None:
        if not self._is_video:
            return super()._remove_frame(sequence_number)
        if self._continues(sequence_number):
            return None
        packets: list[RtpPacket] = []
        for count in range(self._capacity):
            packet = self._packets[((self._origin or 0) + count) % self._capacity]
            if packet is None:
                return None
            if packets and packet.timestamp != packets[0].timestamp:
                return self._complete(packets, count)
            packets.append(packet)
            if packet.marker:
                return self._complete(packets, count + 1)
        return None

    def _continues(self, sequence_number: int) -> bool:
        """Returns whether a packet only extends its frame, which saves a scan of the buffer."""
        here = self._packets[sequence_number % self._capacity]
        before = self._packets[(sequence_number - 1) % self._capacity]
        after = self._packets[(sequence_number + 1) % self._capacity]
        return (
            here is not None
            and not here.marker
            and before is not None
            and before.timestamp == here.timestamp
            and not before.marker
            and after is None
        )

    def _complete(self, packets: list[RtpPacket], used: int) -> JitterFrame:
        data = b"".join(cast(Any, packet)._data for packet in packets)
        self.remove(used)
        return CompletedFrame(data, packets[0].timestamp, False, packets[0].payload_type)


class PlainTimestamps:
    """A mapper that keeps RTP timestamps; aiortc's would count from the first one."""

    def map(self, timestamp: int) -> int:
        """Returns the same 32-bit number."""
        return timestamp


class DecodedFrameSink:
    """A sink in place of a track's queue, which receives pictures in the decoder's thread.

    So a picture is copied and scaled outside the event loop, and nothing can queue up.

    Args:
        deliver: Called with each decoded picture, and with its unit, where it is H.264 and came out whole
            from its own unit.
        ended: Called once, at the end.
    """

    def __init__(
        self, deliver: Callable[[av.VideoFrame, AccessUnit | None], None], ended: Callable[[], None]
    ) -> None:
        self.deliver = deliver
        self.ended = ended


def attach_sink(track: aiortc.MediaStreamTrack, sink: DecodedFrameSink) -> None:
    """Sends a remote track's pictures to ``sink``. To be called before its connection is up."""
    _replace(track, "_queue", sink)


def decode_to_sink(
    loop: asyncio.AbstractEventLoop,
    input_q: queue.Queue[tuple[RTCRtpCodecParameters, JitterFrame] | None],
    output_q: asyncio.Queue[Any] | DecodedFrameSink,
    decode_error: threading.Event,
) -> None:
    """Runs a receiver's decoder thread: encoded frames in, pictures to the sink.

    A picture that does not decode shuts the gate and requests a key frame (``decode_error``); so does falling
    behind. Tracks without a sink are served as by aiortc.
    """
    if not isinstance(output_q, DecodedFrameSink):
        _plain_decoder_worker(loop, input_q, output_q, decode_error)
        return
    decoding = _Decoding(output_q, decode_error)
    while True:
        try:
            task = input_q.get(timeout=decoding.wait_s())
        except queue.Empty:
            decoding.show()
            continue
        if task is None:
            break
        decoding.take(*task, behind=input_q.qsize() > BACKLOG_FRAMES)
        decoding.show()
    output_q.ended()


class _Decoding:
    """The state of a decoder thread: decoder, gate, and the pictures not due yet."""

    def __init__(self, sink: DecodedFrameSink, decode_error: threading.Event) -> None:
        self._sink = sink
        self._decode_error = decode_error
        self._name = ""
        self._decoder: codecs.base.Decoder | None = None
        self._gate = KeyframeGate("", decode_error.set)
        self._clock = PlayoutClock()
        self._units: UnitReader | None = None
        self._waiting: deque[tuple[float, av.VideoFrame, AccessUnit | None]] = deque()

    def wait_s(self) -> float | None:
        """Returns the time until the next picture is due; None without one."""
        return max(0.0, self._waiting[0][0] - time.monotonic()) if self._waiting else None

    def show(self) -> None:
        """Delivers due pictures."""
        while self._waiting and self._waiting[0][0] <= time.monotonic():
            try:
                self._sink.deliver(*self._waiting.popleft()[1:])
            except Exception:
                log.exception("A decoded picture could not be handed on")

    def take(self, codec: RTCRtpCodecParameters, encoded: JitterFrame, *, behind: bool) -> None:
        """Decodes a picture, unless a key frame has to come first."""
        if self._decoder is None or codec.name != self._name:
            self._name = codec.name
            self._decoder = _bounded(codecs.get_decoder(codec))
            self._gate = KeyframeGate(codec.name, self._decode_error.set)
            self._units = UnitReader(self._decode_error.set) if codec.name.upper() == "H264" else None
        arrived_s, lost, held_up = time.monotonic(), False, False
        if isinstance(encoded, CompletedFrame):
            arrived_s, lost, held_up = encoded.arrived_s, encoded.after_loss, encoded.held_up
        if lost or behind:
            self._gate.shut()
        if not self._gate.passes(encoded.data):
            return
        if self._name.upper() == "VP8" and vp8_pixels(encoded.data) > MOST_PIXELS:
            log.info("A picture of more than %d pixels is not decoded", MOST_PIXELS)
            self._gate.shut()
            return
        due_s = self._clock.due_s(encoded.timestamp, arrived_s, held_up)
        unit = self._units.read(encoded.data) if self._units is not None else None
        try:
            for picture in self._decoder.decode(encoded):
                if isinstance(picture, av.VideoFrame) and not picture.is_corrupt:
                    own = unit if picture.pts == encoded.timestamp else None
                    self._waiting.append((due_s, picture, own))
        except av.FFmpegError as error:
            log.info("A %s picture did not decode: %s", self._name, error)
            self._gate.shut()
            self._decode_error.set()


def _bounded(decoder: codecs.base.Decoder) -> codecs.base.Decoder:
    """Bounds an unopened decoder, so that it refuses too large pictures by their parameters."""
    cast(Any, decoder).codec.options = {"max_pixels": str(MOST_PIXELS)}
    return decoder


def _random32() -> int:
    """Returns the timestamp origin in a sender's task, a random number elsewhere (SSRC)."""
    return 0 if origin_is_zero.get() else _plain_random32()
