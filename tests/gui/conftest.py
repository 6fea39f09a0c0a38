"""A window on a data folder of its own, with a live process at its edge that does what the test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from helpers.scripted_live import ScriptedLive
from overpaint.assets import asset_dir
from overpaint.engine.prompt.look_search import load_search
from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.bridge import LiveBridge
from overpaint.gui.connection.preview_receiver import PreviewReceiver
from overpaint.gui.main import application
from overpaint.gui.panels import stage_panel
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered
from overpaint.startup import read_typed
from overpaint.wire.live import LiveSnapshot

OpenWindow = Callable[..., MainWindow]
StartLive = Callable[..., ScriptedLive]


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Controls on the picture stay, however long a slow machine takes over a test."""
    monkeypatch.setattr(stage_panel, "REST_MS", 10_000_000)


@pytest.fixture(scope="session")
def shared_theme(qapp: QApplication) -> Theme:
    """The look of the application, which is made once in a process: setting a style sheet takes long."""
    return Theme(application(), asset_dir("icons"))


@pytest.fixture
def theme(shared_theme: Theme) -> Iterator[Theme]:
    """The look of the application; after the test it follows the system again."""
    before = shared_theme.tokens
    yield shared_theme
    if shared_theme.tokens is not before:
        shared_theme.show_appearance("system")


@pytest.fixture
def start_live(data_folder: Path) -> Iterator[StartLive]:
    """Starts scripted live processes, and ends what is left of them."""
    running: list[ScriptedLive] = []

    def start(snapshot: LiveSnapshot | None = None, reads: bool = True) -> ScriptedLive:
        running.append(ScriptedLive(data_folder, snapshot, reads))
        return running[-1]

    yield start
    for live in running:
        live.end()


@pytest.fixture
def open_window(qtbot: QtBot, theme: Theme, data_folder: Path) -> Iterator[OpenWindow]:
    """Opens the window with its real bridge and preview; ``start`` stands for starting a live process."""
    opened: list[tuple[MainWindow, LiveBridge, PreviewReceiver]] = []

    def open_one(
        start: Callable[[], object] = lambda: None,
        delays_s: tuple[float, ...] = (0.0, 0.0),
        remembered: Remembered | None = None,
    ) -> MainWindow:
        bridge = LiveBridge(data_folder, lambda: start() and None, lambda _: None, delays_s)
        preview = PreviewReceiver(data_folder)
        window = MainWindow(theme, bridge, preview, remembered or Remembered(), load_search, read_typed)
        opened.append((window, bridge, preview))
        qtbot.addWidget(window, before_close_func=lambda window: window.leave(end_live=False))
        window.open()
        bridge.start()
        preview.start()
        return window

    yield open_one
    for window, bridge, preview in opened:
        preview.close()
        bridge.close()
        window.wind_up()
