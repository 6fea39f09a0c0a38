"""One live session: what outlives a socket.

A session keeps its current prompt, photo, room and billed seconds from creation to expiry, whichever
socket speaks for it. Everything here runs on the event loop. Decided here, where specification and
protocol are silent:

- Who waits for a place keeps its position when a newer socket takes over, and loses it with the last.
- A socket that was lost keeps room and place for ``GRACE``; then both are given back, and the session
  waits without them for its next socket. One that was closed gives both back at once.

Must not know HTTP, JSON or how sessions are found.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from typing import Protocol

from overpaint.core.clock import Clock
from overpaint.core.hosting import EngineHost, HostedStream
from overpaint.core.rooms import DEFAULT_FPS, Rooms
from overpaint.engine.engine import LookRequest, Picture
from overpaint.errors import LinkError, SessionClosedError, UpstreamError
from overpaint.ledger.records import SessionRecord
from overpaint.media.links import Room
from overpaint.wire import control
from overpaint.wire.service import OUTPUT_SIZES

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=30)


class Audience(Protocol):
    """The socket that speaks for a session. Calls return at once; what comes after ``finish`` is dropped."""

    def post(self, message: control.ServerMessage) -> None:
        """Sends a message."""

    def finish(self, code: int, reason: str) -> None:
        """Closes the socket after what was posted before."""

    async def finished(self) -> None:
        """Returns when the socket is closed."""


class LiveSession:
    """One session.

    Args:
        record: What was bought, and how far it has come.
        host: Where it is restyled.
        rooms: How frames come.
        clock: Tells how long a lost socket has been away.

    Attributes:
        record: As it was when the session became live.
        style: The present one.
        ended: Why it is over; None while it is not.
        seconds: Billed so far.
    """

    def __init__(self, record: SessionRecord, host: EngineHost, rooms: Rooms, clock: Clock) -> None:
        self.record = record
        self.style = LookRequest(prompt=record.prompt, enhance_prompt=record.enhance_prompt)
        self.ended: str | None = None
        self.seconds = record.seconds
        self._host = host
        self._rooms = rooms
        self._clock = clock
        self._size = OUTPUT_SIZES[record.model]
        self._socket: Audience | None = None
        self._listens = False  # whether the socket has joined, and wants the stream's messages
        self._stream: HostedStream | None = None
        self._room: Room | None = None
        self._fps = DEFAULT_FPS
        self._ticking: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()  # stream and room change one after another
        self._joining = asyncio.Lock()  # joins come one after another; held while one waits for its place
        self._joins = 0
        self._position: tuple[int, int] | None = None
        self._sockets = 0  # that have spoken for it so far
        self._grace: asyncio.Task[None] | None = None

    # ---- the socket ------------------------------------------------------------------------------

    @property
    def open(self) -> bool:
        """Whether anybody uses it now: a socket speaks for it, or a lost one's room is kept."""
        return self._socket is not None or self._room is not None

    def attach(self, socket: Audience) -> None:
        """Lets a socket speak for the session; the one before it is closed."""
        former, self._socket = self._socket, socket
        self._listens = False
        self._sockets += 1
        if former is not None:
            former.post(self._ended("session_closed"))
            former.finish(control.CLOSE_SESSION, "session_closed")

    async def detach(self, socket: Audience, for_good: bool) -> None:
        """The socket is gone: lost (the stream goes on for a while), or closed ``for_good``."""
        if self._socket is not socket:
            return
        self._socket, self._listens = None, False
        sockets = self._sockets
        async with self._turn:
            if self._sockets != sockets:
                return
            if for_good or self._room is None:
                await self._leave_room()
            else:
                self._grace = asyncio.create_task(self._rest(sockets))

    async def _rest(self, sockets: int) -> None:
        """Gives room and place back when no further socket came."""
        await self._clock.sleep_until(self._clock.now() + GRACE)
        async with self._turn:
            if self._sockets == sockets:
                await self._leave_room()

    # ---- what a client asks for ------------------------------------------------------------------

    async def join(self, socket: Audience, message: control.RtcJoin, peer: str, base_url: str) -> None:
        """Waits for a place, opens a room for the socket, and restyles what comes into it.

        Raises:
            InvalidRequestError: No transport that was offered fits.
            SessionClosedError: The socket no longer speaks for the session.
            UpstreamError: The engine or the room cannot be had.
        """
        if self._position is not None:
            socket.post(_queued(*self._position))
        self._joins += 1
        try:
            async with self._joining:
                self._check_open(socket)
                await self._join(socket, message, peer, base_url)
        finally:
            self._joins -= 1
            if self._joins == 0 and self._room is None and self._stream is not None:
                await self._stream.leave()

    async def _join(self, socket: Audience, message: control.RtcJoin, peer: str, base_url: str) -> None:
        async with self._turn:
            stream = await self._hosted()
        try:
            await stream.take_place(self._tell_position)
        finally:
            self._position = None
        self._check_open(socket)
        try:
            room = await self._rooms.open(message, self._size, peer, base_url)
        except LinkError as error:
            raise UpstreamError(str(error)) from error
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self._rooms.close, room)
            socket.post(control.RtcRoomInfo(rtc_url=room.url, token=room.token, room_name=room.name))
            if self.record.photo_url is not None and self.style.reference is None:
                sentence = "This service cannot fetch photos by address yet; send it with set_image."
                socket.post(control.ReferenceImageError(error=sentence))
            async with self._turn:
                self._check_open(socket)
                await self._enter(socket, stream, room, message)
            undo.pop_all()

    async def _enter(
        self, socket: Audience, stream: HostedStream, room: Room, message: control.RtcJoin
    ) -> None:
        if stream.understood is None:
            await stream.style(self.style)
            self._check_open(socket)  # it may have expired while the look was being made
        former, self._room = self._room, room
        self._stop_ticking()
        self._fps = message.fps or DEFAULT_FPS
        self._listens = True
        try:
            await stream.enter(room, _Relay(self, room), message.passthrough)
        finally:
            if former is not None:
                await self._rooms.close(former)

    async def restyle(
        self,
        socket: Audience,
        prompt: str | None = None,
        enhance_prompt: bool = True,
        photo: Picture | None = None,
    ) -> str:
        """Changes the style from the next frame on; what is left out stays.

        Returns:
            The effective prompt.

        Raises:
            EngineError: The photo cannot be used; the former style stays.
            UpstreamError: The engine failed; the former style stays.
            SessionClosedError: The socket no longer speaks for the session.
        """
        async with self._turn:
            self._check_open(socket)
            style = self.style
            if prompt is not None:
                style = replace(style, prompt=prompt, enhance_prompt=enhance_prompt)
            if photo is not None:
                style = replace(style, reference=photo)
            stream = await self._hosted()
            if stream.understood is not None and _same(style, self.style):
                return stream.understood  # a look that runs keeps its state: nothing would change but a jump
            understood = await stream.style(style)
            self.style = style
            return understood

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
                session_id=self.record.id,
                model=self.record.model,
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
                self.seconds += 1
                fps = round((frames_now - frames) / (now - when), 2)
                self._tell(control.GenerationTick(seconds=self.seconds, frames=frames_now, fps=fps))
            frames, when = frames_now, now

    def _tell(self, message: control.ServerMessage) -> None:
        if self._socket is not None and self._listens:
            self._socket.post(message)

    def _tell_position(self, position: int, size: int) -> None:
        self._position = (position, size)
        if self._socket is not None:
            self._socket.post(_queued(position, size))

    def _ended(self, reason: control.EndReason) -> control.GenerationEnded:
        return control.GenerationEnded(seconds=self.seconds, reason=reason)

    def _check_open(self, socket: Audience) -> None:
        if self.ended is not None or self._socket is not socket:
            raise SessionClosedError("This socket no longer speaks for the session.")

    async def _hosted(self) -> HostedStream:
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


def _queued(position: int, size: int) -> control.QueuePosition:
    return control.QueuePosition(position=position, queue_size=size)


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
