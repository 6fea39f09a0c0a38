"""A live session of the service: the state that outlives a control socket.

A session keeps its current prompt, photo, room and billed seconds from creation to expiry, over all its
sockets. Everything here runs on the event loop. Decided here, where specification and protocol are silent:

- A session that waits for a slot keeps its position when a newer socket takes over, and loses it with the
  last.
- After the loss of a socket, room and slot are kept for ``GRACE``; then both are given back with the look and
  every picture, and the session waits for its next socket with only its prompt, its photo's file and its
  seconds. After a close, all of it is given back at once.

Must not know HTTP, JSON or how sessions are found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from functools import partial

from overpaint.core.clock import Clock
from overpaint.core.hosts.engine_host import EngineHost, HostedStream, Restyled
from overpaint.core.hosts.stream_thread import LoopListener
from overpaint.core.realtime.audience import Audience
from overpaint.core.realtime.billing_meter import Meter, Reading
from overpaint.core.realtime.reference_photos import Photos
from overpaint.core.realtime.rooms import DEFAULT_FPS, Rooms
from overpaint.core.realtime.session_style import SessionStyle, confirmed, same
from overpaint.engine.interface import Picture
from overpaint.errors import (
    EngineError,
    InvalidRequestError,
    LinkError,
    OverpaintError,
    SessionClosedError,
    UpstreamError,
)
from overpaint.ledger import Ledger, SessionRecord
from overpaint.media.links import Room
from overpaint.processes.memory import give_back
from overpaint.wire import control
from overpaint.wire.service import OUTPUT_SIZES

GRACE = timedelta(seconds=30)


class LiveSession:
    """A live session.

    Args:
        record: Its record in the ledger.
        host: The engine host.
        rooms: The media rooms.
        clock: The service's clock.
        ledger: Stores prompt and seconds.
        photos: The reference photos.
        succeeds: Returns whether it replaces another session of its key that ends soon.

    Attributes:
        record: Its record when it became live.
        style: Its style.
        ended: Why it is over; None while it is not.
        meter: Its billing meter.
        reading: The last second of its stream; None without a stream.
    """

    def __init__(
        self,
        record: SessionRecord,
        host: EngineHost,
        rooms: Rooms,
        clock: Clock,
        ledger: Ledger,
        photos: Photos,
        succeeds: Callable[[LiveSession], bool],
    ) -> None:
        self.record = record
        self.style = SessionStyle(record, ledger, photos)
        self.ended: str | None = None
        self.meter = Meter(record, ledger)
        self.reading: Reading | None = None
        self._host = host
        self._rooms = rooms
        self._clock = clock
        self._succeeds = succeeds
        self._size = OUTPUT_SIZES[record.model]
        self._socket: Audience | None = None
        self._trouble = ""
        self._listens = False  # whether the socket has joined, and receives the stream's messages
        self._stream: HostedStream | None = None
        self._room: Room | None = None
        self._fps = DEFAULT_FPS
        self._turn = asyncio.Lock()  # serialises changes of stream and room
        self._joining = asyncio.Lock()  # serialises joins; held while one waits for its slot
        self._joins = 0
        self._position: tuple[int, int] | None = None
        self._newest = -1  # arrival of its last socket
        self._grace: asyncio.Task[None] | None = None

    # ---- the socket ------------------------------------------------------------------------------

    @property
    def open(self) -> bool:
        """Whether it is in use: it has a socket, or a lost one's room is kept."""
        return self._socket is not None or self._room is not None

    @property
    def has_room(self) -> bool:
        """Whether it has a room, and so a slot."""
        return self._room is not None

    def attach(self, socket: Audience) -> None:
        """Attaches a socket, unless a newer one came already; the older is closed.

        Sockets are admitted by a database query, which may answer in another order.
        """
        if socket.arrival < self._newest:
            replaced: Audience | None = socket
        else:
            replaced, self._socket = self._socket, socket
            self._newest = socket.arrival
            self._listens = False
            self.style.break_off()
        if replaced is not None:
            replaced.post(self._ended("session_closed"))
            replaced.finish(control.CLOSE_SESSION, "session_closed")

    async def detach(self, socket: Audience, for_good: bool) -> None:
        """Detaches a socket that was lost (the stream goes on for a while) or closed ``for_good``."""
        if self._socket is not socket:
            return
        self._socket, self._listens = None, False
        newest = self._newest
        async with self._turn:
            if self._newest != newest:
                return
            if for_good or self._room is None:
                await self._rest()
            else:
                self._grace = asyncio.create_task(self._rest_later(newest))

    async def _rest_later(self, newest: int) -> None:
        """Frees its resources after ``GRACE`` if no further socket came."""
        await self._clock.sleep_until(self._clock.now() + GRACE)
        async with self._turn:
            if self._newest == newest:
                await self._rest()

    async def _rest(self) -> None:
        """Frees megabytes: everything except the state that the next socket needs."""
        await self._close_stream()
        self.style.rest()
        await asyncio.to_thread(give_back)

    # ---- what a client asks for ------------------------------------------------------------------

    async def join(self, socket: Audience, message: control.RtcJoin, peer: str, base_url: str) -> None:
        """Waits for a slot, opens a room for the socket, and restyles its frames.

        Raises:
            InvalidRequestError: No offered transport fits.
            SessionClosedError: The socket is no longer the session's.
            UpstreamError: The engine or the room is not available.
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
            await stream.take_place(self._tell_position, succeeds=self._succeeds(self))
        finally:
            self._position = None
        self._check_open(socket)
        try:
            room = await self._rooms.open(message, self._size, peer, base_url)
        except LinkError as error:
            raise UpstreamError.of(error) from error
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self._rooms.close, room)
            socket.post(control.RtcRoomInfo(rtc_url=room.url, token=room.token, room_name=room.name))
            await self._adopt_photo(socket, stream)
            async with self._turn:
                self._check_open(socket)
                await self._enter(socket, stream, room, message)
            undo.pop_all()

    async def _enter(
        self, socket: Audience, stream: HostedStream, room: Room, message: control.RtcJoin
    ) -> None:
        if stream.understood is None:
            await stream.style(self.style.present)
            self._check_open(socket)  # it may have expired while the look was being made
        former, self._room = self._room, room
        self.meter.stop()
        self._fps = message.fps or DEFAULT_FPS
        self._listens = True
        try:
            await stream.enter(
                room,
                LoopListener(partial(self.stream_started, room), partial(self.stream_ended, room)),
                message.passthrough,
            )
        finally:
            if former is not None:
                await self._rooms.close(former)

    async def _adopt_photo(self, socket: Audience, stream: HostedStream) -> None:
        """Waits for the photo set at creation and adds it to the style; tells the socket where it failed."""
        fetching = self.style.fetching
        if fetching is None:
            return
        await asyncio.wait([fetching])
        async with self._turn:
            self._check_open(socket)
            if self.style.fetching is not fetching:
                return  # a photo sent meanwhile is newer
            problem: OverpaintError | None = fetching.result()
            if problem is None:
                try:
                    style = await self.style.with_stored_photo()
                    await stream.style(style)
                except (InvalidRequestError, EngineError) as error:
                    problem = error
                else:
                    await self.style.change(style)
                    self.style.fetching = None
                    return
            socket.post(control.ReferenceImageError(error=str(problem)))

    async def restyle(
        self,
        socket: Audience,
        prompt: str | None = None,
        enhance_prompt: bool = True,
        photo: Picture | None = None,
        without_photo: bool = False,
    ) -> control.PromptAck:
        """Changes the style from the next frame on; omitted parts stay.

        A prompt of which nothing can be done leaves the style as it is.

        Returns:
            The confirmation of the prompt.

        Raises:
            EngineError: The photo cannot be used; the former style stays.
            UpstreamError: The engine failed; the former style stays.
            SessionClosedError: The socket no longer speaks for the session.
        """
        async with self._turn:
            self._check_open(socket)
            stream = await self._hosted()
            style = self.style.present
            if prompt is not None:
                style = replace(style, prompt=prompt, enhance_prompt=enhance_prompt)
            if photo is not None or without_photo:
                style = replace(style, reference=photo)
            if without_photo:
                self.style.forget_fetched()
            if stream.understood is not None and same(style, self.style.present):
                # The running look keeps its state: a new one of the same style would only jump.
                return confirmed(style, Restyled(stream.understood))
            restyled = await stream.style(style)
            if restyled.kept:
                return confirmed(style, restyled)
            if photo is not None:
                self.style.forget_fetched()
            await self.style.change(style)
            return confirmed(style, restyled)

    async def set_photo(
        self, socket: Audience, image_data: str, prompt: str | None, enhance_prompt: bool
    ) -> None:
        """Changes the photo, and the prompt if given.

        Args:
            socket: The requesting socket.
            image_data: Base64 of a picture file; empty to remove the photo.
            prompt: New prompt; None to keep the present one.
            enhance_prompt: Whether the new prompt may be expanded.

        Raises:
            InvalidRequestError: It is no usable picture.
            EngineError, UpstreamError, SessionClosedError: As ``restyle``.
        """
        self._check_open(socket)  # before decoding
        if not image_data:
            await self.restyle(socket, prompt, enhance_prompt, without_photo=True)
            self.style.drop_photo()
            return
        async with self.style.draft(image_data) as draft:
            await self.restyle(socket, prompt, enhance_prompt, draft.picture)
            self.style.keep_photo(draft)

    # ---- its end ---------------------------------------------------------------------------------

    async def end(self, reason: control.EndReason) -> None:
        """Ends the session for good, tells its socket, and frees everything. Idempotent."""
        if self.ended is not None:
            return
        self.ended = reason
        self.style.forget_fetched()
        self.style.break_off()
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.post(self._ended(reason))
            socket.finish(control.CLOSE_SESSION, reason)
        async with self._turn:
            await self._close_stream()
        if socket is not None:
            await socket.finished()

    async def fail(self, sentence: str) -> None:
        """Tells and closes the socket, because the engine failed; the session may be opened again."""
        socket, self._socket = self._socket, None
        if socket is not None:
            socket.post(control.SocketError(code="upstream_error", error=sentence))
            socket.post(self._ended("upstream_error"))
            socket.finish(control.CLOSE_UPSTREAM, "upstream_error")
        async with self._turn:
            await self._rest()

    # ---- the stream ------------------------------------------------------------------------------

    def stream_started(self, room: Room) -> None:
        """Handles that the first frame of a room left the engine."""
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
        self.meter.start(self._stream, self._tick)

    async def stream_ended(self, room: Room, sentence: str | None) -> None:
        """Handles that the stream of a room ended by itself."""
        if room is not self._room:
            return
        if sentence is not None:
            await self.fail(sentence)
            return
        self._tell(self._ended("client_left"))
        async with self._turn:
            if room is self._room:
                await self._leave_room()

    def _tick(self, reading: Reading) -> None:
        self.reading = reading
        trouble = reading.work.trouble
        if trouble != self._trouble:
            self._trouble = trouble
            if trouble:  # the stream goes on
                self._tell(control.SocketError(code="upstream_error", error=trouble))
        if reading.fps > 0:  # ticks are sent only while frames flow
            self._tell(
                control.GenerationTick(seconds=reading.seconds, frames=reading.frames, fps=reading.fps)
            )

    def _tell(self, message: control.ServerMessage) -> None:
        if self._socket is not None and self._listens:
            self._socket.post(message)

    def _tell_position(self, position: int, size: int) -> None:
        self._position = (position, size)
        if self._socket is not None:
            self._socket.post(_queued(position, size))

    def _ended(self, reason: control.EndReason) -> control.GenerationEnded:
        return control.GenerationEnded(seconds=self.meter.seconds, reason=reason)

    def _check_open(self, socket: Audience) -> None:
        if self.ended is not None or self._socket is not socket:
            raise SessionClosedError("socket_replaced")

    async def _hosted(self) -> HostedStream:
        await self.style.wake()
        if self._stream is None:
            self._stream = await self._host.open(*self._size)
        return self._stream

    async def _leave_room(self) -> None:
        self.meter.stop()
        self.reading = None
        room, self._room = self._room, None
        if self._stream is not None:
            await self._stream.leave()
        if room is not None:
            await self._rooms.close(room)
        if self.ended is None:
            await self.meter.keep()

    async def _close_stream(self) -> None:
        await self._leave_room()
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.close()
            self.meter.carry(stream.frames)


def _queued(position: int, size: int) -> control.QueuePosition:
    return control.QueuePosition(position=position, queue_size=size)
