"""A network between the desktop and a service elsewhere, whose parts can be cut, silenced and delayed.

It listens on a port of its own and hands everything on: plain HTTP request by request, the control socket
byte by byte, and WebRTC's media packet by packet, for which it puts its own address in the place of each
side's ICE candidates. So nothing can get past it. Must not know what is said beyond that.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import socket
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

Part = Literal["http", "socket", "media"]
PARTS: tuple[Part, ...] = ("http", "socket", "media")
_CANDIDATE = re.compile(
    r"^a=candidate:\S+ \d+ udp (?P<priority>\d+) (?P<address>\S+) (?P<port>\d+) typ host.*$",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(slots=True)
class Line:
    """How one part of the network is.

    Attributes:
        cut: Connections break, and new ones are refused; packets are lost.
        silent: Nothing arrives, and nobody is told; bytes arrive later, packets never.
        delay_s: How long everything takes, each way.
        loss: The part of the packets that is lost.
    """

    cut: bool = False
    silent: bool = False
    delay_s: float = 0.0
    loss: float = 0.0


class Relay:
    """The network, in a thread of its own.

    Args:
        port: Where the service listens, on loopback.

    Attributes:
        lines: How each part is.
        tokens: Session secrets that went by, oldest first.
        requests: Paths that were asked for.
    """

    def __init__(self, port: int) -> None:
        self.lines: dict[Part, Line] = {part: Line() for part in PARTS}
        self.tokens: list[str] = []
        self.requests: list[str] = []
        self._service = port
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: dict[asyncio.StreamWriter, Part] = {}
        self._changed = asyncio.Event()
        self._crossings: list[_Crossing] = []
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    # ---- what a test does to it --------------------------------------------------------------------

    def set(self, *parts: Part, **values: Any) -> None:
        """Changes some parts of the network, at once."""
        self._do(self._set(parts, values))

    @contextmanager
    def trouble(self, *parts: Part, **values: Any) -> Iterator[None]:
        """Trouble on some parts for the length of a block."""
        self.set(*parts, **values)
        try:
            yield
        finally:
            self.set(*parts, **dict.fromkeys(("cut", "silent"), False), delay_s=0.0, loss=0.0)

    def close(self) -> None:
        """Ends it."""
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    # ---- inside ------------------------------------------------------------------------------------

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _set(self, parts: tuple[Part, ...], values: dict[str, Any]) -> None:
        for part in parts:
            for name, value in values.items():
                setattr(self.lines[part], name, value)
        for writer, part in list(self._open.items()):
            if self.lines[part].cut:
                writer.transport.abort()
        former, self._changed = self._changed, asyncio.Event()
        former.set()

    async def _end(self) -> None:
        self._server.close()
        for crossing in self._crossings:
            crossing.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            self._open.pop(writer, None)
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if all(self.lines[part].cut for part in ("http", "socket")):
            return
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ", 2)[1].decode()
        if token := re.search(r"/realtime/stream\?token=(\S+)", path):
            self.tokens.append(token[1])
            await self._socket(head, reader, writer)
        else:
            self.requests.append(path)
            await self._request(head, reader, writer)

    async def _socket(self, head: bytes, reader: Any, writer: asyncio.StreamWriter) -> None:
        if not await self._passage("socket"):
            return
        back, out = await asyncio.open_connection("127.0.0.1", self._service)
        self._open[writer] = self._open[out] = "socket"
        try:
            out.write(head)
            ways = [
                asyncio.create_task(self._carry(reader, out)),
                asyncio.create_task(self._carry(back, writer)),
            ]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            await self._passage("socket")  # in silence not even an end is heard of
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        finally:
            self._open.pop(out, None)
            out.close()
            with contextlib.suppress(OSError):
                await writer.drain()
                writer.close()
                await writer.wait_closed()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if not await self._passage("socket"):
                return
            writer.write(data)
            await writer.drain()

    async def _request(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        body = await _body(head, reader)
        if not await self._passage("http"):
            return
        self._open[writer] = "http"
        crossing = None
        if b"application/sdp" in head.lower() and body:
            crossing = _Crossing(self.lines["media"])
            self._crossings.append(crossing)
            body = crossing.towards_service(body)
        back, out = await asyncio.open_connection("127.0.0.1", self._service)
        try:
            out.write(_with_length(head, body, close=True) + body)
            answer = await back.readuntil(b"\r\n\r\n")
            content = await back.read()
        finally:
            out.close()
        if crossing is not None and b"application/sdp" in answer.lower():
            content = crossing.towards_desktop(content)
            answer = _with_length(answer, content)
        if await self._passage("http"):
            writer.write(answer + content)
            await writer.drain()
            writer.close()
            await writer.wait_closed()

    async def _passage(self, part: Part) -> bool:
        """Waits until something may pass; whether it may at all."""
        line = self.lines[part]
        if line.delay_s:
            await asyncio.sleep(line.delay_s)
        while line.silent and not line.cut:
            await self._changed.wait()
        return not line.cut


class _Crossing:
    """The media of one peer connection: two ports, each of which speaks for the other side.

    Args:
        line: How the media's part of the network is.
    """

    def __init__(self, line: Line) -> None:
        self._line = line
        self._loop = asyncio.get_running_loop()
        self._to_desktop, self._to_service = _port(), _port()
        self._desktop: tuple[str, int] | None = None
        self._service: tuple[str, int] | None = None
        for port in (self._to_desktop, self._to_service):
            self._loop.add_reader(port, self._arrived, port)

    def close(self) -> None:
        for port in (self._to_desktop, self._to_service):
            self._loop.remove_reader(port)
            port.close()

    def towards_service(self, offer: bytes) -> bytes:
        """The offer, with this crossing in the place of the desktop."""
        text, self._desktop = _redirected(offer.decode(), self._to_service)
        return text.encode()

    def towards_desktop(self, answer: bytes) -> bytes:
        """The answer, with this crossing in the place of the service."""
        text, self._service = _redirected(answer.decode(), self._to_desktop)
        return text.encode()

    def _arrived(self, port: socket.socket) -> None:
        out, sender, peer = self._to_service, self._desktop, self._service
        if port is self._to_service:
            out, sender, peer = self._to_desktop, self._service, self._desktop
        with contextlib.suppress(BlockingIOError):
            while True:
                try:
                    packet, source = port.recvfrom(65536)
                except ConnectionError:
                    continue  # the system's word on something that was sent before
                line = self._line
                lost = line.cut or line.silent or random.random() < line.loss
                # From another address of the same side it would make a second way past the first.
                if lost or peer is None or (sender is not None and source[1] != sender[1]):
                    continue
                if line.delay_s:
                    self._loop.call_later(line.delay_s, _send, out, packet, peer)
                else:
                    _send(out, packet, peer)


def _send(port: socket.socket, packet: bytes, peer: tuple[str, int]) -> None:
    with contextlib.suppress(OSError):
        port.sendto(packet, peer)


def _redirected(sdp: str, port: socket.socket) -> tuple[str, tuple[str, int] | None]:
    """A session description that names this port, and the first address that it named before."""
    found = [each for each in _CANDIDATE.finditer(sdp) if ":" not in each["address"]]
    if not found:
        return sdp, None
    first = found[0]
    own = f"a=candidate:1 1 udp {first['priority']} 127.0.0.1 {port.getsockname()[1]} typ host"
    lines = [each for each in sdp.splitlines() if not each.startswith(("a=candidate", "a=end-of-cand"))]
    at = max(index for index, each in enumerate(lines) if each.startswith(("m=", "c=", "b="))) + 1
    lines[at:at] = [own, "a=end-of-candidates"]
    return "\r\n".join(lines) + "\r\n", (first["address"], int(first["port"]))


def _port() -> socket.socket:
    port = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    port.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 21)
    port.bind(("127.0.0.1", 0))
    port.setblocking(False)
    return port


async def _body(head: bytes, reader: asyncio.StreamReader) -> bytes:
    length = re.search(rb"content-length:\s*(\d+)", head, re.IGNORECASE)
    return await reader.readexactly(int(length[1])) if length else b""


def _with_length(head: bytes, body: bytes, *, close: bool = False) -> bytes:
    lines = [
        line
        for line in head.removesuffix(b"\r\n\r\n").split(b"\r\n")
        if not line.lower().startswith((b"content-length:", b"connection:", b"transfer-encoding:"))
    ]
    lines.append(b"Connection: close")
    if body or not close:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n"
