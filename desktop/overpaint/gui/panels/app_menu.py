"""Application menu, opened by the last button of the top bar."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.models import SessionModel
from overpaint.wire.live import Preferences, SaveReplay, SetOriginal, SetPreferences, TakeStill


class AppMenu(QMenu):
    """Application menu: snapshot, replay, original, settings, service, help, about, quit."""

    intended = Signal(object)
    original_wanted = Signal()
    replay_begun = Signal()
    """Replay was turned on."""
    recordings_wanted = Signal()
    settings_wanted = Signal()
    service_wanted = Signal()
    help_wanted = Signal()
    keys_wanted = Signal()
    about_wanted = Signal()
    update_wanted = Signal()
    quit_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model: SessionModel | None = None
        self._icons: list[tuple[QAction, str]] = []
        self.still = self._add("still", self.tr("Save a snapshot"), self.take_still, "Ctrl+S")
        self.recordings = self._add(
            "folder", self.tr("Recordings and snapshots…"), self.recordings_wanted.emit, "Ctrl+Shift+R"
        )
        self.replay = self._add(
            "record", self.tr("Save the last 30 seconds"), self._use_replay, "Ctrl+Shift+S"
        )
        self.original = self._add("original", "", self._toggle_original)
        self.addSeparator()
        self.settings = self._add("settings", self.tr("Settings…"), self.settings_wanted.emit, "Ctrl+,")
        self.service = self._add("service", self.tr("Service…"), self.service_wanted.emit)
        self.addSeparator()
        self.help = self._add("help", self.tr("Help…"), self.help_wanted.emit, "F1")
        self.keys = self._add("keys", self.tr("Keyboard shortcuts…"), self.keys_wanted.emit, "Shift+F1")
        self.about = self._add("about", self.tr("About Overpaint…"), self.about_wanted.emit)
        self.update_entry = self._add("save", "", self.update_wanted.emit)
        self.update_entry.setVisible(False)
        self.addSeparator()
        self.quit = self._add("quit", self.tr("Quit"), self.quit_wanted.emit, "Ctrl+Q")
        self._drawn = False
        theme.changed.connect(self._forget_icons)
        self.aboutToShow.connect(self._draw)

    def show_model(self, model: SessionModel) -> None:
        """Enables the actions that are possible now."""
        self._model = model
        snapshot = model.snapshot
        running = model.usable and model.running
        self.still.setEnabled(running)
        self.replay.setEnabled(running)
        self.replay.setText(
            self.tr("Save the last 30 seconds")
            if snapshot is None or snapshot.preferences.replay
            else self.tr("Keep the last 30 seconds from now on")
        )
        shown = snapshot is not None and snapshot.original
        self.original.setEnabled(running)
        self.original.setText(
            self.tr("Show the restyled picture") if shown else self.tr("Show the original, not restyled…")
        )

    def show_update(self, version: str) -> None:
        """Shows the entry for a newer release; hides it for an empty version."""
        self.update_entry.setText(self.tr("Version {} is there…").format(version))
        self.update_entry.setVisible(bool(version))

    def open_below(self, button: QPushButton) -> None:
        """Opens the menu below a button, aligned with its right edge."""
        self._draw()  # before sizeHint: the width includes the icons
        corner = button.mapToGlobal(QPoint(button.width(), button.height() + 4))
        self.popup(QPoint(corner.x() - self.sizeHint().width(), corner.y()))

    def take_still(self) -> None:
        """Saves a snapshot of the styled picture."""
        if self._model is not None and self._model.usable and self._model.running:
            self.intended.emit(TakeStill())

    def save_replay(self) -> None:
        """Saves the last seconds."""
        if self._model is not None and self._model.usable and self._model.running:
            self.intended.emit(SaveReplay())

    def _use_replay(self) -> None:
        """Saves the last seconds, or turns replay on where it is off."""
        snapshot = self._model.snapshot if self._model is not None else None
        if snapshot is None or snapshot.preferences.replay:
            self.save_replay()
            return
        self.intended.emit(SetPreferences(preferences=Preferences(replay=True)))
        self.replay_begun.emit()

    def _toggle_original(self) -> None:
        model = self._model
        if model is None or model.snapshot is None:
            return
        if model.snapshot.original:
            self.intended.emit(SetOriginal(on=False))
        else:
            self.original_wanted.emit()

    def _add(self, icon: str, text: str, act: Callable[[], object], keys: str = "") -> QAction:
        action = self.addAction(text)
        action.triggered.connect(lambda _=False: act())
        if keys:
            action.setShortcut(QKeySequence(keys))
            action.setShortcutVisibleInContextMenu(True)
        self._icons.append((action, icon))
        return action

    def _forget_icons(self) -> None:
        self._drawn = False

    def _draw(self) -> None:
        """Renders the icons when the menu first opens, so that they do not delay the window's start."""
        if self._drawn:
            return
        self._drawn = True
        tokens = self._theme.tokens
        for action, icon in self._icons:
            action.setIcon(self._theme.icon(icon, tokens.text, tokens.muted))
