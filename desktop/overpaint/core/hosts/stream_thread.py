"""The thread of one stream: takes the room's newest frame, applies the look, publishes to the room.

It never ends silently: its listener is told. Must not know sockets or sessions.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from overpaint.core.hosts.crossfade import CrossFade
from overpaint.engine.interface import CompiledLook, Picture, Work
from overpaint.errors import EngineError
from overpaint.media.frames import FrameKind, RawFrame, StyledFrame
from overpaint.media.links import Room

log = logging.getLogger(__name__)


class StreamListener(Protocol):
    """The listener of a stream. Called from the stream's thread; must return quickly."""

    def started(self) -> None:
        """Called when the first frame has left the engine."""

    def ended(self, sentence: str | None) -> None:
        """Called when it ended by itself: the engine failed (a sentence), or the room ended (None)."""


class LoopListener:
    """A listener that forwards a stream's events to the event loop that created it.

    Args:
        started: Called on the loop.
        ended: Run as a task on the loop.
    """

    def __init__(
        self, started: Callable[[], None], ended: Callable[[str | None], Coroutine[Any, Any, None]]
    ) -> None:
        self._started = started
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None

    def started(self) -> None:
        """Called when the first frame has left the engine."""
        self._loop.call_soon_threadsafe(self._started)

    def ended(self, sentence: str | None) -> None:
        """Called when the stream ended by itself."""
        self._loop.call_soon_threadsafe(self._end, sentence)

    def _end(self, sentence: str | None) -> None:
        self._task = asyncio.create_task(self._ended(sentence))


class Original:
    """The look for "Original": the picture as it is."""

    name = "original"
    understood = "original"
    work = Work()

    def apply(self, image: Picture) -> Picture:
        """Returns the picture itself."""
        return image


class StreamThread:
    """The thread that restyles the frames of one room until it is stopped or the room ends.

    Args:
        room: The room of the frames.
        look: The first look; never None, so that no frame can pass unstyled by mistake.
        listener: Receives the first frame's event, and that of an unrequested end.

    Attributes:
        frames: Frames published.
        passthrough: Whether the caller chose the unstyled picture.
    """

    def __init__(self, room: Room, look: CompiledLook, listener: StreamListener) -> None:
        self.frames = 0
        self.passthrough = isinstance(look, Original)
        self._room = room
        self._look = look
        self._shown_look = look
        self._shown: Picture | None = None
        self._fade: CrossFade | None = None
        self._listener = listener
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=f"stream-{room.name[-6:]}", daemon=True)

    def start(self) -> None:
        """Starts the thread with the room's newest frame."""
        self._thread.start()

    def show(self, look: CompiledLook) -> None:
        """Changes the look; the frame being made is finished with the former one, which then fades out."""
        self._look = look

    def stop(self) -> None:
        """Ends the thread and waits for it; closes the room's incoming slot. Idempotent."""
        self._stopping = True
        self._room.incoming.close()
        self._thread.join()

    def _run(self) -> None:
        sentence: str | None = None
        try:
            while (frame := self._room.incoming.take()) is not None:
                self._restyle(frame)
        except Exception:  # a thread's root: an engine may fail in any way
            log.exception("the engine failed on a frame")
            sentence = str(EngineError("frame_failed"))
        if not self._stopping:
            self._listener.ended(sentence)

    def _restyle(self, frame: RawFrame) -> None:
        look = self._look
        image = look.apply(frame.image)
        if image.shape != frame.image.shape:
            raise EngineError("look_changed_size")
        image = self._faded(image, look, frame.captured_ns)
        kind = FrameKind.ORIGINAL if self.passthrough else FrameKind.STYLED
        self._room.publish(StyledFrame(image, frame.number, frame.captured_ns, kind))
        self.frames += 1
        if self.frames == 1:
            self._listener.started()

    def _faded(self, image: Picture, look: CompiledLook, captured_ns: int) -> Picture:
        if look is not self._shown_look:
            # The original must never be mixed into a styled picture, so there is no cross-fade.
            self._fade = None if self._shown is None else CrossFade(self._shown, captured_ns)
            self._shown_look = look
        if self._fade is not None:
            if self._fade.over(captured_ns):
                self._fade = None
            else:
                image = self._fade.mix(image, captured_ns)
        self._shown = None if self.passthrough else image
        return image
