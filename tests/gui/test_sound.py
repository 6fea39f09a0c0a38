"""Whether a recording carries the microphone is seen, changed with one click, and said the first time."""

from __future__ import annotations

import pytest

from helpers.scripted_live import MICROPHONES, SOUND, ScriptedLive, previewing
from overpaint.errors import SourceError
from overpaint.gui.widgets.meters.level_meter import share_of
from overpaint.gui.window import MainWindow
from overpaint.wire.live import LiveSnapshot, Preferences, SetPreferences, Trouble
from overpaint.wire.messages import trouble_of
from overpaint.wire.sources import (
    DEFAULT_MICROPHONE,
    NO_MICROPHONE,
    SetMuted,
    SoundLevel,
    SoundState,
    SystemSound,
    WantSoundLevel,
)

HEARD = SoundState(open=True, title="Blue Yeti", choices=MICROPHONES)


def recording(sound: SoundState = HEARD) -> LiveSnapshot:
    return previewing(recording="/v.mp4", recording_seconds=62, recording_bytes=14_200_000, sound=sound)


@pytest.fixture
def live(start_live) -> ScriptedLive:
    return start_live(previewing())


@pytest.fixture
def window(qtbot, live: ScriptedLive, open_window) -> MainWindow:
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    return window


def test_one_click_or_key_mutes_and_another_ends_that(qtbot, live: ScriptedLive, window: MainWindow) -> None:
    button = window.top_bar.sound
    assert button.isVisible() and button.accessibleName() == "Mute"
    button.click()
    assert live.next_intent() == SetMuted(on=True)
    live.say(previewing(sound=SOUND.model_copy(update={"muted": True, "heard": False})))
    qtbot.waitUntil(lambda: button.accessibleName() == "Unmute")
    assert "Muted: recordings are silent" in button.toolTip()
    window.everyday.act("mute")
    assert live.next_intent() == SetMuted(on=False)


def test_the_level_moves_while_something_is_recorded(qtbot, live: ScriptedLive, window: MainWindow) -> None:
    live.say(recording())
    button = window.top_bar.sound
    qtbot.waitUntil(lambda: "“Blue Yeti” is being recorded" in button.toolTip())
    live.say(SoundLevel(peak=0.5))
    qtbot.waitUntil(lambda: button.share == pytest.approx(share_of(0.5)))
    live.say(SoundLevel(peak=0.0))
    qtbot.waitUntil(lambda: 0 < button.share < share_of(0.5))  # it falls slowly
    for _ in range(40):
        button.show_peak(0.0)
    assert button.share == 0
    assert (share_of(1.0), share_of(0.0), share_of(0.0001)) == (1.0, 0.0, 0.0)


def test_the_first_recording_with_sound_says_so_and_no_other(
    qtbot, live: ScriptedLive, window: MainWindow
) -> None:
    live.say(recording())
    told = "Your microphone “Blue Yeti” is recorded, too. Ctrl+M mutes it."
    qtbot.waitUntil(lambda: window.notice.isVisible() and told in window.notice.text.text())
    assert window.remembered().habits.knows_sound
    live.say(previewing(recorded="/v.mp4"))
    qtbot.waitUntil(lambda: "v.mp4" in window.notice.text.text())
    live.say(recording().model_copy(update={"recorded": "/v.mp4"}))
    qtbot.waitUntil(lambda: window.model.snapshot.recording is not None)
    assert told not in window.notice.text.text()


def test_why_there_is_no_sound_stands_at_the_button(qtbot, live: ScriptedLive, window: MainWindow) -> None:
    missing = Trouble(kind="missing", sentence="No microphone is connected.", mend="Connect one.")
    live.say(recording(SoundState(trouble=missing)))
    qtbot.waitUntil(lambda: missing.sentence in window.top_bar.sound.toolTip())
    assert not window.notice.isVisible(), "a recording without sound is no failure"
    live.say(recording(SoundState(heard=False)))
    qtbot.waitUntil(lambda: "Silent while private or held" in window.top_bar.sound.toolTip())


def test_without_sound_there_is_nothing_to_mute(qtbot, live: ScriptedLive, window: MainWindow) -> None:
    live.say(previewing(preferences=Preferences(microphone=NO_MICROPHONE)))
    qtbot.waitUntil(lambda: not window.top_bar.sound.isVisible())


def test_the_record_button_shows_the_size_where_there_is_room(
    qtbot, live: ScriptedLive, window: MainWindow
) -> None:
    window.resize(1500, 800)
    live.say(recording())
    qtbot.waitUntil(lambda: window.top_bar.record.text().endswith("1:02 · 14 MB"))


def test_the_settings_choose_the_microphone_and_test_it(
    qtbot, live: ScriptedLive, window: MainWindow
) -> None:
    window.everyday.menu.settings.trigger()
    dialog = window.everyday.settings
    assert dialog is not None
    dialog.sound.test.click()
    assert live.next_intent() == WantSoundLevel(on=True), (
        "not before: opening a microphone is seen by the system"
    )
    box = dialog.sound.microphone
    assert [box.itemText(row) for row in range(box.count())] == [
        *("The system's microphone", "Blue Yeti", "Built-in Audio Analog Stereo", "No microphone")
    ]
    assert box.currentData() == DEFAULT_MICROPHONE
    live.say(SoundLevel(peak=0.3))
    qtbot.waitUntil(lambda: dialog.sound.meter.share > 0)
    box.setCurrentIndex(1)
    box.activated.emit(1)
    chosen = Preferences(microphone=MICROPHONES[0].microphone)
    assert live.next_intent() == SetPreferences(preferences=chosen)
    dialog.accept()
    assert live.next_intent() == WantSoundLevel(on=False)


def test_a_microphone_that_is_not_there_now_stays_chosen(
    qtbot, live: ScriptedLive, window: MainWindow
) -> None:
    window.everyday.open_settings()
    dialog = window.everyday.settings
    assert dialog is not None
    live.say(previewing(preferences=Preferences(microphone="usb-headset")))
    qtbot.waitUntil(lambda: dialog.sound.microphone.currentText() == "Not connected: usb-headset")
    denied = Trouble(kind="denied", sentence="Overpaint may not use the microphone.", mend="Allow it.")
    live.say(previewing(sound=SoundState(trouble=denied)))
    qtbot.waitUntil(lambda: "may not use the microphone" in dialog.sound.level_row.text.text())


def test_what_the_computer_plays_is_one_switch_with_its_own_level(
    qtbot, live: ScriptedLive, window: MainWindow
) -> None:
    window.everyday.open_settings()
    dialog = window.everyday.settings
    assert dialog is not None
    assert dialog.sound.system.isEnabled() and not dialog.sound.system.isChecked()
    dialog.sound.system.click()
    on = Preferences(system_sound=True)
    assert live.next_intent() == SetPreferences(preferences=on)
    live.say(previewing(preferences=on))
    qtbot.waitUntil(dialog.sound.system.isChecked)
    live.say(SoundLevel(peak=0.0, system=0.3))
    qtbot.waitUntil(lambda: dialog.sound.system_meter.share > 0)
    assert dialog.sound.meter.share == 0
    assert window.top_bar.sound.share > 0, "the button shows the louder of both"
    live.say(previewing(preferences=on.model_copy(update={"microphone": NO_MICROPHONE})))
    qtbot.waitUntil(lambda: not dialog.sound.meter.isVisibleTo(dialog))
    assert window.top_bar.sound.isVisible(), "there is still something to mute"


def test_where_the_computers_sound_is_not_to_be_had_the_settings_say_how_else(
    qtbot, live: ScriptedLive, window: MainWindow
) -> None:
    window.everyday.open_settings()
    dialog = window.everyday.settings
    assert dialog is not None
    live.say(
        previewing(
            sound=SoundState(system=SystemSound(trouble=trouble_of(SourceError("system_sound_macos"))))
        )
    )
    qtbot.waitUntil(lambda: not dialog.sound.system.isEnabled())
    assert "BlackHole" in dialog.sound.system_row.text.text()


def test_the_button_says_what_is_recorded(qtbot, live: ScriptedLive, window: MainWindow) -> None:
    def shows(words: str, **changes: object) -> None:
        live.say(
            recording(HEARD.model_copy(update={"system": SystemSound(offered=True, open=True), **changes}))
        )
        qtbot.waitUntil(lambda: words in window.top_bar.sound.toolTip())

    shows("“Blue Yeti” and the computer's sound are being recorded.")
    shows("The computer's sound is being recorded.", open=False)
