"""The sessions of this core, found by their secret. Must not know HTTP or JSON."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

from overpaint.core.clock import Clock
from overpaint.core.hosting import EngineHost
from overpaint.core.live_session import LiveSession
from overpaint.core.names import secret_digest
from overpaint.core.rooms import Rooms
from overpaint.ledger.records import SessionRecord
from overpaint.wire import control

log = logging.getLogger(__name__)

REMEMBERED = timedelta(hours=24)
"""How long an ended session is answered 4003 and not 4001."""


class Sessions:
    """The sessions of this core, found by their secret.

    Args:
        host: Where they are restyled.
        rooms: How frames come.
        clock: Tells when they expire.
    """

    def __init__(self, host: EngineHost, rooms: Rooms, clock: Clock) -> None:
        self._host = host
        self._rooms = rooms
        self._clock = clock
        self._live: dict[bytes, LiveSession] = {}
        self._over: dict[bytes, tuple[str, datetime]] = {}
        self._expiries: dict[bytes, asyncio.Task[None]] = {}

    def add(self, record: SessionRecord) -> None:
        """Makes a session live until it expires; one that is live or over stays what it is."""
        digest = record.secret_digest
        if digest in self._live or digest in self._over:
            return
        session = LiveSession(record, self._host, self._rooms, self._clock)
        self._live[digest] = session
        self._expiries[digest] = asyncio.create_task(self._expire(digest, session))

    def find(self, secret: str) -> LiveSession | str | None:
        """The live session of a secret, the reason why it is over, or None when there is no such one."""
        digest = secret_digest(secret)
        live = self._live.get(digest)
        if live is not None:
            return live
        over = self._over.get(digest)
        return over[0] if over else None

    async def close(self) -> None:
        """Ends every session; the service ends."""
        for task in self._expiries.values():
            task.cancel()
        ending = [self._finish(digest, each, "session_closed") for digest, each in self._live.items()]
        for outcome in await asyncio.gather(*ending, return_exceptions=True):
            if isinstance(outcome, Exception):
                log.error("a session did not end cleanly", exc_info=outcome)

    async def _expire(self, digest: bytes, session: LiveSession) -> None:
        await self._clock.sleep_until(session.record.expires_at)
        try:
            await self._finish(digest, session, "session_expired")
        except Exception:  # a task's root
            log.exception("session %s did not end cleanly", session.record.id)
        finally:
            self._expiries.pop(digest, None)

    async def _finish(self, digest: bytes, session: LiveSession, reason: control.EndReason) -> None:
        now = self._clock.now()
        self._over = {key: over for key, over in self._over.items() if now - over[1] < REMEMBERED}
        self._over[digest] = (reason, now)
        self._live.pop(digest, None)
        await session.end(reason)
