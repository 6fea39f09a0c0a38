"""Conversion between our frames and PyAV's, without needless copies, and their RTP timestamps.

Must not know connections or rooms.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

import av
import numpy as np
from aiortc.mediastreams import VIDEO_TIME_BASE

from overpaint.media.frames import Frame, Picture
from overpaint.media.pictures import planes

WRAP = 1 << 32
"""RTP timestamps have 32 bits (RFC 3550, section 5.1): 13 hours at 90 kHz."""
BT709, FULL_RANGE = 1, 2
"""ITU-T H.273, matrix coefficients; AVCOL_RANGE_JPEG."""
REMEMBERED = 512
"""Number of frames whose timestamps are kept: 17 s at 30 a second, longer than any useful delay."""


def ticks(captured_ns: int) -> int:
    """Converts nanoseconds to a 90 kHz timestamp of 32 bits."""
    return captured_ns * 9 // 100_000 % WRAP


class StampBook:
    """The map from timestamps to frames, for the newest ``REMEMBERED`` frames. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frames: OrderedDict[int, tuple[int, int]] = OrderedDict()

    def enter(self, frame: Frame) -> int:
        """Assigns a frame its timestamp: its capture time, advanced by a tick where that is taken.

        Two frames with one timestamp would be one frame to a receiver.
        """
        with self._lock:
            stamp = ticks(frame.captured_ns)
            while stamp in self._frames:
                stamp = (stamp + 1) % WRAP
            self._frames[stamp] = (frame.number, frame.captured_ns)
            if len(self._frames) > REMEMBERED:
                self._frames.popitem(last=False)
            return stamp

    def take(self, stamp: int) -> tuple[int, int] | None:
        """Returns ``(number, captured_ns)`` of a timestamp, once; None when it is unknown."""
        with self._lock:
            return self._frames.pop(stamp, None)


def to_video_frame(image: Picture, stamp: int) -> av.VideoFrame:
    """Makes PyAV's frame of an I420 picture, with a 90 kHz time.

    Shares the picture's memory where its height is a multiple of 4 (PyAV derives the height from the rows and
    rounds down otherwise); else copies plane by plane.

    Args:
        image: uint8 (H * 3 // 2, W) I420, H and W even.
        stamp: 32-bit 90 kHz timestamp.
    """
    height, width = image.shape[0] * 2 // 3, image.shape[1]
    if height % 4 == 0:
        frame = av.VideoFrame.from_numpy_buffer(image, format="yuv420p")
    else:
        frame = av.VideoFrame(width, height, "yuv420p")
        for source, target in zip(planes(image), frame.planes, strict=True):
            rows = np.frombuffer(memoryview(target), np.uint8).reshape(-1, target.line_size)
            rows[: source.shape[0], : source.shape[1]] = source
    frame.pts, frame.time_base = stamp, VIDEO_TIME_BASE
    return frame


def is_plain(frame: av.VideoFrame) -> bool:
    """Returns whether a frame's pixels are ours as they are: I420, BT.601, limited range."""
    return frame.format.name == "yuv420p" and frame.colorspace != BT709 and frame.color_range != FULL_RANGE


def to_picture(frame: av.VideoFrame) -> Picture:
    """Converts PyAV's frame of any layout and line size to a new I420 picture (BT.601, limited range).

    Odd sides lose a row or column.
    """
    if not is_plain(frame):
        frame = frame.reformat(format="yuv420p", dst_colorspace="ITU601", dst_color_range="MPEG")
    width, height = frame.width // 2 * 2, frame.height // 2 * 2
    image = np.empty((height * 3 // 2, width), np.uint8)
    for source, target in zip(frame.planes, planes(image), strict=True):
        rows = np.frombuffer(memoryview(source), np.uint8).reshape(-1, source.line_size)
        target[:] = rows[: target.shape[0], : target.shape[1]]
    return image
