"""The name resolver: host names looked up on threads that tenants share. Must not know what is fetched.

It checks nothing: whether an address may be reached is decided by ``fetching``, for each connection.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

from overpaint.transforms.fair_queue import FairQueue

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Host name and port → addresses; raises ``OSError`` when there are none."""

_THREADS, _TENANT_THREADS = 32, 4
asking_tenant: ContextVar[str] = ContextVar("tenant", default="")
"""For whom the present task talks to an address: httpcore passes nothing through to our network."""


class SystemResolver:
    """The system's resolver, on threads of its own, which tenants share by fair queueing.

    A look-up cannot be broken off: names that hang hold up other names of the same tenant, at worst. It
    understands what the system understands: names, and numbers in every base.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="resolver")
        self._turns = FairQueue(_THREADS, _TENANT_THREADS)
        self._looking: set[asyncio.Task[list[str]]] = set()

    async def resolve(self, host: str, port: int) -> list[str]:
        """Addresses of a name. Raises ``OSError``."""
        begun = asyncio.Event()
        looking = asyncio.create_task(self._look_up(host, port, begun))
        self._looking.add(looking)
        looking.add_done_callback(self._done)
        try:
            return await asyncio.shield(looking)
        except asyncio.CancelledError:
            if not begun.is_set():
                looking.cancel()
            raise

    async def _look_up(self, host: str, port: int, begun: asyncio.Event) -> list[str]:
        """Holds its place until the thread is free, however soon whoever asked gave up."""
        async with self._turns.place(asking_tenant.get()):
            begun.set()
            found = await asyncio.get_running_loop().run_in_executor(
                self._threads, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            )
        return list(dict.fromkeys(str(address[0]) for *_, address in found))

    def _done(self, looking: asyncio.Task[list[str]]) -> None:
        self._looking.discard(looking)
        if not looking.cancelled():
            looking.exception()  # it may be that nobody waits for it any more
