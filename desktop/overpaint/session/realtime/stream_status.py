"""The service's statements about the stream, and for how long it has been seen. Must not know who asks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from overpaint.media.frames import now_ns
from overpaint.wire.service import RealtimeSession


@dataclass(slots=True)
class StreamFacts:
    """What the service said about the stream.

    Attributes:
        understood: The effective prompt.
        engine: As the service names it.
        session_id: Of the present session; empty before the first.
        link: How frames cross.
        expires_at: Of the present session.
        billed_before: Seconds of the sessions before the present one.
        billed_now: Seconds of the present one.
        live_since_ns: When its first styled frame came; 0 before that.
        sessions: How many were paid for.
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
        """A session is the present one from now on."""
        self.link, self.queue = link, None
        if self.session_id != session.id:
            self.session_id, self.expires_at = session.id, ends_at
            self.billed_before, self.billed_now = self.billed_before + self.billed_now, 0

    def note_live(self) -> None:
        """A styled frame came."""
        self.live_since_ns = self.live_since_ns or now_ns()
