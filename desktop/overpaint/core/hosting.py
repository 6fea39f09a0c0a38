"""Where sessions are restyled: the engine host, and its local form, a thread a stream.

The interface is what a cluster of engine machines would have to offer (design, "Growth"): a stream is
opened for a size, styled by requests, and put into one room at a time. Must not know sockets,
credits or sessions.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from overpaint.core.stream import Original, StreamListener, StreamThread
from overpaint.engine.engine import CompiledLook, Engine, LookRequest
from overpaint.errors import EngineError, UpstreamError
from overpaint.media.links import Room

log = logging.getLogger(__name__)


class HostedStream(Protocol):
    """One session's place on an engine."""

    @property
    def frames(self) -> int:
        """Styled frames so far, over all rooms."""

    @property
    def understood(self) -> str | None:
        """The effective prompt of the current look; None before the first ``style``."""

    async def style(self, request: LookRequest) -> str:
        """Makes a look and shows it from the next frame on; the former one runs until then.

        Returns:
            The effective prompt.

        Raises:
            EngineError: The photo cannot be used; the former look stays.
            UpstreamError: The engine failed; the former look stays.
        """

    async def enter(self, room: Room, listener: StreamListener, passthrough: bool) -> None:
        """Restyles a room's frames from now on, leaving the room before. ``style`` comes first."""

    async def leave(self) -> None:
        """Stops taking and publishing frames; the look is kept. Idempotent."""

    async def close(self) -> None:
        """Gives the place back. Idempotent."""


class EngineHost(Protocol):
    """Gives sessions a place on an engine."""

    @property
    def name(self) -> str:
        """The engine, as ``generation_started`` shows it."""

    async def open(self, width: int, height: int) -> HostedStream:
        """A place for frames of one size. Raises ``UpstreamError`` when there is none."""


class LocalEngineHost:
    """An engine in this process; each stream has a thread.

    Args:
        engine: Compiles the looks.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        """The engine, as ``generation_started`` shows it."""
        return self._engine.name

    async def open(self, width: int, height: int) -> HostedStream:
        """A place for frames of one size."""
        return LocalStream(self._engine, width, height)


class LocalStream:
    """A place on the engine of this process.

    Args:
        engine: Compiles the looks.
        width: Of every frame, in pixels.
        height: Of every frame, in pixels.
    """

    def __init__(self, engine: Engine, width: int, height: int) -> None:
        self._engine = engine
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

    async def style(self, request: LookRequest) -> str:
        """Makes a look off the stream's thread, and swaps it in between two frames."""
        try:
            look = await asyncio.to_thread(self._engine.compile, request, *self._size)
        except EngineError:
            raise
        except Exception as error:  # whatever an engine raises, the session must be told
            log.exception("the engine cannot make a look")
            raise UpstreamError("The engine failed to make this look.") from error
        self._look = look
        if self._thread is not None and not self._thread.passthrough:
            self._thread.show(look)
        return look.understood

    async def enter(self, room: Room, listener: StreamListener, passthrough: bool) -> None:
        """Restyles a room's frames from now on, leaving the room before."""
        await self.leave()
        if self._look is None:
            raise UpstreamError("The stream has no look yet.")
        look = Original() if passthrough else self._look
        self._thread = StreamThread(room, look, listener)
        self._thread.start()

    async def leave(self) -> None:
        """Stops the thread, after the frame that it is at."""
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.stop)
            self._frames_before += thread.frames

    async def close(self) -> None:
        """Stops the thread and forgets the look."""
        await self.leave()
        self._look = None
