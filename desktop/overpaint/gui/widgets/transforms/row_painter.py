"""Item delegate of the transform list: thumbnail, name, status, progress bar, and one button a row.

Must not know what happens when the button is clicked.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QCursor, QFont, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.files.queue_model import Index, TransformListModel
from overpaint.gui.files.thumbnails import Thumbnails
from overpaint.wire.transforms import TransformItem, TransformState

HEIGHT = 60
PICTURE = QSize(68, 46)
THUMBNAIL = QSize(136, 92)
"""Twice ``PICTURE``: sharp at a device pixel ratio of 2."""
BUTTON = 30
MARGIN = 6
RADIUS = 7

_DEEDS: dict[TransformState, tuple[str, str]] = {
    "ready": ("remove", "close"),
    "waiting": ("cancel", "close"),
    "working": ("cancel", "close"),
    "done": ("save", "save"),
    "failed": ("retry", "refresh"),
    "cancelled": ("retry", "refresh"),
    "interrupted": ("retry", "refresh"),
}
"""Action and icon of a row's button, by state."""


class TransformRows(QStyledItemDelegate):
    """Item delegate (``QStyledItemDelegate``) that paints the rows.

    Args:
        theme: The theme.
        thumbnails: The thumbnail cache.
        view: The list view.
    """

    def __init__(self, theme: Theme, thumbnails: Thumbnails, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._thumbnails = thumbnails
        self._view = view

    def deed(self, item: TransformItem) -> str:
        """The action of an item's button."""
        return _DEEDS[item.state][0]

    def picture(self, item: TransformItem) -> QPixmap | None:
        """The thumbnail of an item's result, or of its input before there is a result."""
        return self._thumbnails.picture(item.result if item.state == "done" else item.source)

    def button_of(self, row: QRect) -> QRect:
        """The rectangle of a row's button."""
        return QRect(row.right() - BUTTON - MARGIN, row.center().y() - BUTTON // 2, BUTTON, BUTTON)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Height of a row, and its least width: rows are as wide as the list."""
        return QSize(120, HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one row."""
        item: TransformItem = index.data(TransformListModel.ItemRole)
        row: QRect = option.rect
        state: QStyle.StateFlag = option.state
        hovered = bool(state & QStyle.StateFlag.State_MouseOver) and self._view.underMouse()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if state & QStyle.StateFlag.State_Enabled else 0.45)
        self._paint_ground(painter, row, state, hovered)
        picture = QRect(QPoint(row.left() + MARGIN, row.center().y() - PICTURE.height() // 2 + 1), PICTURE)
        self._paint_picture(painter, picture, item)
        button = self.button_of(row)
        text = QRect(picture.right() + 11, row.top(), button.left() - picture.right() - 15, row.height())
        self._paint_text(painter, text, item, index)
        self._paint_button(painter, button, item, hovered)
        painter.restore()

    def _paint_ground(self, painter: QPainter, row: QRect, state: QStyle.StateFlag, hovered: bool) -> None:
        tokens = self._theme.tokens
        selected = bool(state & QStyle.StateFlag.State_Selected)
        focused = bool(state & QStyle.StateFlag.State_HasFocus) and self._view.hasFocus()
        if not (selected or hovered or focused):
            return
        box = QRectF(row).adjusted(1, 1.5, -1, -1.5)
        painter.setBrush(QColor(tokens.hover if selected else tokens.card))
        painter.setPen(QPen(QColor(tokens.accent), 1.6) if focused else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(box, 9, 9)

    def _paint_picture(self, painter: QPainter, box: QRect, item: TransformItem) -> None:
        tokens = self._theme.tokens
        path = QPainterPath()
        path.addRoundedRect(QRectF(box), RADIUS, RADIUS)
        painter.save()
        painter.setClipPath(path)
        painter.fillRect(box, QColor(tokens.field))
        picture = self.picture(item)
        if picture is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            if item.state in ("failed", "cancelled", "interrupted"):
                painter.setOpacity(0.45)
            painter.drawPixmap(box, picture)
        else:
            icon = "file" if item.kind == "video" else "photo"
            self._paint_icon(painter, box, icon, tokens.muted, 20)
        painter.restore()
        if item.kind == "video" and picture is not None:
            mark = QRect(box.left() + 4, box.bottom() - 19, 16, 16)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(12, 12, 14, 205))
            painter.drawEllipse(mark)
            self._paint_icon(painter, mark, "play", "#ffffff", 10)

    def _paint_text(self, painter: QPainter, box: QRect, item: TransformItem, index: Index) -> None:
        tokens, sizes = self._theme.tokens, self._theme.sizes
        part: float | None = index.data(TransformListModel.PartRole)
        font = QFont(self._view.font())
        font.setPixelSize(sizes.body)
        line = painter.fontMetrics().height()
        top = box.center().y() - line - (4 if part is not None else 1)
        painter.setFont(font)
        painter.setPen(QColor(tokens.text))
        # Elided in the middle: the end of a file's name tells as much as its start.
        name = QRect(box.left(), top, box.width(), line + 2)
        self._paint_line(painter, name, str(index.data()), Qt.TextElideMode.ElideMiddle)
        font.setPixelSize(sizes.small)
        painter.setFont(font)
        tone = tokens.bad if item.state == "failed" else tokens.muted
        painter.setPen(QColor(tone))
        status = str(index.data(TransformListModel.StatusRole))
        below = QRect(box.left(), top + line + 2, box.width(), line)
        self._paint_line(painter, below, status, Qt.TextElideMode.ElideRight)
        if part is not None:
            bar = QRectF(box.left(), top + 2 * line + 5, box.width() - 2, 3)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.line))
            painter.drawRoundedRect(bar, 1.5, 1.5)
            bar.setWidth(max(3.0, bar.width() * part))
            painter.setBrush(QColor(tokens.accent))
            painter.drawRoundedRect(bar, 1.5, 1.5)

    def _paint_line(self, painter: QPainter, box: QRect, text: str, elide: Qt.TextElideMode) -> None:
        shown = painter.fontMetrics().elidedText(text, elide, box.width())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)

    def _paint_button(self, painter: QPainter, box: QRect, item: TransformItem, hovered: bool) -> None:
        tokens = self._theme.tokens
        icon = _DEEDS[item.state][1]
        pointed = hovered and box.contains(self._view.viewport().mapFromGlobal(QCursor.pos()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.pressed if pointed else tokens.card))
        painter.drawRoundedRect(QRectF(box), 7, 7)
        self._paint_icon(painter, box, icon, tokens.text, 16)

    def _paint_icon(self, painter: QPainter, box: QRect, icon: str, colour: str, side: int) -> None:
        drawing = self._theme.pixmap(icon, colour, side, self._view.devicePixelRatioF())
        painter.drawPixmap(
            box.left() + (box.width() - side) // 2, box.top() + (box.height() - side) // 2, drawing
        )
