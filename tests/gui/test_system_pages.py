"""A refused permission has one button, which opens the page of the system's settings that gives it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from helpers.scripted_live import SLATE, SOUND, previewing, stopped
from overpaint.errors import OverpaintError, SinkError, SourceError
from overpaint.gui.window import MainWindow
from overpaint.gui.words.system_pages import PAGES
from overpaint.sentences import SENTENCES
from overpaint.wire.live import SetOnAir, Trouble

PRIVACY = "x-apple.systempreferences:com.apple.settings.PrivacySecurity.extension?Privacy_"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Addresses that were opened."""
    addresses: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: addresses.append(QUrl(url).toString()))
    return addresses


def told(error: OverpaintError) -> Trouble:
    return Trouble.of(error)


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable, timeout=5000)


def test_every_page_mends_an_error_that_says_the_same() -> None:
    assert PAGES.keys() <= SENTENCES.keys()
    assert all("Settings" in SENTENCES[code].mend for code in PAGES)


def test_a_refused_camera_has_the_button_first(qtbot, start_live, open_window, opened) -> None:
    start_live(stopped(state="failed", trouble=told(SourceError("camera_denied_macos"))))
    window = open_window()
    ready(qtbot, window)
    message = window.stage.message
    qtbot.waitUntil(message.isVisible, timeout=5000)
    assert [button.text() for button in message.buttons][:2] == ["Open system settings", "Try again"]
    message.buttons[0].click()
    assert opened == [f"{PRIVACY}Camera"]


def test_a_refused_screen_beside_a_running_picture_has_it_in_its_notice(
    qtbot, start_live, open_window, opened
) -> None:
    live = start_live(previewing(trouble=told(SourceError("screen_denied_macos"))))
    window = open_window()
    ready(qtbot, window)
    qtbot.waitUntil(window.notice.page.isVisible, timeout=5000)
    window.notice.page.click()
    assert opened == [f"{PRIVACY}ScreenCapture"]
    live.say(previewing(trouble=told(SourceError("camera_missing"))))
    qtbot.waitUntil(lambda: "No camera" in window.notice.text.text(), timeout=5000)
    assert not window.notice.page.isVisible(), "a missing camera is not given by a setting"


def test_a_refused_microphone_has_it_beside_its_level(qtbot, start_live, open_window, opened) -> None:
    refused = SOUND.model_copy(update={"trouble": told(SourceError("microphone_denied_macos"))})
    live = start_live(previewing(sound=refused))
    window = open_window()
    ready(qtbot, window)
    window.everyday.open_settings()
    dialog = window.everyday.settings
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.sound.allow.isVisibleTo(dialog), timeout=5000)
    assert not dialog.sound.meter.isVisibleTo(dialog), "it would take the room of the sentence"
    dialog.sound.allow.click()
    assert opened == [f"{PRIVACY}Microphone"]
    live.say(previewing(sound=SOUND))
    qtbot.waitUntil(lambda: not dialog.sound.allow.isVisibleTo(dialog), timeout=5000)


def test_an_extension_that_waits_has_it_where_one_goes_live(qtbot, start_live, open_window, opened) -> None:
    trouble = told(SinkError("obs_camera_extension_waiting"))
    live = start_live(previewing(camera=SLATE.model_copy(update={"state": "missing", "trouble": trouble})))
    window = open_window()
    ready(qtbot, window)
    window.top_bar.air.click()
    dialog = window.everyday.going_live.dialog
    assert dialog is not None
    assert dialog.act.isVisibleTo(dialog) and dialog.act.text() == "Open system settings"
    dialog.act.click()
    assert opened == ["x-apple.systempreferences:com.apple.LoginItems-Settings.extension"]
    assert dialog.isVisible(), "one comes back to it"
    assert not any(isinstance(intent, SetOnAir) for intent in list(live.intents.queue))
