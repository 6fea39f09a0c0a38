"""Help desk: opens the help with the shortcuts that are bound, and begins the tour at the first start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.help.control_keys import ControlKeys
from overpaint.gui.help.help_dialog import HelpDialog
from overpaint.gui.help.tour import Tour
from overpaint.gui.panels.app_menu import AppMenu

_NATIVE = QKeySequence.SequenceFormat.NativeText


class HelpDesk(QObject):
    """Help desk of a window.

    Args:
        window: The window.
        theme: The theme.
        shortcuts: The window's shortcuts by heading; each has its words as "What's this".
        menu: The application menu, whose actions have shortcuts, too.
        picture: Where the tour's hints lie.
        stops: What they are about.
    """

    toured = Signal()
    """The tour was shown, and is not to be shown again by itself."""

    def __init__(
        self,
        window: QWidget,
        theme: Theme,
        shortcuts: Mapping[str, Sequence[QShortcut]],
        menu: AppMenu,
        picture: QWidget,
        stops: Sequence[QWidget],
    ) -> None:
        super().__init__(window)
        self._window, self._theme = window, theme
        self._shortcuts, self._menu = shortcuts, menu
        self._controls = ControlKeys(self)
        self.dialog: HelpDialog | None = None
        self.tour = Tour(theme, window, picture, stops)
        self._expected = False
        menu.help_wanted.connect(self.open)
        menu.keys_wanted.connect(self.open_keys)

    def expect(self) -> None:
        """Arms the tour: it begins when the window can be used."""
        self._expected = True

    def show_model(self, model: SessionModel) -> None:
        """Begins the tour if it is expected."""
        if self._expected and model.usable and self._window.isVisible():
            self._expected = False
            self.tour.begin()
            self.toured.emit()

    def sheet(self) -> dict[str, list[tuple[str, str]]]:
        """Every key of the window and of its controls: by heading, what it does and its keys."""
        return self.bound() | self._controls.rows()

    def bound(self) -> dict[str, list[tuple[str, str]]]:
        """Every shortcut that is bound: by heading, what it does and its keys."""
        rows = {
            heading: [(each.whatsThis(), each.key().toString(_NATIVE)) for each in bound]
            for heading, bound in self._shortcuts.items()
        }
        rows[self.tr("Menu")] = [
            (action.text().rstrip("…"), action.shortcut().toString(_NATIVE))
            for action in self._menu.actions()
            if not action.shortcut().isEmpty()
        ]
        return rows

    def open(self) -> None:
        """Opens the help, or brings it to the front."""
        if self.dialog is not None:
            self.dialog.raise_()
            return
        self.dialog = HelpDialog(self._theme, self._window, self.sheet())
        self.dialog.tour_wanted.connect(self.tour.begin)
        self.dialog.finished.connect(self._forget)
        self.dialog.open()

    def open_keys(self) -> None:
        """Opens the help at the shortcuts."""
        self.open()
        if self.dialog is not None:
            self.dialog.show_keys()

    def _forget(self) -> None:
        self.dialog = None
