"""The server of the page for OBS: who gets an answer, and what becomes of its address."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import closing

import httpx
import numpy as np
import pytest
from aiortc import RTCPeerConnection, RTCSessionDescription

from helpers.chooser import Chooser
from overpaint.media.frames import StyledFrame
from overpaint.media.links.webrtc_frames import to_picture
from overpaint.media.links.webrtc_peer import close_connection, new_connection
from overpaint.session import watch_page
from overpaint.session.watch_page import WatchPage
from overpaint.web.listening import LOOPBACK, open_listener
from overpaint.web.watch_server import WatchServer

WIDTH, HEIGHT = 320, 180
GREY = np.full((HEIGHT * 3 // 2, WIDTH), 128, np.uint8)
TOKEN = secrets.token_urlsafe(24)


@pytest.fixture
async def server() -> AsyncIterator[WatchServer]:
    running = WatchServer(open_listener(LOOPBACK, 0), TOKEN, WIDTH, HEIGHT, 30, lambda: None)
    running.open()
    yield running
    await running.close()


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(trust_env=False) as running:
        yield running


async def watcher(address: str, client: httpx.AsyncClient) -> tuple[RTCPeerConnection, str]:
    """A program that watches the page's room, and its resource there."""
    origin, token = address.rstrip("/").rsplit("/", 1)
    connection = new_connection()
    connection.addTransceiver("video", direction="recvonly")
    await connection.setLocalDescription(await connection.createOffer())
    answer = await client.post(
        f"{origin}/v1/rtc/obs/whep",
        content=str(connection.localDescription.sdp),
        headers={"Content-Type": "application/sdp", "Authorization": f"Bearer {token}"},
    )
    await connection.setRemoteDescription(RTCSessionDescription(answer.text, "answer"))
    return connection, origin + answer.headers["location"]


async def test_only_those_who_know_the_address_get_an_answer(
    server: WatchServer, client: httpx.AsyncClient
) -> None:
    origin = server.address.removesuffix(f"/{TOKEN}/")
    assert origin.startswith("http://127.0.0.1:")
    answer = await client.get(server.address)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
    assert answer.headers["permissions-policy"].startswith("camera=()")
    assert "access-control-allow-origin" not in answer.headers
    assert (await client.get(f"{server.address}watch.js")).status_code == 200
    assert (await client.get(f"{server.address}studio.js")).status_code == 404
    for path in ("/", "/wrong/", f"/{TOKEN[:-1]}/", "/wrong/watch.js", "/openapi.json", "/docs"):
        assert (await client.get(origin + path)).status_code == 404, path
    # A page of the network that resolves its own name to this computer.
    assert (await client.get(server.address, headers={"Host": "evil.example"})).status_code == 400


async def test_the_room_can_only_be_watched(server: WatchServer, client: httpx.AsyncClient) -> None:
    room = server.address.replace(f"{TOKEN}/", "v1/rtc/obs")
    connection = new_connection()
    connection.addTransceiver("video", direction="sendonly")
    await connection.setLocalDescription(await connection.createOffer())
    offer = str(connection.localDescription.sdp)
    kind = {"Content-Type": "application/sdp"}
    known = kind | {"Authorization": f"Bearer {TOKEN}"}
    assert (await client.post(f"{room}/whep", content=offer, headers=kind)).status_code == 401
    assert (await client.post(f"{room}/whip", content=offer, headers=known)).status_code == 404
    await close_connection(connection)


async def test_a_picture_that_stands_goes_on_coming(server: WatchServer, client: httpx.AsyncClient) -> None:
    connection, _ = await watcher(server.address, client)
    transceiver = connection.getTransceivers()[0]
    assert server.viewers == 1
    still = StyledFrame.slate(GREY)

    async def show() -> None:
        while True:
            server.publish(still)
            await asyncio.sleep(0.05)

    showing = asyncio.create_task(show())
    times = []
    async with asyncio.timeout(20):
        for _ in range(4):
            frame = await transceiver.receiver.track.recv()
            assert np.abs(to_picture(frame).astype(int) - 128).max() < 4
            times.append(frame.pts)
    assert times == sorted(set(times))
    showing.cancel()
    await close_connection(connection)


def page_of(news: asyncio.Event) -> WatchPage:
    return WatchPage((WIDTH, HEIGHT), 30, Chooser(GREY).standing, news.set)


async def address_of(page: WatchPage, news: asyncio.Event) -> str:
    async with asyncio.timeout(30):
        while not page.facts.address:
            await news.wait()
            news.clear()
    return page.facts.address


async def test_its_address_stays_over_off_and_on(client: httpx.AsyncClient) -> None:
    news = asyncio.Event()
    page = page_of(news)
    page.switch(True)
    address = await address_of(page, news)
    assert page.stage is not None
    # Who looks is told as it changes: a session may rest while nobody does.
    news.clear()
    connection, resource = await watcher(address, client)
    assert news.is_set() and page.viewers == 1
    news.clear()
    token = address.rstrip("/").rpartition("/")[2]
    await client.delete(resource, headers={"Authorization": f"Bearer {token}"})
    assert news.is_set() and page.viewers == 0
    await close_connection(connection)
    news.clear()
    page.switch(False)
    page.switch(True)
    page.switch(True)
    assert await address_of(page, news) == address
    assert (await client.get(address)).status_code == 200
    await page.close()
    with pytest.raises(httpx.ConnectError):
        await client.get(address)
    # The next process, with what the settings have kept.
    successor = page_of(news)
    successor.port, successor.token = page.port, page.token
    successor.switch(True)
    assert await address_of(successor, news) == address
    assert successor.facts.trouble is None
    await successor.close()


async def test_a_port_that_is_gone_for_good_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_page, "PORT_PATIENCE_S", 0.1)
    news = asyncio.Event()
    page = page_of(news)
    with closing(socket.create_server((LOOPBACK, 0))) as other:
        page.port, page.token = other.getsockname()[1], TOKEN
        page.switch(True)
        address = await address_of(page, news)
        assert address.endswith(f"/{TOKEN}/") and f":{other.getsockname()[1]}/" not in address
        trouble = page.facts.trouble
        assert trouble is not None and "Copy it into OBS again" in trouble.mend
        await page.close()
