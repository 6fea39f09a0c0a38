"""Settings of the global hotkeys: a switch, a key combination for each action, and for looks of one's choice.

Must not know how keys are registered, or what an action does.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QVBoxLayout, QWidget

from overpaint.errors import UsageError
from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.choice import Choice
from overpaint.gui.widgets.setting import Setting
from overpaint.gui.widgets.switch import Switch
from overpaint.gui.window_settings import LOOK_ACTION, Habits
from overpaint.gui.words.troubles import line
from overpaint.hotkeys import Combination
from overpaint.portal import is_wayland

EDIT_WIDTH = 170


def action_titles(looks: Mapping[str, str]) -> dict[str, str]:
    """Returns what each action does, in the user's language: those with default keys, and changes to looks.

    Args:
        looks: Titles of the looks and presets, by name.
    """
    translate = QCoreApplication.translate
    look = translate("HotkeySettings", "Look: {}")
    return {
        "air": translate("HotkeySettings", "Go live, or end it"),
        "session": translate("HotkeySettings", "Start, or stop"),
        "next_look": translate("HotkeySettings", "Next look"),
        "hold": translate("HotkeySettings", "Hold, or resume"),
        "privacy": translate("HotkeySettings", "Privacy, or show me"),
        "record": translate("HotkeySettings", "Record, or stop recording"),
        "replay": translate("HotkeySettings", "Save the last 30 seconds"),
        "mute": translate("HotkeySettings", "Mute recorded sound, or unmute it"),
        "still": translate("HotkeySettings", "Save a snapshot"),
        **{f"{LOOK_ACTION}{name}": look.format(title) for name, title in looks.items()},
    }


class HotkeySettings(QWidget):
    """Rows of the settings dialog for global hotkeys; each change takes effect at once.

    Args:
        theme: The theme.
        looks: Titles of the looks and presets, by name.

    Attributes:
        switch: Whether the hotkeys are registered.
        keys: The field for the combination of each action.
        look: The choice of another look that gets a combination.
    """

    turned = Signal(bool)
    """The hotkeys were turned on or off."""
    changed = Signal(dict)
    """The combinations of all actions; an empty text for an action without one."""

    def __init__(self, theme: Theme, looks: Mapping[str, str]) -> None:
        super().__init__()
        self._looks = looks
        self._titles = action_titles(looks)
        self._shown = Habits()
        self._wayland = is_wayland()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(14)
        self.switch = Switch(theme)
        self.row = Setting(self.tr("Use them"), self._usual_words(), self.switch)
        self._column.addWidget(self.row)
        self.keys: dict[str, QKeySequenceEdit] = {}
        self._rows: dict[str, Setting] = {}
        for action, title in action_titles(looks).items():
            if not action.startswith(LOOK_ACTION):
                self._add_row(action, title)
        self.look = Choice(theme)
        self.look.setFixedWidth(EDIT_WIDTH)
        self._column.addWidget(
            Setting(
                self.tr("For a look"),
                self.tr("Changes to that look or preset at once, whatever program has the keyboard."),
                self.look,
            )
        )
        self.switch.clicked.connect(self.turned)
        self.look.activated.connect(self._choose_look)

    def show_habits(self, habits: Habits) -> None:
        """Shows the settings."""
        self._shown = habits
        usable = habits.hotkeys_on
        self.switch.setChecked(usable)
        shown = habits.combinations
        for action in shown:
            if action.startswith(LOOK_ACTION) and action not in self.keys:
                self._add_row(action, self._titles.get(action, action))
        for action, edit in self.keys.items():
            edit.setEnabled(usable)
            edit.setKeySequence(QKeySequence(shown.get(action, "")))
        self.look.setEnabled(usable)
        self._list_looks()

    def explain(self, sentence: str) -> None:
        """Shows why the hotkeys do not work; the usual words when empty."""
        self.row.explain(sentence or self._usual_words())

    def show_assigned(self, keys: Mapping[str, str]) -> None:
        """Shows the keys that a Wayland desktop assigned, by action, in its own words."""
        if not self._wayland:
            return
        wished = self._shown.combinations if self._shown.hotkeys_on else {}
        for action, row in self._rows.items():
            if not keys or not wished.get(action):
                row.explain("")
            elif action in keys:
                row.explain(self.tr("The desktop assigned: {}").format(keys[action]))
            else:
                row.explain(self.tr("The desktop assigned no keys: see its own settings."))

    def _usual_words(self) -> str:
        words = self.tr("They work while another program has the keyboard: in a call, in a game.")
        if not self._wayland:
            return words
        desktop = self.tr(
            "The keys below are wishes: the desktop asks you once, and can change them in its own settings."
        )
        return f"{words} {desktop}"

    def _add_row(self, action: str, title: str) -> None:
        edit = QKeySequenceEdit()
        edit.setMaximumSequenceLength(1)
        edit.setClearButtonEnabled(True)
        edit.setFixedWidth(EDIT_WIDTH)
        edit.editingFinished.connect(lambda: self._set_key(action))
        self.keys[action] = edit
        self._rows[action] = Setting(title, "", edit)
        place = self._column.count() - (1 if action.startswith(LOOK_ACTION) else 0)
        self._column.insertWidget(place, self._rows[action])

    def _list_looks(self) -> None:
        self.look.clear()
        self.look.addItem(self.tr("Add a look…"), "")
        for name, title in self._looks.items():
            if f"{LOOK_ACTION}{name}" not in self.keys:
                self.look.addItem(title, name)
        self.look.setCurrentIndex(0)

    def _choose_look(self) -> None:
        """Adds a row for the look; it is saved once it has a combination."""
        name = self.look.currentData()
        if name:
            action = f"{LOOK_ACTION}{name}"
            self._add_row(action, self._titles.get(action, action))
            self._list_looks()
            self.keys[action].setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_key(self, action: str) -> None:
        text = self.keys[action].keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        combinations = self._shown.combinations
        if text == combinations.get(action, ""):
            return
        refusal = self._refusal(text, action)
        self.explain(refusal)
        if refusal:
            self.keys[action].setKeySequence(QKeySequence(combinations.get(action, "")))
            return
        if text or not action.startswith(LOOK_ACTION):
            combinations[action] = text
        else:
            del combinations[action]
        self.changed.emit(combinations)

    def _refusal(self, text: str, action: str) -> str:
        """Why a combination cannot be taken, as a sentence; empty where it can."""
        if not text:
            return ""
        try:
            Combination.parse(text)
        except UsageError as error:
            return line(error)
        wanted = QKeySequence(text)
        for other, keys in self._shown.combinations.items():
            if other != action and keys and QKeySequence(keys) == wanted:
                title = self._titles.get(other, other)
                return self.tr("{} is used already: {}.").format(text, title)
        return ""
