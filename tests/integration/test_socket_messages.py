"""The control socket's door and its grammar: who gets in, what is malformed, too large or too much."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from helpers.control_client import create, open_socket
from helpers.running_service import HastyClock, RunningService, running_service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.mark.parametrize("query", ["", "?token=", "?token=unknown", "?token=%ff"])
async def test_a_missing_or_unknown_token_is_accepted_and_closed_with_4001(
    service: RunningService, query: str
) -> None:
    async with open_socket(service.ws_url + query) as client:
        assert await client.end() == (4001, "authentication_error")
        assert [(each["type"], each["code"]) for each in client.told] == [("error", "authentication_error")]


async def test_an_expired_token_is_closed_with_4003(
    hasty: tuple[RunningService, HastyClock],
) -> None:
    service, clock = hasty
    session = create(service, ttl_seconds=60)
    await clock.sleep_until(datetime.fromisoformat(session["expires_at"]))
    for _ in range(2):
        async with open_socket(session["websocket_url"]) as client:
            assert await client.end() == (4003, "session_expired")
            assert client.told[0]["code"] == "session_expired"


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("{", "body: is not valid JSON"),
        ("[]", "body:"),
        ("{}", "type: must be one of prompt, rtc_join, set_image"),
        ('{"type": "dance"}', "type: must be one of"),
        ('{"type": "prompt"}', "prompt: is required"),
        ('{"type": "prompt", "prompt": 5}', "prompt:"),
        ('{"type": "prompt", "prompt": "a", "style": "b"}', "style: is not a known field"),
        (json.dumps({"type": "prompt", "prompt": "x" * 2001}), "prompt:"),
        ('{"type": "rtc_join", "transports": []}', "transports:"),
        ('{"type": "rtc_join", "transports": ["pigeon"]}', "transports"),
        ('{"type": "set_image"}', "image_data: is required"),
    ],
)
async def test_a_malformed_message_gets_an_error_and_the_session_goes_on(
    service: RunningService, text: str, start: str
) -> None:
    async with open_socket(create(service)["websocket_url"]) as client:
        await client.socket.send(text)
        error = await client.hear("error")
        assert error["code"] == "invalid_request_error" and error["error"].startswith(start)
        assert (await client.ask("prompt_ack", type="prompt", prompt="a"))["success"] is True


async def test_a_binary_message_gets_an_error(service: RunningService) -> None:
    async with open_socket(create(service)["websocket_url"]) as client:
        await client.socket.send(b"\x00")
        assert (await client.hear("error"))["code"] == "invalid_request_error"


async def test_an_endless_message_closes_the_socket_with_1009_and_not_the_session(
    service: RunningService,
) -> None:
    session = create(service)
    async with open_socket(session["websocket_url"]) as client:
        with suppress(ConnectionClosed):
            await client.socket.send("x" * (13 * 1024 * 1024))
        assert (await client.end())[0] == 1009
    async with open_socket(session["websocket_url"]) as client:
        assert (await client.ask("prompt_ack", type="prompt", prompt="a"))["success"] is True


@pytest.mark.parametrize("text", ['{"type": "prompt", "prompt": "a"}', "{", '{"type": "rtc_join"}'])
async def test_a_flood_is_told_that_it_is_one_and_the_session_goes_on(
    service: RunningService, text: str
) -> None:
    async with open_socket(create(service)["websocket_url"]) as client:
        for _ in range(500):
            await client.socket.send(text)
        assert (await client.hear("error"))["code"] in ("rate_limited", "invalid_request_error")
        while client.told[-1].get("code") != "rate_limited":
            await client.hear("error")
        await asyncio.sleep(0.5)
        await client.say(type="prompt", prompt="the last")
        async with asyncio.timeout(10):
            while client.told[-1].get("prompt") != "the last, expanded":
                await client.hear("prompt_ack")
        # What was dropped was not answered one by one: the answers cannot pile up either.
        assert len(client.told) < 250


async def test_large_messages_do_not_pile_up(service: RunningService) -> None:
    session = create(service)
    async with open_socket(session["websocket_url"]) as client:
        large = json.dumps({"type": "set_image", "image_data": "A" * (11 * 1024 * 1024)})
        for _ in range(6):
            await client.socket.send(large)
        async with asyncio.timeout(20):
            await client.say(type="prompt", prompt="the last")
            while client.told == [] or client.told[-1]["type"] != "prompt_ack":
                client.told.append(json.loads(await client.socket.recv()))
        assert {each["type"] for each in client.told[:-1]} <= {"set_image_ack", "error"}


async def test_no_secret_reaches_a_log(service: RunningService, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    session = create(service)
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", type="rtc_join")
        async with httpx.AsyncClient(trust_env=False) as http:
            await http.post(f"{info['rtc_url']}/whip", headers={"Authorization": f"Bearer {info['token']}"})
    mine = [each for each in caplog.records if not each.name.startswith(("httpx", "websockets.client"))]
    logged = "\n".join(each.getMessage() for each in mine)
    assert "/v1/realtime/sessions 201" in logged
    for secret in (session["client_secret"]["value"], info["token"], "ovp_live_"):
        assert secret not in logged
