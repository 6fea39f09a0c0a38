"""The gallery of looks: chosen by hand and by keyboard, searched, starred, remembered."""

from __future__ import annotations

import base64
import threading

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helpers.look_states import LOOKING
from helpers.scripted_live import LOOKS, on_air, previewing, stopped
from overpaint import startup
from overpaint.engine.library import GROUPS
from overpaint.engine.prompt.look_search import find_looks
from overpaint.errors import OverpaintError
from overpaint.gui.looks.look_finder import FindLooks, LookFinder
from overpaint.gui.looks.look_lists import COUNTED, LookListModel, LookShelf, look_name
from overpaint.gui.looks.presets import Preset
from overpaint.gui.panels import looks_panel
from overpaint.gui.widgets.looks import look_list
from overpaint.gui.widgets.looks.look_list import LookList
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered, load_remembered, save_remembered
from overpaint.wire.live import SCENES, LookChoice, SetStyle
from overpaint.wire.looks import LookPicture, WantedLook

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


def test_a_look_and_its_name_are_wholly_seen_in_the_gallery_of_a_low_window(
    qtbot, start_live, open_window
) -> None:
    start_live(previewing(looks=[look.model_copy(update={"group": "drawing"}) for look in LOOKS]))
    window = open_window()
    ready(qtbot, window)
    window.resize(948, 496)
    grid = open_gallery(qtbot, window)
    qtbot.waitUntil(lambda: grid.visualRect(grid.model().index(0, 0)).height() <= grid.viewport().height())


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
    qtbot.waitUntil(grid.hasFocus)
    qtbot.keyClick(grid, Qt.Key.Key_Right)
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    assert live.next_intent() == SetStyle(prompt="Pencil sketch")
    qtbot.keyClicks(grid, "o")  # letters search, wherever one is
    qtbot.waitUntil(window.looks.gallery.search.hasFocus)
    assert window.looks.gallery.search.text() == "o"
    qtbot.keyClick(window.looks.gallery.search, Qt.Key.Key_Escape)
    assert window.looks.gallery.search.text() == "" and window.looks.is_expanded
    qtbot.keyClick(window.looks.gallery.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.looks.strip.hasFocus)
    assert not window.looks.is_expanded


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


def test_words_that_are_read_after_the_window_has_gone_are_for_nobody(qtbot) -> None:
    going_on, read = threading.Event(), threading.Event()

    def reads_slowly() -> FindLooks:
        going_on.wait(30)
        read.set()
        return lambda text: {}

    finder = LookFinder(reads_slowly)
    finder._pool.setParent(None)  # as if the program's end had waited long enough
    finder.prepare()
    finder.deleteLater()
    QCoreApplication.sendPostedEvents(finder, QEvent.Type.DeferredDelete)
    going_on.set()
    assert read.wait(30)
    assert finder._pool.waitForDone(30_000)


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
    qtbot.waitUntil(grid.hasFocus)
    assert grid.currentIndex().row() > 1
    qtbot.keyClick(grid, Qt.Key.Key_Up)
    qtbot.keyClick(grid, Qt.Key.Key_Up)
    qtbot.waitUntil(search.hasFocus)


def test_letters_and_backspace_change_the_search_from_within_the_grid(qtbot, start_live, open_window) -> None:
    start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    search = window.looks.gallery.search
    qtbot.keyClicks(search, "pap")
    qtbot.keyClick(search, Qt.Key.Key_Down)
    qtbot.keyClicks(grid, "e")
    qtbot.waitUntil(search.hasFocus)
    assert search.text() == "pape"
    qtbot.keyClick(search, Qt.Key.Key_Down)
    qtbot.keyClick(grid, Qt.Key.Key_Backspace)
    qtbot.waitUntil(search.hasFocus)
    assert search.text() == "pap"


def test_down_leads_from_a_search_to_its_best_match(qtbot, start_live, open_window) -> None:
    start_live(LOOKING)
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    search = window.looks.gallery.search
    grid.setCurrentIndex(grid.shelf.index(40, 0))
    qtbot.keyClicks(search, "p")
    assert grid.cards.offers_first  # the card that Enter takes is framed
    qtbot.keyClick(search, Qt.Key.Key_Down)
    qtbot.waitUntil(grid.hasFocus)
    assert grid.currentIndex().row() == 0


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
    qtbot.waitUntil(groups["painting"].hasFocus)
    assert "monet" in shown(grid)


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


# ---- the look that the user points at


@pytest.fixture
def away(qtbot, monkeypatch):
    """Keeps the screen's own pointer out of the window; returns the way to put it somewhere."""
    place = [QPoint(-10_000, -10_000)]
    monkeypatch.setattr(look_list.QCursor, "pos", staticmethod(lambda: place[0]))

    def put(view: LookList, row: int | None) -> None:
        inside = view.visualRect(view.shelf.index(row, 0)).center() if row is not None else QPoint(-9, -9)
        place[0] = view.viewport().mapToGlobal(inside)
        view.viewport().setAttribute(Qt.WidgetAttribute.WA_UnderMouse, row is not None)
        if row is None:
            QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
        else:
            qtbot.mouseMove(view.viewport(), inside)

    return put


def test_a_look_that_the_pointer_rests_on_is_to_move_and_ends_when_it_leaves(
    qtbot, start_live, open_window, away
) -> None:
    live = start_live(on_air())
    window = open_window()
    ready(qtbot, window)
    qtbot.waitUntil(lambda: bool(live.wanted))
    strip = window.looks.strip
    away(strip, 1)
    qtbot.waitUntil(lambda: live.moving[-1] == "pencil-sketch")
    assert "pencil-sketch" in live.wanted[-1], "the others are still wanted"
    away(strip, 2)
    qtbot.waitUntil(lambda: live.moving[-2:] == ["", "watercolour"])
    away(strip, None)
    qtbot.waitUntil(lambda: live.moving[-1] == "")
    assert live.intents.empty(), "no prompt, no session: nothing on air and nothing bought"


def test_a_pointer_on_its_way_across_moves_nothing(qtbot, start_live, open_window, away) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    qtbot.waitUntil(lambda: bool(live.wanted))
    strip = window.looks.strip
    strip._rest.setInterval(60_000)  # a busy machine takes longer than the usual time from one to the next
    for row in (0, 1, 2):
        away(strip, row)
        name = look_name(strip.shelf.index(row, 0))
        qtbot.waitUntil(lambda name=name: strip._under == name and strip._rest.isActive())
    away(strip, None)
    qtbot.waitUntil(lambda: not strip._rest.isActive())
    assert set(live.moving) == {""}


def test_the_focus_of_the_keyboard_points_too_but_a_click_does_not(
    qtbot, start_live, open_window, away
) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    qtbot.keyClick(window.looks.gallery.search, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: bool(live.moving) and live.moving[-1] == "ink-comic")
    qtbot.keyClick(grid, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: live.moving[-1] == "pencil-sketch")
    window.looks.gallery.search.setFocus()
    qtbot.waitUntil(lambda: live.moving[-1] == "")
    click(qtbot, grid, 2)
    qtbot.waitUntil(grid.hasFocus)
    qtbot.wait(look_list.RESTS_MS + 150)
    assert live.moving[-1] == "", "a look that was clicked would move for as long as the focus stays"


def test_a_pointer_that_was_left_there_and_a_gallery_that_closes_end_it(
    qtbot, start_live, open_window, away
) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    grid = open_gallery(qtbot, window)
    qtbot.waitUntil(lambda: len(shown(grid)) == len(LOOKS))
    qtbot.wait(300)  # the grid is laid out
    grid._enough.setInterval(300)
    away(grid, 1)
    qtbot.waitUntil(lambda: live.moving[-2:] == ["pencil-sketch", ""])
    grid._enough.setInterval(look_list.ENOUGH_MS)
    away(grid, 2)
    qtbot.waitUntil(lambda: live.moving[-1] == "watercolour")
    window.looks.close_gallery()
    qtbot.waitUntil(lambda: live.moving[-1] == "" and len(live.wanted[-1]) < len(LOOKS))


def test_a_preset_moves_in_the_photo_of_its_own_and_one_without_in_none(
    qtbot, start_live, open_window, away
) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    for name, photo in (("A", ""), ("B", "cGhvdG8=")):
        window.presets.shelf.save(Preset(name=name, prompt="oil", photo=photo))
    strip = window.looks.strip
    qtbot.waitUntil(lambda: strip.shelf.rowCount() == len(LOOKS) + 2)
    rows = {str(strip.shelf.index(row, 0).data()): row for row in range(3)}
    for name, photo in (("A", ""), ("B", "cGhvdG8=")):
        key = look_name(strip.shelf.index(rows[name], 0))
        away(strip, rows[name])
        qtbot.waitUntil(lambda key=key: live.moving[-1:] == [key])
        assert live.asked[-1].moving == WantedLook(name=key, prompt="oil", photo=photo)
        assert live.asked[-1].moving in live.asked[-1].looks
    shipped = [look for look in live.asked[-1].looks if not look.name.startswith("preset:")]
    assert {look.photo for look in shipped} == {None}, "which go with the photo in use"


def test_photos_of_many_presets_do_not_make_the_message_too_long(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    monkeypatch.setattr(looks_panel, "PHOTOS_MAX_CHARACTERS", 20)
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    for number in range(4):
        window.presets.shelf.save(Preset(name=f"{number}", prompt="oil", photo="cGhvdG8="))
    window.presets.shelf.save(Preset(name="4", prompt="oil"))
    qtbot.waitUntil(lambda: bool(live.asked) and sum("preset:" in name for name in live.wanted[-1]) == 3)
    assert [look.photo for look in live.asked[-1].looks][:3] == ["cGhvdG8=", "cGhvdG8=", ""]


def test_the_name_of_a_look_at_the_edge_is_shortened_not_cut(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window(remembered=Remembered(width=960, height=600))
    ready(qtbot, window)
    strip = window.looks.strip
    room = strip.viewport().rect()
    named: list[QRect] = []
    paint = strip.cards._paint_name

    def note(painter, box, title, active) -> None:
        named.append(box)
        paint(painter, box, title, active)

    strip.cards._paint_name = note
    for value in (0, 37):
        strip.horizontalScrollBar().setValue(value)
        image = strip.viewport().grab().toImage()
        cut = [box for box in named if box.intersects(room) and not room.contains(box)]
        assert cut, "there is one at an edge"
        edge = room.right() if cut[-1].right() > room.right() else room.left()
        below = range(cut[-1].bottom() + 6, room.height())
        column = {image.pixel(edge, y) for y in below}
        assert len(column) == 1, "no letter touches the edge"
        named.clear()


def test_what_moves_repaints_its_own_card_only(qtbot, start_live, open_window, away) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    strip, pictures = window.looks.strip, window.looks.pictures
    qtbot.waitUntil(lambda: all(pictures.picture(look.name) is not None for look in LOOKS))
    QApplication.processEvents()
    painted: list[str] = []
    paint = strip.cards.paint

    def note(painter, option, index) -> None:
        painted.append(look_name(index))
        paint(painter, option, index)

    strip.cards.paint = note
    live.say(LookPicture(name="pencil-sketch", picture=jpeg((0, 0, 200))))
    qtbot.waitUntil(lambda: bool(painted))
    assert set(painted) == {"pencil-sketch"}


def jpeg(bgr: tuple[int, int, int]) -> str:
    done, data = cv2.imencode(".jpg", np.full((180, 320, 3), bgr, np.uint8))
    assert done
    return base64.b64encode(data.tobytes()).decode()


PLACES = [
    *LOOKS,
    LookChoice(name="background-blur", title="Background blur", description="", group="background"),
    LookChoice(name="scene:studio-grey", title="Photographer's studio", description="", group=SCENES),
    LookChoice(name="scene:library", title="Library", description="", group=SCENES),
]


def open_places(qtbot: QtBot, window: MainWindow) -> LookList:
    grid = open_gallery(qtbot, window)
    qtbot.mouseClick(window.looks.gallery.groups["background"], Qt.MouseButton.LeftButton)
    return grid


def test_scenes_have_their_place_in_the_gallery_and_are_not_leafed_through(
    qtbot, start_live, open_window
) -> None:
    start_live(previewing(looks=PLACES))
    window = open_window()
    ready(qtbot, window)
    assert not any(name.startswith("scene:") for name in shown(window.looks.strip))
    grid = open_places(qtbot, window)
    assert shown(grid) == ["background-blur", "scene:", "scene:studio-grey", "scene:library"]
    window.looks.gallery.search.setText("library")
    window.looks.gallery.show_shelf("all")
    assert shown(grid) == ["scene:library"]


def test_a_scene_goes_behind_the_present_look_and_away_again(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(looks=PLACES, prompt="pencil sketch, at 60 % strength, Library"))
    window = open_window()
    ready(qtbot, window)
    grid = open_places(qtbot, window)
    model = window.looks.looks
    assert model.index(model.row_of("scene:library") or 0).data(LookListModel.ActiveRole)
    assert model.index(model.row_of("pencil-sketch") or 0).data(LookListModel.ActiveRole)
    click(qtbot, grid, 2)
    assert live.next_intent() == SetStyle(prompt="pencil sketch, at 60 % strength, Photographer's studio")
    click(qtbot, grid, 1)
    assert live.next_intent() == SetStyle(prompt="pencil sketch, at 60 % strength")


def test_another_look_keeps_the_scene_unless_it_is_a_background_itself(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing(looks=PLACES, prompt="ink comic, Library"))
    window = open_window()
    ready(qtbot, window)
    click(qtbot, window.looks.strip, 1)
    assert live.next_intent() == SetStyle(prompt="Pencil sketch, Library")
    click(qtbot, open_places(qtbot, window), 0)
    assert live.next_intent() == SetStyle(prompt="Background blur")


def test_a_scenes_card_shows_the_scene(qtbot, start_live, open_window) -> None:
    start_live(previewing(looks=PLACES))
    window = open_window()
    ready(qtbot, window)
    pictures = window.looks.pictures
    assert pictures.picture("scene:studio-grey") is None
    qtbot.waitUntil(lambda: pictures.picture("scene:studio-grey") is not None)
    picture = pictures.picture("scene:studio-grey")
    assert picture is not None and (picture.width(), picture.height()) == (320, 180)
    assert pictures.picture("scene:") is None
