"""Before and after: a handle to drag, Space to hold; asked for only while one compares."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from pytestqt.qtbot import QtBot

from helpers.scripted_live import ScriptedLive, previewing, stopped
from overpaint.gui.panels import stage_panel
from overpaint.gui.window import MainWindow

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

STYLED, ORIGINAL = (20, 30, 220), (210, 40, 30)
"""BGR: red and blue."""


def picture(live: ScriptedLive, original: bool) -> np.ndarray:
    width, height = live.sizes[-1]
    both = np.empty((2, height, width, 4), np.uint8)
    both[0, ..., :3], both[1, ..., :3], both[..., 3] = STYLED, ORIGINAL, 255
    return both.reshape(2, height, width * 4) if original else both[0].copy()


def showing(qtbot: QtBot, window: MainWindow, live: ScriptedLive) -> None:
    qtbot.waitUntil(lambda: window.model.usable and bool(live.sizes) and live.sizes[-1] != (0, 0))
    qtbot.waitUntil(lambda: live.show(picture(live, False)) and window.stage.has_picture, timeout=5000)
    qtbot.waitUntil(window.stage.compare.isVisible)


def colour(window: MainWindow, share: float) -> tuple[int, int, int]:
    """At a place along the picture, a quarter above its lower edge."""
    box = window.stage.picture_rect()
    image = window.stage.grab().toImage()
    ratio = window.stage.devicePixelRatioF()
    x = round((box.left() + box.width() * share) * ratio)
    seen = image.pixelColor(x, round((box.top() + box.height() * 0.7) * ratio))
    return seen.blue(), seen.green(), seen.red()


def drag(qtbot: QtBot, window: MainWindow, share: float) -> None:
    handle, box = window.stage.compare, window.stage.picture_rect()
    start = handle.rect().center()
    goal = handle.mapFrom(window.stage, QPoint(round(box.left() + box.width() * share), box.center().y()))
    moved = QPoint(goal.x() - round(handle._line() - handle.x()) + start.x(), start.y())
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(handle, moved)
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton)


def test_dragging_the_handle_shows_the_original_at_its_left(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    showing(qtbot, window, live)
    assert not any(live.originals_wanted)
    drag(qtbot, window, 0.5)
    assert window.stage.compare.share == pytest.approx(0.5, abs=0.05)
    qtbot.waitUntil(lambda: live.originals_wanted[-1:] == [True])
    assert colour(window, 0.2) == STYLED  # until it is there, nothing else is shown
    qtbot.waitUntil(lambda: live.show(picture(live, True)) and window.stage.has_original)
    assert (colour(window, 0.2), colour(window, 0.8)) == (ORIGINAL, STYLED)
    qtbot.mouseDClick(window.stage.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: live.originals_wanted[-1] is False)
    assert colour(window, 0.2) == STYLED


def test_space_shows_the_original_for_as_long_as_it_is_held(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    showing(qtbot, window, live)
    qtbot.mouseClick(window.stage, Qt.MouseButton.LeftButton, pos=window.stage.picture_rect().center())
    qtbot.waitUntil(window.stage.hasFocus)
    qtbot.keyPress(window.stage, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: live.originals_wanted[-1:] == [True])
    qtbot.waitUntil(lambda: live.show(picture(live, True)) and window.stage.has_original)
    assert (colour(window, 0.2), colour(window, 0.8)) == (ORIGINAL, ORIGINAL)
    qtbot.keyRelease(window.stage, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: live.originals_wanted[-1] is False)
    assert colour(window, 0.5) == STYLED


def test_space_compares_wherever_the_keyboard_is_but_in_fields_and_on_buttons(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing())
    window = open_window()
    showing(qtbot, window, live)
    looks = window.looks.strip
    for widget in (window.centralWidget(), looks, window.side, window.prompt.controls.slider):
        widget.setFocus()
        qtbot.keyPress(widget, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: live.originals_wanted[-1:] == [True])
        qtbot.keyRelease(widget, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: live.originals_wanted[-1] is False)
    before = len(live.originals_wanted)
    field = window.prompt.field
    field.setFocus()
    field.setText("ink")
    qtbot.keyClick(field, Qt.Key.Key_Space)
    assert field.text() == "ink "
    button = window.side.figures.fold
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert button.isChecked()
    assert len(live.originals_wanted) == before and not window.stage._peeks


def test_the_handle_is_moved_by_keyboard(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    showing(qtbot, window, live)
    handle = window.stage.compare
    handle.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(3):
        qtbot.keyClick(handle, Qt.Key.Key_Right)
    assert handle.share == pytest.approx(0.15)
    qtbot.keyPress(handle, Qt.Key.Key_Space)
    assert live.originals_wanted or qtbot.waitUntil(lambda: bool(live.originals_wanted)) is None
    qtbot.keyRelease(handle, Qt.Key.Key_Space)
    qtbot.keyClick(handle, Qt.Key.Key_Escape)
    assert handle.share == 0
    qtbot.waitUntil(lambda: live.originals_wanted[-1] is False)


@pytest.mark.parametrize("snapshot", [stopped(), previewing(state="held", hold=True)])
def test_without_a_moving_picture_there_is_nothing_to_compare(
    qtbot, start_live, open_window, snapshot
) -> None:
    live = start_live(previewing())
    window = open_window()
    showing(qtbot, window, live)
    drag(qtbot, window, 0.5)
    live.say(snapshot)
    qtbot.waitUntil(lambda: not window.stage.compare.isVisible())
    qtbot.waitUntil(lambda: live.originals_wanted[-1] is False)


def test_controls_go_away_from_the_picture_and_come_back_with_mouse_or_keyboard(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    monkeypatch.setattr(stage_panel, "REST_MS", 50)
    live = start_live(previewing())
    window = open_window()
    window.prompt.field.setFocus()
    QCursor.setPos(window.mapToGlobal(QPoint(5, 5)))
    stage = window.stage
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: window.model.usable and bool(live.sizes) and live.sizes[-1] != (0, 0))
    qtbot.waitUntil(lambda: live.show(picture(live, False)) and stage.has_picture, timeout=5000)
    controls = (stage.compare, stage.mirror, stage.frame_button)
    qtbot.waitUntil(lambda: not any(control.isVisible() for control in controls))
    stage.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: all(control.isVisible() for control in controls))
    window.prompt.field.setFocus()
    qtbot.waitUntil(lambda: not any(control.isVisible() for control in controls))
    qtbot.mouseMove(stage, stage.picture_rect().center())
    qtbot.waitUntil(lambda: all(control.isVisible() for control in controls))
