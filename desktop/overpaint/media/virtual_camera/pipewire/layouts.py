"""Pixel layouts of the PipeWire camera: those that it offers, and a frame laid out as one of them. Pure.

A reader takes the layout, size and rate that suit it. Each offer has one layout and one size, since browsers
(libwebrtc) skip an offer that leaves these open. Must not know the connection.

Source: spa/param/format.h, spa/param/video/raw.h, spa/param/buffers.h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from overpaint.media import pictures
from overpaint.media.frames import Picture
from overpaint.media.pipewire import pods

PARAM_FORMAT = 4
FPS_MAX = 60
SMALLER = (1280, 720)
"""Size offered beside the frames' own, where it is smaller and of the same shape."""
_PARAM_ENUM_FORMAT, _PARAM_BUFFERS, _PARAM_META = 3, 5, 6
_FORMAT, _BUFFERS, _META = 0x40003, 0x40004, 0x40005
_MEDIA_TYPE, _MEDIA_SUBTYPE, _VIDEO_FORMAT, _VIDEO_SIZE, _VIDEO_RATE = 1, 2, 0x20001, 0x20003, 0x20004
_VIDEO, _RAW = 2, 1
_BUFFER_COUNT, _BLOCKS, _SIZE, _STRIDE, _DATA_TYPE = 1, 2, 3, 4, 6
_MEMORY_FILE = 1 << 2
_META_TYPE, _META_SIZE = 1, 2

LayoutName = Literal["I420", "NV12", "YUY2"]
_NUMBERS: dict[LayoutName, int] = {"I420": 2, "NV12": 23, "YUY2": 4}
"""``SPA_VIDEO_FORMAT_*``, the cheapest first."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Pixel layout that a reader and the camera have agreed on.

    Attributes:
        name: Order of the samples.
        width: Pixels.
        height: Pixels.
        fps: Frames a second that the reader takes at most.
    """

    name: LayoutName
    width: int
    height: int
    fps: float

    @property
    def stride(self) -> int:
        """Bytes of a row (of Y, where it has a plane of its own)."""
        return self.width * 2 if self.name == "YUY2" else self.width

    @property
    def size(self) -> int:
        """Bytes of a picture."""
        return self.stride * self.height if self.name == "YUY2" else self.width * self.height * 3 // 2

    def write(self, image: Picture, out: Picture) -> None:
        """Lays out a picture.

        Args:
            image: I420, uint8 (H * 3 // 2, W), of any even size.
            out: uint8 (``size``,), which is filled.
        """
        image = pictures.resize(image, self.width, self.height)
        luma = self.width * self.height
        if self.name == "I420":
            np.copyto(out, image.reshape(-1))
            return
        y, u, v = pictures.planes(image)
        if self.name == "NV12":
            np.copyto(out[:luma], y.reshape(-1))
            cv2.merge((u, v), dst=out[luma:].reshape(self.height // 2, self.width // 2, 2))
            return
        chroma = cv2.merge((u, v)).reshape(self.height // 2, self.width)
        rows = out.reshape(self.height // 2, 2, self.width, 2)
        for odd in (0, 1):
            cv2.merge((y[odd::2], chroma), dst=rows[:, odd])


def offers(width: int, height: int) -> tuple[bytes, ...]:
    """Writes the layouts on offer for frames of a size (``EnumFormat``), the cheapest first."""
    sizes = [(width, height)]
    if width > SMALLER[0] and width * SMALLER[1] == height * SMALLER[0]:
        sizes.append(SMALLER)
    rate = pods.chosen_within(pods.fraction(30, 1), pods.fraction(1, 1), pods.fraction(FPS_MAX, 1))
    return tuple(
        pods.item(
            _FORMAT,
            _PARAM_ENUM_FORMAT,
            {
                _MEDIA_TYPE: pods.identifier(_VIDEO),
                _MEDIA_SUBTYPE: pods.identifier(_RAW),
                _VIDEO_FORMAT: pods.identifier(number),
                _VIDEO_SIZE: pods.rectangle(*size),
                _VIDEO_RATE: rate,
            },
        )
        for size in sizes
        for number in _NUMBERS.values()
    )


def agreed(pod: bytes) -> Layout | None:
    """Reads the layout that was agreed on (``Format``).

    Returns:
        None where it is none of the offered ones.

    Raises:
        ValueError: It is no whole pod.
    """
    found = pods.read_item(pod)
    name = next((name for name, number in _NUMBERS.items() if found.get(_VIDEO_FORMAT) == (number,)), None)
    width, height = found.get(_VIDEO_SIZE, (0, 0))
    frames, seconds = found.get(_VIDEO_RATE, (0, 0))
    if name is None or not width or not height or width % 2 or height % 2:
        return None
    return Layout(name, width, height, frames / seconds if frames and seconds else float(FPS_MAX))


def buffers(layout: Layout, header_bytes: int) -> tuple[bytes, ...]:
    """Writes the buffers that a layout needs: their number and size, and the header with their time."""
    return (
        pods.item(
            _BUFFERS,
            _PARAM_BUFFERS,
            {
                _BUFFER_COUNT: pods.chosen_within(pods.integer(4), pods.integer(2), pods.integer(8)),
                _BLOCKS: pods.integer(1),
                _SIZE: pods.integer(layout.size),
                _STRIDE: pods.integer(layout.stride),
                _DATA_TYPE: pods.integer(_MEMORY_FILE),
            },
        ),
        pods.item(
            _META,
            _PARAM_META,
            {_META_TYPE: pods.identifier(1), _META_SIZE: pods.integer(header_bytes)},
        ),
    )
