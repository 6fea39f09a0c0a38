"""Global hotkeys (shortcuts that work in every program), as signals on Qt's thread."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, QThreadPool, Signal

from overpaint.errors import UsageError
from overpaint.gui.window_settings import Habits
from overpaint.gui.words.troubles import line
from overpaint.hotkeys import Hotkeys, grab, why_not

log = logging.getLogger(__name__)


class KeysEverywhere(QObject):
    """Global hotkeys of the settings, registered and released in a worker thread."""

    pressed = Signal(str)
    """Name of the action."""
    refused = Signal(str)
    """Hotkeys cannot be registered: the sentence for the user; empty if all are registered."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._held: Hotkeys | None = None
        self._wish: dict[str, str] = {}
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def follow(self, habits: Habits) -> None:
        """Registers the hotkeys of the settings, and releases all others."""
        keys = habits.combinations if habits.hotkeys_on else {}
        wish = {name: combination for name, combination in keys.items() if combination}
        if wish != self._wish and not why_not():
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
            if wish:
                self._held = grab(wish, self.pressed.emit)
            refusal = self._held.refused if self._held is not None else None
            self.refused.emit(line(refusal) if refusal is not None else "")
        except UsageError as error:
            self.refused.emit(line(error))
        except Exception:
            log.exception("the keys cannot be taken for an unknown reason")
