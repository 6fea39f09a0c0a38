"""A session of the least lifetime there is, watched from its sale to its end while other tests go on."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from helpers.served import SESSIONS, Served


class ShortSession:
    """One such session, and a socket that hears its end.

    Attributes:
        bought: As it was answered.
        told: What the socket was told.
        closed: Code and reason.
        closed_at: When, UTC.
    """

    def __init__(self, public: Served) -> None:
        order = {"model": "service-realtime-720p", "ttl_seconds": 60}
        self.bought: dict[str, Any] = public.caller("soon expired", 25).post(SESSIONS, json=order).json()
        self.told: list[dict[str, Any]] = []
        self.closed: tuple[int, str] | None = None
        self.closed_at = datetime.now(UTC)
        self._thread = threading.Thread(target=self._listen, name="short session", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Returns at its end."""
        self._thread.join(70)
        assert not self._thread.is_alive()

    def _listen(self) -> None:
        try:
            with connect(self.bought["websocket_url"], proxy=None, compression=None) as socket:
                while True:
                    self.told.append(json.loads(socket.recv()))
        except ConnectionClosed as end:
            self.closed_at = datetime.now(UTC)
            if end.rcvd is not None:
                self.closed = end.rcvd.code, end.rcvd.reason
