"""Gallery of looks: a search field, shelves and groups over a grid. Must not know what a look does."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.looks.look_finder import LookFinder
from overpaint.gui.looks.look_lists import LookListModel, LookShelf, Shelf
from overpaint.gui.looks.look_thumbnails import LookPictures
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.looks.look_list import LookList

GALLERY_PICTURE = 138
LEAST_HEIGHT = 200


class LookGallery(QFrame):
    """Gallery of looks: a search field, a button for each shelf and each group, and a grid."""

    closed = Signal()
    prompted = Signal(str)

    def __init__(
        self, theme: Theme, looks: LookListModel, pictures: LookPictures, search: LookFinder
    ) -> None:
        super().__init__()
        self._looks = looks
        mark(self, role="gallery")
        self.setMinimumHeight(LEAST_HEIGHT)
        self._shelf: Shelf = "all"
        shelf = LookShelf(looks, False, self, search)
        self.grid = LookList(theme, shelf, looks, pictures, GALLERY_PICTURE, True)
        self.search = QLineEdit()
        mark(self.search, role="search")
        self.search.setPlaceholderText(self.tr("Search looks"))
        self.search.setAccessibleName(self.tr("Search looks"))
        self.search.setToolTip(self.tr("Enter: the first look. Shift+Enter: these words as the prompt."))
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(120)
        self.search.setMaximumWidth(320)
        self.search.installEventFilter(self)
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(self._take_first)
        self.shelves: dict[Shelf, ThemedButton] = {
            "all": ThemedButton(theme, text=self.tr("All"), role="link"),
            "favourites": ThemedButton(theme, "star", self.tr("Favourites"), "link"),
            "recent": ThemedButton(theme, text=self.tr("Recent"), role="link"),
            "used": ThemedButton(theme, text=self.tr("Most used"), role="link"),
            "own": ThemedButton(theme, text=self.tr("Mine"), role="link"),
        }
        self.groups = {
            group: ThemedButton(theme, text=name, role="link") for group, name in self._group_names().items()
        }
        self.keep_button = ThemedButton(
            theme, "keep", role="icon", hint=self.tr("Keep the present prompt and photo as a preset (Ctrl+B)")
        )
        self.file_button = ThemedButton(
            theme, "folder", role="icon", hint=self.tr("Add a preset from a file")
        )
        self.close_button = ThemedButton(
            theme, "close", role="icon", hint=self.tr("Back to the strip of looks (Esc)")
        )
        self.close_button.clicked.connect(self.closed)
        self.empty = text_label("muted", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out(theme)
        self.grid.typed.connect(self._type)
        self.grid.erased.connect(self._erase)
        self.grid.left_upwards.connect(self._focus_search)
        looks.modelReset.connect(self._show_groups)
        search.ready.connect(self._show_search, Qt.ConnectionType.QueuedConnection)
        for signal in (shelf.modelReset, shelf.layoutChanged, shelf.rowsInserted, shelf.rowsRemoved):
            signal.connect(self._show_empty)

    def _lay_out(self, theme: Theme) -> None:
        choices = QButtonGroup(self)
        head = QHBoxLayout()
        head.setSpacing(4)
        glass = QLabel()
        glass.setPixmap(theme.pixmap("search", theme.tokens.muted, 18, self.devicePixelRatioF()))
        head.addWidget(glass)
        head.addWidget(self.search, 1)
        head.addSpacing(6)
        for shelf, button in self.shelves.items():
            button.clicked.connect(lambda _=False, shelf=shelf: self.show_shelf(shelf))
            head.addWidget(button)
        row = QHBoxLayout()
        row.setSpacing(4)
        for group, button in self.groups.items():
            button.clicked.connect(lambda _=False, group=group: self.show_group(group))
            row.addWidget(button)
        row.addStretch(1)
        for button in (*self.shelves.values(), *self.groups.values()):
            button.setCheckable(True)
            choices.addButton(button)
        self.shelves["all"].setChecked(True)
        head.addStretch(1)
        for button in (self.keep_button, self.file_button, self.close_button):
            head.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 6, 4)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addLayout(row)
        layout.addWidget(self.grid, 1)
        layout.addWidget(self.empty, 1)
        self.empty.hide()
        self._show_groups()

    def _group_names(self) -> dict[str, str]:
        return {
            "drawing": self.tr("Drawing"),
            "painting": self.tr("Painting"),
            "print": self.tr("Print"),
            "craft": self.tr("Craft"),
            "film": self.tr("Film"),
            "light": self.tr("Light"),
            "screen": self.tr("Screen"),
            "background": self.tr("Background"),
        }

    def _show_groups(self) -> None:
        """Shows a button for each group that has looks."""
        there = {look.group for look in self._looks.looks}
        for group, button in self.groups.items():
            button.setVisible(group in there)
            if button.isChecked() and group not in there:
                self.show_shelf("all")

    def open(self, text: str) -> None:
        """Shows the gallery, with the focus in the search field."""
        self.show()
        self.search.setText(text)
        self._focus_search()
        self.grid.show_active()
        self._show_empty()

    def show_shelf(self, shelf: Shelf) -> None:
        """Shows a shelf: all looks, favourites, recent ones, the most used, or the user's presets."""
        self._shelf = shelf
        self.shelves[shelf].setChecked(True)
        self.grid.shelf.show_shelf(shelf)
        self._show_empty()

    def show_group(self, group: str) -> None:
        """Shows the looks of one group."""
        self._shelf = "all"
        self.groups[group].setChecked(True)
        self.grid.shelf.show_shelf("all", group)
        self._show_empty()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the gallery."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the search field: Down goes to the grid, Esc clears, Shift+Enter makes it the prompt."""
        if watched is self.search and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Down and self.grid.shelf.rowCount():
                if self.search.text() or not self.grid.currentIndex().isValid():
                    self.grid.setCurrentIndex(self.grid.shelf.index(0, 0))
                self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
            entered = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if entered and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._take_words()
                return True
        return super().eventFilter(watched, event)

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _type(self, text: str) -> None:
        self._focus_search()
        self.search.end(False)
        self.search.insert(text)

    def _erase(self) -> None:
        self._focus_search()
        self.search.end(False)
        self.search.backspace()

    def _search(self, text: str) -> None:
        self.grid.shelf.search(text)
        self._show_search()

    def _show_search(self) -> None:
        """Shows the best match first, among all looks where the shelf or group shown has none."""
        searched = bool(self.search.text().strip())
        if searched and not self.grid.shelf.rowCount():
            self.show_shelf("all")
        self.grid.cards.offers_first = searched
        if searched:
            self.grid.scrollToTop()
        self._show_empty()

    def _take_first(self) -> None:
        shelf = self.grid.shelf
        if shelf.rowCount():
            self.grid.setCurrentIndex(shelf.index(0, 0))
            self.grid.activated.emit(shelf.index(0, 0))
        else:
            self._take_words()

    def _take_words(self) -> None:
        if self.search.text().strip():
            self.prompted.emit(self.search.text().strip())

    def _show_empty(self) -> None:
        nothing = self.grid.shelf.rowCount() == 0
        text = self.search.text().strip()
        if text:
            words = self.tr("No look matches “{}”. Press Enter to use these words as the prompt.").format(
                text
            )
        elif self._shelf == "favourites":
            words = self.tr("No favourites yet. Click the star on a look, or press Ctrl+D.")
        elif self._shelf == "own":
            words = self.tr("No presets yet. Ctrl+B keeps the present prompt, with its photo, under a name.")
        else:
            words = self.tr("No look was chosen yet.")
        self.empty.setText(words)
        self.empty.setVisible(nothing)
        self.grid.setVisible(not nothing)
