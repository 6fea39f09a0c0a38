"""The gallery of looks: chosen by hand and by keyboard, searched, starred, remembered."""

from __future__ import annotations

import base64

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from helpers.look_states import LOOKING
from helpers.scripted_live import LOOKS, previewing, stopped
from overpaint import startup
from overpaint.engine.library import GROUPS
from overpaint.engine.prompt.look_search import find_looks
from overpaint.errors import OverpaintError
from overpaint.gui.looks.look_finder import FindLooks, LookFinder
from overpaint.gui.looks.look_lists import COUNTED, LookListModel, LookShelf, look_name
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
    assert shown(grid)[:2] == ["pencil-sketch", "coloured-pencil"]
    assert "gouache" in shown(grid)[2:]  # the word is in its description


def test_words_that_name_no_look_can_be_the_prompt(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    gallery = window.looks.gallery
    qtbot.keyClicks(gallery.search, "zebra crossing")
    assert not grid.isVisible() and "zebra crossing" in gallery.empty.text()
    qtbot.keyClick(gallery.search, Qt.Key.Key_Return)
    assert live.next_intent() == SetStyle(prompt="zebra crossing")


def test_shift_and_enter_make_a_search_the_prompt_though_looks_are_found(
    qtbot, start_live, open_window
) -> None:
    live = start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    search = window.looks.gallery.search
    qtbot.waitUntil(lambda: window.looks.search.is_ready)
    qtbot.keyClicks(search, "sepia")
    assert shown(grid)  # but the prompt tones the picture itself
    qtbot.keyClick(search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert live.next_intent() == SetStyle(prompt="sepia")


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


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("cartoon", "anime-cel"),
        ("sepia", "silent-film"),
        ("Bleistift", "pencil-sketch"),
        ("aquarelle", "watercolour"),
        ("olgemalde", "oil-painting"),
        ("watercolur", "watercolour"),
        ("carto", "anime-cel"),
    ],
)
def test_the_search_understands_what_prompts_understand(qtbot, start_live, open_window, typed, first) -> None:
    live = start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    qtbot.waitUntil(lambda: window.looks.search.is_ready)
    qtbot.keyClicks(window.looks.gallery.search, typed)
    assert shown(grid)[0] == first
    qtbot.keyClick(window.looks.gallery.search, Qt.Key.Key_Return)
    titles = {look.name: look.title for look in LOOKING.looks}
    assert live.next_intent() == SetStyle(prompt=titles[first])


def test_what_is_typed_before_the_words_are_read_is_found_once_they_are(
    qtbot, start_live, open_window
) -> None:
    start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    assert not window.looks.search.is_ready  # the words take a while, and most windows never need them
    window.looks.open_gallery("retro")
    grid = window.looks.gallery.grid
    qtbot.waitUntil(lambda: {"vhs", "crt", "pixel-art", "synthwave"} <= set(shown(grid)))
    assert grid.isVisible()


def test_the_program_gives_its_window_the_search_of_prompts() -> None:
    assert startup._load_search() is find_looks


@pytest.mark.expect_log("looks can only be searched by their names")
def test_looks_are_found_by_name_where_the_words_cannot_be_read(qtbot) -> None:
    def fails() -> FindLooks:
        raise OverpaintError("installation_incomplete", part="words")

    looks = LookListModel()
    looks.show_snapshot(LOOKING)
    finder = LookFinder(fails)
    shelf = LookShelf(looks, search=finder)
    shelf.search("MÁNGA")
    finder.wait()
    assert not finder.is_ready
    assert [look_name(shelf.index(row, 0)) for row in range(shelf.rowCount())] == ["manga"]


def test_a_group_holds_the_looks_of_its_kind(qtbot, start_live, open_window) -> None:
    start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    gallery = window.looks.gallery
    assert set(gallery.groups) == set(GROUPS), "every group has a name in the window"
    listed = []
    for group, button in gallery.groups.items():
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert set(shown(grid)) == {look.name for look in LOOKING.looks if look.group == group}
        listed += shown(grid)
    assert sorted(listed) == sorted(look.name for look in LOOKING.looks)
    qtbot.mouseClick(gallery.shelves["all"], Qt.MouseButton.LeftButton)
    assert len(shown(grid)) == len(LOOKING.looks)


def test_a_group_is_searched_and_what_it_lacks_is_found_among_all(qtbot, start_live, open_window) -> None:
    start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    gallery = window.looks.gallery
    qtbot.waitUntil(lambda: window.looks.search.is_ready)
    qtbot.mouseClick(gallery.groups["film"], Qt.MouseButton.LeftButton)
    qtbot.keyClicks(gallery.search, "retro")
    assert set(shown(grid)) == {"film-stock", "vhs"}
    gallery.search.clear()
    qtbot.keyClicks(gallery.search, "aquarell")
    assert shown(grid)[0] == "watercolour" and gallery.shelves["all"].isChecked()


def test_groups_without_looks_have_no_button(qtbot, start_live, open_window) -> None:
    start_live(previewing())  # looks of a live process that tells no groups
    window = open_window()
    ready(qtbot, window)
    open_gallery(qtbot, window)
    assert not any(button.isVisible() for button in window.looks.gallery.groups.values())


def test_the_most_used_looks_come_first_and_are_counted_over_restarts(
    qtbot, start_live, open_window, data_folder
) -> None:
    start_live(LOOKING)
    window = open_window(remembered=Remembered(look_uses={"manga": 1, "crt": 2}))
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    for name in ("manga", "manga", "vhs"):
        grid.chosen.emit(name)
    qtbot.mouseClick(window.looks.gallery.shelves["used"], Qt.MouseButton.LeftButton)
    assert shown(grid) == ["manga", "crt", "vhs"]
    save_remembered(data_folder, window.remembered())
    assert load_remembered(data_folder).look_uses == {"manga": 3, "crt": 2, "vhs": 1}


def test_no_more_than_the_most_used_looks_are_counted() -> None:
    looks = LookListModel(uses={f"preset:{number}": number + 2 for number in range(COUNTED)})
    looks.note_use("manga")
    assert len(looks.uses) == COUNTED and looks.uses["manga"] == 1 and "preset:0" not in looks.uses


def test_arrows_walk_the_whole_grid_and_lead_back_to_the_search(qtbot, start_live, open_window) -> None:
    start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    search = window.looks.gallery.search
    qtbot.keyClick(search, Qt.Key.Key_Down)
    rows = []
    for _ in range(len(LOOKING.looks) + 1):
        rows.append(grid.currentIndex().row())
        qtbot.keyClick(grid, Qt.Key.Key_Right)
    assert rows == [*range(len(LOOKING.looks)), len(LOOKING.looks) - 1], (
        "on in the next row, up to the last look"
    )
    qtbot.keyClick(grid, Qt.Key.Key_Home)
    qtbot.keyClick(grid, Qt.Key.Key_Down)
    assert grid.hasFocus() and grid.currentIndex().row() > 1
    qtbot.keyClick(grid, Qt.Key.Key_Up)
    qtbot.keyClick(grid, Qt.Key.Key_Up)
    assert search.hasFocus()


def test_letters_and_backspace_change_the_search_from_within_the_grid(qtbot, start_live, open_window) -> None:
    start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    search = window.looks.gallery.search
    qtbot.keyClicks(search, "pap")
    qtbot.keyClick(search, Qt.Key.Key_Down)
    qtbot.keyClicks(grid, "e")
    assert search.hasFocus() and search.text() == "pape"
    qtbot.keyClick(search, Qt.Key.Key_Down)
    qtbot.keyClick(grid, Qt.Key.Key_Backspace)
    assert search.hasFocus() and search.text() == "pap"


def test_down_leads_from_a_search_to_its_best_match(qtbot, start_live, open_window) -> None:
    start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    search = window.looks.gallery.search
    grid.setCurrentIndex(grid.shelf.index(40, 0))
    qtbot.keyClicks(search, "p")
    assert grid.offers_first  # the card that Enter takes is framed
    qtbot.keyClick(search, Qt.Key.Key_Down)
    assert grid.hasFocus() and grid.currentIndex().row() == 0


def test_groups_are_chosen_by_the_keyboard(qtbot, start_live, open_window) -> None:
    start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    groups = window.looks.gallery.groups
    groups["drawing"].setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(groups["drawing"], Qt.Key.Key_Space)
    assert "manga" in shown(grid)
    qtbot.keyClick(groups["drawing"], Qt.Key.Key_Right)
    qtbot.keyClick(groups["painting"], Qt.Key.Key_Space)
    assert groups["painting"].hasFocus() and "monet" in shown(grid)


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
