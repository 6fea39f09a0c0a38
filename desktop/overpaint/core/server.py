"""The HTTP server: a service on a port, from its first request to its graceful shutdown.

Must not know ledgers, engines or other processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import FrameType

import uvicorn

from overpaint.core.realtime.control_socket import MESSAGE_MAX_BYTES
from overpaint.core.service import Service
from overpaint.web.connection_register import ConnectionRegister
from overpaint.web.connections import IDLE_SECONDS, PatientProtocol, TlsDoor
from overpaint.web.sockets import PatientSocket

log = logging.getLogger(__name__)

_END_SECONDS = 5.0
_OTHER_FILES = 512
"""Inputs, outputs, workers' pipes, the database: what is open beside connections."""
_CONNECTIONS_LEAST = 32


@dataclass(frozen=True, slots=True)
class SecureListener:
    """A bound socket and the certificate that it shows."""

    listener: socket.socket
    context: ssl.SSLContext


class Server(uvicorn.Server):
    """uvicorn, with an end that tells every session before its socket is closed.

    Args:
        service: What is served.
        started: Called on the event loop once requests are answered.
        secured: A port that speaks TLS, beside the plain ones that it is run with.
    """

    def __init__(
        self,
        service: Service,
        started: Callable[[], None] | None = None,
        secured: SecureListener | None = None,
    ) -> None:
        config = service.config
        most = min(config.connections, max(_CONNECTIONS_LEAST, open_files(config.connections) - _OTHER_FILES))
        self._register = ConnectionRegister(most, min(most, config.address_connections))
        super().__init__(
            uvicorn.Config(
                service.app,
                http=partial(PatientProtocol, register=self._register),  # type: ignore[arg-type]
                timeout_keep_alive=IDLE_SECONDS,
                ws=partial(PatientSocket, register=self._register),  # type: ignore[arg-type]
                ws_max_size=MESSAGE_MAX_BYTES,
                ws_ping_interval=10.0,
                ws_ping_timeout=10.0,
                # A message of base64 does not shrink, and a small one could grow without bound.
                ws_per_message_deflate=False,
                lifespan="off",
                log_config=None,
                # uvicorn's own lines have the socket's query in them, and so the session's secret; its
                # warnings are what strangers send.
                log_level="error",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=int(_END_SECONDS),
            )
        )
        self._service = service
        self._on_start = started
        self._secured = secured

    def end(self) -> None:
        """Asks for the graceful end; from any thread, returns at once."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to answer requests."""
        await self._service.start()
        await super().startup(sockets)
        if self._secured is not None:
            self.servers.append(await self._listen_secured(self._secured))
        if self._on_start is not None:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends every session and what runs beside the requests, then the connections."""
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self._service.close()
        except TimeoutError:
            log.warning("the service did not end within %.0f s", _END_SECONDS)
        await super().shutdown(sockets)

    async def _listen_secured(self, secured: SecureListener) -> asyncio.base_events.Server:
        state, register = self.server_state, self._register

        def connection() -> asyncio.Protocol:
            behind = PatientProtocol(self.config, state, self.lifespan.state, register=register)
            return TlsDoor(behind, secured.context, state.connections, register)

        return await asyncio.get_running_loop().create_server(connection, sock=secured.listener)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """SIGINT and SIGTERM ask for the graceful end, and count as handled by it."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        former = {number: signal.signal(number, self._signalled) for number in _signals()}
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        if self.should_exit and number == signal.SIGINT:
            self.force_exit = True  # Ctrl+C again: do not wait for anybody
        self.should_exit = True


def serve(
    service: Service,
    listener: socket.socket,
    started: Callable[[Server], None] | None = None,
    secured: SecureListener | None = None,
) -> None:
    """Serves until a signal, or ``Server.end``.

    Args:
        service: What is served.
        listener: From ``open_listener``; closed at the end.
        started: Called with the server once requests are answered.
        secured: A port that speaks TLS, beside the plain one; closed at the end.
    """

    def begun() -> None:
        if started is not None:
            started(server)

    server = Server(service, begun, secured)
    try:
        server.run([listener])
    finally:
        listener.close()
        if secured is not None:
            secured.listener.close()


def open_files(connections: int) -> int:
    """Raises this process's limit on open files for so many connections, as far as the system lets it.

    Without one that is left nothing can be accepted, read or written: a thousand connections stopped all.

    Returns:
        How many may be open then.
    """
    if sys.platform == "win32":
        return connections + _OTHER_FILES  # sockets are no files there
    import resource

    wanted = connections + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    except (OSError, ValueError):  # macOS has a bound of its own below "infinity"
        return soft
    return raised


def _signals() -> list[signal.Signals]:
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)
    return numbers
