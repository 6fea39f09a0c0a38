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
"""Open files beside connections: inputs, outputs, workers' pipes, the database."""
_CONNECTIONS_LEAST = 32


@dataclass(frozen=True, slots=True)
class SecureListener:
    """A bound socket and its certificate."""

    listener: socket.socket
    context: ssl.SSLContext


class Server(uvicorn.Server):
    """A uvicorn server with a graceful shutdown that tells every session before its socket is closed.

    Args:
        service: The service.
        started: Called on the event loop once requests are answered.
        secured: A TLS port in addition to the plain ones.
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
                # Base64 does not compress, and a small message could expand without bound.
                ws_per_message_deflate=False,
                lifespan="off",
                log_config=None,
                # uvicorn's log lines contain the socket's query, and so the session's secret; its
                # warnings are about clients' input.
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
        """Requests the graceful shutdown; from any thread, returns at once."""
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
        """Ends sessions and background tasks, then connections."""
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
        """Handles SIGINT and SIGTERM by a graceful shutdown."""
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
            self.force_exit = True  # a second Ctrl+C: do not wait
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
    """Raises this process's limit of open files for that many connections, as far as allowed.

    Without free file descriptors nothing can be accepted, read or written: a thousand connections stopped
    all.

    Returns:
        The number of connections that may be open.
    """
    if sys.platform == "win32":
        return connections + _OTHER_FILES  # on Windows sockets are no files
    import resource

    wanted = connections + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    except (OSError, ValueError):  # macOS has a lower limit than "infinity"
        return soft
    return raised


def _signals() -> list[signal.Signals]:
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)
    return numbers
