"""Sinks of styled frames: one module a kind of output. A sink accepts ``StyledFrame`` only.

``write`` is called from one output thread of its own for each sink, so a sink may take its time
without holding up another; it must not know sessions.
"""

from __future__ import annotations

from typing import Protocol

from overpaint.media.frames import StyledFrame

REPEAT_AFTER_S = 0.05
"""A camera that gets no new frame for this long gets the last one again: readers wait on frames."""


class Sink(Protocol):
    """An output.

    Attributes:
        title: As a person would call it.
        written: Frames written so far.
    """

    title: str
    written: int

    def open(self, width: int, height: int, fps: float) -> None:
        """Gets ready for frames of exactly this size.

        Raises:
            SinkError: It is missing, busy, denied or unsupported; the sentence says which and what to do.
        """

    def write(self, frame: StyledFrame) -> None:
        """Hands one frame out; may block for the device's time.

        Raises:
            SinkError: The output is gone or full (``lost``, ``disk_full``).
        """

    def close(self) -> None:
        """Finishes the output so that it can be used (a file is playable); idempotent."""
