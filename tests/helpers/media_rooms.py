"""A real HTTP server around WebRTC rooms, and the WHIP/WHEP client side with httpx."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from urllib.parse import urljoin

import httpx
import uvicorn
from fastapi import FastAPI

from overpaint.core.http.error_answers import install_faults
from overpaint.core.http.metrics import Metrics
from overpaint.errors import InvalidRequestError, NotFoundError, UnreachableError
from overpaint.media.frames import FrameKind, RawFrame, StyledFrame
from overpaint.media.links import LinkRequest
from overpaint.media.webrtc.desktop_link import WebRtcRoom
from overpaint.web.whip import whip_router


def rooms_app(rooms: dict[str, WebRtcRoom]) -> FastAPI:
    """The media routes alone, with the service's error object."""
    app = FastAPI()
    app.include_router(whip_router(rooms.get))
    install_faults(app, Metrics())
    return app


@asynccontextmanager
async def served(rooms: dict[str, WebRtcRoom], host: str = "127.0.0.1") -> AsyncIterator[str]:
    """Serves rooms on a free port; yields the base URL; closes the rooms at the end."""
    listener = socket.socket()
    listener.bind((host, 0))
    config = uvicorn.Config(rooms_app(rooms), log_level="error", ws="none", lifespan="off")
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined,method-assign]
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:  # noqa: ASYNC110 - uvicorn tells nobody
        await asyncio.sleep(0.01)
    try:
        yield f"http://{host}:{listener.getsockname()[1]}"
    finally:
        for room in rooms.values():
            await room.close()
        server.should_exit = True
        await task
        listener.close()


def request_for(room: WebRtcRoom, base_url: str) -> LinkRequest:
    """What ``rtc_room_info`` would tell a desktop."""
    url = f"{base_url}/v1/rtc/{room.name}"
    return LinkRequest(url, room.token, room.name, room.width, room.height, room.fps, FrameKind.STYLED)


class HttpSignalling:
    """The HTTP part of WHIP and WHEP."""

    def __init__(self) -> None:
        self.posted: list[str] = []
        self.deleted: list[str] = []

    async def post_sdp(self, url: str, sdp: str, token: str) -> tuple[str, str, list[str]]:
        self.posted.append(url.rpartition("/")[2])
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/sdp"}
        async with httpx.AsyncClient() as client:
            try:
                answer = await client.post(url, content=sdp, headers=headers)
            except httpx.TransportError as error:
                raise UnreachableError("service_unreachable", address=url) from error
        if answer.status_code != 201:
            said = answer.json()["error"]
            raise InvalidRequestError("service_refuses", kind=said["type"], sentence=said["message"])
        return answer.text, urljoin(url, answer.headers["location"]), answer.headers.get_list("link")

    async def delete_resource(self, url: str, token: str) -> None:
        async with httpx.AsyncClient() as client:
            answer = await client.delete(url, headers={"Authorization": f"Bearer {token}"})
        if answer.status_code != 200:
            raise NotFoundError("service_refuses", kind="", sentence=answer.text)
        self.deleted.append(url)


async def echo(room: WebRtcRoom) -> None:
    """An engine that changes nothing, until the room closes."""

    def work() -> None:
        while not room.incoming.closed:
            frame: RawFrame | None = room.incoming.take(1)
            if frame is not None:
                room.publish(StyledFrame(frame.image, frame.number, frame.captured_ns, FrameKind.STYLED))

    await asyncio.to_thread(work)


def serve_echo(pipe: Connection, width: int, height: int, fps: float) -> None:
    """A core with one room and an engine that changes nothing, as a process of its own.

    Sends ``(base_url, token)`` first; then its CPU seconds for each message, until None comes.
    """

    async def main() -> None:
        rooms: dict[str, WebRtcRoom] = {}
        async with served(rooms) as base_url:
            room = rooms["echo"] = WebRtcRoom("echo", width, height, fps, base_url)
            engine = asyncio.create_task(echo(room))
            pipe.send((base_url, room.token))
            while await asyncio.to_thread(pipe.recv) is not None:
                pipe.send(time.process_time())
        await engine

    asyncio.run(main())
