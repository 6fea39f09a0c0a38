"""What the window knows: the newest snapshot, the state of the connection, and lists made of them.

Panels read these and nothing else. Must not know sockets, processes or widgets.
"""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from overpaint.wire.live import LiveSnapshot, LookChoice, SourceChoice

Connection = Literal["opening", "up", "silent", "restarting", "given_up"]
"""opening: never connected yet. silent: connected, but a running session says nothing any more."""

SILENCE_MS = 5000
NO_SIGNAL_MS = 2500

Index = QModelIndex | QPersistentModelIndex


class SessionModel(QObject):
    """The newest snapshot and what follows from it over time; ``changed`` after every change.

    Attributes:
        connection: State of the line to the live process.
        snapshot: None before the first one.
        no_signal: Whether the session has been running for a while without any picture coming in.
        interrupted: Whether the live process ended under a running session that is not running again yet.
        failure: Sentence and mend while ``connection`` is ``given_up``.
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
        """Whether intents can be sent and the snapshot is true now."""
        return self.connection in ("up", "silent") and self.snapshot is not None

    @property
    def running(self) -> bool:
        """Whether there is a session, or one is being opened."""
        return self.snapshot is not None and self.snapshot.state not in ("stopped", "failed")

    @property
    def on_air(self) -> bool:
        """Whether other programs see the styled picture right now, by the newest snapshot."""
        snapshot = self.snapshot
        return (
            snapshot is not None
            and self.running
            and snapshot.on_air
            and snapshot.camera.state in ("live", "held")
        )

    def source(self) -> SourceChoice | None:
        """The current source, where it is one of those on offer."""
        if self.snapshot is None:
            return None
        wanted = self.snapshot.source
        return next((choice for choice in self.snapshot.sources if choice.source == wanted), None)

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Takes a new snapshot."""
        self.connection = "up"
        self.snapshot = snapshot
        self.interrupted = self.interrupted and snapshot.state == "stopped"
        if snapshot.state == "live":
            self._silence.start()
        else:
            self._silence.stop()
        if snapshot.state == "live" and not snapshot.hold and snapshot.figures.fps_in <= 0:
            if not self.no_signal and not self._unsignalled.isActive():
                self._unsignalled.start()
        else:
            self._unsignalled.stop()
            self.no_signal = False
        self.changed.emit()

    def show_connection(self, connected: bool) -> None:
        """Takes the news that the line is up or gone."""
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
        """Takes the news that the live process cannot be started."""
        self.connection, self.failure = "given_up", (sentence, mend)
        self.changed.emit()

    def show_retry(self) -> None:
        """The user has asked to try again."""
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


class LookListModel(QAbstractListModel):
    """The engine's looks; ``ActiveRole`` marks the one that the prompt names."""

    NameRole = Qt.ItemDataRole.UserRole + 1
    DescriptionRole = Qt.ItemDataRole.UserRole + 2
    ActiveRole = Qt.ItemDataRole.UserRole + 3

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._looks: list[LookChoice] = []
        self._prompt = ""

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Takes the looks and the prompt of a snapshot; views are told only of what changed."""
        if snapshot.looks != self._looks:
            self.beginResetModel()
            self._looks = list(snapshot.looks)
            self._prompt = snapshot.prompt
            self.endResetModel()
        elif snapshot.prompt != self._prompt:
            self._prompt = snapshot.prompt
            if self._looks:
                last = self.index(len(self._looks) - 1)
                self.dataChanged.emit(self.index(0), last, [self.ActiveRole])

    def look(self, row: int) -> LookChoice:
        """The look of a row."""
        return self._looks[row]

    @property
    def active_row(self) -> int | None:
        """Row of the look that the prompt names exactly."""
        wanted = self._prompt.strip().casefold()
        for row, look in enumerate(self._looks):
            if wanted in (look.name.casefold(), look.title.casefold()):
                return row
        return None

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of looks."""
        return 0 if parent is not None and parent.isValid() else len(self._looks)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title, description, name, whether active; the accessible text holds all of it."""
        if not index.isValid() or index.row() >= len(self._looks):
            return None
        look = self._looks[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return look.title
        if role in (self.DescriptionRole, Qt.ItemDataRole.ToolTipRole):
            return look.description
        if role == self.NameRole:
            return look.name
        if role == self.ActiveRole:
            return index.row() == self.active_row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{look.title}. {look.description}"
        return None
