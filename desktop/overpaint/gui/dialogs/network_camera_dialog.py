"""Dialog for network cameras: the known ones, to be named and forgotten, and the address of another.

Must not know how one is played, nor where logins are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.switch import Switch
from overpaint.gui.words.plain_text import plain_tip
from overpaint.media.network_camera.camera_address import (
    LONGEST,
    NetworkAddress,
    is_network_address,
    parse_network_address,
)
from overpaint.wire.live import SetSource, SourceChoice
from overpaint.wire.sources import CAMERA_NAME_MAX, ForgetNetworkCamera, NameNetworkCamera

WIDTH = 520
_ROWS = 3
"""Known cameras that are seen at once."""
_ADDRESS = Qt.ItemDataRole.UserRole


class NetworkCameraDialog(QDialog):
    """Dialog for network cameras, modal for its window; Enter uses the camera, Escape cancels.

    Args:
        theme: The theme.
        parent: The window.
    """

    intended = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Network camera"))
        mark(self, role="dialog")
        self.setFixedWidth(WIDTH)
        self._current: str | None = None
        self._cameras: list[SourceChoice] = []
        self.list = QListWidget()
        mark(self.list, role="saved")
        self.list.setAccessibleName(self.tr("Known network cameras"))
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.rename = ThemedButton(theme, text=self.tr("Rename"))
        self.rename.setToolTip(self.tr("Gives it a name of your own (F2); an empty one removes it"))
        self.forget = ThemedButton(theme, text=self.tr("Forget"), role="danger")
        self.address = self._field(self.tr("Address"), "rtsp://192.168.1.20/stream1")
        self.user = self._field(self.tr("User name"), self.tr("if the camera asks for one"))
        self.password = self._field(self.tr("Password"), "")
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.keep = Switch(theme)
        self.keep.setChecked(True)
        self.keep.setAccessibleName(self.tr("Keep the password in this computer's keyring"))
        self.says = text_label("value", wrap=True)
        mark(self.says, tone="bad")
        self.use = ThemedButton(theme, text=self.tr("Use this camera"), role="primary")
        self.use.setDefault(True)
        self.use.clicked.connect(self._use)
        cancel = ThemedButton(theme, text=self.tr("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.setSpacing(10)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.use)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        layout.addWidget(text_label("title", self.windowTitle()))
        help_ = self.tr(
            "The address is in the camera's manual or app. A phone becomes a camera with an app such as "
            "IP Webcam or DroidCam, which shows an address like http://192.168.1.30:8080/video."
        )
        layout.addWidget(text_label("muted", help_, wrap=True))
        layout.addWidget(self._known())
        layout.addLayout(self._fields())
        layout.addWidget(self.says)
        layout.addLayout(foot)
        self.address.textChanged.connect(self._show)
        self.password.textChanged.connect(self._show)
        self.user.textChanged.connect(self._show)
        self._show()
        self.address.setFocus()

    def show_sources(self, sources: Iterable[SourceChoice], current: str) -> None:
        """Shows the known cameras.

        Args:
            sources: The available sources.
            current: The source in use; its address is suggested at first if it is a network camera.
        """
        cameras = [choice for choice in sources if choice.kind == "network"]
        first = self._current is None
        if first and is_network_address(current):
            self.address.setText(current)
        if first or cameras != self._cameras:
            self._cameras = cameras
            self._fill()
        self._current = current
        self._show_choice()

    def _known(self) -> QFrame:
        """The known cameras, with what is done to the selected one."""
        self.known = QFrame()
        row = QHBoxLayout(self.known)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.list, 1)
        column = QVBoxLayout()
        column.setSpacing(8)
        for button in (self.rename, self.forget):
            button.setAutoDefault(False)
            column.addWidget(button)
        column.addStretch(1)
        row.addLayout(column)
        self.rename.clicked.connect(self._rename)
        self.forget.clicked.connect(self._forget)
        self.list.currentItemChanged.connect(self._choose)
        self.list.itemChanged.connect(self._renamed)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)  # not while a name is written
        delete.activated.connect(self.forget.click)
        return self.known

    def _fill(self) -> None:
        chosen = self.list.currentItem()
        address = chosen.data(_ADDRESS) if chosen is not None else self.address.text()
        self.list.blockSignals(True)
        self.list.clear()
        for camera in self._cameras:
            item = QListWidgetItem(camera.title, self.list)
            item.setData(_ADDRESS, camera.source)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            keeps = self.tr("Its password is in this computer's keyring.") if camera.keeps_login else ""
            item.setToolTip(plain_tip("\n".join(filter(None, (camera.source, keeps)))))
            if camera.source == address:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        self.known.setVisible(bool(self._cameras))
        height = self.list.sizeHintForRow(0) * min(_ROWS, len(self._cameras))
        self.list.setFixedHeight(max(height, 2 * self.rename.sizeHint().height()) + 10)

    def _choose(self, item: QListWidgetItem | None) -> None:
        """Suggests the address of the selected camera; what else it needs is known already."""
        if item is not None:
            self.address.setText(str(item.data(_ADDRESS)))
            self.user.clear()
            self.password.clear()
        self._show_choice()

    def _show_choice(self) -> None:
        item = self.list.currentItem()
        used = item is not None and item.data(_ADDRESS) == self._current
        self.rename.setEnabled(item is not None)
        self.forget.setEnabled(item is not None and not used)
        self.forget.setToolTip(
            self.tr("It is in use: choose another source first.")
            if used
            else self.tr("Removes it from this list, and its password from the keyring (Del)")
        )

    def _rename(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.list.editItem(item)

    def _renamed(self, item: QListWidgetItem) -> None:
        address = str(item.data(_ADDRESS))
        self.intended.emit(NameNetworkCamera(camera=address, name=item.text()[:CAMERA_NAME_MAX]))

    def _forget(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.intended.emit(ForgetNetworkCamera(camera=str(item.data(_ADDRESS))))

    def _fields(self) -> QGridLayout:
        fields = QGridLayout()
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(8)
        for row, field in enumerate((self.address, self.user, self.password)):
            name = text_label("muted", field.accessibleName())
            name.setBuddy(field)
            fields.addWidget(name, row, 0)
            fields.addWidget(field, row, 1)
        words = text_label("value", self.keep.accessibleName(), wrap=True)
        words.setBuddy(self.keep)
        fields.addWidget(self.keep, 3, 0)
        fields.addWidget(words, 3, 1)
        return fields

    def _field(self, name: str, hint: str) -> QLineEdit:
        field = QLineEdit()
        mark(field, role="search")
        field.setMaxLength(LONGEST)
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        return field

    def _written(self) -> NetworkAddress | None:
        address = parse_network_address(self.address.text())
        if address is None or not (self.user.text() or self.password.text()):
            return address
        return replace(address, user=self.user.text(), password=self.password.text())

    def _show(self) -> None:
        address = self.address.text().strip()
        kept = any(each.source == address and each.keeps_login for each in self._cameras)
        self.password.setPlaceholderText(self.tr("kept in the keyring") if kept else "")
        self.use.setEnabled(bool(self.address.text().strip()))
        written = self._written()
        self.keep.setEnabled(written is not None and written.whole != written.public)
        if written is not None:
            self.says.setText("")

    def _use(self) -> None:
        written = self._written()
        if written is None:
            self.says.setText(
                self.tr(
                    "An address begins with rtsp://, rtsps://, http:// or https://, then the camera's name."
                )
            )
            return
        keep = self.keep.isEnabled() and self.keep.isChecked()
        self.intended.emit(SetSource(source=written.whole, keep_login=keep))
        self.accept()
