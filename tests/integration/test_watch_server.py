"""The server of the page for OBS: who gets an answer, and what becomes of its address."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import secrets
import socket
import stat
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import numpy as np
import pytest
from aiortc import RTCPeerConnection, RTCSessionDescription
from numpy.typing import NDArray

from helpers.browser import Browser, Page, browser, program
from helpers.chooser import Chooser
from helpers.matrix import few_of
from overpaint.media import pictures
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.hold_policy import Choices
from overpaint.media.webrtc.av_frames import to_picture
from overpaint.media.webrtc.peer import close_connection, new_connection
from overpaint.session.output import browser_source
from overpaint.session.output.browser_source import PageSink, WatchPage
from overpaint.web import watch_proofs
from overpaint.web.listening_port import LOOPBACK, open_listener
from overpaint.web.watch_files import DOOR_FILE, PAGE_FILE, Door
from overpaint.web.watch_server import WatchServer

WIDTH, HEIGHT = 320, 180
GREY = np.full((HEIGHT * 3 // 2, WIDTH), 128, np.uint8)


def coloured(bgr: tuple[int, int, int]) -> NDArray[np.uint8]:
    return pictures.from_bgr(np.full((HEIGHT, WIDTH, 3), bgr, np.uint8))


COLOURS = {FrameKind.STYLED: coloured((220, 60, 60)), FrameKind.ORIGINAL: coloured((60, 60, 220))}
SDP = {"Content-Type": "application/sdp"}
FILE = {"Origin": "null"}
"""What a browser says of a page from a file."""


@dataclass(frozen=True)
class Told:
    """What ``obs-door.js`` says, and how a page uses it."""

    port: int
    key: str
    standing: str = ""

    @property
    def origin(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    async def token(self, client: httpx.AsyncClient) -> str:
        """A token for one visit; checks that the server proves itself."""
        mine = secrets.token_hex(32)
        told = (await client.get(f"{self.origin}/v1/watch/hello", params={"nonce": mine})).json()
        assert told["proof"] == self._proof("server", mine, told["nonce"])
        return f"{mine}.{told['nonce']}.{self._proof('page', mine, told['nonce'])}"

    def _proof(self, who: str, mine: str, theirs: str) -> str:
        said = f"overpaint {who}\n{mine}\n{theirs}".encode()
        return hmac.new(bytes.fromhex(self.key), said, hashlib.sha256).hexdigest()


def told_in(folder: Path) -> Told | None:
    said = re.fullmatch(r"globalThis\.overpaintDoor = (.*);\n", (folder / DOOR_FILE).read_text("utf-8"))
    assert said is not None
    found = json.loads(said[1])
    return Told(**found) if "port" in found else None


@pytest.fixture
async def server() -> AsyncIterator[WatchServer]:
    running = WatchServer(open_listener(LOOPBACK, 0), WIDTH, HEIGHT, 30, lambda: None)
    running.open()
    yield running
    await running.close()


@pytest.fixture
def door(server: WatchServer) -> Told:
    return Told(server.port, server.key)


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(trust_env=False) as running:
        yield running


async def offer(direction: str = "recvonly") -> RTCPeerConnection:
    connection = new_connection()
    connection.addTransceiver("video", direction=direction)
    await connection.setLocalDescription(await connection.createOffer())
    return connection


async def watcher(door: Told, client: httpx.AsyncClient) -> tuple[RTCPeerConnection, str, str]:
    """A page that watches the room, its resource there, and its token."""
    connection, token = await offer(), await door.token(client)
    answer = await client.post(
        f"{door.origin}/v1/rtc/obs/whep",
        content=str(connection.localDescription.sdp),
        headers=SDP | {"Authorization": f"Bearer {token}"},
    )
    assert answer.status_code == 201, answer.text
    await connection.setRemoteDescription(RTCSessionDescription(answer.text, "answer"))
    return connection, door.origin + answer.headers["location"], token


class TestTheServer:
    async def test_only_pages_that_prove_themselves_watch(
        self, door: Told, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        connection, whep = await offer(), f"{door.origin}/v1/rtc/obs/whep"
        sdp = str(connection.localDescription.sdp)

        async def ask(token: str) -> int:
            headers = SDP | FILE | ({"Authorization": f"Bearer {token}"} if token else {})
            return (await client.post(whep, content=sdp, headers=headers)).status_code

        other = Told(door.port, "00" * 32)
        mine = secrets.token_hex(32)
        told = (await client.get(f"{door.origin}/v1/watch/hello", params={"nonce": mine})).json()
        strangers = ["", "x", door.key, f"{mine}.{told['nonce']}.{told['proof']}"]
        strangers.append(f"{mine}.{told['nonce']}.{other._proof('page', mine, told['nonce'])}")
        invented = "ff" * 32
        strangers.append(f"{mine}.{invented}.{door._proof('page', mine, invented)}")
        assert [await ask(token) for token in strangers] == [401] * len(strangers)
        token = await door.token(client)
        monkeypatch.setattr(watch_proofs, "FRESH_SECONDS", 0.0)
        await asyncio.sleep(0.01)
        assert await ask(token) == 401, "too old"
        monkeypatch.undo()
        assert await ask(token) == 201
        for nonce in ("", "x", "0" * 63, "g" * 64):
            answer = await client.get(f"{door.origin}/v1/watch/hello", params={"nonce": nonce})
            assert answer.status_code == 400
        await close_connection(connection)

    async def test_it_is_asked_by_files_and_programs_of_this_computer(
        self, door: Told, client: httpx.AsyncClient
    ) -> None:
        hello = f"{door.origin}/v1/watch/hello?nonce={secrets.token_hex(32)}"
        for origin, allowed in (("null", "null"), ("https://evil.example", None)):
            answer = await client.get(hello, headers={"Origin": origin})
            assert answer.headers.get("access-control-allow-origin") == allowed
        # A page of the network that resolves its own name to this computer.
        assert (await client.get(hello, headers={"Host": "evil.example"})).status_code == 400
        for path in ("/", "/openapi.json", "/docs", "/obs.js", "/some/obs.html"):
            assert (await client.get(door.origin + path)).status_code == 404, path

    async def test_an_address_of_a_former_version_opens_nothing_and_says_what_to_do(
        self, door: Told, client: httpx.AsyncClient
    ) -> None:
        answer = await client.get(f"{door.origin}/{secrets.token_urlsafe(24)}/")
        assert answer.status_code == 410 and "Page for OBS" in answer.text
        assert "script" not in answer.text and door.key not in answer.text
        assert (await client.get(f"{door.origin}/moved.css")).status_code == 200

    async def test_the_room_can_only_be_watched(self, door: Told, client: httpx.AsyncClient) -> None:
        connection = await offer("sendonly")
        known = SDP | {"Authorization": f"Bearer {await door.token(client)}"}
        answer = await client.post(
            f"{door.origin}/v1/rtc/obs/whip",
            content=str(connection.localDescription.sdp),
            headers=known,
        )
        assert answer.status_code == 401
        await close_connection(connection)

    async def test_a_page_ends_its_own_part_and_no_others(
        self, server: WatchServer, door: Told, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (one, resource, token), (two, _, others) = [await watcher(door, client) for _ in range(2)]
        assert server.viewers == 2
        monkeypatch.setattr(watch_proofs, "FRESH_SECONDS", 0.0)  # hours later
        for bearer, status in ((others, 401), (token, 200)):
            answer = await client.delete(resource, headers={"Authorization": f"Bearer {bearer}"})
            assert answer.status_code == status
        assert server.viewers == 1
        await asyncio.gather(close_connection(one), close_connection(two))

    async def test_connections_that_say_nothing_do_not_silence_it(
        self, door: Told, client: httpx.AsyncClient
    ) -> None:
        with ExitStack() as stack:
            for _ in range(150):
                stack.enter_context(socket.create_connection((LOOPBACK, door.port), timeout=10))
            await asyncio.sleep(0.2)
            for _ in range(5):
                async with httpx.AsyncClient(trust_env=False) as other:
                    assert await door.token(other)

    async def test_a_picture_that_stands_goes_on_coming(
        self, server: WatchServer, door: Told, client: httpx.AsyncClient
    ) -> None:
        connection, _, _ = await watcher(door, client)
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


def page_of(news: asyncio.Event, folder: Path) -> WatchPage:
    page = WatchPage((WIDTH, HEIGHT), 30, Chooser(GREY).standing, news.set)
    page.folder = folder
    return page


async def address_of(page: WatchPage, news: asyncio.Event) -> str:
    async with asyncio.timeout(30):
        while not page.facts.address:
            await news.wait()
            news.clear()
    return page.facts.address


class TestItsAddress:
    async def test_it_stays_over_off_and_on_and_another_process(
        self, client: httpx.AsyncClient, tmp_path: Path
    ) -> None:
        news = asyncio.Event()
        page = page_of(news, tmp_path)
        page.switch(True)
        address = await address_of(page, news)
        assert address == (tmp_path / PAGE_FILE).as_uri() and page.stage is not None
        first = told_in(tmp_path)
        assert first is not None
        if sys.platform != "win32":
            for name in (PAGE_FILE, DOOR_FILE):
                assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        # Who looks is told as it changes: a session may rest while nobody does.
        news.clear()
        connection, resource, token = await watcher(first, client)
        assert news.is_set() and page.viewers == 1
        news.clear()
        await client.delete(resource, headers={"Authorization": f"Bearer {token}"})
        assert news.is_set() and page.viewers == 0
        await close_connection(connection)
        news.clear()
        page.switch(False)
        page.switch(True)
        page.switch(True)
        assert await address_of(page, news) == address
        second = told_in(tmp_path)
        assert second is not None and second.key != first.key and await second.token(client)
        await page.close()
        assert told_in(tmp_path) is None, "what is closed is not asked for"
        with pytest.raises(httpx.ConnectError):
            await client.get(second.origin)
        # The next process, though another program has the port now.
        with ExitStack() as stack:
            for port in browser_source.PORTS:
                if port == second.port:
                    stack.enter_context(socket.create_server((LOOPBACK, port)))
            successor = page_of(news, tmp_path)
            successor.switch(True)
            assert await address_of(successor, news) == address
            third = told_in(tmp_path)
            assert third is not None and third.port != second.port and await third.token(client)
            assert successor.facts.trouble is None
            await successor.close()

    async def test_that_obs_may_have_a_former_one_is_told_until_the_new_one_is_used(
        self, client: httpx.AsyncClient, tmp_path: Path
    ) -> None:
        news = asyncio.Event()
        page = page_of(news, tmp_path)
        page.outdated = True
        page.switch(True)
        await address_of(page, news)
        trouble = page.facts.trouble
        assert trouble is not None and "former address" in trouble.sentence and "Copy" in trouble.mend
        found = told_in(tmp_path)
        assert found is not None
        connection, _, _ = await watcher(found, client)
        assert page.facts.trouble is None and not page.outdated
        await close_connection(connection)
        await page.close()

    async def test_a_folder_that_cannot_be_written_is_told(self, tmp_path: Path) -> None:
        news = asyncio.Event()
        page = page_of(news, tmp_path / "missing")
        page.switch(True)
        await until(lambda: page.facts.trouble is not None)
        assert page.facts.trouble is not None
        assert "cannot be written" in page.facts.trouble.sentence and page.facts.address == ""
        await page.close()


async def until(true: Callable[[], bool], within_s: float = 90.0) -> None:
    """Waits, beside the event loop that serves."""
    async with asyncio.timeout(within_s):
        while not await asyncio.to_thread(true):  # noqa: ASYNC110 - a browser tells nobody
            await asyncio.sleep(0.1)


class Thief(asyncio.Protocol):
    """Has the port while Overpaint is off: notes what it is told, and answers as it likes."""

    heard: bytes = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        Thief.heard += data
        body = json.dumps({"nonce": "ab" * 32, "proof": "cd" * 32}).encode()
        assert isinstance(self._transport, asyncio.Transport)
        self._transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nAccess-Control-Allow-Origin: *\r\n"
            b"Access-Control-Allow-Headers: *\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )


@pytest.mark.skipif(program() is None, reason="no Chromium on this machine")
@pytest.mark.timeout(240)
@pytest.mark.full
async def test_whoever_takes_the_port_is_told_nothing_and_the_page_finds_overpaint_again(
    tmp_path: Path,
) -> None:
    """In a real browser: the page from its file, a stranger at the port, and Overpaint at another one."""
    folder = tmp_path / "a folder & more"
    folder.mkdir()
    former = open_listener(LOOPBACK, 0)
    port, key = former.getsockname()[1], secrets.token_hex(32)
    address = Door(folder, port, key).open()  # as a process leaves it that was killed
    former.close()
    Thief.heard = b""
    loop = asyncio.get_running_loop()
    thief = await loop.create_server(Thief, LOOPBACK, port)
    with browser(tmp_path / "browser") as running:
        page = await asyncio.to_thread(running.page, address)
        await until(lambda: Thief.heard.count(b"/v1/watch/hello?nonce=") >= 2)
        requests = re.findall(rb"(\w+) (\S+) HTTP/1.1", Thief.heard)
        assert {method for method, _ in requests} == {b"GET"}
        assert all(re.fullmatch(rb"/v1/watch/hello\?nonce=[0-9a-f]{64}", path) for _, path in requests)
        assert key.encode() not in Thief.heard and b"uthorization" not in Thief.heard
        # Overpaint comes back, at another port: the same page, which nobody touched, shows its picture.
        server = WatchServer(open_listener(LOOPBACK, 0), WIDTH, HEIGHT, 30, lambda: None)
        server.open()
        Door(folder, server.port, server.key).open()

        async def show() -> None:
            while True:
                server.publish(StyledFrame.slate(GREY))
                await asyncio.sleep(0.05)

        showing = asyncio.create_task(show())
        await until(lambda: page.colour("#picture") is not None)
        shown = await asyncio.to_thread(page.colour, "#picture")
        assert shown is not None and all(abs(part - 130) < 12 for part in shown)
        assert server.viewers == 1
        heard = len(Thief.heard)
        await asyncio.sleep(1)
        assert len(Thief.heard) == heard, "the stranger is not asked any more"
        showing.cancel()
        await asyncio.to_thread(page.close)
        await until(lambda: server.viewers == 0)  # a page that is closed leaves the room
        await server.close()
    thief.close()


@pytest.fixture
def obs(tmp_path: Path) -> Iterator[Browser]:
    with browser(tmp_path / "browser") as running:
        yield running


class OnAir:
    """A page that a browser shows, and the picture that is on air."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._news = asyncio.Event()
        self._chooser = Chooser(GREY)
        self._chooser.choices = Choices(on_air=True, original=True)
        self.watch = WatchPage((WIDTH, HEIGHT), 30, self._chooser.standing, self._news.set)
        self.watch.folder = folder
        self._kind = FrameKind.STYLED

    async def open(self, obs: Browser) -> Page:
        self.watch.switch(True)
        page = await asyncio.to_thread(obs.page, await address_of(self.watch, self._news))
        await self.show(page, FrameKind.STYLED)
        return page

    def put(self, kind: FrameKind) -> None:
        """Hands a picture out, which is repeated from then on."""
        assert self.watch.stage is not None
        self._chooser.give(StyledFrame(COLOURS[kind], 0, now_ns(), kind), self.watch.stage)

    async def show(self, page: Page, kind: FrameKind) -> None:
        """Puts a picture on air, and waits until the browser has shown it for a while."""
        self.put(kind)
        await until(lambda: seen(page) is kind)
        await asyncio.sleep(4)


def seen(page: Page) -> FrameKind | None:
    """What somebody who looks at OBS sees; None for nothing."""
    if page.run("getComputedStyle(document.querySelector('#picture')).visibility") == "hidden":
        return None
    shown = page.colour("#picture")
    if shown is None:
        return None
    red, _, blue = shown
    return FrameKind.ORIGINAL if red - blue > 40 else FrameKind.STYLED if blue - red > 40 else FrameKind.SLATE


@pytest.mark.skipif(program() is None, reason="no Chromium on this machine")
@pytest.mark.timeout(240)
class TestWhatStandsInABrowser:
    """What a page goes on showing once nobody is left who could take a picture away."""

    @pytest.mark.parametrize("door", few_of(["shut", "gone"], ["gone"]))
    async def test_no_original_whatever_was_said_last(
        self, door: str, obs: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The last frames of a connection that ends may not arrive: here the slate does not."""
        lossy, publish = False, WatchServer.publish

        def lose(server: WatchServer, frame: StyledFrame) -> None:
            if not lossy:
                publish(server, frame)

        monkeypatch.setattr(WatchServer, "publish", lose)
        on_air = OnAir(tmp_path / "page")
        page = await on_air.open(obs)
        await on_air.show(page, FrameKind.ORIGINAL)
        lossy = True
        if door == "gone":
            (tmp_path / "page" / DOOR_FILE).unlink()
            await until(lambda: seen(page) is None, 10)
        await on_air.watch.close()
        await until(lambda: seen(page) is None, 10)
        await asyncio.sleep(4)
        assert await asyncio.to_thread(seen, page) is None, page.complaints

    @pytest.mark.full
    async def test_a_restyled_picture_stands_also_after_an_original(
        self, obs: Browser, tmp_path: Path
    ) -> None:
        on_air = OnAir(tmp_path / "page")
        page = await on_air.open(obs)
        for kind in (FrameKind.ORIGINAL, FrameKind.STYLED):
            await on_air.show(page, kind)
        await on_air.watch.close()
        await asyncio.sleep(5)
        assert await asyncio.to_thread(seen, page) is not None


def test_pages_can_know_of_an_original_before_they_are_shown_one(tmp_path: Path) -> None:
    """What a page reads when it loses the server; where that cannot be written, no original is shown."""
    door = Door(tmp_path, 8790, "ab")
    door.open()
    shown: list[FrameKind] = []
    standing: list[str] = []

    def publish(frame: StyledFrame) -> None:
        shown.append(frame.kind)
        told = told_in(tmp_path)
        assert told is not None
        standing.append(told.standing)

    sink = PageSink(publish, door.note)
    kinds = [FrameKind.SLATE, FrameKind.STYLED, FrameKind.ORIGINAL, FrameKind.ORIGINAL]
    kinds += [FrameKind.STYLED, FrameKind.STYLED]
    for kind in kinds:
        sink.write(StyledFrame(GREY, 0, 0, kind))
    assert shown == kinds
    assert standing[0] == standing[2] == standing[3] == standing[4] == ""
    assert standing[1] and standing[5] and standing[1] != standing[5], "another run"
    door.shut()
    assert told_in(tmp_path) is None and standing[5] in (tmp_path / DOOR_FILE).read_text("utf-8")
    sink.write(StyledFrame(GREY, 0, 0, FrameKind.ORIGINAL))
    assert shown == kinds
