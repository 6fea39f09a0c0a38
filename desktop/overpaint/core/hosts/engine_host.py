"""Engine hosts, which restyle the streams of sessions: the interface, and the local host.

The interface is what a cluster of engine machines would have to offer (design, "Growth"): a stream is opened
for a size, styled by requests, given a slot in its turn, and put into one room at a time. A look is made
without a slot, so that a prompt is understood and answered also while its stream waits. Must not know
sockets, credits or sessions.
"""

from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import dataclass, replace
from typing import Protocol

from overpaint.core.hosts.stream_slots import StreamSlots, Ticket, Told
from overpaint.core.hosts.stream_thread import Original, StreamListener, StreamThread
from overpaint.engine.interface import CompiledLook, Engine, LookRequest, Picture, Understanding, Work
from overpaint.errors import EngineError, SessionClosedError, UpstreamError
from overpaint.media.links import Room

log = logging.getLogger(__name__)


def default_slots() -> int:
    """Returns the default number of stream slots.

    Generous, because a desktop that renews its session has two for a moment, and the newer one must not wait
    for the end of the older.
    """
    return max(4, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Restyled:
    """The answer to a change of style.

    Attributes:
        understood: What the prompt was understood as; the effective prompt is that of the look shown.
        kept: Whether the former look and its prompt stay, because nothing in the new one can be done.
    """

    understood: Understanding
    kept: bool = False


class HostedStream(Protocol):
    """One session's stream on an engine."""

    @property
    def frames(self) -> int:
        """Styled frames so far, over all rooms."""

    @property
    def understood(self) -> Understanding | None:
        """What the prompt of the current look was understood as; None before the first ``style``."""

    @property
    def work(self) -> Work:
        """The present cost of a frame, and its level of detail."""

    async def style(self, request: LookRequest) -> Restyled:
        """Makes a look and shows it from the next frame on; the former one runs until then.

        A prompt of which nothing can be done keeps the present look, unless the photo is another one.

        Raises:
            EngineError: The photo cannot be used; the former look stays.
            UpstreamError: The engine failed; the former look stays.
        """

    async def take_place(self, told: Told, *, succeeds: bool = False) -> None:
        """Waits in the queue for a slot; returns at once when it has one.

        Args:
            told: Receives its position while it waits.
            succeeds: Whether it replaces a stream that ends soon, and does not wait.

        Raises:
            SessionClosedError: ``leave`` was called meanwhile.
        """

    async def enter(self, room: Room, listener: StreamListener, passthrough: bool) -> None:
        """Restyles a room's frames from now on, leaving the room before.

        ``style`` and ``take_place`` come first. Raises ``UpstreamError`` otherwise.
        """

    async def leave(self) -> None:
        """Stops taking and publishing frames, and gives the slot, or its position in the queue, back.

        The look is kept. Idempotent.
        """

    async def close(self) -> None:
        """Leaves, and drops the look. Idempotent."""


class EngineHost(Protocol):
    """A host of engines, which gives sessions their streams."""

    @property
    def name(self) -> str:
        """The engine, as ``generation_started`` shows it."""

    @property
    def waiting(self) -> int:
        """Number of streams that wait for a slot."""

    async def open(self, width: int, height: int) -> HostedStream:
        """Opens a stream for frames of one size, without a slot yet. Raises ``UpstreamError``."""


class LocalEngineHost:
    """The local engine host: an engine in this process, a thread for each stream.

    Streams share it fairly: each has one frame under way and only its newest frame waiting; the system
    schedules their threads equally; and each look's governor adapts its detail to the time it gets. Streams
    without a slot wait in order (``slots``).

    Args:
        engine: Compiles the looks.
        slots: Number of stream slots; ``default_slots()`` when left out.

    Attributes:
        slots: The stream slots and their queue.
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
        """Number of streams that wait for a slot."""
        return self.slots.waiting

    async def open(self, width: int, height: int) -> HostedStream:
        """A stream for frames of one size."""
        return LocalStream(self._engine, self.slots, width, height)


class LocalStream:
    """A stream on the engine of this process.

    Args:
        engine: Compiles the looks.
        slots: The stream slots.
        width: Width of every frame, pixels.
        height: Height of every frame, pixels.
    """

    def __init__(self, engine: Engine, slots: StreamSlots, width: int, height: int) -> None:
        self._engine = engine
        self._slots = slots
        self._ticket: Ticket | None = None
        self._size = (width, height)
        self._look: CompiledLook | None = None
        self._understood: Understanding | None = None
        self._photo: Picture | None = None
        self._thread: StreamThread | None = None
        self._frames_before = 0

    @property
    def frames(self) -> int:
        """Styled frames so far, over all rooms."""
        return self._frames_before + (self._thread.frames if self._thread else 0)

    @property
    def understood(self) -> Understanding | None:
        """What the prompt of the current look was understood as; None before the first ``style``."""
        return self._understood

    @property
    def work(self) -> Work:
        """The present cost of a frame, and its level of detail."""
        return self._look.work if self._look else Work()

    async def style(self, request: LookRequest) -> Restyled:
        """Makes a look off the stream's thread, and swaps it in between two frames."""
        try:
            understood = await asyncio.to_thread(self._engine.understand, request)
            present = self._understood
            if understood.nothing and present is not None and request.reference is self._photo:
                return Restyled(replace(understood, effective=present.effective), kept=True)
            look = await asyncio.to_thread(self._engine.compile, request, *self._size)
        except EngineError:
            raise
        except Exception as error:  # whatever an engine raises, the session must get an answer
            log.exception("the engine cannot make a look")
            raise UpstreamError("look_not_made") from error
        self._look, self._understood, self._photo = look, understood, request.reference
        if self._thread is not None and not self._thread.passthrough:
            self._thread.show(look)
        return Restyled(understood)

    async def take_place(self, told: Told, *, succeeds: bool = False) -> None:
        """Waits in the queue for a slot; returns at once when it has one."""
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
        """Stops the thread after its present frame, and gives the slot back."""
        await self._stop()
        ticket, self._ticket = self._ticket, None
        if ticket is not None:
            self._slots.give_back(ticket)

    async def close(self) -> None:
        """Leaves, and forgets the look."""
        await self.leave()
        self._look = self._understood = self._photo = None

    async def _stop(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.stop)
            self._frames_before += thread.frames
