"""The prompt is the one truth: chips, slider, chooser, history and undo change its words and nothing else."""

from __future__ import annotations

import os

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from helpers.scripted_live import ScriptedLive, previewing
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered
from overpaint.wire.live import AnyIntent, SetReference, SetStyle

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

PROMPT = "an old print, warm, no lines"
UNDERSTOOD = "Woodblock print, warm, no lines, face kept natural"


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
    qtbot.waitUntil(lambda: window.prompt.field.text() == window.model.snapshot.prompt)


def intent(qtbot: QtBot, live: ScriptedLive) -> AnyIntent:
    """The next one; Qt goes on meanwhile."""
    qtbot.waitUntil(lambda: not live.intents.empty(), timeout=10_000)
    return live.next_intent()


def sent(qtbot: QtBot, live: ScriptedLive) -> str:
    style = intent(qtbot, live)
    assert isinstance(style, SetStyle)
    return style.prompt


def test_what_was_understood_is_shown_part_by_part_and_each_can_be_taken_away(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing(prompt=PROMPT, understood=UNDERSTOOD))
    window = open_window()
    ready(qtbot, window)
    window.resize(1500, 800)
    row = window.prompt.chips
    assert row.lead.text() == "Woodblock print"
    qtbot.waitUntil(lambda: all(chip.isVisible() for chip in row.chips))
    assert [chip.text() for chip in row.chips] == ["warm", "no lines", "face kept natural"]
    qtbot.mouseClick(row.chips[0], Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == "an old print, no lines"  # the user's own words stay
    live.say(
        previewing(prompt="an old print, no lines", understood="Woodblock print, no lines, face kept natural")
    )
    qtbot.waitUntil(lambda: len(row.chips) == 2)
    qtbot.mouseClick(row.chips[1], Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == "Woodblock print, no lines"  # no words of the user's say it alone


def test_what_is_typed_first_replaces_the_prompt_that_stands_there(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic"))
    window = open_window()
    ready(qtbot, window)
    qtbot.waitUntil(window.prompt.field.hasFocus)
    qtbot.keyClicks(window.prompt.field, "pencil drawing")
    qtbot.keyClick(window.prompt.field, Qt.Key.Key_Return)
    assert sent(qtbot, live) == "pencil drawing"


def test_another_look_keeps_scene_and_clothes(qtbot, start_live, open_window) -> None:
    understood = "Ink comic, pink hair, clothes in red denim, warm"
    live = start_live(previewing(prompt="ink comic, red denim jacket, pink hair", understood=understood))
    window = open_window()
    ready(qtbot, window)
    window.prompt.use_look("Oil painting")
    assert sent(qtbot, live) == "Oil painting, pink hair, clothes in red denim"


def test_clothes_without_a_look_are_chips_of_their_own(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="red jacket, pink hair", understood="Pink hair, clothes in red"))
    window = open_window()
    ready(qtbot, window)
    row = window.prompt.chips
    qtbot.waitUntil(lambda: [chip.text() for chip in row.chips] == ["Pink hair", "clothes in red"])
    assert not row.lead.isVisible(), "no look is named"
    qtbot.mouseClick(row.chips[0], Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == "red jacket"
    live.say(previewing(prompt="red jacket", understood="Clothes in red"))
    qtbot.waitUntil(lambda: len(row.chips) == 1)
    qtbot.mouseClick(row.chips[0], Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == "Colour grade", "as it was, and in no look of an empty prompt"


def test_parts_that_do_not_fit_are_counted_and_can_be_taken_away_too(qtbot, start_live, open_window) -> None:
    many = "Woodblock print, warm, no lines, face kept natural, background blurred, very dark, in red, vivid"
    live = start_live(previewing(prompt="a print", understood=many))
    window = open_window()
    ready(qtbot, window)
    window.resize(960, 600)
    row = window.prompt.chips
    qtbot.waitUntil(row.more.isVisible)
    row.menu.actions()[-1].trigger()
    assert sent(qtbot, live) == many.removesuffix(", vivid")


def test_strength_and_subject_are_written_into_the_prompt(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="ink comic"))
    window = open_window()
    ready(qtbot, window)
    controls = window.prompt.controls
    controls.slider.setFocus()
    qtbot.keyClick(controls.slider, Qt.Key.Key_Left)
    qtbot.keyClick(controls.slider, Qt.Key.Key_Left)
    assert sent(qtbot, live) == "ink comic, at 90 % strength"
    assert window.prompt.field.text() == "ink comic, at 90 % strength"
    menu = controls._menu
    next(action for action in menu.actions() if action.data() == "background").trigger()
    assert sent(qtbot, live) == "ink comic, at 90 % strength, only the background"
    assert "Only the background" in controls.subject.accessibleName()
    next(action for action in menu.actions() if action.data() == "all").trigger()
    assert sent(qtbot, live) == "ink comic, at 90 % strength"
    qtbot.keyClick(controls.slider, Qt.Key.Key_End)
    assert sent(qtbot, live) == "ink comic"
    assert live.intents.empty()


@pytest.mark.parametrize(
    ("prompt", "understood", "percent", "subject"),
    [
        ("ink comic at 40%", "", 40, "Everything"),
        ("nur den hintergrund mit 30 prozent", "Ink comic, 30 %, background only", 30, "Background"),
        ("person only, ink", "Ink comic, person only", 100, "Person"),
    ],
)
def test_the_controls_show_what_the_prompt_says(
    qtbot, start_live, open_window, prompt, understood, percent, subject
) -> None:
    start_live(previewing(prompt=prompt, understood=understood))
    window = open_window()
    ready(qtbot, window)
    controls = window.prompt.controls
    assert (controls.percent.text(), controls.subject._whole) == (f"{percent} %", subject)
    assert not window.prompt.chips.chips  # what a control shows needs no chip


def test_up_and_down_go_through_the_prompts_that_were_used(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="now"))
    window = open_window(remembered=Remembered(prompts=("first", "second")))
    ready(qtbot, window)
    field = window.prompt.field
    field.setFocus()
    field.setText("draft")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down):
        qtbot.keyClick(field, key)
        seen.append(field.text())
    assert seen == ["now", "second", "first", "first", "second"]
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert sent(qtbot, live) == "second"
    assert window.remembered().prompts == ("first", "now", "second")


def test_undo_brings_back_the_prompt_before_and_redo_the_one_after(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="one"))
    window = open_window()
    ready(qtbot, window)
    assert not window.prompt.undo_button.isVisible()
    window.prompt.use_prompt("two")
    window.prompt.use_prompt("three")
    assert [sent(qtbot, live), sent(qtbot, live)] == ["two", "three"]
    window.prompt.field.setFocus()
    qtbot.keyClick(window.prompt.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert sent(qtbot, live) == "two"
    qtbot.mouseClick(window.prompt.undo_button, Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == "one"
    qtbot.keyClick(
        window.prompt.field,
        Qt.Key.Key_Z,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert sent(qtbot, live) == "two"
    assert window.prompt.field.text() == "two"


def test_snapshots_that_are_late_take_nothing_back(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="one"))
    window = open_window()
    ready(qtbot, window)
    window.prompt.use_prompt("two")
    live.say(previewing(prompt="one", understood="One"))
    qtbot.waitUntil(lambda: window.prompt.chips.lead.text() == "One")
    assert window.prompt.field.text() == "two"
    live.say(previewing(prompt="two", understood="Two"))
    qtbot.waitUntil(lambda: window.prompt.chips.lead.text() == "Two")
    live.say(previewing(prompt="one", understood="One"))  # by another window
    qtbot.waitUntil(lambda: window.prompt.chips.lead.text() == "One")
    window.prompt.undo()
    assert [sent(qtbot, live), sent(qtbot, live)] == ["two", "two"]


def test_a_photo_is_pasted_from_the_menu(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    image = QImage(80, 60, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    mime = QMimeData()
    mime.setImageData(image)
    QGuiApplication.clipboard().setMimeData(mime)
    qtbot.mouseClick(window.prompt.photos.chip.add, Qt.MouseButton.LeftButton)
    menu = window.prompt.photos.chip.menu
    qtbot.waitUntil(menu.isVisible)
    paste = menu.actions()[1]
    assert paste.isEnabled()
    paste.trigger()
    menu.close()
    assert isinstance(intent(qtbot, live), SetReference)


def test_a_photo_is_cut_from_the_screen(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.prompt.photos.chip.menu.actions()[2].trigger()
    snip = window.prompt.photos.snip
    qtbot.waitUntil(lambda: bool(snip.covers))
    cover = snip.covers[0]
    qtbot.waitUntil(cover.isVisible)
    qtbot.mousePress(cover, Qt.MouseButton.LeftButton, pos=QPoint(40, 40))
    qtbot.mouseMove(cover, QPoint(240, 160))
    qtbot.mouseRelease(cover, Qt.MouseButton.LeftButton, pos=QPoint(240, 160))
    assert isinstance(intent(qtbot, live), SetReference)
    assert not snip.covers and window.isVisible()


def test_a_cut_can_be_given_up(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.prompt.photos.snip.start()
    qtbot.waitUntil(lambda: bool(window.prompt.photos.snip.covers))
    cover = window.prompt.photos.snip.covers[0]
    qtbot.mouseClick(cover, Qt.MouseButton.LeftButton, pos=QPoint(9, 9))  # no frame yet
    assert window.prompt.photos.snip.covers
    qtbot.keyClick(cover, Qt.Key.Key_Escape)
    assert not window.prompt.photos.snip.covers and live.intents.empty()
    assert window.isVisible()


@pytest.mark.skipif("DISPLAY" not in os.environ, reason="there is no screen to picture")
def test_overpaints_own_window_is_not_in_the_picture_that_is_drawn_on(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    place = window.geometry()

    def seen(picture: QImage) -> set[int]:
        own = picture.copy(place)
        return {own.pixel(x, y) for x in range(0, own.width(), 9) for y in range(0, own.height(), 9)}

    qtbot.waitUntil(lambda: len(seen(window.screen().grabWindow(0).toImage())) > 8)
    snip = window.prompt.photos.snip
    snip.start()
    qtbot.waitUntil(lambda: bool(snip.covers))
    assert len(seen(snip.covers[0].frozen.toImage())) == 1, "the empty desktop"
    assert not window.isVisible()
    snip.covers[0].given_up.emit()
    assert window.isVisible() and window.geometry().size() == place.size()


def test_a_photo_that_comes_in_asks_what_to_take_from_it(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="ink comic, only the person"))
    window = open_window()
    ready(qtbot, window)
    choice = window.prompt.photos.use
    assert not choice.isVisible(), "nothing to choose without a photo"
    live.say(previewing(prompt="ink comic, only the person", has_reference=True))
    qtbot.waitUntil(choice.isVisible)
    assert choice.buttons["colours"].isChecked(), "any look is painted in the photo's colours"
    for use, prompt in (
        ("background", "Backdrop, only the person"),
        ("style", "Like your photo, only the person"),
        ("colours", "ink comic, only the person"),
    ):
        qtbot.mouseClick(choice.buttons[use], Qt.MouseButton.LeftButton)
        assert sent(qtbot, live) == prompt
        assert [each for each, button in choice.buttons.items() if button.isChecked()] == [use]


def test_what_a_photo_is_for_follows_prompts_from_elsewhere(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="", understood="Like your photo", has_reference=True))
    window = open_window()
    ready(qtbot, window)
    choice = window.prompt.photos.use
    qtbot.waitUntil(lambda: choice.buttons["style"].isChecked())
    live.say(previewing(prompt="my garden behind me", understood="Backdrop", has_reference=True))
    qtbot.waitUntil(lambda: choice.buttons["background"].isChecked())
    qtbot.mouseClick(choice.buttons["colours"], Qt.MouseButton.LeftButton)
    assert sent(qtbot, live) == "Colour grade", "there is no look of one's own to go back to"
    live.say(previewing(prompt="Colour grade", understood="Colour grade"))
    qtbot.waitUntil(choice.isHidden)
