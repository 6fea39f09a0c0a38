"""JPEG pictures put together from RTP packets (RFC 2435), which carry them without their headers.

The headers are made anew from what each packet says; Huffman tables are left out, since decoders of MJPEG
know the only ones that the standard allows. Must not know how packets arrive, nor decoders.
"""

from __future__ import annotations

from collections.abc import Callable

from overpaint.media.network_camera.rtp_payloads import PICTURE_BYTES, RtpPacket

_HEADER, _RESTART_HEADER, _TABLES_HEADER = 8, 4, 4
_RESTARTS = 64
"""Added to a type whose pictures have restart markers."""
_SAMPLING = {0: 0x21, 1: 0x22}
"""Sampling factors of luminance by type: 4:2:2 and 4:2:0."""
_IN_BAND = 128
"""Least Q whose tables are sent with the picture."""
_TABLE = 64
_ZIGZAG = sorted(
    range(_TABLE),
    key=lambda at: (at // 8 + at % 8, at // 8 if (at // 8 + at % 8) % 2 else at % 8),
)
# ITU-T T.81, tables K.1 and K.2, row by row.
# fmt: off
_LUMINANCE = (
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
)
_CHROMINANCE = (
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
    24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
    *(99,) * 32,
)
# fmt: on


def tables_of(quality: int) -> bytes:
    """Returns both quantization tables of a quality from 1 to 99, in zigzag order. Source: RFC 2435, 4.2."""
    scale = 5000 // quality if quality < 50 else 200 - 2 * quality
    return bytes(
        min(max((table[at] * scale + 50) // 100, 1), 255)
        for table in (_LUMINANCE, _CHROMINANCE)
        for at in _ZIGZAG
    )


class JpegAssembler:
    """Puts the pictures of one stream together; one of which a part is missing is left out.

    Args:
        on_picture: Receives each picture, and that it needs no other.
    """

    def __init__(self, on_picture: Callable[[bytes, bool], None]) -> None:
        self._on_picture = on_picture
        self._picture = bytearray()
        self._scan = 0
        """Length of the headers before the scan's data."""
        self._timestamp: int | None = None
        self._known: dict[int, bytes] = {}

    def add(self, packet: RtpPacket) -> None:
        """Adds the next packet of the stream."""
        data = packet.payload
        if len(data) < _HEADER:
            return
        offset, kind, quality = int.from_bytes(data[1:4], "big"), data[4], data[5]
        restarts, rest = b"", data[_HEADER:]
        if kind & _RESTARTS:
            restarts, rest = rest[:2], rest[_RESTART_HEADER:]
        if offset == 0:
            self._picture.clear()
            self._timestamp = packet.timestamp
            tables, rest = self._tables(quality, rest)
            head = _headers(kind & ~_RESTARTS, data[6] * 8, data[7] * 8, tables, restarts)
            self._picture += head
            self._scan = len(head)
        missing = packet.timestamp != self._timestamp or len(self._picture) - self._scan != offset
        if missing or not self._scan or len(self._picture) + len(rest) > PICTURE_BYTES:
            self._picture.clear()
            self._scan, self._timestamp = 0, None
            return
        self._picture += rest
        if packet.marker:
            self._on_picture(bytes(self._picture) + b"\xff\xd9", True)
            self._picture.clear()
            self._scan, self._timestamp = 0, None

    def _tables(self, quality: int, data: bytes) -> tuple[bytes, bytes]:
        """Returns the tables of a picture, none where they are unknown; and the data after them."""
        if 1 <= quality < 100:
            return tables_of(quality), data
        if quality < _IN_BAND or len(data) < _TABLES_HEADER:
            return b"", data
        end = _TABLES_HEADER + int.from_bytes(data[2:4], "big")
        tables, precise = data[_TABLES_HEADER:end], data[1]
        if len(tables) in (_TABLE, 2 * _TABLE) and not precise:
            self._known[quality] = (tables * 2)[: 2 * _TABLE]  # FFmpeg sends one for both
        elif tables:
            return b"", data
        return self._known.get(quality, b""), data[end:]


def _headers(kind: int, width: int, height: int, tables: bytes, restarts: bytes) -> bytes:
    """Returns what is before the data of the scan; nothing where the picture cannot be read."""
    sampling = _SAMPLING.get(kind)
    if sampling is None or not tables or not width or not height:
        return b""
    parts = [b"\xff\xd8"]
    for number in range(2):
        table = tables[number * _TABLE : (number + 1) * _TABLE]
        parts.append(b"\xff\xdb" + (3 + _TABLE).to_bytes(2, "big") + bytes([number]) + table)
    if len(restarts) == 2 and any(restarts):
        parts.append(b"\xff\xdd\x00\x04" + restarts)
    size = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    parts.append(b"\xff\xc0\x00\x11\x08" + size + bytes([3, 1, sampling, 0, 2, 0x11, 1, 3, 0x11, 1]))
    parts.append(b"\xff\xda\x00\x0c\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00")
    return b"".join(parts)
