"""Network addresses that callers may make the service connect to. Must not know names, urls or sockets.

Sources: IANA special-purpose address registries (RFC 6890), RFC 6598 (shared address space), RFC 6052 and
8215 (NAT64), RFC 4291 (IPv4-mapped and IPv4-compatible), RFC 2765 (IPv4-translated), RFC 3056 (6to4),
RFC 4380 (Teredo), RFC 5214 (ISATAP), the clouds' metadata services.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x00005EFE, 0x02005EFE)
"""Upper halves of the interface identifiers that end in an IPv4 address (RFC 5214, 6.1)."""
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_LOOPBACK = IPv6Address("::1")
_METADATA = (
    IPv4Network("168.63.129.16/32"),  # Azure's; public, but reachable only from its own machines
    IPv4Network("100.100.100.200/32"),
    IPv4Network("192.0.0.192/32"),
    IPv6Network("fd00:ec2::/32"),
    IPv6Network("fd20:ce::/32"),
)
# Refused in closed networks, too. The IPv6 ones embed an IPv4 address for a relay or translator, in a layout
# that only the network knows, or for an obsolete mechanism; a service in a closed network is reached by name
# and needs none of these.
_NEVER = (
    IPv4Network("0.0.0.0/8"),
    IPv4Network("255.255.255.255/32"),
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv6Network("::/96"),  # IPv4-compatible; loopback is in it, and an exception
    IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated
    IPv6Network("64:ff9b:1::/48"),  # NAT64 for local use
    IPv6Network("2001::/32"),  # Teredo
    IPv6Network("2002::/16"),  # 6to4
)
# Global according to ``ipaddress`` in some or all versions of Python.
_NEVER_PUBLIC = (
    IPv4Network("100.64.0.0/10"),
    IPv4Network("192.0.0.0/24"),
    IPv6Network("2001::/23"),
    IPv6Network("2001:db8::/32"),
    IPv6Network("3fff::/20"),
)


def may_reach(address: str, allow_private: bool = False) -> bool:
    """Returns whether callers may name this address.

    Args:
        address: IPv4 or IPv6, as a resolver returns it.
        allow_private: Whether private and loopback addresses are allowed, too. Never allowed are link-local
        addresses (clouds keep credentials there), multicast and broadcast, and obsolete embeddings of
        IPv4 in IPv6.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if found.scope_id is not None:
            return False
        found = _translated(found)
        isatap = _isatap(found) if isinstance(found, IPv6Address) else None
        if isatap is not None and not may_reach(str(isatap), allow_private):
            return False
    if found.is_link_local or found.is_multicast or found.is_unspecified or _within(found, _METADATA):
        return False
    if found != _LOOPBACK and _within(found, _NEVER):
        return False
    if allow_private:
        return True
    if isinstance(found, IPv6Address) and found not in _GLOBAL_UNICAST:
        return False
    return found.is_global and not found.is_reserved and not _within(found, _NEVER_PUBLIC)


def _translated(address: IPv6Address) -> IPv4Address | IPv6Address:
    """Returns the IPv4 address where the network itself translates; else the address."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return _last_32(address)
    return address


def _isatap(address: IPv6Address) -> IPv4Address | None:
    """Returns the IPv4 address that an ISATAP router would send to."""
    return _last_32(address) if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP else None


def _last_32(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFFFFFF)


def _within(address: IPv4Address | IPv6Address, networks: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    return any(address in network for network in networks)
