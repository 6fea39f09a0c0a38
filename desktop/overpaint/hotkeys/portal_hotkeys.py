"""Global hotkeys on Wayland: the desktop's portal assigns them, and may give others than were wished for.

Source for the names of keys: the XDG "shortcuts" specification, which takes xkbcommon's.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping

from overpaint.errors import UsageError
from overpaint.hotkeys.combinations import Combination, DesktopTells, Pressed
from overpaint.portal.portal_connection import PortalError
from overpaint.portal.portal_shortcuts import PortalShortcuts, WantedShortcut

log = logging.getLogger(__name__)

_MODIFIERS = {"Ctrl": "CTRL", "Alt": "ALT", "Shift": "SHIFT", "Meta": "LOGO"}
_NAMES = {
    "Space": "space",
    "Esc": "Escape",
    "Del": "Delete",
    "Ins": "Insert",
    "PgUp": "Prior",
    "PgDown": "Next",
}


class PortalHotkeys:
    """Hotkeys that the desktop assigns, until ``close``. Its user is waited for in a thread.

    Args:
        keys: Action to wished combination.
        titles: What each action does, in the user's language.
        pressed: Told the action, from another thread.
        told: See ``DesktopTells``.

    Attributes:
        refused: Always None: ``told`` tells that later.
    """

    def __init__(
        self,
        keys: Mapping[str, Combination],
        titles: Mapping[str, str],
        pressed: Pressed,
        told: DesktopTells,
    ) -> None:
        self.refused: UsageError | None = None
        wanted = {
            action: WantedShortcut(titles.get(action, action), trigger(combination))
            for action, combination in keys.items()
        }
        self._told = told
        self._closed = False
        self._shortcuts = PortalShortcuts(pressed, told.assigned)
        self._thread = threading.Thread(target=self._bind, args=(wanted,), name="hotkeys", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Lets go of them; idempotent."""
        self._closed = True
        self._shortcuts.close()
        self._thread.join()

    def _bind(self, wanted: Mapping[str, WantedShortcut]) -> None:
        try:
            self._shortcuts.bind(wanted)
        except PortalError as error:
            if not self._closed:
                log.info("no hotkeys: %s", error)
                self._told.refused(_sentence(error))
        except Exception:
            log.exception("the hotkeys ended for an unknown reason")


def trigger(combination: Combination) -> str:
    """Writes a combination as the specification does: "CTRL+ALT+p"."""
    key = combination.key
    name = key.lower() if len(key) == 1 else _NAMES.get(key, key)
    return "+".join([*(_MODIFIERS[word] for word in _MODIFIERS if word in combination.modifiers), name])


def _sentence(error: PortalError) -> UsageError:
    match error.reason:
        case "refused" | "ended":
            return UsageError("hotkeys_refused")
        case "failed" if "app id" in error.sentence.lower():
            return UsageError("hotkeys_need_installation")
        case _:
            return UsageError("hotkeys_without_portal")
