"""What surrounds the picture: it comes back by itself, privacy at a key, the original by a deliberate act."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from helpers.scripted_live import SLATE, SOURCES, elsewhere, on_air, previewing, stopped
from overpaint.gui.connection.first_picture import FirstPicture
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.connection.recovery import SessionRecovery
from overpaint.gui.window import MainWindow
from overpaint.wire.live import (
    LiveSnapshot,
    SetHold,
    SetOnAir,
    SetOriginal,
    SetPrivacy,
    StartSession,
    StopSession,
    TakeStill,
    Trouble,
)

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    assert button.isVisible() and button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


# ---- the first picture


def first(*snapshots: LiveSnapshot) -> list[object]:
    """What is intended while a live process says one after another."""
    model, part = SessionModel(), FirstPicture()
    intents: list[object] = []
    part.intended.connect(intents.append)
    model.show_connection(True)
    part.expect()
    for snapshot in snapshots:
        model.show_snapshot(snapshot)
        part.show_model(model)
    return intents


def test_the_preview_starts_by_itself_once_all_is_there(qapp: QApplication) -> None:
    assert first(stopped(balance=None), stopped(source=""), stopped()) == [StartSession()]
    assert first(stopped(), previewing(), stopped()) == [StartSession()], "what is stopped stays stopped"


@pytest.mark.parametrize(
    "snapshot",
    [
        previewing(),
        stopped(state="failed"),
        elsewhere(stopped()),
        elsewhere(stopped()).model_copy(update={"balance": None}),
    ],
    ids=["runs already", "failed", "costs money", "costs money, balance unknown"],
)
def test_it_starts_by_itself_neither_twice_nor_where_that_costs_something(
    qapp: QApplication, snapshot: LiveSnapshot
) -> None:
    assert first(snapshot, stopped()) == []


# ---- coming back


@pytest.mark.parametrize(
    ("before", "again"),
    [
        (previewing(), [StartSession()]),
        (on_air(), [StartSession(), SetOnAir(on=True)]),
        (on_air(state="reconnecting"), [StartSession(), SetOnAir(on=True)]),
        (
            on_air(private=True, hold=True, recording="/v.mp4"),
            [
                SetPrivacy(on=True),
                SetHold(on=True),
                StartSession(),
                SetOnAir(on=True),
            ],
        ),
    ],
)
def test_when_the_live_process_dies_the_session_comes_back(
    qtbot, start_live, open_window, before, again
) -> None:
    live = start_live(before)
    window = open_window()
    ready(qtbot, window)
    live.end()
    qtbot.waitUntil(lambda: window.model.connection == "restarting")
    new = start_live(stopped(source="", source_title=""))
    qtbot.waitUntil(lambda: window.model.usable)
    assert new.intents.empty(), "it waits for the source"
    # The same camera under another number is the same camera.
    new.say(stopped(source="camera:1"))
    qtbot.waitUntil(lambda: new.intents.qsize() >= len(again))
    assert [new.next_intent() for _ in again] == again
    assert "came back by itself" in window.notice.text.text()
    told = "The recording has ended" in window.notice.text.text()
    assert told is (before.recording is not None), "it is not begun anew, and not silently left"
    new.say(on_air())
    qtbot.waitUntil(lambda: window.model.on_air)
    assert "came back by itself" in window.notice.text.text(), "it is still said when all is well"
    assert new.intents.empty()


@pytest.mark.parametrize("before", [stopped(), stopped(state="failed")])
def test_what_was_not_running_does_not_start(qtbot, start_live, open_window, before) -> None:
    live = start_live(before)
    window = open_window()
    ready(qtbot, window)
    live.end()
    qtbot.waitUntil(lambda: window.model.connection == "restarting")
    new = start_live(stopped())
    qtbot.waitUntil(lambda: window.model.usable)
    qtbot.wait(200)  # time enough for what must not come
    assert new.intents.empty()


def test_another_source_than_before_is_never_shown_by_itself(qtbot, start_live, open_window) -> None:
    live = start_live(on_air(source="screen:0", source_title="Screen 1 · 1920×1080"))
    window = open_window()
    ready(qtbot, window)
    live.end()
    qtbot.waitUntil(lambda: window.model.connection == "restarting")
    new = start_live(stopped())
    qtbot.waitUntil(lambda: "not there any more" in window.notice.text.text())
    assert new.intents.empty()


@pytest.mark.parametrize(
    ("wishes", "again"),
    [
        ([SetPrivacy(on=True)], [SetPrivacy(on=True), StartSession(), SetOnAir(on=True)]),
        ([SetHold(on=True)], [SetHold(on=True), StartSession(), SetOnAir(on=True)]),
        ([SetOnAir(on=False)], [StartSession()]),
        ([StopSession()], []),
        ([SetPrivacy(on=True), SetPrivacy(on=False)], [StartSession(), SetOnAir(on=True)]),
        ([SetOnAir(on=False), SetOnAir(on=True)], [StartSession(), SetOnAir(on=True)]),
        ([StopSession(), StartSession()], [StartSession(), SetOnAir(on=True)]),
    ],
)
@pytest.mark.parametrize("gone", [False, True])
def test_what_a_hanging_process_did_not_hear_holds_for_the_next(
    qtbot, wishes: list[object], again: list[object], gone: bool
) -> None:
    model, recovery = SessionModel(), SessionRecovery()
    model.changed.connect(lambda: recovery.show_model(model))
    sent: list[object] = []
    recovery.intended.connect(sent.append)
    model.show_snapshot(on_air())
    if gone:
        model.show_connection(False)
    for wish in wishes:
        recovery.note(wish)
    if not gone:
        model.show_snapshot(on_air())  # it was on its way already
        model.show_connection(False)
    model.show_snapshot(stopped())
    assert sent == again


@pytest.mark.parametrize("wish", [SetPrivacy(on=True), SetHold(on=True), SetOnAir(on=False), StopSession()])
def test_what_hides_is_said_again_to_a_next_process_that_goes_on_already(qtbot, wish: object) -> None:
    model, recovery = SessionModel(), SessionRecovery()
    model.changed.connect(lambda: recovery.show_model(model))
    sent: list[object] = []
    recovery.intended.connect(sent.append)
    model.show_snapshot(on_air())
    recovery.note(wish)
    model.show_snapshot(on_air())
    assert sent == [], "the one that was told may still hear it"
    model.show_connection(False)
    model.show_connection(True)
    model.show_snapshot(on_air())
    assert sent == [wish]
    model.show_snapshot(on_air())
    assert sent == [wish], "once"


def test_what_was_heard_is_over(qtbot) -> None:
    model, recovery = SessionModel(), SessionRecovery()
    model.changed.connect(lambda: recovery.show_model(model))
    sent: list[object] = []
    recovery.intended.connect(sent.append)
    model.show_snapshot(on_air())
    for wish in (SetPrivacy(on=True), SetHold(on=True), SetOnAir(on=False)):
        recovery.note(wish)
    model.show_snapshot(previewing(private=True, hold=True))
    model.show_snapshot(on_air())  # the user has chosen otherwise, here or elsewhere
    model.show_connection(False)
    model.show_snapshot(stopped())
    assert sent == [StartSession(), SetOnAir(on=True)]
    recovery.note(StopSession())
    model.show_snapshot(stopped())
    model.show_snapshot(on_air())
    model.show_connection(False)
    model.show_snapshot(stopped())
    assert len(sent) == 4


@pytest.mark.parametrize(
    ("key", "again"),
    [
        ("privacy", [SetPrivacy(on=True), StartSession(), SetOnAir(on=True)]),
        ("hold", [SetHold(on=True), StartSession(), SetOnAir(on=True)]),
        ("air", [StartSession()]),
        ("session", []),
    ],
)
def test_a_key_that_hides_counts_while_the_live_process_is_gone(
    qtbot, start_live, open_window, key: str, again: list[object]
) -> None:
    live = start_live(on_air())
    window = open_window()
    ready(qtbot, window)
    live.end()
    qtbot.waitUntil(lambda: window.model.connection == "restarting")
    window.everyday.act(key)
    new = start_live(stopped())
    qtbot.waitUntil(lambda: bool(window.everyday.recovery.sentence))
    assert [new.next_intent() for _ in again] == again
    qtbot.wait(100)  # time enough for what must not come
    assert new.intents.empty()


def test_what_hides_can_be_clicked_while_the_live_process_restarts(qtbot, start_live, open_window) -> None:
    live = start_live(on_air())
    window = open_window()
    ready(qtbot, window)
    live.end()
    qtbot.waitUntil(lambda: window.model.connection == "restarting")
    bar, tray = window.top_bar, window.everyday.tray.actions
    for button in (bar.hold, bar.privacy, bar.session, bar.air):
        assert button.isEnabled(), button.text()
    assert not bar.record.isEnabled()
    clickable = {name for name, action in tray.items() if action.isEnabled()}
    assert clickable >= {"air", "session", "hold", "privacy"}
    assert not clickable & {"next_look", "still"}
    bar.air.click()
    new = start_live(stopped())
    qtbot.waitUntil(lambda: bool(window.everyday.recovery.sentence))
    assert new.next_intent() == StartSession()
    qtbot.wait(100)  # time enough for what must not come
    assert new.intents.empty()


def test_a_process_that_dies_again_and_again_needs_its_user(qtbot) -> None:
    now = [0.0]
    model, recovery = SessionModel(), SessionRecovery(clock=lambda: now[0])
    model.changed.connect(lambda: recovery.show_model(model))
    sent: list[object] = []
    recovery.intended.connect(sent.append)

    def die() -> int:
        sent.clear()
        model.show_snapshot(previewing())
        model.show_connection(False)
        model.show_snapshot(stopped())
        return len(sent)

    assert [die() for _ in range(4)] == [1, 1, 1, 0]
    assert "fourth time" in recovery.sentence
    now[0] = 700.0
    assert die() == 1


# ---- privacy, original, snapshots


def test_one_key_blanks_what_others_see(qtbot, start_live, open_window) -> None:
    live = start_live(on_air())
    window = open_window()
    ready(qtbot, window)
    qtbot.keyClick(window, Qt.Key.Key_F9)
    assert live.next_intent() == SetPrivacy(on=True)
    live.say(on_air(private=True, camera=SLATE))
    qtbot.waitUntil(lambda: window.top_bar.chip.word.text() == "Private")
    click(qtbot, window.top_bar.privacy)
    assert live.next_intent() == SetPrivacy(on=False)


def test_the_original_needs_a_deliberate_act_and_is_marked(qtbot, start_live, open_window) -> None:
    live = start_live(on_air())
    window = open_window()
    ready(qtbot, window)
    window.everyday.menu.original.trigger()
    question = window.question
    assert question is not None and "Show the original" in question.accessibleName()
    assert question.focusWidget().text() == "Stay restyled", "Enter changes nothing"
    click(qtbot, question.focusWidget())
    window.everyday.menu.original.trigger()
    assert live.intents.empty()
    click(qtbot, window.question.buttons()[-1])
    assert live.next_intent() == SetOriginal(on=True)
    live.say(on_air(original=True))
    qtbot.waitUntil(lambda: window.top_bar.chip.word.text() == "Original")
    badge = window.stage._words.badge(window.model)
    assert badge is not None and "as you are" in badge.word and badge.tone == "air"
    window.everyday.menu.original.trigger()
    assert live.next_intent() == SetOriginal(on=False), "the way back asks nothing"


def test_a_snapshot_is_saved_by_a_key_and_its_place_is_told(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(still="/old.png"))
    window = open_window()
    ready(qtbot, window)
    assert not window.notice.isVisible(), "what an earlier window saved is no news"
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert live.next_intent() == TakeStill()
    live.say(previewing(still="/pictures/new.png"))
    qtbot.waitUntil(lambda: "new.png" in window.notice.text.text())
    live.say(previewing(still="/pictures/new.png", source=SOURCES[2].source))
    qtbot.waitUntil(lambda: window.model.snapshot.source == "demo")
    assert "new.png" in window.notice.text.text()


def test_a_recording_shows_its_time_and_where_it_was_saved(
    qtbot, start_live, open_window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: opened.append(Path(url.toLocalFile()).name) or True
    )
    file = tmp_path / "videos" / "Overpaint.mp4"
    file.parent.mkdir()
    live = start_live(previewing(recorded="/old.mp4"))
    window = open_window()
    ready(qtbot, window)
    assert not window.notice.isVisible(), "what an earlier window recorded is no news"
    live.say(previewing(recording=str(file), recording_seconds=62, recorded="/old.mp4"))
    qtbot.waitUntil(lambda: "1:02" in window.top_bar.record.text())
    live.say(previewing(recorded=str(file)))
    qtbot.waitUntil(lambda: "Overpaint.mp4" in window.notice.text.text())
    assert window.top_bar.record.text() == "Record"
    click(qtbot, window.notice.folder)
    qtbot.waitUntil(lambda: opened == ["videos"])
    busy = Trouble(kind="busy", sentence="The camera is in use.", mend="Close the other program.")
    live.say(previewing(recorded=str(file), trouble=busy))
    qtbot.waitUntil(lambda: "in use" in window.notice.text.text())
    assert not window.notice.folder.isVisible(), "it belongs to what was saved"


# ---- the last step to the camera


def test_whoever_goes_on_air_is_told_once_what_to_choose(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    card = window.everyday.call_card
    assert not card.isVisible()
    live.say(on_air())
    qtbot.waitUntil(card.isVisible)
    assert "“Overpaint Camera”" in card.title.text()
    click(qtbot, card.done_button)
    assert not card.isVisible()
    live.say(previewing())
    qtbot.waitUntil(lambda: not window.model.on_air)
    live.say(on_air())
    qtbot.waitUntil(lambda: window.model.on_air)
    assert not card.isVisible() and window.remembered().habits.knows_places
