"""The listener of a live session: its control socket, as the session sees it. Must not know sessions."""

from __future__ import annotations

from typing import Protocol

from overpaint.wire import control


class Audience(Protocol):
    """The socket of a session. Calls return at once; messages after ``finish`` are dropped.

    Attributes:
        arrival: Its number in the order of sockets.
    """

    arrival: int

    def post(self, message: control.ServerMessage) -> None:
        """Sends a message."""

    def finish(self, code: int, reason: str) -> None:
        """Closes the socket after the messages posted before."""

    async def finished(self) -> None:
        """Returns when the socket is closed."""
