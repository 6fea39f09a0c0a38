"""WebSocket connections with the limits that uvicorn lacks: a token bucket of frames, and deadlines.

These limits apply below the level of messages (RFC 6455, 10.4):

- Frames of any kind, pings and fragments included: ``FRAMES_BURST`` at once, then ``FRAMES_PER_SECOND``;
  beyond that the connection is aborted. A frame of six bytes costs the server as much work as a page request.
- Nothing is read before the application waits for a first message, so a refused peer costs no parsing.
- After a close was sent: ``FRAMES_AFTER_CLOSE``, and the connection counts as idle (``connection_register``).
- A peer that reads nothing for ``STALL_SECONDS`` loses its connection (``connections.StallDeadline``).

Must not know routes or messages.
"""

from __future__ import annotations

import asyncio
from asyncio.transports import BaseTransport
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.protocol import Event

from overpaint.web.connection_register import ConnectionRegister
from overpaint.web.connections import StallDeadline

FRAMES_PER_SECOND, FRAMES_BURST = 100.0, 1000.0
"""A photo of 12 MB in fragments of 16 KB has 750 frames; 20 messages a second are handled."""
FRAMES_AFTER_CLOSE = 64.0
"""Frames that may have been in transit."""
_SLICE_BYTES = 8192
"""Bytes parsed before frames are counted: 1,365 frames at most."""


class PatientSocket(StallDeadline, WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol with bounds.

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
        self._frames, self._received = 0, self.conn.events_received
        self.conn.events_received = self._events_received  # type: ignore[method-assign]
        self._register = register
        self._frames_left, self._since = FRAMES_BURST, self.loop.time()
        self._asked = 0

    def connection_made(self, transport: BaseTransport) -> None:
        """Starts with the upgrade request."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)  # the first unread byte starts the deadline

    def connection_lost(self, exc: Exception | None) -> None:
        """Removes the connection from the limits."""
        self._register.leave(self.transport)
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parses data in slices, and aborts the connection at the limit of frames."""
        for start in range(0, len(data), _SLICE_BYTES):
            super().data_received(data[start : start + _SLICE_BYTES])
            if not self._afford():
                self.transport.abort()
            if self.transport.is_closing():
                return
        if not self._asked:
            self.transport.pause_reading()

    async def receive(self) -> Any:
        """The next event. Reading starts with the second call, when the application waits for a message."""
        self._asked += 1
        if self._asked == 2:
            self.transport.resume_reading()
        return await super().receive()

    async def send(self, message: Any) -> None:
        """Sends an event; a close lowers the limit of frames."""
        await super().send(message)
        if message["type"] == "websocket.close":
            self._frames_left = min(self._frames_left, FRAMES_AFTER_CLOSE)
            self._register.waits(self.transport)
            self.transport.resume_reading()  # to receive the peer's close frame

    def _events_received(self) -> list[Event]:
        """The events that the library has parsed since the last call, which are counted."""
        events = self._received()
        self._frames += len(events)
        return events

    def _afford(self) -> bool:
        """Takes a token for each new frame; False when the bucket is empty."""
        now = self.loop.time()
        earned = (now - self._since) * FRAMES_PER_SECOND
        self._frames_left = min(FRAMES_BURST, self._frames_left + earned) - self._frames
        self._frames, self._since = 0, now
        return self._frames_left >= 0
