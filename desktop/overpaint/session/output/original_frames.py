"""Recent raw frames of the source, for the user's own window: to compare with the styled ones.

They are raw, a type that no output accepts. Must not know sinks.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from overpaint.media.frames import RawFrame, StyledFrame

KEPT = 30
"""Number of frames: about the round trip of a slow link."""


class Originals:
    """The newest raw frame, and while the user compares, recent ones. Thread-safe.

    Attributes:
        newest: The source's newest frame; None before the first.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._kept: OrderedDict[int, RawFrame] = OrderedDict()
        self._wanted = False
        self.newest: RawFrame | None = None

    def keep(self, wanted: bool) -> None:
        """Sets whether recent frames are kept; else only the newest is."""
        with self._guard:
            self._wanted = wanted
            if not wanted:
                self._kept.clear()

    def note(self, frame: RawFrame) -> None:
        """Records a new frame of the source."""
        self.newest = frame
        if not self._wanted:
            return
        with self._guard:
            self._kept[frame.captured_ns] = frame
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def of(self, styled: StyledFrame) -> RawFrame | None:
        """Returns the raw frame of a styled one; None when it is not kept (any more)."""
        with self._guard:
            return self._kept.get(styled.captured_ns)
