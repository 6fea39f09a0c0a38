"""Global hotkeys (shortcuts that work in every program), as signals on Qt's thread."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from PySide6.QtCore import QObject, QThreadPool, Signal

from overpaint.errors import UsageError
from overpaint.gui.window_settings import Habits
from overpaint.gui.words.troubles import line
from overpaint.hotkeys import DesktopTells, Hotkeys, grab

log = logging.getLogger(__name__)


class KeysEverywhere(QObject):
    """Global hotkeys of the settings, registered and released in a worker thread."""

    pressed = Signal(str)
    """Name of the action."""
    refused = Signal(str)
    """Hotkeys cannot be registered: the sentence for the user; empty if all are registered."""
    assigned = Signal(dict)
    """Which keys the desktop assigned, in its words, by action (Wayland)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._held: Hotkeys | None = None
        self._wish: dict[str, str] = {}
        self._titles: Mapping[str, str] = {}
        self._tells = DesktopTells(lambda keys: self.assigned.emit(dict(keys)), self._refuse)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def follow(self, habits: Habits, titles: Mapping[str, str]) -> None:
        """Registers the hotkeys of the settings, and releases all others.

        Args:
            habits: The settings.
            titles: What each action does, for a desktop that asks its user.
        """
        self._titles = titles
        keys = habits.combinations if habits.hotkeys_on else {}
        wish = {name: combination for name, combination in keys.items() if combination}
        if wish != self._wish:
            self._wish = wish
            self._pool.start(lambda: self._take(wish))

    def close(self) -> None:
        """Releases all hotkeys."""
        self._wish = {}
        self._pool.start(lambda: self._take({}))
        self._pool.waitForDone(3000)

    def _take(self, wish: dict[str, str]) -> None:
        try:
            held, self._held = self._held, None
            if held is not None:
                held.close()
            self.refused.emit("")  # first: a desktop may refuse from a thread of its own
            self.assigned.emit({})
            if wish:
                self._held = grab(wish, self.pressed.emit, self._titles, self._tells)
                if self._held.refused is not None:
                    self.refused.emit(line(self._held.refused))
        except UsageError as error:
            self._refuse(error)
        except Exception:
            log.exception("the keys cannot be taken for an unknown reason")

    def _refuse(self, error: UsageError) -> None:
        self.refused.emit(line(error))
        self.assigned.emit({})
