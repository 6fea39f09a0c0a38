"""The choice of service: opens the dialog and passes on the outcome. Must not know the service."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMainWindow

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.dialogs.service_dialog import ServiceDialog
from overpaint.wire.servers import Server


class ServiceChoice(QObject):
    """The choice of the service in use.

    Args:
        window: Above which the dialog stands.
        theme: The theme.
    """

    intended = Signal(object)

    def __init__(self, window: QMainWindow, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._server: Server | None = None
        self.dialog: ServiceDialog | None = None

    def show_server(self, server: Server) -> None:
        """Takes the news of which service is used."""
        self._server = server
        if self.dialog is not None:
            self.dialog.show_server(server)

    def open(self) -> None:
        """Opens the dialog, once the live process has said what is used."""
        if self._server is None or self.dialog is not None:
            return
        self.dialog = ServiceDialog(self._theme, self._server, self._window)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.intended.connect(self.intended)
        self.dialog.finished.connect(self._forget)
        self.dialog.show()

    def _forget(self) -> None:
        self.dialog = None
