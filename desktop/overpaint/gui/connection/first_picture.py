"""The first preview: starts by itself when the app opens.

Only on this computer's own service, whose credits cost nothing, and only once: what the user stops stays
stopped. Must not know widgets.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from overpaint.gui.connection.models import SessionModel
from overpaint.wire.live import StartSession
from overpaint.wire.service import PRICES

_PRICE = max(price for model, price in PRICES.items() if "realtime" in model)


class FirstPicture(QObject):
    """The starter of the first preview, once source and service are available."""

    intended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._expected = False

    def expect(self) -> None:
        """From now on the first chance is taken."""
        self._expected = True

    def show_model(self, model: SessionModel) -> None:
        """Takes the newest state."""
        snapshot = model.snapshot
        if not self._expected or snapshot is None or not model.usable:
            return
        if snapshot.state != "stopped" or (snapshot.balance is not None and snapshot.balance.server):
            self._expected = False
        elif snapshot.source and snapshot.balance is not None:
            self._expected = False
            if snapshot.balance.credits_remaining >= _PRICE:
                self.intended.emit(StartSession())
