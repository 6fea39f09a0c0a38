"""The window program: makes the application, its theme and its two connections.

Must not know how the live process is made: it is handed a callable that starts it.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QThreadPool, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from overpaint.assets import asset_dir
from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.bridge import LiveBridge
from overpaint.gui.connection.preview_receiver import PreviewReceiver
from overpaint.gui.desktop.single_window import OneWindow
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import load_remembered, save_remembered
from overpaint.gui.words.language import speak
from overpaint.processes.load_tuning import loading
from overpaint.processes.program import end_at_once


def run_window(
    data_dir: Path, start_live: Callable[[], None], doubt_live: Callable[[bool], None] = lambda _: None
) -> int:
    """Shows the window until it is closed.

    Args:
        data_dir: The data folder, where the live process announces itself.
        start_live: Starts the live process for that folder; called in a thread, may block, may raise
            ``OverpaintError``.
        doubt_live: Told whether the live process may hang: so that another can be loaded.

    Returns:
        The exit status.
    """
    one = OneWindow(data_dir)
    if not one.take():
        return 0
    app = application()
    end_at_once()
    theme = Theme(app, asset_dir("icons"))
    interrupts = Interrupts()
    turn = _Turn(app, theme, data_dir, start_live, doubt_live)
    interrupts.arrived.connect(turn.quit)
    one.asked_for.connect(turn.open)
    try:
        status = turn.run()
        while turn.again:
            status = turn.run()
    finally:
        interrupts.close()
        one.leave()
    return status


class _Turn(QObject):
    """The lifetime of a window; another one follows when the language changes.

    Attributes:
        again: Whether another window is to follow.
    """

    def __init__(
        self,
        app: QApplication,
        theme: Theme,
        data_dir: Path,
        start_live: Callable[[], None],
        doubt_live: Callable[[bool], None],
    ) -> None:
        super().__init__()
        self._app = app
        self._theme = theme
        self._data_dir = data_dir
        self._start_live, self._doubt_live = start_live, doubt_live
        self._window: MainWindow | None = None
        self._saving = QThreadPool(self)
        self._saving.setMaxThreadCount(1)
        self.again = False

    def run(self) -> int:
        """Shows a window until it is closed. Returns the exit status: not 0 when the screen went away."""
        remembered, further = load_remembered(self._data_dir), self.again
        self.again = False
        speak(self._app, asset_dir("translations"), remembered.habits.language)
        self._theme.show_appearance(remembered.habits.appearance)
        bridge = LiveBridge(self._data_dir, self._start_live, doubt_live=self._doubt_live)
        preview = PreviewReceiver(self._data_dir)
        # Not for a further one: the garbage of the one before would be kept for ever.
        with nullcontext() if further else loading():
            self._window = window = MainWindow(self._theme, bridge, preview, remembered)
        window.left.connect(self._app.quit)
        window.to_keep.connect(self._save)
        window.everyday.reopen_wanted.connect(self._reopen)
        window.everyday.start()
        if remembered.habits.start_minimised and not further:
            window.open_aside()
        else:
            window.open()
            # Only who looks at the window: nobody expects a camera to turn on in the background.
            if remembered.habits.preview_at_start and not further:
                window.everyday.first_picture.expect()
        bridge.start()
        preview.start()
        if further:
            window.everyday.open_settings()
        status = self._app.exec()
        preview.close()
        bridge.close()
        window.wind_up()
        self._save()
        self._saving.waitForDone()
        self._window = None
        window.deleteLater()
        self._app.sendPostedEvents(window, QEvent.Type.DeferredDelete)
        return status

    def open(self) -> None:
        """Brings the window to the front."""
        if self._window is not None:
            self._window.open()

    def quit(self) -> None:
        """Closes the window as its user would."""
        if self._window is not None:
            self._window.quit()

    def _save(self) -> None:
        if self._window is not None:
            remembered = self._window.remembered()
            self._saving.start(lambda: save_remembered(self._data_dir, remembered))

    def _reopen(self) -> None:
        if self._window is not None:
            self.again = True
            self._window.leave(end_live=False)


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
