"""Metering of billed seconds: those in which frames flow. Must not know sockets or looks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from overpaint.core.hosts.engine_host import HostedStream
from overpaint.engine.interface import Work
from overpaint.ledger import Ledger, SessionRecord

log = logging.getLogger(__name__)

KEEP_EVERY_SECONDS = 5
"""How many billed seconds a crash may cost the books, so that they are not written once a second."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One second of a stream.

    Attributes:
        seconds: Billed so far, over the session's life.
        frames: Styled so far.
        fps: In this second, measured.
        work: What a frame costs the engine.
    """

    seconds: int
    frames: int
    fps: float
    work: Work


class Meter:
    """Counts the seconds of one session, and keeps them in the ledger.

    Args:
        record: Of the session; its seconds go on.
        ledger: Keeps them over a crash.

    Attributes:
        seconds: Billed so far.
    """

    def __init__(self, record: SessionRecord, ledger: Ledger) -> None:
        self.seconds = record.seconds
        self._kept = record.seconds
        self._frames_before = 0
        self._session = record.id
        self._ledger = ledger
        self._ticking: asyncio.Task[None] | None = None

    def start(self, stream: HostedStream, tell: Callable[[Reading], None]) -> None:
        """Counts a stream from now on, and tells of every second, also of one without frames (fps 0)."""
        self.stop()
        self._ticking = asyncio.create_task(self._tick(stream, tell))

    def carry(self, frames: int) -> None:
        """Counts on from the frames of a stream that is over; the next one begins at none."""
        self._frames_before += frames

    def stop(self) -> None:
        """Counts no more; idempotent."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    async def keep(self) -> None:
        """Writes what was not written yet; a ledger that fails costs seconds, not the stream."""
        if self.seconds == self._kept:
            return
        self._kept = seconds = self.seconds
        try:
            await asyncio.to_thread(self._ledger.keep_seconds, self._session, seconds)
        except Exception:  # part of a task's root
            log.exception("the seconds of session %s cannot be kept", self._session)

    async def _tick(self, stream: HostedStream, tell: Callable[[Reading], None]) -> None:
        """Once a second is the promise of ``generation_tick``."""
        loop = asyncio.get_running_loop()
        frames, when = stream.frames, loop.time()
        while True:
            await asyncio.sleep(1.0)
            frames_now, now = stream.frames, loop.time()
            if frames_now > frames:
                self.seconds += 1
            fps = round((frames_now - frames) / (now - when), 2)
            tell(Reading(self.seconds, self._frames_before + frames_now, fps, stream.work))
            if self.seconds - self._kept >= KEEP_EVERY_SECONDS:
                await self.keep()
            frames, when = frames_now, now
