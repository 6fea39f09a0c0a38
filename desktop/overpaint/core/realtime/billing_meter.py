"""The billing meter: counts seconds in which frames flow. Must not know sockets or looks."""

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
"""Interval of saving billed seconds, which a crash can lose at most."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The measurements of one second of a stream.

    Attributes:
        seconds: Billed seconds of the session so far.
        frames: Styled frames so far.
        fps: Measured frames in this second.
        work: The engine's cost of a frame.
    """

    seconds: int
    frames: int
    fps: float
    work: Work


class Meter:
    """The billing meter of one session, saved in the ledger.

    Args:
        record: The session's record; its seconds are continued.
        ledger: Stores them.

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
        """Starts metering a stream; reports every second, also one without frames (fps 0)."""
        self.stop()
        self._ticking = asyncio.create_task(self._tick(stream, tell))

    def carry(self, frames: int) -> None:
        """Adds the frames of a stream that is over; the next one counts from 0."""
        self._frames_before += frames

    def stop(self) -> None:
        """Stops metering; idempotent."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    async def keep(self) -> None:
        """Saves new seconds; a failure of the ledger does not end the stream."""
        if self.seconds == self._kept:
            return
        self._kept = seconds = self.seconds
        try:
            await asyncio.to_thread(self._ledger.keep_seconds, self._session, seconds)
        except Exception:  # part of a task's root
            log.exception("the seconds of session %s cannot be kept", self._session)

    async def _tick(self, stream: HostedStream, tell: Callable[[Reading], None]) -> None:
        """Meters once a second, as ``generation_tick`` requires."""
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
