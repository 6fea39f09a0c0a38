"""Closing of the window: into the tray, after a question, or at once, when its last intents have been sent.

Must not know how the window looks, nor processes.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from overpaint.gui.connection.bridge import LiveBridge
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.dialogs.question import Answer
from overpaint.gui.surroundings import Everyday
from overpaint.wire.live import Quit

LEAVE_AFTER_MS = 1000


class Leaving(QObject):
    """The end of a window.

    Args:
        window: The window.
        bridge: Connection to the live process, which is finished.
        model: The newest snapshot.
        everyday: Has the tray, the settings and the question.
        restyles: Whether files are being restyled.
    """

    left = Signal()
    """The window is closed, and its last intents have been sent."""

    def __init__(
        self,
        window: QWidget,
        bridge: LiveBridge,
        model: SessionModel,
        everyday: Everyday,
        restyles: Callable[[], bool],
    ) -> None:
        super().__init__(window)
        self._window, self._bridge, self._model, self._everyday = window, bridge, model, everyday
        self._restyles = restyles
        self._settled = self._gone = self._quitting = False

    def quit(self) -> None:
        """Closes the window to end the program, also where closing it would leave it in the tray."""
        self._quitting = True
        self._window.close()
        self._quitting = False

    def allows_closing(self) -> bool:
        """Whether the window may close now; else it is hidden, or its user is asked."""
        if self._settled:
            return True
        tray = self._everyday.habits.keep_in_tray and self._everyday.tray.there
        if tray and not self._quitting:
            self._window.hide()
            return False
        if self._model.usable and self._asks():
            return False
        self._settle(end_live=True)
        return True

    def leave(self, end_live: bool) -> None:
        """Closes the window at once; ``left`` is emitted when the last intents have been sent.

        Args:
            end_live: Whether the live process (and with it the camera) ends too.
        """
        if not self._settled:
            self._settle(end_live)
            self._window.close()

    def _asks(self) -> bool:
        """Asks what should continue without the window; returns False when nothing is under way."""
        snapshot = self._model.snapshot
        if self._model.on_air:
            title, keep = self.tr("You are on air"), self.tr("Keep the camera running")
            text = self.tr(
                "The camera can go on without this window. Open Overpaint again to change or stop it."
            )
        elif snapshot is not None and snapshot.recording:
            title, keep = self.tr("A recording is running"), self.tr("Keep recording")
            text = self.tr("It can go on without this window. Open Overpaint again to end it.")
        elif self._restyles():
            title, keep = self.tr("Files are being restyled"), self.tr("Let them finish")
            text = self.tr(
                "They can be finished without this window. What is stopped goes on when Overpaint is opened "
                "again."
            )
            if snapshot is not None and not snapshot.is_free:
                text = " ".join((text, self.tr("It is not charged twice.")))
        else:
            return False
        self._everyday.ask(
            title,
            text,
            Answer(self.tr("Cancel")),
            Answer(self.tr("Stop and close"), lambda: self.leave(end_live=True)),
            Answer(keep, lambda: self.leave(end_live=False), "primary"),
        )
        return True

    def _settle(self, end_live: bool) -> None:
        self._settled = True
        if end_live:
            self._bridge.send(Quit())
        self._bridge.flushed.connect(self._go, Qt.ConnectionType.QueuedConnection)
        # A live process that does not answer must not keep the window from closing.
        QTimer.singleShot(LEAVE_AFTER_MS, self, self._go)
        self._bridge.finish()

    def _go(self) -> None:
        if not self._gone:
            self._gone = True
            self.left.emit()
