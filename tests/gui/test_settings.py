"""Settings are done as soon as they are set, and found again; the tray and the keys do what they say."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from helpers.scripted_live import on_air, previewing, stopped
from overpaint.errors import ProcessError
from overpaint.gui.appearance.tokens import CONTRAST, LIGHT
from overpaint.gui.desktop.single_window import OneWindow
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered, load_remembered, save_remembered
from overpaint.gui.window_settings import Habits
from overpaint.hotkeys import grab
from overpaint.processes.roles import Role
from overpaint.wire.live import (
    NextLook,
    Preferences,
    Quit,
    SetHold,
    SetOnAir,
    SetPreferences,
    SetPrivacy,
    StartSession,
    StopSession,
    TakeStill,
    Trouble,
    WatchPage,
)

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch) -> Path:
    """What is written for the system lands in a folder of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


@pytest.fixture(autouse=True)
def like_the_system_again(theme):
    yield
    theme.show_appearance("system")


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    assert button.isVisible() and button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def settings(window: MainWindow):
    window.everyday.menu.settings.trigger()
    dialog = window.everyday.settings
    assert dialog is not None
    return dialog


def choose(box, value: str) -> None:
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_the_appearance_changes_at_once_and_is_kept(qtbot, start_live, open_window, theme) -> None:
    start_live()
    window = open_window()
    ready(qtbot, window)
    dialog = settings(window)
    with qtbot.waitSignal(window.to_keep):
        choose(dialog.appearance, "contrast")
    assert theme.tokens is CONTRAST
    theme.show_scheme(Qt.ColorScheme.Dark)
    choose(dialog.appearance, "light")
    assert theme.tokens is LIGHT
    assert window.remembered().habits.appearance == "light"


def test_what_was_set_is_found_again(data_folder) -> None:
    habits = Habits(language="de", start_minimised=True, hotkeys={"privacy": "Ctrl+Alt+X"})
    save_remembered(data_folder, Remembered(habits=habits))
    assert load_remembered(data_folder).habits == habits


def test_what_the_live_process_does_is_set_there_and_shown_from_there(qtbot, start_live, open_window) -> None:
    live = start_live(stopped(preferences=Preferences(slate_picture="/pictures/cat.png")))
    window = open_window()
    ready(qtbot, window)
    dialog = settings(window)
    assert dialog.slate.choose.text() == "cat.png" and not dialog.low.isChecked()
    qtbot.mouseClick(dialog.low, Qt.MouseButton.LeftButton)
    wanted = live.next_intent()
    assert wanted == SetPreferences(preferences=Preferences(low_priority=True))
    assert wanted.preferences.model_fields_set == {"low_priority"}
    live.say(stopped(preferences=Preferences(slate_picture="/pictures/cat.png", low_priority=True)))
    qtbot.waitUntil(dialog.low.isChecked)
    dialog.slate.back.click()
    back = live.next_intent().preferences
    assert back.model_fields_set == {"slate_picture"} and not back.slate_picture
    assert dialog.slate_after.currentText() == "After 30 s"
    dialog.slate_after.setCurrentIndex(2)
    dialog.slate_after.activated.emit(2)
    changed = live.next_intent().preferences
    assert changed.slate_after_seconds == 120
    live.say(stopped(preferences=changed))
    qtbot.waitUntil(lambda: dialog.slate_after.currentText() == "After 2 min")


def test_the_page_for_obs_is_switched_on_there_and_its_address_copied(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = open_window()
    ready(qtbot, window)
    dialog = settings(window)
    assert not dialog.page.isChecked() and not dialog.copy_address.isVisible()
    dialog.area.ensureWidgetVisible(dialog.page)
    qtbot.mouseClick(dialog.page, Qt.MouseButton.LeftButton)
    wanted = Preferences(page_on=True)
    assert live.next_intent() == SetPreferences(preferences=wanted)
    address = "file:///home/somebody/.local/share/overpaint/obs.html"
    live.say(stopped(preferences=wanted, page=WatchPage(address=address)))
    qtbot.waitUntil(dialog.copy_address.isVisible)
    assert dialog.page.isChecked() and "Sources › + › Browser" in dialog.address_row.text.text()
    dialog.area.ensureWidgetVisible(dialog.copy_address)
    click(qtbot, dialog.copy_address)
    assert QGuiApplication.clipboard().text() == address and dialog.copy_address.text() == "Copied"
    live.say(stopped(preferences=wanted, page=WatchPage(address=address, viewers=2)))
    qtbot.waitUntil(lambda: "2 programs" in dialog.page_row.text.text())
    trouble = Trouble(kind="page_moved", sentence="OBS has the former address.", mend="Copy it again.")
    live.say(stopped(preferences=wanted, page=WatchPage(address=address, trouble=trouble)))
    qtbot.waitUntil(lambda: "Copy it again." in dialog.page_row.text.text())


def test_the_mirror_is_the_same_wherever_it_is_set(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    dialog = settings(window)
    assert dialog.mirror.isChecked()
    qtbot.mouseClick(dialog.mirror, Qt.MouseButton.LeftButton)
    assert not window.stage.mirror.isChecked() and not window.remembered().mirror_preview


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at the entry of Linux")
def test_starting_with_the_system_is_the_systems_own_entry(qtbot, start_live, open_window, own_home) -> None:
    start_live()
    window = open_window()
    ready(qtbot, window)
    dialog = settings(window)
    qtbot.waitUntil(dialog.autostart.isEnabled)
    assert not dialog.autostart.isChecked()
    qtbot.mouseClick(dialog.autostart, Qt.MouseButton.LeftButton)
    entry = own_home / "config" / "autostart" / "overpaint.desktop"
    qtbot.waitUntil(entry.is_file)
    assert "-m overpaint" in entry.read_text()
    dialog.accept()
    qtbot.waitUntil(lambda: window.everyday.settings is None)
    dialog = settings(window)
    qtbot.waitUntil(dialog.autostart.isChecked)
    qtbot.mouseClick(dialog.autostart, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not entry.exists())


# ---- tray, keys, a second start


def test_the_tray_does_everything_vital(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = open_window()
    ready(qtbot, window)
    tray = window.everyday.tray
    assert tray.state.text() == "Stopped" and not tray.actions["hold"].isEnabled()
    tray.actions["air"].trigger()
    assert [live.next_intent(), live.next_intent()] == [StartSession(), SetOnAir(on=True)]
    live.say(on_air())
    qtbot.waitUntil(lambda: tray.state.text() == "Live 10:11")
    for name, intent in (
        ("hold", SetHold(on=True)),
        ("privacy", SetPrivacy(on=True)),
        ("next_look", NextLook()),
        ("still", TakeStill()),
        ("air", SetOnAir(on=False)),
        ("session", StopSession()),
    ):
        tray.actions[name].trigger()
        assert live.next_intent() == intent
    window.hide()
    tray.actions["open"].trigger()
    assert window.isVisible()


def test_closing_to_the_tray_keeps_all_and_quitting_from_it_asks(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    live = start_live(on_air())
    window = open_window(remembered=Remembered(habits=Habits(keep_in_tray=True)))
    monkeypatch.setattr(type(window.everyday.tray), "there", property(lambda _: True))
    ready(qtbot, window)
    qtbot.waitUntil(lambda: bool(live.sizes))
    window.close()
    assert not window.isVisible() and window.question is None
    qtbot.waitUntil(lambda: live.sizes[-1] == (0, 0))
    assert live.intents.empty(), "the camera goes on, and no picture is made for nobody"
    window.everyday.tray.actions["quit"].trigger()
    assert window.isVisible() and window.question is not None
    button = next(each for each in window.question.buttons() if each.text() == "Stop and close")
    with qtbot.waitSignal(window.left):
        click(qtbot, button)
    assert live.next_intent() == Quit()


def test_a_plain_key_is_refused_with_a_reason(qtbot, start_live, open_window) -> None:
    start_live()
    window = open_window(remembered=Remembered(habits=Habits(hotkeys_on=True)))
    ready(qtbot, window)
    dialog = settings(window)
    edit = dialog.hotkeys.keys["hold"]
    edit.setKeySequence("B")
    edit.editingFinished.emit()
    assert "every other program" in dialog.hotkeys.row.text.text()
    assert edit.keySequence().toString() == "Ctrl+Alt+H"


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or "DISPLAY" not in os.environ, reason="needs an X11 display"
)
def test_a_key_that_another_program_has_is_told_at_the_start(qtbot, start_live, open_window) -> None:
    other = grab({"theirs": "Ctrl+Alt+P"}, lambda _: None)
    start_live()
    window = open_window(remembered=Remembered(habits=Habits(hotkeys_on=True)))
    ready(qtbot, window)
    window.everyday.start()
    qtbot.waitUntil(window.notice.isVisible)
    assert "Ctrl+Alt+P" in window.notice.text.text()
    assert "taken" in settings(window).hotkeys.row.text.text()
    other.close()


def test_a_second_start_shows_the_first_window(qtbot, data_folder) -> None:
    first, second = OneWindow(data_folder), OneWindow(data_folder)
    assert first.take()
    for preset in ("", "/home/jürgen/my looks/日本.overpaint"):
        with qtbot.waitSignal(first.asked_for) as asked:
            assert not second.take(preset)
        assert asked.args == [preset]
    first.leave()
    assert second.take()
    second.leave()


def test_a_second_start_beside_a_window_that_hangs_says_so(data_folder) -> None:
    hung = Role(data_folder, "one-window")
    hung.take()
    with pytest.raises(ProcessError, match="does not answer"):
        OneWindow(data_folder).take()
    hung.leave()


def test_about_opens_the_licences_of_its_parts(qtbot, start_live, open_window, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url) or True)
    start_live()
    window = open_window()
    ready(qtbot, window)
    window.everyday.menu.about.trigger()
    click(qtbot, window.everyday.about.licences)
    (url,) = asked
    assert "| numpy |" in Path(url.toLocalFile()).read_text("utf-8")
