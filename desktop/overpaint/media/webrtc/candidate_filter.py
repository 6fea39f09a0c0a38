"""A filter for remote ICE candidates: only plausible addresses of the peer, and few of them.

A candidate makes this host send connectivity checks to the address it names (RFC 8445, section 7.2.5; the
attack: section 19.5.1). Peers do not prove that an address is theirs, so candidates are restricted:

- Only addresses, no names: ``.local`` ones (mDNS) would need requests on the local network.
- Only UDP and RTP's component, since every offer multiplexes RTCP.
- Public unicast addresses, as ``is_public`` decides.
- Private ones only in the network of the peer's request: its /24 (IPv6: /64).
- Loopback ones, and this host's own, only for requests from this host itself.
- Addresses of the service's own TURN servers, for relayed candidates.
- Ports from 1024, and 80 and 443 of public addresses, as in browsers (libwebrtc).
- ``MAX_CANDIDATES`` per peer, over its offer and all that follows; further ones are ignored.

Ignoring candidates costs nothing where the peer can reach this host: its own checks reveal its address
(peer-reflexive candidates, RFC 8445, section 7.3.1.3). Must not know HTTP, SDP or rooms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from aiortc import RTCIceCandidate

from overpaint.media.webrtc.ice_sockets import host_addresses

MAX_CANDIDATES = 16
"""Limit per peer: browsers with several networks offer about ten; each costs up to seven packets a socket."""
_FIRST_PORT, _MAX_PORT = 1024, 65535
_WEB_PORTS = (80, 443)
_NEAR_BITS = {4: 24, 6: 64}
_LOOPBACK = (IPv4Address("127.0.0.1"), IPv6Address("::1"))

_Address = IPv4Address | IPv6Address


class CandidateFilter:
    """The filter of one peer; counts over its whole stay.

    Args:
        address: Address of its request; empty where a proxy hides it.
        is_public: Returns whether an address is a permitted one of the public internet.
        relays: Addresses of the service's TURN servers.
    """

    def __init__(self, address: str, is_public: Callable[[str], bool], relays: Iterable[str] = ()) -> None:
        self._is_public = is_public
        self._relays = {found for each in relays if (found := _parsed(each)) is not None}
        self._left = MAX_CANDIDATES
        self._peer = _parsed(address)
        self._own: set[_Address] = set()
        if self._peer is not None:
            own = {found for each in host_addresses(True, True) if (found := _parsed(each)) is not None}
            if self._peer.is_loopback or self._peer in own:
                self._own = own.union(_LOOPBACK)

    def admit(self, candidate: RTCIceCandidate) -> bool:
        """Returns whether a candidate is accepted, and counts accepted ones."""
        if self._left == 0 or not self._may_name(candidate):
            return False
        self._left -= 1
        return True

    def _may_name(self, candidate: RTCIceCandidate) -> bool:
        host, port = _parsed(candidate.ip), candidate.port
        if host is None or candidate.protocol.lower() != "udp" or candidate.component != 1:
            return False
        if _is_nobodys(host) or not 0 < port <= _MAX_PORT:
            return False
        if port < _FIRST_PORT:
            return port in _WEB_PORTS and self._is_public(str(host))
        relayed = candidate.type == "relay" and host in self._relays
        return relayed or self._is_near(host) or self._is_public(str(host))

    def _is_near(self, host: _Address) -> bool:
        """Returns whether the peer could have this address, judged by the address of its request."""
        if host in self._own:
            return True
        # A loopback peer has no neighbours: most addresses of ::/64 embed IPv4 addresses (RFC 2765, 4291).
        if self._peer is None or self._peer.is_loopback or self._peer.version != host.version:
            return False
        return host in ip_network((self._peer, _NEAR_BITS[self._peer.version]), strict=False)


def _parsed(text: str) -> _Address | None:
    try:
        found = ip_address(text)
    except ValueError:
        return None
    if isinstance(found, IPv6Address):
        if found.scope_id is not None:
            return None
        return found.ipv4_mapped or found
    return found


def _is_nobodys(host: _Address) -> bool:
    """Returns whether it is multicast, broadcast, unspecified, reserved, or an embedded IPv4 address."""
    carries = isinstance(host, IPv6Address) and (
        host.sixtofour is not None or host.teredo is not None or (int(host) >> 32 == 0 and int(host) > 1)
    )
    return carries or host.is_multicast or host.is_unspecified or (host.version == 4 and host.is_reserved)
