"""What strangers hand in: addresses that lead inwards, files that lie or explode.

One real process on a scripted internet. Each attempt is refused with the right error; afterwards no
credit is gone, the same process still answers, its memory stayed bounded, and nobody called the canary.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from helpers import scripted_internet
from helpers.hostile_media import CLIPS, HLS, PICTURES, SVG
from helpers.served import FILES, SESSIONS, TRANSFORMS, Served, balance, refused, served, unharmed, upload
from helpers.small_media import picture
from helpers.strange_server import Answer, Received, StrangeServer, plain, redirect

CREDITS = 10_000


# ---- the scene ----------------------------------------------------------------------------------------


class Canary:
    """A service on loopback that must never be called."""

    def __init__(self) -> None:
        self.calls = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._listen, name="canary", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            self.calls += 1
            caller.close()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


async def slowly(request: Received, writer: asyncio.StreamWriter) -> None:
    """Says that a megabyte comes, and stops in the middle."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + picture()[:5000])
    await writer.drain()
    writer.close()


async def endless(request: Received, writer: asyncio.StreamWriter) -> None:
    """More than any limit, without saying so."""
    writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    for _ in range(40):
        writer.write(bytes(1 << 20))
        await writer.drain()


async def nonsense(request: Received, writer: asyncio.StreamWriter) -> None:
    writer.write(b"SSH-2.0-OpenSSH_9.2\r\n")


def routes(canary: Canary) -> dict[str, Answer]:
    """What the strange host answers at each path."""
    inside = f"http://127.0.0.1:{canary.port}/"
    image = picture()
    return {
        "/good.png": plain(image),
        "/to-loopback": redirect(inside),
        "/to-name-inside": redirect(f"http://inward.test:{canary.port}/"),
        "/to-ipv6": redirect(f"http://[::1]:{canary.port}/"),
        "/to-decimal": redirect(f"http://2130706433:{canary.port}/"),
        "/to-metadata": redirect("http://169.254.169.254/latest/meta-data/"),
        "/to-file": redirect("file:///etc/passwd"),
        "/to-gopher": redirect("gopher://127.0.0.1:70/_x"),
        "/to-nowhere": redirect(""),
        "/to-user": redirect("http://root:toor@public.test/good.png"),
        "/round": redirect("/round"),
        "/1": redirect("/2"),
        "/2": redirect("/3"),
        "/3": redirect("/4"),
        "/4": redirect("/good.png"),
        "/changed": redirect(f"http://changing.test:{canary.port}/good.png"),
        "/404": plain(image, "404 Not Found"),
        "/500": plain(image, "500 Oops"),
        "/204": plain(b"", "204 No Content"),
        "/gzip": plain(b"\x1f\x8b", content_encoding="gzip"),
        "/huge": plain(image, content_length=str(33 * 2**20)),
        "/short": plain(image, content_length=str(len(image) + 999)),
        "/negative": plain(image, content_length="-1"),
        "/endless": endless,
        "/cut": slowly,
        "/nonsense": nonsense,
        "/lies.png": plain(HLS, content_type="image/png"),
        "/image.svg": plain(SVG, content_type="image/svg+xml"),
    }


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    bird = Canary()
    yield bird
    bird.close()


@pytest.fixture(scope="module")
def strange_port(canary: Canary) -> Iterator[int]:
    """The strange host, on a loop of its own."""
    host = StrangeServer(routes(canary))
    up, loop, end = threading.Event(), asyncio.new_event_loop(), asyncio.Event()

    async def run() -> None:
        async with host.running():
            up.set()
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), name="strange host")
    thread.start()
    assert up.wait(10)
    yield host.port
    loop.call_soon_threadsafe(end.set)
    thread.join(10)
    loop.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, strange_port: int, canary: Canary) -> Iterator[Served]:
    program = (scripted_internet.__file__, str(strange_port))
    with served(tmp_path_factory.mktemp("hostile") / "data", program=program) as running:
        with unharmed(running):
            yield running
        assert canary.calls == 0, "something inside was called"


@pytest.fixture(scope="module")
def caller(service: Served) -> httpx.Client:
    return service.caller("stranger", CREDITS)


@pytest.fixture(autouse=True)
def nothing_is_lost(service: Served, caller: httpx.Client) -> Iterator[None]:
    """Whatever was tried: not a credit is gone, and the service still answers."""
    yield
    assert balance(caller) == CREDITS


def order(url: str, model: str = "service-image-v1", **more: Any) -> dict[str, Any]:
    return {"model": model, "prompt": "ink comic", "input_url": url} | more


def expect_400(answer: httpx.Response, part: str = "") -> None:
    assert part in refused(answer, 400, "invalid_request_error")


# ---- addresses ----------------------------------------------------------------------------------------

INSIDE = [
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://LOCALHOST.:{port}/",
    "http://127.1:{port}/",
    "http://0:{port}/",
    "http://0.0.0.0:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://0x7f.0.0.1:{port}/",
    "http://017700000001:{port}/",
    "http://0177.0.0.01:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://１２７.０.０.１:{port}/",
    "http://127。0。0。1:{port}/",
    "http://ⓛocalhost:{port}/",
    "http://[::1]:{port}/",
    "http://[::]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]:{port}/",
    "http://[64:ff9b::7f00:1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[::1%25lo]:{port}/",
    "http://[fe80::1%25eth0]:{port}/",
    "http://[fd00::1]:{port}/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://198.18.0.1/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://240.0.0.1/",
    "http://inward.test:{port}/",
    "http://lan.test/",
    "http://metadata.test/",
    "http://mapped.test:{port}/",
    "http://mixed.test:{port}/",
    "http://unknown.test/",
    "http://public.test:{port}@127.0.0.1:{port}/",
    "http://user:word@public.test/good.png",
    "http://127.0.0.1:{port}\\@public.test/",
    "http://public.test\t@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}#@public.test/",
    "http:/\\127.0.0.1:{port}/",
    "http:127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "http://public.test:99999/",
    "http://public.test:0/",
    "http://public.test:-1/",
    "http://[::1/",
    "http:///good.png",
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "gopher://127.0.0.1:{port}/_GET",
    "ftp://127.0.0.1/a.png",
    "concat:/etc/passwd|/etc/hosts",
    "subfile,,start,0,end,9,,:/etc/passwd",
    "data:image/png;base64,iVBORw0KGgo=",
    "rtsp://127.0.0.1:{port}/",
    "hls+http://public.test/good.png",
    "/etc/passwd",
    "C:\\Windows\\win.ini",
    "\\\\127.0.0.1\\share\\a.png",
    "http://public.test/a\r\nX-Injected: 1",
    "http://public.test/\x00",
]


@pytest.mark.parametrize("url", INSIDE)
def test_an_address_that_is_not_public_is_refused(caller: httpx.Client, canary: Canary, url: str) -> None:
    expect_400(caller.post(TRANSFORMS, json=order(url.format(port=canary.port))), "input_url")


@pytest.mark.parametrize(
    "path",
    [
        "/to-loopback",
        "/to-name-inside",
        "/to-ipv6",
        "/to-decimal",
        "/to-metadata",
        "/to-file",
        "/to-gopher",
        "/to-nowhere",
        "/to-user",
        "/round",
        "/1",
        "/404",
        "/500",
        "/204",
        "/gzip",
        "/huge",
        "/short",
        "/negative",
        "/endless",
        "/cut",
        "/nonsense",
        "/lies.png",
        "/image.svg",
        "/missing",
    ],
)
def test_a_public_host_that_misbehaves_is_refused(caller: httpx.Client, path: str) -> None:
    expect_400(caller.post(TRANSFORMS, json=order(f"http://public.test{path}")), "input_url")


def test_a_name_whose_answer_changes_gains_nothing(caller: httpx.Client, canary: Canary) -> None:
    # Its first answer is public: were it asked again for the connection, that would go inwards. What is
    # fetched from the public address is no picture; every later attempt is refused by its address.
    first = caller.post(TRANSFORMS, json=order(f"http://changing.test:{canary.port}/404"))
    expect_400(first, "input_url")
    expect_400(caller.post(TRANSFORMS, json=order("http://public.test/changed")), "input_url")
    assert canary.calls == 0


# ---- files --------------------------------------------------------------------------------------------


def hand_in(caller: httpx.Client, content: bytes, model: str) -> httpx.Response:
    """Hands a file in as a customer does: the refusal, at whichever door it comes."""
    answer = caller.post(FILES, files={"file": ("holiday.png", content, "image/png")})
    if answer.status_code != 200:
        return answer
    return caller.post(TRANSFORMS, json=order(answer.json()["url"], model))


@pytest.mark.parametrize("name", PICTURES)
def test_a_hostile_picture_is_refused(caller: httpx.Client, name: str) -> None:
    expect_400(hand_in(caller, PICTURES[name](), "service-image-v1"))


@pytest.mark.parametrize("name", CLIPS)
def test_a_hostile_clip_is_refused(caller: httpx.Client, name: str) -> None:
    expect_400(hand_in(caller, CLIPS[name](), "service-video-v1"))


@pytest.mark.full
def test_a_polyglot_leaves_only_its_picture(service: Served) -> None:
    """A picture that is a program to somebody else may come in, but does not come out."""
    spender = service.caller("polyglot", 2)
    trailer = b"<script>alert('polyglot')</script>" + HLS
    answer = hand_in(spender, picture() + trailer, "service-image-v1")
    if answer.status_code != 400:
        output = spender.get(answer.json()["output_url"])
        assert b"polyglot" not in output.content and b"EXTM3U" not in output.content
        assert output.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in output.headers["content-security-policy"]


# ---- what is no attack -------------------------------------------------------------------------------


def test_a_photo_that_leads_inwards_is_told_and_the_stream_goes_on(service: Served, canary: Canary) -> None:
    body = {
        "model": "service-realtime-720p",
        "prompt": "oil",
        "reference_image_url": f"http://inward.test:{canary.port}/a.png",
    }
    session = service.caller("inward photo", 25).post(SESSIONS, json=body).json()
    with connect(session["websocket_url"], proxy=None) as client:
        client.send('{"type": "rtc_join"}')
        told = [json.loads(client.recv(30))["type"] for _ in range(2)]
        assert sorted(told) == ["reference_image_error", "rtc_room_info"]


def test_a_good_picture_from_a_public_host_is_taken(service: Served) -> None:
    """The refusals above are about what was asked for, not about everything."""
    buyer = service.caller("honest", 2)
    answer = buyer.post(TRANSFORMS, json=order("http://public.test/good.png"))
    assert answer.status_code == 200 and balance(buyer) == 0
    assert upload(buyer, picture())["content_type"] == "image/png"
