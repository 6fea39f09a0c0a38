"""Leases of this core by desktop processes. An embedded core ends after the last one.

A desktop process connects over the core's channel, receives address and key, and keeps the connection while
it needs the core. The connection ends with its process, however that ends; over it the core answers
heartbeats, and announces when a balance may have changed, so that nobody has to poll. Must not know HTTP or
ledgers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from pydantic import BaseModel, ConfigDict, Field

from overpaint.errors import LinkError
from overpaint.processes.channel import Channel, ChannelServer
from overpaint.processes.supervision.heartbeat import PING, PONG
from overpaint.wire.credits import BOOKS_CHANGED


class Grant(BaseModel):
    """The grant of a lease: ``{"url": …, "key": …}``.

    Attributes:
        url: Address of the service, ``http://127.0.0.1:PORT``.
        key: The desktop's own key; kept out of ``repr``.
    """

    model_config = ConfigDict(frozen=True)

    url: str
    key: str = Field(repr=False)


class Leases:
    """The leases of a core, and the timer after the last one.

    Args:
        grant: Sent to each holder.
        idle_s: Seconds without a lease after which ``idle`` is called; None: never.
        first_s: The same before the first lease (a desktop needs time to find its core).
        idle: Called once, from its own thread.
        pulse: Returns once the core's event loop has advanced; the heartbeat.
    """

    def __init__(
        self,
        grant: Grant,
        idle_s: float | None,
        first_s: float,
        idle: Callable[[], None],
        pulse: Callable[[], None],
    ) -> None:
        self._message = grant.model_dump_json().encode()
        self._idle_s = idle_s
        self._idle = idle
        self._pulse = pulse
        self._held = 0
        self._closed = False
        self._timer: threading.Timer | None = None
        self._guard = threading.Lock()
        self._changes = 0
        self._news = threading.Condition()
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

    def books_changed(self) -> None:
        """Announces to every holder that a balance may have changed; never blocks, from any thread."""
        with self._news:
            self._changes += 1
            self._news.notify_all()

    def close(self) -> None:
        """Ends every lease; ``idle`` is not called any more."""
        with self._guard:
            self._closed = True
            self._disarm()
        self._server.close()

    def _serve(self, channel: Channel) -> None:
        gone = threading.Event()
        with self._guard:
            self._held += 1
            self._disarm()
        try:
            told = self._changes  # before its holder can have requested anything
            channel.send(self._message)
            news = (channel, told, gone)
            threading.Thread(target=self._tell, args=news, name="lease-news", daemon=True).start()
            while True:  # ends by an exception when the holder is gone
                said = channel.receive()
                if said == PING:
                    self._pulse()
                    channel.send(PONG)
                elif said == BOOKS_CHANGED:
                    self.books_changed()
        except LinkError:
            pass
        finally:
            with self._news:
                gone.set()
                self._news.notify_all()
            with self._guard:
                self._held -= 1
                if self._held == 0 and self._idle_s is not None and not self._closed:
                    self._arm(self._idle_s)

    def _tell(self, channel: Channel, told: int, gone: threading.Event) -> None:
        """Announces changes to one holder, combined where it is slow; in its own thread."""
        with suppress(LinkError):
            while True:
                with self._news:
                    while told == self._changes and not gone.is_set():
                        self._news.wait()
                    told = self._changes
                if gone.is_set():
                    return
                channel.send(BOOKS_CHANGED)

    def _arm(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._idle)
        self._timer.daemon = True
        self._timer.start()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
