"""Combo box with the theme's arrow."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox

from overpaint.gui.appearance.theme import Theme


class Choice(QComboBox):
    """Combo box that ignores the mouse wheel, so that scrolling cannot change it by accident.

    Args:
        theme: The theme.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        theme.changed.connect(self.update)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the event to the scroll area."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the arrow, too."""
        super().paintEvent(event)
        arrow = self._theme.pixmap("down", self._theme.tokens.muted, 16, self.devicePixelRatioF())
        painter = QPainter(self)
        painter.drawPixmap(self.width() - 26, (self.height() - 16) // 2, arrow)
        painter.end()
