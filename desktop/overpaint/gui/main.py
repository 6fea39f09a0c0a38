"""The window program: creates the ``QApplication``, the theme, and the connections for snapshots and preview.

Must not know how the live process is started, nor how prompts are read: callables for both are passed in.
"""

from __future__ import annotations

import signal
import socket
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
from overpaint.gui.looks.look_finder import LoadSearch
from overpaint.gui.looks.prompt_reader import ReadPrompt
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import load_remembered, save_remembered
from overpaint.gui.words.language import speak
from overpaint.processes.load_tuning import loading
from overpaint.processes.program import end_at_once


def run_window(
    data_dir: Path,
    start_live: Callable[[], None],
    doubt_live: Callable[[bool], None],
    load_search: LoadSearch,
    read_prompt: ReadPrompt,
    preset: str | None = None,
) -> int:
    """Shows the window until it is closed.

    Args:
        data_dir: The data folder, in which the live process announces its address.
        start_live: Starts the live process for that folder; called in a thread, may block, may raise
            ``OverpaintError``.
        doubt_live: Called with whether the live process may hang, so that a successor can be loaded early.
        load_search: Loads the search for looks by the words of prompts; called in a thread when the gallery
            opens.
        read_prompt: Reads a prompt as this computer's service does; called in threads while one is typed.
        preset: Path of a preset's file to take in, in the window that is open already if there is one.

    Returns:
        The exit status.
    """
    preset = preset and str(Path(preset).absolute())
    one = OneWindow(data_dir)
    if not one.take(preset or ""):
        return 0
    app = application()
    end_at_once()
    theme = Theme(app, asset_dir("icons"))
    interrupts = Interrupts()
    turn = _Turn(app, theme, data_dir, start_live, doubt_live, load_search, read_prompt)
    interrupts.arrived.connect(turn.quit)
    one.asked_for.connect(turn.open)
    try:
        status = turn.run(preset or "")
        while turn.again:
            status = turn.run()
    finally:
        interrupts.close()
        one.leave()
    return status


class _Turn(QObject):
    """Window lifetime: shows one window until it closes; a new one follows when the language changes.

    Attributes:
        again: Whether a new window is to follow.
    """

    def __init__(
        self,
        app: QApplication,
        theme: Theme,
        data_dir: Path,
        start_live: Callable[[], None],
        doubt_live: Callable[[bool], None],
        load_search: LoadSearch,
        read_prompt: ReadPrompt,
    ) -> None:
        super().__init__()
        self._app = app
        self._theme = theme
        self._data_dir = data_dir
        self._start_live, self._doubt_live = start_live, doubt_live
        self._load_search, self._read_prompt = load_search, read_prompt
        self._window: MainWindow | None = None
        self._saving = QThreadPool(self)
        self._saving.setMaxThreadCount(1)
        self.again = False

    def run(self, preset: str = "") -> int:
        """Shows a window until it is closed; returns the exit status, not 0 when the display was lost.

        Args:
            preset: Path of a preset's file to take in; empty for none.
        """
        remembered, further = load_remembered(self._data_dir), self.again
        self.again = False
        speak(self._app, asset_dir("translations"), remembered.habits.language)
        self._theme.show_appearance(remembered.habits.appearance)
        bridge = LiveBridge(self._data_dir, self._start_live, self._doubt_live)
        preview = PreviewReceiver(self._data_dir)
        # Only for the first window: ``loading`` freezes all objects, and those of a former window would never
        # be collected.
        with nullcontext() if further else loading():
            self._window = window = MainWindow(
                self._theme, bridge, preview, remembered, self._load_search, self._read_prompt
            )
        window.left.connect(self._app.quit)
        window.to_keep.connect(self._save)
        window.everyday.reopen_wanted.connect(self._reopen)
        window.everyday.start()
        if remembered.habits.start_minimised and not further:
            window.open_aside()
        else:
            window.open()
            # Only for a visible window: nobody expects a camera to turn on in the background.
            if remembered.habits.preview_at_start and not further:
                window.everyday.first_picture.expect()
            if not remembered.habits.toured:
                window.help.expect()
        bridge.start()
        preview.start()
        if further:
            window.everyday.open_settings()
        if preset:
            window.presets.take(preset)
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

    def open(self, preset: str) -> None:
        """Brings the window to the front, and takes in a preset's file if one is named."""
        if self._window is not None:
            self._window.open()
            if preset:
                self._window.presets.take(preset)

    def quit(self, at_once: bool) -> None:
        """Closes the window, with the live process; else as its user does: it may ask a question first."""
        if self._window is None:
            return
        if at_once:
            self._window.leave(end_live=True)
        else:
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
    """Returns the ``QApplication``, with its names and icon; the existing one if there is one."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(["overpaint"])  # also the X11 class of its windows, however it was started
    app.setApplicationName("overpaint")
    app.setApplicationDisplayName("Overpaint")
    app.setDesktopFileName("overpaint")
    app.setWindowIcon(QIcon(str(asset_dir("icons") / "overpaint.svg")))
    # The last intents are sent after the window has closed: ``MainWindow.left`` ends the application.
    app.setQuitOnLastWindowClosed(False)
    return app


class Interrupts(QObject):
    """Signal handlers: SIGINT (Ctrl+C) and SIGTERM, as a Qt signal on Qt's thread.

    SIGTERM comes from the end of the system or from a program: nobody may be there for a question, and after
    some seconds of one the window would be killed, and the camera go on.

    Python runs signal handlers only between its own instructions, and executes none while Qt's event loop
    waits. It also writes to a socket when a signal arrives (``signal.set_wakeup_fd``): that wakes the event
    loop.
    """

    arrived = Signal(bool)
    """A request to end; at once, for SIGTERM and for a second one."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0
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
        """Restores the former signal handlers."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._previous_wakeup)
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        self._reader.close()
        self._writer.close()

    def _read(self) -> None:
        numbers = self._reader.recv(16)
        self._count += len(numbers)
        self.arrived.emit(signal.SIGTERM in numbers or self._count > 1)


def _let_the_wakeup_do_it(number: int, frame: FrameType | None) -> None:
    """Does nothing: without a handler Python would not write to the wake-up socket."""
