"""Formats of captured screens in PipeWire: what can be read, and what was agreed on. Pure.

Source: PipeWire, the headers spa/param/format.h, spa/param/video/raw.h, spa/param/buffers.h. Must not know
the library.
"""

from __future__ import annotations

from dataclasses import dataclass

from overpaint.media.pipewire import pods

ENUM_FORMAT, FORMAT, BUFFERS, META = 3, 4, 5, 6
"""Kinds of parameters (``spa_param_type``)."""
VIDEO_CROP, CROP_SIZE = 2, 16
"""The metadata that says which part of a buffer is the picture, and its size, bytes."""
LAYOUTS = {"RGBx": 7, "BGRx": 8, "RGBA": 11, "BGRA": 12}
"""Layouts of four bytes a pixel (``spa_video_format``)."""
_FORMAT_OBJECT, _BUFFERS_OBJECT, _META_OBJECT = 0x40003, 0x40004, 0x40005
_MEDIA_TYPE, _MEDIA_SUBTYPE, _VIDEO, _RAW = 1, 2, 2, 1
_VIDEO_FORMAT, _VIDEO_SIZE, _VIDEO_RATE = 0x20001, 0x20003, 0x20004
_BUFFER_COUNT, _BUFFER_DATA_TYPE = 1, 6
_META_TYPE, _META_SIZE = 1, 2
_MEM_PTR, _MEM_FD = 1, 2


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
    first, *others = sorted(LAYOUTS.values(), key=lambda value: value != LAYOUTS["BGRx"])
    largest = pods.rectangle(16384, 16384)
    return pods.item(
        _FORMAT_OBJECT,
        ENUM_FORMAT,
        {
            _MEDIA_TYPE: pods.identifier(_VIDEO),
            _MEDIA_SUBTYPE: pods.identifier(_RAW),
            _VIDEO_FORMAT: pods.chosen_among(pods.identifier(first), *map(pods.identifier, others)),
            _VIDEO_SIZE: pods.chosen_within(pods.rectangle(1920, 1080), pods.rectangle(1, 1), largest),
            _VIDEO_RATE: pods.chosen_within(
                pods.fraction(most_fps, 1), pods.fraction(0, 1), pods.fraction(most_fps, 1)
            ),
        },
    )


def wanted_buffers() -> bytes:
    """Describes buffers in memory that the processor can read."""
    return pods.item(
        _BUFFERS_OBJECT,
        BUFFERS,
        {
            _BUFFER_COUNT: pods.chosen_within(pods.integer(4), pods.integer(2), pods.integer(8)),
            _BUFFER_DATA_TYPE: pods.flags(1 << _MEM_PTR | 1 << _MEM_FD),
        },
    )


def wanted_crop() -> bytes:
    """Asks for the part of each buffer that is the picture: a window's buffer may be larger than it."""
    properties = {_META_TYPE: pods.identifier(VIDEO_CROP), _META_SIZE: pods.integer(CROP_SIZE)}
    return pods.item(_META_OBJECT, META, properties)


def read_format(pod: bytes) -> VideoFormat | None:
    """Reads a negotiated format; None where it is not one that was wanted."""
    try:
        values = pods.read_item(pod)
    except ValueError:
        return None
    layout, size = values.get(_VIDEO_FORMAT, ()), values.get(_VIDEO_SIZE, ())
    name = next((name for name, value in LAYOUTS.items() if layout == (value,)), None)
    if name is None or len(size) != 2:
        return None
    return VideoFormat(name, *size)
