"""A screen or window cast to this program: the ScreenCast portal.

Source: XDG Desktop Portal, org.freedesktop.portal.ScreenCast, versions 1 to 5. Its user chooses in the
desktop's dialog; a restore token (since version 4) stands for that choice, so that the desktop asks once. A
token serves once: each cast brings the next one. QtMultimedia's own capture by this portal keeps no token,
takes no windows and leaves the cursor out (6.11). Must not know pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from overpaint.portal.portal_connection import Portal, PortalError, Variant
from overpaint.portal.portal_session import DIALOG_S, PortalSession

CastKind = Literal["screen", "window"]

_INTERFACE = "ScreenCast"
_TYPES: dict[CastKind, int] = {"screen": 1, "window": 2}
_HIDDEN, _EMBEDDED = 1, 2
"""Cursor modes: left out, drawn into the picture."""
_UNTIL_REVOKED = 2
"""Persist mode: the token is valid until the user revokes it."""
_TOKENS_SINCE = 4


class ScreenCast:
    """A cast that the user allowed, until ``close``.

    Args:
        kind: What may be chosen.
        cursor: Whether the mouse pointer is in the picture.
        token: Restore token of an earlier cast; empty to let the user choose.
        ended: Called once, from another thread, when the desktop or its user ends it.

    Attributes:
        node: PipeWire's number of the stream.
        token: Token to restore it once; empty where the portal gives none.
        corner: Left and top of the screen on the desktop, in the compositor's units; None for a window, and
            where the portal does not say.
    """

    def __init__(self, kind: CastKind, cursor: bool, token: str, ended: Callable[[], None]) -> None:
        self.node, self.token = 0, ""
        self.corner: tuple[int, int] | None = None
        self._kind, self._cursor, self._restored = kind, cursor, token
        self._session = PortalSession(_INTERFACE, ended)

    def open(self) -> None:
        """Asks for the cast, and waits for the user where the token does not restore it.

        Raises:
            PortalError: There is no portal, it lacks this kind, the user refuses, or ``close`` was called.
        """
        try:
            self._ask()
        except BaseException:
            self.close()
            raise

    def pipewire(self) -> int:
        """Returns a file descriptor of a connection to PipeWire that has this stream; the caller's to close.

        Raises:
            PortalError: There is none.
        """
        session = self._session
        (descriptor,) = session.portal.call(_INTERFACE, "OpenPipeWireRemote", "oa{sv}", session.handle, {})
        return int(descriptor.to_raw_fd())

    def close(self) -> None:
        """Ends it, also while it is being opened; from any thread but the portal's; idempotent."""
        self._session.close()

    def _ask(self) -> None:
        portal = self._session.connect()
        version = portal.version(_INTERFACE)
        if not int(portal.property(_INTERFACE, "AvailableSourceTypes")) & _TYPES[self._kind]:
            raise PortalError("no_portal", self._kind)
        self._session.begin()
        session = self._session.handle
        options = self._options(portal, version)
        portal.ask(_INTERFACE, "SelectSources", "oa{sv}", session, options=options)
        given = portal.ask(_INTERFACE, "Start", "osa{sv}", session, "", options={}, patience_s=DIALOG_S)
        if not given.get("streams"):
            raise PortalError("refused")
        self.node, facts = given["streams"][0]
        self.token = str(given.get("restore_token", ""))
        if "position" in facts:
            left, top = facts["position"][1]
            self.corner = int(left), int(top)

    def _options(self, portal: Portal, version: int) -> dict[str, Variant]:
        modes = int(portal.property(_INTERFACE, "AvailableCursorModes")) if version >= 2 else 0
        mode = _EMBEDDED if self._cursor else _HIDDEN
        options: dict[str, Variant] = {"types": ("u", _TYPES[self._kind]), "multiple": ("b", False)}
        if modes & mode:
            options["cursor_mode"] = ("u", mode)
        if version >= _TOKENS_SINCE:
            options["persist_mode"] = ("u", _UNTIL_REVOKED)
            if self._restored:
                options["restore_token"] = ("s", self._restored)
        return options


def offered_kinds() -> set[CastKind]:
    """Returns what this desktop lets its user choose.

    Raises:
        PortalError: There is no session bus, or no such portal.
    """
    portal = Portal()
    try:
        types = int(portal.property(_INTERFACE, "AvailableSourceTypes"))
    finally:
        portal.close()
    return {kind for kind, number in _TYPES.items() if types & number}


__all__ = ["CastKind", "ScreenCast", "offered_kinds"]
