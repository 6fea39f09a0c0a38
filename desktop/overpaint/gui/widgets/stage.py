"""Stage widget: paints the newest preview picture, and requests pictures of its own size.

A plain widget that paints a ``QImage`` over the BGRX buffer, without copying it. Must not know where pictures
come from, nor the state of the session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QImage,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QTransform,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.preview_receiver import Shown

ASPECT = (16, 9)
LARGEST = (1920, 1080)
SETTLE_MS = 120
RADIUS = 12
SMALL_REST = 32


def fitted(room: QSize, aspect: tuple[int, int] = ASPECT) -> QRect:
    """The largest rectangle of an aspect ratio, with even sides, that fits: centred, or at the top if little
    space is left.

    Pictures have even sides. One of exactly this size is copied; any other would be scaled, which takes twice
    as long.
    """
    across, down = aspect
    width = min(room.width(), room.height() * across // down) // 2 * 2
    height = min(room.height() // 2, round(width * down / across / 2)) * 2
    rest = room.height() - height
    return QRect((room.width() - width) // 2, 0 if rest < SMALL_REST else rest // 2, width, height)


def _image(picture: NDArray[np.uint8]) -> QImage:
    height, width = picture.shape[:2]
    return QImage(picture.data, width, height, width * 4, QImage.Format.Format_RGB32)


class StageView(QWidget):
    """Stage widget, which keeps the aspect ratio of its pictures.

    Attributes:
        painted: Number of pictures painted.
    """

    size_wanted = Signal(int, int)
    """Wanted size of pictures in physical pixels: even, at most 1920×1080, debounced; (0, 0) while hidden."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: Shown | None = None
        self._image: QImage | None = None
        self._original: QImage | None = None
        self._divide = 0.0
        self._ringed = False
        self._fresh = False
        self._mirrored = False
        self._dimmed = False
        self._pills: dict[Qt.Corner, tuple[str, str, str]] = {}
        self._over: list[tuple[QPoint, QPixmap]] = []
        self._over_for: QRect | None = None
        self._fitted = fitted(self.size())
        self._strips: tuple[QRect, ...] = ()
        self._drawn: dict[object, QPixmap] = {}
        self._drawn_for = 0.0
        self._wanted = (0, 0)
        self.painted = 0
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(192, 108)
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._ask)
        theme.changed.connect(self._repaint_all)

    # ---- what is shown

    def show_picture(self, shown: Shown) -> None:
        """Shows a picture, whose arrays must not be changed afterwards."""
        first = self._image is None
        # QImage does not copy the buffer: the arrays must live as long as the images.
        self._shown = shown
        self._image = _image(shown.styled)
        self._original = None if shown.original is None else _image(shown.original)
        self._fresh = True
        self.update(self.rect() if first else self._fitted)

    def clear(self) -> None:
        """Removes the picture."""
        if self._image is not None:
            self._image, self._original, self._shown = None, None, None
            self.update()

    @property
    def has_picture(self) -> bool:
        """Whether there is a picture."""
        return self._image is not None

    @property
    def has_original(self) -> bool:
        """Whether the picture came with its original."""
        return self._original is not None

    def show_divide(self, share: float) -> None:
        """Sets the share of the picture, from its left edge, that shows the original, 0..1."""
        if share != self._divide:
            self._divide = share
            self.update(self.picture_rect())

    def show_ring(self, ringed: bool) -> None:
        """Shows or hides the focus ring."""
        if ringed != self._ringed:
            self._ringed = ringed
            self.update()

    def show_mirrored(self, mirrored: bool) -> None:
        """Mirrors the preview; outputs are not affected."""
        if mirrored != self._mirrored:
            self._mirrored = mirrored
            self.update()

    def show_dimmed(self, dimmed: bool) -> None:
        """Dims the picture behind a message."""
        if dimmed != self._dimmed:
            self._dimmed = dimmed
            self.update()

    def show_pill(self, corner: Qt.Corner, text: str, icon: str = "", tone: str = "") -> None:
        """Shows a badge in a corner of the picture; none if the text is empty.

        Args:
            corner: The corner.
            text: One line of text.
            icon: Name of an icon before the text.
            tone: "air" for the on-air colour.
        """
        pill = (text, icon, tone)
        if self._pills.get(corner, ("", "", "")) != pill:
            self._pills[corner] = pill
            self._drawn.pop(corner, None)
            self._over_for = None
            self.update()

    def pill_rect(self, corner: Qt.Corner) -> QRect:
        """Rectangle of the badge in a corner, in widget coordinates; empty if there is none."""
        drawn = self._drawn_pills()
        if corner not in drawn:
            return QRect()
        return QRect(self._place_of(corner, drawn), drawn[corner].deviceIndependentSize().toSize())

    def picture_rect(self) -> QRect:
        """Rectangle of the picture, in widget coordinates."""
        return QRect(self._fitted)

    # ---- wanted size

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Requests pictures of the new size, debounced."""
        super().resizeEvent(event)
        self._fitted = fitted(self.size())
        self._strips = self._around(self._fitted)
        self._settle.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Requests pictures."""
        super().showEvent(event)
        self._settle.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Requests no more pictures."""
        super().hideEvent(event)
        self._settle.stop()
        self._ask()

    def ask_again(self) -> None:
        """Requests pictures again if the wanted size has changed, as after minimising or restoring."""
        self._settle.start()

    def _ask(self) -> None:
        wanted = self._wanted_size()
        if wanted != self._wanted:
            self._wanted = wanted
            self.size_wanted.emit(*wanted)

    def _wanted_size(self) -> tuple[int, int]:
        window = self.window()
        if not self.isVisible() or bool(window.windowState() & Qt.WindowState.WindowMinimized):
            return (0, 0)
        ratio = self.devicePixelRatioF()
        room = self.picture_rect().size()
        scale = min(1.0, LARGEST[0] / (room.width() * ratio), LARGEST[1] / (room.height() * ratio))
        width, height = (round(side * ratio * scale) // 2 * 2 for side in (room.width(), room.height()))
        return (width, height)

    # ---- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints background, picture, badges and rounded corners: every pixel (``WA_OpaquePaintEvent``)."""
        # Called 30 times a second for new pictures alone: as few calls to Qt as possible.
        painter = QPainter(self)
        tokens = self._theme.tokens
        target = self._fitted
        if self._image is None:
            painter.fillRect(self.rect(), QColor(tokens.stage))
        else:
            if self._strips and not target.contains(event.rect()):
                for strip in self._strips:
                    painter.fillRect(strip, QColor(tokens.window))
            self._paint_picture(painter, target, self._image)
            if self._dimmed:
                ground = QColor(tokens.stage)
                ground.setAlphaF(0.86)
                painter.fillRect(target, ground)
        box = self.rect() if self._image is None else target
        for place, pixmap in self._overlay(box):
            painter.drawPixmap(place, pixmap)
        if self._ringed:
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), RADIUS, RADIUS)

    def _around(self, target: QRect) -> tuple[QRect, ...]:
        width, height = self.width(), self.height()
        strips = (
            QRect(0, 0, width, target.top()),
            QRect(0, target.bottom() + 1, width, height - target.bottom() - 1),
            QRect(0, target.top(), target.left(), target.height()),
            QRect(target.right() + 1, target.top(), width - target.right() - 1, target.height()),
        )
        return tuple(strip for strip in strips if not strip.isEmpty())

    def _paint_picture(self, painter: QPainter, target: QRect, image: QImage) -> None:
        ratio = self.devicePixelRatioF()
        exact = abs(image.width() - target.width() * ratio) < 2
        # Pictures of another size, as during a resize, are scaled; those of the exact size are copied.
        if not exact:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._paint_image(painter, target, image)
        if self._original is not None and self._divide > 0:
            painter.save()
            painter.setClipRect(QRect(target.topLeft(), self._divided(target)))
            self._paint_image(painter, target, self._original)
            painter.restore()
        if self._fresh:
            self._fresh = False
            self.painted += 1

    def _divided(self, target: QRect) -> QSize:
        return QSize(round(target.width() * self._divide), target.height())

    def _paint_image(self, painter: QPainter, target: QRect, image: QImage) -> None:
        if self._mirrored:
            painter.save()
            painter.setTransform(QTransform(-1, 0, 0, 1, target.left() + target.right() + 1, 0), combine=True)
            painter.drawImage(target, image)
            painter.restore()
        else:
            painter.drawImage(target, image)

    def _overlay(self, box: QRect) -> list[tuple[QPoint, QPixmap]]:
        """Cached overlay of every picture: badges, and the masks that round the corners."""
        ratio = self.devicePixelRatioF()
        if self._drawn_for != ratio:
            self._drawn_for = ratio
            self._drawn.clear()
            self._over_for = None
        if self._over_for != box:
            self._over_for = box
            self._over = [*self._placed_pills(), *self._corners(box)]
        return self._over

    def _placed_pills(self) -> list[tuple[QPoint, QPixmap]]:
        drawn = self._drawn_pills()
        return [(self._place_of(corner, drawn), pixmap) for corner, pixmap in drawn.items()]

    def _drawn_pills(self) -> dict[Qt.Corner, QPixmap]:
        shown = {corner: pill for corner, pill in self._pills.items() if pill[0]}
        return {corner: self._once(corner, partial(self._draw_pill, *pill)) for corner, pill in shown.items()}

    def _once(self, key: object, draw: Callable[[], QPixmap]) -> QPixmap:
        if key not in self._drawn:
            self._drawn[key] = draw()
        return self._drawn[key]

    def _place_of(self, corner: Qt.Corner, drawn: Mapping[Qt.Corner, QPixmap]) -> QPoint:
        size = drawn[corner].deviceIndependentSize().toSize()
        room = self._fitted.adjusted(10, 10, -10, -10)
        beside = drawn.get(Qt.Corner.TopLeftCorner)
        if corner == Qt.Corner.TopRightCorner and beside is not None:
            both = size.width() + beside.deviceIndependentSize().width() + 10
            if both > room.width():  # no room for both in one line
                room.setTop(room.top() + size.height() + 6)
        left = corner in (Qt.Corner.TopLeftCorner, Qt.Corner.BottomLeftCorner)
        top = corner in (Qt.Corner.TopLeftCorner, Qt.Corner.TopRightCorner)
        return QPoint(
            room.left() if left else room.right() - size.width() + 1,
            room.top() if top else room.bottom() - size.height() + 1,
        )

    def _draw_pill(self, text: str, icon: str, tone: str) -> QPixmap:
        font = self.font()
        font.setPixelSize(self._theme.sizes.small)
        font.setBold(tone == "air")
        self.ensurePolished()
        ratio = self.devicePixelRatioF()
        probe = QPixmap(1, 1)
        measure = QPainter(probe)
        measure.setFont(font)
        width = measure.fontMetrics().horizontalAdvance(text)
        measure.end()
        lead = 20 if icon else 0
        size = QSize(width + lead + 20, self._theme.sizes.small + 14)
        pixmap = self._clear_pixmap(size)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        tokens = self._theme.tokens
        painter.setBrush(QColor(tokens.air) if tone == "air" else QColor(12, 12, 14, 205))
        painter.drawRoundedRect(QRectF(0, 0, size.width(), size.height()), 7, 7)
        if icon:
            drawing = self._theme.pixmap(icon, "#ffffff", 14, ratio)
            painter.drawPixmap(QPoint(8, (size.height() - 14) // 2), drawing)
        painter.setFont(font)
        painter.setPen(QColor("#ffffff"))
        room = QRect(10 + lead, 0, width + 2, size.height())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        painter.end()
        return pixmap

    def _corners(self, box: QRect) -> list[tuple[QPoint, QPixmap]]:
        right, bottom = box.right() + 1 - RADIUS, box.bottom() + 1 - RADIUS
        places = (
            (0, QPoint(box.left(), box.top())),
            (90, QPoint(right, box.top())),
            (180, QPoint(right, bottom)),
            (270, QPoint(box.left(), bottom)),
        )
        return [(place, self._once(angle, partial(self._draw_corner, angle))) for angle, place in places]

    def _draw_corner(self, angle: int) -> QPixmap:
        path = QPainterPath()
        path.lineTo(0, RADIUS)
        path.arcTo(QRectF(0, 0, 2 * RADIUS, 2 * RADIUS), 180, -90)
        path.closeSubpath()
        pixmap = self._clear_pixmap(QSize(RADIUS, RADIUS))
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.tokens.window))
        painter.translate(RADIUS / 2, RADIUS / 2)
        painter.rotate(angle)
        painter.translate(-RADIUS / 2, -RADIUS / 2)
        painter.drawPath(path)
        painter.end()
        return pixmap

    def _clear_pixmap(self, size: QSize) -> QPixmap:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(size * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        return pixmap

    def _repaint_all(self) -> None:
        self._drawn.clear()
        self._over_for = None
        self.update()
