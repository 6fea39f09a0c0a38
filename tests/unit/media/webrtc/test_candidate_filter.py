"""Which addresses a peer may name in its ICE candidates."""

from __future__ import annotations

import pytest
from aiortc.sdp import candidate_from_sdp

from overpaint.core.public_addresses import may_reach
from overpaint.media.webrtc import candidate_filter
from overpaint.media.webrtc.candidate_filter import MAX_CANDIDATES, CandidateFilter

OWN = ["127.0.0.1", "192.168.7.2", "10.9.0.1"]
RELAY = "172.31.0.9"


@pytest.fixture(autouse=True)
def this_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_filter, "host_addresses", lambda *_: OWN)


def admits(
    peer: str, host: str, port: int = 50000, kind: str = "host", part: int = 1, way: str = "udp"
) -> bool:
    more = "" if kind == "host" else " raddr 0.0.0.0 rport 9"
    candidate = candidate_from_sdp(f"1 {part} {way} 2130706431 {host} {port} typ {kind}{more}")
    return CandidateFilter(peer, may_reach, [RELAY]).admit(candidate)


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("203.0.113.7", "8.8.8.8"),  # a public peer may have several addresses, of IPv6 too
        ("8.8.8.8", "8.8.8.8"),
        ("8.8.8.8", "2606:4700::1"),
        ("", "8.8.8.8"),
        ("192.168.5.20", "192.168.5.20"),
        ("192.168.5.20", "192.168.5.33"),
        ("fd00:1::5", "fd00:1::77"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", "192.168.7.2"),
        ("::1", "127.0.0.1"),
        ("192.168.7.2", "127.0.0.1"),  # this host, by its address on the network
        ("::ffff:127.0.0.1", "127.0.0.1"),
    ],
)
def test_what_a_peer_there_could_have_is_taken(peer: str, host: str) -> None:
    assert admits(peer, host)


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("8.8.8.8", "127.0.0.1"),
        ("8.8.8.8", "::1"),
        ("8.8.8.8", "192.168.5.20"),
        ("8.8.8.8", "10.0.0.1"),
        ("8.8.8.8", "100.64.0.1"),
        ("8.8.8.8", "169.254.169.254"),
        ("", "127.0.0.1"),
        ("", "192.168.7.2"),
        ("192.168.5.20", "192.168.6.20"),
        ("192.168.5.20", "127.0.0.1"),
        ("192.168.5.20", "10.9.0.1"),
        ("127.0.0.1", "127.0.0.2"),
        ("::1", "::ffff:0:10.0.0.1"),  # in the /64 of its own loopback address
        ("127.0.0.1", "127.1.2.3"),
        ("127.0.0.1", "192.168.7.3"),
        ("127.0.0.1", "0.0.0.0"),
        ("127.0.0.1", "::"),
        ("127.0.0.1", "224.0.0.251"),
        ("127.0.0.1", "ff02::fb"),
        ("127.0.0.1", "255.255.255.255"),
        ("8.8.8.8", "::ffff:127.0.0.1"),
        ("8.8.8.8", "::7f00:1"),
        ("8.8.8.8", "2002:7f00:1::1"),
        ("8.8.8.8", "2001:0:4136:e378:8000:63bf:80ff:fffe"),
        ("8.8.8.8", "64:ff9b::7f00:1"),
        ("8.8.8.8", "fe80::1%eth0"),
        ("8.8.8.8", "hidden.local"),
        ("8.8.8.8", "HIDDEN.LOCAL."),
        ("8.8.8.8", "example.org"),
        ("8.8.8.8", "127.1"),
        ("8.8.8.8", RELAY),
    ],
)
def test_what_it_could_not_have_is_passed_over(peer: str, host: str) -> None:
    assert not admits(peer, host)


def test_ports_ways_and_parts() -> None:
    for port in (1024, 65535, 443, 80):
        assert admits("8.8.8.8", "8.8.8.8", port)
    for port in (0, 22, 53, 123, 1023, 65536):
        assert not admits("8.8.8.8", "8.8.8.8", port)
    assert not admits("127.0.0.1", "127.0.0.1", 443), "the web ports of this host are no peer's"
    assert not admits("8.8.8.8", "8.8.8.8", way="tcp")
    assert admits("8.8.8.8", "8.8.8.8", way="UDP")
    assert not admits("8.8.8.8", "8.8.8.8", part=2)


def test_the_relays_that_the_service_names_are_good_for_relayed_candidates() -> None:
    assert admits("8.8.8.8", RELAY, kind="relay")
    assert not admits("8.8.8.8", RELAY, kind="srflx")
    assert not admits("8.8.8.8", "172.31.0.10", kind="relay")


def test_few_are_taken_over_a_whole_stay() -> None:
    candidates = CandidateFilter("127.0.0.1", may_reach)
    offered = [
        candidate_from_sdp(f"1 1 udp 1 127.0.0.1 {port} typ host") for port in range(50000, 50000 + 40)
    ]
    assert [candidates.admit(each) for each in offered].count(True) == MAX_CANDIDATES
