"""WebSocket connections with bounds that uvicorn's protocol lacks: frames a second, time limits.

What a peer may do without saying a word of its own grammar is bounded here (RFC 6455, 10.4):

- Frames of any kind, pings and fragments too: ``FRAMES_BURST`` at once, ``FRAMES_PER_SECOND`` after that;
  beyond it the connection is aborted. A frame is six bytes for its sender, and for us as much work as a page.
- Nothing is read before the application asks for a first message: whoever is refused is not listened to.
- After a close was sent: ``FRAMES_AFTER_CLOSE``, and it yields to new connections (``connection_register``).
- A peer that takes nothing of what is sent for ``STALL_SECONDS`` loses its connection
  (``connections.StallDeadline``).

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
"""A photo of 12 MB in pieces of 16 KB has 750; of messages, 20 a second are handled."""
FRAMES_AFTER_CLOSE = 64.0
"""What was on its way."""
_SLICE_BYTES = 8192
"""So much is parsed before the frames are counted: 1,365 of them at most."""


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
        """Begins with the request that asked for it."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)  # every byte that is not taken starts the clock

    def connection_lost(self, exc: Exception | None) -> None:
        """Makes room for others."""
        self._register.leave(self.transport)
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads on, until there were too many frames."""
        for start in range(0, len(data), _SLICE_BYTES):
            super().data_received(data[start : start + _SLICE_BYTES])
            if not self._afford():
                self.transport.abort()
            if self.transport.is_closing():
                return
        if not self._asked:
            self.transport.pause_reading()

    async def receive(self) -> Any:
        """The next event; asked for a second time, the application wants to hear its peer."""
        self._asked += 1
        if self._asked == 2:
            self.transport.resume_reading()
        return await super().receive()

    async def send(self, message: Any) -> None:
        """Sends an event; after a close there is little left to hear."""
        await super().send(message)
        if message["type"] == "websocket.close":
            self._frames_left = min(self._frames_left, FRAMES_AFTER_CLOSE)
            self._register.waits(self.transport)
            self.transport.resume_reading()  # the peer's own close

    def _events_received(self) -> list[Event]:
        """What the library has read since the last call, counted."""
        events = self._received()
        self._frames += len(events)
        return events

    def _afford(self) -> bool:
        """Whether there were not too many frames; those that came since the last call are paid for."""
        now = self.loop.time()
        earned = (now - self._since) * FRAMES_PER_SECOND
        self._frames_left = min(FRAMES_BURST, self._frames_left + earned) - self._frames
        self._frames, self._since = 0, now
        return self._frames_left >= 0
