"""Search for looks by the words of prompts, which are read in a worker thread when they are first needed.

Must not know how prompts are read: a callable is passed in that loads the search.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

log = logging.getLogger(__name__)

Scores = tuple[float, float]
"""How well a look fits a search: as the meaning of its words, and as what an incomplete word may become."""

FindLooks = Callable[[str], Mapping[str, Scores]]
"""Returns the looks that a search may mean: their names, with scores."""

LoadSearch = Callable[[], FindLooks]
"""Reads the words of prompts, which takes a few tenths of a second, and returns the search."""


class LookFinder(QObject):
    """Search for looks; finds nothing until its words are read.

    Args:
        load: Reads the words; called once, in a worker thread.
    """

    ready = Signal()
    """The words are read: a search may find more than before."""

    def __init__(self, load: LoadSearch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._load = load
        self._find: FindLooks | None = None
        self._begun = False
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    @property
    def is_ready(self) -> bool:
        """Whether the words are read."""
        return self._find is not None

    def prepare(self) -> None:
        """Reads the words, unless that was begun before."""
        if not self._begun:
            self._begun = True
            reading = _Reading(self._load)
            reading.read.done.connect(self._take)
            self._pool.start(reading)

    def find(self, text: str) -> Mapping[str, Scores]:
        """The looks that a search may mean: their names, with scores; none until the words are read."""
        self.prepare()
        return self._find(text) if self._find is not None else {}

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._pool.clear()
        self._pool.waitForDone(10_000)

    def _take(self, find: FindLooks) -> None:
        self._find = find
        self.ready.emit()


class _Read(QObject):
    """The signal of a worker that may outlive the object that waits for it."""

    done = Signal(object)


class _Reading(QRunnable):
    def __init__(self, load: LoadSearch) -> None:
        super().__init__()
        self.read = _Read()
        self._load = load

    def run(self) -> None:
        try:
            find = self._load()
        except Exception:
            log.exception("looks can only be searched by their names")
        else:
            self.read.done.emit(find)
