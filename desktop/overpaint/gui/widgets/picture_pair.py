"""Before/after comparison: two pictures in one place, divided by a draggable line.

Must not know where the pictures come from.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from overpaint.gui.appearance.theme import Theme

STEP = 0.05
HANDLE = 15
_PILL = QColor(12, 12, 14, 205)


class PicturePair(QWidget):
    """Before/after comparison; dragging, the arrow keys, Home and End move the line.

    Args:
        theme: The theme.
        before: Name of the left picture.
        after: Name of the right picture.
    """

    def __init__(self, theme: Theme, before: str, after: str) -> None:
        super().__init__()
        self._theme = theme
        self._names = (before, after)
        self._images: list[QImage | None] = [None, None]
        self._drawn: list[QPixmap | None] = [None, None]
        self._text = ""
        self.split = 0.5
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self.setMinimumSize(240, 160)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Comparison"))
        self._show_split(0.5)

    def show_pictures(self, before: QImage | None, after: QImage | None, text: str = "") -> None:
        """Shows two pictures, or a text if there are none."""
        self._images = [before, after]
        self._drawn = [None, None]
        self._text = text
        self.update()

    def picture_rect(self) -> QRect:
        """The pictures' rectangle: as large as fits, in the aspect ratio of the second picture."""
        image = self._images[1] or self._images[0]
        if image is None or image.isNull():
            return self.rect()
        size = image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        rect = QRect(0, 0, size.width(), size.height())
        rect.moveCenter(self.rect().center())
        return rect

    def _show_split(self, split: float) -> None:
        self.split = min(1.0, max(0.0, split))
        self.setAccessibleDescription(
            self.tr("{} % {}, {} % {}").format(
                round(self.split * 100), self._names[0], round((1 - self.split) * 100), self._names[1]
            )
        )
        self.update()

    # ---- events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Moves the line to the pointer."""
        self._follow(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drags the line."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._follow(event)

    def _follow(self, event: QMouseEvent) -> None:
        rect = self.picture_rect()
        self._show_split((event.position().x() - rect.left()) / max(1, rect.width()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves the line by keyboard."""
        places = {
            Qt.Key.Key_Left: self.split - STEP,
            Qt.Key.Key_Right: self.split + STEP,
            Qt.Key.Key_Home: 0.0,
            Qt.Key.Key_End: 1.0,
        }
        place = places.get(Qt.Key(event.key()))
        if place is None:
            super().keyPressEvent(event)
        else:
            self._show_split(place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Clears the scaled pictures, which have the former size."""
        super().resizeEvent(event)
        self._drawn = [None, None]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints both pictures, their names, and the line."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = self.picture_rect()
        x = rect.left() + round(rect.width() * self.split)
        left = QRect(rect.left(), rect.top(), x - rect.left(), rect.height())
        right = QRect(x, rect.top(), rect.right() - x + 1, rect.height())
        for which, room in ((0, left), (1, right)):
            self._paint_picture(painter, which, rect, room)
        if any(image is not None and not image.isNull() for image in self._images):
            self._paint_line(painter, rect, x)
            self._paint_name(painter, rect, left, 0)
            self._paint_name(painter, rect, right, 1)
        else:
            painter.setPen(QColor(self._theme.tokens.stage_muted))
            painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), self._text)
        painter.end()

    def _paint_picture(self, painter: QPainter, which: int, rect: QRect, room: QRect) -> None:
        painter.save()
        painter.setClipRect(room)
        painter.fillRect(rect, QColor(self._theme.tokens.stage))
        drawn = self._drawing(which, rect.size())
        if drawn is not None:
            painter.drawPixmap(rect.topLeft(), drawn)
        painter.restore()

    def _drawing(self, which: int, size: QSize) -> QPixmap | None:
        image = self._images[which]
        if image is None or image.isNull():
            return None
        drawn = self._drawn[which]
        if drawn is None:
            ratio = self.devicePixelRatioF()
            scaled = image.scaled(
                size * ratio,
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            drawn = QPixmap.fromImage(scaled)
            drawn.setDevicePixelRatio(ratio)
            self._drawn[which] = drawn
        return drawn

    def _paint_line(self, painter: QPainter, rect: QRect, x: int) -> None:
        centre = QPointF(x, rect.center().y())
        painter.setPen(QPen(QColor("#ffffff"), 2))
        painter.drawLine(x, rect.top(), x, rect.bottom())
        ring = self._theme.tokens.accent if self.hasFocus() else "#ffffff"
        painter.setPen(QPen(QColor(ring), 3))
        painter.setBrush(QColor("#ffffff"))
        painter.drawEllipse(centre, HANDLE, HANDLE)
        painter.setPen(QPen(QColor("#1b1b1e"), 1.8))
        for way in (-1, 1):
            tip = centre + QPointF(9 * way, 0)
            painter.drawLine(tip, tip + QPointF(-4 * way, -4))
            painter.drawLine(tip, tip + QPointF(-4 * way, 4))

    def _paint_name(self, painter: QPainter, rect: QRect, room: QRect, which: int) -> None:
        font = QFont(self.font())
        font.setPixelSize(self._theme.sizes.small)
        painter.setFont(font)
        width = painter.fontMetrics().horizontalAdvance(self._names[which]) + 20
        if room.width() < width + 24:
            return
        height = self._theme.sizes.small + 12
        x = rect.left() + 10 if which == 0 else rect.right() - 10 - width
        pill = QRectF(x, rect.top() + 10, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_PILL)
        painter.drawRoundedRect(pill, 7, 7)
        painter.setPen(QColor("#ffffff"))
        painter.drawText(pill, int(Qt.AlignmentFlag.AlignCenter), self._names[which])
