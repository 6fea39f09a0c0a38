"""A newer version is told once, quietly, and only where the user agreed; nothing installs itself."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from helpers.scripted_live import ScriptedLive, previewing
from overpaint import __version__
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered
from overpaint.wire.live import Preferences, SetPreferences
from overpaint.wire.preferences import Release, Updates

NEWER = Release(version="99.0.0", page="https://example.org/99", new={"en": ("<b>Hats</b>.", "Gloves.")})
TOLD = Updates(host="releases.example", newer=NEWER)


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable, timeout=5000)


def wish_of(live: ScriptedLive) -> SetPreferences:
    """The next change of preferences; other intents are passed over."""
    while not isinstance(intent := live.next_intent(), SetPreferences):
        pass
    return intent


def settings(window: MainWindow):
    window.everyday.menu.settings.trigger()
    dialog = window.everyday.settings
    assert dialog is not None
    return dialog


def test_nothing_is_asked_for_before_the_switch_is_turned(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    assert not Preferences().check_updates
    live.say(Updates(host="releases.example"))
    dialog = settings(window)
    qtbot.waitUntil(lambda: "releases.example" in dialog.updates_row.text.text(), timeout=5000)
    qtbot.waitUntil(dialog.updates.isEnabled, timeout=5000)
    assert not dialog.updates.isChecked()
    dialog.updates.click()
    wish = wish_of(live)
    assert wish.preferences == Preferences(check_updates=True)
    assert wish.preferences.model_fields_set == {"check_updates"}


def test_without_an_address_the_switch_is_off_and_says_why(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(preferences=Preferences(check_updates=True)))
    window = open_window()
    ready(qtbot, window)
    live.say(Updates())
    dialog = settings(window)
    assert not dialog.updates.isEnabled() and not dialog.updates.isChecked()
    assert "no address" in dialog.updates_row.text.text()


def test_a_newer_version_is_told_once_and_stays_in_the_menu(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    entry = window.everyday.menu.update_entry
    assert not entry.isVisible()
    live.say(TOLD)
    qtbot.waitUntil(window.notice.isVisible, timeout=5000)
    assert window.notice.text.text() == "Version 99.0.0 is there. The menu says what is new, and where."
    assert window.notice.errors == [], "it is no error, and goes by itself"
    assert entry.isVisible() and entry.text() == "Version 99.0.0 is there…"
    window.notice.dismiss.click()
    live.say(TOLD.model_copy(update={"host": "another.example"}))
    qtbot.waitUntil(lambda: window.everyday.update_line.updates.host == "another.example", timeout=5000)
    assert not window.notice.isVisible()
    assert window.remembered().habits.knows_version == "99.0.0"


def test_a_later_window_is_not_told_again_but_has_the_entry(qtbot, start_live, open_window) -> None:
    remembered = Remembered()
    habits = remembered.habits.model_copy(update={"knows_version": "99.0.0"})
    live = start_live(previewing())
    window = open_window(remembered=remembered.model_copy(update={"habits": habits}))
    ready(qtbot, window)
    live.say(TOLD)
    qtbot.waitUntil(window.everyday.menu.update_entry.isVisible, timeout=5000)
    assert not window.notice.isVisible()
    live.say(Updates(host="releases.example"))
    qtbot.waitUntil(lambda: not window.everyday.menu.update_entry.isVisible(), timeout=5000)


def test_the_entry_says_what_is_new_and_where_as_plain_text(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    live.say(TOLD)
    qtbot.waitUntil(window.everyday.menu.update_entry.isVisible, timeout=5000)
    window.everyday.menu.update_entry.trigger()
    question = window.everyday.question
    assert question is not None and question.accessibleName() == "Version 99.0.0 is there"
    assert question.accessibleDescription().splitlines() == [
        f"You have version {__version__}. Nothing is installed by itself.",
        "• <b>Hats</b>.",
        "• Gloves.",
        "It can be had from https://example.org/99",
    ]
    assert opened == []
    question.buttons()[-1].click()
    assert opened == [QUrl("https://example.org/99")]
