"""Monitors of a session: one task for each condition, while it matters.

They report to the state machine, which decides what follows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from typing import Literal

from overpaint.media.frames import now_ns
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.realtime.connection import Connection
from overpaint.session.realtime.state import FLOWING, OVER, WAITING, Phase, SessionState, StandIn

WATCH_S = 0.25
STALL_NS = 1_000_000_000
"""Time without a returned frame after which a link counts as dead; for a slow stream, five of its
intervals."""
SLOWEST_STALL_NS = 5_000_000_000
FIRST_FRAME_NS, NEXT_FRAME_NS = 15_000_000_000, 6_000_000_000
"""Time limits for the first frame of a session, whose look may take long to compile on a cold machine, and of
the next session, whose look is compiled already."""
STALL_FRAMES = 15
LOOK_S = 0.5
ASK_S = 2.0
"""Interval of requests to a service that are free of charge."""

STANDBY_AFTER_S = 10.0
"""Delay between a session's becoming live and the start of a standby core, for the load to settle."""

WatchName = Literal["frames", "renewal", "refusal", "patience", "chosen", "network", "standby"]


def needed_watches(state: SessionState, *, fallback: bool) -> frozenset[WatchName]:
    """Returns the monitors needed in a state.

    Args:
        state: Where the session is.
        fallback: Whether this computer's own service may serve as fallback of the primary.
    """
    phase, used = state.phase, state.stand_in is StandIn.USED
    waits = phase in WAITING
    needed: dict[WatchName, bool] = {
        "frames": phase not in OVER,
        "renewal": phase is Phase.LIVE,
        "refusal": state.refused,
        "patience": waits and state.stand_in is StandIn.NONE and fallback,
        "chosen": used and (phase in (Phase.LIVE, Phase.RECONNECTING) or (waits and state.attempt > 0)),
        "network": phase not in OVER and (used or waits),
        "standby": phase in FLOWING,
    }
    return frozenset(name for name, wanted in needed.items() if wanted)


class Watches:
    """The running monitors, by name."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def keep(self, name: str, wanted: bool, watch: Callable[[], Coroutine[None, None, None]]) -> None:
        """Starts or ends a monitor, as wanted."""
        task = self._tasks.get(name)
        if wanted and (task is None or task.done()):
            self._tasks[name] = asyncio.create_task(watch(), name=f"watch-{name}")
        elif not wanted and task is not None:
            del self._tasks[name]
            if task is not asyncio.current_task():  # a monitor's own report may end it, as its last act
                task.cancel()


async def watch_frames(
    hub: FrameHub, open_now: Callable[[], tuple[Connection | None, Connection | None]]
) -> None:
    """Reports a dead link when frames are sent and none returns (its sockets may still be open).

    Args:
        hub: Counts the frames.
        open_now: Returns the present and the next connection.
    """
    sent, styled, since_ns, patience_ns = 0, -1, 0, STALL_NS
    while True:
        await asyncio.sleep(WATCH_S)
        now = now_ns()
        present, coming = open_now()
        if present is None or not present.delivers or hub.styled.count != styled:
            sent, styled, since_ns = hub.sent, hub.styled.count, now
            interval_ns = 1e9 / max(hub.styled.per_second(now), 0.1)
            patience_ns = round(min(SLOWEST_STALL_NS, max(STALL_NS, 5 * interval_ns)))
        elif hub.sent - sent >= STALL_FRAMES and now - since_ns > patience_ns:
            present.stalled()
        for connection, limit_ns in ((present, FIRST_FRAME_NS), (coming, NEXT_FRAME_NS)):
            if connection is not None and connection.waits_ns(now, STALL_FRAMES) > limit_ns:
                connection.stalled()


async def be_patient(limit_s: float, away: Callable[[], bool], prepare: Callable[[], None]) -> None:
    """Returns once something has been away for a time without interruption.

    Args:
        limit_s: The time.
        away: Whether it is away.
        prepare: Called after a third of that time, so that short absences cause nothing.
    """
    before_s = away_s = 0.0
    while away_s < limit_s:
        await asyncio.sleep(WATCH_S)
        before_s, away_s = away_s, away_s + WATCH_S if away() else 0.0
        if before_s <= limit_s / 3 < away_s:
            prepare()


async def watch_for(what: Callable[[], Awaitable[bool]], seen: Callable[[], None]) -> None:
    """Polls until the answer is true, then reports it."""
    while True:
        await asyncio.sleep(ASK_S)
        if await what():
            seen()
            return


async def watch_change(what: Callable[[], Hashable], changed: Callable[[], None]) -> None:
    """Polls a value in a thread, and reports each change."""
    known = await asyncio.to_thread(what)
    while True:
        await asyncio.sleep(LOOK_S)
        now = await asyncio.to_thread(what)
        if now != known:
            known = now
            changed()
