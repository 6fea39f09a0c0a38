"""System tray icon: the state, and a menu with the main commands.

Shows nothing on a desktop without a tray. Must not know how the window looks.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QPainter
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.words.plain_text import plain_tip
from overpaint.gui.words.state_words import Wording

_SIDE = 64


class Tray(QObject):
    """System tray icon; emits the name of an action, as the hotkeys do.

    Args:
        theme: The theme.
        logo: The app's icon.
        parent: The Qt parent.

    Attributes:
        menu: The icon's context menu.
    """

    wanted = Signal(str)
    """The action: "air", "session", "hold", "privacy", "next_look", "still", "open", "settings" or "quit"."""

    def __init__(self, theme: Theme, logo: QIcon, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._logo = logo
        self._words = Wording(self)
        self._shown: tuple[str, str] | None = None
        self.menu = QMenu()
        self.state = self.menu.addAction("")
        self.state.setEnabled(False)
        self.menu.addSeparator()
        self.actions: dict[str, QAction] = {}
        for name in ("air", "session", "hold", "privacy", "next_look", "still"):
            self._add(name)
        self.menu.addSeparator()
        for name, text in (
            ("open", self.tr("Open Overpaint")),
            ("settings", self.tr("Settings…")),
            ("quit", self.tr("Quit")),
        ):
            self._add(name).setText(text)
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._activated)

    @property
    def there(self) -> bool:
        """Whether this desktop has a tray."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    def show(self) -> None:
        """Shows the icon, if this desktop has a tray."""
        if self.there:
            self.icon.show()

    def close(self) -> None:
        """Removes the icon and its menu."""
        self.icon.hide()
        self.menu.close()
        self.menu.deleteLater()  # it has no parent

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state."""
        snapshot, usable, running, hears = model.snapshot, model.usable, model.running, model.hears
        state = self._words.state(model)
        self.state.setText(" ".join(filter(None, (state.word, state.detail))))
        live = model.air != "off"
        air = self.tr("Cancel live") if model.air == "wanted" else self.tr("End live")
        held = bool(snapshot and (snapshot.hold or snapshot.state == "held"))
        private = bool(snapshot and snapshot.private)
        for name, text, enabled in (
            # While the live process restarts, commands that hide the user stay enabled: they apply to its
            # successor.
            ("air", air if live else self.tr("Go live"), usable or (hears and live)),
            ("session", self.tr("Stop") if running else self.tr("Start"), usable or (hears and running)),
            ("hold", self.tr("Resume") if held else self.tr("Hold"), hears and running),
            (
                "privacy",
                self.tr("Show me again") if private else self.tr("Privacy: blank the camera"),
                hears and (running or private),
            ),
            ("next_look", self.tr("Next look"), usable),
            ("still", self.tr("Save a snapshot"), usable and running),
        ):
            action = self.actions[name]
            action.setText(text)
            action.setEnabled(enabled)
        shown = (state.word, state.tone if live or private else "")
        if shown != self._shown:
            self._shown = shown
            self.icon.setToolTip(plain_tip(f"Overpaint · {state.word}"))
            self.icon.setIcon(self._draw(shown[1]))

    def _add(self, name: str) -> QAction:
        action = self.menu.addAction("")
        action.triggered.connect(lambda _=False: self.wanted.emit(name))
        self.actions[name] = action
        return action

    def _draw(self, tone: str) -> QIcon:
        """Draws the app's icon, with a dot while on air or private."""
        pixmap = self._logo.pixmap(_SIDE, _SIDE)
        if tone and not pixmap.isNull():
            tokens = self._theme.tokens
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.air if tone == "air" else tokens.warn))
            painter.drawEllipse(QRectF(QPoint(_SIDE // 2, _SIDE // 2), pixmap.deviceIndependentSize() / 2))
            painter.end()
        return QIcon(pixmap)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (
            QSystemTrayIcon.ActivationReason.Trigger,
            QSystemTrayIcon.ActivationReason.DoubleClick,
        ):
            self.wanted.emit("open")
