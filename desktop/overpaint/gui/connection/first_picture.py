"""Automatic start of the preview when the app opens.

Only with this computer's own service, which is free, and only once: a session that the user stops is not
started again. Must not know widgets.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from overpaint.gui.connection.models import SessionModel
from overpaint.wire.live import StartSession


class FirstPicture(QObject):
    """Starter of the first session, once a source and a service are available."""

    intended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._expected = False

    def expect(self) -> None:
        """Arms the starter: the session starts with the first snapshot that allows it."""
        self._expected = True

    def show_model(self, model: SessionModel) -> None:
        """Starts the session when it can; not if one has been started already, or the service is remote."""
        snapshot = model.snapshot
        if not self._expected or snapshot is None or not model.usable:
            return
        if snapshot.state != "stopped" or not snapshot.is_free:
            self._expected = False
        elif snapshot.source and snapshot.balance is not None:
            self._expected = False
            self.intended.emit(StartSession())
