"""What is watched beside a session: only what matters in its phase, and nothing after that."""

from __future__ import annotations

import asyncio

import pytest

from overpaint.errors import InsufficientCreditsError
from overpaint.session.backend.network_addresses import addresses
from overpaint.session.realtime import monitors
from overpaint.session.realtime.monitors import Watches, be_patient, needed_watches, watch_change, watch_for
from overpaint.session.realtime.state import Phase, SessionState, StandIn

BROKE = InsufficientCreditsError("order_too_dear", price=25, left=12)


@pytest.mark.parametrize(
    ("state", "watches"),
    [
        (SessionState(), set()),
        (SessionState(Phase.FAILED, trouble=BROKE), set()),
        (SessionState(Phase.CONNECTING), {"frames", "patience", "network"}),
        (SessionState(Phase.LIVE), {"frames", "renewal", "standby"}),
        (SessionState(Phase.RENEWING), {"frames", "standby"}),
        (SessionState(Phase.RENEWING, trouble=BROKE), {"frames", "refusal", "standby"}),
        (SessionState(Phase.RECONNECTING), {"frames", "patience", "network"}),
        (SessionState(Phase.RECONNECTING, stand_in=StandIn.REFUSED), {"frames", "network"}),
        (SessionState(Phase.FAILING_OVER, stand_in=StandIn.USED), {"frames", "network"}),
        (SessionState(Phase.FAILING_OVER, 1, stand_in=StandIn.USED), {"frames", "network", "chosen"}),
        (
            SessionState(Phase.LIVE, stand_in=StandIn.USED),
            {"frames", "renewal", "network", "chosen", "standby"},
        ),
    ],
)
def test_each_phase_has_its_watches(state: SessionState, watches: set[str]) -> None:
    assert needed_watches(state, fallback=True) == watches
    assert needed_watches(state, fallback=False) == watches - {"patience"}


async def test_a_watch_ends_with_its_phase_and_may_end_itself() -> None:
    watches, begun, ended = Watches(), asyncio.Event(), asyncio.Event()

    async def watch() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    watches.keep("renewal", True, watch)
    watches.keep("renewal", True, watch)
    await begun.wait()
    watches.keep("renewal", False, watch)
    await ended.wait()

    async def ends_itself() -> None:
        watches.keep("renewal", False, ends_itself)
        await asyncio.sleep(0)
        itself.set()

    itself = asyncio.Event()
    watches.keep("renewal", True, ends_itself)
    await itself.wait()


async def test_another_network_is_told_once_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitors, "LOOK_S", 0.001)
    seen = iter(["lo", "lo", "lo eth0", "lo eth0", "lo wlan0"])
    told: list[str] = []
    done = asyncio.Event()

    def look() -> str:
        return next(seen, "lo wlan0")

    def changed() -> None:
        told.append("changed")
        if len(told) == 2:
            done.set()

    task = asyncio.create_task(watch_change(look, changed))
    await done.wait()
    task.cancel()
    assert told == ["changed", "changed"]
    assert addresses() == addresses() != frozenset()


async def test_what_is_asked_for_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitors, "ASK_S", 0.001)
    answers = iter([False, False, True])

    async def ask() -> bool:
        return next(answers)

    told: list[str] = []
    await watch_for(ask, lambda: told.append("yes"))
    assert told == ["yes"] and next(answers, None) is None


async def test_patience_begins_anew_with_every_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitors, "WATCH_S", 0.001)
    signs = iter([True, False, True, True, False, *[True] * 6])
    prepared: list[int] = []
    left = 11

    def away() -> bool:
        nonlocal left
        left -= 1
        return next(signs)

    await be_patient(0.006, away, lambda: prepared.append(left))
    assert left == 0 and prepared == [3], "a short outage prepares nothing"
