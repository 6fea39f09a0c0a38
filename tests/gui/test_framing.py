"""The source's picture is mirrored, turned, filled and enlarged from the stage, and comes back as it was."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from helpers.look_states import FORMATS, SCREEN
from helpers.scripted_live import ScriptedLive, previewing
from overpaint.gui.panels.framing_panel import FramingPanel
from overpaint.gui.window import MainWindow
from overpaint.wire.framing import Framing, SetFraming
from overpaint.wire.preferences import Preferences, SetPreferences
from overpaint.wire.sources import SetSourceOptions, SourceOffer, SourceOptions

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


def opened(qtbot: QtBot, window: MainWindow) -> FramingPanel:
    qtbot.waitUntil(lambda: window.model.usable, timeout=5000)
    window.stage._open_framing()
    qtbot.waitUntil(window.stage.framing.isVisible)
    return window.stage.framing


def sent(qtbot: QtBot, live: ScriptedLive) -> Framing:
    """The next one; Qt goes on meanwhile."""
    qtbot.waitUntil(lambda: not live.intents.empty(), timeout=10_000)
    intent = live.next_intent()
    assert isinstance(intent, SetFraming)
    return intent.framing


def test_every_control_says_the_whole_framing(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    panel = opened(qtbot, window)
    qtbot.mouseClick(panel.mirror, Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == Framing(mirror=True)
    qtbot.mouseClick(panel.turn, Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == Framing(mirror=True, quarter_turns=1)
    assert not panel.across.isEnabled()  # all of it is seen: nothing to move
    qtbot.mouseClick(panel.fill, Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == Framing(mirror=True, quarter_turns=1, fill=True)
    panel.across.setFocus()
    qtbot.keyClick(panel.across, Qt.Key.Key_Right)
    assert sent(qtbot, live) == Framing(mirror=True, quarter_turns=1, fill=True, pan_x=0.05)
    qtbot.keyClick(panel.zoom, Qt.Key.Key_PageUp)
    assert sent(qtbot, live).zoom == 1.25
    qtbot.mouseClick(panel.reset, Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == Framing()
    assert not panel.mirror.isChecked() and panel.whole.isChecked()
    panel.close()


def test_light_is_a_switch_and_a_slider(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(preferences=Preferences(light=60, muted=True)))
    light = opened(qtbot, open_window()).light

    def told() -> Preferences:
        qtbot.waitUntil(lambda: not live.intents.empty(), timeout=10_000)
        intent = live.next_intent()
        assert isinstance(intent, SetPreferences)
        return intent.preferences

    assert light.switch.isChecked() and (light.slider.value(), light.percent.text()) == (60, "60 %")
    qtbot.keyClick(light.slider, Qt.Key.Key_Right)
    assert told().model_fields_set == {"light"}, "and nothing else, such as a mute made elsewhere"
    qtbot.mouseClick(light.switch, Qt.MouseButton.LeftButton)
    assert told().light == 0
    assert not light.slider.isEnabled() and light.percent.text() == "Off"
    qtbot.mouseClick(light.switch, Qt.MouseButton.LeftButton)
    assert told().light == 65, "as it was before"
    assert light.slider.isEnabled()


def test_its_button_and_the_mirror_stand_beside_each_other(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable and bool(live.sizes) and live.sizes[-1] != (0, 0))
    width, height = live.sizes[-1]
    stage = window.stage
    picture = np.zeros((height, width, 4), np.uint8)
    qtbot.waitUntil(
        lambda: live.show(picture) and stage.mirror.isVisible() and stage.frame_button.isVisible()
    )
    assert not stage.mirror.geometry().intersects(stage.frame_button.geometry())


def test_what_was_set_for_a_source_is_shown_with_it(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(framing=Framing(mirror=True, zoom=2, pan_y=-0.5)))
    window = open_window()
    panel = opened(qtbot, window)
    assert (panel.mirror.isChecked(), panel.zoom.value(), panel.up.value()) == (True, 200, -50)
    live.say(previewing(source="demo", framing=Framing()))
    qtbot.waitUntil(lambda: not panel.mirror.isChecked() and panel.zoom.value() == 100)
    assert live.intents.empty()
    panel.close()


def said(qtbot: QtBot, live: ScriptedLive) -> SourceOptions:
    qtbot.waitUntil(lambda: not live.intents.empty(), timeout=10_000)
    intent = live.next_intent()
    assert isinstance(intent, SetSourceOptions)
    return intent.options


def test_a_camera_offers_its_formats_the_best_first(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(offer=SourceOffer(formats=FORMATS)))
    window = open_window()
    panel = opened(qtbot, window)
    assert panel.format_row.isVisible()
    assert not panel.pointer_row.isVisible() and not panel.rate_row.isVisible()
    assert panel.format.currentText() == "Best: 1920×1080, 30 fps (MJPG)"
    assert panel.format.count() == 1 + len(FORMATS)
    panel.format.setFocus()
    qtbot.keyClick(panel.format, Qt.Key.Key_End)
    assert said(qtbot, live) == SourceOptions(format=FORMATS[-1])
    live.say(previewing(offer=SourceOffer(formats=FORMATS), options=SourceOptions(format=FORMATS[1])))
    qtbot.waitUntil(lambda: panel.format.currentText() == "1280×720, 30 fps (MJPG)")
    qtbot.keyClick(panel.format, Qt.Key.Key_Home)
    assert said(qtbot, live) == SourceOptions()
    panel.close()


def test_a_screen_moves_at_thirty_frames_a_second_or_at_sixty(qtbot, start_live, open_window) -> None:
    live = start_live(SCREEN)
    panel = opened(qtbot, open_window())
    assert panel.rate_row.isVisible() and panel.rate.currentText() == "30"
    panel.rate.setFocus()
    qtbot.keyClick(panel.rate, Qt.Key.Key_End)
    assert said(qtbot, live) == SourceOptions(fps=60)
    live.say(SCREEN.model_copy(update={"options": SourceOptions(fps=60)}))
    qtbot.waitUntil(lambda: panel.rate.currentText() == "60, where the look is light enough")
    panel.close()


def test_the_mouse_pointer_of_a_screen_is_a_switch_where_there_can_be_one(
    qtbot, start_live, open_window
) -> None:
    live = start_live(SCREEN)
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable, timeout=5000)
    window.top_bar.source._want_options()  # the list's own entry
    panel = window.stage.framing
    qtbot.waitUntil(panel.isVisible)
    assert not panel.format_row.isVisible()
    qtbot.mouseClick(panel.pointer, Qt.MouseButton.LeftButton)
    assert said(qtbot, live) == SourceOptions(pointer=False)
    live.say(SCREEN.model_copy(update={"offer": SourceOffer(pointer="system")}))
    qtbot.waitUntil(lambda: not panel.pointer.isVisible())
    assert "This system decides" in panel.pointer_row.text.text()
    panel.close()
