"""Several desktops on one core: equal shares of it, and a place for whoever goes on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from helpers.control_client import JOIN, Publisher, create, open_socket, order
from helpers.live_session import At, live_session
from helpers.plain_engine import WorkingEngine
from helpers.running_service import RunningService, running_service
from overpaint.core.configuration import ServiceConfig
from overpaint.session.realtime import state as machine
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.session.realtime.state import Phase

FRAMES = 60


class Counted(Publisher):
    """Counts what comes back."""

    frames = 0

    async def count(self) -> None:
        while True:
            if await asyncio.to_thread(self.link.received.take, 0.5) is not None:
                self.frames += 1


async def publisher(service: RunningService, stack: AsyncExitStack) -> Counted:
    client = await stack.enter_async_context(open_socket(create(service)["websocket_url"]))
    info = await client.ask("rtc_room_info", **JOIN)
    return await stack.enter_async_context(Counted(info))


async def test_four_sessions_at_once_get_equal_shares(tmp_path: Path) -> None:
    """720p, more than the processor can do: whoever is counted, none has half of what another has."""
    with running_service(tmp_path, engine=WorkingEngine("live")) as service:
        async with AsyncExitStack() as stack:
            four = [await publisher(service, stack) for _ in range(4)]
            counting = [asyncio.create_task(each.count()) for each in four]
            async with asyncio.timeout(80):
                while min(each.frames for each in four) < 5:  # noqa: ASYNC110 - comes from threads
                    await asyncio.sleep(0.05)
                before = [each.frames for each in four]
                while max(map(int.__sub__, (each.frames for each in four), before)) < FRAMES:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            shares = list(map(int.__sub__, (each.frames for each in four), before))
            for task in counting:
                task.cancel()
            await asyncio.wait(counting)
    assert min(shares) > FRAMES / 2, shares


async def test_who_renews_on_a_full_core_waits_for_no_place(tmp_path: Path, monkeypatch) -> None:
    """One place: another key waits for it; the next session of the one that has it does not."""
    monkeypatch.setattr(machine, "RENEW_BEFORE_S", 58.0)
    options = SessionOptions(model="service-realtime-720p", ttl_seconds=60)
    with running_service(tmp_path, config=ServiceConfig(streams=1)) as service:
        key = service.key("renews", 100)
        async with live_session(At(service.url, key), options) as session:
            session.runner.start()
            await session.frames(3)
            async with open_socket(create(service)["websocket_url"]) as other:
                await other.say(**JOIN)
                assert (await other.hear("queue_position"))["position"] == 1
                await session.until(lambda: session.runner.facts.sessions == 2)
                monkeypatch.setattr(machine, "RENEW_BEFORE_S", 1.0)
                await session.until(lambda: session.runner.state.phase is Phase.LIVE)
                await session.frames(3)
                assert not [told for told in other.told if told["type"] == "rtc_room_info"]
                # Of each session one succeeds: a third one of that key waits like everybody.
                third = order(service.url, key, ttl_seconds=600)["websocket_url"]
                async with open_socket(third) as late:
                    await late.say(**JOIN)
                    place = await late.hear("queue_position")
                    assert (place["position"], place["queue_size"]) == (2, 2)
