"""The standing frame: the one place that keeps the last frame, shown by every output while no new one comes.

An output without a new frame asks here each time, and gets what the hold policy allows at that moment: the
last frame, or the slate. So no frame outlives the choice that allowed it. Thread-safe. Must not know sinks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from overpaint.media.frames import FrameKind, Picture, StyledFrame, now_ns
from overpaint.media.hold_policy import Audience, Choices, may_show, may_stand

SLATE_AFTER_S = 30.0
"""Time for which the last styled frame stands, by default."""


class StandingFrame:
    """The last delivered frame, under the hold policy.

    Args:
        slate: The slate, I420 of the output's size.
        choices: Returns the user's present choices; called from any thread.

    Attributes:
        slate: The slate; may be replaced by another of the same size.
        patience_s: Time for which a frame stands while no other comes.
        suspended: Whether it stands without limit during idle suspend; see ``suspend``.
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
        """Records a delivered frame."""
        with self._guard:
            self._frame, self._since_ns = frame, now_ns()
            self._lag_ns = self._since_ns - frame.captured_ns

    def forget(self, kind: FrameKind | None = None) -> None:
        """Drops the last frame; with ``kind``, only a frame of that kind."""
        with self._guard:
            if self._frame is not None and kind in (None, self._frame.kind):
                self._frame = None

    def suspend(self, on: bool) -> None:
        """Sets whether the last frame stands without limit (idle suspend)."""
        with self._guard:
            if self.suspended and not on:
                self._since_ns = now_ns()  # the next frame is coming: no slate before it
            self.suspended = on

    @property
    def lag_ns(self) -> int:
        """Age of the last frame at its delivery."""
        with self._guard:
            return self._lag_ns

    def allows(self, frame: StyledFrame, audience: Audience) -> bool:
        """Returns whether an output may show a frame now."""
        return may_show(frame.kind, self._choices(), audience)

    def last(self, audience: Audience) -> StyledFrame | None:
        """Returns the last frame if it may be shown now, whatever its age; else None."""
        with self._guard:
            frame = self._frame
        return frame if frame is not None and self.allows(frame, audience) else None

    def shown(self, audience: Audience) -> StyledFrame:
        """Returns what an output without a new frame shows now: the last frame, or the slate."""
        frame = self.last(audience)
        with self._guard:
            idle_s = (now_ns() - self._since_ns) / 1e9
            stands = may_stand(idle_s, self.patience_s, suspended=self.suspended)
        return frame if frame is not None and stands else StyledFrame.slate(self.slate)
