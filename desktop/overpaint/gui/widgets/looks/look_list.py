"""List view of the looks: cards with thumbnails, in one row or in a grid.

Must not know what happens when a look is chosen.
"""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QMenu,
)

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.looks.look_lists import PRESET, LookListModel, LookShelf, look_name
from overpaint.gui.looks.look_thumbnails import LookPictures
from overpaint.gui.widgets.looks.look_cards import GAP, Index, LookCards

RESTS_MS = 250
"""Time on a look after which the pointer rests there, and is not on its way across."""
ENOUGH_MS = 20_000
"""Time after which nobody looks at it any more, as where the pointer was only left there."""
_NOT_KEYS = (
    Qt.FocusReason.MouseFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
)


class LookList(QListView):
    """List view (``QListView``) of looks.

    Args:
        theme: The theme.
        shelf: The proxy model with the listed looks.
        looks: The list model of all looks, which stores the favourites.
        pictures: The thumbnails of the looks.
        width: Least width of a card, device-independent pixels.
        wraps: Whether the cards form a grid; else one row.
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
    pointed = Signal(str)
    """The pointer, or the focus of the keyboard, rests on a look: its name; empty as soon as on none."""

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
        self._under = self._pointed = ""
        self._rest = QTimer(self, interval=RESTS_MS, singleShot=True)
        self._rest.timeout.connect(self._point)
        self._enough = QTimer(self, interval=ENOUGH_MS, singleShot=True)
        self._enough.timeout.connect(self._leave)
        self._by_keys = False
        self.shelf = shelf
        self.cards = LookCards(theme, pictures, self, width)
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
        pictures.changed.connect(self._repaint_look)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(self.sight_changed)
            bar.valueChanged.connect(self._follow_pointer)
            bar.valueChanged.connect(self._repaint)  # names at the edge are shortened to what is seen
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
            if self.cards.size.height() > event.size().height():  # its name would be cut off
                self.cards.show_width(room // (columns + 1) - GAP)
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
        self._by_keys = True
        text = event.text()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if plain and text.strip() and text.isprintable():
            self.typed.emit(text)
            return
        if self._wraps and event.key() == Qt.Key.Key_Backspace:
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
        self._by_keys = False
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

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Notes the look under the pointer."""
        super().mouseMoveEvent(event)
        self._follow_pointer()

    def leaveEvent(self, event: QEvent) -> None:
        """Repaints without the hover state."""
        super().leaveEvent(event)
        self._repaint()
        self._follow_pointer()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is pointed at any more."""
        super().hideEvent(event)
        self._follow_pointer()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Points at the focused look, unless the focus came by a click."""
        super().focusInEvent(event)
        self._by_keys = event.reason() not in _NOT_KEYS
        self._follow_pointer()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Points at it no more."""
        super().focusOutEvent(event)
        self._follow_pointer()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Points at the next look that is walked to by keyboard."""
        super().currentChanged(current, previous)
        self._follow_pointer()

    def _follow_pointer(self) -> None:
        """Waits for the pointer, else the focus, to rest on a look; at once says that it has left one."""
        index = QModelIndex()
        if self.isVisible() and self.viewport().underMouse():
            index = self.indexAt(self.viewport().mapFromGlobal(QCursor.pos()))
        if self.isVisible() and not index.isValid() and self._by_keys and self.hasFocus():
            index = self.currentIndex()
        under = look_name(index) if index.isValid() else ""
        if under == self._under:
            return
        self._under = under
        self._leave()
        if under:
            self._rest.start()

    def _point(self) -> None:
        self._pointed = self._under
        self.pointed.emit(self._pointed)
        self._enough.start()

    def _leave(self) -> None:
        self._rest.stop()
        self._enough.stop()
        if self._pointed:
            self._pointed = ""
            self.pointed.emit("")

    def _on_star(self, point: QPoint) -> bool:
        index = self.indexAt(point)
        return index.isValid() and self.cards.star_of(self.visualRect(index)).contains(point)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(look_name(index))

    def _repaint(self) -> None:
        self.viewport().update()

    def _repaint_look(self, name: str) -> None:
        """Repaints one card: what moves costs no more than itself."""
        index = self.shelf.index_of(name)
        if index.isValid():
            self.update(index)
