"""Service choice: opens the service dialog and forwards the user's choice. Must not know the service."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMainWindow

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.dialogs.service_dialog import ServiceDialog
from overpaint.wire.servers import Server


class ServiceChoice(QObject):
    """Controller of the service dialog.

    Args:
        window: Parent of the dialog.
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
        """Updates which service is in use."""
        self._server = server
        if self.dialog is not None:
            self.dialog.show_server(server)

    def open(self) -> None:
        """Opens the dialog; does nothing before the live process has reported the service in use."""
        self._open(for_prompt=False)

    def open_for_prompt(self) -> None:
        """Opens it for a prompt that the service in use cannot do."""
        self._open(for_prompt=True)

    def _open(self, for_prompt: bool) -> None:
        if self._server is None or self.dialog is not None:
            return
        self.dialog = ServiceDialog(self._theme, self._server, self._window, for_prompt=for_prompt)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.intended.connect(self.intended)
        self.dialog.finished.connect(self._forget)
        self.dialog.show()

    def _forget(self) -> None:
        self.dialog = None
