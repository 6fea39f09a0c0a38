"""Rows of the settings dialog about one subject, whose values are preferences of the live process.

Must not know what a preference does.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.choice import Choice
from overpaint.gui.widgets.path_choice import PathChoice
from overpaint.gui.widgets.setting import Setting
from overpaint.gui.widgets.switch import Switch

WIDTH = 240


class SettingRows(QWidget):
    """Column of settings rows.

    Args:
        theme: The theme.
    """

    chosen = Signal(str, object)
    """The name of a preference, and its new value."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(14)

    def add(self, title: str, text: str, *controls: QWidget) -> Setting:
        """Adds a row; several controls stand beside each other, each with the row's name."""
        control = controls[0]
        if len(controls) > 1:
            control = QWidget()
            beside = QHBoxLayout(control)
            beside.setContentsMargins(0, 0, 0, 0)
            for each in controls:
                beside.addWidget(each)
        row = Setting(title, text, control)
        self._column.addWidget(row)
        return row

    def add_choice(
        self, preference: str, title: str, text: str, choices: Iterable[tuple[object, str]] = ()
    ) -> Choice:
        """Adds a choice among values with their names."""
        box = Choice(self._theme)
        for value, name in choices:
            box.addItem(name, value)
        box.setFixedWidth(WIDTH)
        box.activated.connect(lambda: self.chosen.emit(preference, box.currentData()))
        self.add(title, text, box)
        return box

    def add_folder(self, preference: str, title: str, text: str, usual: str, question: str) -> PathChoice:
        """Adds a folder; ``usual`` names the default one, ``question`` is the title of the file dialog."""
        folder = PathChoice(self._theme, usual, question)
        folder.chosen.connect(lambda path: self.chosen.emit(preference, path))
        self.add(title, text, folder)
        return folder

    def make_switch(self, preference: str) -> Switch:
        """Returns a switch for a row."""
        switch = Switch(self._theme)
        switch.clicked.connect(lambda on: self.chosen.emit(preference, on))
        return switch
