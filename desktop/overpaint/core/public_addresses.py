"""Which network addresses strangers may make the service talk to. Must not know names, urls or sockets.

Sources: IANA special-purpose address registries (RFC 6890), RFC 6598 (shared address space), RFC 6052
(NAT64), RFC 4291 (IPv4-mapped), RFC 3056 and 4380 (6to4, Teredo), the clouds' metadata services.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_NAT64 = IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_METADATA = (
    IPv4Network("168.63.129.16/32"),  # Azure's, a public address that only its own machines reach
    IPv4Network("100.100.100.200/32"),
    IPv6Network("fd00:ec2::/32"),
    IPv6Network("fd20:ce::/32"),
)
# What ``ipaddress`` counts as global in one version of Python and not in another, or at all.
_NEVER_PUBLIC = (
    IPv4Network("100.64.0.0/10"),
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),
    IPv6Network("2001::/23"),  # Teredo among it, which carries any IPv4 address
    IPv6Network("2001:db8::/32"),
    IPv6Network("2002::/16"),  # 6to4, likewise
    IPv6Network("3fff::/20"),
)


def may_reach(address: str, allow_private: bool = False) -> bool:
    """Whether a caller may name something at this address.

    Args:
        address: IPv4 or IPv6, as a resolver gives it.
        allow_private: Private and loopback addresses are good too. Link-local ones, where clouds keep
            their credentials, and such that are no single machine's never are.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if found.scope_id is not None:
            return False
        found = _embedded(found)
    if found.is_link_local or found.is_multicast or found.is_unspecified or _within(found, _METADATA):
        return False
    if allow_private:
        return True
    if isinstance(found, IPv6Address) and found not in _GLOBAL_UNICAST:
        return False
    return found.is_global and not found.is_reserved and not _within(found, _NEVER_PUBLIC)


def _embedded(address: IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that is meant, where the network itself translates; else the address."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _within(address: IPv4Address | IPv6Address, networks: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    return any(address in network for network in networks)
