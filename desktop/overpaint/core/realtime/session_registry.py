"""The registry of this core's live sessions, found by their secret.

The ledger has every sold session; here are those that were opened, or whose photo is being fetched. Any other
becomes live when its secret is used, with its present prompt and the rest of its time: so no paid session is
lost with a process. Processes that share one ledger do not know each other's sockets: a session's sockets
belong to one of them. Must not know HTTP or JSON.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from datetime import timedelta

from overpaint.core.clock import Clock
from overpaint.core.hosts.engine_host import EngineHost
from overpaint.core.names import secret_digest
from overpaint.core.realtime.live_session import LiveSession
from overpaint.core.realtime.reference_photos import Photos
from overpaint.core.realtime.rooms import Rooms
from overpaint.ledger import Ledger, SessionRecord
from overpaint.processes.memory import give_back
from overpaint.wire import control

log = logging.getLogger(__name__)

REMEMBERED = timedelta(hours=24)
"""Time for which an ended session is answered with 4003, not 4001."""
WATCH_SECONDS = 0.5
SUCCESSION = timedelta(seconds=60)
"""Time before its end in which a session may have a successor: the next one of its key needs no free slot."""
_SWEEP_EVERY = timedelta(hours=1)


class Sessions:
    """The registry of live sessions.

    Args:
        ledger: Stores the sessions.
        host: The engine host.
        rooms: The media rooms.
        clock: The service's clock.
        photos: The reference photos.
    """

    def __init__(self, ledger: Ledger, host: EngineHost, rooms: Rooms, clock: Clock, photos: Photos) -> None:
        self._ledger = ledger
        self._host = host
        self._rooms = rooms
        self._clock = clock
        self._photos = photos
        self._live: dict[bytes, LiveSession] = {}
        self._expiries: dict[bytes, asyncio.Task[None]] = {}
        self._watching: asyncio.Task[None] | None = None
        self._successors: dict[str, str] = {}

    @property
    def open(self) -> list[LiveSession]:
        """Returns the sessions in use."""
        return [session for session in self._live.values() if session.open]

    async def run(self) -> None:
        """Removes outdated entries, now and once an hour."""
        while True:
            now = self._clock.now()
            try:
                await asyncio.to_thread(self._photos.sweep)
                await asyncio.to_thread(self._ledger.drop_sessions, now - REMEMBERED)
            except Exception:  # the root of a task: tried again in an hour
                log.exception("old sessions cannot be swept")
            await self._clock.sleep_until(now + _SWEEP_EVERY)

    def add(self, record: SessionRecord, base_url: str) -> LiveSession:
        """Makes a session live until it expires; a live one stays as it is.

        Args:
            record: Its record in the ledger.
            base_url: The service's address as its caller reached it.
        """
        digest = record.secret_digest
        session = self._live.get(digest)
        if session is None:
            session = LiveSession(
                record, self._host, self._rooms, self._clock, self._ledger, self._photos, self._succeeds
            )
            session.style.expect_photo(base_url)
            self._live[digest] = session
            self._expiries[digest] = asyncio.create_task(self._expire(digest, session))
        return session

    def _succeeds(self, session: LiveSession) -> bool:
        """Returns whether it replaces another session of its key that ends soon.

        Each session may be replaced once, and a replacement may not be replaced itself: a chain would exceed
        the slots without limit.
        """
        soon, own = self._clock.now() + SUCCESSION, session.record
        for other in self.open:
            record = other.record
            ends = record.key_id == own.key_id and record.expires_at <= min(soon, own.expires_at)
            came_so = record.id in self._successors.values()
            if other is session or not ends or not other.has_room or came_so:
                continue
            if self._successors.setdefault(record.id, own.id) == own.id:
                return True
        return False

    async def find(self, secret: str, base_url: str) -> LiveSession | str | None:
        """Returns the live session of a secret, the reason why it is over, or None for an unknown secret."""
        digest = secret_digest(secret)
        session = self._live.get(digest)
        if session is None:
            record = await asyncio.to_thread(self._ledger.session, digest)
            if record is None:
                return None
            if record.ended is not None:
                return record.ended
            if record.expires_at <= self._clock.now():
                await asyncio.to_thread(
                    self._ledger.end_session, record.id, "session_expired", record.seconds
                )
                return "session_expired"
            session = self.add(record, base_url)
        if await asyncio.to_thread(self._ledger.revoked, [session.record.key_id]):
            await self._finish(digest, session, "session_closed")
        if session.ended is not None:
            return session.ended
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        return session

    async def close(self) -> None:
        """Closes the open sessions because the service ends (4003 ``session_closed``).

        The ledger keeps the paid rest of their time for the next process, where the same secret opens them
        again.
        """
        for task in self._expiries.values():
            task.cancel()
        await _each([self._leave(session) for session in self.open])

    async def _leave(self, session: LiveSession) -> None:
        await session.end("session_closed")
        await session.meter.keep()

    async def _watch(self) -> None:
        """Ends the sessions of revoked keys, while any is open.

        Polled: a key is revoked by another process, the command line, perhaps on another machine, and there
        is no notification that works with both kinds of database. One query for all sessions, and none
        without open sessions.
        """
        try:
            while True:
                await asyncio.sleep(WATCH_SECONDS)  # first, so that the new socket has attached
                keys = {session.record.key_id for session in self.open}
                if not keys:
                    return
                revoked = await asyncio.to_thread(self._ledger.revoked, keys)
                if revoked:
                    over = {
                        digest: session
                        for digest, session in self._live.items()
                        if session.record.key_id in revoked
                    }
                    await self._finish_all(over, "session_closed")
        except Exception:  # the root of a task: the next socket starts it again
            log.exception("revoked keys cannot be watched")
        finally:
            self._watching = None

    async def _expire(self, digest: bytes, session: LiveSession) -> None:
        await self._clock.sleep_until(session.record.expires_at)
        self._expiries.pop(digest, None)  # from here on it runs to its end
        await self._finish_all({digest: session}, "session_expired")

    async def _finish_all(self, sessions: dict[bytes, LiveSession], reason: control.EndReason) -> None:
        await _each([self._finish(digest, session, reason) for digest, session in sessions.items()])

    async def _finish(self, digest: bytes, session: LiveSession, reason: control.EndReason) -> None:
        """Ends a session; it stays registered until the ledger has recorded the end."""
        try:
            await session.end(reason)
        finally:
            ended = session.ended or reason
            await asyncio.to_thread(self._ledger.end_session, session.record.id, ended, session.meter.seconds)
            self._photos.drop(session.record.id)
            self._live.pop(digest, None)
            self._successors.pop(session.record.id, None)
            expiry = self._expiries.pop(digest, None)
            if expiry is not None:
                expiry.cancel()
            await asyncio.to_thread(give_back)


async def _each(endings: Sequence[Coroutine[None, None, None]]) -> None:
    """Awaits all endings; a failure is logged and does not delay the others."""
    for outcome in await asyncio.gather(*endings, return_exceptions=True):
        if isinstance(outcome, Exception):
            log.error("a session did not end cleanly", exc_info=outcome)
