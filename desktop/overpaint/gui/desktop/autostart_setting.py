"""The autostart setting, read and changed in a thread because it is file access."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QThreadPool, Signal

from overpaint.autostart import Autostart, autostart
from overpaint.errors import UsageError
from overpaint.processes.children import command

log = logging.getLogger(__name__)


class SigningIn(QObject):
    """The system's entry for Overpaint.

    Args:
        parent: As usual.
        entry: Finds it.
    """

    known = Signal(bool)
    """Whether Overpaint starts with the system, after every question and every change."""
    refused = Signal(str)
    """It could not be asked or changed: a sentence."""

    def __init__(self, parent: QObject | None = None, entry: Callable[[], Autostart] = autostart) -> None:
        super().__init__(parent)
        self._entry = entry
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def ask(self) -> None:
        """Finds out; answers by a signal."""
        self._pool.start(lambda: self._work(None))

    def set_on(self, on: bool) -> None:
        """Changes it; answers by a signal."""
        self._pool.start(lambda: self._work(on))

    def wait(self) -> None:
        """Waits for what is under way (before the program ends)."""
        self._pool.waitForDone(1000)

    def _work(self, on: bool | None) -> None:
        try:
            entry = self._entry()
            if on is not None:
                entry.set_enabled(on, command())
            self.known.emit(entry.enabled())
        except UsageError as error:
            self.refused.emit(str(error))
        except OSError as error:
            self.refused.emit(
                self.tr("The system does not let Overpaint set this: {}.").format(error.strerror)
            )
            self.known.emit(not on)
        except Exception:
            log.exception("starting with the system failed for an unknown reason")
