"""The session over a real core: renewed without a seam, resumed without a second charge, restyled at once."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import cv2
import numpy as np
import psutil
import pytest

from helpers.live_session import Session, colour, live_session
from helpers.processes import end_all, role_pid, standby_children
from overpaint.errors import LinkError
from overpaint.ledger import Ledger, ledger_url
from overpaint.ledger.keys import LOCAL_PURSE
from overpaint.media import pictures
from overpaint.media.links.shared_memory import SharedMemoryLink
from overpaint.session.backend.local_core import CoreLease
from overpaint.session.realtime import monitors, runner
from overpaint.session.realtime import state as machine
from overpaint.session.realtime.state import Phase, Style

pytestmark = pytest.mark.live


@pytest.fixture
async def session(data_folder: Path) -> AsyncIterator[Session]:
    """A 720p session over shared memory with a person's clip as source, live."""
    lease = CoreLease(data_folder, lambda: None, lambda: None)
    async with live_session(lease) as session:
        session.runner.start()
        await session.frames(5)
        yield session
    lease.release()
    await asyncio.to_thread(end_all, data_folder)


@pytest.mark.full
async def test_a_change_of_prompt_is_seen_and_understood(session: Session) -> None:
    assert colour(session.viewer.frames[-1]) < 4, "film noir is grey"
    session.runner.set_style(Style(prompt="oil painting"))
    await session.until(lambda: "oil" in session.runner.facts.understood.lower())
    await session.until(lambda: colour(session.viewer.frames[-1]) > 8)
    assert session.runner.facts.sessions == 1


@pytest.mark.full
async def test_a_reference_photo_colours_the_picture_and_a_bad_one_is_told(session: Session) -> None:
    red = np.full((64, 64, 3), (30, 30, 200), np.uint8)
    red[::2] //= 2
    _, photo = cv2.imencode(".png", red)
    session.runner.set_style(Style(prompt="", reference=photo.tobytes()))

    def reddish() -> bool:
        blue, _, reds = pictures.to_bgr(session.viewer.frames[-1].image).reshape(-1, 3).mean(0)
        return bool(reds > blue + 60)

    await session.until(reddish)
    session.runner.set_style(Style(prompt="film noir, brighter", reference=photo.tobytes()))
    await session.until(lambda: session.runner.facts.understood == "Film noir, bright")
    session.runner.set_style(Style(prompt="film noir, darker", reference=b"no picture"))
    await session.until(lambda: session.runner.facts.understood == "Film noir, dark")
    assert session.runner.notice is not None, "the prompt is taken, and the photo is not"
    await session.frames(3)
    assert session.runner.state.phase is Phase.LIVE, "a bad photo costs nothing"
    assert colour(session.viewer.frames[-1]) > 4, "film noir in the former photo's red"
    session.runner.set_style(Style(prompt="film noir, darker"))
    await session.until(lambda: session.runner.notice is None)
    await session.until(lambda: colour(session.viewer.frames[-1]) < 4)


@pytest.mark.full
async def test_renewal_swaps_between_two_frames(
    data_folder: Path, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions of 60 s that renew themselves 57 s before their end: the next begins after 3 s."""
    monkeypatch.setattr(machine, "RENEW_BEFORE_S", 57.0)
    await session.runner.stop()
    before = await session.credits()
    began = len(session.viewer.frames)
    session.runner.start()
    await session.until(lambda: session.runner.facts.sessions >= 3, 40)
    monkeypatch.setattr(machine, "RENEW_BEFORE_S", 1.0)
    await session.until(lambda: session.runner.state.phase is Phase.LIVE)
    await session.frames(10)
    frames = session.viewer.frames[began:]
    times = [frame.captured_ns for frame in frames]
    assert times == sorted(set(times)), "neither repeated nor older frames"
    assert max(np.diff(times)) < 1.5e9, "no seam"
    # The fixture's session is the first of those that are counted.
    assert before - await session.credits() == 25 * (session.runner.facts.sessions - 1)


@pytest.mark.skipif(sys.platform == "win32", reason="stops a process with a signal")
@pytest.mark.full
async def test_a_core_that_hangs_is_joined_again_without_a_second_charge(
    data_folder: Path, session: Session
) -> None:
    charged = await session.credits()
    identity = session.runner.facts.session_id
    core = role_pid(data_folder, "core")
    assert core is not None
    os.kill(core, signal.SIGSTOP)
    try:
        await session.until(lambda: session.runner.state.phase is Phase.RECONNECTING)
    finally:
        os.kill(core, signal.SIGCONT)
    await session.until(lambda: session.runner.state.phase is Phase.LIVE)
    frames = await session.frames(5)
    assert session.runner.facts.session_id == identity
    assert await session.credits() == charged
    assert colour(frames[-1]) < 4, "the look is still there"


@pytest.mark.full
async def test_stop_ends_the_picture_and_start_goes_on_with_what_is_paid_for(session: Session) -> None:
    charged, identity = await session.credits(), session.runner.facts.session_id
    await session.runner.stop()
    count = len(session.viewer.frames)
    await asyncio.sleep(0.3)
    assert len(session.viewer.frames) <= count + 1
    assert session.runner.state.phase is Phase.STOPPED
    session.runner.start()
    await session.frames(5)
    assert session.runner.facts.session_id == identity
    assert await session.credits() == charged


@pytest.mark.full
async def test_a_core_that_dies_gives_back_the_session_that_is_paid_for(
    data_folder: Path, session: Session
) -> None:
    charged, identity = await session.credits(), session.runner.facts.session_id
    core = role_pid(data_folder, "core")
    assert core is not None
    psutil.Process(core).kill()
    await session.until(lambda: session.runner.state.phase is not Phase.LIVE)
    await session.until(lambda: session.runner.state.phase is Phase.LIVE)
    await session.frames(5)
    assert session.runner.facts.session_id == identity
    assert await session.credits() == charged


@pytest.mark.full
async def test_a_core_that_dies_is_followed_by_its_standby(
    data_folder: Path,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await session.runner.stop()
    monkeypatch.setattr(runner, "STANDBY_AFTER_S", 0.1)
    with caplog.at_level("INFO"):
        session.runner.start()
        await session.until(lambda: "a standby core waits" in caplog.text, 60)
    (standby,) = standby_children()
    core, identity = role_pid(data_folder, "core"), session.runner.facts.session_id
    assert core is not None
    psutil.Process(core).kill()
    await session.until(lambda: session.runner.state.phase is not Phase.LIVE)
    await session.until(lambda: session.runner.state.phase is Phase.LIVE)
    await session.frames(5)
    assert role_pid(data_folder, "core") == standby.pid
    assert session.runner.facts.session_id == identity, "and goes on with what is paid for"
    await session.until(lambda: len(standby_children()) > 1)
    await session.runner.stop()
    await session.until(lambda: standby_children() == [standby])


@pytest.mark.full
async def test_a_session_that_ended_while_nobody_was_connected_is_followed_by_another(
    session: Session, data_folder: Path
) -> None:
    ledger = Ledger(ledger_url(data_folder))
    ledger.end_session(session.runner.facts.session_id, "session_closed", 1)
    ledger.close()
    core = role_pid(data_folder, "core")
    assert core is not None
    os.kill(core, signal.SIGKILL)  # the next one knows what the ledger knows
    await session.until(lambda: session.runner.facts.sessions == 2)
    await session.until(lambda: session.runner.state.phase is Phase.LIVE)
    assert len(await session.frames(5)) >= 5


@pytest.mark.full
async def test_a_link_that_fails_again_and_again_is_paid_for_once(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    await session.runner.stop()
    session.runner.options = dataclasses.replace(session.runner.options, ttl_seconds=61)
    charged, failures = await session.credits(), []

    async def refuse(link: SharedMemoryLink, lost: Callable[[LinkError], None]) -> None:
        failures.append(link)
        raise LinkError("channel_without_listener")

    with monkeypatch.context() as broken:
        broken.setattr(SharedMemoryLink, "open", refuse)
        session.runner.start()
        await session.until(lambda: len(failures) >= 3)
    await session.frames(3)
    assert charged - await session.credits() == 25


@pytest.mark.full
async def test_a_link_that_takes_its_time_to_open_again_is_not_taken_for_dead_meanwhile(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its session was joined long ago, and nothing has come since: the link is only being opened."""
    monkeypatch.setattr(monitors, "FIRST_FRAME_NS", 700_000_000)
    opened, begin = [], SharedMemoryLink.open

    async def slow(link: SharedMemoryLink, lost: Callable[[LinkError], None]) -> None:
        opened.append(link)
        await asyncio.sleep(1.2)
        await begin(link, lost)

    monkeypatch.setattr(SharedMemoryLink, "open", slow)
    await session.frames(40)
    connection = session.runner._current
    assert connection is not None
    connection.stalled()
    await session.until(lambda: session.runner.state.phase is Phase.RECONNECTING)
    await session.until(lambda: session.runner.state.phase is Phase.LIVE)
    await session.frames(20)
    assert len(opened) == 1


@pytest.mark.full
async def test_this_computers_account_is_never_too_low(data_folder: Path, session: Session) -> None:
    await session.runner.stop()
    ledger = Ledger(ledger_url(data_folder))
    ledger.charge(LOCAL_PURSE, await session.credits() - 3, "a test", "rts_test")
    options = dataclasses.replace(
        session.runner.options, ttl_seconds=61
    )  # another order than the one paid for
    session.runner.options = options
    session.runner.start()
    await session.frames(3)
    assert session.runner.state.trouble is None
    assert ledger.balance(LOCAL_PURSE) == await session.credits() == 2500
    ledger.close()
