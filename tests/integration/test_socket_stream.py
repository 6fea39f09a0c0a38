"""A session's stream over its control socket: rooms, prompts, the first frame, an engine that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest
from websockets.asyncio.client import connect

from helpers.control_client import HEIGHT, JOIN, WIDTH, Client, Publisher, create, open_socket
from helpers.running_service import RunningService, running_service
from overpaint.client import ServiceClient
from overpaint.media.frames import FrameKind
from overpaint.media.links import LinkRequest
from overpaint.media.webrtc.desktop_link import WebRtcLink

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


async def test_frames_of_a_joined_session_come_back_styled_from_the_first_one(
    service: RunningService,
) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        await client.say(**JOIN)
        info = await client.hear("rtc_room_info")
        assert info.keys() == {"type", "rtc_url", "token", "room_name"}
        assert info["rtc_url"].startswith("shm://")
        async with Publisher(info) as publisher:
            started = await client.hear("generation_started")
            assert await publisher.first() == 90
            tick = await client.hear("generation_tick")
            second = await client.hear("generation_tick")
    assert started == {
        "type": "generation_started",
        "session_id": session["id"],
        "model": "service-realtime-720p",
        "width": WIDTH,
        "height": HEIGHT,
        "fps": 30.0,
        "engine": "scripted",
    }
    assert tick.keys() == {"type", "seconds", "frames", "fps"}
    assert (tick["seconds"], second["seconds"]) == (1, 2)
    assert 0 < tick["frames"] < second["frames"] and 5 < second["fps"] < 40
    assert [each["type"] for each in client.told][:2] == ["rtc_room_info", "generation_started"]


async def test_no_tick_while_no_frames_flow(service: RunningService) -> None:
    session = create(service)
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info):
            await client.hear("generation_tick")
        # At most the second in which the last frames flowed is still told.
        ticks = 0
        with suppress(TimeoutError):
            while await client.hear("generation_tick", within=1.6):
                ticks += 1
        assert ticks <= 1


async def test_a_new_prompt_shows_without_a_new_room(service: RunningService) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)
            ack = await client.ask("prompt_ack", type="prompt", prompt="level 150")
            assert ack == {"type": "prompt_ack", "prompt": "level 150, expanded", "success": True}
            await publisher.level(150)
            plain = await client.ask("prompt_ack", type="prompt", prompt="level 30", enhance_prompt=False)
            assert plain["prompt"] == "level 30"
            await publisher.level(30)


async def test_a_prompt_of_which_nothing_can_be_done_changes_nothing(service: RunningService) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)
            ack = await client.ask("prompt_ack", type="prompt", prompt="nonsense, level 150")
            assert (ack["prompt"], ack["success"]) == ("level 90, expanded", True)
            reading = {"prompt": "nonsense, level 150", "not_understood": ["nonsense"]}
            assert ack["reading"] == {**reading, "suggestions": [], "unchanged": True}
            await publisher.level(90)
    async with open_socket(session["websocket_url"]) as client:
        assert (await client.ask("prompt_ack", type="prompt", prompt="level 90")).keys() == {
            *("type", "prompt", "success")
        }, "the session kept its prompt"


async def test_original_is_shown_only_when_it_is_asked_for(service: RunningService) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN, passthrough=True)
        async with Publisher(info) as publisher:
            await publisher.level(0)
            await client.ask("prompt_ack", type="prompt", prompt="level 150")
            await publisher.level(0)
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            assert await publisher.first() == 150


async def test_joining_again_moves_to_a_new_room(service: RunningService) -> None:
    session = create(service)
    async with open_socket(session["websocket_url"]) as client:
        first = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(first) as former:
            await former.level(60)
            second = await client.ask("rtc_room_info", **JOIN)
            assert second["room_name"] != first["room_name"] and second["token"] != first["token"]
            async with Publisher(second) as publisher:
                await publisher.level(60)
                await client.hear("generation_started")
            await asyncio.wait_for(former.lost.wait(), 5)


async def test_webrtc_is_the_room_of_those_who_offer_nothing_else(service: RunningService) -> None:
    session = create(service)
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", type="rtc_join")
        assert info["rtc_url"] == f"{service.url}/v1/rtc/{info['room_name']}"
        async with httpx.AsyncClient(trust_env=False) as http:
            wrong = await http.post(f"{info['rtc_url']}/whip", headers={"Authorization": "Bearer x"})
            assert wrong.status_code == 401
            preflight = await http.options(
                f"{info['rtc_url']}/whip",
                headers={
                    "Origin": "https://page.example",
                    "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "authorization,content-type",
                },
            )
            assert preflight.headers["access-control-allow-origin"] == "*"


async def test_frames_come_back_styled_over_webrtc(service: RunningService) -> None:
    session = create(service, prompt="level 90")
    async with (
        open_socket(session["websocket_url"]) as client,
        ServiceClient(service.url, "unused") as signalling,
    ):
        info = await client.ask("rtc_room_info", type="rtc_join", transports=["webrtc"])
        request = LinkRequest(
            info["rtc_url"], info["token"], info["room_name"], WIDTH, HEIGHT, 30, FrameKind.STYLED
        )
        async with Publisher(info, WebRtcLink(request, signalling)) as publisher:
            await publisher.level(90, within=20, tolerance=6)
            await client.hear("generation_tick")


async def test_shared_memory_is_not_for_other_hosts(service: RunningService) -> None:
    session = create(service)
    headers = {"X-Forwarded-For": "203.0.113.7"}  # as a proxy on this host says it
    url = session["websocket_url"]
    async with connect(url, proxy=None, additional_headers=headers) as socket:
        client = Client(socket)
        info = await client.ask("rtc_room_info", **JOIN)
        assert info["rtc_url"].startswith("http://")
        error = await client.ask("error", type="rtc_join", transports=["shared_memory"])
        assert error["code"] == "invalid_request_error" and error["error"].startswith("transports:")


@pytest.mark.expect_log("the engine failed on a frame")
async def test_a_look_that_breaks_ends_with_4011_and_not_in_silence(service: RunningService) -> None:
    session = create(service, prompt="broken frame")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info):
            assert await client.end() == (4011, "upstream_error")
    assert [each["type"] for each in client.told[-2:]] == ["error", "generation_ended"]
    assert client.told[-2]["code"] == "upstream_error"
    assert client.told[-1]["reason"] == "upstream_error"
    # The session was paid for: it may be opened again, with another prompt.
    async with open_socket(session["websocket_url"]) as client:
        await client.ask("prompt_ack", type="prompt", prompt="level 90")
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)


@pytest.mark.expect_log("the engine cannot make a look")
async def test_an_engine_that_cannot_be_started_is_4011(service: RunningService) -> None:
    session = create(service, prompt="no engine")
    async with open_socket(session["websocket_url"]) as client:
        await client.say(**JOIN)
        assert await client.end() == (4011, "upstream_error")


@pytest.mark.expect_log("the engine cannot make a look")
async def test_a_prompt_on_which_the_engine_fails_leaves_the_former_look(service: RunningService) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            ack = await client.ask("prompt_ack", type="prompt", prompt="no engine")
            assert ack["success"] is False and ack["error"]
            await publisher.level(90)


async def test_frames_flow_while_the_next_look_is_made(service: RunningService) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)
            await client.say(type="prompt", prompt="slow look level 150")
            before = (await publisher.level(90)).number
            after = (await publisher.level(150)).number
            assert after - before >= 2
