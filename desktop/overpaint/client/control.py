"""The client of the control socket (WebSocket). The only importer of websockets outside the service.

It sends and receives typed messages, and turns a close code into an error. Must not know what the messages
are for.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from pydantic import ValidationError
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from overpaint.client.transport import distrust, trusted
from overpaint.errors import (
    AuthenticationError,
    ServiceError,
    SessionClosedError,
    UnreachableError,
    UpstreamError,
)
from overpaint.wire.control import (
    CLOSE_AUTHENTICATION,
    CLOSE_SESSION,
    CLOSE_UPSTREAM,
    AnyServerMessage,
    ClientMessage,
    parse_server,
)
from overpaint.wire.servers import is_loopback_address

log = logging.getLogger(__name__)

PING_SECONDS = 1.5
PONG_SECONDS = 2.5
CLOSE_SECONDS = 1.0
"""The sum of the three bounds the time in which a silently lost connection is detected."""
_OPEN_SECONDS = 5.0
_MESSAGE_MAX_BYTES = 1024 * 1024


class ControlSocket:
    """An open control socket; iterating over it yields the server's messages.

    When the server closes it, iteration raises the ``ServiceError`` of the close code: ``SessionClosedError``
    (kind ``session_expired`` or ``session_closed``), ``AuthenticationError``, ``UpstreamError``, or
    ``UnreachableError`` for a lost connection. After ``close``, iteration ends without an error.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._closing = False

    @classmethod
    async def connect(cls, url: str) -> ControlSocket:
        """Opens the socket.

        Args:
            url: ``websocket_url`` of a session; contains its secret.

        Raises:
            UnreachableError: There is no answer. A refused session is reported by the first message or the
                close code, not here.
        """
        try:
            connection = await connect(
                url,
                open_timeout=_OPEN_SECONDS,
                close_timeout=CLOSE_SECONDS,
                ping_interval=PING_SECONDS,
                ping_timeout=PONG_SECONDS,
                max_size=_MESSAGE_MAX_BYTES,
                compression=None,
                ssl=trusted(url) if url.startswith("wss:") else None,
                proxy=None if is_loopback_address(url) else True,
                # websockets logs handshakes, with the secret in the path, at debug level.
                logger=_silent_logger(),
            )
        except (OSError, TimeoutError, ValueError, InvalidHandshake, InvalidURI) as error:
            raise distrust(url, error) or _unreachable(url) from error
        return cls(connection)

    def __repr__(self) -> str:
        return "ControlSocket()"

    async def send(self, message: ClientMessage) -> None:
        """Sends one message. Raises ``ServiceError`` when the socket is closed."""
        try:
            await self._connection.send(message.model_dump_json(exclude_none=True))
        except ConnectionClosed as error:
            raise self._error(error) from error

    async def __aiter__(self) -> AsyncIterator[AnyServerMessage]:
        """Yields the server's messages; a type that this version does not know is skipped."""
        while True:
            try:
                text = await self._connection.recv()
            except ConnectionClosed as error:
                if self._closing:
                    return
                raise self._error(error) from error
            try:
                yield parse_server(text)
            except ValidationError:
                log.info("a message of an unknown kind was passed over")

    async def close(self) -> None:
        """Closes the socket, which ends the stream at the service. Idempotent."""
        self._closing = True
        await self._connection.close()

    def _error(self, error: ConnectionClosed) -> ServiceError:
        code = error.rcvd.code if error.rcvd is not None else None
        reason = error.rcvd.reason if error.rcvd is not None else ""
        if code == CLOSE_AUTHENTICATION:
            return AuthenticationError("session_secret_refused")
        if code == CLOSE_SESSION:
            expired = reason == "session_expired"
            return SessionClosedError("session_time_over" if expired else "session_was_closed")
        if code == CLOSE_UPSTREAM:
            return UpstreamError("service_engine_unavailable")
        return UnreachableError("service_connection_lost")


def _unreachable(url: str) -> UnreachableError:
    try:
        host = urlsplit(url).netloc
    except ValueError:
        host = "that address"
    return UnreachableError("service_unreachable", address=host)


def _silent_logger() -> logging.Logger:
    logger = logging.getLogger(f"{__name__}.frames")
    logger.setLevel(logging.WARNING)
    return logger
