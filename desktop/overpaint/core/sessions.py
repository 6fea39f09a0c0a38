"""Live sessions: what outlives a socket. Their registry, and one session.

A session keeps its current prompt, photo, room and billed seconds from creation to expiry, whichever
socket speaks for it. Everything here runs on the event loop. Must not know HTTP or JSON.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from overpaint.core.clock import Clock
from overpaint.core.hosting import EngineHost, HostedStream
from overpaint.core.names import secret_digest
from overpaint.core.rooms import DEFAULT_FPS, Rooms
from overpaint.engine.engine import LookRequest
from overpaint.errors import LinkError, SessionClosedError, UpstreamError
from overpaint.media.links import Room
from overpaint.wire import control
from overpaint.wire.service import OUTPUT_SIZES

log = logging.getLogger(__name__)

REMEMBERED = timedelta(hours=24)
"""How long an ended session is answered 4003 and not 4001."""


class Audience(Protocol):
    """The socket that speaks for a session. Calls return at once; what comes after ``finish`` is dropped."""

    def post(self, message: control.ServerMessage) -> None:
        """Sends a message."""

    def finish(self, code: int, reason: str) -> None:
        """Closes the socket after what was posted before."""

    async def finished(self) -> None:
        """Returns when the socket is closed."""


@dataclass(frozen=True, slots=True)
class SessionTerms:
    """What was bought.

    Attributes:
        id: ``rts_…``.
        model: Realtime model.
        expires_at: UTC.
        photo_url: ``reference_image_url`` as supplied.
    """

    id: str
    model: str
    expires_at: datetime
    photo_url: str | None = None


class LiveSession:
    """One session.

    Args:
        terms: What was bought.
        style: Prompt at creation.
        host: Where it is restyled.
        rooms: How frames come.
    """

    def __init__(self, terms: SessionTerms, style: LookRequest, host: EngineHost, rooms: Rooms) -> None:
        self.terms = terms
        self.style = style
        self.ended: str | None = None
        self._host = host
        self._rooms = rooms
        self._size = OUTPUT_SIZES[terms.model]
        self._socket: Audience | None = None
        self._listens = False  # whether the socket has joined, and wants the stream's messages
        self._stream: HostedStream | None = None
        self._room: Room | None = None
        self._fps = DEFAULT_FPS
        self._seconds = 0
        self._ticking: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()

    # ---- the socket ------------------------------------------------------------------------------

    def attach(self, socket: Audience) -> None:
        """Lets a socket speak for the session; the one before it is closed."""
        former, self._socket = self._socket, socket
        self._listens = False
        if former is not None:
            former.post(self._ended("session_closed"))
            former.finish(control.CLOSE_SESSION, "session_closed")

    async def detach(self, socket: Audience, for_good: bool) -> None:
        """The socket is gone: lost (the stream goes on), or closed by its client ``for_good``."""
        if self._socket is not socket:
            return
        self._socket, self._listens = None, False
        if for_good:
            async with self._turn:
                if self._socket is None:
                    await self._leave_room()

    # ---- what a client asks for ------------------------------------------------------------------

    async def join(self, socket: Audience, message: control.RtcJoin, peer: str, base_url: str) -> None:
        """Opens a room for the socket, and restyles what comes into it.

        Raises:
            InvalidRequestError: No transport that was offered fits.
            UpstreamError: The engine or the room cannot be had.
        """
        async with self._turn:
            self._check_open(socket)
            stream = await self._place()
            try:
                room = await self._rooms.open(message, self._size, peer, base_url)
            except LinkError as error:
                raise UpstreamError(str(error)) from error
            former, self._room = self._room, room
            socket.post(control.RtcRoomInfo(rtc_url=room.url, token=room.token, room_name=room.name))
            if self.terms.photo_url is not None and self.style.reference is None:
                socket.post(
                    control.ReferenceImageError(
                        error="This service cannot fetch photos by address yet; send it with set_image."
                    )
                )
            self._stop_ticking()
            self._fps = message.fps or DEFAULT_FPS
            self._listens = True
            try:
                if stream.understood is None:
                    await stream.style(self.style)
                await stream.enter(room, _Relay(self, room), message.passthrough)
            finally:
                if former is not None:
                    await self._rooms.close(former)
            if self.ended is not None:  # it expired while the look was being made
                await self._close_stream()

    async def restyle(self, socket: Audience, style: LookRequest) -> str:
        """Changes the style from the next frame on.

        Returns:
            The effective prompt.

        Raises:
            EngineError: The photo cannot be used; the former style stays.
            UpstreamError: The engine failed; the former style stays.
        """
        async with self._turn:
            self._check_open(socket)
            stream = await self._place()
            if stream.understood is not None and _same(style, self.style):
                return stream.understood  # a look that runs keeps its state: nothing would change but a jump
            understood = await stream.style(style)
            self.style = style
            return understood

    def with_prompt(self, prompt: str, enhance: bool) -> LookRequest:
        """The present style with another prompt."""
        return replace(self.style, prompt=prompt, enhance_prompt=enhance)

    # ---- its end ---------------------------------------------------------------------------------

    async def end(self, reason: control.EndReason) -> None:
        """Ends the session for good, tells its socket, and gives everything back. Idempotent."""
        if self.ended is not None:
            return
        self.ended = reason
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.post(self._ended(reason))
            socket.finish(control.CLOSE_SESSION, reason)
        async with self._turn:
            await self._close_stream()
        if socket is not None:
            await socket.finished()

    async def fail(self, sentence: str) -> None:
        """The engine is lost: the socket is told and closed; the session may be opened again."""
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.post(control.SocketError(code="upstream_error", error=sentence))
            socket.post(self._ended("upstream_error"))
            socket.finish(control.CLOSE_UPSTREAM, "upstream_error")
        async with self._turn:
            await self._close_stream()

    # ---- the stream ------------------------------------------------------------------------------

    def stream_started(self, room: Room) -> None:
        """The first frame of a room left the engine."""
        if room is not self._room or self._stream is None:
            return
        width, height = self._size
        self._tell(
            control.GenerationStarted(
                session_id=self.terms.id,
                model=self.terms.model,
                width=width,
                height=height,
                fps=self._fps,
                engine=self._host.name,
            )
        )
        self._stop_ticking()
        self._ticking = asyncio.create_task(self._tick(self._stream))

    async def stream_ended(self, room: Room, sentence: str | None) -> None:
        """The stream of a room ended by itself."""
        if room is not self._room:
            return
        if sentence is not None:
            await self.fail(sentence)
            return
        self._tell(self._ended("client_left"))
        async with self._turn:
            if room is self._room:
                await self._leave_room()

    async def _tick(self, stream: HostedStream) -> None:
        """Counts the seconds in which frames flow. Once a second is its promise."""
        loop = asyncio.get_running_loop()
        frames, when = stream.frames, loop.time()
        while True:
            await asyncio.sleep(1.0)
            frames_now, now = stream.frames, loop.time()
            if frames_now > frames:
                self._seconds += 1
                fps = round((frames_now - frames) / (now - when), 2)
                self._tell(control.GenerationTick(seconds=self._seconds, frames=frames_now, fps=fps))
            frames, when = frames_now, now

    def _tell(self, message: control.ServerMessage) -> None:
        if self._socket is not None and self._listens:
            self._socket.post(message)

    def _ended(self, reason: control.EndReason) -> control.GenerationEnded:
        return control.GenerationEnded(seconds=self._seconds, reason=reason)

    def _check_open(self, socket: Audience) -> None:
        if self.ended is not None or self._socket is not socket:
            raise SessionClosedError("This socket no longer speaks for the session.")

    async def _place(self) -> HostedStream:
        if self._stream is None:
            self._stream = await self._host.open(*self._size)
        return self._stream

    async def _leave_room(self) -> None:
        self._stop_ticking()
        room, self._room = self._room, None
        if self._stream is not None:
            await self._stream.leave()
        if room is not None:
            await self._rooms.close(room)

    async def _close_stream(self) -> None:
        await self._leave_room()
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.close()

    def _stop_ticking(self) -> None:
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None


def _same(one: LookRequest, other: LookRequest) -> bool:
    return one.reference is other.reference and replace(one, reference=None) == replace(other, reference=None)


class _Relay:
    """Brings what a stream's thread says onto the event loop."""

    def __init__(self, session: LiveSession, room: Room) -> None:
        self._session = session
        self._room = room
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None

    def started(self) -> None:
        self._loop.call_soon_threadsafe(self._session.stream_started, self._room)

    def ended(self, sentence: str | None) -> None:
        self._loop.call_soon_threadsafe(self._end, sentence)

    def _end(self, sentence: str | None) -> None:
        self._task = asyncio.create_task(self._session.stream_ended(self._room, sentence))


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

    def add(self, secret: str, terms: SessionTerms, style: LookRequest) -> None:
        """Makes a session live until it expires; one that is live or over stays what it is."""
        digest = secret_digest(secret)
        if digest in self._live or digest in self._over:
            return
        session = LiveSession(terms, style, self._host, self._rooms)
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
        await self._clock.sleep_until(session.terms.expires_at)
        try:
            await self._finish(digest, session, "session_expired")
        except Exception:  # a task's root
            log.exception("session %s did not end cleanly", session.terms.id)
        finally:
            self._expiries.pop(digest, None)

    async def _finish(self, digest: bytes, session: LiveSession, reason: control.EndReason) -> None:
        now = self._clock.now()
        self._over = {key: over for key, over in self._over.items() if now - over[1] < REMEMBERED}
        self._over[digest] = (reason, now)
        self._live.pop(digest, None)
        await session.end(reason)
