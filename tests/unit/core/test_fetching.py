"""What a caller names is fetched from the public internet only, within limits, and tells nothing else."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from helpers.certificates import contexts
from helpers.strange_server import PUBLIC, Answer, Internet, Received, StrangeServer, plain, redirect
from overpaint.core import fetching
from overpaint.core.fetching import Fetcher, check_url
from overpaint.core.name_resolver import Resolve, SystemResolver
from overpaint.core.public_addresses import may_reach
from overpaint.errors import InvalidRequestError, UnreachableError

MB = 1 << 20
NOBODY = "cannot be reached: nothing public answers at this address."

INWARD = [
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "169.254.0.1", "100.64.0.1", "100.127.255.254", "100.100.100.200", "192.0.0.8",
    "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250",
    "240.0.0.1", "255.255.255.255", "168.63.129.16",
    "::", "::1", "::7f00:1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808", "2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1", "100::1", "5f00::1", "3fff::1", "not an address", "",
]  # fmt: skip
OUTWARD = [PUBLIC, "8.8.8.8", "2606:4700:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.fixture
async def server() -> AsyncIterator[StrangeServer]:
    async with StrangeServer().running() as running:
        yield running


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "fetched"


def answers(*addresses: str) -> Resolve:
    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolve


async def refusal(fetcher: Fetcher, url: str, target: Path, max_bytes: int = MB, seconds: float = 5) -> str:
    with pytest.raises(InvalidRequestError) as caught:
        await fetcher.download(url, target, max_bytes, seconds=seconds)
    assert not target.exists()
    return str(caught.value)


@pytest.mark.parametrize("address", INWARD)
async def test_no_name_leads_inwards(address: str, target: Path) -> None:
    internet = Internet(1)
    fetcher = Fetcher(resolve=answers(address), network=internet)
    assert await refusal(fetcher, "http://harmless.example/a.png", target) == NOBODY
    with pytest.raises((InvalidRequestError, UnreachableError)):
        await fetcher.post("http://harmless.example/hook", b"{}", {})
    assert not internet.called


@pytest.mark.parametrize("address", OUTWARD)
def test_public_addresses_may_be_reached(address: str) -> None:
    assert may_reach(address)


def test_closed_networks_open_private_addresses_but_never_the_clouds_credentials() -> None:
    assert may_reach("10.0.0.1", allow_private=True) and may_reach("::1", allow_private=True)
    for address in ("169.254.169.254", "fd00:ec2::254", "::ffff:169.254.169.254", "0.0.0.0", "224.0.0.1"):
        assert not may_reach(address, allow_private=True)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "localhost.", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0",
        "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "１２７.０.０.１", "①②⑦.0.0.1",
    ],
)  # fmt: skip
async def test_however_this_machine_is_spelled_it_is_refused(
    host: str, server: StrangeServer, target: Path
) -> None:
    server.routes["/secret"] = plain(b"secret")
    assert await refusal(Fetcher(), f"http://{host}:{server.port}/secret", target) == NOBODY
    assert not server.requests


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/a", "file:///etc/passwd", "gopher://example.com", "data:image/png;base64,AA",
        "javascript:alert(1)", "//example.com/a", "example.com/a", "http://", "http:///a", "https://?a", "",
        "http://example.com:0/", "http://example.com:99999/", "http://example.com:x/", "http://ex ample.com/",
        "http://example.com/a\r\nHost: other", "http://exa\tmple.com/", "http:\\\\example.com\\a",
        "http://user@example.com/", "http://user:word@example.com/", "http://example.com@127.0.0.1/",
        "http://[::1", "http://[fe80::1%25eth0]/", "http://a..b/", "http://%31%32%37.0.0.1/",
        "http://" + "a" * 300 + ".example/",
    ],
)  # fmt: skip
def test_only_plain_web_addresses_have_the_right_form(url: str) -> None:
    with pytest.raises(InvalidRequestError):
        check_url(url)


@pytest.mark.parametrize(
    "url", ["https://example.com", "http://EXAMPLE.com:8080/a b".replace(" ", "%20"), "https://bücher.example/ü?x=ü#f"]
)  # fmt: skip
def test_ordinary_addresses_have_it(url: str) -> None:
    check_url(url)


async def test_a_name_with_one_good_and_one_bad_address_is_refused(target: Path) -> None:
    internet = Internet(1)
    fetcher = Fetcher(resolve=answers(PUBLIC, "10.0.0.1"), network=internet)
    assert await refusal(fetcher, "http://both.example/", target) == NOBODY
    assert not internet.called


async def test_the_connection_goes_to_the_address_that_was_checked(
    server: StrangeServer, target: Path
) -> None:
    server.routes["/a"] = plain(b"picture")
    replies = iter([[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]])

    async def rebinding(host: str, port: int) -> list[str]:
        return next(replies)

    internet = Internet(server.port)
    fetcher = Fetcher(resolve=rebinding, network=internet)
    await fetcher.download("http://rebinding.example/a", target, MB, seconds=5)
    assert internet.called == [PUBLIC] and target.read_bytes() == b"picture"
    target.unlink()
    assert await refusal(fetcher, "http://rebinding.example/a", target) == NOBODY


async def test_a_file_arrives_whole_and_the_request_gives_nothing_away(
    server: StrangeServer, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("all_proxy", "http://127.0.0.1:1")
    body = bytes(range(256)) * 12_000
    server.routes["/a%20%C3%BC?x=1"] = plain(body, set_cookie="a=b")
    url = f"{server.url}/a%20ü?x=1#part"
    await Fetcher(allow_private_urls=True).download(url, target, 4 * MB, seconds=10)
    assert target.read_bytes() == body
    asked = server.requests[0]
    assert asked.headers.pop("user-agent").startswith("Overpaint/")
    assert asked.headers == {
        "host": f"127.0.0.1:{server.port}",
        "accept": "*/*",
        "accept-encoding": "identity",
    }


async def test_redirects_are_followed_three_times_and_no_cookie_goes_along(
    server: StrangeServer, target: Path
) -> None:
    server.routes |= {
        "/1": plain(b"", "301 Moved", location="/2", set_cookie="a=b"),
        "/2": redirect(f"{server.url}/3"),
        "/3": redirect("4", "307 Temporary Redirect"),
        "/4": plain(b"there"),
        "/0": redirect("/1"),
    }
    fetcher = Fetcher(allow_private_urls=True)
    await fetcher.download(f"{server.url}/1", target, MB, seconds=5)
    assert target.read_bytes() == b"there"
    assert not any("cookie" in request.headers for request in server.requests)
    target.unlink()
    assert "redirected more than 3 times" in await refusal(fetcher, f"{server.url}/0", target)


@pytest.mark.parametrize(
    "location", ["http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:{port}/secret",
                 "http://[::ffff:127.0.0.1]:{port}/secret", "http://2130706433:{port}/secret"]
)  # fmt: skip
async def test_a_redirect_inwards_is_refused(location: str, server: StrangeServer, target: Path) -> None:
    server.routes |= {"/a": redirect(location.format(port=server.port)), "/secret": plain(b"secret")}

    async def resolve(host: str, port: int) -> list[str]:
        return [PUBLIC] if host == "public.example" else await SystemResolver().resolve(host, port)

    fetcher = Fetcher(resolve=resolve, network=Internet(server.port))
    assert await refusal(fetcher, "http://public.example/a", target) == NOBODY
    assert [request.path for request in server.requests] == ["/a"]


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "http://u:p@public.example/", "//", "http://[", ""]
)
async def test_a_redirect_to_no_web_address_is_refused(
    location: str, server: StrangeServer, target: Path
) -> None:
    server.routes["/a"] = redirect(location or "/a")
    await refusal(Fetcher(allow_private_urls=True), f"{server.url}/a", target)


async def test_https_is_verified_and_never_left_by_a_redirect(tmp_path: Path, target: Path) -> None:
    of_server, of_client = contexts(tmp_path, "good.example")
    strange = StrangeServer({"/a": plain(b"safe"), "/down": redirect("http://good.example/a")})
    async with strange.running(of_server):
        internet = Internet(strange.port)
        fetcher = Fetcher(resolve=answers(PUBLIC), network=internet, tls=of_client)
        await fetcher.download("https://good.example/a", target, MB, seconds=5)
        assert target.read_bytes() == b"safe"
        target.unlink()
        assert "https" in await refusal(fetcher, "https://good.example/down", target)
        assert "TLS" in await refusal(fetcher, "https://other.example/a", target)
        stranger = Fetcher(resolve=answers(PUBLIC), network=internet)
        assert "TLS" in await refusal(stranger, "https://good.example/a", target)


async def test_sizes_are_enforced_whatever_the_header_claims(server: StrangeServer, target: Path) -> None:
    async def endless(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"10000\r\n" + bytes(0x10000) + b"\r\n")
            await writer.drain()

    server.routes |= {
        "/honest": plain(bytes(2 * MB)),
        "/lie": plain(b"", content_length=str(10**18)),
        "/unsaid": plain(bytes(2 * MB), content_length=""),
        "/endless": endless,
        "/exact": plain(bytes(MB)),
        "/cut": plain(b"abc", content_length="1000"),
    }
    fetcher = Fetcher(allow_private_urls=True)
    for path in ("/honest", "/lie", "/unsaid", "/endless"):
        assert await refusal(fetcher, server.url + path, target) == "is larger than 1 MB."
    assert "broke off" in await refusal(fetcher, f"{server.url}/cut", target)
    await fetcher.download(f"{server.url}/exact", target, MB, seconds=5)
    assert target.stat().st_size == MB


async def test_compressed_and_refused_and_broken_answers_are_told_apart(
    server: StrangeServer, target: Path
) -> None:
    async def junk(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")

    async def headers_without_end(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        while not writer.is_closing():
            writer.write(b"x: " + b"y" * 8000 + b"\r\n")
            await writer.drain()

    server.routes |= {
        "/gzip": plain(b"\x1f\x8b", content_encoding="gzip"),
        "/junk": junk,
        "/headers": headers_without_end,
        "/part": plain(b"ab", "206 Partial Content"),
    }
    fetcher = Fetcher(allow_private_urls=True)
    assert "compressed" in await refusal(fetcher, f"{server.url}/gzip", target)
    assert "status 404" in await refusal(fetcher, f"{server.url}/missing", target)
    assert "status 206" in await refusal(fetcher, f"{server.url}/part", target)
    assert "does not speak HTTP" in await refusal(fetcher, f"{server.url}/junk", target)
    assert "does not speak HTTP" in await refusal(fetcher, f"{server.url}/headers", target)


LARGE = b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"


def dripping(head: bytes, piece: bytes, every_s: float) -> Answer:
    """Answers with a head, and then with one piece after another, without end."""

    async def drip(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(every_s)

    return drip


async def test_slow_bodies_end_at_a_limit(
    server: StrangeServer, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stall(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nx")
        await asyncio.sleep(60)

    server.routes |= {"/drip": dripping(LARGE, b"x", 0.02), "/stall": stall}
    fetcher = Fetcher(allow_private_urls=True)
    assert "longer than" in await refusal(fetcher, f"{server.url}/drip", target, seconds=0.5)
    monkeypatch.setitem(fetching._TIMEOUTS, "read", 0.3)
    assert "sent nothing" in await refusal(fetcher, f"{server.url}/stall", target)


async def test_a_server_that_drips_is_left_long_before_the_whole_time_is_over(
    server: StrangeServer, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte comes in time, but at that pace it is no file."""

    async def steady(_: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 320000\r\n\r\n")
        for _ in range(20):
            writer.write(b"x" * 16_000)
            await writer.drain()
            await asyncio.sleep(0.1)

    server.routes |= {"/drip": dripping(LARGE, b"x" * 100, 0.02), "/steady": steady}
    server.routes["/head"] = dripping(b"HTTP/1.1 200 OK\r\n", b"x-more: 1\r\n", 0.1)
    fetcher = Fetcher(allow_private_urls=True)
    monkeypatch.setattr(fetching, "PACE_SECONDS", 1.5)
    assert "too slowly, less than 64 KB" in await refusal(fetcher, f"{server.url}/drip", target, seconds=20)
    await fetcher.download(f"{server.url}/steady", target, 10**6, seconds=20)
    assert target.stat().st_size == 320_000
    monkeypatch.setattr(fetching, "HEAD_SECONDS", 1.5)
    assert "too slowly, its head" in await refusal(
        fetcher, f"{server.url}/head", target.with_name("head"), seconds=20
    )


async def test_unknown_closed_and_forbidden_sound_the_same(target: Path) -> None:
    async def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "internal detail 10.0.0.53")

    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{held.getsockname()[1]}/"
        sentences = {
            await refusal(Fetcher(resolve=unknown), "http://unknown.example/", target),
            await refusal(Fetcher(allow_private_urls=True), closed, target),
            await refusal(Fetcher(), "http://169.254.169.254/latest", target),
        }
    assert sentences == {NOBODY}


async def test_a_post_tells_its_status_and_follows_nothing(server: StrangeServer) -> None:
    server.routes |= {"/hook": plain(b"x" * 100, "204 No Content"), "/moved": redirect("/hook")}
    fetcher = Fetcher(allow_private_urls=True)
    assert await fetcher.post(f"{server.url}/hook", b'{"a":1}', {"content-type": "application/json"}) == 204
    assert await fetcher.post(f"{server.url}/moved", b"{}", {}) == 302
    assert [request.path for request in server.requests] == ["/hook", "/moved"]
    asked = server.requests[0]
    assert (asked.method, asked.body) == ("POST", b'{"a":1}')
    assert asked.headers["content-type"] == "application/json" and asked.headers["content-length"] == "7"


async def test_a_post_to_nobody_is_unreachable(
    server: StrangeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silence(_: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    server.routes["/silent"] = silence
    monkeypatch.setattr(fetching, "POST_SECONDS", 0.3)
    fetcher = Fetcher(allow_private_urls=True)
    with pytest.raises(UnreachableError, match="no answer"):
        await fetcher.post(f"{server.url}/silent", b"", {})
    with pytest.raises(UnreachableError):
        await fetcher.post("http://127.0.0.1:1/", b"", {})
    monkeypatch.setattr(fetching, "POST_SECONDS", 10.0)
    with pytest.raises(InvalidRequestError):
        await Fetcher().post(f"{server.url}/silent", b"", {})


async def test_names_that_hang_hold_up_nobody_elses(
    server: StrangeServer, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hung, look_up = threading.Event(), socket.getaddrinfo

    def scripted(host: Any, *arguments: Any, **options: Any) -> Any:
        if host == "hangs.example":
            hung.wait(20)
            raise socket.gaierror(socket.EAI_AGAIN, "no answer")
        return look_up(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", scripted)
    server.routes["/a"] = plain(b"hello")
    fetcher = Fetcher(allow_private_urls=True)
    try:
        hangs = [
            asyncio.create_task(
                fetcher.download("http://hangs.example/", target.with_name(str(n)), MB, seconds=1, tenant="a")
            )
            for n in range(60)
        ]
        await asyncio.sleep(0.1)
        await fetcher.download(f"{server.url}/a", target, MB, seconds=10, tenant="b")
        assert target.read_bytes() == b"hello"
        outcomes = await asyncio.gather(*hangs, return_exceptions=True)
        assert {type(each) for each in outcomes} == {InvalidRequestError}
        await fetcher.download(f"{server.url}/a", target.with_name("again"), MB, seconds=10, tenant="b")
    finally:
        hung.set()
