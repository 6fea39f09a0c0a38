"""Looks panel: a strip of looks below the stage, or the gallery of all.

Must not know what a look does, nor how its thumbnail is made.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.looks.look_finder import LookFinder
from overpaint.gui.looks.look_lists import PRESET, SCENE, LookListModel, LookShelf
from overpaint.gui.looks.look_thumbnails import LookPictures
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.looks.look_gallery import LookGallery
from overpaint.gui.widgets.looks.look_list import LookList
from overpaint.wire.looks import WantedLook, WantLooks

STRIP_PICTURE = 118
PHOTOS_MAX_CHARACTERS = 8_000_000
"""Most of presets' photos in one message, base64: some twenty of the usual size."""
SETTLE_MS = 300
"""Debounce interval: thumbnails are requested when scrolling has stopped."""
READ_AFTER_MS = 300
"""Time from the opening of the gallery to the reading of the words, whose thread slows its painting down."""


class LooksPanel(QWidget):
    """Looks panel: shows the strip or the gallery.

    Args:
        theme: The theme.
        looks: The list model of the looks.
        pictures: The thumbnails of the looks.
        search: The search by the words of prompts.
    """

    intended = Signal(object)
    chosen = Signal(str)
    """A look was chosen: its title, which is a prompt."""
    preset_chosen = Signal(str)
    """The key of a preset, here and in the next two signals."""
    share_wanted = Signal(str)
    removal_wanted = Signal(str)
    keep_wanted = Signal()
    """The prompt in use is to be saved as a preset."""
    file_wanted = Signal()
    """A preset is to be imported from a file."""
    prompted = Signal(str)
    """The text of a search without a match, or the present prompt with another scene, is to be the prompt."""
    expanded = Signal(bool)
    """The gallery was opened or closed."""

    def __init__(
        self, theme: Theme, looks: LookListModel, pictures: LookPictures, search: LookFinder
    ) -> None:
        super().__init__()
        self.looks = looks
        self.pictures = pictures
        self.search = search
        self.strip = LookList(theme, LookShelf(looks, True, self), looks, pictures, STRIP_PICTURE)
        self.gallery = LookGallery(theme, looks, pictures, search)
        self.open_button = ThemedButton(theme, "grid", self.tr("All"))
        self.open_button.setAccessibleName(self.tr("All looks"))
        self.open_button.setToolTip(self.tr("All looks: search, groups, favourites, most used (Ctrl+G)"))
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.strip, 1)
        row.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._row)
        layout.addWidget(self.gallery)
        self.gallery.hide()
        self.open_button.clicked.connect(self.open_gallery)
        self.gallery.closed.connect(self.close_gallery)
        self.gallery.prompted.connect(self.prompted)
        self.strip.typed.connect(self.open_gallery)
        self._asked: WantLooks | None = None
        self._pointed = ""
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._ask)
        self._reading = QTimer(self, interval=READ_AFTER_MS, singleShot=True)
        self._reading.timeout.connect(search.prepare)
        for view in (self.strip, self.gallery.grid):
            view.chosen.connect(self.use)
            view.sight_changed.connect(self.ask_again)
            view.pointed.connect(self._point)
            view.share_wanted.connect(lambda name: self.share_wanted.emit(name.removeprefix(PRESET)))
            view.removal_wanted.connect(lambda name: self.removal_wanted.emit(name.removeprefix(PRESET)))
        self.gallery.keep_button.clicked.connect(self.keep_wanted)
        self.gallery.file_button.clicked.connect(self.file_wanted)

    @property
    def is_expanded(self) -> bool:
        """Whether the gallery is open."""
        return not self.gallery.isHidden()

    def show_model(self, model: SessionModel) -> None:
        """Updates the looks, and which of them is active."""
        if model.snapshot is not None:
            before = self.looks.active_row
            self.looks.show_snapshot(model.snapshot)
            if self.looks.active_row != before:
                self.strip.show_active()
        if model.usable and not self.isEnabled():
            self._asked = None  # a new live process does not know the last request
            self.ask_again()
        self.setEnabled(model.usable)

    def ask_again(self) -> None:
        """Requests thumbnails of the visible looks, debounced."""
        self._settle.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Requests thumbnails when the panel becomes visible."""
        super().showEvent(event)
        self.ask_again()

    def hideEvent(self, event: QHideEvent) -> None:
        """Withdraws the request when the panel is hidden."""
        super().hideEvent(event)
        self.ask_again()

    def _point(self, name: str) -> None:
        """Asks for a moving preview of the look that is pointed at; of none as soon as none is."""
        self._pointed = name
        self._ask()

    def _ask(self) -> None:
        names: list[str] = []
        if self.isVisible() and not self.window().windowState() & Qt.WindowState.WindowMinimized:
            # The gallery requests all its looks, the visible ones first.
            names = self.gallery.grid.names() if self.is_expanded else []
            in_sight = self.gallery.grid.in_sight() if self.is_expanded else self.strip.in_sight()
            names = list(dict.fromkeys((*in_sight, *names)))
        wanted = WantLooks(
            looks=_with_few_photos(self.looks.wanted(name) for name in names),
            moving=self.looks.wanted(self._pointed) if names and self._pointed else None,
        )
        if wanted != self._asked:
            self._asked = wanted
            self.intended.emit(wanted)

    def toggle_gallery(self) -> None:
        """Opens or closes the gallery."""
        if self.is_expanded:
            self.close_gallery()
        elif self.isEnabled():
            self.open_gallery()

    def open_gallery(self, text: object = "") -> None:
        """Opens the gallery, with typed letters as the start of a search."""
        self._row.hide()
        self._reading.start()
        self.gallery.open(text if isinstance(text, str) else "")
        self.expanded.emit(True)

    def close_gallery(self) -> None:
        """Closes the gallery, and gives the strip the focus."""
        self.gallery.hide()
        self._row.show()
        self.expanded.emit(False)
        self.strip.show_active()
        self.strip.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_own(self) -> None:
        """Opens the gallery at the user's presets."""
        self.open_gallery()
        self.gallery.show_shelf("own")

    def use(self, name: str) -> None:
        """Changes to a look or preset; one that is gone changes nothing."""
        if not self.isEnabled() or name not in self.looks.titles:
            return
        self.looks.note_use(name)
        if name.startswith(PRESET):
            self.preset_chosen.emit(name.removeprefix(PRESET))
        elif name.startswith(SCENE):
            self.prompted.emit(self.looks.prompt_of(name))
        else:
            self.chosen.emit(self.looks.prompt_of(name))

    def toggle_favourite(self) -> None:
        """Adds the focused look to the favourites, or removes it."""
        view = self.gallery.grid if self.is_expanded else self.strip
        if view.hasFocus():
            view.toggle_favourite()


def _with_few_photos(looks: Iterable[WantedLook]) -> tuple[WantedLook, ...]:
    """Looks without the presets whose photos would make the message too long, the last ones first."""
    room, kept = PHOTOS_MAX_CHARACTERS, list[WantedLook]()
    for look in looks:
        room -= len(look.photo or "")
        if room >= 0 or not look.photo:
            kept.append(look)
    return tuple(kept)
