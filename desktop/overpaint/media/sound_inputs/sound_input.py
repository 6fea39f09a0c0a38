"""One input of recorded sound, kept open while it is needed, and opened again when it is lost.

The time without it is silence. Runs on one event loop; sound comes from the device's own thread. Must not
know who needs it, nor recordings.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Protocol

from overpaint.errors import SourceError
from overpaint.media.audio.sound_gate import SoundGate
from overpaint.media.audio.sound_track import SoundTrack

log = logging.getLogger(__name__)

RETRY_S = 2.0
"""Pause between two tries."""


class Capture(Protocol):
    """A device (``media.sound_inputs``).

    Attributes:
        title: Its name for the user, once started.
    """

    title: str

    def start(self, track: SoundTrack, lost: Callable[[SourceError], None]) -> None:
        """Opens it; blocks. ``lost`` is called at most once, from any thread. Raises ``SourceError``."""

    def stop(self) -> None:
        """Frees it; blocks. Idempotent."""


class SoundInput:
    """One input.

    Args:
        gate: Decides what is heard.
        changed: Called on the event loop when anything shown has changed.

    Attributes:
        track: What it captured.
        title: Its name for the user; empty while it was never open.
        open: Whether it is open now.
        trouble: Why it gives no sound; None while all is well, or it is not needed.
    """

    def __init__(self, gate: SoundGate, changed: Callable[[], None]) -> None:
        self.track = SoundTrack(gate)
        self.title = ""
        self.open = False
        self.trouble: SourceError | None = None
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._make: Callable[[], Capture] | None = None
        self._capture: Capture | None = None
        self._opened_s, self._gone = 0.0, False
        self._loss: SourceError | None = None
        self._turn = asyncio.Lock()
        self._retry: asyncio.TimerHandle | None = None
        self._work: set[asyncio.Task[None]] = set()

    def need(self, make: Callable[[], Capture] | None, *, again: bool = False) -> None:
        """Opens or frees it.

        Args:
            make: Makes the unstarted device; None where none is needed.
            again: Whether it is another one than before.
        """
        self._make = make
        if again:
            self.title, self._loss = "", None
        self._spawn(self._review(again=again))

    def find(self) -> None:
        """A lost one may be back."""
        if self.trouble is not None:
            self._spawn(self._review())

    async def settled(self) -> None:
        """Waits until it is as it was needed, or has failed."""
        if self._work:
            await asyncio.wait(self._work)

    # ---- inside ------------------------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = self._loop.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _review(self, *, again: bool = False) -> None:
        async with self._turn:
            if self._retry is not None:
                self._retry.cancel()
                self._retry = None
            if self._capture is not None and (again or self._gone or self._make is None):
                former, self._capture, self.open = self._capture, None, False
                await asyncio.to_thread(former.stop)
                self.track.end_device()
            if self._make is None:
                self.trouble = self._loss = None
            elif self._capture is None:
                await self._begin(self._make())
        self._changed()

    async def _begin(self, capture: Capture) -> None:
        self._capture, self._gone, self._opened_s = capture, False, self._loop.time()
        try:
            await asyncio.to_thread(capture.start, self.track, lambda error: self._soon(capture, error))
        except SourceError as error:
            self._capture = None
            self.track.end_device()
            # Whoever pulled it out is told that, and not that there is none of its name.
            self._fail(self._loss if self._loss is not None and error.kind == "missing" else error)
        else:
            self.title, self.open = capture.title, not self._gone
            if self.open:
                self.trouble = self._loss = None

    def _soon(self, capture: Capture, error: SourceError) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lost, capture, error)

    def _lost(self, capture: Capture, error: SourceError) -> None:
        if capture is not self._capture or self._gone:
            return
        self._gone, self.open, self._loss = True, False, error
        if self._loop.time() - self._opened_s > RETRY_S:
            self._spawn(self._review())  # another one may be the default by now
        else:
            self._fail(error)
            self._changed()

    def _fail(self, error: SourceError) -> None:
        """Notes why there is no sound, and tries again later."""
        if self.trouble is None or self.trouble.code != error.code:
            log.info("sound: %s", error)
        self.trouble = error
        if self._retry is not None:
            self._retry.cancel()
        self._retry = self._loop.call_later(RETRY_S, lambda: self._spawn(self._review()))
