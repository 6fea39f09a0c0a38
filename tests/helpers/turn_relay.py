"""A TURN server of as much as one link asks for: long-term credentials, allocations, channels; UDP and TCP.

Source: RFC 8656. Messages are read and written by aioice.
"""

from __future__ import annotations

import asyncio
import hashlib
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aioice import stun

from overpaint.media.links.ice_servers import IceServer

HOST, USER, PASSWORD, REALM, NONCE = "127.0.0.1", "ann", "p@ss", "overpaint.test", b"nonce"
KEY = hashlib.md5(f"{USER}:{REALM}:{PASSWORD}".encode()).digest()
LIFETIME_S = 600
Address = tuple[str, int]


class TurnRelay:
    """Serves both ways on one port.

    Attributes:
        ports: Of the relayed addresses that it has given.
        carried: Packets from clients to peers.
        refused: Requests without the right password.
    """

    def __init__(self) -> None:
        self.ports: set[int] = set()
        self.carried = 0
        self.refused = 0


class Client:
    """What one client has at the relay."""

    def __init__(self, relay: TurnRelay, address: Address, reply: Callable[[bytes], None]) -> None:
        self._relay = relay
        self._address = address
        self._reply = reply
        self._channels: dict[int, Address] = {}
        self._out: asyncio.DatagramTransport | None = None

    async def take(self, data: bytes) -> None:
        """One whole message."""
        if data[0] & 0xC0 == 0x40:
            channel, length = struct.unpack_from("!HH", data)
            if self._out is not None and channel in self._channels:
                self._relay.carried += 1
                self._out.sendto(data[4 : 4 + length], self._channels[channel])
            return
        try:
            asked = stun.parse_message(data)
        except ValueError:
            return
        answer = stun.Message(asked.message_method, stun.Class.RESPONSE, asked.transaction_id)
        if "MESSAGE-INTEGRITY" not in asked.attributes or not asked.check_message_integrity(KEY):
            self._relay.refused += 1
            answer.message_class = stun.Class.ERROR
            answer.attributes.update({"ERROR-CODE": (401, "Who?"), "REALM": REALM, "NONCE": NONCE})
            self._reply(bytes(answer))
            return
        if asked.message_method == stun.Method.ALLOCATE:
            await self._allocate(answer)
        elif asked.message_method == stun.Method.CHANNEL_BIND:
            self._channels[asked.attributes["CHANNEL-NUMBER"]] = asked.attributes["XOR-PEER-ADDRESS"]
        elif asked.message_method == stun.Method.REFRESH:
            answer.attributes["LIFETIME"] = asked.attributes["LIFETIME"]
            if not asked.attributes["LIFETIME"]:
                self.close()
        answer.add_message_integrity(KEY)
        self._reply(bytes(answer))

    async def _allocate(self, answer: stun.Message) -> None:
        client = self

        class Outside(asyncio.DatagramProtocol):
            def datagram_received(self, data: bytes, address: Address) -> None:
                client.came(data, address)

        loop = asyncio.get_running_loop()
        self._out, _ = await loop.create_datagram_endpoint(Outside, local_addr=(HOST, 0))
        relayed = self._out.get_extra_info("sockname")
        self._relay.ports.add(relayed[1])
        answer.attributes["XOR-RELAYED-ADDRESS"] = relayed
        answer.attributes["XOR-MAPPED-ADDRESS"] = self._address
        answer.attributes["LIFETIME"] = LIFETIME_S

    def came(self, data: bytes, address: Address) -> None:
        """From a peer: only from one that the client has spoken to."""
        for channel, peer in self._channels.items():
            if peer == address:
                self._reply(struct.pack("!HH", channel, len(data)) + data + bytes(-len(data) % 4))
                return
        if any(peer[0] == address[0] for peer in self._channels.values()):
            told = stun.Message(stun.Method.DATA, stun.Class.INDICATION)
            told.attributes.update({"XOR-PEER-ADDRESS": address, "DATA": data})
            self._reply(bytes(told))

    def close(self) -> None:
        """Gives its relayed address back."""
        if self._out is not None:
            self._out.close()
            self._out = None


@asynccontextmanager
async def turn_relay(transport: str) -> AsyncIterator[tuple[TurnRelay, IceServer]]:
    """A relay that is spoken to by ``udp`` or ``tcp``, and how it is named."""
    relay, clients, work = TurnRelay(), {}, set()

    def hand(client: Client, data: bytes) -> None:
        task = asyncio.get_running_loop().create_task(client.take(data))
        work.add(task)
        task.add_done_callback(work.discard)

    class Datagrams(asyncio.DatagramProtocol):
        def connection_made(self, transport: asyncio.DatagramTransport) -> None:
            self._transport = transport

        def datagram_received(self, data: bytes, address: Address) -> None:
            if address not in clients:
                clients[address] = Client(relay, address, lambda said: self._transport.sendto(said, address))
            hand(clients[address], data)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("peername")
        client = clients[address] = Client(relay, address, writer.write)
        try:
            while True:
                head = await reader.readexactly(4)
                _, length = struct.unpack("!HH", head)
                rest = length + -length % 4 if head[0] & 0xC0 == 0x40 else length + 16
                await client.take(head + await reader.readexactly(rest))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    if transport == "tcp":
        server = await asyncio.start_server(serve, HOST, 0)
        port, end = server.sockets[0].getsockname()[1], server.close
    else:
        loop = asyncio.get_running_loop()
        datagrams, _ = await loop.create_datagram_endpoint(Datagrams, local_addr=(HOST, 0))
        port, end = datagrams.get_extra_info("sockname")[1], datagrams.close
    try:
        yield relay, IceServer(f"turn:{HOST}:{port}?transport={transport}", USER, PASSWORD)
    finally:
        end()
        for client in clients.values():
            client.close()
        await asyncio.sleep(0)
