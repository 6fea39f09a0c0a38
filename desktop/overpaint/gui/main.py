"""Runs the window as a program: makes the application, its theme and its two connections.

Must not know how the live process is made: it is handed a callable that starts it.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from overpaint.assets import asset_dir
from overpaint.gui.bridge import LiveBridge
from overpaint.gui.preview import PreviewReceiver
from overpaint.gui.remembered import load_remembered, save_remembered
from overpaint.gui.theme import Theme
from overpaint.gui.window import MainWindow


def run_window(data_dir: Path, start_live: Callable[[], None]) -> int:
    """Shows the window until it is closed.

    Args:
        data_dir: The data folder, where the live process announces itself.
        start_live: Starts the live process for that folder; called in a thread, may block, may raise
            ``OverpaintError``.

    Returns:
        The exit status.
    """
    app = application()
    remembered = load_remembered(data_dir)
    bridge = LiveBridge(data_dir, start_live)
    preview = PreviewReceiver(data_dir)
    window = MainWindow(Theme(app, asset_dir("icons")), bridge, preview, remembered)
    window.left.connect(app.quit)
    interrupts = Interrupts()
    interrupts.arrived.connect(window.close)
    window.open()
    bridge.start()
    preview.start()
    status = app.exec()
    interrupts.close()
    preview.close()
    bridge.close()
    window.prompt.photos.wait()
    window.side.transforms.wait()
    window.looks.pictures.wait()
    save_remembered(data_dir, window.remembered())
    return status


def application() -> QApplication:
    """The application with its names and icon (the running one, where there is one)."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("overpaint")
    app.setApplicationDisplayName("Overpaint")
    app.setDesktopFileName("overpaint")
    app.setWindowIcon(QIcon(str(asset_dir("icons") / "overpaint.svg")))
    # The window's last intents leave after it is closed: the end is said by ``MainWindow.left``.
    app.setQuitOnLastWindowClosed(False)
    return app


class Interrupts(QObject):
    """Ctrl+C in the terminal and the system's request to end, as a signal on Qt's thread.

    Python runs its handlers only between its own instructions, and Qt's loop has none: a socket that
    Python writes to on arrival wakes it.
    """

    arrived = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._previous_wakeup = signal.set_wakeup_fd(self._writer.fileno())
        self._previous = {
            number: signal.signal(number, _let_the_wakeup_do_it) for number in (signal.SIGINT, signal.SIGTERM)
        }
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    def close(self) -> None:
        """Gives the signals back to whoever had them."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._previous_wakeup)
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        self._reader.close()
        self._writer.close()

    def _read(self) -> None:
        self._reader.recv(16)
        self.arrived.emit()


def _let_the_wakeup_do_it(number: int, frame: FrameType | None) -> None:
    """Only has to exist: the wake-up socket carries the news."""
