"""Screens and windows are chosen by what they show."""

from __future__ import annotations

import base64
import os
import sys
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QDialog, QLineEdit
from pytestqt.qtbot import QtBot

from helpers.scripted_live import SOURCES, previewing, stopped
from overpaint.gui.dialogs.network_camera_dialog import NetworkCameraDialog
from overpaint.gui.dialogs.source_dialog import SourceDialog
from overpaint.gui.files import screen_region
from overpaint.gui.window import MainWindow
from overpaint.wire.live import SetSource, SourceChoice
from overpaint.wire.sources import ForgetNetworkCamera, NameNetworkCamera, SourcePicture, WantSourcePictures

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

on_x11 = pytest.mark.skipif(
    not os.environ.get("DISPLAY") or sys.platform != "linux", reason="needs an X display"
)

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


def test_windows_without_a_picture_are_marked_and_hidden_ones_cannot_be_chosen(
    qtbot, start_live, open_window
) -> None:
    hidden = NOTES.model_copy(update={"seen": "minimised"})
    covered = EDITOR.model_copy(update={"seen": "covered"})
    live = start_live(previewing(sources=[*SOURCES, hidden, covered]))
    dialog = opened(qtbot, open_window())
    live.next_intent()
    assert titles(dialog) == ["Screen 1 · 1920×1080", "Notes (hidden)", "Editor (covered)"]
    assert "Open it first" in dialog.list.item(1).toolTip() and "compositor" in dialog.list.item(2).toolTip()
    for row in (1, 2):
        spot = dialog.list.visualItemRect(dialog.list.item(row)).center()
        qtbot.mouseClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert live.next_intent() == SetSource(source="window:Editor")


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


def paint_desktop(colour: int) -> None:
    from Xlib.display import Display

    display = Display()
    root = display.screen().root
    root.change_attributes(background_pixel=colour)
    root.clear_area()
    display.sync()
    display.close()


def fade_out() -> Callable[[], None]:
    """Leaves the screen as it is until that is called, as a compositor that fades windows out."""
    from Xlib import X
    from Xlib.display import Display

    display = Display()
    screen = display.screen()
    size = (screen.width_in_pixels, screen.height_in_pixels)
    picture = screen.root.create_pixmap(*size, screen.root_depth)
    pen = screen.root.create_gc(subwindow_mode=X.IncludeInferiors)
    picture.copy_area(pen, screen.root, 0, 0, *size, 0, 0)
    ghost = screen.root.create_window(
        0, 0, *size, 0, screen.root_depth, override_redirect=1, background_pixmap=picture
    )
    ghost.map()
    display.sync()

    def end() -> None:
        ghost.destroy()
        display.sync()
        display.close()

    return end


@on_x11
@pytest.mark.parametrize("slow", [False, True])
def test_what_one_draws_on_shows_the_desktop_without_the_program(
    qtbot, start_live, open_window, slow: bool
) -> None:
    start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
    beside = QDialog(window)
    beside.setGeometry(1500, 700, 200, 200)
    beside.open()
    qtbot.waitUntil(beside.isVisible)
    place, region = window.geometry(), window.top_bar.source.region
    spots = (place.center(), QPoint(1600, 800))

    def colours(picture: QImage) -> set[str]:
        return {picture.pixelColor(spot).name() for spot in spots}

    qtbot.waitUntil(lambda: "#000000" not in colours(window.screen().grabWindow(0).toImage()))
    paint_desktop(0x1E90FF)
    try:
        if slow:
            QTimer.singleShot(700, fade_out())
        region.start()
        qtbot.waitUntil(lambda: bool(region.covers), timeout=5000)
        assert not window.isVisible() and not beside.isVisible()
        assert colours(region.covers[0].frozen.toImage()) == {"#1e90ff"}
    finally:
        paint_desktop(0)
    qtbot.waitUntil(region.covers[0].isVisible)
    qtbot.keyClick(region.covers[0], Qt.Key.Key_Escape)
    assert not region.covers
    qtbot.waitUntil(lambda: window.isVisible() and beside.isVisible())
    assert window.geometry() == place
    beside.close()


@on_x11
def test_the_windows_come_back_where_drawing_fails_or_is_closed(
    qtbot, start_live, open_window, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    region = window.top_bar.source.region
    region.start()
    qtbot.waitUntil(lambda: bool(region.covers), timeout=5000)
    region.covers[0].close()  # as a window manager does
    assert not region.covers and window.isVisible()

    def fail(*_: object) -> None:
        raise RuntimeError("no memory for a screen this large")

    monkeypatch.setattr(screen_region, "ScreenCover", fail)
    with qtbot.capture_exceptions() as failures:
        region.start()
        qtbot.waitUntil(lambda: bool(failures), timeout=5000)
    assert window.isVisible() and not region.covers


def test_a_network_camera_is_named_by_its_address_and_its_password_is_never_shown(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    menu = window.top_bar.source.menu_list
    next(each for each in menu.actions() if each.text() == "Network camera…").trigger()
    dialog = window.findChild(NetworkCameraDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert not dialog.use.isEnabled()
    qtbot.keyClicks(dialog.address, "192.168.1.20")
    qtbot.keyClick(dialog.address, Qt.Key.Key_Return)
    assert dialog.isVisible() and "begins with rtsp://" in dialog.says.text()
    dialog.address.setText("rtsp://192.168.1.20/stream1")
    assert not dialog.says.text() and not dialog.keep.isEnabled(), "there is no password to keep"
    qtbot.keyClicks(dialog.user, "alma")
    qtbot.keyClicks(dialog.password, "s3:@/")
    assert dialog.password.displayText() == "●" * 5 and dialog.keep.isEnabled()
    qtbot.keyClick(dialog.password, Qt.Key.Key_Return)
    wanted = SetSource(source="rtsp://alma:s3%3A%40%2F@192.168.1.20/stream1", keep_login=True)
    assert live.next_intent() == wanted
    public = "rtsp://192.168.1.20/stream1"
    camera = SourceChoice(source=public, title="192.168.1.20", kind="network")
    live.say(previewing(source=public, source_title="192.168.1.20", sources=[*SOURCES, camera]))
    qtbot.waitUntil(lambda: window.top_bar.source.text() == "192.168.1.20")
    assert "192.168.1.20" in [action.text() for action in menu.actions()], "to be chosen again"
    qtbot.waitUntil(lambda: window.top_bar.source.network_dialog is None)
    window.top_bar.source.open_network()
    again = window.top_bar.source.network_dialog
    assert again is not None
    assert again.address.text() == public and not again.password.text()
    again.reject()


def test_known_network_cameras_are_named_and_forgotten(qtbot, start_live, open_window) -> None:
    door = SourceChoice(source="rtsp://door/live", title="door", kind="network", keeps_login=True)
    phone = SourceChoice(source="http://phone:8080/video", title="phone:8080", kind="network")
    live = start_live(previewing(source=phone.source, sources=[*SOURCES, phone, door]))
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
    chooser = window.top_bar.source
    chooser.open_network()
    dialog = chooser.network_dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.address.text() == phone.source and not dialog.forget.isEnabled()
    assert "in use" in dialog.forget.toolTip()
    spot = dialog.list.visualItemRect(dialog.list.item(1)).center()
    qtbot.mouseClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert dialog.address.text() == door.source and dialog.forget.isEnabled()
    assert "keyring" in dialog.list.item(1).toolTip()
    qtbot.mouseClick(dialog.rename, Qt.MouseButton.LeftButton)
    editor = dialog.list.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    qtbot.keyClicks(editor, "Front door")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert live.next_intent() == NameNetworkCamera(camera=door.source, name="Front door")
    assert dialog.isVisible(), "Enter ends the name, not the dialog"
    named = door.model_copy(update={"title": "Front door"})
    live.say(previewing(source=phone.source, sources=[*SOURCES, phone, named]))
    qtbot.waitUntil(lambda: dialog.list.currentItem().text() == "Front door")
    dialog.list.setFocus()
    qtbot.keyClick(dialog.list, Qt.Key.Key_Delete)
    assert live.next_intent() == ForgetNetworkCamera(camera=door.source)
    live.say(previewing(source=phone.source, sources=[*SOURCES, phone]))
    qtbot.waitUntil(lambda: dialog.list.count() == 1)
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert live.next_intent() == SetSource(source=door.source), "its address still stands there"
