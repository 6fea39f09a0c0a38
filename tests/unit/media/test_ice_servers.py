"""STUN and TURN servers as users write them and headers name them."""

from __future__ import annotations

import pytest

from overpaint.core.configuration import ServiceConfig
from overpaint.errors import UsageError
from overpaint.media.links.ice_servers import IceServer, readable


def test_stun_and_turn_are_read() -> None:
    assert IceServer.parse("stun:stun.example.org") == IceServer("stun:stun.example.org")
    assert IceServer.parse(" turn:ann:p%40ss@[2001:db8::1]:3478?transport=tcp ") == IceServer(
        "turn:[2001:db8::1]:3478?transport=tcp", "ann", "p@ss"
    )


@pytest.mark.parametrize(
    "text",
    ["", "stun.example.org", "http://example.org", "turn:example.org", "stun:a b", "stun:x?transport=udp"],
)
def test_what_is_neither_is_refused_with_the_way_to_write_it(text: str) -> None:
    with pytest.raises(UsageError) as refusal:
        IceServer.parse(text)
    assert "stun:HOST" in refusal.value.mend
    with pytest.raises(UsageError):
        ServiceConfig(ice_servers=(text,))


@pytest.mark.expect_log("cannot be read")
def test_of_settings_what_can_be_read_counts() -> None:
    assert readable(["turn:ann:secret@", "stun:b.example.org"]) == (IceServer("stun:b.example.org"),)


def test_a_header_names_credentials_so_that_nothing_can_be_added_to_it() -> None:
    server = IceServer("turn:example.org", "ann", 'a"; rel="x\r\nSet-Cookie: b')
    assert server.link() == (
        '<turn:example.org>; rel="ice-server"; username="ann";'
        ' credential="a\\"; rel=\\"xSet-Cookie: b"; credential-type="password"'
    )
    assert "Set-Cookie" not in repr(server)
