"""Frames, raw and styled, and the one-frame slot between any two stages.

A frame is an I420 picture (BT.601, limited range, as OpenCV, WebRTC and virtual cameras assume) with its
number and capture time, both kept to the end. Raw and styled frames are different types, so that no raw
frame can reach a sink (virtual camera, recording) by mistake: only a link makes a ``StyledFrame``. Its
``kind`` says what it shows, and travels with it to the last output, where the hold policy
(``media.hold_policy``) decides whether it may be shown. The original that the user chose to show is a
``StyledFrame`` of the kind ``ORIGINAL``, from a session that was joined with ``passthrough``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from overpaint.media.access_units import AccessUnit

Picture = NDArray[np.uint8]


def now_ns() -> int:
    """Returns the time of the frames' clock: nanoseconds, the same in all processes of one host.

    ``perf_counter`` is CLOCK_MONOTONIC on Linux, mach_absolute_time on macOS and the performance
    counter on Windows: each is system-wide, unlike ``monotonic`` on Windows before Python 3.13.
    """
    return time.perf_counter_ns()


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture with its number and capture time.

    Attributes:
        image: uint8, shape (height * 3 // 2, width), C-contiguous I420: height rows of Y, then U and V at
            half size. Never written to once the frame is made.
        number: Counts up from 0 at the source; never reused within one source.
        captured_ns: Capture time, by ``now_ns``.
    """

    image: Picture
    number: int
    captured_ns: int

    @property
    def width(self) -> int:
        """Pixels."""
        return int(self.image.shape[1])

    @property
    def height(self) -> int:
        """Pixels."""
        return int(self.image.shape[0]) * 2 // 3


class FrameKind(IntEnum):
    """The kind of a picture, by what it shows; one byte, so that it fits a message between processes."""

    STYLED = 0
    """Restyled by the engine."""
    ORIGINAL = 1
    """The source's own picture: shown to others only while the user has chosen "Original"."""
    SLATE = 2
    """The still picture for "nothing to show"."""
    KEPT_SLATE = 3
    """A new slate, for later use; not shown now."""

    @property
    def is_slate(self) -> bool:
        """Whether it shows nothing of the source."""
        return self in (FrameKind.SLATE, FrameKind.KEPT_SLATE)


@dataclass(frozen=True, slots=True, eq=False)
class RawFrame(Frame):
    """A frame as captured. May cross a link to the core, and goes nowhere else."""


@dataclass(frozen=True, slots=True, eq=False)
class StyledFrame(Frame):
    """A frame from the core (or a slate): the only type that a sink accepts.

    Attributes:
        kind: What it shows. Without a default, so that every maker of a frame has to decide. A link knows it
            by its request.
        unit: The H.264 picture that it was decoded from, where exactly this picture was received so: a file
            may have that instead.
    """

    kind: FrameKind
    unit: AccessUnit | None = None

    @classmethod
    def slate(cls, picture: Picture, kind: FrameKind = FrameKind.SLATE) -> StyledFrame:
        """Makes a frame of the slate, captured now."""
        return cls(picture, 0, now_ns(), kind)


FrameT = TypeVar("FrameT", bound=Frame)


class FrameSlot(Generic[FrameT]):
    """A slot for the newest frame between two threads: a slow taker drops old frames and adds no delay.

    Attributes:
        dropped: Number of frames replaced before they were taken.
    """

    def __init__(self) -> None:
        self._ready = threading.Condition()
        self._frame: FrameT | None = None
        self._closed = self._woken = False
        self._wakeups: list[Callable[[], None]] = []
        self.dropped = 0

    def put(self, frame: FrameT) -> None:
        """Replaces the frame; never blocks. Ignored after ``close``."""
        with self._ready:
            if self._closed:
                return
            if self._frame is not None:
                self.dropped += 1
            self._frame = frame
            self._ready.notify()
            wakeups = tuple(self._wakeups)
        for wake in wakeups:
            wake()

    def take(self, timeout: float | None = None) -> FrameT | None:
        """Waits for a new frame.

        Args:
            timeout: Seconds; None for no limit.

        Returns:
            The newest frame; None after the timeout, after ``wake``, or when the slot is closed.
        """
        with self._ready:
            self._ready.wait_for(lambda: self._frame is not None or self._closed or self._woken, timeout)
            frame, self._frame = self._frame, None
            self._woken = False
            return frame

    def wake(self) -> None:
        """Makes the taker return at once, with None where there is no frame."""
        with self._ready:
            self._woken = True
            self._ready.notify()

    def on_put(self, wake: Callable[[], None]) -> None:
        """Sets a call after each ``put``, on the putting thread (for event loops)."""
        with self._ready:
            self._wakeups.append(wake)

    def close(self) -> None:
        """Wakes every taker with None, now and later."""
        with self._ready:
            self._closed = True
            self._frame = None
            self._ready.notify_all()

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._closed
