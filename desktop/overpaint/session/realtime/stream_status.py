"""The status of the stream as the service reports it. Must not know who asks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from overpaint.media.frames import now_ns
from overpaint.wire.service import RealtimeSession


@dataclass(slots=True)
class StreamFacts:
    """The status of the stream.

    Attributes:
        understood: The effective prompt.
        engine: The engine's name.
        session_id: Id of the present session; empty before the first.
        link: Kind of the link.
        expires_at: End of the present session.
        billed_before: Billed seconds of the former sessions.
        billed_now: Billed seconds of the present one.
        live_since_ns: Time of its first styled frame; 0 before that.
        sessions: Number of paid sessions.
        queue: Position (1 is next) and length of the queue while the engine is busy with others.
    """

    understood: str = ""
    engine: str = ""
    session_id: str = ""
    link: str = ""
    expires_at: datetime | None = None
    billed_before: int = 0
    billed_now: int = 0
    live_since_ns: int = 0
    sessions: int = 0
    queue: tuple[int, int] | None = None

    def note(self, session: RealtimeSession, ends_at: datetime, link: str) -> None:
        """Records the present session."""
        self.link, self.queue = link, None
        if self.session_id != session.id:
            self.session_id, self.expires_at = session.id, ends_at
            self.billed_before, self.billed_now = self.billed_before + self.billed_now, 0

    def note_live(self) -> None:
        """Records that a styled frame came."""
        self.live_since_ns = self.live_since_ns or now_ns()
