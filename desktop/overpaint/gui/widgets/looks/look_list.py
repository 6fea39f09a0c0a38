"""List view and item delegate of the looks: cards with thumbnails, in one row or in a grid.

Must not know what happens when a look is chosen.
"""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.looks.look_lists import PRESET, LookListModel, LookShelf, look_name
from overpaint.gui.looks.look_thumbnails import LookPictures

GAP = 10
RING = 3
"""Space around a thumbnail for the frame of the active, focused or hovered look."""
STAR = 24
RADIUS = 9

Index = QModelIndex | QPersistentModelIndex


class LookList(QListView):
    """List view (``QListView``) of looks.

    Args:
        theme: The theme.
        shelf: The proxy model with the listed looks.
        looks: The list model of all looks, which stores the favourites.
        pictures: The thumbnails of the looks.
        width: Least width of a card, device-independent pixels.
        wraps: Whether the cards form a grid; else one row.

    Attributes:
        offers_first: Whether the first card is framed while another widget has the focus, because Enter there
            chooses it.
    """

    chosen = Signal(str)
    """A look was chosen: its name."""
    share_wanted = Signal(str)
    removal_wanted = Signal(str)
    """Name of a preset, here and in the signal before."""
    typed = Signal(str)
    """Letters were typed, which start a search."""
    erased = Signal()
    """Backspace was pressed, which shortens a search."""
    left_upwards = Signal()
    """Up was pressed in the first row."""
    sight_changed = Signal()
    """Other looks may be visible now."""

    def __init__(
        self,
        theme: Theme,
        shelf: LookShelf,
        looks: LookListModel,
        pictures: LookPictures,
        width: int,
        wraps: bool = False,
    ) -> None:
        super().__init__()
        mark(self, role="looks")
        self._theme = theme
        self._looks = looks
        self._least = width
        self._wraps = wraps
        self.shelf = shelf
        self.offers_first = False
        self.cards = _Cards(theme, pictures, self, width)
        self.setModel(shelf)
        self.setItemDelegate(self.cards)
        self.setAccessibleName(self.tr("Looks"))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(wraps)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(off)
        if not wraps:
            self.setVerticalScrollBarPolicy(off)
            self.setFixedHeight(self.cards.size.height() + 2)
        self.setMouseTracking(True)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        theme.changed.connect(self._repaint)
        pictures.changed.connect(self._repaint)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(self.sight_changed)
        for signal in (shelf.modelReset, shelf.layoutChanged, shelf.rowsInserted, shelf.rowsRemoved):
            signal.connect(self.sight_changed)

    def show_active(self) -> None:
        """Scrolls to the active look."""
        index = self.shelf.row_of(self._looks.active_row)
        if index.isValid():
            self.scrollTo(index)

    def names(self) -> list[str]:
        """Names of all listed looks."""
        return [look_name(self.shelf.index(row, 0)) for row in range(self.shelf.rowCount())]

    def in_sight(self) -> list[str]:
        """Names of the visible looks, in order."""
        if not self.isVisible():
            return []
        room = self.viewport().rect()
        indexes = (self.shelf.index(row, 0) for row in range(self.shelf.rowCount()))
        return [look_name(index) for index in indexes if self.visualRect(index).intersects(room)]

    def toggle_favourite(self) -> None:
        """Adds the focused look to the favourites, or removes it."""
        if self.currentIndex().isValid():
            self._looks.toggle_favourite(look_name(self.currentIndex()))

    # ---- events

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Resizes the cards of a grid to fill its width."""
        if self._wraps:
            room = event.size().width() - 2 * GAP  # QListView wraps shortly before its edge
            columns = max(1, room // (self._least + GAP))
            self.cards.show_width(room // columns - GAP)
            self.scheduleDelayedItemsLayout()
        super().resizeEvent(event)
        self.sight_changed.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls a row sideways, also by a vertical wheel."""
        if self._wraps:
            super().wheelEvent(event)
            return
        turns = event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (turns.x() or turns.y()))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters and Backspace change a search; left and right go on in the next row; Space is left to the
        window, and other keys to Qt.
        """
        if event.key() == Qt.Key.Key_Space:
            event.ignore()
            return
        text = event.text()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if plain and text.strip() and text.isprintable():
            self.typed.emit(text)
            return
        if event.key() == Qt.Key.Key_Backspace:
            self.erased.emit()
        elif not (self._wraps and plain and self._walk(event.key())):
            super().keyPressEvent(event)

    def _walk(self, key: int) -> bool:
        """Moves where ``QListView`` would stay: at the edges of a grid; returns whether it did."""
        index = self.currentIndex()
        first = self.visualRect(self.shelf.index(0, 0))
        if key == Qt.Key.Key_Up and self.visualRect(index).top() <= first.top():
            self.left_upwards.emit()
            return True
        step = (key == Qt.Key.Key_Right) - (key == Qt.Key.Key_Left)
        if not step or not index.isValid():
            return False
        beside = self.shelf.index(index.row() + step, 0)
        if beside.isValid():
            self.setCurrentIndex(beside)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ignores a press on the star, which must not choose the look."""
        if self._on_star(event.position().toPoint()):
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Toggles the favourite when the star is clicked."""
        point = event.position().toPoint()
        if self._on_star(point) and event.button() == Qt.MouseButton.LeftButton:
            self._looks.toggle_favourite(look_name(self.indexAt(point)))
            return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Opens the context menu of a look, also for the menu key."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if keyboard else self.indexAt(event.pos())
        if not index.isValid():
            return
        name = look_name(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        use = menu.addAction(self.tr("Use this look"))
        use.triggered.connect(lambda: self.chosen.emit(name))
        favourite = bool(index.data(LookListModel.FavouriteRole))
        star = menu.addAction(
            self.tr("Remove from favourites") if favourite else self.tr("Add to favourites")
        )
        star.triggered.connect(lambda: self._looks.toggle_favourite(name))
        if name.startswith(PRESET):
            menu.addSeparator()
            menu.addAction(self.tr("Share as a file…")).triggered.connect(
                lambda: self.share_wanted.emit(name)
            )
            menu.addAction(self.tr("Delete…")).triggered.connect(lambda: self.removal_wanted.emit(name))
        place = self.visualRect(index).center() if keyboard else event.pos()
        menu.popup(self.viewport().mapToGlobal(place))

    def leaveEvent(self, event: QEvent) -> None:
        """Repaints without the hover state."""
        super().leaveEvent(event)
        self._repaint()

    def _on_star(self, point: QPoint) -> bool:
        index = self.indexAt(point)
        return index.isValid() and self.cards.star_of(self.visualRect(index)).contains(point)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(look_name(index))

    def _repaint(self) -> None:
        self.viewport().update()


class _Cards(QStyledItemDelegate):
    """Item delegate: paints a card with thumbnail, name, favourite star, and frame and tick if active."""

    def __init__(self, theme: Theme, pictures: LookPictures, view: LookList, width: int) -> None:
        super().__init__(view)
        self._theme = theme
        self._pictures = pictures
        self._view = view
        self._drawn: dict[str, QPixmap] = {}
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
        focused |= self._view.offers_first and index.row() == 0 and not self._view.hasFocus()
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
