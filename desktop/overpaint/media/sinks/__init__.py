"""Sinks of styled frames: one module for each kind of output. A sink accepts only ``StyledFrame``.

Each sink has its own output thread that calls ``write``, so a slow sink does not delay others. Must not know
sessions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

from overpaint.media.audio import Sound
from overpaint.media.frames import StyledFrame

REPEAT_AFTER_S = 0.05
"""Time without a new frame after which a camera gets the last one again, since readers wait for frames."""


class Sink(Protocol):
    """An output of styled frames.

    Attributes:
        title: Its name for the user.
        written: Frames written so far.
    """

    title: str
    written: int

    def open(self, width: int, height: int, fps: float) -> None:
        """Prepares for frames of exactly this size.

        Raises:
            SinkError: It is missing, busy, denied or unsupported; the sentence says which, and how to mend
                it.
        """

    def write(self, frame: StyledFrame) -> None:
        """Writes one frame; may block for the device.

        Raises:
            SinkError: The output is gone or full (``lost``, ``disk_full``).
        """

    def close(self) -> None:
        """Finishes the output (a file is then playable); idempotent."""


@runtime_checkable
class FileSink(Protocol):
    """A sink that writes a file.

    Attributes:
        size: Bytes of the file so far.
    """

    size: int

    @property
    def left_s(self) -> float | None:
        """Seconds for which the disk has room at the present rate; None while that is unknown."""


@runtime_checkable
class SoundSink(Protocol):
    """A sink that takes sound, too."""

    def write_sound(self, sound: Sound) -> None:
        """Writes the next samples; the first one was captured with the first frame, which comes before it.

        Raises:
            SinkError: The output is gone or full (``lost``, ``disk_full``).
        """


class ReplayBuffer(Sink, Protocol):
    """A sink that keeps the last seconds.

    Attributes:
        size: Bytes that are kept.
    """

    size: int

    @property
    def seconds(self) -> float:
        """Duration of what is kept."""

    def save(self, path: Path) -> None:
        """Writes what is kept into a file, from any thread; keeping goes on meanwhile.

        Raises:
            SinkError: Nothing is kept yet (``empty``); no room (``disk_full``); the file cannot be written.
        """
