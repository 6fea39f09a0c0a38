"""The control socket, over a real one: every message, every close code, and what a session survives."""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from helpers.running_service import HastyClock, RunningService, running_service
from overpaint.client import ServiceClient
from overpaint.media.frames import RawFrame, StyledFrame, now_ns
from overpaint.media.links import FrameLink, LinkRequest
from overpaint.media.links.shared_memory import SharedMemoryLink
from overpaint.media.links.webrtc import WebRtcLink

WIDTH, HEIGHT = 1280, 720
JOIN = {"type": "rtc_join", "transports": ["shared_memory", "webrtc"], "fps": 30}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, HastyClock]]:
    """A service for which a minute is a second."""
    clock = HastyClock(60)
    with running_service(tmp_path_factory.mktemp("hasty"), clock) as running:
        yield running, clock


def create(service: RunningService, **order: Any) -> dict[str, Any]:
    answer = httpx.post(
        f"{service.url}/v1/realtime/sessions",
        json={"model": "service-realtime-720p", **order},
        headers={"Authorization": f"Bearer {service.key(secrets.token_hex(4))}"},
    )
    assert answer.status_code == 201
    body: dict[str, Any] = answer.json()
    return body


async def expired(service: RunningService, session: dict[str, Any]) -> None:
    """Waits until the service says so."""
    async with asyncio.timeout(10):
        while service.service.sessions.find(session["client_secret"]["value"]) != "session_expired":  # noqa: ASYNC110
            await asyncio.sleep(0.05)


class Client:
    """A socket that keeps what it was told."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.told: list[dict[str, Any]] = []

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self, kind: str, within: float = 10.0) -> dict[str, Any]:
        """The next message of a kind; the others before it are kept in ``told``."""
        async with asyncio.timeout(within):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                self.told.append(message)
                if message["type"] == kind:
                    return message

    async def end(self, within: float = 10.0) -> tuple[int, str]:
        """Reads until the server closes; its code and reason."""
        async with asyncio.timeout(within):
            try:
                while True:
                    self.told.append(json.loads(await self.socket.recv()))
            except ConnectionClosed as closed:
                assert closed.rcvd is not None
                return closed.rcvd.code, closed.rcvd.reason

    async def ask(self, kind: str, **message: Any) -> dict[str, Any]:
        await self.say(**message)
        return await self.hear(kind)


@asynccontextmanager
async def open_socket(url: str) -> AsyncIterator[Client]:
    async with connect(url, proxy=None, compression=None, max_size=None) as socket:
        yield Client(socket)


class Publisher:
    """Sends black frames through a room at 30 a second and keeps the newest that came back."""

    def __init__(self, info: dict[str, Any], link: FrameLink | None = None) -> None:
        request = LinkRequest(info["rtc_url"], info["token"], info["room_name"], WIDTH, HEIGHT, 30)
        self.link = link or SharedMemoryLink(request)
        self.lost = asyncio.Event()
        self._number = 0
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Publisher:
        loop = asyncio.get_running_loop()
        await self.link.open(lambda sentence: loop.call_soon_threadsafe(self.lost.set))
        self._task = asyncio.create_task(self._send())
        return self

    async def __aexit__(self, *failure: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await self.link.close()

    async def _send(self) -> None:
        image = np.zeros((HEIGHT * 3 // 2, WIDTH), np.uint8)
        while True:
            self.link.send(RawFrame(image, self._number, now_ns()))
            self._number += 1
            await asyncio.sleep(1 / 30)

    async def level(self, wanted: int, within: float = 10.0, tolerance: int = 0) -> StyledFrame:
        """Waits until a frame of a grey level comes back."""
        until = time.monotonic() + within
        seen: set[int] = set()
        while time.monotonic() < until:
            frame = await asyncio.to_thread(self.link.received.take, 1.0)
            if frame is not None:
                seen.add(int(frame.image[0, 0]))
                if abs(int(frame.image[0, 0]) - wanted) <= tolerance:
                    return frame
        raise AssertionError(f"only levels {seen} came back")


def photo(level: int = 200, side: int = 64, suffix: str = ".png") -> str:
    picture = np.full((side, side, 3), level, np.uint8)
    return base64.b64encode(cv2.imencode(suffix, picture)[1].tobytes()).decode()


# ---- who gets in -----------------------------------------------------------------------------------


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
    service, _ = hasty
    session = create(service, ttl_seconds=60)
    await expired(service, session)
    async with open_socket(session["websocket_url"]) as client:
        assert await client.end() == (4003, "session_expired")
        assert client.told[0]["code"] == "session_expired"


# ---- the stream ------------------------------------------------------------------------------------


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
            first = await asyncio.to_thread(publisher.link.received.take, 5.0)
            assert first is not None and first.image[0, 0] == 90
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


async def test_a_new_photo_shows_and_keeps_the_prompt(service: RunningService) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            assert await client.ask("set_image_ack", type="set_image", image_data=photo(200)) == {
                "type": "set_image_ack",
                "success": True,
            }
            await publisher.level(200)
            await client.ask("set_image_ack", type="set_image", image_data=photo(77), prompt="oil")
            await publisher.level(77)
            ack = await client.ask("prompt_ack", type="prompt", prompt="ink")
            assert ack["prompt"] == "ink, expanded, like a photo of 64×64"


@pytest.mark.parametrize(
    ("image_data", "part"),
    [
        ("%%%", "base64"),
        (base64.b64encode(b"hello").decode(), "not a JPEG"),
        (photo()[:40] + "=" * (-len(photo()[:40]) % 4), "damaged"),
        ("A" * (12 * 1024 * 1024 - 200), "8 MB"),
        (photo(side=4), "too small"),
    ],
)
async def test_a_bad_photo_is_one_sentence_and_the_style_stays(
    service: RunningService, image_data: str, part: str
) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        ack = await client.ask("set_image_ack", type="set_image", image_data=image_data)
        assert ack["success"] is False and part in ack["error"]
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            await publisher.level(90)


async def test_a_photo_address_is_answered_honestly_and_the_stream_goes_on(
    service: RunningService,
) -> None:
    session = create(service, prompt="level 90", reference_image_url="https://example.org/a.jpg")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        assert "set_image" in (await client.hear("reference_image_error"))["error"]
        async with Publisher(info) as publisher:
            await publisher.level(90)


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
            frame = await asyncio.to_thread(publisher.link.received.take, 5.0)
            assert frame is not None and frame.image[0, 0] == 150


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
        request = LinkRequest(info["rtc_url"], info["token"], info["room_name"], WIDTH, HEIGHT, 30)
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


# ---- what is malformed -----------------------------------------------------------------------------


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


async def test_an_endless_message_closes_the_socket_and_not_the_session(service: RunningService) -> None:
    session = create(service)
    async with open_socket(session["websocket_url"]) as client:
        with pytest.raises(ConnectionClosed):
            await client.socket.send("x" * (13 * 1024 * 1024))
            await client.socket.recv()
    async with open_socket(session["websocket_url"]) as client:
        assert (await client.ask("prompt_ack", type="prompt", prompt="a"))["success"] is True


# ---- what a session survives -----------------------------------------------------------------------


async def test_a_lost_socket_comes_back_to_its_prompt_its_photo_and_its_seconds(
    service: RunningService,
) -> None:
    session = create(service, prompt="level 90")
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        await client.ask("prompt_ack", type="prompt", prompt="ink")
        await client.ask("set_image_ack", type="set_image", image_data=photo(201))
        async with Publisher(info) as publisher:
            await publisher.level(201)
            await client.hear("generation_tick")
            client.socket.transport.abort()
            await asyncio.sleep(0.1)
            await publisher.level(201)  # frames go on while nobody is at the socket
    async with open_socket(session["websocket_url"]) as client:
        info = await client.ask("rtc_room_info", **JOIN)
        async with Publisher(info) as publisher:
            frame = await asyncio.to_thread(publisher.link.received.take, 5.0)
            assert frame is not None and frame.image[0, 0] == 201
            assert (await client.hear("generation_tick"))["seconds"] >= 2


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
    secret = session["client_secret"]["value"]
    assert service.service.sessions.find(secret) == "session_expired"


async def test_a_session_expires_also_while_nobody_is_there(hasty: tuple[RunningService, HastyClock]) -> None:
    service, _ = hasty
    session = create(service, ttl_seconds=60)
    await expired(service, session)


# ---- when the engine fails ---------------------------------------------------------------------------


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


# ---- the end of the service ----------------------------------------------------------------------


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


async def test_a_repeated_order_finds_its_session_after_the_core_was_restarted(data_folder: Path) -> None:
    def order(service: RunningService) -> dict[str, Any]:
        answer = httpx.post(
            f"{service.url}/v1/realtime/sessions",
            json={"model": "service-realtime-720p", "prompt": "level 90"},
            headers={"Authorization": f"Bearer {key}", "Idempotency-Key": "once"},
        )
        assert answer.status_code == 201
        body: dict[str, Any] = answer.json()
        return body

    with running_service(data_folder) as service:
        key = service.key("a", 30)
        first = order(service)
    with running_service(data_folder) as service:
        again = order(service)
        assert again["client_secret"] == first["client_secret"] and again["credits_remaining"] == 5
        async with open_socket(again["websocket_url"]) as client:
            await client.ask("rtc_room_info", **JOIN)


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
