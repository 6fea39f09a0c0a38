"""A control socket and its room as a plain client holds them: sends what it is told, keeps what it hears."""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import cv2
import httpx
import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from helpers.running_service import RunningService
from overpaint.core.names import secret_digest
from overpaint.errors import LinkError
from overpaint.media.frames import FrameKind, RawFrame, StyledFrame, now_ns
from overpaint.media.links import FrameLink, LinkRequest
from overpaint.media.links.shared_memory import SharedMemoryLink

WIDTH, HEIGHT = 1280, 720
JOIN = {"type": "rtc_join", "transports": ["shared_memory", "webrtc"], "fps": 30}


def order(url: str, key: str, idempotency_key: str | None = None, **body: Any) -> dict[str, Any]:
    """Creates a session."""
    headers = {"Authorization": f"Bearer {key}"}
    if idempotency_key is not None:
        headers["Idempotency-Key"] = idempotency_key
    answer = httpx.post(
        f"{url}/v1/realtime/sessions", json={"model": "service-realtime-720p", **body}, headers=headers
    )
    assert answer.status_code == 201, answer.text
    session: dict[str, Any] = answer.json()
    return session


def create(service: RunningService, **body: Any) -> dict[str, Any]:
    """Creates a session with a key of its own."""
    return order(service.url, service.key(secrets.token_hex(4)), **body)


def photo(level: int = 200, side: int = 64, suffix: str = ".png") -> str:
    """A grey picture in base64."""
    picture = np.full((side, side, 3), level, np.uint8)
    return base64.b64encode(cv2.imencode(suffix, picture)[1].tobytes()).decode()


async def over(service: RunningService, session: dict[str, Any], within: float = 10.0) -> str:
    """Waits until the ledger knows that a session is over; why."""
    digest = secret_digest(session["client_secret"]["value"])
    async with asyncio.timeout(within):
        while True:
            record = await asyncio.to_thread(service.ledger.session, digest)
            assert record is not None
            if record.ended is not None:
                return record.ended
            await asyncio.sleep(0.05)


class Client:
    """A socket that keeps what it was told."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.told: list[dict[str, Any]] = []

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self, kind: str, within: float = 20.0) -> dict[str, Any]:
        """The next message of a kind; the others before it are kept in ``told``."""
        async with asyncio.timeout(within):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                self.told.append(message)
                if message["type"] == kind:
                    return message

    async def end(self, within: float = 20.0) -> tuple[int, str]:
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
        request = LinkRequest(
            info["rtc_url"], info["token"], info["room_name"], WIDTH, HEIGHT, 30, FrameKind.STYLED
        )
        self.link = link or SharedMemoryLink(request)
        self.lost = asyncio.Event()
        self._why: LinkError | None = None
        self._number = 0
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Publisher:
        self._loop = asyncio.get_running_loop()
        await self.link.open(self._end)
        self._task = asyncio.create_task(self._send())
        return self

    async def __aexit__(self, *failure: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await self.link.close()

    def _end(self, why: LinkError) -> None:
        self._why = why
        self._loop.call_soon_threadsafe(self.lost.set)

    async def _send(self) -> None:
        image = np.zeros((HEIGHT * 3 // 2, WIDTH), np.uint8)
        while True:
            self.link.send(RawFrame(image, self._number, now_ns()))
            self._number += 1
            await asyncio.sleep(1 / 30)

    async def first(self, within: float = 10.0) -> int:
        """The grey level of the first frame that comes back."""
        frame = await asyncio.to_thread(self.link.received.take, within)
        assert frame is not None, (
            f"no frame came back of {self._number}, {self.link.dropped} dropped; link lost: {self._why}"
        )
        return int(frame.image[0, 0])

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
