"""What a session survives and how it ends: lost sockets, expiry, a killed core, a revoked key."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from helpers.control_client import JOIN, Client, Publisher, create, open_socket, order, over, photo
from helpers.running_service import HastyClock, RunningService, running_service
from overpaint.core.names import secret_digest
from overpaint.ledger import Ledger, ledger_url


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


class KilledCore:
    """A core in a process of its own, with the scripted engine, that can be killed.

    Args:
        folder: Its data folder.
    """

    def __init__(self, folder: Path) -> None:
        program = Path(__file__).parents[1] / "helpers" / "core_process.py"
        self._process = subprocess.Popen(
            [sys.executable, str(program), str(folder), "60", "60"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        assert self.url

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(10)
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def core(folder: Path) -> Iterator[KilledCore]:
    running = KilledCore(folder)
    try:
        yield running
    finally:
        running.kill()


def at(core: KilledCore, session: dict[str, Any]) -> str:
    """A session's socket at a core that listens elsewhere than the one that sold it."""
    secret = session["client_secret"]["value"]
    return f"{core.url.replace('http', 'ws', 1)}/v1/realtime/stream?token={secret}"


async def test_a_newer_socket_replaces_the_older(service: RunningService) -> None:
    session = create(service)
    async with open_socket(session["websocket_url"]) as older:
        await older.ask("rtc_room_info", **JOIN)
        async with open_socket(session["websocket_url"]) as newer:
            assert await older.end() == (4003, "session_closed")
            assert older.told[-1] == {
                "type": "generation_ended",
                "seconds": 0,
                "reason": "session_closed",
            }
            assert (await newer.ask("prompt_ack", type="prompt", prompt="a"))["success"] is True


async def test_the_newer_socket_is_the_one_that_came_later_whichever_the_database_lets_in_first(
    service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = create(service)
    delays = iter([1.0, 0.0])
    asked = service.ledger.revoked

    def slow_at_first(key_ids: Iterable[int]) -> set[int]:
        time.sleep(next(delays, 0.0))
        return asked(key_ids)

    monkeypatch.setattr(service.ledger, "revoked", slow_at_first)
    async with open_socket(session["websocket_url"]) as older, open_socket(session["websocket_url"]) as newer:
        assert (await newer.ask("prompt_ack", type="prompt", prompt="a"))["success"] is True
        assert await older.end() == (4003, "session_closed")
        assert (await newer.ask("prompt_ack", type="prompt", prompt="b"))["success"] is True


@pytest.mark.parametrize("code", [1000, 1001])
async def test_a_client_that_leaves_frees_its_room_and_may_come_back(
    service: RunningService, code: int
) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)
            await client.socket.close(code)
            await asyncio.wait_for(publisher.lost.wait(), 5)
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)


async def test_a_lost_socket_keeps_its_room_for_a_grace_and_its_session_for_longer(
    hasty: tuple[RunningService, HastyClock],
) -> None:
    service, clock = hasty
    session = create(service, ttl_seconds=600, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)
            lost_at = clock.now()
            client.socket.transport.abort()
            await asyncio.wait_for(publisher.lost.wait(), 5)
            assert (clock.now() - lost_at).total_seconds() >= 30
    places = service.service.host.slots  # type: ignore[attr-defined]
    assert places.taken == 0
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            assert await publisher.first() == 90


async def test_the_session_ends_at_its_expiry_to_the_second(hasty: tuple[RunningService, HastyClock]) -> None:
    service, clock = hasty
    session = create(service, ttl_seconds=120)
    expires_at = datetime.fromisoformat(session["expires_at"])
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await client.hear("generation_tick")
            assert await client.end() == (4003, "session_expired")
            late = (clock.now() - expires_at).total_seconds() / clock.rate
            assert -0.05 <= late < 1.0
            await asyncio.wait_for(publisher.lost.wait(), 5)
    ended = client.told[-1]
    assert ended["type"] == "generation_ended" and ended["reason"] == "session_expired"
    assert ended["seconds"] >= 1
    assert await over(service, session) == "session_expired"


async def test_a_session_expires_also_while_nobody_is_there(hasty: tuple[RunningService, HastyClock]) -> None:
    service, _ = hasty
    session = create(service, ttl_seconds=60)
    async with open_socket(session["websocket_url"]):
        pass
    assert await over(service, session) == "session_expired"


async def test_every_session_is_told_when_the_service_ends(data_folder: Path) -> None:
    with running_service(data_folder) as service:
        session = create(service)
        async with open_socket(session["websocket_url"]) as client:
            info = await client.ask("rtc_room_info", **JOIN)
            async with Publisher(info):
                await client.hear("generation_started")
                service.server.end()
                assert await client.end() == (4003, "session_closed")
        assert client.told[-1]["type"] == "generation_ended"
        assert client.told[-1]["reason"] == "session_closed"


async def test_a_service_that_ends_tells_its_sessions_and_the_next_process_has_them_again(
    data_folder: Path,
) -> None:
    with running_service(data_folder) as service:
        used, waiting = create(service), create(service)
        async with open_socket(used["websocket_url"]) as client:
            await client.ask("prompt_ack", type="prompt", prompt="a")
            service.server.end()
            assert await client.end() == (4003, "session_closed")
    with running_service(data_folder) as service:
        for session in (used, waiting):
            async with open_socket(f"{service.ws_url}?token={session['client_secret']['value']}") as client:
                assert (await client.ask("prompt_ack", type="prompt", prompt="a"))["success"] is True


async def test_a_killed_core_loses_neither_style_nor_time_nor_seconds(data_folder: Path) -> None:
    with core(data_folder) as first:
        ledger = Ledger(ledger_url(data_folder))
        session = order(first.url, ledger.create_key("a", "live", credits=25).key, prompt="level 90")
        async with open_socket(at(first, session)) as client:
            info = await client.ask("rtc_room_info", **JOIN)
            async with Publisher(info) as publisher:
                await publisher.level(90)
                await client.ask("prompt_ack", type="prompt", prompt="ink")
                await client.ask("set_image_ack", type="set_image", image_data=photo(199))
                while (await client.hear("generation_tick"))["seconds"] < 3:
                    pass
                first.kill()
    with core(data_folder) as second:
        async with open_socket(at(second, session)) as client:
            info = await client.ask("rtc_room_info", **JOIN)
            async with Publisher(info) as publisher:
                assert await publisher.first() == 199
                assert (await client.hear("generation_tick"))["seconds"] >= 3
                ack = await client.ask("prompt_ack", type="prompt", prompt="ink")
                assert ack["prompt"] == "ink, expanded, like a photo of 64×64"
        record = ledger.session(secret_digest(session["client_secret"]["value"]))
        assert record is not None
        late = record.expires_at - datetime.fromisoformat(session["expires_at"])
        assert abs(late.total_seconds()) < 0.002
    ledger.close()


def test_a_repeated_order_is_the_same_session_under_the_desktop_s_next_key(data_folder: Path) -> None:
    with running_service(data_folder) as service:
        bought = order(service.url, service.ledger.mint_local_key().key, "once", prompt="level 90")
    with running_service(data_folder) as service:
        again = order(service.url, service.ledger.mint_local_key().key, "once", prompt="level 90")
        assert again["id"] == bought["id"]
        assert again["credits_remaining"] == bought["credits_remaining"]
        assert again["client_secret"] != bought["client_secret"]

        async def both() -> None:
            async with open_socket(again["websocket_url"]) as client:
                await client.ask("rtc_room_info", **JOIN)
            async with open_socket(f"{service.ws_url}?token={bought['client_secret']['value']}") as client:
                assert (await client.end())[0] == 4001

        asyncio.run(both())


async def test_a_revoked_key_ends_its_open_sessions_and_no_other(service: RunningService) -> None:
    key = service.key("revoked soon")
    session, other = order(service.url, key), create(service)
    async with (
        open_socket(session["websocket_url"]) as client,
        open_socket(other["websocket_url"]) as bystander,
    ):
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await client.hear("generation_tick")
            service.ledger.revoke_key("revoked soon")
            assert await client.end(within=3) == (4003, "session_closed")
            await asyncio.wait_for(publisher.lost.wait(), 5)
        assert client.told[-1]["type"] == "generation_ended"
        assert client.told[-1]["reason"] == "session_closed"
        assert (await bystander.ask("prompt_ack", type="prompt", prompt="a"))["success"] is True
    async with open_socket(session["websocket_url"]) as client:
        assert await client.end() == (4003, "session_closed")


async def test_a_session_of_a_revoked_key_cannot_be_opened(service: RunningService) -> None:
    session = order(service.url, service.key("revoked before"))
    service.ledger.revoke_key("revoked before")
    async with open_socket(session["websocket_url"]) as client:
        assert await client.end() == (4003, "session_closed")


async def test_a_client_whose_proxy_hides_it_is_offered_no_memory_of_this_host(
    service: RunningService,
) -> None:
    session = create(service)
    more = {"Via": "1.1 tunnel"}
    async with connect(session["websocket_url"], proxy=None, additional_headers=more) as socket:
        client = Client(socket)
        info = await client.ask("rtc_room_info", **JOIN)
        assert info["rtc_url"].startswith("http://")
