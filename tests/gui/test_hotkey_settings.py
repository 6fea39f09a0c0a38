"""Global hotkeys are set in the settings: for actions, and for looks of the user's choice."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from helpers.scripted_live import LOOKS, on_air, previewing
from overpaint.gui.appearance.theme import Theme
from overpaint.gui.dialogs.settings.hotkey_settings import HotkeySettings
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered
from overpaint.gui.window_settings import HOTKEYS, Habits
from overpaint.wire.live import SetRecording, SetStyle, TakeStill

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

LOOK = LOOKS[1]


@pytest.fixture
def window(qtbot: QtBot, start_live, open_window) -> MainWindow:
    start_live()
    window = open_window(remembered=Remembered(habits=Habits(hotkeys_on=True)))
    qtbot.waitUntil(lambda: window.model.usable)
    return window


@pytest.fixture
def shown(window: MainWindow) -> HotkeySettings:
    window.everyday.menu.settings.trigger()
    dialog = window.everyday.settings
    assert dialog is not None
    return dialog.hotkeys


def enter(shown: HotkeySettings, action: str, keys: str) -> None:
    shown.keys[action].setKeySequence(keys)
    shown.keys[action].editingFinished.emit()


def choose(shown: HotkeySettings, name: str) -> None:
    shown.look.setCurrentIndex(shown.look.findData(name))
    shown.look.activated.emit(shown.look.currentIndex())


def test_a_look_gets_a_key_which_is_kept_and_found_again(window: MainWindow, shown: HotkeySettings) -> None:
    choose(shown, LOOK.name)
    assert shown.look.findData(LOOK.name) == -1, "each look is offered once"
    assert "look:" not in "".join(window.everyday.habits.combinations), "not before it has a key"
    enter(shown, f"look:{LOOK.name}", "Ctrl+Alt+1")
    assert window.remembered().habits.combinations[f"look:{LOOK.name}"] == "Ctrl+Alt+1"
    assert window.remembered().habits.combinations["privacy"] == HOTKEYS["privacy"]


def test_a_look_s_key_that_is_cleared_is_gone(window: MainWindow, shown: HotkeySettings) -> None:
    choose(shown, LOOK.name)
    enter(shown, f"look:{LOOK.name}", "Ctrl+Alt+1")
    enter(shown, f"look:{LOOK.name}", "")
    assert window.remembered().habits.combinations == HOTKEYS


def test_a_combination_is_given_away_once(window: MainWindow, shown: HotkeySettings) -> None:
    choose(shown, LOOK.name)
    enter(shown, f"look:{LOOK.name}", "Ctrl+Alt+P")
    assert shown.row.text.text() == "Ctrl+Alt+P is used already: Privacy, or show me."
    assert shown.keys[f"look:{LOOK.name}"].keySequence().isEmpty()
    assert window.everyday.habits.combinations == HOTKEYS
    enter(shown, f"look:{LOOK.name}", "Ctrl+Alt+2")
    assert "used already" not in shown.row.text.text()


def test_keys_of_a_former_version_are_joined_by_those_of_new_actions() -> None:
    saved = Habits.model_validate({"hotkeys": {"privacy": "Ctrl+Alt+X", "hold": ""}})
    assert saved.combinations == {**HOTKEYS, "privacy": "Ctrl+Alt+X", "hold": ""}


def test_a_look_s_key_changes_to_it(qtbot: QtBot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    window.everyday.keys.pressed.emit(f"look:{LOOK.name}")
    qtbot.waitUntil(lambda: not live.intents.empty())
    intent = live.next_intent()
    assert isinstance(intent, SetStyle) and intent.prompt == LOOK.title
    assert window.remembered().recent_looks[0] == LOOK.name
    window.everyday.keys.pressed.emit("look:preset:gone")
    assert window.remembered().recent_looks[0] == LOOK.name, "a preset that is gone changes nothing"


def test_keys_record_and_save_a_snapshot(qtbot: QtBot, start_live, open_window) -> None:
    live = start_live(on_air())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    window.everyday.keys.pressed.emit("record")
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert live.next_intent() == SetRecording(on=True)
    window.everyday.keys.pressed.emit("still")
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert live.next_intent() == TakeStill()


def test_each_action_with_a_default_key_has_a_row_and_does_something(
    window: MainWindow, shown: HotkeySettings
) -> None:
    assert set(shown.keys) == set(HOTKEYS)
    titles = {action: shown._rows[action].title.text() for action in HOTKEYS}
    assert len(set(titles.values())) == len(HOTKEYS) and all(titles.values())


def test_on_wayland_each_row_says_what_the_desktop_assigned(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
    shown = HotkeySettings(theme, {LOOK.name: LOOK.title})
    qtbot.addWidget(shown)
    habits = Habits(hotkeys_on=True, hotkeys={"mute": "", f"look:{LOOK.name}": "Ctrl+Alt+1"})
    shown.show_habits(habits)
    assert shown.switch.isEnabled() and "the desktop asks you once" in shown.row.text.text()

    def said() -> dict[str, str]:
        return {action: shown._rows[action].text.text() for action in ("privacy", "hold", "mute")}

    shown.show_assigned({"privacy": "Super+P", f"look:{LOOK.name}": "Super+1"})
    assert said() == {
        "privacy": "The desktop assigned: Super+P",
        "hold": "The desktop assigned no keys: see its own settings.",
        "mute": "",
    }
    assert shown._rows[f"look:{LOOK.name}"].text.text() == "The desktop assigned: Super+1"
    shown.show_assigned({})
    assert set(said().values()) == {""}, "nothing before the desktop has answered"
