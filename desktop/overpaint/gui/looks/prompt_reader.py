"""Reader of prompts while they are typed: what would be done, once the user pauses, in a worker thread.

Must not know how prompts are read: a callable is passed in.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, QRunnable, QThreadPool, QTimer, Signal

from overpaint.wire.looks import PromptReading

log = logging.getLogger(__name__)

PAUSE_MS = 200
"""Time without a key after which the text is read."""


class TypedPrompt(NamedTuple):
    """A prompt that is not applied yet.

    Attributes:
        effective: What would be done, as a service says it.
        reading: What of it is not understood; ``unchanged`` where nothing would be done.
    """

    effective: str
    reading: PromptReading


ReadPrompt = Callable[[str, bool], TypedPrompt]
"""Reads a prompt, given whether a photo is in use. The first call takes a few tenths of a second."""


class PromptReader(QObject):
    """Reader of what is typed into one field; reads nothing before ``use``.

    Attributes:
        service: Name of the service that alone knows what it understands; empty where prompts are read here.
    """

    done = Signal(object)
    """A text was read: a ``TypedPrompt``."""
    service_changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.service = ""
        self._read: ReadPrompt | None = None
        self._wanted = ("", False)
        self._newest: TypedPrompt | None = None
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._begin)
        self.done.connect(self._keep)

    def use(self, read: ReadPrompt | None, service: str = "") -> None:
        """Reads with this from now on; None where only a service of that name knows what it understands."""
        if (read, service) != (self._read, self.service):
            self._read, self._newest = read, None
            self._wanted, self.service = ("", False), service
            self.service_changed.emit()

    def ask(self, prompt: str, has_photo: bool) -> None:
        """Asks for a text to be read, after a pause in typing; a newer one takes its place."""
        if (prompt, has_photo) == self._wanted or not prompt or self._read is None:
            return
        self._wanted = prompt, has_photo
        self._pause.start()

    def answer(self, prompt: str) -> TypedPrompt | None:
        """What is known of a text, if it has been read."""
        newest = self._newest
        return newest if newest is not None and newest.reading.prompt == prompt else None

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._pause.stop()
        self._pool.clear()
        self._pool.waitForDone(10_000)  # it tells this object, which goes

    def _begin(self) -> None:
        if self._read is not None:
            self._pool.start(_Reading(self, self._read, *self._wanted))

    def _keep(self, typed: TypedPrompt) -> None:
        if self._read is not None:  # else it was begun before the service changed
            self._newest = typed


class _Reading(QRunnable):
    def __init__(self, reader: PromptReader, read: ReadPrompt, prompt: str, has_photo: bool) -> None:
        super().__init__()
        self._reader, self._read = reader, read
        self._asked = prompt, has_photo

    def run(self) -> None:
        try:
            self._reader.done.emit(self._read(*self._asked))
        except Exception:
            log.exception("a prompt cannot be read before it is applied")
