"""What is kept of a session that nobody uses: its prompt, its photo, its place in the ledger; no pictures."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from datetime import timedelta

import pytest

from helpers.control_client import JOIN, Publisher, create, open_socket, photo
from helpers.matrix import few_of
from helpers.running_service import HastyClock, RunningService, ScriptedLook, running_service
from overpaint.core.hosts.engine_host import LocalStream
from overpaint.core.hosts.stream_thread import StreamThread
from overpaint.core.realtime.live_session import GRACE, LiveSession
from overpaint.media.links.shared_memory import SharedMemoryRoom
from overpaint.transforms.pool import WorkerPool

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, HastyClock]]:
    """A service for which a minute is a second, with a real worker for photos."""
    clock = HastyClock(60)
    folder = tmp_path_factory.mktemp("left")
    with running_service(folder, clock, transformer=WorkerPool(folder / "workers")) as running:
        yield running, clock


def kept() -> list[str]:
    """What is left in memory of streams: looks, rooms, threads, photos."""
    gc.collect()
    heavy = (ScriptedLook, LocalStream, StreamThread, SharedMemoryRoom)
    things = [type(each).__name__ for each in gc.get_objects() if isinstance(each, heavy)]
    sessions = [each for each in gc.get_objects() if isinstance(each, LiveSession)]
    return things + ["photo" for session in sessions if session.style.present.reference is not None]


async def freed(within_s: float = 10.0) -> None:
    end = asyncio.get_running_loop().time() + within_s
    while found := await asyncio.to_thread(kept):
        assert asyncio.get_running_loop().time() < end, found
        await asyncio.sleep(0.1)


def test_all_is_given_back_within_a_minute() -> None:
    assert timedelta(0) < GRACE < timedelta(minutes=1)


@pytest.mark.parametrize("way", few_of(["closed", "lost", "never joined"], ["lost"]))
async def test_a_session_without_a_socket_keeps_no_picture_and_goes_on_with_its_look_and_photo(
    hasty: tuple[RunningService, HastyClock], way: str
) -> None:
    service, _ = hasty
    session = create(service, ttl_seconds=1800, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        if way != "never joined":
            info = await client.ask("rtc_room_info", **JOIN)
            async with Publisher(info) as publisher:
                await publisher.level(90)
        ack = await client.ask("prompt_ack", type="prompt", prompt="level 30")
        assert ack["success"] is True
        assert (await client.ask("set_image_ack", type="set_image", image_data=photo(150)))["success"] is True
        if way == "lost":
            client.socket.transport.abort()
    await freed()
    async with open_socket(session["websocket_url"]) as client:
        # Said before the room is there: what was set before holds still.
        ack = await client.ask("prompt_ack", type="prompt", prompt="level 40")
        assert ack["success"] is True
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(150)  # the photo's
            # And without the photo it is the prompt that was said last.
            assert (await client.ask("set_image_ack", type="set_image", image_data=""))["success"] is True
            await publisher.level(40)
    await freed()
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(40)


@pytest.mark.full
async def test_frames_and_seconds_count_on_over_a_pause(hasty: tuple[RunningService, HastyClock]) -> None:
    service, _ = hasty
    session = create(service, ttl_seconds=1800, prompt="level 90")
    ticks = []
    for _ in range(2):
        async with open_socket(session["websocket_url"]) as client:
            info = await client.ask("rtc_room_info", **JOIN)
            async with Publisher(info):
                ticks.append(await client.hear("generation_tick"))
        await freed()
    assert ticks[1]["frames"] > ticks[0]["frames"] and ticks[1]["seconds"] > ticks[0]["seconds"]
