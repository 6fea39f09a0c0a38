"""List model of the transform queue (``QAbstractListModel``): items, their status, progress of running ones.

Views are notified only of the rows that changed. Must not know sockets or widgets.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from overpaint.gui.words.plain_text import plain_tip
from overpaint.gui.words.transform_words import TransformWords
from overpaint.wire.transforms import (
    FINISHED,
    RunningTransform,
    TransformItem,
    Transforms,
    TransformsProgress,
    TransformState,
)

Index = QModelIndex | QPersistentModelIndex

_GROUPS: dict[TransformState, int] = {"ready": 0, "working": 1, "waiting": 2}
"""Sort order of states: ready to order, then running, then queued; finished items follow, newest first."""


class TransformListModel(QAbstractListModel):
    """List model of transforms; emits ``changed`` after each change of ``news``.

    Attributes:
        news: The newest list from the live process; None before the first one.
        running: Progress of the running items, by id.
    """

    ItemRole = Qt.ItemDataRole.UserRole + 1
    PartRole = Qt.ItemDataRole.UserRole + 2
    """Progress of a running item, 0..1; None while it is unknown."""
    StatusRole = Qt.ItemDataRole.UserRole + 3

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = TransformWords(self)
        self._rows: list[TransformItem] = []
        self._places: dict[str, int] = {}
        self._wanted = ""
        self.news: Transforms | None = None
        self.running: dict[str, RunningTransform] = {}

    # ---- state

    @property
    def items(self) -> list[TransformItem]:
        """All items, regardless of the search."""
        return self.news.items if self.news is not None else []

    def having(self, *states: TransformState) -> list[TransformItem]:
        """The items in any of these states."""
        return [item for item in self.items if item.state in states]

    @property
    def under_way(self) -> bool:
        """Whether the queue is working: not halted, with items that wait or run."""
        return self.news is not None and self.news.halted is None and bool(self.having("waiting", "working"))

    def item(self, row: int) -> TransformItem:
        """The item of a row."""
        return self._rows[row]

    # ---- updates

    def show_news(self, news: Transforms) -> None:
        """Updates the model with a new list from the live process."""
        self.news = news
        waiting = [item.id for item in news.items if item.state == "waiting"]
        self._places = {id: place for place, id in enumerate(waiting, 1)}
        self._show_rows()
        self.changed.emit()

    def show_free(self, free: bool) -> None:
        """Shows the items with prices, or without where orders cost nothing."""
        if free != self._words.free:
            self._words.free = free
            for row in range(len(self._rows)):
                self._touch(row)
            self.changed.emit()

    def show_progress(self, progress: TransformsProgress) -> None:
        """Updates the progress of the running items."""
        touched = set(self.running) | {run.id for run in progress.running}
        self.running = {run.id: run for run in progress.running}
        for row, item in enumerate(self._rows):
            if item.id in touched:
                self._touch(row)

    def search(self, text: str) -> None:
        """Filters the rows: only items with every word in their path or prompt."""
        self._wanted = text.casefold().strip()
        self._show_rows()

    def _show_rows(self) -> None:
        words = self._wanted.split()
        found = [item for item in self.items if all(word in _searched(item) for word in words)]
        self._replace(sorted(found, key=_rank))

    def _replace(self, rows: list[TransformItem]) -> None:
        new = {item.id: item for item in rows}
        for row in range(len(self._rows) - 1, -1, -1):
            if self._rows[row].id not in new:
                self.beginRemoveRows(QModelIndex(), row, row)
                del self._rows[row]
                self.endRemoveRows()
        known = {item.id for item in self._rows}
        fresh = [item for item in rows if item.id not in known]
        if fresh:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(fresh) - 1)
            self._rows += fresh
            self.endInsertRows()
        self._order([item.id for item in rows])
        for row, item in enumerate(rows):
            # The shown position of a waiting item changes when another item leaves the queue.
            if item != self._rows[row] or item.state == "waiting":
                self._rows[row] = item
                self._touch(row)

    def _order(self, ids: list[str]) -> None:
        if ids == [item.id for item in self._rows]:
            return
        self.layoutAboutToBeChanged.emit()
        before = self._rows
        at = {id: row for row, id in enumerate(ids)}
        self._rows = sorted(before, key=lambda item: at[item.id])
        for index in self.persistentIndexList():
            self.changePersistentIndex(index, self.index(at[before[index.row()].id]))
        self.layoutChanged.emit()

    def _touch(self, row: int) -> None:
        index = self.index(row)
        self.dataChanged.emit(index, index)

    # ---- QAbstractListModel

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Item flags: rows can be dragged."""
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Data of a row by role: item, name, status, progress; the accessible text is name and status."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        item = self._rows[index.row()]
        if role == self.ItemRole:
            return item
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words.name(item)
        if role == self.PartRole:
            run = self.running.get(item.id)
            return run.part if run is not None and run.stage == "restyling" else None
        status = self._words.status(item, self.running.get(item.id), self._places.get(item.id, 0))
        if role == self.StatusRole:
            return status
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._words.details(item, status))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._words.name(item)}. {status}"
        return None


def _rank(item: TransformItem) -> tuple[int, float]:
    if item.state in FINISHED:
        when = item.finished_at or item.added_at
        return 3, -when.timestamp()
    return _GROUPS[item.state], 0.0  # the sort is stable and keeps the queue's order


def _searched(item: TransformItem) -> str:
    return f"{item.source} {item.prompt}".casefold()
