"""Lifts the limits that aiortc 1.16 puts on a live 1080p picture. Everything that reaches inside it is here.

aiortc has no public way to set any of this, so classes and constants of its modules are replaced. That
holds for one version only: ``apply`` refuses another, and refuses when something it replaces is gone.
Must not know rooms, links or sockets of ours.

    what                                why
    encoders                            made for 3 Mb/s thumbnails; see ``webrtc_codecs``
    H.264 level 3.1 in every offer      means 720p30 at most to a peer that minds it (H.264 table A-1)
    frame held until the next begins    one frame of delay; the RTP marker bit ends a frame (RFC 6184, 5.1)
    pictures decoded from lost ones     shown torn; now the last whole one stands until a full one comes
    random origin of RTP timestamps     the stamp is a frame's identity here; SRTP hides it on the wire
    decoded and encoded frames queue    delay grows for ever when taker or decoder is slow
    a lost packet waited for by count   a picture stands for seconds; 0.3 s is enough to send it again
    128 packets kept for repair         four frames at 8 Mb/s; a lost packet is often asked for later
    default socket buffers              a full picture is a burst of 200 packets
    no loopback candidate               without a network two processes of one host never meet
"""

from __future__ import annotations

import asyncio
import logging
import queue
import socket
import threading
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, cast

import aiortc
import av
from aioice import ice, turn
from aiortc import codecs, rtcpeerconnection, rtcrtpreceiver, rtcrtpsender, utils
from aiortc.jitterbuffer import JitterBuffer, JitterFrame
from aiortc.rtcrtpparameters import RTCRtpCodecParameters
from aiortc.rtcrtpsender import RTCRtpSender
from aiortc.rtp import RtpPacket

from overpaint.errors import LinkError
from overpaint.media.links.webrtc_codecs import KeyframeGate, LiveH264Encoder, LiveVp8Encoder

TUNED_VERSION = "1.16.0"
LEVELS = {"42001f": "42002a", "42e01f": "42e02a"}
"""profile-level-id of (constrained) baseline: level 3.1 → 4.2, which is 1080p60."""
REPAIR_PACKETS = 1024
"""Packets kept by a sender for repeats and watched by a receiver for gaps: a second at 8 Mb/s."""
GIVE_UP_TICKS = 27_000
"""0.3 s at 90 kHz: how long a frame may wait for a packet that is sent again."""
SOCKET_BUFFER_BYTES = 2 << 20
BACKLOG_FRAMES = 10
"""Encoded pictures waiting for a decoder before it leaves them out and asks for a full one: a third of a
second. Else a machine that was busy for a while would lag behind for ever."""
LOOPBACK = "127.0.0.1"

log = logging.getLogger(__name__)
_plain_host_addresses = ice.get_host_addresses
_plain_random32 = utils.random32
_plain_decoder_worker = rtcrtpreceiver.decoder_worker
_origin_is_zero: ContextVar[bool] = ContextVar("origin_is_zero", default=False)


def apply() -> None:
    """Lifts the limits in this process, once; further calls do nothing.

    Raises:
        LinkError: aiortc is another version than this was written for, or not what it should be.
    """
    if aiortc.__version__ != TUNED_VERSION:
        raise LinkError(
            f"The link needs aiortc {TUNED_VERSION}, but {aiortc.__version__} is installed.",
            kind="refused",
            mend=f"Install aiortc=={TUNED_VERSION}.",
        )
    _replace(codecs, "H264Encoder", LiveH264Encoder)
    _replace(codecs, "Vp8Encoder", LiveVp8Encoder)
    _raise_levels()
    _replace(rtcrtpreceiver, "JitterBuffer", FrameEndJitterBuffer)
    _replace(rtcrtpreceiver, "TimestampMapper", PlainTimestamps)
    _replace(rtcrtpreceiver, "decoder_worker", decode_to_sink)
    _replace(rtcrtpreceiver, "RTP_HISTORY_SIZE", REPAIR_PACKETS)
    _replace(rtcrtpsender, "RTP_HISTORY_SIZE", REPAIR_PACKETS)
    _replace(rtcrtpsender, "random32", _random32)
    _replace(rtcpeerconnection, "RTCRtpSender", ExactRtpSender)
    _replace(turn, "UDP_SOCKET_BUFFER_SIZE", SOCKET_BUFFER_BYTES)
    _replace(ice, "StunProtocol", RoomyStunProtocol)
    _replace(ice, "get_host_addresses", host_addresses)


def _replace(owner: Any, name: str, value: object) -> None:
    if not hasattr(owner, name):
        raise LinkError(
            f"aiortc has no {getattr(owner, '__name__', type(owner).__name__)}.{name} any more.",
            kind="refused",
            mend=f"Install aiortc=={TUNED_VERSION} afresh.",
        )
    setattr(owner, name, value)


def _raise_levels() -> None:
    for codec in codecs.CODECS["video"]:
        level = str(codec.parameters.get("profile-level-id", ""))
        codec.parameters.update({"profile-level-id": LEVELS[level]} if level in LEVELS else {})


class CompletedFrame(JitterFrame):
    """An encoded picture out of the jitter buffer.

    Attributes:
        after_loss: Whether packets before it were given up.
    """

    def __init__(self, data: bytes, timestamp: int, after_loss: bool) -> None:
        super().__init__(data, timestamp)
        self.after_loss = after_loss


class FrameEndJitterBuffer(JitterBuffer):
    """Completes a video frame with the packet that carries the marker bit, not with the next frame.

    And gives up a packet that stays away by time: aiortc does when 512 later ones have come, which is
    half a second of a large picture and six of a small one.
    """

    def __init__(self, capacity: int, prefetch: int = 0, is_video: bool = False) -> None:
        super().__init__(capacity, prefetch, is_video)
        self._lost = False
        self._completed_at: int | None = None

    def add(self, packet: RtpPacket) -> tuple[bool, JitterFrame | None]:
        """Takes a packet; returns whether a full picture should be asked for, and a completed frame."""
        gave_up, frame = super().add(packet)
        if self._is_video and frame is None and self._is_too_late(packet):
            self.remove((packet.sequence_number - (self._origin or 0)) % (1 << 16))
            gave_up, frame = True, self._remove_frame(packet.sequence_number)
            self._completed_at = packet.timestamp
        if gave_up:
            self._lost = True
        if isinstance(frame, CompletedFrame):
            frame.after_loss, self._lost = self._lost, False
        return gave_up, frame

    def _is_too_late(self, packet: RtpPacket) -> bool:
        """Whether ``packet`` begins a frame while one before it has waited too long."""
        if self._completed_at is None:
            self._completed_at = packet.timestamp
        before = self._packets[(packet.sequence_number - 1) % self._capacity]
        waited = (packet.timestamp - self._completed_at) % (1 << 32)
        return (
            before is not None
            and before.timestamp != packet.timestamp
            and packet.sequence_number != self._origin
            and GIVE_UP_TICKS < waited < 1 << 31
        )

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
        """Whether a packet only lengthens its frame: saves a walk over the buffer for each packet."""
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
        self._completed_at = packets[0].timestamp
        return CompletedFrame(data, packets[0].timestamp, after_loss=False)


class PlainTimestamps:
    """Leaves RTP timestamps as they came; aiortc would count from the first one it saw."""

    def map(self, timestamp: int) -> int:
        """The same 32-bit number."""
        return timestamp


class DecodedFrameSink:
    """Stands where a track has its queue, and takes pictures in the decoder's own thread.

    So a picture is copied and fitted away from the event loop, and nothing can queue up.

    Args:
        deliver: Called with each decoded picture.
        ended: Called once, when no more will come.
    """

    def __init__(self, deliver: Callable[[av.VideoFrame], None], ended: Callable[[], None]) -> None:
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
    """A receiver's decoder thread: encoded frames in, pictures to the sink.

    A picture that does not decode shuts the gate and asks for a full one (``decode_error``); so does
    falling behind.
    Tracks without a sink are served as aiortc would.
    """
    if not isinstance(output_q, DecodedFrameSink):
        _plain_decoder_worker(loop, input_q, output_q, decode_error)
        return
    decoder = gate = name = None
    while (task := input_q.get()) is not None:
        codec, encoded = task
        if decoder is None or gate is None or codec.name != name:
            decoder, gate = codecs.get_decoder(codec), KeyframeGate(codec.name, decode_error.set)
            name = codec.name
        lost = isinstance(encoded, CompletedFrame) and encoded.after_loss
        if lost or input_q.qsize() > BACKLOG_FRAMES:
            gate.shut()
        if not gate.passes(encoded.data):
            continue
        try:
            for picture in decoder.decode(encoded):
                if isinstance(picture, av.VideoFrame):
                    output_q.deliver(picture)
        except av.FFmpegError as error:
            log.info("A %s picture did not decode: %s", name, error)
            gate.shut()
            decode_error.set()
        except Exception:
            log.exception("A decoded picture could not be handed on")
    output_q.ended()


class ExactRtpSender(RTCRtpSender):
    """Sends a frame's own 90 kHz time as its RTP timestamp."""

    async def _run_rtp(self, codec: RTCRtpCodecParameters) -> None:
        _origin_is_zero.set(True)
        await super()._run_rtp(codec)


def _random32() -> int:
    """The timestamp origin in a sender's own task, a random number anywhere else (SSRC)."""
    return 0 if _origin_is_zero.get() else _plain_random32()


class RoomyStunProtocol(ice.StunProtocol):
    """A socket whose send buffer holds a full picture; the receive buffer is aioice's own setting."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Widens the socket when it is there."""
        super().connection_made(transport)
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BUFFER_BYTES)


def host_addresses(use_ipv4: bool, use_ipv6: bool) -> list[str]:
    """This host's addresses, loopback first.

    First, because aioice then tries and takes it first: a picture between two processes of one host
    survives when the network under it goes away.
    """
    addresses = [each for each in _plain_host_addresses(use_ipv4, use_ipv6) if each != LOOPBACK]
    return [LOOPBACK, *addresses] if use_ipv4 else addresses
