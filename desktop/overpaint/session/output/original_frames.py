"""Recent frames of the source, for the user's eyes alone: to compare with the styled ones.

What is kept here is raw, of a type that no output takes. Must not know sinks.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from overpaint.media.frames import RawFrame, StyledFrame

KEPT = 30
"""Frames: about as long as a styled one may take to come back over a slow link."""


class Originals:
    """Keeps the newest raw frame, and while somebody compares also those before it. Thread-safe.

    Attributes:
        newest: The source's newest frame; None before the first.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._kept: OrderedDict[int, RawFrame] = OrderedDict()
        self._wanted = False
        self.newest: RawFrame | None = None

    def keep(self, wanted: bool) -> None:
        """Whether frames are kept until their styled ones come back; else only the newest is."""
        with self._guard:
            self._wanted = wanted
            if not wanted:
                self._kept.clear()

    def note(self, frame: RawFrame) -> None:
        """A new frame of the source."""
        self.newest = frame
        if not self._wanted:
            return
        with self._guard:
            self._kept[frame.captured_ns] = frame
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def of(self, styled: StyledFrame) -> RawFrame | None:
        """The frame that a styled one was made of; None when it is not kept (any more)."""
        with self._guard:
            return self._kept.get(styled.captured_ns)
