"""A session that nobody looks at costs nothing more, and is back at once when somebody does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from overpaint.session.live import idle_suspend
from overpaint.session.live.idle_suspend import Rest
from overpaint.session.realtime.state import Phase, SessionState
from overpaint.session.realtime.stream_status import StreamFacts


class Scripted:
    """Session and hub, which note what is done to them."""

    def __init__(self, seconds_left: float = 3600.0) -> None:
        self.state = SessionState(Phase.LIVE)
        self.facts = StreamFacts(expires_at=datetime.now(UTC) + timedelta(seconds=seconds_left))
        self.done: list[str] = []
        self.watched = True
        self.resting = Rest(self, self, lambda: self.watched, lambda: self.resting.review())

    def rest(self, on: bool) -> None:
        self.done.append("rest" if on else "go on")

    def start(self) -> None:
        self.done.append("start")
        self.state = SessionState(Phase.LIVE)

    async def stop(self) -> None:
        self.done.append("stop")
        self.state = SessionState(Phase.STOPPED)
        self.resting.review()

    def look(self, watched: bool, phase: Phase | None = None) -> None:
        self.watched = watched
        if phase is not None:
            self.state = SessionState(phase)
        self.resting.review()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - it waits for a timer of the loop
            await asyncio.sleep(0.005)


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_suspend, "GRACE_S", 0.01)


async def test_it_rests_after_a_moment_and_goes_on_in_the_same_session() -> None:
    scripted = Scripted()
    scripted.look(False)
    assert not scripted.resting.resting, "who closes a camera may open it again at once"
    await until(lambda: scripted.resting.resting)
    scripted.look(True)
    assert scripted.done == ["rest", "go on"] and not scripted.resting.resting


async def test_who_comes_back_in_that_moment_sees_no_rest() -> None:
    scripted = Scripted()
    scripted.look(False)
    scripted.look(True)
    await asyncio.sleep(0.05)
    assert scripted.done == []


async def test_shortly_before_it_would_be_renewed_it_is_let_go_of_and_opened_again() -> None:
    scripted = Scripted(seconds_left=30.0)  # in which a renewal is due
    scripted.look(False)
    await until(lambda: scripted.done == ["rest", "stop"])
    assert scripted.resting.resting
    scripted.look(True)
    assert scripted.done == ["rest", "stop", "go on", "start"]


@pytest.mark.parametrize("phase", [Phase.RECONNECTING, Phase.RENEWING, Phase.CONNECTING])
async def test_what_breaks_meanwhile_is_not_opened_again(phase: Phase) -> None:
    scripted = Scripted()
    scripted.look(False)
    await until(lambda: scripted.resting.resting)
    scripted.look(False, phase)
    await until(lambda: scripted.done == ["rest", "stop"])
    scripted.look(False)
    assert scripted.resting.resting


async def test_who_looks_in_the_moment_of_letting_go_finds_the_session_as_it_was() -> None:
    scripted = Scripted()
    scripted.look(False)
    await until(lambda: scripted.resting.resting)
    scripted.look(False, Phase.RENEWING)  # to be let go of with the loop's next turn
    scripted.look(True)
    await asyncio.sleep(0.05)
    assert "stop" not in scripted.done


async def test_a_start_that_nobody_sees_buys_nothing_until_somebody_looks() -> None:
    scripted = Scripted()
    scripted.watched, scripted.state = False, SessionState(Phase.STOPPED)
    scripted.resting.start()
    assert scripted.done == ["rest"] and scripted.resting.resting
    scripted.look(True)
    assert scripted.done == ["rest", "go on", "start"]


async def test_a_stop_ends_the_rest() -> None:
    scripted = Scripted()
    scripted.look(False)
    await until(lambda: scripted.resting.resting)
    scripted.resting.over()
    await scripted.stop()
    scripted.look(True)
    assert scripted.done == ["rest", "go on", "stop"]


async def test_what_only_the_user_can_mend_is_shown_and_does_not_rest() -> None:
    scripted = Scripted()
    scripted.look(False)
    await until(lambda: scripted.resting.resting)
    scripted.look(False, Phase.FAILED)
    assert not scripted.resting.resting
