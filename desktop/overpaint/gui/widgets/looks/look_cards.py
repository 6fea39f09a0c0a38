"""Item delegate of the looks: a card with thumbnail, name and star.

Must not know what happens when a look is chosen.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.looks.look_lists import LookListModel, look_name
from overpaint.gui.looks.look_thumbnails import LookPictures

GAP = 10
RING = 3
"""Space around a thumbnail for the frame of the active, focused or hovered look."""
STAR = 24
RADIUS = 9

Index = QModelIndex | QPersistentModelIndex


class LookCards(QStyledItemDelegate):
    """Item delegate: paints a card with thumbnail, name, favourite star, and frame and tick if active.

    Args:
        theme: The theme.
        pictures: The thumbnails of the looks.
        view: The view that it paints for.
        width: Width of a card, device-independent pixels.

    Attributes:
        offers_first: Whether the first card is framed while another widget has the focus, because Enter there
            chooses it.
    """

    def __init__(self, theme: Theme, pictures: LookPictures, view: QListView, width: int) -> None:
        super().__init__(view)
        self._theme = theme
        self._pictures = pictures
        self._view = view
        self._drawn: dict[str, QPixmap] = {}
        self.offers_first = False
        self._width = width
        pictures.changed.connect(self._forget)

    def show_width(self, width: int) -> None:
        """Changes the width of the cards."""
        if width != self._width:
            self._width = width
            self._drawn.clear()

    @property
    def picture_size(self) -> QSize:
        """Size of a thumbnail in device-independent pixels."""
        width = self._width - 2 * RING
        return QSize(width, round(width * 9 / 16))

    @property
    def size(self) -> QSize:
        """Size of a card, with the gap beside it."""
        height = self.picture_size.height() + 2 * RING + self._theme.sizes.small + 10
        return QSize(self._width + GAP, height)

    def star_of(self, card: QRect) -> QRect:
        """The rectangle of a card's star."""
        picture = self._picture_of(card)
        return QRect(picture.right() - STAR - 1, picture.top() + 3, STAR, STAR)

    def _picture_of(self, card: QRect) -> QRect:
        return QRect(card.topLeft() + QPoint(RING, RING), self.picture_size)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Size of a card, with the gap beside it."""
        return self.size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one card."""
        tokens = self._theme.tokens
        state: QStyle.StateFlag = option.state
        card: QRect = option.rect
        active = bool(index.data(LookListModel.ActiveRole))
        focused = bool(state & QStyle.StateFlag.State_HasFocus) and self._view.hasFocus()
        focused |= self.offers_first and index.row() == 0 and not self._view.hasFocus()
        hovered = bool(state & QStyle.StateFlag.State_MouseOver) and self._view.underMouse()
        enabled = bool(state & QStyle.StateFlag.State_Enabled)
        box = self._picture_of(card)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if enabled else 0.45)
        painter.drawPixmap(box.topLeft(), self._drawing(look_name(index)))
        if active or focused or hovered:
            colour = tokens.accent if active else tokens.text if focused else tokens.muted
            painter.setPen(QPen(QColor(colour), 2.5 if active else 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(box).adjusted(-1.5, -1.5, 1.5, 1.5), RADIUS, RADIUS)
            if active and focused:
                painter.setPen(QPen(QColor(tokens.text), 1.5, Qt.PenStyle.DotLine))
                painter.drawRoundedRect(QRectF(box).adjusted(2, 2, -2, -2), RADIUS - 3, RADIUS - 3)
        if active:
            self._paint_mark(painter, QRect(box.left() + 5, box.top() + 4, 22, 22), "check", tokens.accent)
        if index.data(LookListModel.FavouriteRole):
            self._paint_mark(painter, self.star_of(card), "star-full")
        elif hovered or focused:
            self._paint_mark(painter, self.star_of(card), "star")
        self._paint_name(painter, box, str(index.data()), active)
        painter.restore()

    def _paint_name(self, painter: QPainter, box: QRect, title: str, active: bool) -> None:
        font = QFont(self._view.font())
        font.setPixelSize(self._theme.sizes.small)
        font.setBold(active)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.tokens.text))
        room = QRect(box.left(), box.bottom() + RING + 1, box.width(), self._theme.sizes.small + 7)
        room = room.intersected(self._view.viewport().rect())  # a name that is cut looks like another one
        text = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), text)

    def _paint_mark(self, painter: QPainter, box: QRect, icon: str, ground: str = "#101114") -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        colour = QColor(ground)
        colour.setAlpha(220)
        painter.setBrush(colour)
        painter.drawEllipse(box)
        ink = self._theme.tokens.on_accent if icon == "check" else "#ffffff"
        inner = 15
        drawing = self._theme.pixmap(icon, ink, inner, self._view.devicePixelRatioF())
        rest = (box.width() - inner) // 2
        painter.drawPixmap(box.topLeft() + QPoint(rest, rest), drawing)

    def _drawing(self, name: str) -> QPixmap:
        """The thumbnail with rounded corners, in the view's size and device pixel ratio; cached."""
        ratio = self._view.devicePixelRatioF()
        size = self.picture_size * ratio
        drawn = self._drawn.get(name)
        if drawn is not None and drawn.size() == size:
            return drawn
        drawn = QPixmap(size)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        path = QPainterPath()
        room = QRectF(0, 0, size.width(), size.height())
        path.addRoundedRect(room, (RADIUS - 2) * ratio, (RADIUS - 2) * ratio)
        painter.setClipPath(path)
        painter.fillRect(room, QColor(self._theme.tokens.card))
        picture = self._pictures.picture(name)
        if picture is not None:
            painter.drawPixmap(room, picture, QRectF(picture.rect()))
        else:
            side = round(28 * ratio)
            icon = self._theme.pixmap("keep", self._theme.tokens.muted, side, 1.0)
            painter.drawPixmap((size.width() - side) // 2, (size.height() - side) // 2, icon)
        painter.end()
        drawn.setDevicePixelRatio(ratio)
        self._drawn[name] = drawn
        return drawn

    def _forget(self, name: str) -> None:
        self._drawn.pop(name, None)
