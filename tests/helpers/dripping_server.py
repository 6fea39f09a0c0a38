"""A customer's web server that sends a byte now and then, on loopback; counts who asked."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 1000000\r\n\r\n"


class DrippingServer:
    """One server.

    Args:
        head: Sent at once.
        pause_s: Between two bytes.

    Attributes:
        url: Where it is.
        asked: Connections that sent something.
        open: Connections that are dripped to now.
    """

    def __init__(self, head: bytes = HEAD, pause_s: float = 0.2) -> None:
        self.url = ""
        self.asked = self.open = 0
        self._head, self._pause_s = head, pause_s
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="drips")
        self._thread.start()
        assert self._up.wait(10)

    def close(self) -> None:
        """Ends every connection; idempotent."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join(20)

    async def _run(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._drip, "127.0.0.1", 0, backlog=300)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/drip.png"
        self._up.set()
        await self._end.wait()
        server.close()
        while self.open:  # noqa: ASYNC110 - each sees the end by itself
            await asyncio.sleep(0.01)

    async def _drip(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            if await reader.read(4096):
                self.asked += 1
                self.open += 1
                try:
                    await self._bytes(writer)
                finally:
                    self.open -= 1
        writer.transport.abort()

    async def _bytes(self, writer: asyncio.StreamWriter) -> None:
        writer.write(self._head)
        while not (self._end.is_set() or writer.is_closing()):
            writer.write(b"x")
            await writer.drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._end.wait(), self._pause_s)


@contextmanager
def dripping(head: bytes = HEAD, pause_s: float = 0.2) -> Iterator[DrippingServer]:
    """A server for the length of a block."""
    server = DrippingServer(head, pause_s)
    try:
        yield server
    finally:
        server.close()
