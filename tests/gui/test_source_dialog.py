"""Screens and windows are chosen by what they show."""

from __future__ import annotations

import base64

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from helpers.scripted_live import SOURCES, previewing, stopped
from overpaint.gui.dialogs.source_dialog import SourceDialog
from overpaint.gui.window import MainWindow
from overpaint.wire.live import SetSource, SourceChoice
from overpaint.wire.sources import SourcePicture, WantSourcePictures

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

EDITOR = SourceChoice(source="window:Editor", title="Editor", kind="window")
NOTES = SourceChoice(source="window:Notes", title="Notes", kind="window")


def opened(qtbot: QtBot, window: MainWindow) -> SourceDialog:
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
    chooser = window.top_bar.source
    action = next(each for each in chooser.menu_list.actions() if each.text() == "Screens and windows…")
    action.trigger()
    assert chooser.dialog is not None
    qtbot.waitUntil(chooser.dialog.isVisible)
    return chooser.dialog


def titles(dialog: SourceDialog) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def colour(dialog: SourceDialog, row: int) -> QColor:
    image = dialog.list.item(row).icon().pixmap(208, 117).toImage()
    return image.pixelColor(image.width() // 2, image.height() // 2)


def test_windows_are_chosen_by_a_click_on_their_picture(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(sources=[*SOURCES, EDITOR, NOTES]))
    window = open_window()
    dialog = opened(qtbot, window)
    assert live.next_intent() == WantSourcePictures(on=True)
    assert titles(dialog) == ["Screen 1 · 1920×1080", "Editor", "Notes"]
    done, data = cv2.imencode(".jpg", np.full((180, 320, 3), (0, 200, 0), np.uint8))
    assert done
    live.say(SourcePicture(source="window:Notes", picture=base64.b64encode(data.tobytes()).decode()))
    qtbot.waitUntil(lambda: colour(dialog, 2).green() > 150)
    assert colour(dialog, 1).green() < 100
    # What comes and goes leaves the pictures of the others alone.
    live.say(previewing(sources=[*SOURCES, NOTES]))
    qtbot.waitUntil(lambda: titles(dialog) == ["Screen 1 · 1920×1080", "Notes"])
    assert colour(dialog, 1).green() > 150
    item = dialog.list.visualItemRect(dialog.list.item(1))
    qtbot.mouseClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, pos=item.center())
    intents = {live.next_intent(), live.next_intent()}
    assert intents == {SetSource(source="window:Notes"), WantSourcePictures(on=False)}
    qtbot.waitUntil(lambda: window.top_bar.source.dialog is None)


def test_the_programs_own_windows_are_not_on_offer(qtbot, start_live, open_window) -> None:
    own = SourceChoice(source="window:Overpaint", title="Overpaint", kind="window")
    start_live(previewing(sources=[*SOURCES, own, NOTES]))
    assert titles(opened(qtbot, open_window())) == ["Screen 1 · 1920×1080", "Notes"]


def test_the_keyboard_chooses_too_and_escape_gives_up(qtbot, start_live, open_window) -> None:
    live = start_live(stopped(source="screen:0", sources=[*SOURCES, EDITOR]))
    window = open_window()
    dialog = opened(qtbot, window)
    live.next_intent()
    dialog.list.setFocus()
    assert dialog.list.currentRow() == 0  # the one in use
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert live.next_intent() == WantSourcePictures(on=False)
    dialog = opened(qtbot, window)
    live.next_intent()
    dialog.list.setFocus()
    qtbot.keyClick(dialog.list, Qt.Key.Key_Right)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert SetSource(source="window:Editor") in {live.next_intent(), live.next_intent()}


def test_a_system_that_shows_no_windows_says_so(qtbot, start_live, open_window) -> None:
    start_live(stopped())
    window = open_window()
    dialog = opened(qtbot, window)
    assert "no windows" in dialog.hint.text()
    dialog.reject()


def test_the_menu_holds_only_the_window_in_use(qtbot, start_live, open_window) -> None:
    start_live(previewing(source="window:Notes", source_title="Notes", sources=[*SOURCES, EDITOR, NOTES]))
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    texts = [action.text() for action in window.top_bar.source.menu_list.actions()]
    assert "Notes" in texts and "Editor" not in texts


def test_a_part_of_the_screen_is_drawn_and_becomes_the_source(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    chooser = window.top_bar.source
    next(each for each in chooser.menu_list.actions() if each.text() == "Part of the screen…").trigger()
    qtbot.waitUntil(lambda: bool(chooser.region.covers))
    cover = chooser.region.covers[0]
    qtbot.waitUntil(cover.isVisible)
    qtbot.mousePress(cover, Qt.MouseButton.LeftButton, pos=QPoint(40, 60))
    qtbot.mouseMove(cover, QPoint(359, 239))
    qtbot.mouseRelease(cover, Qt.MouseButton.LeftButton, pos=QPoint(359, 239))
    assert live.next_intent() == SetSource(source="screen:0@40,60,320,180")
    assert not chooser.region.covers
