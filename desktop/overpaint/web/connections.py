"""HTTP connections with the deadlines and limits against slow clients that uvicorn lacks.

- Complete headers within ``HEAD_SECONDS`` (slowloris); a TLS handshake likewise.
- The rest of a body whose request is answered already: likewise.
- Connections in total and per address, handshakes included (``connection_register``).
- A response of which the client reads nothing for ``STALL_SECONDS`` (slow read) is aborted.
- A request that is not HTTP, has headers over ``HEAD_MAX_BYTES``, or a body in tiny chunks (less than
  ``CHUNK_LEAST_BYTES`` on average, beyond ``CHUNKS_FREE``) gets the error object and is closed.

The deadline of a body that a route reads is in that route. Must not know routes.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from overpaint.web.connection_register import ConnectionRegister
from overpaint.web.refusals import new_request_id
from overpaint.wire.service import ErrorBody, ErrorDetail

HEAD_SECONDS = 10.0
"""From the begin of a connection, or the first byte of a request, to the complete headers."""
HEAD_MAX_BYTES = 32 * 1024
"""Limit of request line and headers together."""
CHUNKS_FREE, CHUNK_LEAST_BYTES = 1024, 256
"""Each chunk costs this process some 30 µs, however small: tiny chunks of one client delayed all others."""
IDLE_SECONDS = 20
"""Keep-alive between two requests; longer than that of common clients, so that the client closes first."""


STALL_SECONDS = 60.0
"""Time in which a client must read some 50 KB of a response, each time the send buffer is full."""


class _ShortHeads(h11.Connection):
    """h11's server state with limits on headers (h11 limits only incomplete ones) and on tiny chunks."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, HEAD_MAX_BYTES)
        self._chunks = self._body_bytes = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event. Raises ``RemoteProtocolError`` for headers or chunks over the limits."""
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._chunks += event.chunk_start
            self._body_bytes += len(event.data)
            if self._chunks > CHUNKS_FREE + self._body_bytes / CHUNK_LEAST_BYTES:
                raise h11.RemoteProtocolError("the chunks are too small")
        if isinstance(event, h11.Request):
            self._chunks = self._body_bytes = 0
            fields = sum(len(name) + len(value) + 4 for name, value in event.headers)
            if len(event.target) + fields > HEAD_MAX_BYTES:
                raise h11.RemoteProtocolError("the headers are too large", error_status_hint=431)
        return event


class StallDeadline(asyncio.BaseProtocol):
    """The deadline for peers that read nothing (slow read): a mixin before uvicorn's protocols."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _stall: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """The peer takes less than it is sent: the deadline runs."""
        super().pause_writing()
        if self._stall is None:
            self._stall = self.loop.call_later(STALL_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The peer has taken enough of it."""
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None
        super().resume_writing()


class PatientProtocol(StallDeadline, H11Protocol):
    """uvicorn's HTTP/1.1 protocol with deadlines.

    Args:
        config: Of the server.
        server_state: Its connections.
        app_state: Of the application.
        register: Counts the connections.
        _loop: As of its base.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        register: ConnectionRegister,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn = _ShortHeads()
        self._register = register
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the deadline for the first request."""
        super().connection_made(transport)
        if self._register.enter(transport):
            self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancels the deadlines."""
        self._register.leave(self.transport)
        self._disarm()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parses data; the deadline runs while headers, or the rest of an unwanted body, are incomplete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE or self._unwanted_body():
            self._arm()
        else:
            self._disarm()
            self._register.works(self.transport)

    def on_response_complete(self) -> None:
        """Starts the keep-alive timeout."""
        super().on_response_complete()
        if self.cycle is None or self.cycle.response_complete:  # no pipelined request is running
            self._register.waits(self.transport)
        if self._unwanted_body():
            self._arm()

    def timeout_keep_alive_handler(self) -> None:
        """Ends a connection at its keep-alive timeout, also one whose peer reads nothing."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            super().timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        """Answers invalid HTTP with the error object, where an answer is still possible."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.abort()
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # the route's own response is not sent any more
            self.cycle.message_event.set()
        sentence = f"This is no HTTP request, its headers are larger than {HEAD_MAX_BYTES // 1024} KB"
        sentence += ", or its body comes in too small chunks."
        detail = ErrorDetail(type="invalid_request_error", message=sentence)
        body = ErrorBody(error=detail).model_dump_json().encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"x-request-id", new_request_id().encode()),
            (b"connection", b"close"),
        ]
        response = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (response, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _unwanted_body(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE

    def _arm(self) -> None:
        if self._deadline is None:
            # Not closed but aborted: closing would wait for a peer that does not read.
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class TlsDoor(asyncio.Protocol):
    """A connection during its TLS handshake, handed over to ``behind`` afterwards.

    asyncio's own TLS server does not announce a connection before its handshake is done. This one counts
    from its begin, and is closed with the server.

    Args:
        behind: The HTTP protocol; not connected yet.
        context: TLS context with the certificate.
        connections: The server's set of connections.
        register: Connection limits.
    """

    def __init__(
        self,
        behind: PatientProtocol,
        context: ssl.SSLContext,
        connections: set[Any],
        register: ConnectionRegister,
    ) -> None:
        self._behind = behind
        self._context = context
        self._connections = connections
        self._register = register
        self._transport: asyncio.Transport | None = None
        self._opening: asyncio.Task[None] | None = None
        self._early: list[bytes] = []
        self._lost = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the handshake."""
        self._transport = transport
        self._connections.add(self)
        if not self._register.enter(transport):
            return
        transport.pause_reading()  # the first bytes are for the TLS layer
        self._opening = asyncio.get_running_loop().create_task(self._open(transport))

    def data_received(self, data: bytes) -> None:
        """Keeps data that arrived with the end of the handshake."""
        self._early.append(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Removes the connection from the limits."""
        self._lost = True
        self._connections.discard(self)
        if self._transport is not None:
            self._register.leave(self._transport)

    def shutdown(self) -> None:
        """Closes the connection when the server shuts down."""
        if self._transport is not None:
            self._transport.abort()

    async def _open(self, transport: asyncio.Transport) -> None:
        try:
            secured = await asyncio.get_running_loop().start_tls(
                transport,
                self,
                self._context,
                server_side=True,
                ssl_handshake_timeout=HEAD_SECONDS,
                ssl_shutdown_timeout=HEAD_SECONDS,
            )
        except OSError:  # not TLS, an outdated version, too slow, or disconnected
            return
        finally:
            self._connections.discard(self)
            self._register.leave(transport)  # the HTTP protocol registers itself
        if secured is None or self._lost:
            return
        secured.set_protocol(self._behind)
        self._behind.connection_made(secured)
        for data in self._early:
            self._behind.data_received(data)
