"""Going live without a camera explains itself: the setup in one click, the commands, or the page for OBS."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from helpers import camera_states
from helpers.camera_states import (
    BUSY,
    NO_DEVICE,
    NO_OBS,
    PAGE,
    REFUSED,
    RESTART,
    SIGNED,
    WAITING,
    facts,
    without,
)
from helpers.scripted_live import SLATE, ScriptedLive, on_air, previewing, stopped
from overpaint.assets import asset_dir
from overpaint.errors import SinkError
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.desktop.camera_setup import CameraSetup
from overpaint.gui.dialogs.camera_dialog import CameraDialog
from overpaint.gui.window import MainWindow
from overpaint.gui.words.language import speak
from overpaint.media.virtual_camera.driver_installation import Stopped
from overpaint.media.virtual_camera.driver_setup import driver_setup, enrolment
from overpaint.wire.live import (
    LiveSnapshot,
    RefreshSources,
    SetOnAir,
    SetPreferences,
    StartSession,
    Trouble,
    WatchPage,
)

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


class ScriptedInstallation:
    """An installation that goes on when the test says so."""

    def __init__(self) -> None:
        self.step: Callable[[Any], None] = lambda _: None
        self.say: Callable[[str], None] = lambda _: None
        self.go, self.stopped = threading.Event(), False
        self.fails: SinkError | None = None
        self.began = 0

    def begin(self, facts: object, setup: object, step: Any, say: Any) -> ScriptedInstallation:
        self.step, self.say = step, say
        return self

    def run(self) -> None:
        self.began += 1
        assert self.go.wait(10)
        self.go.clear()
        if self.stopped:
            raise Stopped
        if self.fails is not None:
            raise self.fails

    def stop(self) -> None:
        self.stopped = True


class Desk:
    """The window and its camera dialog, over a scripted live process."""

    def __init__(self, qtbot: QtBot, window: MainWindow, live: ScriptedLive) -> None:
        self.qtbot, self.window, self.live = qtbot, window, live
        self.installation = ScriptedInstallation()
        setup = window.everyday.going_live.setup
        setup._begin, setup._way = self.installation.begin, lambda: ("pkexec",)

    @property
    def dialog(self) -> CameraDialog:
        dialog = self.window.everyday.going_live.dialog
        assert dialog is not None
        return dialog

    def click(self, button: QAbstractButton) -> None:
        assert button.isVisible() and button.isEnabled()
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def until(self, holds: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(holds, timeout=5000)


@pytest.fixture
def desk(qtbot: QtBot, start_live, open_window) -> Iterator[Callable[[LiveSnapshot], Desk]]:
    made: list[Desk] = []

    def at(snapshot: LiveSnapshot) -> Desk:
        live = start_live(snapshot)
        window = open_window()
        qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
        made.append(Desk(qtbot, window, live))
        return made[-1]

    yield at
    for each in made:
        each.installation.stopped = True
        each.installation.go.set()


def test_go_live_without_a_camera_opens_the_dialog_and_is_never_called_live(desk) -> None:
    here = desk(without(NO_DEVICE))
    here.click(here.window.top_bar.air)
    assert here.dialog.title.text() == "Going live needs a camera"
    assert here.dialog.text.text() == NO_DEVICE.sentence
    assert here.dialog.act.text() == "Set up the camera"
    assert here.window.top_bar.air.text() == "Go live"
    here.dialog.reject()
    here.window.everyday.act("air")  # by a hotkey or from the tray
    assert here.dialog.isVisible()
    here.dialog.reject()
    here.click(here.window.side.camera.setup)
    assert here.dialog.isVisible()


def test_one_click_sets_it_up_shows_how_far_it_is_and_the_camera_appears(desk) -> None:
    here = desk(without(NO_DEVICE))
    here.click(here.window.top_bar.air)
    here.click(here.dialog.act)
    here.until(lambda: here.installation.began == 1)
    assert here.dialog.step.text() == "Waiting for the password…" and here.dialog.bar.isVisible()
    assert not here.dialog.page.isVisible()
    here.installation.step("packages")
    here.installation.say("Setting up v4l2loopback-dkms …")
    here.until(lambda: here.dialog.step.text() == "Installing the driver…")
    here.until(lambda: here.dialog.line.whole == "Setting up v4l2loopback-dkms …")
    here.installation.go.set()
    # No word of a missing camera while the system gives it to the user.
    here.until(lambda: here.dialog.step.text() == "Looking for the camera…")
    assert here.live.next_intent() == RefreshSources(), "it is looked for at once"
    here.live.say(previewing(camera=SLATE))
    here.until(lambda: here.dialog.title.text() == "The camera is there")
    assert not here.dialog.act.hasFocus(), "an Enter meant for something else does not go live"
    assert here.dialog.text.text() == "In your call, choose “Overpaint Camera”."
    here.click(here.dialog.act)
    assert here.live.next_intent() == SetOnAir(on=True)
    assert here.window.everyday.going_live.dialog is None


def test_a_camera_that_does_not_appear_after_all_is_said(desk, monkeypatch) -> None:
    monkeypatch.setattr("overpaint.gui.dialogs.camera_dialog.APPEARS_MS", 50)
    here = desk(without(NO_DEVICE))
    here.click(here.window.top_bar.air)
    here.click(here.dialog.act)
    here.installation.go.set()
    here.until(lambda: here.dialog.text.text() == NO_DEVICE.sentence and here.dialog.act.isVisible())


def test_cancel_stops_the_setup_before_its_next_step(desk) -> None:
    here = desk(without(NO_DEVICE))
    here.click(here.window.top_bar.air)
    here.click(here.dialog.act)
    here.until(lambda: here.installation.began == 1)
    here.click(here.dialog.leave)
    assert here.dialog.step.text() == "Stopping after this step…" and not here.dialog.leave.isEnabled()
    assert here.installation.stopped
    here.installation.go.set()
    here.until(lambda: here.dialog.act.isVisible())
    assert here.dialog.act.text() == "Set up the camera"
    here.dialog.reject()
    assert here.window.everyday.going_live.dialog is None


def test_what_failed_is_said_with_its_command_to_copy(desk) -> None:
    here = desk(without(SIGNED))
    here.installation.fails = enrolment(facts(secure_boot=True))
    here.click(here.window.top_bar.air)
    assert "Secure Boot is on" in here.dialog.note.text()
    here.click(here.dialog.act)
    here.installation.go.set()
    here.until(lambda: here.dialog.text.text() == REFUSED.sentence)
    here.click(here.dialog.mend.copy)
    assert QGuiApplication.clipboard().text() == "sudo mokutil --import /var/lib/dkms/mok.pub"
    assert not here.dialog.act.isVisible(), "trying again does not help: the computer has to be restarted"


def test_another_failure_can_be_tried_again(desk) -> None:
    here = desk(without(NO_DEVICE))
    here.installation.fails = SinkError("driver_setup_packages_busy")
    here.click(here.window.top_bar.air)
    here.click(here.dialog.act)
    here.installation.go.set()
    here.until(lambda: here.dialog.act.text() == "Try again" and here.dialog.act.isVisible())
    assert "installing packages" in here.dialog.text.text()
    here.installation.fails = None
    here.click(here.dialog.act)
    here.until(lambda: here.installation.began == 2)
    here.installation.go.set()
    here.until(lambda: here.dialog.step.text() == "Looking for the camera…")


def test_the_commands_can_be_seen_and_copied_before_anything_is_done(desk) -> None:
    here = desk(without(NO_DEVICE))
    here.click(here.window.top_bar.air)
    assert not here.dialog.mend.isVisible()
    here.click(here.dialog.show_commands)
    here.click(here.dialog.mend.copy)
    assert QGuiApplication.clipboard().text() == driver_setup(facts()).line()


def test_where_no_password_can_be_asked_for_the_commands_are_shown(desk) -> None:
    here = desk(without(NO_DEVICE))
    here.window.everyday.going_live.setup._way = lambda: None
    here.click(here.window.top_bar.air)
    assert here.dialog.mend.isVisible() and not here.dialog.act.isVisible()
    assert "sudo apt-get install" in here.dialog.mend.copy.text_to_copy
    # Whoever ran them in a terminal need not start anything again.
    here.live.say(previewing(camera=SLATE))
    here.until(lambda: here.dialog.title.text() == "The camera is there")


@pytest.mark.parametrize(
    "trouble", [BUSY, RESTART, camera_states.CONTAINER], ids=["busy", "restart", "container"]
)
def test_what_no_setup_mends_is_explained(desk, trouble: Trouble) -> None:
    here = desk(without(trouble))
    here.click(here.window.top_bar.air)
    assert here.dialog.text.text() == trouble.sentence
    assert here.dialog.mend.isVisible() and not here.dialog.act.isVisible()
    here.click(here.dialog.again)
    assert here.live.next_intent() == RefreshSources()


def test_the_only_way_that_is_left_is_the_main_one(desk) -> None:
    here = desk(without(camera_states.CONTAINER))
    here.click(here.window.top_bar.air)
    assert here.dialog.page.text() == "Use the page for OBS"
    assert here.dialog.page.isDefault()
    here.until(lambda: here.dialog.page.hasFocus())
    here.dialog.reject()
    here.live.say(without(BUSY))
    here.until(lambda: here.window.model.snapshot.camera.trouble == BUSY)
    here.click(here.window.top_bar.air)
    assert here.dialog.page.text() == "Use the page for OBS instead"
    here.until(lambda: here.dialog.leave.hasFocus())


def test_where_the_camera_is_obs_its_page_is_opened(desk, monkeypatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: seen.append(url.toString()))
    here = desk(without(NO_OBS))
    here.click(here.window.top_bar.air)
    here.click(here.dialog.act)
    assert here.dialog.act.text() == "Get OBS Studio" and seen == ["https://obsproject.com/download"]


def test_the_page_for_obs_goes_live_without_a_camera(desk) -> None:
    here = desk(stopped(camera=without(NO_DEVICE).camera))
    here.click(here.window.top_bar.air)
    here.click(here.dialog.page)
    wanted = here.live.next_intent()
    assert isinstance(wanted, SetPreferences) and wanted.preferences.page_on
    assert not here.dialog.act.isEnabled()
    here.live.say(PAGE.model_copy(update={"state": "stopped", "session": None}))
    here.until(lambda: here.dialog.act.isEnabled())
    assert here.dialog.note.text() == "OBS does not show it yet."
    here.click(here.dialog.address)
    assert QGuiApplication.clipboard().text() == PAGE.page.address
    QGuiApplication.clipboard().clear()
    assert here.dialog.act.text() == "Copy the address and go live"
    here.until(here.dialog.act.hasFocus)
    here.qtbot.keyClick(here.dialog.act, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == PAGE.page.address
    assert [here.live.next_intent(), here.live.next_intent()] == [StartSession(), SetOnAir(on=True)]
    here.live.say(WAITING)
    here.until(lambda: here.window.top_bar.air.text() == "Cancel live")
    assert here.window.top_bar.chip.word.text() == "Waiting for OBS"
    seen = WAITING.page.model_copy(update={"viewers": 1})
    here.live.say(WAITING.model_copy(update={"page": seen}))
    here.until(lambda: here.window.top_bar.air.text() == "End live")
    assert here.window.top_bar.chip.word.text() == "Live"


SEEN = WatchPage(viewers=1)
LOST = without(NO_DEVICE).camera


@pytest.mark.parametrize(
    ("snapshot", "air"),
    [
        (stopped(), "off"),
        (previewing(), "off"),
        (on_air(), "on"),
        (on_air(private=True, camera=SLATE), "on"),
        (on_air(state="paused", camera=SLATE), "on"),
        (on_air(state="connecting", camera=SLATE), "wanted"),
        (on_air(camera=LOST), "wanted"),
        (on_air(private=True, camera=LOST), "wanted"),
        (on_air(camera=LOST, page=SEEN), "on"),
        (on_air(state="stopped"), "off"),
        (on_air(state="failed"), "off"),
    ],
)
def test_end_live_is_offered_only_on_air(desk, snapshot: LiveSnapshot, air: str) -> None:
    """Button, chip, badge and tray say the same."""
    model = SessionModel()
    model.show_snapshot(snapshot)
    assert model.air == air
    here = desk(snapshot)
    words = {"off": "Go live", "wanted": "Cancel live", "on": "End live"}
    window = here.window
    assert window.top_bar.air.text() == window.everyday.tray.actions["air"].text() == words[air]
    if air == "wanted":
        assert window.top_bar.chip.word.text() not in ("Live", "Preview")


def test_a_setup_that_is_closed_says_no_more(qtbot) -> None:
    work = ScriptedInstallation()
    setup = CameraSetup(None, work.begin, lambda: ("pkexec",))
    told: list[object] = []
    setup.ended.connect(told.append)
    setup.stopped.connect(lambda: told.append("stopped"))
    setup.start()
    qtbot.waitUntil(lambda: work.began == 1)
    setup.close()
    assert work.stopped
    work.go.set()
    qtbot.wait(100)
    assert told == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_of_its_text_is_to_be_read_whatever_it_says(desk, qapp, language: str) -> None:
    """Nothing is cut: the dialog grows and shrinks with its text."""
    speak(qapp, asset_dir("translations"), language)
    try:
        here = desk(without(SIGNED))
        here.click(here.window.top_bar.air)
        dialog = here.dialog
        for change in (dialog.show_commands.click, dialog.act.click, lambda: dialog.show_end(REFUSED)):
            change()
            here.until(lambda: dialog.height() == dialog.layout().totalHeightForWidth(dialog.width()))
            for part in dialog.findChildren(QLabel) + dialog.findChildren(QAbstractButton):
                if part.isVisible() and part is not dialog.line:
                    wanted = part.sizeHint()
                    tall = part.heightForWidth(part.width()) if part.hasHeightForWidth() else wanted.height()
                    assert part.height() >= tall, part.text()
                    assert part.hasHeightForWidth() or part.width() >= wanted.width(), part.text()
        dialog.show_end(None)
    finally:
        speak(qapp, asset_dir("translations"), "en")
        QLocale.setDefault(QLocale.system())


def test_only_what_a_setup_mends_is_offered_in_one_click() -> None:
    setup = CameraSetup(None, ScriptedInstallation().begin, lambda: ("pkexec",))
    assert setup.possible(NO_DEVICE) and not setup.possible(BUSY) and not setup.possible(RESTART)
    fedora = replace(facts(), packages="dnf")
    assert not driver_setup(fedora).by_itself
