"""Photo chip: a menu to choose the reference photo, or the chosen photo. Must not read files."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.files.photo_intake import holds_photo
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label

_THUMBNAIL = QSize(34, 26)


class PhotoChip(QWidget):
    """Photo chip: a menu button without a photo; a thumbnail and a remove button with one.

    Args:
        theme: The theme.
        snips: Whether the menu has a part of the screen.
    """

    file_wanted = Signal()
    paste_wanted = Signal()
    snip_wanted = Signal()

    def __init__(self, theme: Theme, snips: bool = True) -> None:
        super().__init__()
        self._theme = theme
        self._snips = snips
        self.add = ThemedButton(theme, "photo", self.tr("Photo"))
        self.add.setToolTip(
            self.tr("Adds a reference photo: choose, drop or paste one, or cut it from the screen")
        )
        self.add.setAccessibleName(self.tr("Add a reference photo"))
        self.add.clicked.connect(self._open_menu)
        self.menu = QMenu(self)
        theme.changed.connect(self._fill_menu)
        self._fill_menu()
        self._shown = QFrame()
        mark(self._shown, role="photo")
        self.picture = QLabel()
        self.remove = ThemedButton(theme, "close", role="link", hint=self.tr("Remove the reference photo"))
        inner = QHBoxLayout(self._shown)
        inner.setContentsMargins(6, 2, 2, 2)
        inner.setSpacing(4)
        inner.addWidget(self.picture)
        inner.addWidget(text_label("small", self.tr("Photo")))
        inner.addWidget(self.remove)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.add)
        layout.addWidget(self._shown)
        self.show_thumbnail(None)
        self.show_present(False)

    @property
    def is_present(self) -> bool:
        """Whether there is a photo."""
        return not self._shown.isHidden()

    def show_present(self, present: bool) -> None:
        """Shows whether there is a photo."""
        self.add.setVisible(not present)
        self._shown.setVisible(present)

    def show_thumbnail(self, image: QImage | None) -> None:
        """Shows the photo's thumbnail, or an icon for None."""
        if image is None:
            self.picture.setPixmap(
                self._theme.pixmap("photo", self._theme.tokens.muted, 18, self.devicePixelRatioF())
            )
        else:
            ratio = self.devicePixelRatioF()
            small = image.scaled(
                _THUMBNAIL * ratio,
                Qt.AspectRatioMode.KeepAspectRatioByExpanding,
                Qt.TransformationMode.SmoothTransformation,
            ).copy(0, 0, round(_THUMBNAIL.width() * ratio), round(_THUMBNAIL.height() * ratio))
            small.setDevicePixelRatio(ratio)
            self.picture.setPixmap(QPixmap.fromImage(small))

    def _fill_menu(self) -> None:
        menu, ink = self.menu, self._theme.tokens.text
        menu.clear()
        file = menu.addAction(self._theme.icon("file", ink), self.tr("Choose a file…"))
        self._paste = menu.addAction(self._theme.icon("copy", ink), self.tr("Paste"))
        for action, wanted in ((file, self.file_wanted), (self._paste, self.paste_wanted)):
            action.triggered.connect(wanted)
        if self._snips:
            snip = menu.addAction(self._theme.icon("snip", ink), self.tr("Cut from the screen…"))
            snip.triggered.connect(self.snip_wanted)

    def _open_menu(self) -> None:
        self._paste.setEnabled(holds_photo(QGuiApplication.clipboard().mimeData()))
        self.menu.popup(self.add.mapToGlobal(QPoint(0, self.add.height() + 4)))
