"""SPA pods: the binary values in which PipeWire describes formats and buffers.

Source: PipeWire, "SPA POD", and the headers spa/pod/pod.h, spa/param/format.h, spa/param/video/raw.h,
spa/param/buffers.h. Only what raw video needs. Must not know the library.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_ID, _INT, _RECTANGLE, _FRACTION, _OBJECT, _CHOICE = 3, 4, 10, 11, 15, 19
_RANGE, _ENUM, _FLAGS = 1, 3, 4

FORMAT_OBJECT, BUFFERS_OBJECT, META_OBJECT = 0x40003, 0x40004, 0x40005
ENUM_FORMAT, FORMAT, BUFFERS, META = 3, 4, 5, 6
"""Kinds of parameters (``spa_param_type``)."""
_MEDIA_TYPE, _MEDIA_SUBTYPE, _VIDEO, _RAW = 1, 2, 2, 1
_VIDEO_FORMAT, _VIDEO_SIZE, _VIDEO_RATE = 0x20001, 0x20003, 0x20004
_BUFFER_COUNT, _BUFFER_DATA_TYPE = 1, 6
_META_TYPE, _META_SIZE = 1, 2
MEM_PTR, MEM_FD = 1, 2
"""Kinds of memory in which pictures may come (``spa_data_type``)."""
VIDEO_CROP, CROP_SIZE = 2, 16
"""The metadata that says which part of a buffer is the picture, and its size, bytes."""

LAYOUTS = {"RGBx": 7, "BGRx": 8, "RGBA": 11, "BGRA": 12}
"""Layouts of four bytes a pixel (``spa_video_format``)."""


@dataclass(frozen=True, slots=True)
class VideoFormat:
    """A negotiated format.

    Attributes:
        layout: Key of ``LAYOUTS``.
        width: Pixels.
        height: Pixels.
    """

    layout: str
    width: int
    height: int


def wanted_formats(most_fps: int) -> bytes:
    """Describes what can be read: four bytes a pixel, any size, up to a frame rate."""
    wished = list(LAYOUTS.values())
    return _object(
        FORMAT_OBJECT,
        ENUM_FORMAT,
        (_MEDIA_TYPE, _id(_VIDEO)),
        (_MEDIA_SUBTYPE, _id(_RAW)),
        (_VIDEO_FORMAT, _choice(_ENUM, _ID, struct.pack(f"={len(wished) + 1}I", LAYOUTS["BGRx"], *wished))),
        (_VIDEO_SIZE, _choice(_RANGE, _RECTANGLE, struct.pack("=6I", 1920, 1080, 1, 1, 16384, 16384))),
        (_VIDEO_RATE, _choice(_RANGE, _FRACTION, struct.pack("=6I", most_fps, 1, 0, 1, most_fps, 1))),
    )


def wanted_buffers() -> bytes:
    """Describes buffers in memory that the processor can read."""
    kinds = 1 << MEM_PTR | 1 << MEM_FD
    return _object(
        BUFFERS_OBJECT,
        BUFFERS,
        (_BUFFER_COUNT, _choice(_RANGE, _INT, struct.pack("=3i", 4, 2, 8))),
        (_BUFFER_DATA_TYPE, _choice(_FLAGS, _INT, struct.pack("=i", kinds))),
    )


def wanted_crop() -> bytes:
    """Asks for the part of each buffer that is the picture: a window's buffer may be larger than it."""
    size = _pod(_INT, struct.pack("=i", CROP_SIZE))
    return _object(META_OBJECT, META, (_META_TYPE, _id(VIDEO_CROP)), (_META_SIZE, size))


def read_format(pod: bytes) -> VideoFormat | None:
    """Reads a negotiated format; None where it is not one that was wanted."""
    values = dict(_properties(pod))
    layout, size = values.get(_VIDEO_FORMAT, b""), values.get(_VIDEO_SIZE, b"")
    if len(layout) < 4 or len(size) < 8:
        return None
    number = struct.unpack_from("=I", layout)[0]
    width, height = struct.unpack_from("=II", size)
    name = next((name for name, value in LAYOUTS.items() if value == number), None)
    return VideoFormat(name, width, height) if name is not None else None


def _pod(kind: int, body: bytes) -> bytes:
    return struct.pack("=II", len(body), kind) + body + bytes(-len(body) % 8)


def _id(value: int) -> bytes:
    return _pod(_ID, struct.pack("=I", value))


def _choice(choice: int, kind: int, values: bytes) -> bytes:
    """Packs a choice; its first value is the default."""
    each = {_ID: 4, _INT: 4, _RECTANGLE: 8, _FRACTION: 8}[kind]
    return _pod(_CHOICE, struct.pack("=IIII", choice, 0, each, kind) + values)


def _object(kind: int, parameter: int, *properties: tuple[int, bytes]) -> bytes:
    body = struct.pack("=II", kind, parameter)
    return _pod(_OBJECT, body + b"".join(struct.pack("=II", key, 0) + value for key, value in properties))


def _properties(pod: bytes) -> Iterator[tuple[int, bytes]]:
    """Returns the properties of an object: key, and the bytes of the value, or of a choice's first value."""
    size, kind = struct.unpack_from("=II", pod)
    if kind != _OBJECT:
        return
    place, end = 16, min(8 + size, len(pod))
    while place + 16 <= end:
        key, _, length, kind = struct.unpack_from("=IIII", pod, place)
        value = pod[place + 16 : place + 16 + length]
        yield key, value[16:] if kind == _CHOICE else value
        place += 16 + length + -length % 8
