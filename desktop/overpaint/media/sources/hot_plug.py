"""Hot-plug events: a camera, microphone or screen was plugged in or unplugged.

Must not know the reactions to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from overpaint.media.sources.qt_loop import MainThread

if TYPE_CHECKING:
    from PySide6.QtMultimedia import QMediaDevices


class PlugWatch:
    """A watch on hot-plug events until it is closed.

    Args:
        main_thread: Qt's thread; this waits for it, so make and close it on another thread.
        changed: Called on the main thread; must return quickly.
    """

    def __init__(self, main_thread: MainThread, changed: Callable[[], None]) -> None:
        self._main = main_thread
        self._changed = changed
        self._devices: QMediaDevices | None = None
        main_thread.call(self._begin)

    def close(self) -> None:
        """Ends it; idempotent."""
        self._main.free(self._finish)

    def _begin(self) -> None:
        from PySide6.QtGui import QGuiApplication
        from PySide6.QtMultimedia import QMediaDevices

        self._devices = QMediaDevices()
        self._devices.videoInputsChanged.connect(self._tell)
        self._devices.audioInputsChanged.connect(self._tell)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.screenAdded.connect(self._tell)
            app.screenRemoved.connect(self._tell)

    def _finish(self) -> None:
        from PySide6.QtGui import QGuiApplication

        devices, self._devices = self._devices, None
        app = QGuiApplication.instance()
        if devices is None:
            return
        devices.videoInputsChanged.disconnect(self._tell)
        devices.audioInputsChanged.disconnect(self._tell)
        if isinstance(app, QGuiApplication):
            app.screenAdded.disconnect(self._tell)
            app.screenRemoved.disconnect(self._tell)

    def _tell(self) -> None:
        self._changed()
