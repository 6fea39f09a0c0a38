"""HTTP connections with time limits, which uvicorn's protocol does not have.

- From the first byte awaited to complete headers: ``HEAD_SECONDS`` (slowloris). A TLS handshake: the same.
- The rest of a body that nobody reads any more, since the answer is sent: the same.
- More connections than allowed, in all or of one address, handshakes counted: one that waits makes room
  for the new one (``connection_register``).
- An answer of which nothing is read for ``STALL_SECONDS`` (slow read).
- What is no HTTP, has larger headers than ``HEAD_MAX_BYTES``, or a body in crumbs (chunks of less than
  ``CHUNK_LEAST_BYTES`` on average, beyond ``CHUNKS_FREE``) gets the error object and is closed.

Bodies that somebody reads have their deadline where they are read. Must not know routes.
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
"""From a connection's begin, or a request's first byte, to its complete headers."""
HEAD_MAX_BYTES = 32 * 1024
"""Request line and headers together; more is no request of ours."""
CHUNKS_FREE, CHUNK_LEAST_BYTES = 1024, 256
"""Each chunk costs this process some 30 µs, however small: a stranger's crumbs stopped all others."""
IDLE_SECONDS = 20
"""Between two requests of one connection; longer than common clients wait, so that those close first."""


STALL_SECONDS = 60.0
"""In this time a caller has to read some 50 KB of an answer, again and again."""


class _ShortHeads(h11.Connection):
    """h11's server with a bound on every head, since its own is on such as come in pieces; and on crumbs."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, HEAD_MAX_BYTES)
        self._chunks = self._body_bytes = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event; raises ``RemoteProtocolError`` for a head that is too large, and for crumbs."""
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
    """A deadline for peers that take nothing of what is sent: a part of protocols, before uvicorn's own."""

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
        """Begins to wait for a request."""
        super().connection_made(transport)
        if self._register.enter(transport):
            self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the deadlines."""
        self._register.leave(self.transport)
        self._disarm()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads on; the deadline runs while headers, or the rest of an unwanted body, are incomplete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE or self._unwanted_body():
            self._arm()
        else:
            self._disarm()
            self._register.works(self.transport)

    def on_response_complete(self) -> None:
        """Waits for the next request, for as long as a quiet connection may stay open."""
        super().on_response_complete()
        if self.cycle is None or self.cycle.response_complete:  # no further request came along with it
            self._register.waits(self.transport)
        if self._unwanted_body():
            self._arm()

    def timeout_keep_alive_handler(self) -> None:
        """Ends a connection that was quiet for too long, also one whose caller reads no answer."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            super().timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        """Answers what is no HTTP with the error object, where an answer is still possible."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.abort()
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # nobody waits for what its route would say
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
    """A connection until its TLS handshake is done; then ``behind`` has it.

    asyncio's own TLS server tells nobody of a connection before that. This one stands among the
    server's connections from its begin, so that it counts, and ends with them.

    Args:
        behind: Speaks HTTP; not connected yet.
        context: The certificate that is shown.
        connections: Of the server.
        register: Counts the connections.
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
        """Begins the handshake."""
        self._transport = transport
        self._connections.add(self)
        if not self._register.enter(transport):
            return
        transport.pause_reading()  # whatever came already is TLS, and is read as such
        self._opening = asyncio.get_running_loop().create_task(self._open(transport))

    def data_received(self, data: bytes) -> None:
        """Keeps what came with the end of the handshake."""
        self._early.append(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Is counted no more."""
        self._lost = True
        self._connections.discard(self)
        if self._transport is not None:
            self._register.leave(self._transport)

    def shutdown(self) -> None:
        """Ends with the server."""
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
        except OSError:  # no TLS, an older one than we speak, too slow, or gone
            return
        finally:
            self._connections.discard(self)
            self._register.leave(transport)  # from here on it is counted as what it carries
        if secured is None or self._lost:
            return
        secured.set_protocol(self._behind)
        self._behind.connection_made(secured)
        for data in self._early:
            self._behind.data_received(data)
