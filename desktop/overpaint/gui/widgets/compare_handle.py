"""Compare handle: a slider over the picture, with the original at its left and the result at its right.

Must not know where pictures come from.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractSlider, QWidget

from overpaint.gui.appearance.theme import Theme

WHOLE = 1000
"""Steps from the left edge of the picture to the right edge."""
_WIDTH, _GRIP = 46, 34
_STEP = WHOLE // 20
_NOTHING = WHOLE // 50
"""A handle released this near to the left edge snaps back to it."""


class CompareHandle(QAbstractSlider):
    """Compare handle; at rest (value 0) it is only a grip at the picture's left edge.

    Dragging and the arrow keys move it; a double click or Esc resets it.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._picture = QRect()
        self._dragged_by: float | None = None
        self._drawn: QPixmap | None = None
        self._drawn_as: tuple[bool, bool, str, float] | None = None
        self.setRange(0, WHOLE)
        self.setSingleStep(_STEP)
        self.setPageStep(4 * _STEP)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAccessibleName(self.tr("Compare with the original"))
        self.setToolTip(self.tr("Drag to compare with the original, or hold Space; only you see it"))
        self.valueChanged.connect(self._settle)

    def place(self, picture: QRect) -> None:
        """Places the handle over a picture's rectangle, in the parent's coordinates."""
        self._picture = picture
        self._settle()

    @property
    def share(self) -> float:
        """Position of the handle, 0 (left edge) to 1."""
        return self.value() / WHOLE

    def _settle(self) -> None:
        picture = self._picture
        room = _WIDTH // 2
        middle = min(max(self._line(), picture.left() + room), picture.right() - room)
        self.setGeometry(int(middle) - room, picture.top(), _WIDTH, picture.height())
        self.update()

    def _line(self) -> float:
        return self._picture.left() + self._picture.width() * self.share

    # ---- events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Starts dragging."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged_by = self.mapToParent(event.position()).x() - self._line()
            self.setSliderDown(True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drags the handle."""
        if self._dragged_by is not None:
            x = self.mapToParent(event.position()).x() - self._dragged_by - self._picture.left()
            self.setValue(round(WHOLE * x / max(1, self._picture.width())))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends dragging."""
        self._dragged_by = None
        self.setSliderDown(False)
        if self.value() < _NOTHING:
            self.setValue(0)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Resets the handle."""
        self.setValue(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End move the handle, Esc resets it; Space is left to the stage."""
        if event.key() == Qt.Key.Key_Escape and self.value():
            self.setValue(0)
        elif event.key() == Qt.Key.Key_Space:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the line and the grip."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        resting = self.value() == 0 and not self.isSliderDown()
        if not resting:
            x = self._line() - self.x()
            painter.setPen(QPen(QColor(0, 0, 0, 90), 4))
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
            painter.setPen(QPen(QColor("#ffffff"), 2))
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        grip = self._grip(resting)
        size = grip.deviceIndependentSize() / 2
        painter.drawPixmap(QRectF(self.rect()).center() - QPointF(size.width(), size.height()), grip)

    def _grip(self, resting: bool) -> QPixmap:
        """The grip, cached: it is painted again with every picture below it."""
        tokens, ratio = self._theme.tokens, self.devicePixelRatioF()
        look = (resting, self.hasFocus(), tokens.accent, ratio)
        if self._drawn is not None and self._drawn_as == look:
            return self._drawn
        side = _GRIP + 4
        self._drawn_as, self._drawn = look, QPixmap(QSize(side, side) * ratio)
        self._drawn.setDevicePixelRatio(ratio)
        self._drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.accent), 3) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(12, 12, 14, 190) if resting else QColor("#ffffff"))
        painter.drawEllipse(QRectF(2, 2, _GRIP, _GRIP))
        icon = self._theme.pixmap("compare", "#ffffff" if resting else "#17181b", 20, ratio)
        painter.drawPixmap(QPointF(side / 2 - 10, side / 2 - 10), icon)
        painter.end()
        return self._drawn
