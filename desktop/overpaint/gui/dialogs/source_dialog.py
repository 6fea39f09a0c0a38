"""Source dialog: screens and windows with live thumbnails. Must not know how they are captured."""

from __future__ import annotations

import base64

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.files.images import own_jpeg
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.words.plain_text import plain_tip
from overpaint.wire.live import SetSource, SourceChoice
from overpaint.wire.sources import SourcePicture, WantSourcePictures

PICTURE = QSize(208, 117)
SIZE = QSize(720, 480)
_KINDS = ("screen", "window")


class SourceDialog(QDialog):
    """Source dialog; a click or Enter chooses a source, and thumbnails are updated while it is open.

    Args:
        theme: The theme.
        parent: The window.
    """

    intended = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._choices: list[SourceChoice] | None = None
        self._current = ""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Screens and windows"))
        self.setModal(True)
        mark(self, role="dialog")
        self.resize(SIZE)
        self.list = QListWidget()
        mark(self.list, role="looks")
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setIconSize(PICTURE)
        self.list.setGridSize(PICTURE + QSize(14, 44))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setAccessibleName(self.tr("Screens and windows"))
        self.list.itemClicked.connect(self._take)
        self.list.itemActivated.connect(self._take)
        self.hint = text_label("muted", wrap=True)
        close = ThemedButton(theme, text=self.tr("Cancel"))
        close.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.addWidget(self.hint, 1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 16)
        layout.setSpacing(12)
        layout.addWidget(text_label("title", self.tr("What should be restyled?")))
        layout.addWidget(self.list, 1)
        layout.addLayout(foot)
        self.finished.connect(lambda: self.intended.emit(WantSourcePictures(on=False)))

    def show_model(self, model: SessionModel) -> None:
        """Shows the available sources; known ones keep their thumbnails."""
        if model.snapshot is None:
            return
        # Not the app's own windows: one as the source would show its own preview within itself, without end.
        own = {window.windowTitle() for window in QApplication.topLevelWidgets()}
        choices = [
            choice
            for choice in model.snapshot.sources
            if choice.kind in _KINDS and not (choice.kind == "window" and choice.title in own)
        ]
        if choices != self._choices or model.snapshot.source != self._current:
            self._choices, self._current = choices, model.snapshot.source
            self._fill(choices)
        windows = any(choice.kind == "window" for choice in choices)
        self.hint.setText(
            self.tr(
                "A window is captured without other windows over it. Where the desktop cannot do that, "
                "its last picture stands while it is covered."
            )
            if windows
            else self.tr("This system shows no windows to other programs; a screen can be chosen.")
        )

    def show_picture(self, shown: SourcePicture) -> None:
        """Shows the thumbnail of a source."""
        image = own_jpeg(base64.b64decode(shown.picture))
        for row in range(self.list.count()):
            item = self.list.item(row)
            if item.data(Qt.ItemDataRole.UserRole) == shown.source and not image.isNull():
                item.setIcon(_plain_icon(QPixmap.fromImage(image)))

    def _fill(self, choices: list[SourceChoice]) -> None:
        known = {
            item.data(Qt.ItemDataRole.UserRole): item.icon()
            for item in (self.list.item(row) for row in range(self.list.count()))
        }
        before = self.list.currentItem()
        chosen = before.data(Qt.ItemDataRole.UserRole) if before is not None else self._current
        self.list.clear()
        for choice in choices:
            icon = known.get(choice.source) or self._empty(choice.kind)
            item = QListWidgetItem(icon, self._words(choice), self.list)
            item.setData(Qt.ItemDataRole.UserRole, choice.source)
            item.setToolTip(plain_tip(self._tip(choice)))
            if choice.seen == "minimised":
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            if choice.source == chosen:
                self.list.setCurrentItem(item)
        if self.list.currentItem() is None and self.list.count():
            self.list.setCurrentRow(0)

    def _words(self, choice: SourceChoice) -> str:
        if choice.seen == "minimised":
            return self.tr("{} (hidden)").format(choice.title)
        if choice.seen == "covered":
            return self.tr("{} (covered)").format(choice.title)
        return choice.title

    def _tip(self, choice: SourceChoice) -> str:
        if choice.seen == "minimised":
            mend = self.tr(
                "A window that is minimised, or on another desktop, has no picture. Open it first."
            )
            return f"{choice.title}\n{mend}"
        if choice.seen == "covered":
            mend = self.tr(
                "This desktop has no picture of a covered window: bring it to the front, "
                "or turn on the desktop's compositor."
            )
            return f"{choice.title}\n{mend}"
        return choice.title

    def _empty(self, kind: str) -> QIcon:
        """A placeholder with the kind's icon, until there is a thumbnail."""
        ratio = self.devicePixelRatioF()
        card = QPixmap(PICTURE * ratio)
        card.setDevicePixelRatio(ratio)
        card.fill(QColor(self._theme.tokens.card))
        painter = QPainter(card)
        drawing = self._theme.pixmap(kind, self._theme.tokens.muted, 36, ratio)
        painter.drawPixmap((PICTURE.width() - 36) // 2, (PICTURE.height() - 36) // 2, drawing)
        painter.end()
        return _plain_icon(card)

    def _take(self, item: QListWidgetItem) -> None:
        if not item.flags() & Qt.ItemFlag.ItemIsEnabled:
            return  # Qt reports clicks on such items, too
        self.intended.emit(SetSource(source=str(item.data(Qt.ItemDataRole.UserRole))))
        self.accept()


def _plain_icon(pixmap: QPixmap) -> QIcon:
    """An icon that is not tinted while it is selected."""
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon
