"""The frame router: frames from the source to every open link, and styled ones back to the outputs.

While a session is renewed two links are open at once: both get every frame, and only the current
one's answers go on. A swap between the two loses no frame, repeats none and never goes back in time:
frames are handed on only forwards, and what the new link brought before it was current is kept for that
moment. Must not know sockets, credits or devices.
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
"""What a link that is about to be current may be ahead of the one that is."""


class FrameTaker(Protocol):
    """Where styled frames go."""

    def deliver(self, frame: StyledFrame) -> None:
        """Takes one frame; must not block."""


class FrameHub:
    """A ``SourceListener`` that sends to links, and a taker of what they bring back.

    Args:
        outputs: Takes the current link's frames.
        source_lost: Told, from the source's thread, that the source ended by itself.

    Attributes:
        framer: Lays the present source's pictures into the frame.
        originals: What came from the source of late, for the user's own eyes.
        captured: Frames of the source.
        sent: Frames sent while a link was current.
        styled: Frames that went on to the outputs.
        lost_frames: Frames between two that went on: dropped anywhere on the way, here or in the core.
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
        """A new frame of the source, in the source's thread."""
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
        """Sends no frame to any link, or does again; what was not sent is not lost."""
        self._resting = on
        with self._guard:
            self._last_number = None

    def lost(self, error: SourceError) -> None:
        """The source ended by itself."""
        self._source_lost(error)

    # ---- links -----------------------------------------------------------------------------------

    def attach(self, link: FrameLink, ready: Callable[[StyledFrame], bool]) -> None:
        """Sends every frame to this link too.

        Args:
            link: Open.
            ready: Asked of each frame that comes back, in a thread of the link, until it says yes;
                nothing goes on before that.
        """
        with self._guard:
            self._links = (*self._links, link)
            self._early[link] = deque(maxlen=EARLY_FRAMES)
        threading.Thread(target=self._pump, args=(link, ready), name="pump", daemon=True).start()

    def promote(self, link: FrameLink) -> None:
        """From now on this link's frames are the ones that go on, first those that it brought early."""
        with self._guard:
            self._current = link
            self._flush(link)

    def detach(self, link: FrameLink) -> None:
        """Sends nothing more to this link, and takes nothing more from it."""
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
        """Under the guard, so that two links cannot overtake each other on the way out."""
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
        if last is not None and number > last:  # a new source counts from 0 again
            self.lost_frames += number - last - 1
