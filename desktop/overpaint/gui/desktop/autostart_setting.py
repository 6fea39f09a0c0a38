"""Autostart setting, read and changed in a worker thread because that accesses files."""

from __future__ import annotations

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, QThreadPool, Signal

from overpaint.autostart import Autostart, autostart
from overpaint.errors import UsageError
from overpaint.processes.children import window_command

log = logging.getLogger(__name__)


class SigningIn(QObject):
    """Access to the system's autostart entry for Overpaint.

    Args:
        parent: The Qt parent.
        entry: Returns the system's autostart entry.
    """

    known = Signal(bool)
    """Whether Overpaint starts with the system; emitted after each ``ask`` and each change."""
    refused = Signal(str)
    """The setting cannot be read or changed: the sentence for the user."""

    def __init__(self, parent: QObject | None = None, entry: Callable[[], Autostart] = autostart) -> None:
        super().__init__(parent)
        self._entry = entry
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def ask(self) -> None:
        """Reads the setting; the result is emitted as a signal."""
        self._pool.start(lambda: self._work(None))

    def set_on(self, on: bool) -> None:
        """Changes the setting; the result is emitted as a signal."""
        self._pool.start(lambda: self._work(on))

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._pool.waitForDone(1000)

    def _work(self, on: bool | None) -> None:
        try:
            entry = self._entry()
            if on is not None:
                entry.set_enabled(on, window_command())
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
