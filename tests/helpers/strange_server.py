"""A real HTTP server of somebody else's, that answers as a test scripts it, and the internet around it."""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpcore

PUBLIC = "93.184.215.14"
"""An address that the tests' internet leads to the strange server."""


@dataclass
class Received:
    """One request as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[Received, asyncio.StreamWriter], Awaitable[None]]


def plain(body: bytes = b"", status: str = "200 OK", **headers: str) -> Answer:
    """An honest answer; ``content_length`` and others may be overridden to lie."""
    fields = {"content_length": str(len(body)), "connection": "close", **headers}

    async def write(_: Received, writer: asyncio.StreamWriter) -> None:
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items() if value]
        writer.write("\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode() + body)

    return write


def redirect(location: str, status: str = "302 Found") -> Answer:
    return plain(b"", status, location=location)


@dataclass
class StrangeServer:
    """Answers each path as ``routes`` says, 404 elsewhere, and remembers what it was asked."""

    routes: dict[str, Answer] = field(default_factory=dict)
    requests: list[Received] = field(default_factory=list)
    port: int = 0
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = dict(_pair(line) for line in head[1:] if line)
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            received = Received(method, path, headers, body)
            self.requests.append(received)
            await self.routes.get(path, plain(b"", "404 Not Found"))(received, writer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            writer.close()

    @asynccontextmanager
    async def running(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[StrangeServer]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for task in list(self._open):
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)


def _pair(line: str) -> tuple[str, str]:
    name, _, value = line.partition(": ")
    return name.lower(), value


class Internet(httpcore.AsyncNetworkBackend):
    """Every public address leads to one local port; remembers which addresses were called."""

    def __init__(self, port: int) -> None:
        self.called: list[str] = []
        self._port = port
        self._sockets = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.called.append(host)
        assert ipaddress.ip_address(host).is_global
        return await self._sockets.connect_tcp("127.0.0.1", self._port, timeout)
