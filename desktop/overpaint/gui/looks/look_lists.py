"""List model of the looks, and its filter and sort proxy: all, favourites, recent ones, presets.

Must not know widgets, files, or how a look's picture is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)

from overpaint.gui.looks.presets import Preset
from overpaint.gui.words import prompt_words
from overpaint.gui.words.look_names import LookNames
from overpaint.gui.words.plain_text import plain_tip
from overpaint.wire.live import LiveSnapshot, LookChoice

Index = QModelIndex | QPersistentModelIndex
Shelf = Literal["all", "favourites", "recent", "own"]

PRESET = "preset:"
"""Prefix of a preset's name in the list; its key follows."""

RECENT = 12
"""Number of recent looks that are kept."""


class LookListModel(QAbstractListModel):
    """List model of the looks: the user's presets, then the engine's; ``ActiveRole`` marks the one in use.

    Args:
        favourites: Names of favourites.
        recent: Names of recently used looks, the newest first.
        names: Names in the window's language; the engine's names if None.

    Attributes:
        favourites: The current favourites.
        recent: The current recent looks.
        active_row: Row of the look that the prompt names, or that the service understood; None if unlisted.
    """

    NameRole = Qt.ItemDataRole.UserRole + 1
    DescriptionRole = Qt.ItemDataRole.UserRole + 2
    ActiveRole = Qt.ItemDataRole.UserRole + 3
    FavouriteRole = Qt.ItemDataRole.UserRole + 4

    shelves_changed = Signal()
    """``favourites`` or ``recent`` have changed."""

    def __init__(
        self,
        favourites: Iterable[str] = (),
        recent: Iterable[str] = (),
        parent: QObject | None = None,
        names: LookNames | None = None,
    ) -> None:
        super().__init__(parent)
        self._names = names or LookNames({})
        self._engines: list[LookChoice] = []
        self._shipped: list[LookChoice] = []
        self._presets: Mapping[str, Preset] = {}
        self._looks: list[LookChoice] = []
        self._shown = ("", "")
        self.favourites = tuple(favourites)
        self.recent = tuple(recent)
        self.active_row: int | None = None

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Updates looks and prompt from a snapshot; views are notified only of what changed."""
        shown = (snapshot.prompt, snapshot.understood)
        if snapshot.looks != self._engines:
            self._engines, self._shown = list(snapshot.looks), shown
            self._shipped = self._names.shown(snapshot.looks)
            self._list()
        elif shown != self._shown:
            self._shown, before = shown, self.active_row
            self.active_row = self._find_active()
            if self._looks and before != self.active_row:
                self.dataChanged.emit(self.index(0), self.index(len(self._looks) - 1), [self.ActiveRole])

    def show_presets(self, presets: Mapping[str, Preset]) -> None:
        """Updates the user's presets, by key."""
        self._presets = dict(presets)
        self._list()

    def prompt_of(self, name: str) -> str:
        """The prompt that selects a look or preset."""
        preset = self._presets.get(name.removeprefix(PRESET)) if name.startswith(PRESET) else None
        if preset is not None:
            return preset.prompt
        return next((look.title for look in self._looks if look.name == name), name)

    def _list(self) -> None:
        self.beginResetModel()
        own = (
            LookChoice(name=f"{PRESET}{key}", title=preset.name, description=preset.prompt)
            for key, preset in self._presets.items()
        )
        self._looks = [*own, *self._shipped]
        self.active_row = self._find_active()
        self.endResetModel()

    @property
    def looks(self) -> tuple[LookChoice, ...]:
        """All looks, in the order of the rows."""
        return tuple(self._looks)

    def look(self, row: int) -> LookChoice:
        """The look of a row."""
        return self._looks[row]

    def _find_active(self) -> int | None:
        prompt, understood = self._shown
        for row, preset in enumerate(self._presets.values()):
            if preset.prompt == prompt:
                return row
        parts = prompt_words.understood_parts(understood)
        for text in (prompt_words.bare(prompt), *parts[:1]):
            wanted = self._names.title(text.strip()).casefold()
            for row, look in enumerate(self._looks):
                if wanted in (look.name.casefold(), look.title.casefold()):
                    return row
        return None

    def toggle_favourite(self, name: str) -> None:
        """Adds a look to the favourites, or removes it."""
        if name in self.favourites:
            self.favourites = tuple(other for other in self.favourites if other != name)
        else:
            self.favourites = (*self.favourites, name)
        self._tell_shelves(self.FavouriteRole)

    def note_use(self, name: str) -> None:
        """Puts a chosen look first among the recent ones."""
        others = (other for other in self.recent if other != name)
        self.recent = (name, *others)[:RECENT]
        self._tell_shelves(self.NameRole)

    def _tell_shelves(self, role: int) -> None:
        if self._looks:
            self.dataChanged.emit(self.index(0), self.index(len(self._looks) - 1), [role])
        self.shelves_changed.emit()

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of looks."""
        return 0 if parent is not None and parent.isValid() else len(self._looks)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Data of a row by role: title, description, name, active, favourite; all in the accessible text."""
        if not index.isValid() or index.row() >= len(self._looks):
            return None
        look = self._looks[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return look.title
        if role == self.DescriptionRole:
            return look.description
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(look.description)
        if role == self.NameRole:
            return look.name
        if role == self.ActiveRole:
            return index.row() == self.active_row
        if role == self.FavouriteRole:
            return look.name in self.favourites
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(look, index.row() == self.active_row)
        return None

    def _spoken(self, look: LookChoice, active: bool) -> str:
        marks = [self.tr("shown now")] if active else []
        marks += [self.tr("favourite")] if look.name in self.favourites else []
        return ". ".join((look.title, look.description, *marks))


class LookShelf(QSortFilterProxyModel):
    """Filter and sort proxy (``QSortFilterProxyModel``) over the looks: one shelf, searched and sorted.

    Args:
        looks: The source model.
        favourites_first: Whether favourites are sorted before the others.
    """

    def __init__(
        self, looks: LookListModel, favourites_first: bool = False, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._looks = looks
        self._shelf: Shelf = "all"
        self._words: tuple[str, ...] = ()
        self._favourites_first = favourites_first
        self.setSourceModel(looks)
        looks.shelves_changed.connect(self._order)
        self.sort(0)

    def show_shelf(self, shelf: Shelf) -> None:
        """Filters by a shelf: all looks, favourites, recent ones, or the user's presets."""
        self._shelf = shelf
        self._order()

    def search(self, text: str) -> None:
        """Filters by a search: every word in title, name or description; matches in the title first."""
        self._words = tuple(text.casefold().split())
        self._order()

    def row_of(self, source_row: int | None) -> QModelIndex:
        """The index for a row of the source model; invalid if it is filtered out."""
        if source_row is None:
            return QModelIndex()
        return self.mapFromSource(self._looks.index(source_row))

    def _order(self) -> None:
        self.invalidate()
        self.sort(0)

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        """Filter: whether a look is on the shelf and matches the search."""
        look = self._looks.look(source_row)
        if self._shelf == "favourites" and look.name not in self._looks.favourites:
            return False
        if self._shelf == "recent" and look.name not in self._looks.recent:
            return False
        if self._shelf == "own" and not look.name.startswith(PRESET):
            return False
        text = f"{look.title} {look.name} {look.description}".casefold()
        return all(word in text for word in self._words)

    def lessThan(self, left: Index, right: Index) -> bool:
        """Sort order: match of the search, then favourites or recent use, then the source model's order."""
        return self._rank(left.row()) < self._rank(right.row())

    def _rank(self, row: int) -> tuple[int, int, int]:
        look = self._looks.look(row)
        title = look.title.casefold()
        found = 0
        if self._words and not title.startswith(self._words[0]):
            found = 1 if self._words[0] in title else 2
        if self._shelf == "recent" and look.name in self._looks.recent:
            return found, self._looks.recent.index(look.name), row
        first = self._favourites_first and look.name in self._looks.favourites
        return found, (0 if first else 1), row


def look_name(index: Index) -> str:
    """The name of the look at an index of either model."""
    return str(index.data(LookListModel.NameRole))
