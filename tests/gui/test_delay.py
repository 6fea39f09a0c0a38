"""How late the picture is can be read and taken to OBS, by mouse and by keyboard."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication

from helpers.scripted_live import DELAYS, previewing
from overpaint.gui.widgets.meters.delay_graph import DelayGraph

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


def test_a_click_on_the_figures_shows_the_last_minute_and_what_to_enter_in_obs(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing())
    window = open_window()
    stage, card = window.stage, window.stage.delay
    qtbot.waitUntil(lambda: window.model.usable and bool(live.sizes) and live.sizes[-1] != (0, 0))
    width, height = live.sizes[-1]
    qtbot.waitUntil(lambda: live.show(np.zeros((height, width, 4), np.uint8)) and stage.has_picture)
    qtbot.waitUntil(lambda: not stage.pill_rect(Qt.Corner.TopRightCorner).isEmpty())
    qtbot.mouseClick(stage, Qt.MouseButton.LeftButton, pos=stage.pill_rect(Qt.Corner.TopRightCorner).center())
    qtbot.waitUntil(card.isVisible)
    assert card.figures.text() == "Delay: 38 ms" and "95 % stay below 61 ms" in card.words.text()
    assert card.audio.text() == "Audio delay for OBS: 38 ms"
    assert "Sync Offset" in card.where.text()
    qtbot.mouseClick(card.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "38"
    card.close()


def test_the_keyboard_opens_it_from_the_streams_figures(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    figures, card = window.side.figures, window.stage.delay
    figures.fold.setFocus()
    qtbot.keyClick(figures.fold, Qt.Key.Key_Space)
    figures.more.setFocus()
    qtbot.keyClick(figures.more, Qt.Key.Key_Space)
    qtbot.waitUntil(card.isVisible)
    live.say(previewing(delays=None))
    qtbot.waitUntil(lambda: not card.copy.isEnabled())
    assert "being measured" in card.figures.text()
    live.say(previewing(delays=DELAYS.model_copy(update={"median_ms": 83.6})))
    qtbot.waitUntil(lambda: card.audio.text() == "Audio delay for OBS: 84 ms")
    qtbot.keyClick(card, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not card.isVisible())


def test_the_graph_leaves_a_gap_where_no_picture_came(qtbot, theme) -> None:
    graph = DelayGraph(theme)
    qtbot.addWidget(graph)
    graph.show_seconds((None, 40.0, 42.0, None, 90.0, 20.0))
    room = QRectF(0, 0, 100, 50)
    pieces = graph.lines(room)
    assert [piece.size() for piece in pieces] == [2, 2]
    assert graph.top_ms == 100
    assert (pieces[0].first().x(), pieces[0].first().y()) == (20.0, 30.0)
    assert (pieces[1].last().x(), pieces[1].last().y()) == (100.0, 40.0)
