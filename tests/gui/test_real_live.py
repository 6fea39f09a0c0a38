"""The window with the real live process, core and workers behind it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from helpers.processes import end_all, role_pid
from overpaint.gui.window import MainWindow
from overpaint.processes.command_lines import start_live
from overpaint.settings import load_settings
from overpaint.wire.live import SetOnAir, SetSource, SetStyle, StartSession

pytestmark = [
    pytest.mark.live,
    # Without a screen Qt's own "offscreen" says so for every menu and dialog.
    pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True),
    pytest.mark.timeout(180),
]


@pytest.fixture
def window(open_window, data_folder: Path, qtbot) -> Iterator[MainWindow]:
    opened = open_window(start=lambda: start_live(data_folder))
    qtbot.waitUntil(lambda: opened.model.usable and bool(opened.model.snapshot.source), timeout=60_000)
    yield opened
    opened.leave(end_live=True)
    end_all(data_folder)


@pytest.mark.full
def test_a_look_shows_the_users_own_picture(window, qtbot) -> None:
    pictures = window.looks.pictures
    window.top_bar.source.intended.emit(SetSource(source="demo"))
    qtbot.waitUntil(lambda: pictures.is_own("ink-comic"), timeout=120_000)
    painted = pictures.picture("ink-comic").toImage()
    assert (painted.width(), painted.height()) == (320, 180)
    colours = {painted.pixel(x, 90) for x in range(0, 320, 4)}
    assert len(colours) > 10


@pytest.mark.full
def test_the_original_is_seen_beside_its_picture_and_only_while_comparing(window, qtbot) -> None:
    stage = window.stage
    window.top_bar.session.click()
    qtbot.waitUntil(lambda: stage.has_picture and stage.compare.isVisible(), timeout=60_000)
    assert not stage.has_original
    stage.compare.setValue(500)
    qtbot.waitUntil(lambda: stage.has_original, timeout=30_000)
    assert stage._shown.styled.shape == stage._shown.original.shape
    assert not np.array_equal(stage._shown.styled, stage._shown.original)
    stage.compare.setValue(0)
    qtbot.waitUntil(lambda: not stage.has_original, timeout=30_000)


@pytest.mark.skipif("DISPLAY" not in os.environ, reason="there is no screen to picture")
@pytest.mark.full
def test_the_screen_is_pictured_for_who_chooses_one_and_taken(window, qtbot) -> None:
    chooser = window.top_bar.source
    with qtbot.waitSignal(window._bridge.source_pictured, timeout=30_000) as pictured:
        chooser.open_gallery()
    assert pictured.args[0].source.startswith(("screen:", "window:"))
    row = next(
        row
        for row in range(chooser.dialog.list.count())
        if chooser.dialog.list.item(row).data(Qt.ItemDataRole.UserRole) == "screen:0"
    )
    chooser.dialog.list.itemActivated.emit(chooser.dialog.list.item(row))
    qtbot.waitUntil(lambda: window.model.snapshot.source == "screen:0", timeout=30_000)


@pytest.mark.full
def test_a_mirrored_source_is_mirrored_for_others_and_stays_so(window, qtbot, data_folder: Path) -> None:
    stage = window.stage
    qtbot.waitUntil(lambda: window.model.snapshot.source == "demo", timeout=60_000)
    stage.framing.mirror.click()
    qtbot.waitUntil(lambda: window.model.snapshot.framing.mirror, timeout=30_000)
    qtbot.waitUntil(
        lambda: bool(load_settings(data_folder).framings.get("demo", {}).get("mirror")), timeout=30_000
    )


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_a_live_process_that_is_killed_goes_on_with_the_same_look(
    qtbot, open_window, data_folder: Path
) -> None:
    window = open_window(start=lambda: start_live(data_folder), delays_s=(0.0, 0.5, 1.0, 1.0))
    try:
        qtbot.waitUntil(lambda: window.model.usable and bool(window.model.snapshot.source), timeout=40000)
        send = window._bridge.send
        for intent in (SetSource(source="demo"), SetStyle(prompt="woodblock-print")):
            send(intent)
        qtbot.waitUntil(lambda: window.model.snapshot.source == "demo", timeout=20000)
        for intent in (StartSession(), SetOnAir(on=True)):
            send(intent)
        qtbot.waitUntil(lambda: window.model.snapshot.figures.fps_out > 0, timeout=60000)
        qtbot.waitUntil(lambda: "woodblock" in (data_folder / "settings.json").read_text("utf-8"))
        first = role_pid(data_folder, "live")
        os.kill(first, signal.SIGKILL)
        qtbot.waitUntil(lambda: role_pid(data_folder, "live") not in (None, first), timeout=40000)
        qtbot.waitUntil(
            lambda: window.model.usable and window.model.snapshot.figures.fps_out > 0, timeout=60000
        )
        now = window.model.snapshot
        assert (now.state, now.on_air, now.source, now.prompt) == ("live", True, "demo", "woodblock-print")
        assert "on air with the same look" in window.notice.text.text()
    finally:
        window.leave(end_live=True)
        end_all(data_folder)
