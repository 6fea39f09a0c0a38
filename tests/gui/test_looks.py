"""The gallery of looks: chosen by hand and by keyboard, searched, starred, remembered."""

from __future__ import annotations

import base64

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helpers.scripted_live import LOOKS, previewing, stopped
from overpaint.gui.looks.look_lists import look_name
from overpaint.gui.widgets.looks.look_list import LookList
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered, load_remembered, save_remembered
from overpaint.wire.live import LookChoice, SetStyle
from overpaint.wire.looks import LookPicture

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)


def shown(view: LookList) -> list[str]:
    return [look_name(view.shelf.index(row, 0)) for row in range(view.shelf.rowCount())]


def click(qtbot: QtBot, view: LookList, row: int, at: QPoint | None = None) -> None:
    card = view.visualRect(view.shelf.index(row, 0))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at or card.center())


def star(view: LookList, row: int) -> QPoint:
    return view.cards.star_of(view.visualRect(view.shelf.index(row, 0))).center()


def open_gallery(qtbot: QtBot, window: MainWindow) -> LookList:
    QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(window.looks.gallery.search.hasFocus)
    return window.looks.gallery.grid


def test_a_look_is_chosen_by_click_and_by_keyboard(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    strip = window.looks.strip
    click(qtbot, strip, 1)
    assert live.next_intent() == SetStyle(prompt="Pencil sketch")
    assert window.prompt.field.text() == "Pencil sketch"
    strip.setCurrentIndex(strip.shelf.index(2, 0))
    qtbot.keyClick(strip, Qt.Key.Key_Return)
    assert live.next_intent() == SetStyle(prompt="Watercolour")
    assert live.intents.empty()


def test_another_look_keeps_strength_and_place(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="ink comic, very warm, at 60 % strength, only the background"))
    window = open_window()
    ready(qtbot, window)
    click(qtbot, window.looks.strip, 1)
    assert live.next_intent() == SetStyle(prompt="Pencil sketch, at 60 % strength, only the background")


def test_every_card_has_the_picture_that_ships(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    pictures = window.looks.pictures
    qtbot.waitUntil(lambda: all(pictures.picture(look.name) is not None for look in LOOKS))
    strip = window.looks.strip
    box = strip.visualRect(strip.shelf.index(1, 0))
    image = strip.viewport().grab().toImage()
    colours = {image.pixel(x, box.top() + 40) for x in range(box.left() + 10, box.right() - 20)}
    assert len(colours) > 20  # a photograph, not a plain box


@pytest.mark.parametrize(
    ("prompt", "understood", "row"),
    [
        ("pencil sketch", "", 1),
        ("Watercolour, at 40 % strength", "", 2),
        ("an old drawing", "Pencil sketch, warm", 1),
        ("something else", "a text that is about no look at all", None),
    ],
)
def test_the_look_that_is_shown_is_marked(qtbot, start_live, open_window, prompt, understood, row) -> None:
    start_live(previewing(prompt=prompt, understood=understood))
    window = open_window()
    ready(qtbot, window)
    looks = window.looks.looks
    assert looks.active_row == row
    if row is not None:
        spoken = looks.data(looks.index(row), Qt.ItemDataRole.AccessibleTextRole)
        assert "shown now" in spoken


def test_the_gallery_is_searched_as_one_types(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    assert len(shown(grid)) == len(LOOKS)
    qtbot.keyClicks(window.looks.gallery.search, "paper warm")
    assert shown(grid) == ["pencil-sketch"]  # both words are in its description
    qtbot.keyClick(window.looks.gallery.search, Qt.Key.Key_Return)
    assert live.next_intent() == SetStyle(prompt="Pencil sketch")


def test_what_begins_as_searched_stands_first(qtbot, start_live, open_window) -> None:
    crayon = LookChoice(name="coloured-pencil", title="Coloured pencil", description="Crayon strokes")
    washed = LookChoice(name="gouache", title="Gouache", description="Flat paint over a pencil drawing")
    start_live(previewing(looks=[washed, crayon, *LOOKS]))
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    qtbot.keyClicks(window.looks.gallery.search, "penc")
    assert shown(grid) == ["pencil-sketch", "coloured-pencil", "gouache"]


def test_words_that_name_no_look_can_be_the_prompt(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    gallery = window.looks.gallery
    qtbot.keyClicks(gallery.search, "my own dream")
    assert not grid.isVisible() and "my own dream" in gallery.empty.text()
    qtbot.keyClick(gallery.search, Qt.Key.Key_Return)
    assert live.next_intent() == SetStyle(prompt="my own dream")


def test_the_gallery_is_walked_by_keyboard_and_closed(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    assert not window.looks.strip.isVisible()
    qtbot.keyClick(window.looks.gallery.search, Qt.Key.Key_Down)
    assert grid.hasFocus()
    qtbot.keyClick(grid, Qt.Key.Key_Right)
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    assert live.next_intent() == SetStyle(prompt="Pencil sketch")
    qtbot.keyClicks(grid, "o")  # letters search, wherever one is
    assert window.looks.gallery.search.hasFocus() and window.looks.gallery.search.text() == "o"
    qtbot.keyClick(window.looks.gallery.search, Qt.Key.Key_Escape)
    assert window.looks.gallery.search.text() == "" and window.looks.is_expanded
    qtbot.keyClick(window.looks.gallery.search, Qt.Key.Key_Escape)
    assert not window.looks.is_expanded and window.looks.strip.hasFocus()


def test_a_favourite_comes_first_and_is_remembered(qtbot, start_live, open_window, data_folder) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    strip = window.looks.strip
    click(qtbot, strip, 2, star(strip, 2))
    assert shown(strip)[0] == "watercolour" and live.intents.empty()
    strip.setFocus()
    strip.setCurrentIndex(strip.shelf.index(3, 0))
    name = look_name(strip.currentIndex())
    QTest.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert set(shown(strip)[:2]) == {"watercolour", name}
    save_remembered(data_folder, window.remembered())
    assert load_remembered(data_folder).favourite_looks == ("watercolour", name)
    click(qtbot, strip, 0, star(strip, 0))
    assert "watercolour" not in window.remembered().favourite_looks


def test_shelves_hold_favourites_and_what_was_used_last(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window(
        remembered=Remembered(favourite_looks=("film-noir",), recent_looks=("oil-painting",))
    )
    ready(qtbot, window)
    click(qtbot, window.looks.strip, 2)
    used = live.next_intent()
    grid = open_gallery(qtbot, window)
    shelves = window.looks.gallery.shelves
    qtbot.mouseClick(shelves["favourites"], Qt.MouseButton.LeftButton)
    assert shown(grid) == ["film-noir"]
    qtbot.mouseClick(shelves["recent"], Qt.MouseButton.LeftButton)
    titles = {look.name: look.title for look in LOOKS}
    assert [titles[name] for name in shown(grid)] == [used.prompt, "Oil painting"]
    qtbot.mouseClick(shelves["all"], Qt.MouseButton.LeftButton)
    assert len(shown(grid)) == len(LOOKS)


def test_no_favourites_yet_says_how_to_make_one(qtbot, start_live, open_window) -> None:
    start_live(stopped())
    window = open_window()
    ready(qtbot, window)
    open_gallery(qtbot, window)
    gallery = window.looks.gallery
    qtbot.mouseClick(gallery.shelves["favourites"], Qt.MouseButton.LeftButton)
    assert gallery.empty.isVisible() and "star" in gallery.empty.text()


def test_the_looks_in_sight_are_asked_for_and_shown_as_they_are_painted(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    qtbot.waitUntil(lambda: bool(live.wanted))
    assert live.wanted[-1] == tuple(window.looks.strip.in_sight())
    assert 0 < len(live.wanted[-1]) < len(LOOKS)
    pictures = window.looks.pictures
    with qtbot.waitSignal(
        pictures.changed, check_params_cb=lambda name: name == "watercolour" and pictures.is_own(name)
    ):
        live.say(LookPicture(name="watercolour", picture=jpeg((0, 200, 0))))
    painted = pictures.picture("watercolour")
    assert painted is not None and painted.toImage().pixelColor(3, 3).green() > 150


def test_a_gallery_asks_for_all_and_a_window_out_of_sight_for_none(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    open_gallery(qtbot, window)
    qtbot.waitUntil(lambda: bool(live.wanted) and set(live.wanted[-1]) == {look.name for look in LOOKS})
    window.hide()
    qtbot.waitUntil(lambda: live.wanted[-1] == ())


def test_a_live_process_that_came_back_is_asked_again(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    qtbot.waitUntil(lambda: bool(live.wanted))
    live.end()
    qtbot.waitUntil(lambda: not window.model.usable)
    again = start_live(previewing())
    qtbot.waitUntil(lambda: bool(again.wanted), timeout=10_000)


def jpeg(bgr: tuple[int, int, int]) -> str:
    done, data = cv2.imencode(".jpg", np.full((180, 320, 3), bgr, np.uint8))
    assert done
    return base64.b64encode(data.tobytes()).decode()
