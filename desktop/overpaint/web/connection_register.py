"""Connection limits, in total and per client address; idle connections are closed first.

A connection is idle while it waits for a TLS handshake, a request's head, or the rest of an unwanted body.
At a limit, a new connection replaces the longest idle one: of the same address if that address is at its
limit, else of the address with the most connections. So a client that holds many connections open (slowloris)
loses its own. A connection whose request is being answered is never closed. Must not know HTTP.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter
from collections.abc import Callable


class Connection:
    """One open connection in the register.

    Args:
        transport: Its transport.
        network: Its client network, to which it counts (``network_of``).
        waits_since: Time since when it is idle; None while it is busy.
    """

    __slots__ = ("network", "transport", "waits_since")

    def __init__(self, transport: asyncio.BaseTransport, network: str, waits_since: float | None) -> None:
        self.transport, self.network, self.waits_since = transport, network, waits_since


class ConnectionRegister:
    """The connections of one server. Used on its event loop only.

    Args:
        total: Most open connections.
        per_network: Most open connections of one IPv4 address, or of one /64 of IPv6.
    """

    def __init__(self, total: int, per_network: int) -> None:
        self._total, self._per_network = total, per_network
        self._open: dict[asyncio.BaseTransport, Connection] = {}
        self._counts: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, transport: asyncio.Transport) -> bool:
        """Adds a new connection, idle at first; another one may be aborted for it.

        Returns:
            Whether it was admitted; otherwise it has been aborted.
        """
        peer = transport.get_extra_info("peername")
        network = network_of(str(peer[0])) if isinstance(peer, tuple) and peer else ""
        self._open[transport] = Connection(transport, network, time.monotonic())
        self._counts[network] += 1
        if len(self._open) > self._total or self._counts[network] > self._per_network:
            self._make_room(transport, network)
        return transport in self._open

    def waits(self, transport: asyncio.Transport) -> None:
        """Marks a connection as idle from now on; one that is idle keeps its time."""
        found = self._open.get(transport)
        if found is not None and found.waits_since is None:
            found.waits_since = time.monotonic()

    def works(self, transport: asyncio.Transport) -> None:
        """Marks a connection as busy."""
        found = self._open.get(transport)
        if found is not None:
            found.waits_since = None

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Removes a connection; idempotent."""
        found = self._open.pop(transport, None)
        if found is not None:
            self._counts[found.network] -= 1
            if not self._counts[found.network]:
                del self._counts[found.network]

    def _make_room(self, new: asyncio.Transport, network: str) -> None:
        # Connections that are being closed may still send their last bytes, but no longer count.
        for each in [each for each in self._open if each.is_closing() and each is not new]:
            self.leave(each)
        if self._counts[network] > self._per_network:
            self._abort(self._idlest(new, lambda each: each.network == network) or new)
        if len(self._open) > self._total and new in self._open:
            most = self._largest_waiting(new)
            self._abort(self._idlest(new, lambda each: each.network == most) or new)

    def _largest_waiting(self, new: asyncio.Transport) -> str | None:
        """The network with the most connections, among those with an idle one."""
        waiting = {
            each.network
            for each in self._open.values()
            if each.waits_since is not None and each.transport is not new
        }
        return max(waiting, key=lambda each: self._counts[each], default=None)

    def _idlest(
        self, new: asyncio.Transport, chosen: Callable[[Connection], bool]
    ) -> asyncio.BaseTransport | None:
        """The longest idle connection of those that ``chosen`` accepts."""
        waiting = [
            (each.waits_since, each.transport)
            for each in self._open.values()
            if each.waits_since is not None and each.transport is not new and chosen(each)
        ]
        return min(waiting, key=lambda each: each[0])[1] if waiting else None

    def _abort(self, transport: asyncio.BaseTransport) -> None:
        self.leave(transport)
        if isinstance(transport, asyncio.WriteTransport):
            transport.abort()
        else:
            transport.close()


def network_of(address: str) -> str:
    """The network by which a client is counted: an IPv4 address, the /64 of an IPv6 one, or the text."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
