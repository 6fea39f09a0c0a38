"""Before/after comparison: two pictures in one place, divided by a draggable line; zoom and pan.

Must not know where the pictures come from.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
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
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from overpaint.gui.appearance.theme import Theme

STEP = 0.05
HANDLE = 15
ZOOM_STEP, ZOOM_MAX = 1.25, 8.0
"""Factor of a step of the wheel or of a key, and most screen pixels a side for one pixel of the picture."""
_NOTCH = 120
"""Wheel angle of one step, eighths of a degree (Qt)."""
_PILL = QColor(12, 12, 14, 205)


class PicturePair(QWidget):
    """Before/after comparison; the arrow keys, Home and End move the line.

    The wheel, + and - zoom; 0 fits the picture in, 1 shows its own pixels, a double click does either.
    Dragging moves the line, and a zoomed picture where the pointer is not at the line.

    Args:
        theme: The theme.
        before: Name of the left picture.
        after: Name of the right picture.
    """

    zoomed = Signal()
    """The zoom has changed."""

    def __init__(self, theme: Theme, before: str, after: str) -> None:
        super().__init__()
        self._zoom = 0.0
        """Screen pixels (of the device) for one of the picture; 0 to fit."""
        self._centre = QPointF(0.5, 0.5)
        """The point of the picture in the middle of the widget, each side 0..1."""
        self._held: QPointF | None = None
        """Where the pointer was, while it drags a zoomed picture."""
        self._theme = theme
        self._names = (before, after)
        self._images: list[QImage | None] = [None, None]
        self._drawn: list[QPixmap | None] = [None, None]
        self._text = ""
        self.split = 0.5
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
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
        self.fit()

    # ---- zoom and pan

    @property
    def fitted(self) -> bool:
        """Whether the whole picture is shown, as large as fits."""
        return not self._zoom

    @property
    def percent(self) -> int:
        """The zoom: 100 where a pixel of the picture is a pixel of the screen."""
        return round(100 * (self._zoom or self._fitting))

    @property
    def _middle(self) -> QPointF:
        return QPointF(self.width() / 2, self.height() / 2)

    @property
    def _image(self) -> QImage | None:
        image = self._images[1] or self._images[0]
        return None if image is None or image.isNull() else image

    @property
    def _fitting(self) -> float:
        """The zoom at which the picture just fits."""
        image, ratio = self._image, self.devicePixelRatioF()
        if image is None:
            return 1.0
        return min(self.width() * ratio / image.width(), self.height() * ratio / image.height())

    def fit(self) -> None:
        """Shows the whole picture."""
        self._centre = QPointF(0.5, 0.5)
        self._set_zoom(0.0)

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Zooms; a zoom that would not fill the widget fits the picture in.

        Args:
            zoom: Screen pixels for one pixel of the picture; 1 for 1:1.
            at: The point of the widget that keeps its place; the middle for None.
        """
        image = self._image
        if image is None:
            return
        fitting = self._fitting
        if zoom <= fitting * 1.001 and zoom != 1.0:
            self.fit()
            return
        former = (self._zoom or fitting) / self.devicePixelRatioF()
        zoom = min(zoom, max(ZOOM_MAX, fitting))
        side = zoom / self.devicePixelRatioF()
        off = (at or self._middle) - self._middle
        gain = (
            1 / former - 1 / side
        )  # pixels of the picture between the point and the middle, fewer than before
        self._centre += QPointF(off.x() * gain / image.width(), off.y() * gain / image.height())
        self._set_zoom(zoom)

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Zooms by steps of the wheel, inwards for positive ones."""
        self.zoom_to((self._zoom or self._fitting) * ZOOM_STEP**steps, at)

    def _set_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        self._keep_inside()
        self._show_cursor(None)
        self.update()
        self.zoomed.emit()

    def _keep_inside(self) -> None:
        """Moves the picture so that no side of the widget is empty that it could fill."""
        size = self._size()
        shares = []
        for share, side, room in (
            (self._centre.x(), size.width(), self.width()),
            (self._centre.y(), size.height(), self.height()),
        ):
            edge = room / 2 / max(1, side)
            shares.append(0.5 if edge >= 0.5 else min(1 - edge, max(edge, share)))
        self._centre = QPointF(*shares)

    def _size(self) -> QSize:
        image = self._image
        if image is None:
            return self.size()
        if not self._zoom:
            return image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        return image.size() * (self._zoom / self.devicePixelRatioF())

    def picture_rect(self) -> QRect:
        """The pictures' rectangle, in the aspect ratio of the second one; zoomed, larger than the widget."""
        if self._image is None:
            return self.rect()
        size, middle = self._size(), self._middle
        corner = QPoint(
            round(middle.x() - self._centre.x() * size.width()),
            round(middle.y() - self._centre.y() * size.height()),
        )
        return QRect(corner, size)

    def line_rect(self) -> QRect:
        """The part of the pictures that is seen, across which the line goes."""
        return self.picture_rect().intersected(self.rect())

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
        """Moves the line to the pointer, or takes hold of a zoomed picture."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._zoom and not self._at_line(event.position()):
            self._held = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        else:
            self._follow(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drags the line or the picture."""
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self._show_cursor(event.position())
        elif self._held is not None:
            self._pan(event.position() - self._held)
            self._held = event.position()
        else:
            self._follow(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Lets a zoomed picture go."""
        self._held = None
        self._show_cursor(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Shows the picture's own pixels at the pointer, or all of it again."""
        if self._zoom:
            self.fit()
        else:
            self.zoom_to(1.0, event.position())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zooms at the pointer."""
        steps = event.angleDelta().y() / _NOTCH
        if steps:
            self.zoom_by(steps, event.position())
        event.accept()

    def _pan(self, by: QPointF) -> None:
        size = self._size()
        self._centre -= QPointF(by.x() / size.width(), by.y() / size.height())
        self._keep_inside()
        self.update()

    def _at_line(self, point: QPointF) -> bool:
        rect = self.line_rect()
        return abs(point.x() - rect.left() - rect.width() * self.split) <= HANDLE

    def _show_cursor(self, point: QPointF | None) -> None:
        pans = bool(self._zoom) and not (point is not None and self._at_line(point))
        self.setCursor(Qt.CursorShape.OpenHandCursor if pans else Qt.CursorShape.SplitHCursor)

    def _follow(self, event: QMouseEvent) -> None:
        rect = self.line_rect()
        self._show_split((event.position().x() - rect.left()) / max(1, rect.width()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zooms, and moves the line, or with Shift a zoomed picture, by keyboard."""
        if self._zooms(event):
            return
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

    def _zooms(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        ways = {
            Qt.Key.Key_Left: QPointF(1, 0),
            Qt.Key.Key_Right: QPointF(-1, 0),
            Qt.Key.Key_Up: QPointF(0, 1),
            Qt.Key.Key_Down: QPointF(0, -1),
        }
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(1)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(-1)
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key == Qt.Key.Key_1:
            self.zoom_to(1.0)
        elif self._zoom and key in ways and (shifted or key in (Qt.Key.Key_Up, Qt.Key.Key_Down)):
            self._pan(ways[key] * (self.width() / 10))
        else:
            return False
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Clears the scaled pictures, which have the former size."""
        super().resizeEvent(event)
        self._drawn = [None, None]
        self._keep_inside()
        self.zoomed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints both pictures, their names, and the line."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole, rect = self.picture_rect(), self.line_rect()
        x = rect.left() + round(rect.width() * self.split)
        left = QRect(rect.left(), rect.top(), x - rect.left(), rect.height())
        right = QRect(x, rect.top(), rect.right() - x + 1, rect.height())
        for which, room in ((0, left), (1, right)):
            self._paint_picture(painter, which, whole, room)
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
        if self._zoom:
            self._paint_part(painter, which, rect, room)
        else:
            drawn = self._drawing(which, rect.size())
            if drawn is not None:
                painter.drawPixmap(rect.topLeft(), drawn)
        painter.restore()

    def _paint_part(self, painter: QPainter, which: int, rect: QRect, room: QRect) -> None:
        """Paints what is seen of a zoomed picture; single pixels stay square from twice their size."""
        image = self._images[which]
        if image is None or image.isNull():
            return
        across, down = image.width() / rect.width(), image.height() / rect.height()
        part = QRectF(
            (room.left() - rect.left()) * across,
            (room.top() - rect.top()) * down,
            room.width() * across,
            room.height() * down,
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._zoom < 2)
        painter.drawImage(QRectF(room), image, part)

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
