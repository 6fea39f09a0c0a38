"""Global shortcuts by the portal: this program names actions, the desktop decides which keys they get.

Source: XDG Desktop Portal, org.freedesktop.portal.GlobalShortcuts, and the XDG "shortcuts" specification for
the wished keys. The desktop may ask its user, give other keys or none, and change them later in its own
settings. Must not know what an action does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from overpaint.portal.portal_connection import Portal, PortalError
from overpaint.portal.portal_session import DIALOG_S, PortalSession

_INTERFACE = "GlobalShortcuts"


@dataclass(frozen=True, slots=True)
class WantedShortcut:
    """A shortcut to be bound.

    Attributes:
        description: What it does, in the user's language; the desktop shows it.
        trigger: Wished keys as the specification writes them ("CTRL+ALT+p"); empty for none.
    """

    description: str
    trigger: str


class PortalShortcuts:
    """Shortcuts of one session, until ``close``.

    Args:
        pressed: Told the action, from the connection's thread.
        assigned: Told the keys of all actions in the desktop's words, by action, once bound and whenever its
            user changes them; no entry where an action has none.
    """

    def __init__(self, pressed: Callable[[str], None], assigned: Callable[[Mapping[str, str]], None]) -> None:
        self._pressed, self._assigned = pressed, assigned
        self._session = PortalSession(_INTERFACE)

    def close(self) -> None:
        """Lets go of the shortcuts, and ends ``bind``; idempotent."""
        self._session.close()

    def bind(self, wanted: Mapping[str, WantedShortcut]) -> None:
        """Binds shortcuts, by action; blocks while the desktop asks its user.

        Raises:
            PortalError: There is no such portal, it or its user refuses, or ``close`` was called.
        """
        try:
            self._bind(self._session.connect(), wanted)
        except BaseException:
            self.close()
            raise

    def _bind(self, portal: Portal, wanted: Mapping[str, WantedShortcut]) -> None:
        portal.version(_INTERFACE)
        self._session.begin()
        portal.listen(_INTERFACE, "Activated", self._activated)
        portal.listen(_INTERFACE, "ShortcutsChanged", self._told)
        shortcuts = [(action, _facts(each)) for action, each in wanted.items()]
        bound = portal.ask(
            _INTERFACE,
            "BindShortcuts",
            "oa(sa{sv})sa{sv}",
            self._session.handle,
            shortcuts,
            "",
            options={},
            patience_s=DIALOG_S,
        )
        self._assigned(_triggers(bound.get("shortcuts", ())))

    def _activated(self, said: tuple[Any, ...]) -> None:
        session, action, *_ = said
        if session == self._session.handle:
            self._pressed(str(action))

    def _told(self, said: tuple[Any, ...]) -> None:
        session, shortcuts = said
        if session == self._session.handle:
            self._assigned(_triggers(shortcuts))


def has_shortcuts() -> bool:
    """Returns whether this desktop has such a portal."""
    try:
        portal = Portal()
    except PortalError:
        return False
    try:
        return portal.version(_INTERFACE) > 0
    except PortalError:
        return False
    finally:
        portal.close()


def _facts(wanted: WantedShortcut) -> dict[str, tuple[str, str]]:
    facts = {"description": ("s", wanted.description)}
    return {**facts, "preferred_trigger": ("s", wanted.trigger)} if wanted.trigger else facts


def _triggers(shortcuts: Any) -> dict[str, str]:
    found = {str(action): str(facts.get("trigger_description", ("s", ""))[1]) for action, facts in shortcuts}
    return {action: keys for action, keys in found.items() if keys}


__all__ = ["PortalShortcuts", "WantedShortcut", "has_shortcuts"]
