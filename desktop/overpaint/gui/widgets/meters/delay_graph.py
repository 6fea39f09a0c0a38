"""Delay graph: a line chart of the last minute. Must not know what was delayed."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from overpaint.gui.appearance.theme import Theme

_HEIGHT = 84
_STEPS_MS = (20, 50, 100, 200, 500, 1000, 2000, 5000)
_FOOT = 18


class DelayGraph(QWidget):
    """Delay graph: one point for each second; seconds without pictures are gaps in the line.

    Args:
        theme: The theme.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._seconds: tuple[float | None, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The fixed height."""
        return QSize(220, _HEIGHT)

    def show_seconds(self, seconds: tuple[float | None, ...]) -> None:
        """Shows the delay in milliseconds for each second, the oldest first; None for a gap."""
        if seconds != self._seconds:
            self._seconds = seconds
            self.update()

    @property
    def top_ms(self) -> int:
        """Upper end of the scale."""
        highest = max((each for each in self._seconds if each is not None), default=0.0)
        return next((step for step in _STEPS_MS if highest <= step), _STEPS_MS[-1])

    def lines(self, room: QRectF) -> list[QPolygonF]:
        """The polylines of the graph, inside a rectangle."""
        pieces: list[QPolygonF] = []
        former: float | None = None
        for number, each in enumerate(self._seconds):
            if each is not None:
                if former is None:
                    pieces.append(QPolygonF())
                across = number / max(1, len(self._seconds) - 1)
                up = min(1.0, each / self.top_ms)
                pieces[-1].append(
                    QPointF(room.left() + across * room.width(), room.bottom() - up * room.height())
                )
            former = each
        return pieces

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the scale and the line."""
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(self._theme.sizes.small - 1)
        painter.setFont(font)
        most, least = self.tr("{} ms").format(self.top_ms), "0"
        lead = painter.fontMetrics().horizontalAdvance(most) + 8
        room = QRectF(lead, 7, self.width() - lead - 4, self.height() - 7 - _FOOT)
        painter.setPen(QColor(tokens.muted))
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRectF(0, room.top() - 8, lead - 6, 16), right, most)
        painter.drawText(QRectF(0, room.bottom() - 8, lead - 6, 16), right, least)
        foot = QRectF(room.left(), room.bottom() + 2, room.width(), _FOOT)
        painter.drawText(foot, int(Qt.AlignmentFlag.AlignLeft), self.tr("a minute ago"))
        painter.drawText(foot, int(Qt.AlignmentFlag.AlignRight), self.tr("now"))
        painter.setPen(QPen(QColor(tokens.line), 1))
        for height in (room.top(), room.center().y(), room.bottom()):
            painter.drawLine(QPointF(room.left(), height), QPointF(room.right(), height))
        painter.setPen(QPen(QColor(tokens.accent), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for piece in self.lines(room):
            if piece.size() == 1:
                painter.drawPoint(piece.first())
            else:
                painter.drawPolyline(piece)
        painter.end()
