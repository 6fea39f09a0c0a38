"""A file is seen in its look before it is ordered: small in the card, large beside the original."""

from __future__ import annotations

import base64

import cv2
import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from helpers.scripted_live import ScriptedLive, elsewhere, previewing
from helpers.scripted_transforms import batch, gallery, item, told
from overpaint.gui.panels.batch_card import BatchCard
from overpaint.gui.window import MainWindow
from overpaint.wire.messages import Trouble
from overpaint.wire.transforms import StartTransforms, TransformPreview, WantTransformPreview

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


def painted(serial: int, **more: object) -> TransformPreview:
    """The live process's answer: a green picture."""
    whole, jpeg = cv2.imencode(".jpg", np.full((320, 480, 3), (60, 180, 40), np.uint8))
    assert whole
    return TransformPreview(serial=serial, picture=base64.b64encode(jpeg.tobytes()).decode(), **more)


@pytest.fixture
def live(start_live) -> ScriptedLive:
    process: ScriptedLive = start_live(previewing())
    return process


@pytest.fixture
def window(live, open_window, qtbot: QtBot) -> MainWindow:
    opened: MainWindow = open_window()
    qtbot.waitUntil(lambda: opened.model.usable and opened.isActiveWindow(), timeout=5000)
    return opened


def wish(qtbot: QtBot, live: ScriptedLive, number: int) -> WantTransformPreview:
    qtbot.waitUntil(lambda: len(live.previews) == number, timeout=5000)
    return live.previews[-1]


def ready(qtbot: QtBot, live: ScriptedLive, window: MainWindow) -> BatchCard:
    live.say(batch())
    card = window.side.transforms.batch
    qtbot.waitUntil(card.isVisible)
    return card


def test_a_file_that_comes_in_is_seen_in_the_look_and_in_each_that_is_typed(qtbot, window, live) -> None:
    card = ready(qtbot, live, window)
    first = wish(qtbot, live, 1)
    assert (first.source, first.kind, first.prompt) == (card.files[0].source, "image", "ink comic")
    assert card.preview.busy and card.picture.toolTip() == "Painting a preview…"
    live.say(painted(first.serial))
    qtbot.waitUntil(lambda: card.preview.image is not None)
    middle = card.picture.grab().toImage().pixelColor(48, 30)
    assert middle.green() > middle.red() + 60
    card.look.selectAll()
    qtbot.keyClicks(card.look, "oil")
    assert card.preview.image is None, "no look of before is shown for this one"
    second = wish(qtbot, live, 2)
    assert second.prompt == "oil", "asked for once, after the last key"
    live.say(painted(first.serial))
    live.say(painted(second.serial, unchanged=True))
    qtbot.waitUntil(lambda: card.preview.image is not None)
    assert card.preview.unchanged
    card.look.clear()
    assert not card.preview.busy and card.preview.image is None, "nothing to preview"


def test_the_large_preview_has_the_order_with_its_price_and_says_who_painted_it(qtbot, window, live) -> None:
    live.say(elsewhere(previewing()))
    qtbot.waitUntil(lambda: bool(window.model.snapshot.server))
    card = ready(qtbot, live, window)
    live.say(painted(wish(qtbot, live, 1).serial))
    qtbot.waitUntil(lambda: card.preview.image is not None)
    qtbot.mouseClick(card.picture, Qt.MouseButton.LeftButton)
    dialog = window.side.transforms.preview
    assert dialog is not None and dialog.isVisible()
    assert dialog.name.whole == "holiday-000.jpg" and dialog.order.text() == "Restyle 12 for 42 credits"
    assert "Painted by this computer" in dialog.facts.text()
    qtbot.waitUntil(lambda: dialog.compare._images[0] is not None)
    dialog.compare.zoom_to(2.0)
    live.say(elsewhere(previewing()))
    qtbot.wait(50)
    assert dialog.compare.percent == 200, "news of the stream leave the zoom alone"
    dialog.look.selectAll()
    qtbot.keyClicks(dialog.look, "oil")
    assert card.look.text() == "oil" and wish(qtbot, live, 2).prompt == "oil"
    qtbot.keyClick(dialog.look, Qt.Key.Key_Return)
    assert live.intents.empty(), "Enter orders nothing"
    qtbot.mouseClick(dialog.following, Qt.MouseButton.LeftButton)
    assert wish(qtbot, live, 3).source.endswith("holiday-001.jpg") and dialog.name.whole == "holiday-001.jpg"
    qtbot.mouseClick(dialog.order, Qt.MouseButton.LeftButton)
    assert live.next_intent() == StartTransforms(prompt="oil")
    live.say(told(item("holiday-000.jpg", "waiting")))
    qtbot.waitUntil(lambda: window.side.transforms.preview is None)
    assert wish(qtbot, live, 4).source == "", "what is still being painted is given up"
    assert live.intents.empty(), "it was ordered once, not by Enter before"


def test_a_preview_that_cannot_be_painted_says_why_and_closing_orders_nothing(qtbot, window, live) -> None:
    ready(qtbot, live, window)
    panel = window.side.transforms
    asked = wish(qtbot, live, 1)
    broken = Trouble(kind="damaged", sentence="The file is damaged.")
    live.say(TransformPreview(serial=asked.serial, trouble=broken))
    qtbot.waitUntil(lambda: panel.batch.preview.trouble is not None)
    assert not panel.batch.preview.busy
    panel.list.setCurrentIndex(panel.items.index(0))
    panel.list.activated.emit(panel.items.index(0))
    dialog = panel.preview
    assert dialog is not None and dialog.facts.text() == "There is no preview: The file is damaged."
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: panel.preview is None)
    assert live.intents.empty()


def test_the_preview_comes_again_with_the_live_process(qtbot, window, live) -> None:
    card = ready(qtbot, live, window)
    asked = wish(qtbot, live, 1)
    window.model.show_connection(False)
    window.model.show_connection(True)
    window.model.show_snapshot(previewing())
    again = wish(qtbot, live, 2)
    assert (again.serial, again.source) == (asked.serial, asked.source) and card.preview.busy


def test_files_have_a_photo_of_their_own_and_say_what_is_taken_from_it(qtbot, window, live) -> None:
    card = ready(qtbot, live, window)
    wish(qtbot, live, 1)
    live.say(previewing(has_reference=True))
    qtbot.waitUntil(card.photo.isVisible)
    assert wish(qtbot, live, 2).with_photo, "the live picture's, as long as there is no other"
    card.own_photo.read_file(str(gallery() / "holiday-002.jpg"))
    qtbot.waitUntil(card.own_photo.use.isVisible, timeout=10_000)
    assert not card.photo.isVisible() and card.own_photo.chip.is_present
    asked = wish(qtbot, live, 3)
    assert asked.image_data == card.own_photo.data and not asked.with_photo
    qtbot.mouseClick(card.own_photo.use.buttons["background"], Qt.MouseButton.LeftButton)
    assert card.look.text() == "Backdrop" and card.own_photo.use.buttons["background"].isChecked()
    assert wish(qtbot, live, 4).prompt == "Backdrop"
    qtbot.mouseClick(card.order, Qt.MouseButton.LeftButton)
    assert live.next_intent() == StartTransforms(prompt="Backdrop", image_data=asked.image_data)
    qtbot.mouseClick(card.own_photo.chip.remove, Qt.MouseButton.LeftButton)
    assert card.photo.isVisible() and not card.own_photo.data
    live.say(told())
    qtbot.waitUntil(lambda: not card.isVisible())
