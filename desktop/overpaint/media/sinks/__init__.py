"""Sinks of styled frames: one module for each kind of output. A sink accepts only ``StyledFrame``.

Each sink has its own output thread that calls ``write``, so a slow sink does not delay others. Must not know
sessions.
"""

from __future__ import annotations

from typing import Protocol

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
