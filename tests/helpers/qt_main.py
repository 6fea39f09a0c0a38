"""A main thread for sources, in a test: work runs on another thread while pytest's own plays the main one."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from overpaint.errors import SourceError
from overpaint.media.frames import RawFrame
from overpaint.media.sources.qt_loop import MainThread

_APPLICATIONS: list[QApplication] = []
"""Kept, since Qt needs it to the end of the process."""


def beside_main_thread(work: Callable[[MainThread], None]) -> None:
    """Runs ``work`` on a thread of its own while this one is the main thread; raises what it raises."""
    if QApplication.instance() is None:
        # Else the loop makes a plainer one, with which no test of the window could run in this process.
        _APPLICATIONS.append(QApplication(["overpaint"]))
    main, failures = MainThread(), []

    def run() -> None:
        try:
            work(main)
        except BaseException as error:
            failures.append(error)
        finally:
            main.stop()

    thread = threading.Thread(target=run)
    thread.start()
    main.run()
    thread.join()
    if failures:
        raise failures[0]


class Taker:
    """A listener that keeps what it gets and lets a test wait for it."""

    def __init__(self) -> None:
        self.frames: list[RawFrame] = []
        self.errors: list[SourceError] = []
        self._changed = threading.Condition()

    def frame(self, frame: RawFrame) -> None:
        with self._changed:
            self.frames.append(frame)
            self._changed.notify_all()

    def lost(self, error: SourceError) -> None:
        with self._changed:
            self.errors.append(error)
            self._changed.notify_all()

    def wait_for(self, seen: Callable[[Taker], bool], seconds: float = 45.0) -> bool:
        """Waits until ``seen`` holds."""
        with self._changed:
            return self._changed.wait_for(lambda: seen(self), seconds)
