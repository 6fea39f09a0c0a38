"""Leases: who uses this core, and when nobody does any more.

A desktop process connects over the core's channel, is told address and key, and keeps the connection
for as long as it needs the core. The connection ends with its process, however that ends; over it the
core answers the heartbeat of whoever uses it. Must not know HTTP or ledgers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field

from overpaint.errors import LinkError
from overpaint.processes.channel import Channel, ChannelServer
from overpaint.processes.heartbeat import PING, PONG


class Grant(BaseModel):
    """What a lease tells: ``{"url": …, "key": …}``.

    Attributes:
        url: Of the service, ``http://127.0.0.1:PORT``.
        key: The desktop's own key; kept out of ``repr``.
    """

    model_config = ConfigDict(frozen=True)

    url: str
    key: str = Field(repr=False)


class Leases:
    """Hands out leases, and says when the last one has been gone for a while.

    Args:
        grant: What each is told.
        idle_s: Seconds without a lease after which ``idle`` is called; None: never.
        first_s: The same before the very first lease (a desktop needs time to find its core).
        idle: Called once, from a thread of its own.
        pulse: Returns once the core's main work has advanced; its heartbeat.
    """

    def __init__(
        self,
        grant: Grant,
        idle_s: float | None,
        first_s: float,
        idle: Callable[[], None],
        pulse: Callable[[], None] = lambda: None,
    ) -> None:
        self._message = grant.model_dump_json().encode()
        self._idle_s = idle_s
        self._idle = idle
        self._pulse = pulse
        self._held = 0
        self._closed = False
        self._timer: threading.Timer | None = None
        self._guard = threading.Lock()
        self._server = ChannelServer(self._serve, "core")
        if idle_s is not None:
            self._arm(first_s)

    @property
    def address(self) -> str:
        """Of the channel."""
        return self._server.address

    @property
    def secret(self) -> str:
        """Of the channel."""
        return self._server.secret

    def close(self) -> None:
        """Ends every lease; ``idle`` is not called any more."""
        with self._guard:
            self._closed = True
            self._disarm()
        self._server.close()

    def _serve(self, channel: Channel) -> None:
        with self._guard:
            self._held += 1
            self._disarm()
        try:
            channel.send(self._message)
            while True:
                if channel.receive() == PING:  # raises when the holder is gone
                    self._pulse()
                    channel.send(PONG)
        except LinkError:
            pass
        finally:
            with self._guard:
                self._held -= 1
                if self._held == 0 and self._idle_s is not None and not self._closed:
                    self._arm(self._idle_s)

    def _arm(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._idle)
        self._timer.daemon = True
        self._timer.start()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
