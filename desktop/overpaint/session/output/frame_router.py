"""The frame router: raw frames from the source to every open link, styled frames back to the outputs.

While a session is renewed two links are open: both get every frame, and only the current one's styled frames
go on. At the seam (``promote``) no frame is lost or repeated, and time never goes back: frames are delivered
in order only, and what the new link returned early is kept until then. Must not know sockets, credits or
devices.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

from overpaint.errors import SourceError
from overpaint.media.frames import RawFrame, StyledFrame, now_ns
from overpaint.media.framing import Framer
from overpaint.media.links import FrameLink
from overpaint.session.output.meters import RateMeter
from overpaint.session.output.original_frames import Originals

EARLY_FRAMES = 8
"""Frames kept of the next link, which may be ahead of the current one."""


class FrameTaker(Protocol):
    """A receiver of styled frames."""

    def deliver(self, frame: StyledFrame) -> None:
        """Receives one frame; must not block."""


class FrameHub:
    """The frame router: a ``SourceListener`` that sends to links and receives their styled frames.

    Args:
        outputs: Receives the current link's frames.
        source_lost: Called, from the source's thread, when the source ended by itself.

    Attributes:
        framer: Framing of the present source.
        originals: Recent raw frames, for the user's own window.
        captured: Frames from the source.
        sent: Frames sent while a link was current.
        styled: Frames delivered to the outputs.
        lost_frames: Gaps in the numbers of delivered frames: dropped anywhere, here or in the core.
    """

    def __init__(self, outputs: FrameTaker, source_lost: Callable[[SourceError], None]) -> None:
        self._outputs = outputs
        self._source_lost = source_lost
        self._links: tuple[FrameLink, ...] = ()
        self._current: FrameLink | None = None
        self._early: dict[FrameLink, deque[StyledFrame]] = {}
        self._newest_ns = 0
        self._last_number: int | None = None
        self._guard = threading.Lock()
        self.framer: Framer | None = None
        self.originals = Originals()
        self.captured = RateMeter()
        self.sent = 0
        self.styled = RateMeter()
        self.lost_frames = 0
        self._resting = False

    # ---- from the source -------------------------------------------------------------------------

    def frame(self, frame: RawFrame) -> None:
        """Receives a new frame, in the source's thread."""
        if self.framer is not None:
            frame = self.framer.framed(frame)
        self.originals.note(frame)
        if self._resting:
            return
        self.captured.mark(now_ns())
        if self._current is not None:
            self.sent += 1
        for link in self._links:
            link.send(frame)

    def rest(self, on: bool) -> None:
        """Pauses or resumes sending to links; frames not sent meanwhile do not count as lost."""
        self._resting = on
        with self._guard:
            self._last_number = None

    def lost(self, error: SourceError) -> None:
        """Reports that the source ended by itself."""
        self._source_lost(error)

    # ---- links -----------------------------------------------------------------------------------

    def attach(self, link: FrameLink, ready: Callable[[StyledFrame], bool]) -> None:
        """Starts sending every frame to a link.

        Args:
            link: An open link.
            ready: Called with each returned frame, in a thread of the link, until it returns true; no frame
                is delivered before that.
        """
        with self._guard:
            self._links = (*self._links, link)
            self._early[link] = deque(maxlen=EARLY_FRAMES)
        threading.Thread(target=self._pump, args=(link, ready), name="pump", daemon=True).start()

    def promote(self, link: FrameLink) -> None:
        """Makes a link the current one (the seam), and delivers the frames that it returned early."""
        with self._guard:
            self._current = link
            self._flush(link)

    def detach(self, link: FrameLink) -> None:
        """Stops sending to a link and receiving from it."""
        with self._guard:
            self._links = tuple(other for other in self._links if other is not link)
            self._early.pop(link, None)
            if self._current is link:
                self._current = None

    def _pump(self, link: FrameLink, ready: Callable[[StyledFrame], bool]) -> None:
        waiting = True
        while not link.received.closed:
            frame = link.received.take()
            if frame is None or (waiting and not ready(frame)):
                continue
            waiting = False
            with self._guard:
                if link in self._early:
                    self._early[link].append(frame)
                if link is self._current:
                    self._flush(link)

    def _flush(self, link: FrameLink) -> None:
        """Delivers early frames; under the guard, so that two links cannot overtake each other."""
        early = self._early.get(link, deque())
        while early:
            self._hand_on(early.popleft())

    def _hand_on(self, frame: StyledFrame) -> None:
        if frame.captured_ns <= self._newest_ns:
            return
        self._newest_ns = frame.captured_ns
        self._count_lost(frame.number)
        self.styled.mark(now_ns())
        self._outputs.deliver(frame)

    def _count_lost(self, number: int) -> None:
        last, self._last_number = self._last_number, number
        if last is not None and number > last:  # a new source starts at 0 again
            self.lost_frames += number - last - 1
