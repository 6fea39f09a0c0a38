"""Engine hosts, which restyle the streams of sessions: the interface, and the local one, a thread a stream.

The interface is what a cluster of engine machines would have to offer (design, "Growth"): a stream is
opened for a size, styled by requests, given a place in its turn, and put into one room at a time. A look
is made without a place, so that a prompt is understood and answered also while its stream waits. Must not
know sockets, credits or sessions.
"""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Protocol

from overpaint.core.hosts.stream_slots import StreamSlots, Ticket, Told
from overpaint.core.hosts.stream_thread import Original, StreamListener, StreamThread
from overpaint.engine.interface import CompiledLook, Engine, LookRequest, Work
from overpaint.errors import EngineError, SessionClosedError, UpstreamError
from overpaint.media.links import Room

log = logging.getLogger(__name__)


def default_slots() -> int:
    """How many streams run at once when nobody says it.

    Generous, because a desktop that renews its session has two for a moment, and the newer one must
    not wait for the end of the older.
    """
    return max(4, os.cpu_count() or 1)


class HostedStream(Protocol):
    """One session's stream on an engine."""

    @property
    def frames(self) -> int:
        """Styled frames so far, over all rooms."""

    @property
    def understood(self) -> str | None:
        """The effective prompt of the current look; None before the first ``style``."""

    @property
    def work(self) -> Work:
        """What a frame costs at present, and with how much detail it is made."""

    async def style(self, request: LookRequest) -> str:
        """Makes a look and shows it from the next frame on; the former one runs until then.

        Returns:
            The effective prompt.

        Raises:
            EngineError: The photo cannot be used; the former look stays.
            UpstreamError: The engine failed; the former look stays.
        """

    async def take_place(self, told: Told, *, succeeds: bool = False) -> None:
        """Waits in the queue for a place; returns at once when it has one.

        Args:
            told: Hears of its position while it waits.
            succeeds: It takes the place of a stream that ends soon, and does not wait for that.

        Raises:
            SessionClosedError: ``leave`` was called meanwhile.
        """

    async def enter(self, room: Room, listener: StreamListener, passthrough: bool) -> None:
        """Restyles a room's frames from now on, leaving the room before.

        ``style`` and ``take_place`` come first. Raises ``UpstreamError`` otherwise.
        """

    async def leave(self) -> None:
        """Stops taking and publishing frames, gives the place back or leaves the queue for it.

        The look is kept. Idempotent.
        """

    async def close(self) -> None:
        """Leaves, and forgets the look. Idempotent."""


class EngineHost(Protocol):
    """Gives sessions a stream on an engine."""

    @property
    def name(self) -> str:
        """The engine, as ``generation_started`` shows it."""

    @property
    def waiting(self) -> int:
        """Streams that wait for a place."""

    async def open(self, width: int, height: int) -> HostedStream:
        """A stream for frames of one size, without a place yet. Raises ``UpstreamError``."""


class LocalEngineHost:
    """An engine in this process; each stream has a thread.

    How streams share it: each has one frame under way and one that waits, the newest, so that none can
    ask for more than another; the system gives their threads the processor in equal parts; and each look's
    governor makes do with the part it gets by leaving out detail, its own first. Who gets no place waits
    (``slots``), in the order of asking.

    Args:
        engine: Compiles the looks.
        slots: Streams that run at once; ``default_slots()`` when left out.

    Attributes:
        slots: Who has one, who waits.
    """

    def __init__(self, engine: Engine, slots: int | None = None) -> None:
        self._engine = engine
        self.slots = StreamSlots(default_slots() if slots is None else slots)

    @property
    def name(self) -> str:
        """The engine, as ``generation_started`` shows it."""
        return self._engine.name

    @property
    def waiting(self) -> int:
        """Streams that wait for a place."""
        return self.slots.waiting

    async def open(self, width: int, height: int) -> HostedStream:
        """A stream for frames of one size."""
        return LocalStream(self._engine, self.slots, width, height)


class LocalStream:
    """A stream on the engine of this process.

    Args:
        engine: Compiles the looks.
        slots: Where it takes its turn.
        width: Of every frame, in pixels.
        height: Of every frame, in pixels.
    """

    def __init__(self, engine: Engine, slots: StreamSlots, width: int, height: int) -> None:
        self._engine = engine
        self._slots = slots
        self._ticket: Ticket | None = None
        self._size = (width, height)
        self._look: CompiledLook | None = None
        self._thread: StreamThread | None = None
        self._frames_before = 0

    @property
    def frames(self) -> int:
        """Styled frames so far, over all rooms."""
        return self._frames_before + (self._thread.frames if self._thread else 0)

    @property
    def understood(self) -> str | None:
        """The effective prompt of the current look; None before the first ``style``."""
        return self._look.understood if self._look else None

    @property
    def work(self) -> Work:
        """What a frame costs at present, and with how much detail it is made."""
        return self._look.work if self._look else Work()

    async def style(self, request: LookRequest) -> str:
        """Makes a look off the stream's thread, and swaps it in between two frames."""
        try:
            look = await asyncio.to_thread(self._engine.compile, request, *self._size)
        except EngineError:
            raise
        except Exception as error:  # whatever an engine raises, the session must be told
            log.exception("the engine cannot make a look")
            raise UpstreamError("look_not_made") from error
        self._look = look
        if self._thread is not None and not self._thread.passthrough:
            self._thread.show(look)
        return look.understood

    async def take_place(self, told: Told, *, succeeds: bool = False) -> None:
        """Waits in the queue for a place; returns at once when it has one."""
        if self._ticket is None:
            self._ticket = self._slots.ask(told, succeeds=succeeds)
        if not await self._ticket.settled():
            raise SessionClosedError("stream_left_queue")

    async def enter(self, room: Room, listener: StreamListener, passthrough: bool) -> None:
        """Restyles a room's frames from now on, leaving the room before."""
        await self._stop()
        if self._look is None or self._ticket is None or not self._ticket.has_place:
            raise UpstreamError("stream_without_look")
        look = Original() if passthrough else self._look
        self._thread = StreamThread(room, look, listener)
        self._thread.start()

    async def leave(self) -> None:
        """Stops the thread, after the frame that it is at; then the place is another's."""
        await self._stop()
        ticket, self._ticket = self._ticket, None
        if ticket is not None:
            self._slots.give_back(ticket)

    async def close(self) -> None:
        """Leaves, and forgets the look."""
        await self.leave()
        self._look = None

    async def _stop(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.stop)
            self._frames_before += thread.frames
