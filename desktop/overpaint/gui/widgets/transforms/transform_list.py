"""List view of the transforms: a row for each picture or clip.

Rows are painted by an item delegate, without widgets, so that hundreds cost as little as ten. Emits actions
with their items; must not know how they are done.
"""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QMimeData, QModelIndex, QPoint, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.files.queue_model import Index, TransformListModel
from overpaint.gui.files.thumbnails import Thumbnails
from overpaint.gui.widgets.transforms.row_painter import HEIGHT, TransformRows
from overpaint.wire.transforms import TransformItem, TransformState

Deed = Literal[
    "preview",
    "open",
    "why",
    "copy",
    "save",
    "reveal",
    "again",
    "retry",
    "next",
    "up",
    "down",
    "cancel",
    "remove",
]

STATES: dict[Deed, tuple[TransformState, ...]] = {
    "preview": ("ready",),
    "open": ("done",),
    "why": ("failed", "cancelled", "interrupted"),
    "copy": ("done",),
    "save": ("done",),
    "reveal": ("done",),
    "again": ("done",),
    "retry": ("failed", "cancelled", "interrupted"),
    "next": ("waiting",),
    "up": ("waiting",),
    "down": ("waiting",),
    "cancel": ("waiting", "working"),
    "remove": ("ready", "done", "failed", "cancelled", "interrupted"),
}
"""The states in which an action is possible; in the order of the context menu."""

_ONE_ONLY: tuple[Deed, ...] = ("preview", "open", "why", "reveal", "next", "up", "down")
_MOVED = "application/x-overpaint-transform"


class TransformList(QListView):
    """List view (``QListView``) of transforms.

    Enter or a double click opens, previews what is ready, or tells why there is nothing to open. Delete
    removes or cancels, Alt with an arrow moves, Ctrl+C copies, Ctrl+S saves.
    """

    wanted = Signal(str, list)
    """An action (``Deed``), and its items."""
    moved = Signal(str, object)
    """A waiting item was moved: its id, and the id of the item that follows it then; None at the end."""

    def __init__(self, theme: Theme, model: TransformListModel, thumbnails: Thumbnails) -> None:
        super().__init__()
        mark(self, role="transforms")
        self._theme = theme
        self._items = model
        self._gap: int | None = None
        self.rows = TransformRows(theme, thumbnails, self)
        self.setModel(model)
        self.setItemDelegate(self.rows)
        self.setAccessibleName(self.tr("Transforms"))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.activated.connect(self._open)
        thumbnails.ready.connect(lambda _: self.viewport().update())
        theme.changed.connect(self.viewport().update)

    def sizeHint(self) -> QSize:
        """Height of two rows; the layout may give more."""
        return QSize(120, 2 * HEIGHT + 4)

    def minimumSizeHint(self) -> QSize:
        """Height of two rows."""
        return self.sizeHint()

    def chosen(self) -> list[TransformItem]:
        """The selected items, from top to bottom."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        return [self._items.item(row) for row in rows]

    # ---- actions

    def label(self, deed: Deed) -> str:
        """Label of an action in the context menu."""
        return {
            "preview": self.tr("Preview"),
            "open": self.tr("Open"),
            "why": self.tr("What happened?"),
            "copy": self.tr("Copy"),
            "save": self.tr("Save a copy…"),
            "reveal": self.tr("Show in folder"),
            "again": self.tr("Restyle again…"),
            "retry": self.tr("Try again"),
            "next": self.tr("Do this next"),
            "up": self.tr("Move up"),
            "down": self.tr("Move down"),
            "cancel": self.tr("Cancel"),
            "remove": self.tr("Remove from the list"),
        }[deed]

    def want(self, deed: Deed) -> None:
        """Emits an action for those selected items whose state allows it."""
        items = [item for item in self.chosen() if item.state in STATES[deed]]
        if not items or (deed in _ONE_ONLY and len(items) > 1):
            return
        if deed in ("next", "up", "down"):
            self._move(items[0].id, deed)
        else:
            self.wanted.emit(deed, items)

    def _open(self, index: QModelIndex) -> None:
        item = self._items.item(index.row())
        deeds: tuple[Deed, ...] = ("preview", "open", "why")
        for deed in deeds:
            if item.state in STATES[deed]:
                self.wanted.emit(deed, [item])

    def _move(self, id: str, deed: Deed) -> None:
        ids = [item.id for item in self._items.having("waiting")]
        at = ids.index(id)
        if deed == "down":
            self.moved.emit(id, ids[at + 2] if at + 2 < len(ids) else None)
        elif at > 0:
            self.moved.emit(id, ids[0] if deed == "next" else ids[at - 1])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Opens the context menu, also for the menu key."""
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if keyboard else self.indexAt(event.pos())
        items = self.chosen()
        if not index.isValid() or not items:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for deed, states in STATES.items():
            fitting = [item for item in items if item.state in states]
            if fitting and not (deed in _ONE_ONLY and len(items) > 1):
                action = menu.addAction(self.label(deed))
                action.triggered.connect(lambda _=False, deed=deed: self.want(deed))
        place = self.visualRect(index).center() if keyboard else event.pos()
        menu.popup(self.viewport().mapToGlobal(place))

    def event(self, event: QEvent) -> bool:
        """Overrides the window's shortcut for Save while the list has the focus: it saves results."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.matches(QKeySequence.StandardKey.Save)
            and self.chosen()
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of the selected rows; Space is left to the window."""
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            event.ignore()
            return
        alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            self.want("copy")
        elif event.matches(QKeySequence.StandardKey.Save):
            self.want("save")
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.want("remove")
            self.want("cancel")
        elif alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.want("up" if event.key() == Qt.Key.Key_Up else "down")
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    # ---- the button of a row

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ignores a press on the row's button, which must not select the row."""
        if not self._on_button(event.position().toPoint()):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Opens a row, except by its button."""
        if not self._on_button(event.position().toPoint()):
            super().mouseDoubleClickEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emits the action of the row's button."""
        point = event.position().toPoint()
        if not self._on_button(point):
            super().mouseReleaseEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton:
            item = self._items.item(self.indexAt(point).row())
            self.wanted.emit(self.rows.deed(item), [item])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Shows the hand cursor over a row's button."""
        on_button = self._on_button(event.position().toPoint())
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if on_button else Qt.CursorShape.ArrowCursor
        )
        super().mouseMoveEvent(event)
        self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        """Repaints without the hover state."""
        super().leaveEvent(event)
        self.viewport().update()

    def _on_button(self, point: QPoint) -> bool:
        index = self.indexAt(point)
        return index.isValid() and self.rows.button_of(self.visualRect(index)).contains(point)

    # ---- drag and drop: results out, waiting rows into another order

    def results_of(self, items: list[TransformItem]) -> QMimeData:
        """MIME data with the files of finished items."""
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(item.result) for item in items if item.state == "done"])
        return mime

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Starts a drag: results to another program, or a waiting item to another place in the queue."""
        items = self.chosen()
        drag = QDrag(self)
        # Copy only: another program must not move a result away from the list.
        action = Qt.DropAction.CopyAction
        if any(item.state == "done" for item in items):
            mime = self.results_of(items)
        elif len(items) == 1 and items[0].state == "waiting":
            mime = QMimeData()
            mime.setData(_MOVED, items[0].id.encode())
            action = Qt.DropAction.MoveAction
        else:
            return
        drag.setMimeData(mime)
        picture = self.rows.picture(items[0])
        if picture is not None:
            drag.setPixmap(picture.scaledToWidth(picture.width() // 2))
            drag.setHotSpot(QPoint(-12, -12))  # beside the pointer, so that the drop target stays visible
        drag.exec(action)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accepts only waiting rows of this list; files are left to the window's drop targets."""
        if event.mimeData().hasFormat(_MOVED):
            event.accept()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Shows the insertion line."""
        if not event.mimeData().hasFormat(_MOVED):
            event.ignore()
            return
        self._show_gap(self._gap_at(event.position().toPoint()))
        event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Hides the insertion line."""
        self._show_gap(None)

    def dropEvent(self, event: QDropEvent) -> None:
        """Moves a waiting item to the insertion line."""
        gap = self._gap_at(event.position().toPoint())
        self._show_gap(None)
        if not event.mimeData().hasFormat(_MOVED):
            event.ignore()
            return
        event.accept()
        below = self._items.item(gap) if gap < self._items.rowCount() else None
        self.moved.emit(
            bytes(event.mimeData().data(_MOVED).data()).decode(),
            below.id if below is not None and below.state == "waiting" else None,
        )

    def _gap_at(self, point: QPoint) -> int:
        """The row before which a drop at a point inserts, limited to the waiting rows."""
        waiting = [row for row in range(self._items.rowCount()) if self._items.item(row).state == "waiting"]
        index = self.indexAt(point)
        row = index.row() if index.isValid() else self._items.rowCount()
        if index.isValid() and point.y() > self.visualRect(index).center().y():
            row += 1
        return min(max(row, waiting[0]), waiting[-1] + 1) if waiting else row

    def _show_gap(self, gap: int | None) -> None:
        if gap != self._gap:
            self._gap = gap
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the insertion line, too."""
        super().paintEvent(event)
        if self._gap is None:
            return
        index: Index = self._items.index(min(self._gap, self._items.rowCount() - 1))
        rect = self.visualRect(index)
        y = rect.top() if self._gap < self._items.rowCount() else rect.bottom()
        painter = QPainter(self.viewport())
        painter.setPen(QPen(QColor(self._theme.tokens.accent), 2))
        painter.drawLine(rect.left() + 4, y, rect.right() - 4, y)
        painter.end()
