"""STUN and TURN servers as users write them and headers name them."""

from __future__ import annotations

import pytest
from aiortc import RTCIceServer
from aiortc.rtcicetransport import connection_kwargs

from overpaint.core.configuration import ServiceConfig
from overpaint.errors import UsageError
from overpaint.media.links.ice_servers import IceServer, named


def test_stun_and_turn_are_read() -> None:
    assert IceServer.parse("stun:stun.example.org") == IceServer("stun:stun.example.org")
    assert IceServer.parse(" turn:ann:p%40ss@turn.example.org:3478?transport=tcp ") == IceServer(
        "turn:turn.example.org:3478?transport=tcp", "ann", "p@ss"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "stun.example.org",
        "http://example.org",
        "turn:example.org",
        "stun:a b",
        "stun:x?transport=udp",
        "stun:x:65536",
        "stun:[2001:db8::1]",
    ],
)
def test_what_is_neither_is_refused_with_the_way_to_write_it(text: str) -> None:
    with pytest.raises(UsageError) as refusal:
        IceServer.parse(text)
    assert "stun:HOST" in refusal.value.mend
    with pytest.raises(UsageError):
        ServiceConfig(ice_servers=(text,))


def test_aiortc_takes_every_kind_that_is_read() -> None:
    for text in (
        "stun:a",
        "stun:192.0.2.1:9",
        "turn:u:p@a",
        "turn:u:p@a:9?transport=tcp",
        "turns:u:p@a?transport=tcp",
    ):
        server = IceServer.parse(text)
        connection_kwargs([RTCIceServer(server.url, server.username or None, server.credential or None)])


def test_a_header_names_credentials_so_that_nothing_can_be_added_to_it() -> None:
    server = IceServer("turn:example.org", "ann", 'a"; rel="x\r\nSet-Cookie: b')
    assert server.link() == (
        '<turn:example.org>; rel="ice-server"; username="ann";'
        ' credential="a\\"; rel=\\"xSet-Cookie: b"; credential-type="password"'
    )
    assert "Set-Cookie" not in repr(server)


def test_what_a_header_names_is_read_back_as_it_was() -> None:
    servers = (
        IceServer("stun:a.example.org"),
        IceServer("turn:192.0.2.1:3478?transport=tcp", "ann", 'p"a\\s, <s>; rel=x'),
        IceServer("turns:b.example.org:5349", "bob", "secret"),
    )
    assert named(each.link() for each in servers) == servers
    assert named([", ".join(each.link() for each in servers)]) == servers
    assert named(['<stun:a>;rel=ice-server;x, <stun:b> ; REL = "other Ice-Server"']) == (
        IceServer("stun:a"),
        IceServer("stun:b"),
    )


@pytest.mark.parametrize(
    "header",
    [
        "",
        "stun:a",
        '<stun:a>; rel="help"',
        '<stun:a>; title="<stun:b>; rel=ice-server"',
        '<https://example.org>; rel="ice-server"',
        '<turn:a>; rel="ice-server"',
        '<turn:a>; rel="ice-server"; username="ann"',
        '<turn:a>; rel="ice-server"; username="ann"; credential="x"; credential-type="oauth"',
        '<stun:a b>; rel="ice-server"',
        '<stun:a?transport=udp>; rel="ice-server"',
        '<stun:a:65536>; rel="ice-server"',
        '<stun:a>; rel="ice-server',
        "<" * 5000 + '"' * 5000,
    ],
)
def test_what_is_no_server_is_passed_over(header: str) -> None:
    assert named([header]) == ()
