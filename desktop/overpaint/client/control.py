"""The client's end of the control socket. The only importer of websockets on this side.

Typed messages out, typed messages in; a close code becomes an error. Must not know what the messages
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
"""A peer that is gone without a word is noticed within the sum of the three."""
_OPEN_SECONDS = 5.0
_MESSAGE_MAX_BYTES = 1024 * 1024


class ControlSocket:
    """An open control socket. Iterate over it for the server's messages.

    Iteration ends by raising the ``ServiceError`` of the close: ``SessionClosedError`` (its kind is
    ``session_expired`` or ``session_closed``), ``AuthenticationError``, ``UpstreamError``, or
    ``UnreachableError`` when the connection was lost. It ends quietly after ``close``.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._closing = False

    @classmethod
    async def connect(cls, url: str) -> ControlSocket:
        """Opens the socket.

        Args:
            url: ``websocket_url`` of a session; holds its secret.

        Raises:
            UnreachableError: Nobody answers there. A refused session is told by the first message or
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
        """The server's messages; one of a kind that this version does not know is passed over."""
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
        """Closes the socket for good: the service ends the stream. Idempotent."""
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
