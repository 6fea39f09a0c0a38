"""List model of the looks, and its filter and sort proxy: all, favourites, recent ones, presets.

Must not know widgets, files, or how a look's picture is made.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)

from overpaint.gui.looks.look_finder import LookFinder, Scores
from overpaint.gui.looks.presets import Preset
from overpaint.gui.words import prompt_words
from overpaint.gui.words.look_names import LookNames
from overpaint.gui.words.plain_text import plain_tip
from overpaint.wire.live import SCENES, LiveSnapshot, LookChoice
from overpaint.wire.looks import WantedLook

Index = QModelIndex | QPersistentModelIndex
Shelf = Literal["all", "favourites", "recent", "used", "own"]

PRESET = "preset:"
"""Prefix of a preset's name in the list; its key follows."""

SCENE = f"{SCENES}:"
"""Prefix of a scene's name in the list; alone, the card that takes the scene away."""

RECENT = 12
"""Number of recent looks that are kept."""

COUNTED = 200
"""Number of looks whose uses are counted; deleted presets must not fill the file for ever."""


class LookListModel(QAbstractListModel):
    """List model of the looks: the user's presets, the engine's looks, the scenes.

    ``ActiveRole`` marks the look in use, and the scene.

    Args:
        favourites: Names of favourites.
        recent: Names of recently used looks, the newest first.
        names: Names in the window's language; the engine's names if None.
        uses: How often each look was chosen, by name.

    Attributes:
        favourites: The current favourites.
        recent: The current recent looks.
        uses: The current numbers of uses.
        active_row: Row of the look that the prompt names, or that the service understood; None if unlisted.
        scene_row: Row of the scene that the prompt names; None without one.
    """

    NameRole = Qt.ItemDataRole.UserRole + 1
    DescriptionRole = Qt.ItemDataRole.UserRole + 2
    ActiveRole = Qt.ItemDataRole.UserRole + 3
    FavouriteRole = Qt.ItemDataRole.UserRole + 4

    shelves_changed = Signal()
    """``favourites``, ``recent`` or ``uses`` have changed."""

    def __init__(
        self,
        favourites: Iterable[str] = (),
        recent: Iterable[str] = (),
        parent: QObject | None = None,
        names: LookNames | None = None,
        uses: Mapping[str, int] | None = None,
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
        self.uses: Mapping[str, int] = dict(uses or {})
        self.active_row: int | None = None
        self.scene_row: int | None = None

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Updates looks and prompt from a snapshot; views are notified only of what changed."""
        shown = (snapshot.prompt, snapshot.understood)
        if snapshot.looks != self._engines:
            self._engines, self._shown = list(snapshot.looks), shown
            scenes = [each for each in snapshot.looks if each.group == SCENES]
            if scenes:
                none = LookChoice(name=SCENE, title=self.tr("No background"), description="", group=SCENES)
                scenes.insert(0, none)
            rest = [each for each in snapshot.looks if each.group != SCENES]
            self._shipped = [*self._names.shown(rest), *self._names.shown(scenes)]
            self._list()
        elif shown != self._shown:
            self._shown, before = shown, (self.active_row, self.scene_row)
            self._mark()
            if self._looks and before != (self.active_row, self.scene_row):
                self.dataChanged.emit(self.index(0), self.index(len(self._looks) - 1), [self.ActiveRole])

    def show_presets(self, presets: Mapping[str, Preset]) -> None:
        """Updates the user's presets, by key."""
        self._presets = dict(presets)
        self._list()

    def prompt_of(self, name: str) -> str:
        """The prompt that selects a look or preset, or that puts a scene behind the present look."""
        preset = self._presets.get(name.removeprefix(PRESET)) if name.startswith(PRESET) else None
        if preset is not None:
            return preset.prompt
        title = next((look.title for look in self._looks if look.name == name), name)
        if name.startswith(SCENE):
            prompt, understood = self._shown
            wanted = title if name != SCENE else ""
            return prompt_words.with_scene(prompt, wanted, self._names.scenes, understood)
        return title

    def wanted(self, name: str) -> WantedLook:
        """A look or preset as it is asked for to be painted: a preset has its own photo, or none."""
        preset = self._presets.get(name.removeprefix(PRESET)) if name.startswith(PRESET) else None
        photo = preset.photo if preset is not None else None
        return WantedLook(name=name, prompt=self.prompt_of(name), photo=photo)

    def _list(self) -> None:
        self.beginResetModel()
        own = (
            LookChoice(name=f"{PRESET}{key}", title=preset.name, description=preset.prompt)
            for key, preset in self._presets.items()
        )
        self._looks = [*own, *self._shipped]
        self._mark()
        self.endResetModel()

    @property
    def looks(self) -> tuple[LookChoice, ...]:
        """All looks, in the order of the rows."""
        return tuple(self._looks)

    @property
    def titles(self) -> dict[str, str]:
        """The titles of all looks, by name, in the order of the rows."""
        return {look.name: look.title for look in self._looks}

    def row_of(self, name: str) -> int | None:
        """The row of a look; None where it is not listed."""
        return next((row for row, look in enumerate(self._looks) if look.name == name), None)

    def look(self, row: int) -> LookChoice:
        """The look of a row."""
        return self._looks[row]

    def _mark(self) -> None:
        """Notes which rows are in use."""
        self.active_row = self._find_active()
        prompt, understood = self._shown
        scene = prompt_words.scene(prompt, self._names.scenes, understood)
        wanted = self._names.title(scene).casefold()
        rows = (row for row, look in enumerate(self._looks) if look.group == SCENES)
        self.scene_row = next((row for row in rows if self._looks[row].title.casefold() == wanted), None)

    def _find_active(self) -> int | None:
        prompt, understood = self._shown
        for row, preset in enumerate(self._presets.values()):
            if preset.prompt == prompt:
                return row
        parts = prompt_words.understood_parts(understood)
        plain = prompt_words.with_scene(prompt_words.bare(prompt), "", self._names.scenes)
        for text in (plain, *parts[:1]):
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
        """Puts a chosen look first among the recent ones, and counts the use."""
        others = (other for other in self.recent if other != name)
        self.recent = (name, *others)[:RECENT]
        # The newest first, so that it is not the one that is dropped.
        counts = {name: self.uses.get(name, 0) + 1, **{k: n for k, n in self.uses.items() if k != name}}
        most = sorted(counts, key=lambda other: (other != name, -counts[other]))[:COUNTED]
        self.uses = {other: counts[other] for other in most}
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
            return index.row() in (self.active_row, self.scene_row)
        if role == self.FavouriteRole:
            return look.name in self.favourites
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(look, index.row() in (self.active_row, self.scene_row))
        return None

    def _spoken(self, look: LookChoice, active: bool) -> str:
        marks = [self.tr("shown now")] if active else []
        marks += [self.tr("favourite")] if look.name in self.favourites else []
        return ". ".join(filter(None, (look.title, look.description, *marks)))


class Match(NamedTuple):
    """Sort key of a look in a search: the best match is the least.

    Attributes:
        meaning: The score of the words' meaning as a prompt, negated.
        title: 0 for a title that begins as searched, 1 for one with all its words, else 2.
        begun: The score of what the last word may become, negated; 0 for a look that is meant.
    """

    meaning: float
    title: int
    begun: float


_PLACE = {SCENES: "background"}
"""Groups that are listed within another one."""

NO_MATCH = Match(0.0, 2, 0.0)
"""The match of every look where nothing is searched."""


class LookShelf(QSortFilterProxyModel):
    """Filter and sort proxy (``QSortFilterProxyModel``) over the looks: one shelf or group, searched, sorted.

    Args:
        looks: The source model.
        favourites_first: Whether favourites are sorted before the others.
        search: The search by the words of prompts; without one, only names and descriptions are searched.
    """

    def __init__(
        self,
        looks: LookListModel,
        favourites_first: bool = False,
        parent: QObject | None = None,
        search: LookFinder | None = None,
    ) -> None:
        super().__init__(parent)
        self._looks = looks
        self._shelf: Shelf = "all"
        self._group = ""
        self._text = ""
        self._words: tuple[str, ...] = ()
        self._found: Mapping[str, Scores] = {}
        self._matches: dict[str, Match | None] = {}
        self._search = search
        self._favourites_first = favourites_first
        looks.modelAboutToBeReset.connect(self._matches.clear)
        self.setSourceModel(looks)
        looks.shelves_changed.connect(self._order)
        if search is not None:
            search.ready.connect(self._search_again, Qt.ConnectionType.QueuedConnection)
        self.sort(0)

    def show_shelf(self, shelf: Shelf, group: str = "") -> None:
        """Filters by a shelf (all looks, favourites, recent, most used, the user's presets) or by a group."""
        self._shelf, self._group = shelf, group
        self._order()

    def search(self, text: str) -> None:
        """Filters by a search: by what the words mean as a prompt, or all of them in title and description.

        The look that the text would select as a prompt is first, or one that it means as much and names.
        """
        self._text = text
        self._search_again()

    def row_of(self, source_row: int | None) -> QModelIndex:
        """The index for a row of the source model; invalid if it is filtered out."""
        if source_row is None:
            return QModelIndex()
        return self.mapFromSource(self._looks.index(source_row))

    def index_of(self, name: str) -> QModelIndex:
        """The index of a look; invalid if it is filtered out."""
        return self.row_of(self._looks.row_of(name))

    def _search_again(self) -> None:
        self._matches.clear()
        self._words = tuple(_plain(self._text).split())
        self._found = self._search.find(self._text) if self._search is not None and self._words else {}
        self._order()

    def _order(self) -> None:
        self.invalidate()
        self.sort(0)

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        """Filter: whether a look is on the shelf, in the group, and matches the search."""
        look = self._looks.look(source_row)
        if look.group == SCENES and not (self._words or self._group or self._shelf != "all"):
            return False  # looks are what is leafed through; scenes have their place
        if self._group and self._group not in (look.group, _PLACE.get(look.group)):
            return False
        if self._shelf == "favourites" and look.name not in self._looks.favourites:
            return False
        if self._shelf == "recent" and look.name not in self._looks.recent:
            return False
        if self._shelf == "used" and look.name not in self._looks.uses:
            return False
        if self._shelf == "own" and not look.name.startswith(PRESET):
            return False
        return self._match(look) is not None

    def lessThan(self, left: Index, right: Index) -> bool:
        """Sort order: match of the search, then favourites or use, then the source model's order."""
        return self._rank(left.row()) < self._rank(right.row())

    def _rank(self, row: int) -> tuple[Match, int, int]:
        look = self._looks.look(row)
        match = self._match(look) or NO_MATCH
        if self._shelf == "recent" and look.name in self._looks.recent:
            return match, self._looks.recent.index(look.name), row
        if self._shelf == "used":
            return match, -self._looks.uses.get(look.name, 0), row
        first = self._favourites_first and look.name in self._looks.favourites
        return match, (0 if first else 1), row

    def _match(self, look: LookChoice) -> Match | None:
        """How well a look fits the search; None if not at all."""
        if not self._words:
            return NO_MATCH
        if look.name not in self._matches:
            self._matches[look.name] = self._compared(look)
        return self._matches[look.name]

    def _compared(self, look: LookChoice) -> Match | None:
        meaning, begun = self._found.get(look.name, (0.0, 0.0))
        title = _plain(look.title)
        text = f"{title} {look.name} {_plain(look.description)}"
        if not (meaning or begun or all(word in text for word in self._words)):
            return None
        begins = title.startswith(" ".join(self._words))
        place = 0 if begins else 1 if all(word in title for word in self._words) else 2
        return Match(-meaning, place, 0.0 if meaning else -begun)


def _plain(text: str) -> str:
    """A text without case and accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def look_name(index: Index) -> str:
    """The name of the look at an index of either model."""
    return str(index.data(LookListModel.NameRole))
