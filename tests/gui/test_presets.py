"""Own presets: kept from the prompt, chosen like a look, shared as a file, taken in from one, deleted."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helpers.scripted_live import LOOKS, ScriptedLive, previewing
from overpaint.gui.looks.look_lists import look_name
from overpaint.gui.looks.presets import Preset
from overpaint.gui.window import MainWindow
from overpaint.wire.live import AnyIntent, SetReference, SetStyle
from overpaint.wire.looks import ReferencePhoto

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

PROMPT = "an old print, very warm, at 60 % strength"


def photo() -> str:
    done, data = cv2.imencode(".png", np.full((40, 60, 3), (20, 30, 200), np.uint8))
    assert done
    return base64.b64encode(data.tobytes()).decode()


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)


def intent(qtbot: QtBot, live: ScriptedLive) -> AnyIntent:
    """The next one; Qt goes on meanwhile."""
    qtbot.waitUntil(lambda: not live.intents.empty(), timeout=10_000)
    return live.next_intent()


def own(window: MainWindow) -> list[str]:
    shelf = window.looks.gallery.grid.shelf
    return [str(shelf.index(row, 0).data()) for row in range(shelf.rowCount())]


def kept(qtbot: QtBot, window: MainWindow, name: str) -> str:
    """Keeps the prompt under a name, by keyboard; the preset's key."""
    QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    dialog = window.presets.naming
    assert dialog is not None
    dialog.field.setText(name)
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: name in own(window))
    return next(key for key, preset in window.presets.shelf.presets.items() if preset.name == name)


def test_a_prompt_is_kept_under_a_name_and_comes_back_with_the_next_start(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing(prompt=PROMPT, understood="Woodblock print, very warm, 60 %"))
    window = open_window()
    ready(qtbot, window)
    QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert window.presets.naming.field.text() == "An old print"
    window.presets.naming.reject()
    kept(qtbot, window, "Evening")
    assert own(window) == ["Evening"]
    looks = window.looks.looks
    assert looks.look(looks.active_row).title == "Evening"
    window.presets.shelf.wait()
    again = open_window()
    qtbot.waitUntil(lambda: bool(again.presets.shelf.presets))
    qtbot.waitUntil(lambda: again.model.usable)
    assert again.looks.looks.look(0).title == "Evening"
    assert len(again.looks.looks.looks) == len(LOOKS) + 1
    assert live.intents.empty()


def test_a_preset_is_chosen_like_a_look_with_its_own_words_and_photo(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="ink comic, at 30 % strength", has_reference=True))
    window = open_window()
    ready(qtbot, window)
    shelf = window.presets.shelf
    shelf.save(Preset(name="Plain", prompt=PROMPT))
    shelf.save(Preset(name="With photo", prompt="photo style", photo=photo()))
    strip = window.looks.strip
    assert [str(strip.shelf.index(row, 0).data()) for row in (0, 1)] == ["Plain", "With photo"]
    qtbot.waitUntil(lambda: bool(live.wanted) and live.wanted[-1][0].startswith("preset:"))
    card = strip.visualRect(strip.shelf.index(0, 0))
    qtbot.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=card.center())
    assert intent(qtbot, live) == SetStyle(prompt=PROMPT)
    assert intent(qtbot, live) == SetReference(image_data=None)
    card = strip.visualRect(strip.shelf.index(1, 0))
    qtbot.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, pos=card.center())
    assert intent(qtbot, live) == SetStyle(prompt="photo style")
    sent = intent(qtbot, live)
    assert isinstance(sent, SetReference) and sent.image_data


def test_a_photo_of_a_former_window_is_shown_and_kept_in_a_preset(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt=PROMPT, has_reference=True))
    live.say(ReferencePhoto(image_data=photo()))
    window = open_window()
    ready(qtbot, window)
    chip = window.prompt.photos.chip
    qtbot.waitUntil(lambda: window.prompt.photos.in_use == photo())
    middle = QPoint(17, 13)
    qtbot.waitUntil(lambda: chip.picture.pixmap().toImage().pixelColor(middle).red() > 150, timeout=10_000)
    key = kept(qtbot, window, "With a photo")
    assert window.presets.shelf.presets[key].photo == photo()
    assert live.intents.empty(), "it is not set again"
    live.say(ReferencePhoto(image_data=""))
    live.say(previewing(prompt=PROMPT))
    qtbot.waitUntil(lambda: not chip.is_present and not window.prompt.photos.in_use)


def test_a_preset_is_shared_as_a_file_and_taken_in_from_it(qtbot, start_live, open_window, tmp_path) -> None:
    start_live(previewing(prompt=PROMPT))
    window = open_window()
    ready(qtbot, window)
    key = kept(qtbot, window, "Evening")
    window.presets.share(key, str(tmp_path / "evening"))
    window.presets.shelf.wait()
    file = tmp_path / "evening.overpaint"
    assert json.loads(file.read_text("utf-8")) == {
        "overpaint_preset": 1, "name": "Evening", "prompt": PROMPT, "photo": ""
    }  # fmt: skip
    file.write_text(file.read_text("utf-8").replace('"Evening"', '"Late evening"'), "utf-8")
    window.presets.take(str(file))
    qtbot.waitUntil(lambda: own(window) == ["Evening", "Late evening"])
    window.presets.take(str(file))
    window.presets.shelf.wait()
    qtbot.wait(50)
    assert own(window) == ["Evening", "Late evening"], "a file that is opened twice is one preset"


@pytest.mark.parametrize(
    "words", ["{]", '{"name": "x"}', '{"overpaint_preset": 2, "name": "x", "prompt": ""}']
)
def test_a_file_that_is_no_preset_is_refused_with_a_sentence(
    qtbot, start_live, open_window, tmp_path: Path, words: str
) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    file = tmp_path / "odd.overpaint"
    file.write_text(words)
    window.presets.take(str(file))
    qtbot.waitUntil(lambda: "odd.overpaint is not a preset" in window.notice.text.text())
    assert not window.presets.shelf.presets


def test_a_preset_is_deleted_after_a_question(qtbot, start_live, open_window, data_folder) -> None:
    start_live(previewing(prompt=PROMPT))
    window = open_window()
    ready(qtbot, window)
    kept(qtbot, window, "Evening")
    grid = window.looks.gallery.grid
    grid.removal_wanted.emit(look_name(grid.shelf.index(0, 0)))
    question = window.presets.question
    delete = next(
        button
        for button in question.findChildren(type(window.looks.open_button))
        if button.text() == "Delete"
    )
    qtbot.mouseClick(delete, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: own(window) == [])
    assert "No presets yet" in window.looks.gallery.empty.text()
    window.presets.shelf.wait()
    assert not list((data_folder / "presets").glob("*"))


def test_a_file_that_cannot_be_written_says_why(qtbot, start_live, open_window, tmp_path) -> None:
    start_live(previewing(prompt=PROMPT))
    window = open_window()
    ready(qtbot, window)
    key = kept(qtbot, window, "Evening")
    (tmp_path / "wall").write_text("")
    window.presets.share(key, str(tmp_path / "wall" / "x.overpaint"))
    qtbot.waitUntil(lambda: "cannot be read or written" in window.notice.text.text())


def test_a_preset_is_taken_in_where_it_is_dropped_on_the_looks(
    qtbot, start_live, open_window, tmp_path
) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    file = tmp_path / "Evening.overpaint"
    file.write_text(Preset(name="Evening", prompt=PROMPT).model_dump_json())
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file))])
    held = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(20, 20), Qt.DropAction.CopyAction, mime, *held)
    QApplication.sendEvent(window.looks, enter)
    assert enter.isAccepted()
    assert not window.drops.cover.isVisible()  # nothing is to be restyled here
    drop = QDropEvent(QPointF(20, 20), Qt.DropAction.CopyAction, mime, *held)
    QApplication.sendEvent(window.looks, drop)
    qtbot.waitUntil(lambda: own(window) == ["Evening"])
