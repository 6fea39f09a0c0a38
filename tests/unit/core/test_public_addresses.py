"""No spelling of an address, and no address within another one, leads where callers may not go."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overpaint.core.fetching import Fetcher, check_url
from overpaint.core.public_addresses import may_reach
from overpaint.errors import InvalidRequestError

PUBLIC = IPv4Address("93.184.215.14")
NEVER = [
    IPv4Network(network)
    for network in ("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32", "168.63.129.16/32",
                    "100.100.100.200/32", "192.0.0.192/32")
]  # fmt: skip
"""What is refused in closed networks too."""
PRIVATE = [
    IPv4Network(network)
    for network in ("10.0.0.0/8", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10",
                    "198.18.0.0/15", "240.0.0.0/4", "192.0.2.0/24")
]  # fmt: skip


def within(networks: list[IPv4Network]) -> st.SearchStrategy[IPv4Address]:
    return st.sampled_from(networks).flatmap(
        lambda network: st.integers(0, network.num_addresses - 1).map(lambda offset: network[offset])
    )


def last_32(prefix: str) -> Callable[[IPv4Address, int], IPv6Address]:
    base = int(IPv6Address(prefix))
    return lambda inner, _: IPv6Address(base | int(inner))


def nat64(network: str, length: int) -> Callable[[IPv4Address, int], IPv6Address]:
    """RFC 6052, 2.2: the address follows the prefix and skips bits 64 to 71."""
    base = IPv6Network(network).network_address.packed[: length // 8]

    def spell(inner: IPv4Address, _: int) -> IPv6Address:
        packed = bytearray(base + inner.packed) if length == 96 else bytearray(base)
        for byte in inner.packed if length != 96 else b"":
            if len(packed) == 8:
                packed.append(0)
            packed.append(byte)
        return IPv6Address(bytes(packed.ljust(16, b"\0")))

    return spell


def teredo(inner: IPv4Address, rest: int) -> IPv6Address:
    """RFC 4380, 4: the server, flags and port, the client with each bit turned."""
    return IPv6Address(0x20010000 << 96 | rest << 32 | int(inner) ^ 0xFFFFFFFF)


EMBEDDINGS: dict[str, Callable[[IPv4Address, int], IPv6Address]] = {
    "mapped": last_32("::ffff:0:0"),
    "compatible": last_32("::"),
    "translated": last_32("::ffff:0:0:0"),
    "nat64": last_32("64:ff9b::"),
    "nat64 local /48": nat64("64:ff9b:1::/48", 48),
    "nat64 local /56": nat64("64:ff9b:1:100::/56", 56),
    "nat64 local /64": nat64("64:ff9b:1:1::/64", 64),
    "nat64 local /96": nat64("64:ff9b:1::/96", 96),
    "6to4": lambda inner, rest: IPv6Address(0x2002 << 112 | int(inner) << 80 | rest),
    "teredo client": teredo,
    "teredo server": lambda inner, rest: IPv6Address(0x20010000 << 96 | int(inner) << 64 | rest),
    "isatap": last_32("2a00:1450::5efe:0:0"),
    "isatap universal": last_32("2a00:1450::200:5efe:0:0"),
    "isatap private": last_32("fd12::5efe:0:0"),
}


@given(st.sampled_from(list(EMBEDDINGS)), within(NEVER), st.integers(0, 2**64 - 1))
def test_what_is_never_reached_is_not_reached_within_another_address(
    embedding: str, inner: IPv4Address, rest: int
) -> None:
    spelled = EMBEDDINGS[embedding](inner, rest)
    if spelled == IPv6Address("::1"):
        return  # 0.0.0.1 in one spelling, but loopback by RFC 4291
    assert not may_reach(str(spelled)) and not may_reach(str(spelled), allow_private=True), spelled
    assert not may_reach(str(inner), allow_private=True)


@given(st.sampled_from(list(EMBEDDINGS)), within(PRIVATE), st.integers(0, 2**64 - 1))
def test_a_private_address_is_not_reached_within_another_one(
    embedding: str, inner: IPv4Address, rest: int
) -> None:
    assert not may_reach(str(EMBEDDINGS[embedding](inner, rest)))


@pytest.mark.parametrize("embedding", ["mapped", "nat64"])
def test_where_the_network_itself_translates_the_address_within_decides(embedding: str) -> None:
    spell = EMBEDDINGS[embedding]
    assert may_reach(str(spell(PUBLIC, 0)))
    assert may_reach(str(spell(IPv4Address("10.0.0.1"), 0)), allow_private=True)


@pytest.mark.parametrize("address", ["::1", "127.0.0.1", "10.0.0.1", "fd12::1", "fc00::5efe:a00:1"])
def test_a_closed_network_reaches_its_own_machines(address: str) -> None:
    assert may_reach(address, allow_private=True) and not may_reach(address)


def spellings(address: IPv4Address) -> list[str]:
    """An IPv4 address as ``inet_aton`` reads it: one to four parts, in three bases, with a root dot."""
    a, b, c, d = address.packed
    number = int(address)
    dotted = [
        f"{a}.{b}.{c}.{d}", f"0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}", f"0{a:o}.0{b:o}.0{c:o}.0{d:o}",
        f"{a}.{b}.{number & 0xFFFF}", f"{a}.{number & 0xFFFFFF}", f"{a}.0x{b:X}.0{c:o}.{d}",
        f"{number}", f"0x{number:08x}", f"0{number:o}",
    ]  # fmt: skip
    full_width = [each.translate({ord("0") + n: 0xFF10 + n for n in range(10)}) for each in dotted[:1]]
    return [*dotted, *full_width, dotted[0].replace(".", "\u3002"), f"{dotted[0]}."]


@given(within([*NEVER, *PRIVATE]), st.integers(0, 11))
def test_however_a_number_is_spelled_it_is_the_same_address(address: IPv4Address, form: int) -> None:
    url = f"http://{spellings(address)[form]}/hook"
    with pytest.raises(InvalidRequestError):
        Fetcher().check_literal(url)


@given(st.integers(0, 11))
def test_a_public_number_is_taken_in_every_spelling(form: int) -> None:
    Fetcher().check_literal(f"http://{spellings(PUBLIC)[form]}/hook")


def test_every_spelling_is_one_that_the_system_reads_as_that_address() -> None:
    for spelling in spellings(PUBLIC)[:9]:
        assert socket.getaddrinfo(spelling, 80, type=socket.SOCK_STREAM)[0][4][0] == str(PUBLIC)


@pytest.mark.parametrize(
    "host", ["[fe80::1%25lo]", "[::1%lo]", "[fd12::1%25eth0]", "[v1.a]", "[::1].", "[127.0.0.1]", "1.2.3.4.."]
)
def test_zones_and_malformed_hosts_have_no_right_form(host: str) -> None:
    with pytest.raises(InvalidRequestError):
        check_url(f"http://{host}/")
