"""More sessions than places: they wait in order, are told so, and miss nothing meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.control_client import JOIN, Client, Publisher, create, open_socket, order
from helpers.running_service import RunningService, running_service
from overpaint.core.configuration import ServiceConfig


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service with one place."""
    with running_service(tmp_path_factory.mktemp("narrow"), config=ServiceConfig(streams=1)) as running:
        yield running


async def position(client: Client) -> tuple[int, int]:
    told = await client.hear("queue_position")
    return told["position"], told["queue_size"]


async def test_who_comes_later_waits_in_order_and_is_told_of_every_change(narrow: RunningService) -> None:
    urls = [create(narrow, prompt="level 90")["websocket_url"] for _ in range(4)]
    async with (
        open_socket(urls[0]) as first,
        open_socket(urls[1]) as second,
        open_socket(urls[2]) as third,
        open_socket(urls[3]) as fourth,
    ):
        await first.ask("rtc_room_info", **JOIN)
        await second.say(**JOIN)
        assert await position(second) == (1, 1)
        await third.say(**JOIN)
        assert (await position(second), await position(third)) == ((1, 2), (2, 2))
        await fourth.say(**JOIN)
        assert await position(fourth) == (3, 3)
        await third.socket.close()  # a close leaves the queue
        assert await position(fourth) == (2, 2)
        await first.socket.close()
        info = await second.hear("rtc_room_info")
        assert await position(fourth) == (1, 1)
        async with Publisher(info) as publisher:
            assert await publisher.first() == 90
        await second.socket.close()
        await fourth.hear("rtc_room_info")


async def test_who_waits_is_answered_and_begins_with_the_newest_prompt(narrow: RunningService) -> None:
    urls = [create(narrow, prompt="level 90")["websocket_url"] for _ in range(2)]
    async with open_socket(urls[0]) as first, open_socket(urls[1]) as second:
        await first.ask("rtc_room_info", **JOIN)
        await second.say(**JOIN)
        assert await position(second) == (1, 1)
        ack = await second.ask("prompt_ack", type="prompt", prompt="level 150")
        assert ack["prompt"] == "level 150, expanded"
        await first.socket.close()
        info = await second.hear("rtc_room_info")
        async with Publisher(info) as publisher:
            assert await publisher.first() == 150


async def test_a_newer_socket_takes_over_the_position_in_the_queue(narrow: RunningService) -> None:
    urls = [create(narrow)["websocket_url"] for _ in range(3)]
    async with (
        open_socket(urls[0]) as first,
        open_socket(urls[1]) as older,
        open_socket(urls[2]) as last,
    ):
        await first.ask("rtc_room_info", **JOIN)
        await older.say(**JOIN)
        assert await position(older) == (1, 1)
        await last.say(**JOIN)
        assert await position(last) == (2, 2)
        async with open_socket(urls[1]) as newer:
            assert await older.end() == (4003, "session_closed")
            await newer.say(**JOIN)
            assert await position(newer) == (1, 2)
            await first.socket.close()
            await newer.hear("rtc_room_info")
        await last.hear("rtc_room_info")


async def test_a_session_that_ends_while_it_waits_frees_its_position(narrow: RunningService) -> None:
    urls = [create(narrow)["websocket_url"] for _ in range(2)]
    waiting = order(narrow.url, narrow.key("revoked in the queue"))["websocket_url"]
    async with (
        open_socket(urls[0]) as first,
        open_socket(waiting) as second,
        open_socket(urls[1]) as third,
    ):
        await first.ask("rtc_room_info", **JOIN)
        await second.say(**JOIN)
        assert await position(second) == (1, 1)
        await third.say(**JOIN)
        assert await position(third) == (2, 2)
        narrow.ledger.revoke_key("revoked in the queue")
        assert await second.end() == (4003, "session_closed")
        assert await position(third) == (1, 1)


async def test_a_place_is_had_again_by_the_session_that_joins_again(narrow: RunningService) -> None:
    session = create(narrow, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        for _ in range(2):
            info = await client.ask("rtc_room_info", **JOIN)
            async with Publisher(info) as publisher:
                assert await publisher.first() == 90
        assert "queue_position" not in {each["type"] for each in client.told}
