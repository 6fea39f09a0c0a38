"""The null sink: counts frames, for measuring and for sessions that nobody watches."""

from __future__ import annotations

from overpaint.media.frames import StyledFrame


class NullSink:
    """A sink that only counts frames."""

    title = "nowhere"

    def __init__(self) -> None:
        self.written = 0

    def open(self, width: int, height: int, fps: float) -> None:
        """Does nothing."""

    def write(self, frame: StyledFrame) -> None:
        """Counts one frame."""
        self.written += 1

    def close(self) -> None:
        """Does nothing."""
