"""Idle suspend: while nobody watches, no frame is sent to the engine and no session is bought.

An open session stays open, so that the picture is back with the next frame; shortly before its renewal it is
closed, and a new one is opened when somebody watches. Runs on one event loop. Must not know who watches, nor
what the camera shows meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Protocol

from overpaint.session.realtime.state import RENEW_BEFORE_S, Phase, SessionState
from overpaint.session.realtime.stream_status import StreamFacts

log = logging.getLogger(__name__)

GRACE_S = 5.0
"""Delay before suspending: programs close and reopen a camera when they change their settings."""
MARGIN_S = 10.0
"""Time before its renewal at which a session is closed."""


class RestsHub(Protocol):
    """The frame router, as far as it is needed here."""

    def rest(self, on: bool) -> None:
        """Pauses or resumes the frames."""


class RestsSession(Protocol):
    """The session, as far as it is needed here."""

    state: SessionState
    facts: StreamFacts

    def start(self) -> None:
        """Opens the session."""

    async def stop(self) -> None:
        """Ends it."""


class Rest:
    """Idle suspend: decides whether the session is suspended.

    Args:
        hub: The frame router.
        session: The session.
        watched: Whether somebody watches; true also where that is unknown or idle suspend is off.
        changed: Called when ``resting`` has changed.

    Attributes:
        resting: Whether the session is suspended now.
    """

    def __init__(
        self,
        hub: RestsHub,
        session: RestsSession,
        watched: Callable[[], bool],
        changed: Callable[[], None],
    ) -> None:
        self._hub = hub
        self._session = session
        self._watched = watched
        self._changed = changed
        self._asleep = False
        self._timer: asyncio.TimerHandle | None = None
        self._work: set[asyncio.Task[None]] = set()
        self.resting = False

    def start(self) -> None:
        """Opens a session for the user, at once or as soon as somebody watches."""
        if self._watched():
            self._session.start()
        else:
            self._asleep = True
            self._show(True)

    def over(self) -> None:
        """Ends idle suspend, because the user wants no session any more."""
        self._forget_timer()
        self._asleep = False
        self._show(False)

    def review(self) -> None:
        """Decides anew after a change of watchers or of the session's phase."""
        phase = self._session.state.phase
        if phase is Phase.FAILED or (phase is Phase.STOPPED and not self._asleep):
            self.over()
        elif self._watched():
            self._wake()
        elif self.resting:
            self._close_near_its_end(phase)
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GRACE_S, self._fall)

    def _fall(self) -> None:
        self._timer = None
        if not self._watched():
            self._show(True)

    def _wake(self) -> None:
        self._forget_timer()
        asleep, self._asleep = self._asleep, False
        self._show(False)
        if asleep:
            self._session.start()

    def _close_near_its_end(self, phase: Phase) -> None:
        """Keeps a live session until its end is near; ends one that would open a new connection."""
        if self._asleep:
            return
        expires_at = self._session.facts.expires_at
        if phase is not Phase.LIVE or expires_at is None:
            self._let_go()
        elif self._timer is None:
            left_s = (expires_at - datetime.now(UTC)).total_seconds() - RENEW_BEFORE_S - MARGIN_S
            self._timer = asyncio.get_running_loop().call_later(max(0.0, left_s), self._let_go)

    def _let_go(self) -> None:
        self._forget_timer()
        self._asleep = True
        self._spawn(self._close())

    async def _close(self) -> None:
        if self._asleep:  # unless somebody began to watch just now
            await self._session.stop()

    def _show(self, resting: bool) -> None:
        if resting != self.resting:
            log.info("session: %s", "rests, for nobody looks" if resting else "goes on")
            self.resting = resting
            self._hub.rest(resting)
            self._changed()

    def _forget_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
