"""The viewers: receivers of the picture that the user alone sees (the preview).

They show the last picture that they got, so that one which may not be shown any more is replaced by the
slate. Must not know windows.
"""

from __future__ import annotations

from collections.abc import Callable

from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.hold_policy import Audience, Choices, may_show
from overpaint.session.output.standing_frame import StandingFrame


class Viewers:
    """The receivers of every styled frame.

    Args:
        standing: The standing frame, and its slate.
    """

    def __init__(self, standing: StandingFrame) -> None:
        self._standing = standing
        self._views: tuple[Callable[[StyledFrame], None], ...] = ()
        self._shown = FrameKind.SLATE

    def add(self, view: Callable[[StyledFrame], None]) -> None:
        """Adds a receiver; it must not block."""
        self._views = (*self._views, view)

    def put(self, frame: StyledFrame) -> None:
        """Shows a frame; from any thread."""
        self._shown = frame.kind
        for view in self._views:
            view(frame)

    def refresh(self, choices: Choices) -> None:
        """Shows the slate if what is shown may not be shown any more."""
        if not may_show(self._shown, choices, Audience.USER):
            self.blank()

    def blank(self) -> None:
        """Shows the slate."""
        self.put(StyledFrame.slate(self._standing.slate))
