"""A combo box with the theme's own arrow."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox

from overpaint.gui.appearance.theme import Theme


class Choice(QComboBox):
    """A combo box; the wheel scrolls what it stands in, and changes nothing by accident.

    Args:
        theme: The theme.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        theme.changed.connect(self.update)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Left to the page."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Adds the arrow that says: there is a list."""
        super().paintEvent(event)
        arrow = self._theme.pixmap("down", self._theme.tokens.muted, 16, self.devicePixelRatioF())
        painter = QPainter(self)
        painter.drawPixmap(self.width() - 26, (self.height() - 16) // 2, arrow)
        painter.end()
