"""UDP sockets under a connection, in place of aioice's: a full picture fits in, an old one does not wait.

``aiortc_tuning`` puts them there. Must not know what the packets carry.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, cast

from aioice import ice, stun, turn

RECEIVE_BUFFER_BYTES = 2 << 20
SEND_BUFFER_BYTES = 512 << 10
"""Half a second at 8 Mb/s, and more than a full picture: what lies here longer is late."""
UNSENT_BYTES = 64 << 10
"""That the system would not take; asyncio would keep any amount of it."""
CONSENT_REPEATS = 2
LOOPBACK = "127.0.0.1"

_plain_host_addresses = ice.get_host_addresses


class RoomyStunProtocol(ice.StunProtocol):
    """A socket whose send buffer holds a full picture, and no more than is worth sending.

    The receive buffer is aioice's own setting.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Widens the socket when it is there."""
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
        """Asks, for 3.5 s where aioice waits for 0.5 s: its checks of consent (RFC 7675) are asked once only,
        and on a way of half a second, as by satellite, every connection would end after half a minute.
        """
        tries = CONSENT_REPEATS if retransmissions == 0 else retransmissions
        return await super().request(request, addr, integrity_key, tries)

    async def send_data(self, data: bytes, addr: tuple[str, int]) -> None:
        """Sends a packet, or drops it as a full queue on the way would: the receiver asks for it again."""
        transport = cast(Any, self.transport)  # typeshed knows this of streams only
        if transport.get_write_buffer_size() < UNSENT_BYTES:
            transport.sendto(data, addr)


class RelayedTransport(turn.TurnTransport):
    """A way through a TURN server that tells, as a socket does, what it has not sent yet."""

    def __init__(self, inner_protocol: turn.TurnClientProtocol) -> None:
        super().__init__(inner_protocol)
        self._inner = inner_protocol

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Of the socket to the server too: by TCP, the system would keep seconds of pictures in it."""
        if name == "socket":
            return self._inner.transport.get_extra_info(name, default)
        return super().get_extra_info(name, default)

    def get_write_buffer_size(self) -> int:
        """Bytes that the system would not take."""
        transport = cast(Any, self._inner.transport)  # typeshed knows this of streams only
        return int(transport.get_write_buffer_size())


def host_addresses(use_ipv4: bool, use_ipv6: bool) -> list[str]:
    """This host's addresses, loopback first.

    First, because aioice then tries and takes it first: a picture between two processes of one host
    survives when the network under it goes away.
    """
    addresses = [each for each in _plain_host_addresses(use_ipv4, use_ipv6) if each != LOOPBACK]
    return [LOOPBACK, *addresses] if use_ipv4 else addresses
