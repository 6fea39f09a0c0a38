"""The frame that stands: the one place where the last frame is kept, for every output, while none comes.

An output that has nothing new to show asks here, each time anew, and gets what the hold policy allows at that
moment: the last frame, or the slate. So nothing outlives the choice that allowed it. Thread-safe. Must not
know sinks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from overpaint.media.frames import FrameKind, Picture, StyledFrame, now_ns
from overpaint.media.hold_policy import Audience, Choices, may_show, may_stand

SLATE_AFTER_S = 30.0
"""How long the last styled frame stands, unless the user sets it."""


class StandingFrame:
    """The last frame that was handed out.

    Args:
        slate: What is shown when there is nothing else, I420 of the output's size.
        choices: What the user has chosen by now; asked from any thread.

    Attributes:
        slate: See above; may be replaced by another of the same size.
        patience_s: How long a frame stands while no other comes.
        suspended: Whether it stands for longer, because the session rests; see ``suspend``.
    """

    def __init__(self, slate: Picture, choices: Callable[[], Choices]) -> None:
        self.slate = slate
        self.patience_s: float = SLATE_AFTER_S
        self.suspended = False
        self._choices = choices
        self._guard = threading.Lock()
        self._frame: StyledFrame | None = None
        self._since_ns = self._lag_ns = 0

    def note(self, frame: StyledFrame) -> None:
        """A new frame was handed out."""
        with self._guard:
            self._frame, self._since_ns = frame, now_ns()
            self._lag_ns = self._since_ns - frame.captured_ns

    def forget(self, kind: FrameKind | None = None) -> None:
        """Keeps the last frame no longer; of any kind, or only when it is of this one."""
        with self._guard:
            if self._frame is not None and kind in (None, self._frame.kind):
                self._frame = None

    def suspend(self, on: bool) -> None:
        """Whether the last frame stands for as long as none comes."""
        with self._guard:
            if self.suspended and not on:
                self._since_ns = now_ns()  # the next frame is on its way: no slate before it
            self.suspended = on

    @property
    def lag_ns(self) -> int:
        """How old the last frame was when it was handed out."""
        with self._guard:
            return self._lag_ns

    def allows(self, frame: StyledFrame, audience: Audience) -> bool:
        """Whether an output may show a frame now."""
        return may_show(frame.kind, self._choices(), audience)

    def last(self, audience: Audience) -> StyledFrame | None:
        """The last frame, as far as it may be shown now, however long it has stood."""
        with self._guard:
            frame = self._frame
        return frame if frame is not None and self.allows(frame, audience) else None

    def shown(self, audience: Audience) -> StyledFrame:
        """What an output shows now when nothing new has come: the last frame, or the slate."""
        frame = self.last(audience)
        with self._guard:
            idle_s = (now_ns() - self._since_ns) / 1e9
            stands = may_stand(idle_s, self.patience_s, suspended=self.suspended)
        return frame if frame is not None and stands else StyledFrame.slate(self.slate)
