"""Pictures put together from RTP packets: H.264 (RFC 6184) and H.265 (RFC 7798), as Annex B byte streams.

Must not know how packets arrive, nor decoders.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Codec = Literal["h264", "hevc", "mjpeg"]
"""A codec, as FFmpeg calls it."""

PICTURE_BYTES = 16 * 1024**2
"""Limit of one coded picture."""
_START = b"\0\0\0\1"
_H264_AGGREGATE, _H264_FRAGMENT = 24, 28
_H264_KEYS = frozenset({5, 7})
"""An IDR slice, or the parameters before a picture where decoding can begin."""
_H265_AGGREGATE, _H265_FRAGMENT = 48, 49
_H265_KEYS = frozenset({*range(16, 24), 32, 33})
_LARGEST_PLAIN = {"h264": 23, "hevc": 47}


@dataclass(frozen=True, slots=True)
class RtpPacket:
    """The parts of an RTP packet (RFC 3550, 5.1) that matter here."""

    payload_type: int
    marker: bool
    number: int
    timestamp: int
    payload: bytes


def parse_rtp(data: bytes) -> RtpPacket | None:
    """Parses a packet; None where it is damaged."""
    if len(data) < 12 or data[0] >> 6 != 2:
        return None
    start, end = 12 + 4 * (data[0] & 15), len(data)
    if data[0] & 0x10:  # an extension
        if end < start + 4:
            return None
        start += 4 + 4 * int.from_bytes(data[start + 2 : start + 4], "big")
    if data[0] & 0x20:  # padding
        end -= data[-1]
    if start >= end:
        return None
    return RtpPacket(
        data[1] & 0x7F,
        bool(data[1] & 0x80),
        int.from_bytes(data[2:4], "big"),
        int.from_bytes(data[4:8], "big"),
        data[start:end],
    )


class PictureAssembler:
    """Puts the pictures of one stream together.

    Args:
        codec: Its codec, H.264 or H.265.
        on_picture: Receives each picture, and whether it needs no other.
    """

    def __init__(self, codec: Codec, on_picture: Callable[[bytes, bool], None]) -> None:
        self._codec = codec
        self._on_picture = on_picture
        self._picture = bytearray()
        self._fragment: bytearray | None = None
        self._key = False
        self._timestamp: int | None = None
        self._next: int | None = None

    def add(self, packet: RtpPacket) -> None:
        """Adds the next packet of the stream."""
        if packet.timestamp != self._timestamp:
            self._finish()
            self._timestamp = packet.timestamp
        if self._next is not None and packet.number != self._next:
            self._fragment = None  # its rest cannot be told from that of another
        self._next = (packet.number + 1) & 0xFFFF
        if len(self._picture) + len(self._fragment or b"") + len(packet.payload) > PICTURE_BYTES:
            self._drop()
            return
        if self._codec == "h264":
            self._add_h264(packet.payload)
        else:
            self._add_h265(packet.payload)
        if packet.marker:
            self._finish()

    def _add_h264(self, payload: bytes) -> None:
        kind = payload[0] & 31
        if kind == _H264_AGGREGATE:
            self._add_units(payload[1:])
        elif kind == _H264_FRAGMENT:
            if len(payload) > 2:
                head = bytes([payload[0] & 0xE0 | payload[1] & 31])
                self._add_fragment(head, payload[1], payload[2:])
        elif 1 <= kind <= _LARGEST_PLAIN["h264"]:
            self._add_unit(payload)

    def _add_h265(self, payload: bytes) -> None:
        if len(payload) < 3:
            return
        kind = payload[0] >> 1 & 63
        if kind == _H265_AGGREGATE:
            self._add_units(payload[2:])
        elif kind == _H265_FRAGMENT:
            if len(payload) > 3:
                head = bytes([payload[0] & 0x81 | (payload[2] & 63) << 1, payload[1]])
                self._add_fragment(head, payload[2], payload[3:])
        elif kind <= _LARGEST_PLAIN["hevc"]:
            self._add_unit(payload)

    def _add_units(self, data: bytes) -> None:
        """Adds aggregated units, each after its size."""
        while len(data) > 2:
            size = int.from_bytes(data[:2], "big")
            if not 0 < size <= len(data) - 2:
                return
            self._add_unit(data[2 : 2 + size])
            data = data[2 + size :]

    def _add_fragment(self, head: bytes, flags: int, data: bytes) -> None:
        if flags & 0x80:
            self._fragment = bytearray(head)
        if self._fragment is None:
            return
        self._fragment += data
        if flags & 0x40:
            unit, self._fragment = self._fragment, None
            self._add_unit(bytes(unit))

    def _add_unit(self, unit: bytes) -> None:
        if self._codec == "h264":
            self._key |= unit[0] & 31 in _H264_KEYS
        else:
            self._key |= unit[0] >> 1 & 63 in _H265_KEYS
        self._picture += _START + unit

    def _finish(self) -> None:
        picture, key = bytes(self._picture), self._key
        self._drop()
        if picture:
            self._on_picture(picture, key)

    def _drop(self) -> None:
        self._picture.clear()
        self._fragment, self._key = None, False
