"""The window says that the session rests, and lets it be asked for where the system can tell."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from helpers.scripted_live import SLATE, on_air, previewing
from overpaint.wire.live import Figures, Preferences, SetPreferences

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

UNREAD = SLATE.model_copy(update={"state": "held"})


def test_the_window_says_why_the_picture_stands_still(qtbot, start_live, open_window) -> None:
    live = start_live(on_air(state="paused", camera=UNREAD, figures=Figures()))
    window = open_window()
    title = window.stage.message.title
    qtbot.waitUntil(lambda: title.text() == "Paused: no program is reading the camera")
    assert window.top_bar.chip.word.text() == "Paused"
    assert not window.model.on_air and window.model.running
    assert window.top_bar.session.label == "Stop"
    live.say(on_air())
    qtbot.waitUntil(lambda: not window.stage.message.isVisible())
    live.say(previewing(state="paused"))
    qtbot.waitUntil(lambda: title.text() == "Paused: nobody sees the picture")


def test_it_is_a_setting_with_what_counts_as_watching(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    window.everyday.open_settings()
    settings = window.everyday.settings
    assert not settings.rest.isChecked() and not settings.rest_previewed.isEnabled()
    assert "count as watching" in settings.rest_row.text.text()
    settings.area.ensureWidgetVisible(settings.rest)
    qtbot.mouseClick(settings.rest, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert live.next_intent() == SetPreferences(preferences=Preferences(rest_unread=True))
    live.say(previewing(preferences=Preferences(rest_unread=True)))
    qtbot.waitUntil(settings.rest_previewed.isEnabled)
    qtbot.mouseClick(settings.rest_previewed, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert live.next_intent() == SetPreferences(preferences=Preferences(rest_previewed=True))
    settings.accept()


def test_where_nobody_can_tell_there_is_no_switch(qtbot, start_live, open_window) -> None:
    start_live(previewing(camera=SLATE.model_copy(update={"read": None})))
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    window.everyday.open_settings()
    settings = window.everyday.settings
    assert not settings.rest.isVisibleTo(settings) and not settings.rest_previewed_row.isVisibleTo(settings)
    assert "does not tell" in settings.rest_row.text.text()
    settings.accept()
