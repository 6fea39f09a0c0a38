"""Help inside the app: the sheet lists what is bound and nothing else; the tour is shown once, in no way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

import overpaint.gui
from helpers.scripted_live import on_air, previewing
from overpaint.engine.prompt.look_search import load_search
from overpaint.gui.help.control_keys import ControlKeys
from overpaint.gui.main import _Turn, application
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered, load_remembered, save_remembered
from overpaint.startup import read_typed
from overpaint.wire.live import SetStyle

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)


def bound(window: MainWindow) -> set[str]:
    """The keys that are bound in a window, as this system writes them."""
    keys = [each.key() for each in window.findChildren(QShortcut)]
    keys += [each.shortcut() for each in window.findChildren(QAction) if not each.shortcut().isEmpty()]
    return {each.toString(QKeySequence.SequenceFormat.NativeText) for each in keys}


def test_f1_lists_every_shortcut_that_is_bound(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    qtbot.keyClick(window, Qt.Key.Key_F1)
    qtbot.waitUntil(lambda: window.help.dialog is not None and window.help.dialog.isVisible())
    sheet = window.help.sheet()
    shortcuts = [row for rows in window.help.bound().values() for row in rows]
    assert {keys for _, keys in shortcuts} == bound(window)
    assert len(shortcuts) == len(bound(window)) > 15
    rows = [row for rows in sheet.values() for row in rows]
    assert len(rows) > len(shortcuts) + 15, "the keys of single controls, too"
    assert all(words for words, _ in rows) and len({words for words, _ in rows}) == len(rows)
    dialog = window.help.dialog
    assert dialog is not None
    shown = {label.text() for label in dialog.findChildren(QLabel)}
    assert {word for row in rows for word in row} <= shown and set(sheet) <= shown
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.help.dialog is None)


def test_the_sheet_lists_the_keys_that_controls_look_for(qapp) -> None:
    gui = Path(overpaint.gui.__file__).parent
    modules = [path for path in gui.rglob("*.py") if path.parent.name not in ("dialogs", "help")]
    handled = {key for path in modules for key in re.findall(r"Qt\.Key\.Key_(\w+)", path.read_text("utf-8"))}
    twins = {"Enter", "Equal", "Backspace"}  # of Return, Plus and Delete on another place of the keyboard
    listed = {each.key().name.removeprefix("Key_") for each in ControlKeys().combinations()}
    assert handled - twins <= listed, "a key of a control that no sheet lists"
    letters = {key for key in listed if len(key) == 1 and key.isalpha()}  # copy, save, paste, undo
    assert listed - letters <= handled, "a key on the sheet that no control looks for"


def test_the_menu_opens_help_at_the_shortcuts(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window(remembered=Remembered(width=948, height=496))
    ready(qtbot, window)
    window.everyday.menu.keys.trigger()
    dialog = window.help.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    qtbot.waitUntil(lambda: dialog.area.verticalScrollBar().value() > 100)


def test_every_key_that_a_hint_names_is_bound(qtbot, start_live, open_window) -> None:
    start_live(on_air())
    window = open_window()
    ready(qtbot, window)
    hints = " ".join(each.toolTip() for each in window.findChildren(QWidget))
    named = set(re.findall(r"\(((?:Ctrl|Shift|F\d)[\w+]*)\)", hints))
    assert len(named) > 6
    assert named - {"Ctrl+Z"} <= bound(window), "Ctrl+Z is the prompt's own"


def test_the_tour_has_three_steps_and_is_shown_once(qtbot, start_live, open_window, data_folder) -> None:
    start_live(previewing())
    window = open_window()
    tour = window.help.tour
    window.help.expect()
    ready(qtbot, window)
    qtbot.waitUntil(tour.isVisible)
    save_remembered(data_folder, window.remembered())
    assert load_remembered(data_folder).habits.toured, "also where the program ends in its middle"
    titles = []
    for step in range(3):
        assert tour.count.text() == f"{step + 1} of 3"
        titles.append(tour.title.text())
        assert window.rect().contains(tour.geometry())
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)
    assert tour.isHidden() and len(set(titles)) == 3


def test_the_program_shows_the_tour_at_its_first_start_only(theme, start_live, data_folder) -> None:
    start_live(previewing())
    turn = _Turn(application(), theme, data_folder, lambda: None, lambda _: None, load_search, read_typed)
    shown: list[bool] = []

    def look() -> None:
        window = turn._window
        if window is None or not window.model.usable:
            QTimer.singleShot(50, look)
            return
        shown.append(window.help.tour.isVisible())
        window.leave(end_live=False)

    for _ in range(2):
        QTimer.singleShot(50, look)
        turn.run()
    assert shown == [True, False]


def test_the_tour_can_be_skipped_and_asked_for_again(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.help.open()
    assert window.help.dialog is not None
    qtbot.mouseClick(window.help.dialog.tour, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.help.tour.isVisible)
    qtbot.mouseClick(window.help.tour.skip, Qt.MouseButton.LeftButton)
    assert window.help.tour.isHidden()


def test_esc_ends_the_tour_wherever_the_cursor_is(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    for widget in (window.prompt.field, window.help.tour.next):
        window.help.tour.begin()
        widget.setFocus()
        qtbot.keyClick(widget, Qt.Key.Key_Escape)
        assert window.help.tour.isHidden()


def test_the_tour_is_in_nobodys_way(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.help.tour.begin()
    window.prompt.focus_text()
    qtbot.keyClicks(window.prompt.field, "oil painting")
    qtbot.keyClick(window.prompt.field, Qt.Key.Key_Return)
    while not isinstance(live.next_intent(), SetStyle):
        pass
    assert window.help.tour.isVisible() and window.help.tour.step == 1, "what was done is not explained"
    before = window.help.tour.geometry()
    window.resize(window.width() - 200, window.height() - 100)
    qtbot.waitUntil(lambda: window.help.tour.geometry() != before)
    assert window.rect().contains(window.help.tour.geometry())


@pytest.mark.parametrize("size", [(1280, 800), (1354, 724), (948, 496), (1068, 1876)])
def test_a_hint_covers_the_picture_and_nothing_that_one_would_click(
    qtbot, start_live, open_window, size
) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.resize(*size)
    tour, stage = window.help.tour, window.stage
    for side in (True, False):
        window.show_side(side)
        tour.begin()
        for _ in range(3):
            qtbot.waitUntil(
                lambda: QRect(stage.mapTo(window, QPoint()), stage.size()).contains(tour.geometry())
            )
            tour.next.click()


def test_the_tour_makes_room_for_the_gallery(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.help.tour.begin()
    window.looks.open_gallery()
    tour = window.help.tour
    qtbot.waitUntil(lambda: tour.step == 1)
    gallery = window.looks.gallery
    assert tour.isVisible()
    assert not tour.geometry().intersects(QRect(gallery.mapTo(window, QPoint()), gallery.size()))
    window.looks.close_gallery()
    assert tour.step == 1, "only the first hint is about looks"


def test_what_the_tour_asks_for_counts_by_every_way_and_though_it_changes_nothing(
    qtbot, start_live, open_window
) -> None:
    start_live(previewing(prompt="ink comic"))
    window = open_window()
    ready(qtbot, window)
    tour = window.help.tour
    for by in ("text", "look"):
        tour.begin()
        if by == "text":
            window.prompt.focus_text()
            qtbot.keyClicks(window.prompt.field, "ink comic")
            qtbot.keyClick(window.prompt.field, Qt.Key.Key_Return)
        else:
            strip = window.looks.strip
            card = strip.visualRect(strip.shelf.index(0, 0))
            qtbot.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=card.center())
        assert tour.step == 1
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: tour.step == 2)


@pytest.mark.parametrize("size", [(1280, 800), (1354, 724), (948, 496), (800, 480), (1068, 1876)])
def test_neither_the_tour_nor_a_notice_covers_the_other(qtbot, start_live, open_window, size) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.resize(*size)
    tour, notice, card = window.help.tour, window.notice, window.everyday.call_card
    notice.say("Saved: recording-2026-11-23-22-15-08.mp4 in /home/me/Videos/Overpaint", True, "/home/me")

    def place(widget: QWidget) -> QRect:
        return QRect(widget.mapTo(window, QPoint()), widget.size())

    for side, gallery in ((True, False), (False, False), (True, True)):
        window.show_side(side)
        if gallery:
            window.looks.open_gallery()
        tour.begin()
        for _ in range(3):
            qtbot.wait(30)  # the layouts follow each other
            assert notice.isVisible() and tour.isVisible() and window.rect().contains(place(tour))
            assert not place(notice).intersects(place(tour)), (side, gallery, tour.step)
            assert window.rect().contains(place(notice)) and notice.width() >= 250
            tour.next.click()
    notice.hide()
    card.show_camera("Overpaint Camera")
    tour.begin()
    qtbot.wait(30)
    assert size[1] < 600 or not place(card).intersects(place(tour)), "also the hint of the first call"
