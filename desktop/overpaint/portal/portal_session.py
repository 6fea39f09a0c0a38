"""A session of the portal: begun by one thread, which may wait for the user, ended by any other.

Source: XDG Desktop Portal, "Sessions". Must not know what is asked for in it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from overpaint.portal.portal_connection import Portal, PortalError

DIALOG_S = 120.0
"""Time limit of the user's answer in the desktop's dialog."""


def _nothing() -> None:
    pass


class PortalSession:
    """A session, until ``close``.

    Args:
        interface: Its interface's name after ``org.freedesktop.portal.``.
        ended: Called once, from another thread, when desktop, user or bus end it; not by ``close``.

    Attributes:
        handle: Its object path; empty before ``begin``.
    """

    def __init__(self, interface: str, ended: Callable[[], None] = _nothing) -> None:
        self.handle = ""
        self._interface, self._ended = interface, ended
        self._guard = threading.Lock()
        self._over = False
        self._portal: Portal | None = None

    def connect(self) -> Portal:
        """Opens the connection on which the session lives.

        Raises:
            PortalError: ``no_bus``, or ``ended``: ``close`` was called.
        """
        portal = Portal()
        with self._guard:
            over = self._over
            self._portal = None if over else portal
        if over:
            portal.close()
            raise PortalError("ended")
        portal.gone = self._end
        return portal

    def begin(self) -> None:
        """Begins the session on the connection.

        Raises:
            PortalError: The portal refuses it, or ``close`` was called.
        """
        portal = self.portal
        options = {"session_handle_token": ("s", portal.token())}
        made = portal.ask(self._interface, "CreateSession", "a{sv}", options=options)
        self.handle = str(made["session_handle"])
        portal.listen("Session", "Closed", lambda _: self._end(), self.handle)

    @property
    def portal(self) -> Portal:
        """The connection.

        Raises:
            PortalError: ``ended``: there is none.
        """
        portal = self._portal
        if portal is None:
            raise PortalError("ended")
        return portal

    def close(self) -> None:
        """Ends it, also while it is being begun; from any thread but the portal's; idempotent."""
        with self._guard:
            self._over = True
            portal, self._portal = self._portal, None
        if portal is not None:
            portal.close()  # the portal ends a session with the connection that began it

    def _end(self) -> None:
        with self._guard:
            first, self._over = not self._over, True
        if first:
            self._ended()


__all__ = ["DIALOG_S", "PortalSession"]
