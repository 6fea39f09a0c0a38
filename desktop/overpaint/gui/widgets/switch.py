"""Toggle switch: shows its state by position and a tick, not by colour alone."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox

from overpaint.gui.appearance.theme import Theme

_SIZE = QSize(44, 26)


class Switch(QCheckBox):
    """Toggle switch: a check box without a text.

    Args:
        theme: The theme.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(_SIZE)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The fixed size."""
        return _SIZE

    def hitButton(self, pos: QPoint) -> bool:
        """Whether a point is clickable: all of the widget is."""
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints groove, ring, knob and tick."""
        tokens, on = self._theme.tokens, self.isChecked()
        lit = on and self.isEnabled()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        ground = tokens.accent if lit else tokens.card
        painter.setBrush(QColor(ground))
        painter.setPen(
            QPen(QColor(tokens.text if self.hasFocus() else tokens.accent if lit else tokens.muted), 2)
        )
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        side = box.height() - 8
        left = box.right() - side - 4 if on else box.left() + 4
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.on_accent if lit else tokens.muted))
        painter.drawEllipse(QRectF(left, box.top() + 4, side, side))
        if on:
            tick = self._theme.pixmap(
                "check", tokens.on_accent if lit else tokens.muted, 14, self.devicePixelRatioF()
            )
            painter.drawPixmap(QPoint(7, (self.height() - 14) // 2), tick)
        painter.end()
