"""Kind, quality and size of a recording are chosen; a full disk is told in time; replays are saved."""

from __future__ import annotations

import pytest

from helpers.scripted_live import MICROPHONES, ScriptedLive, previewing
from overpaint.gui.dialogs.settings.recording_settings import RecordingSettings
from overpaint.gui.window import MainWindow
from overpaint.wire.live import LiveSnapshot, Preferences, SaveReplay, SetPreferences
from overpaint.wire.sources import SoundState


@pytest.fixture
def live(start_live) -> ScriptedLive:
    return start_live(previewing(preferences=Preferences(recording_quality="small")))


@pytest.fixture
def window(qtbot, live: ScriptedLive, open_window) -> MainWindow:
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    return window


def recording(left_s: int | None) -> LiveSnapshot:
    return previewing(
        recording="/v.mp4", recording_seconds=62, recording_bytes=9_000_000, recording_left_seconds=left_s
    )


def shown(window: MainWindow) -> RecordingSettings:
    window.everyday.menu.settings.trigger()
    dialog = window.everyday.settings
    assert dialog is not None
    return dialog.recordings


def test_each_choice_is_told_to_the_live_process(live: ScriptedLive, window: MainWindow) -> None:
    rows = shown(window)
    assert rows.quality.currentText() == "Small file · up to 30 MB/min"
    for box, name, value in (
        (rows.kind, "recording_container", "mkv"),
        (rows.quality, "recording_quality", "high"),
        (rows.rows, "recording_height", 720),
        (rows.fps, "recording_fps", 30),
    ):
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())
        told = live.next_intent().preferences
        assert told.model_fields_set == {name} and getattr(told, name) == value


def test_a_disk_with_little_room_is_told_once_for_each_step(
    qtbot, live: ScriptedLive, window: MainWindow
) -> None:
    live.say(recording(601))
    qtbot.waitUntil(lambda: "Room on the disk: 10 min" in window.top_bar.record.toolTip())
    assert not window.notice.isVisible()
    live.say(recording(590))
    qtbot.waitUntil(lambda: "room for less than 10 min" in window.notice.text.text())
    window.notice.dismiss.click()
    live.say(recording(400))
    qtbot.waitUntil(lambda: "Room on the disk: 6 min" in window.top_bar.record.toolTip())
    assert not window.notice.isVisible(), "what was dismissed is not said again"
    live.say(recording(50))
    qtbot.waitUntil(lambda: "room for less than 1 min" in window.notice.text.text())
    assert window.notice.isVisible()


def test_nothing_is_said_of_a_disk_that_does_not_tell(qtbot, live: ScriptedLive, window: MainWindow) -> None:
    live.say(recording(None))
    qtbot.waitUntil(lambda: "9 MB so far" in window.top_bar.record.toolTip())
    assert "Room" not in window.top_bar.record.toolTip() and not window.notice.isVisible()


# ---- replay


def test_the_menu_turns_replay_on_and_then_saves_the_last_seconds(
    qtbot, live: ScriptedLive, window: MainWindow
) -> None:
    action = window.everyday.menu.replay
    assert action.text() == "Keep the last 30 seconds from now on"
    action.trigger()
    kept = Preferences(replay=True)
    assert live.next_intent() == SetPreferences(preferences=kept)
    assert "Ctrl+Shift+S saves them" in window.notice.text.text(), "and that the microphone is open"
    live.say(previewing(preferences=kept, replay_seconds=12))
    qtbot.waitUntil(lambda: action.text() == "Save the last 30 seconds")
    action.trigger()
    assert live.next_intent() == SaveReplay()
    live.say(previewing(preferences=kept, replay_seconds=30, replayed="/home/me/Videos/replay.mp4"))
    qtbot.waitUntil(lambda: "Saved: replay.mp4" in window.notice.text.text())


def test_a_key_saves_the_last_seconds_and_turns_nothing_on(live: ScriptedLive, window: MainWindow) -> None:
    """In another program nobody would see that the microphone is opened."""
    window.everyday.keys.pressed.emit("replay")
    assert live.next_intent() == SaveReplay()


def test_the_settings_turn_replay_on(live: ScriptedLive, window: MainWindow) -> None:
    rows = shown(window)
    assert not rows.replay.isChecked()
    rows.replay.click()
    assert live.next_intent() == SetPreferences(preferences=Preferences(replay=True))


def test_the_microphone_that_a_replay_keeps_is_seen(qtbot, live: ScriptedLive, window: MainWindow) -> None:
    heard = SoundState(open=True, title="Blue Yeti", choices=MICROPHONES)
    live.say(previewing(preferences=Preferences(replay=True), replay_seconds=3, sound=heard))
    qtbot.waitUntil(lambda: "“Blue Yeti” is being recorded" in window.top_bar.sound.toolTip())
