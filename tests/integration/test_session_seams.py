"""Where one session follows another: no frame is missed, no other look is seen, no credit is spent unseen."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from helpers.live_session import At, live_session
from helpers.matrix import few_of
from helpers.numbered_source import NumberedSource, NumberedViewer
from helpers.plain_engine import PlainEngine
from helpers.running_service import HastyClock, RunningService, running_service
from overpaint.client.http import ServiceClient
from overpaint.errors import UnreachableError
from overpaint.media.frames import StyledFrame
from overpaint.media.links import FrameLink
from overpaint.session.realtime import monitors
from overpaint.session.realtime import state as machine
from overpaint.session.realtime.events import Style
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.session.realtime.state import Phase
from overpaint.transforms.pool import WorkerPool
from overpaint.wire.control import Transport
from overpaint.wire.service import RealtimeSession

pytestmark = pytest.mark.live


OPTIONS = SessionOptions(model="service-realtime-720p", ttl_seconds=60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "service").mkdir()
    return tmp_path / "service"


@pytest.fixture
def plain(folder: Path) -> Iterator[RunningService]:
    """A service whose engine changes nothing, so that numbers can be read in its pictures."""
    with running_service(folder, engine=PlainEngine("live")) as service:
        yield service


@pytest.mark.parametrize("transport", few_of(["shared_memory", "webrtc"], ["shared_memory"]))
async def test_sessions_follow_each_other_without_a_missing_frame(
    plain: RunningService, transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the numbers in the pictures: none is missing, none comes twice, none goes back."""
    monkeypatch.setattr(machine, "RENEW_BEFORE_S", 58.0)
    source = NumberedSource()
    viewer = NumberedViewer(source)
    options = dataclasses.replace(OPTIONS, transports=(transport,))
    access = At(plain.url, plain.key("seams", 100))
    async with live_session(access, options, Style("plain"), source, viewer) as session:
        swaps, promote = [], session.hub.promote

        def promoted(link: FrameLink) -> None:
            swaps.append(len(viewer.numbers))
            promote(link)

        session.hub.promote = promoted  # type: ignore[method-assign]
        session.runner.start()
        await session.until(lambda: session.runner.facts.sessions == 3, 60)
        monkeypatch.setattr(machine, "RENEW_BEFORE_S", 1.0)
        await session.until(lambda: session.runner.state.phase is Phase.LIVE, 60)
        seen = len(viewer.numbers)
        await session.until(lambda: len(viewer.numbers) >= seen + 10)
        assert await session.credits() == 25
    numbers = viewer.numbers
    assert viewer.stamps == [(number, number) for number in numbers]
    assert numbers == sorted(set(numbers))
    assert len(swaps) == 3
    for swap in swaps[1:]:
        around = numbers[swap - 5 : swap + 5]
        assert around == list(range(around[0], around[0] + 10))


class Levels:
    """Keeps the grey level of every frame."""

    def __init__(self) -> None:
        self.frames: list[StyledFrame] = []
        self.levels: list[int] = []

    def deliver(self, frame: StyledFrame) -> None:
        self.frames.append(frame)
        self.levels.append(int(frame.image[0, 0]))


@pytest.mark.full
async def test_no_frame_shows_another_look_than_the_photo_at_any_session_s_beginning(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new session knows the prompt (level 60) at once, and the photo (200) only once it was sent."""
    monkeypatch.setattr(machine, "RENEW_BEFORE_S", 58.0)
    _, photo = cv2.imencode(".png", np.full((64, 64, 3), 200, np.uint8))
    viewer = Levels()
    with running_service(folder, transformer=WorkerPool(folder / "workers", 1)) as service:
        access = At(service.url, service.key("photo", 100))
        style = Style("level 60", reference=photo.tobytes())
        async with live_session(access, OPTIONS, style, viewer=viewer) as session:
            session.runner.start()
            await session.until(lambda: session.runner.facts.sessions == 2, 60)
            monkeypatch.setattr(machine, "RENEW_BEFORE_S", 1.0)
            await session.until(lambda: session.runner.state.phase is Phase.LIVE, 60)
            await session.frames(5)
            session.runner._current.stalled()
            await session.until(lambda: session.runner.state.phase is Phase.RECONNECTING)
            await session.until(lambda: session.runner.state.phase is Phase.LIVE)
            await session.frames(5)
            assert await session.credits() == 50
    assert set(viewer.levels) == {200}


async def test_a_renewal_that_is_refused_goes_through_once_credits_are_added(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "RENEW_BEFORE_S", 58.0)
    monkeypatch.setattr(monitors, "ASK_S", 0.1)
    with running_service(folder) as service:
        access = At(service.url, service.key("poor", 30), server=service.url)
        async with live_session(access, OPTIONS, Style("level 90")) as session:
            runner = session.runner
            runner.start()
            await session.until(lambda: runner.state.refused)
            trouble = runner.state.trouble
            assert trouble is not None and trouble.kind == "insufficient_credits"
            assert trouble.mend == "Add credits to the account."
            asked = len(service.engine.requests)
            await session.frames(20)
            assert runner.state.refused and runner.facts.sessions == 1, "the present one goes on"
            assert len(service.engine.requests) == asked
            monkeypatch.setattr(machine, "RENEW_BEFORE_S", 1.0)
            service.ledger.add_credits("poor", 20)
            await session.until(lambda: runner.facts.sessions == 2)
            await session.until(lambda: runner.state.phase is Phase.LIVE)
            await session.frames(5)
            assert await session.credits() == 0


@pytest.mark.full
async def test_a_service_whose_account_is_too_low_sells_once_credits_are_added(folder: Path) -> None:
    with running_service(folder) as service:
        access = At(service.url, service.key("poor", 24), server=service.url)
        async with live_session(access, OPTIONS, Style("level 90")) as session:
            runner = session.runner
            runner.start()
            await session.until(lambda: runner.state.phase is Phase.FAILED)
            trouble = runner.state.trouble
            assert trouble is not None and trouble.kind == "insufficient_credits"
            assert trouble.mend == "Add credits to the account."
            assert await session.credits() == 24, "nothing was charged"
            service.ledger.add_credits("poor", 1)
            runner.start()
            await session.frames(3)
            assert await session.credits() == 0


@pytest.mark.full
async def test_a_renewal_that_is_refused_for_good_says_why_at_the_end(folder: Path) -> None:
    """A minute is three seconds here: the session runs to its very end."""
    with running_service(folder, HastyClock(20)) as service:
        access = At(service.url, service.key("poor", 30))
        async with live_session(access, OPTIONS, Style("level 90")) as session:
            runner = session.runner
            runner.start()
            await session.frames(5)
            await session.until(lambda: runner.state.phase is Phase.FAILED)
            assert runner.state.trouble is not None
            assert runner.state.trouble.kind == "insufficient_credits"
            key = service.ledger.find_key(access.key)
            assert key is not None and service.ledger.balance(key.purse) == 5


async def test_a_purchase_whose_answer_was_lost_is_paid_for_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, lost = ServiceClient.create_session, []

    async def create_and_lose(client: ServiceClient, *order: Any, **options: Any) -> RealtimeSession:
        session = await create(client, *order, **options)
        if len(lost) < 2:
            lost.append(session.id)
            raise UnreachableError("session_connection_closed")
        return session

    monkeypatch.setattr(ServiceClient, "create_session", create_and_lose)
    with running_service(folder) as service:
        access = At(service.url, service.key("unlucky", 100))
        async with live_session(access, OPTIONS, Style("level 90")) as session:
            session.runner.start()
            await session.frames(3)
            assert set(lost) == {session.runner.facts.session_id}
            assert await session.credits() == 75


@pytest.mark.full
async def test_what_the_user_wishes_while_a_session_is_being_opened_is_seen_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prompt changes between the purchase and the first frame: not one frame shows the former."""
    create, viewer = ServiceClient.create_session, Levels()

    async def create_slowly(client: ServiceClient, *order: Any, **options: Any) -> RealtimeSession:
        session = await create(client, *order, **options)
        runner.set_style(Style("level 150"))
        return session

    monkeypatch.setattr(ServiceClient, "create_session", create_slowly)
    with running_service(folder) as service:
        access = At(service.url, service.key("hasty", 100))
        async with live_session(access, OPTIONS, Style("level 90"), viewer=viewer) as session:
            runner = session.runner
            runner.start()
            await session.frames(3)
            assert runner.facts.understood == "level 150, expanded"
    assert set(viewer.levels) == {150}
