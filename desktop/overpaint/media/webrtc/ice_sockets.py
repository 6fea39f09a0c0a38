"""UDP sockets in place of aioice's: buffers for a key frame, and no queue of old packets.

Installed by ``aiortc_tuning``. Must not know what the packets carry.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, cast

from aioice import ice, stun, turn

RECEIVE_BUFFER_BYTES = 2 << 20
SEND_BUFFER_BYTES = 512 << 10
"""Half a second at 8 Mb/s, and more than a key frame; a larger buffer would only hold late packets."""
UNSENT_BYTES = 64 << 10
"""Limit of bytes that the system has not accepted; asyncio would keep any amount."""
CONSENT_REPEATS = 2
LOOPBACK = "127.0.0.1"

_plain_host_addresses = ice.get_host_addresses


class RoomyStunProtocol(ice.StunProtocol):
    """A socket whose send buffer holds a key frame, and little more.

    The receive buffer is aioice's own setting.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Enlarges the send buffer of the new socket."""
        super().connection_made(transport)
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)

    async def request(
        self,
        request: stun.Message,
        addr: tuple[str, int],
        integrity_key: bytes | None = None,
        retransmissions: int | None = None,
    ) -> tuple[stun.Message, tuple[str, int]]:
        """Sends a request, and waits 3.5 s for the answer, where aioice waits 0.5 s.

        aioice sends consent checks (RFC 7675) only once: with a round trip of half a second, as by satellite,
        every connection would end after half a minute.
        """
        tries = CONSENT_REPEATS if retransmissions == 0 else retransmissions
        return await super().request(request, addr, integrity_key, tries)

    async def send_data(self, data: bytes, addr: tuple[str, int]) -> None:
        """Sends a packet, or drops it where too many are unsent: the receiver requests it again."""
        transport = cast(Any, self.transport)  # typeshed knows this of streams only
        if transport.get_write_buffer_size() < UNSENT_BYTES:
            transport.sendto(data, addr)


class RelayedTransport(turn.TurnTransport):
    """A relayed transport through a TURN server that reports its unsent bytes as a socket does."""

    def __init__(self, inner_protocol: turn.TurnClientProtocol) -> None:
        super().__init__(inner_protocol)
        self._inner = inner_protocol

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Returns the server's socket, too, whose buffer, with TCP, would hold seconds of pictures."""
        if name == "socket":
            return self._inner.transport.get_extra_info(name, default)
        return super().get_extra_info(name, default)

    def get_write_buffer_size(self) -> int:
        """Returns the bytes that the system has not accepted."""
        transport = cast(Any, self._inner.transport)  # typeshed knows this of streams only
        return int(transport.get_write_buffer_size())


def host_addresses(use_ipv4: bool, use_ipv6: bool) -> list[str]:
    """Returns this host's addresses, loopback first.

    Then aioice tries and selects loopback first: so a stream between two processes of one host survives a
    loss of the network.
    """
    addresses = [each for each in _plain_host_addresses(use_ipv4, use_ipv6) if each != LOOPBACK]
    return [LOOPBACK, *addresses] if use_ipv4 else addresses
