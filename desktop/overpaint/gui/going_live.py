"""Going live without a camera: opens the camera dialog, and does what the user decides there.

Must not know how the driver is installed, nor the page's server.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.desktop.camera_setup import CameraSetup
from overpaint.gui.dialogs.camera_dialog import CameraDialog
from overpaint.gui.dialogs.camera_programs_dialog import CameraProgramsDialog
from overpaint.wire.live import Preferences, RefreshSources, SetOnAir, SetPreferences, StartSession, Trouble

OBS_PAGE = "https://obsproject.com/download"


class GoingLive(QObject):
    """Controller of the camera dialog.

    Args:
        window: Parent of the dialog.
        theme: The theme.
        model: The newest snapshot of the live process.
        setup: The setup of the camera's driver.
    """

    intended = Signal(object)

    def __init__(
        self, window: QWidget, theme: Theme, model: SessionModel, setup: CameraSetup | None = None
    ) -> None:
        super().__init__(window)
        self._window, self._theme, self._model = window, theme, model
        self.setup = setup or CameraSetup(self)
        self.dialog: CameraDialog | None = None
        self.programs: CameraProgramsDialog | None = None
        self.setup.stepped.connect(self._show_step)
        self.setup.said.connect(self._show_line)
        self.setup.ended.connect(self._end)
        self.setup.stopped.connect(self._stop)

    def open(self) -> None:
        """Opens the dialog, or brings it to the front."""
        if self.dialog is not None:
            self.dialog.raise_()
            return
        self.dialog = dialog = CameraDialog(self._theme, self._window)
        dialog.setup_wanted.connect(self.setup.start)
        dialog.stop_wanted.connect(self.setup.stop)
        dialog.look_wanted.connect(self._look_again)
        dialog.page_wanted.connect(self._open_page)
        dialog.live_wanted.connect(self._go_live)
        dialog.obs_wanted.connect(lambda: QDesktopServices.openUrl(QUrl(OBS_PAGE)))
        dialog.finished.connect(self._forget)
        self.show_model(self._model)
        dialog.open()

    def open_programs(self) -> None:
        """Opens the dialog on which programs see the camera."""
        self.programs = programs = CameraProgramsDialog(self._theme, self._window)
        programs.setup_wanted.connect(self.open)
        programs.finished.connect(self._forget_programs)
        self.show_model(self._model)
        programs.open()

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state."""
        if self.programs is not None and model.snapshot is not None:
            self.programs.show_camera(model.snapshot.camera)
        if self.dialog is None or model.snapshot is None:
            return
        trouble = model.snapshot.camera.in_the_way
        self.dialog.show_snapshot(model.snapshot, trouble is not None and self.setup.possible(trouble))

    def close(self) -> None:
        """Ends the setup before its next step."""
        self.setup.close()

    def _forget_programs(self) -> None:
        self.programs = None

    def _look_again(self) -> None:
        self.intended.emit(RefreshSources())

    def _open_page(self) -> None:
        snapshot = self._model.snapshot
        if snapshot is not None and not snapshot.preferences.page_on:
            self.intended.emit(SetPreferences(preferences=Preferences(page_on=True)))

    def _go_live(self) -> None:
        if not self._model.running:
            self.intended.emit(StartSession())
        self.intended.emit(SetOnAir(on=True))

    def _show_step(self, name: str, done: float) -> None:
        if self.dialog is not None:
            self.dialog.show_step(self._words(name), done)

    def _show_line(self, line: str) -> None:
        if self.dialog is not None:
            self.dialog.show_line(line)

    def _end(self, failed: Trouble | None) -> None:
        if self.dialog is not None:
            self.dialog.show_end(failed)
        self._look_again()  # it is there now, or another reason for its absence

    def _stop(self) -> None:
        if self.dialog is not None:
            self.dialog.show_stop()
        self._look_again()

    def _words(self, step: str) -> str:
        return {
            "sources": self.tr("Fetching the lists of packages…"),
            "packages": self.tr("Installing the driver…"),
            "build": self.tr("Building the driver for this kernel…"),
            "configure": self.tr("Setting it up for each start of the computer…"),
            "unload": self.tr("Unloading the driver…"),
            "load": self.tr("Loading the driver…"),
        }.get(step, step)

    def _forget(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()
