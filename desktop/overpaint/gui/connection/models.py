"""View model of the window: the newest snapshot, and the state of the connection.

Panels read this model and nothing else. Must not know sockets, processes or widgets.
"""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from overpaint.gui.words.troubles import told
from overpaint.wire.live import LiveSnapshot, SourceChoice

Connection = Literal["opening", "up", "silent", "restarting", "given_up"]
"""opening: not connected yet. silent: connected, but no snapshot of a live session for ``SILENCE_MS``.
restarting: connected before. given_up: the live process cannot be started.
"""

Air = Literal["off", "wanted", "on"]
"""off: the user has not gone live. wanted: has, but nobody can see it (yet). on: others see the picture, or
what the user lets them see in its place (private, paused).
"""

SILENCE_MS = 5000
NO_SIGNAL_MS = 2500


class SessionModel(QObject):
    """View model: the newest snapshot, and what follows from it over time; emits ``changed``.

    Attributes:
        connection: State of the connection to the live process.
        snapshot: The newest snapshot; None before the first one.
        no_signal: Whether an open session has had no picture from the source for ``NO_SIGNAL_MS``.
        interrupted: Whether the live process ended during a session that has not been restarted yet.
        failure: Why the live process cannot be started and how to mend it, while ``connection`` is
            ``given_up``.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.connection: Connection = "opening"
        self.snapshot: LiveSnapshot | None = None
        self.no_signal = False
        self.interrupted = False
        self.failure = ("", "")
        self._silence = self._timer(SILENCE_MS, self._fall_silent)
        self._unsignalled = self._timer(NO_SIGNAL_MS, self._lose_signal)

    @property
    def usable(self) -> bool:
        """Whether intents can be sent and the snapshot is current."""
        return self.connection in ("up", "silent") and self.snapshot is not None

    @property
    def hears(self) -> bool:
        """Whether intents that hide the user count: now, or for the successor of a live process that died."""
        return self.usable or self.interrupted

    @property
    def running(self) -> bool:
        """Whether a session is open or being opened."""
        return self.snapshot is not None and self.snapshot.state not in ("stopped", "failed")

    @property
    def on_air(self) -> bool:
        """Whether other programs can see the picture, according to the newest snapshot."""
        snapshot = self.snapshot
        return (
            snapshot is not None
            and self.running
            and snapshot.on_air
            and snapshot.state != "paused"
            and (snapshot.camera.state in ("live", "held") or snapshot.page.viewers > 0)
        )

    @property
    def air(self) -> Air:
        """Whether the user has gone live, and others can see it."""
        snapshot = self.snapshot
        if snapshot is None or not self.running or not snapshot.on_air:
            return "off"
        hidden = snapshot.private or snapshot.state == "paused"
        return "on" if self.on_air or (hidden and not snapshot.has_no_way_out) else "wanted"

    def source(self) -> SourceChoice | None:
        """The current source; None if it is not among the available ones."""
        if self.snapshot is None:
            return None
        wanted = self.snapshot.source
        return next((choice for choice in self.snapshot.sources if choice.source == wanted), None)

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Updates the model with a new snapshot."""
        self.connection = "up"
        snapshot = told(snapshot)
        self.snapshot = snapshot
        self.interrupted = self.interrupted and snapshot.state == "stopped"
        if snapshot.state == "live":
            self._silence.start()
        else:
            self._silence.stop()
        # An open session stays in "connecting" until its first picture.
        open_now = snapshot.state == "live" or (
            snapshot.state == "connecting" and snapshot.session is not None
        )
        if open_now and not snapshot.hold and snapshot.figures.fps_in <= 0:
            if not self.no_signal and not self._unsignalled.isActive():
                self._unsignalled.start()
        else:
            self._unsignalled.stop()
            self.no_signal = False
        self.changed.emit()

    def show_connection(self, connected: bool) -> None:
        """Updates the model after the connection was opened or lost."""
        self._silence.stop()
        self._unsignalled.stop()
        self.no_signal = False
        if connected:
            self.connection = "up" if self.snapshot is None else self.connection
        elif self.connection != "given_up":
            self.interrupted = self.interrupted or self.running
            self.connection = "opening" if self.snapshot is None else "restarting"
        self.changed.emit()

    def show_failure(self, sentence: str, mend: str) -> None:
        """Updates the model after the last attempt to start the live process failed."""
        self.connection, self.failure = "given_up", (sentence, mend)
        self.changed.emit()

    def show_retry(self) -> None:
        """Updates the model after the user asked to try again."""
        self.connection = "restarting" if self.snapshot is not None else "opening"
        self.changed.emit()

    def _timer(self, after_ms: int, action: Any) -> QTimer:
        timer = QTimer(self, interval=after_ms, singleShot=True)
        timer.timeout.connect(action)
        return timer

    def _fall_silent(self) -> None:
        self.connection = "silent"
        self.changed.emit()

    def _lose_signal(self) -> None:
        self.no_signal = True
        self.changed.emit()
