"""The viewer of results: zoom at the pointer, pan, the picture's own pixels; and why there is no result."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication

from helpers.scripted_live import previewing
from helpers.scripted_transforms import business
from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.picture_pair import PicturePair
from overpaint.wire.messages import Trouble
from overpaint.wire.transforms import RetryTransforms


@pytest.fixture
def pair(qtbot, theme: Theme) -> PicturePair:
    widget = PicturePair(theme, "before", "after")
    widget.resize(600, 400)
    qtbot.addWidget(widget)
    widget.show()
    before, after = (QImage(1800, 1200, QImage.Format.Format_RGB32) for _ in range(2))
    before.fill(QColor("#204080"))
    after.fill(QColor("#c08040"))
    after.setPixelColor(1500, 300, QColor("#00ff00"))
    widget.show_pictures(before, after)
    return widget


def wheel(widget: PicturePair, at: QPointF, steps: int) -> None:
    event = QWheelEvent(
        at,
        widget.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def under(widget: PicturePair, at: QPointF) -> tuple[float, float]:
    """The pixel of the picture at a point of the widget."""
    rect = widget.picture_rect()
    return (
        (at.x() - rect.left()) / rect.width() * 1800,
        (at.y() - rect.top()) / rect.height() * 1200,
    )


def test_the_wheel_zooms_at_the_pointer_and_back_to_all_of_it(pair: PicturePair) -> None:
    at = QPointF(500, 100)
    place = under(pair, at)
    assert pair.fitted and pair.percent == 33
    for _ in range(3):
        wheel(pair, at, 1)
        assert under(pair, at) == pytest.approx(place, abs=4)
    assert pair.percent == pytest.approx(65, abs=1)
    wheel(pair, at, -3)
    assert pair.fitted and pair.picture_rect() == pair.rect()
    wheel(pair, at, 60)
    assert pair.percent == 800, "no further than eight screen pixels a pixel"


def test_one_to_one_shows_the_pixels_of_the_file_at_the_pointer(qtbot, pair: PicturePair) -> None:
    qtbot.mouseDClick(pair, Qt.MouseButton.LeftButton, pos=QPoint(500, 100))
    assert pair.percent == 100
    qtbot.keyClick(pair, Qt.Key.Key_Home)  # the line to the left: all of the result
    seen = pair.grab().toImage()
    found = [
        (x, y)
        for x in range(490, 512)
        for y in range(90, 112)
        if seen.pixelColor(x, y).green() > 200 and seen.pixelColor(x, y).red() < 60
    ]
    assert len(found) == 1, "one pixel of the file is one of the screen"
    qtbot.mouseDClick(pair, Qt.MouseButton.LeftButton, pos=QPoint(300, 300))
    assert pair.fitted


def test_dragging_pans_a_zoomed_picture_and_leaves_no_gap(qtbot, pair: PicturePair) -> None:
    pair.zoom_to(1.0)
    split = pair.split
    before = pair.picture_rect().topLeft()
    qtbot.mousePress(pair, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
    qtbot.mouseMove(pair, QPoint(160, 130))
    assert pair.picture_rect().topLeft() - before == QPoint(60, 30) and pair.split == split
    qtbot.mouseMove(pair, QPoint(5000, 5000))
    qtbot.mouseRelease(pair, Qt.MouseButton.LeftButton, pos=QPoint(5000, 5000))
    assert pair.picture_rect().topLeft() == QPoint(0, 0)
    line = pair.line_rect()
    qtbot.mousePress(pair, Qt.MouseButton.LeftButton, pos=line.center())
    qtbot.mouseMove(pair, QPoint(150, 200))
    qtbot.mouseRelease(pair, Qt.MouseButton.LeftButton, pos=QPoint(150, 200))
    assert pair.split == pytest.approx(0.25, abs=0.01) and pair.picture_rect().topLeft() == QPoint(0, 0)


def test_the_keyboard_does_all_of_it(qtbot, pair: PicturePair) -> None:
    qtbot.keyClick(pair, Qt.Key.Key_1)
    assert pair.percent == 100
    corner = pair.picture_rect().topLeft()
    qtbot.keyClick(pair, Qt.Key.Key_Down)
    qtbot.keyClick(pair, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert pair.picture_rect().topLeft() == corner - QPoint(60, 60)
    qtbot.keyClick(pair, Qt.Key.Key_Plus)
    assert pair.percent == 125
    qtbot.keyClick(pair, Qt.Key.Key_Minus)
    qtbot.keyClick(pair, Qt.Key.Key_0)
    assert pair.fitted


def test_what_failed_says_why_when_it_is_opened_and_enter_buys_nothing(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
    news = business()
    live.say(news)
    panel = window.side.transforms
    qtbot.waitUntil(lambda: panel.items.news == news)
    failed = panel.items.having("failed")[0]
    row = next(r for r in range(panel.items.rowCount()) if panel.items.item(r).id == failed.id)
    panel.list.activated.emit(panel.items.index(row))
    assert panel.told is not None and panel.told.isVisible()
    assert Path(failed.source).name in panel.told.accessibleName()
    assert isinstance(failed.trouble, Trouble)
    said = panel.told.accessibleDescription()
    assert said == f"{failed.trouble.sentence} {failed.trouble.mend}", "no costs on this computer"
    panel._words.free = False
    panel.list.activated.emit(panel.items.index(row))
    assert panel.told.accessibleDescription() == f"{said} Cost nothing."
    qtbot.keyClick(panel.told, Qt.Key.Key_Return)
    qtbot.wait(100)
    said = [live.next_intent(0.1) for _ in range(live.intents.qsize())]
    assert not [each for each in said if isinstance(each, RetryTransforms)]
    panel.list.activated.emit(panel.items.index(row))
    qtbot.mouseClick(panel.told.buttons()[0], Qt.MouseButton.LeftButton)
    assert live.next_intent() == RetryTransforms(ids=[failed.id])
