"""Source chooser: a button with the current source, and its menu."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.dialogs.network_camera_dialog import NetworkCameraDialog
from overpaint.gui.dialogs.source_dialog import SourceDialog
from overpaint.gui.files.screen_region import ScreenSnip
from overpaint.gui.widgets.buttons import ElidedButton
from overpaint.media.network_camera.camera_address import is_network_address
from overpaint.portal import is_wayland
from overpaint.wire.live import LiveSnapshot, RefreshSources, SetSource, SourceChoice
from overpaint.wire.sources import SHARED_WINDOW, SourceKind, SourcePicture, WantSourcePictures

_MEDIA = "*.mp4 *.mov *.mkv *.webm *.avi *.m4v *.jpg *.jpeg *.png *.webp"


class SourceChooser(ElidedButton):
    """Button with the current source that opens a menu of sources; windows are chosen in ``SourceDialog``."""

    intended = Signal(object)
    options_wanted = Signal(QPoint)
    """The source options are to be opened at this point, in screen coordinates."""
    refused = Signal(str)
    """Something does not work on this system: the sentence for the user."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "camera", "chooser", parent)
        self._sources: list[SourceChoice] | None = None
        self._current = ""
        self.menu_list = QMenu(self)
        self.dialog: SourceDialog | None = None
        self.network_dialog: NetworkCameraDialog | None = None
        self._model: SessionModel | None = None
        self.region = ScreenSnip(theme, self)
        self.region.region_taken.connect(self._use_region)
        self.region.refused.connect(self.refused)
        self.clicked.connect(self.open_menu)
        theme.changed.connect(self._fill)
        self.setAccessibleDescription(self.tr("Opens the list of sources"))

    def show_model(self, model: SessionModel) -> None:
        """Shows the source of the newest snapshot."""
        self._model = model
        self.setEnabled(model.usable)
        if self.dialog is not None:
            self.dialog.show_model(model)
        if model.snapshot is not None:
            self._show_snapshot(model.snapshot)
            if self.network_dialog is not None:
                self.network_dialog.show_sources(model.snapshot.sources, model.snapshot.source)
        elif not self.text():
            self.show_text(self.tr("Source"))

    def _show_snapshot(self, snapshot: LiveSnapshot) -> None:
        title = snapshot.source_title or snapshot.source or self.tr("Choose a source")
        self.show_text(title)
        self.setAccessibleName(self.tr("Source: {}").format(title))
        if snapshot.sources != self._sources or snapshot.source != self._current:
            self._sources, self._current = list(snapshot.sources), snapshot.source
            self._fill()

    def open_menu(self) -> None:
        """Opens the menu below the button."""
        self.menu_list.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def open_gallery(self) -> None:
        """Opens the source dialog, with live thumbnails of screens and windows."""
        if self.dialog is not None or self._model is None:
            return
        self.dialog = SourceDialog(self._theme, self.window())
        self.dialog.intended.connect(self.intended)
        self.dialog.finished.connect(self._forget_dialog)
        self.dialog.show_model(self._model)
        self.intended.emit(WantSourcePictures(on=True))
        self.dialog.open()

    def open_network(self) -> None:
        """Opens the dialog for network cameras, without blocking."""
        if self.network_dialog is not None:
            return
        self.network_dialog = dialog = NetworkCameraDialog(self._theme, self.window())
        dialog.intended.connect(self.intended)
        dialog.finished.connect(self._forget_network_dialog)
        dialog.show_sources(self._sources or (), self._current)
        dialog.open()

    def show_picture(self, shown: SourcePicture) -> None:
        """Shows the thumbnail of a source, if the dialog is open."""
        if self.dialog is not None:
            self.dialog.show_picture(shown)

    def _forget_dialog(self) -> None:
        self.dialog = None

    def _forget_network_dialog(self) -> None:
        self.network_dialog = None

    def _use_region(self, screen: int, place: QRect) -> None:
        left, top = max(0, place.left()), max(0, place.top())
        part = f"{left},{top},{place.width()},{place.height()}"
        self.intended.emit(SetSource(source=f"screen:{screen}@{part}"))

    def open_file(self) -> None:
        """Opens a file dialog for a video or picture, without blocking."""
        dialog = QFileDialog(self.window(), self.tr("Open a video or picture"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Videos and pictures ({})").format(_MEDIA))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.use_file)
        dialog.open()

    def use_file(self, path: str) -> None:
        """Uses a file as the source."""
        self.intended.emit(SetSource(source=path))

    def _fill(self) -> None:
        menu, tokens = self.menu_list, self._theme.tokens
        menu.clear()
        group = QActionGroup(menu)
        current = None
        for choice in self._sources or ():
            if choice.kind == "window" and choice.source != self._current and not is_wayland():
                continue  # there may be dozens: the source dialog lists them
            icon = self._theme.icon(choice.kind, tokens.text)
            action = menu.addAction(icon, choice.title.replace("&", "&&"))
            action.setCheckable(True)
            action.setData(choice.source)
            group.addAction(action)
            if choice.source == self._current:
                action.setChecked(True)
                action.setIcon(self._theme.icon("check", tokens.accent))
                current = choice
        group.triggered.connect(self._choose)
        if not any(choice.kind == "camera" for choice in self._sources or ()):
            menu.addAction(self._theme.icon("camera", tokens.muted), self.tr("No camera found")).setEnabled(
                False
            )
        options = menu.addAction(self._theme.icon("framing", tokens.text), self.tr("Options of this source…"))
        options.triggered.connect(self._want_options)
        menu.addSeparator()
        if is_wayland():  # screens are listed above, and nobody may look at windows but the desktop
            window = menu.addAction(self._theme.icon("window", tokens.text), self.tr("Choose a window…"))
            window.triggered.connect(self._ask_for_window)
        else:
            window = menu.addAction(self._theme.icon("window", tokens.text), self.tr("Screens and windows…"))
            window.triggered.connect(self.open_gallery)
        part = menu.addAction(self._theme.icon("snip", tokens.text), self.tr("Part of the screen…"))
        part.triggered.connect(self.region.start)
        network = menu.addAction(self._theme.icon("network", tokens.text), self.tr("Network camera…"))
        network.triggered.connect(self.open_network)
        file = menu.addAction(self._theme.icon("file", tokens.text), self.tr("Open a video or picture…"))
        file.triggered.connect(self.open_file)
        again = menu.addAction(self._theme.icon("refresh", tokens.text), self.tr("Search again"))
        again.triggered.connect(self._look_again)
        self.show_icon(current.kind if current else _icon_of(self._current))

    def _want_options(self) -> None:
        self.options_wanted.emit(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def _choose(self, action: QAction) -> None:
        self.intended.emit(SetSource(source=str(action.data())))

    def _ask_for_window(self) -> None:
        self.intended.emit(SetSource(source=f"window:{SHARED_WINDOW}", ask_again=True))

    def _look_again(self) -> None:
        self.intended.emit(RefreshSources())


def _icon_of(source: str) -> str:
    """Icon of a source that is not in the list: a file, or a camera that was unplugged."""
    if is_network_address(source):
        return "network"
    kind = source.split(":")[0]
    return kind if kind in get_args(SourceKind) else "file"
