"""The specification's rows about the control socket and the media room, tried from outside: every message
and close code on the real process with the real engine; frames cross by shared memory."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import httpx
import numpy as np
import pytest

from helpers.control_client import open_socket
from helpers.served import SESSIONS, Served, say, upload
from helpers.short_session import ShortSession
from helpers.small_media import picture
from overpaint.media.frames import FrameKind, RawFrame, StyledFrame, now_ns
from overpaint.media.links import LinkRequest
from overpaint.media.links.shared_memory import SharedMemoryLink

pytestmark = pytest.mark.usefixtures("short_session")

JOIN = {"type": "rtc_join", "transports": ["shared_memory", "webrtc"], "width": 640, "height": 360, "fps": 30}


@pytest.fixture(scope="module")
def caller(public: Served) -> httpx.Client:
    return public.caller("socket", 10_000)


def create(caller: httpx.Client, **order: Any) -> dict[str, Any]:
    answer = caller.post(SESSIONS, json={"model": "service-realtime-720p", "prompt": "oil"} | order)
    assert answer.status_code == 201
    body: dict[str, Any] = answer.json()
    return body


@asynccontextmanager
async def publishing(info: dict[str, Any]) -> AsyncIterator[SharedMemoryLink]:
    """Sends frames into a room, 30 a second, each of them with noise on its left half."""
    assert info["rtc_url"].startswith("shm://")
    link = SharedMemoryLink(
        LinkRequest(info["rtc_url"], info["token"], info["room_name"], 1280, 720, 30, FrameKind.STYLED)
    )
    await link.open(lambda _: None)
    image = np.full((1080, 1280), 128, np.uint8)
    image[:720, :640] = np.random.default_rng(3).integers(0, 255, (720, 640), np.uint8)

    async def send() -> None:
        for number in range(10_000):
            link.send(RawFrame(image, number, now_ns()))
            await asyncio.sleep(1 / 30)

    sender = asyncio.create_task(send())
    try:
        yield link
    finally:
        sender.cancel()
        await link.close()


async def styled(link: SharedMemoryLink) -> StyledFrame:
    """A frame that came back."""
    frame = await asyncio.to_thread(link.received.take, 20)
    assert frame is not None
    return frame


# ---- who gets in --------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "?token=", "?token=unknown", "?token=%00", "?secret=x"])
async def test_a_missing_or_unknown_token_closes_with_4001(public: Served, query: str) -> None:
    async with open_socket(public.url.replace("http", "ws", 1) + "/v1/realtime/stream" + query) as client:
        assert await client.end() == (4001, "authentication_error")
        (told,) = client.told
        assert told.keys() == {"type", "code", "error"}
        assert (told["type"], told["code"]) == ("error", "authentication_error")


async def test_an_api_key_is_no_token(public: Served, caller: httpx.Client) -> None:
    key = caller.headers["authorization"].removeprefix("Bearer ")
    url = public.url.replace("http", "ws", 1) + f"/v1/realtime/stream?token={key}"
    async with open_socket(url) as client:
        assert (await client.end())[0] == 4001


async def test_a_newer_socket_replaces_the_older_one(caller: httpx.Client) -> None:
    url = create(caller)["websocket_url"]
    async with open_socket(url) as older, open_socket(url) as newer:
        assert await older.end() == (4003, "session_closed")
        assert older.told[-1]["type"] == "generation_ended" and older.told[-1]["reason"] == "session_closed"
        await newer.say(type="prompt", prompt="ink")
        assert (await newer.hear("prompt_ack"))["success"] is True


async def test_a_revoked_key_ends_its_open_session(public: Served) -> None:
    url = create(public.caller("socket leaver", 25))["websocket_url"]
    async with open_socket(url) as client:
        await client.say(**JOIN)
        await client.hear("rtc_room_info")
        await asyncio.to_thread(
            say, "keys", "revoke", "--name", "socket leaver", "--data-dir", str(public.folder)
        )
        assert (await client.end())[0] == 4003
    async with open_socket(url) as again:
        assert (await again.end())[0] == 4003


# ---- the messages -------------------------------------------------------------------------------------


async def test_a_browser_that_offers_nothing_gets_a_webrtc_room(public: Served, caller: httpx.Client) -> None:
    async with open_socket(create(caller)["websocket_url"]) as client:
        await client.say(type="rtc_join")
        info = await client.hear("rtc_room_info")
        assert info.keys() == {"type", "rtc_url", "token", "room_name"}
        assert info["rtc_url"].startswith(f"{public.url}/v1/rtc/") and info["token"] and info["room_name"]
        # RFC 9725: below it are the publishing and the watching end, closed to everybody else.
        for end in ("whip", "whep"):
            headers = {"Content-Type": "application/sdp", "Authorization": "Bearer wrong"}
            answer = public.client().post(f"{info['rtc_url']}/{end}", content="v=0", headers=headers)
            assert answer.status_code == 401


async def test_the_life_of_a_stream(caller: httpx.Client) -> None:
    session = create(caller, prompt="film noir")
    async with open_socket(session["websocket_url"]) as client:
        await client.say(**JOIN)
        info = await client.hear("rtc_room_info")
        async with publishing(info) as link:
            started = await client.hear("generation_started")
            assert started.keys() == {"type", "session_id", "model", "width", "height", "fps", "engine"}
            assert started["session_id"] == session["id"] and started["model"] == "service-realtime-720p"
            assert (started["width"], started["height"]) == (1280, 720)
            frame = await styled(link)
            assert frame.image.shape == (1080, 1280), "exactly 1280×720, whatever was announced"
            chroma = frame.image[720:].astype(int)
            assert abs(chroma - 128).mean() < 12, "the prompt of the creation, from the first frame"
            ticks = [await client.hear("generation_tick") for _ in range(3)]
            assert all(tick.keys() == {"type", "seconds", "frames", "fps"} for tick in ticks)
            seconds = [tick["seconds"] for tick in ticks]
            assert seconds == [seconds[0], seconds[0] + 1, seconds[0] + 2] and seconds[0] >= 1
            assert all(tick["frames"] > 0 for tick in ticks)
            await client.say(type="prompt", prompt="red tint", enhance_prompt=False)
            ack = await client.hear("prompt_ack")
            assert ack["success"] is True and ack["prompt"]
            photo = base64.b64encode(picture(form="JPEG")).decode()
            await client.say(type="set_image", image_data=photo, prompt="oil", enhance_prompt=True)
            assert await client.hear("set_image_ack") == {"type": "set_image_ack", "success": True}
            await client.say(type="nonsense")
            error = await client.hear("error")
            assert error.keys() == {"type", "code", "error"} and error["code"] == "invalid_request_error"
            await client.hear("generation_tick")  # and the session goes on


async def test_a_prompt_that_may_not_be_expanded_is_confirmed_word_for_word(caller: httpx.Client) -> None:
    words = "  neon cyberpunk,\tRed "
    session = create(caller, prompt=words, enhance_prompt=False)
    assert session["prompt"] == words
    async with open_socket(session["websocket_url"]) as client:

        async def confirmed(prompt: str, **more: bool) -> str:
            ack = await client.ask("prompt_ack", type="prompt", prompt=prompt, **more)
            assert ack["success"] is True
            return str(ack["prompt"])

        assert await confirmed(words, enhance_prompt=False) == words  # as the session was created
        assert (await confirmed(words)).startswith("Neon night, ")
        for prompt in (words, words, "", "no look of this name"):
            assert await confirmed(prompt, enhance_prompt=False) == prompt
        image = {"image_data": base64.b64encode(picture(form="JPEG")).decode(), "prompt": words}
        await client.ask("set_image_ack", type="set_image", **image, enhance_prompt=False)
        assert await confirmed(words, enhance_prompt=False) == words
    async with open_socket(session["websocket_url"]) as client:  # a new socket of the same session
        assert await confirmed(words, enhance_prompt=False) == words


async def test_a_lost_socket_comes_back_to_its_current_prompt(caller: httpx.Client) -> None:
    url = create(caller, prompt="oil")["websocket_url"]
    async with open_socket(url) as client:
        await client.say(type="prompt", prompt="film noir", enhance_prompt=False)
        await client.hear("prompt_ack")
        client.socket.transport.abort()
    async with open_socket(url) as client:
        await client.say(**JOIN)
        async with publishing(await client.hear("rtc_room_info")) as link:
            frame = await styled(link)
            assert abs(frame.image[720:].astype(int) - 128).mean() < 12


async def test_a_reference_photo_that_cannot_be_had_is_told_and_the_stream_goes_on(
    caller: httpx.Client,
) -> None:
    session = create(caller, reference_image_url="http://127.0.0.1:9/photo.jpg")
    async with open_socket(session["websocket_url"]) as client:
        await client.say(**JOIN)
        info = await client.hear("rtc_room_info")
        async with publishing(info):
            await client.hear("generation_tick")
    (told,) = [each for each in client.told if each["type"] == "reference_image_error"]
    assert told["error"]


async def test_a_reference_photo_of_ones_own_is_applied(caller: httpx.Client) -> None:
    url = upload(caller, picture(320, 180))["url"]
    async with open_socket(create(caller, reference_image_url=url)["websocket_url"]) as client:
        await client.say(**JOIN)
        async with publishing(await client.hear("rtc_room_info")):
            await client.hear("generation_tick")
    assert "reference_image_error" not in {each["type"] for each in client.told}


# ---- the end ------------------------------------------------------------------------------------------


@pytest.mark.full  # waits for its minute; test_socket_life.py has it under a clock that hurries
async def test_a_session_ends_to_the_second_and_stays_ended(short_session: ShortSession) -> None:
    await asyncio.to_thread(short_session.wait)
    expires = datetime.fromisoformat(short_session.bought["expires_at"])
    assert short_session.closed == (4003, "session_expired")
    assert abs((short_session.closed_at - expires).total_seconds()) < 1
    assert short_session.told == [{"type": "generation_ended", "seconds": 0, "reason": "session_expired"}]
    began = time.monotonic()
    async with open_socket(short_session.bought["websocket_url"]) as client:
        assert (await client.end())[0] == 4003
        assert client.told[0]["code"] == "session_expired" and time.monotonic() - began < 5
