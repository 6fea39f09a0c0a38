"""Level meters of sound: a bar by itself, and one in the button that mutes.

Must not know where sound comes from.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.buttons import ThemedButton

QUIETEST_DB, LOUD_DB, TOO_LOUD_DB = -60.0, -9.0, -1.0
"""Ends of the bar's colours, in decibels below the loudest possible sample."""
FALL = 0.75
"""How much of the level stays from one message to the next: a meter rises at once, and falls slowly."""
SIZE = QSize(170, 12)


def share_of(peak: float) -> float:
    """Returns how much of a meter a peak (0 to 1) fills, on a scale of decibels."""
    decibels = 20 * math.log10(peak) if peak > 0 else QUIETEST_DB
    return min(1.0, max(0.0, 1 - decibels / QUIETEST_DB))


class _Level:
    """A level that falls slowly."""

    def __init__(self) -> None:
        self.share = 0.0
        self.colour = "good"

    def take(self, peak: float) -> bool:
        """Takes the next peak; returns whether anything changes."""
        former = self.share
        self.share = max(share_of(peak), former * FALL if former > 0.02 else 0.0)
        decibels = 20 * math.log10(peak) if peak > 0 else QUIETEST_DB
        self.colour = "bad" if decibels > TOO_LOUD_DB else "warn" if decibels > LOUD_DB else "good"
        return self.share != former


class LevelMeter(QWidget):
    """Level meter: a horizontal bar.

    Args:
        theme: The theme.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._level = _Level()
        self.setFixedSize(SIZE)
        theme.changed.connect(self.update)

    @property
    def share(self) -> float:
        """How much of the bar is filled."""
        return self._level.share

    def show_peak(self, peak: float) -> None:
        """Shows the loudest sample of the last moment, 0 to 1."""
        if self._level.take(peak):
            self.update()

    def clear(self) -> None:
        """Shows nothing."""
        self._level = _Level()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the bar."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect()).adjusted(0, 2, 0, -2)
        painter.setBrush(QColor(self._theme.tokens.line))
        painter.drawRoundedRect(whole, 3, 3)
        if self._level.share > 0:
            filled = QRectF(whole)
            filled.setWidth(whole.width() * self._level.share)
            painter.setBrush(QColor(getattr(self._theme.tokens, self._level.colour)))
            painter.drawRoundedRect(filled, 3, 3)
        painter.end()


class MuteButton(ThemedButton):
    """Button that mutes the microphone, with a level meter along its lower edge.

    Args:
        theme: The theme.
    """

    def __init__(self, theme: Theme) -> None:
        self._level = _Level()
        super().__init__(theme, "microphone", role="icon")

    @property
    def share(self) -> float:
        """How much of the meter is filled."""
        return self._level.share

    def show_peak(self, peak: float) -> None:
        """Shows the loudest sample of the last moment, 0 to 1."""
        if self._level.take(peak):
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the level, too."""
        super().paintEvent(event)
        if self._level.share <= 0:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(self._theme.tokens, self._level.colour)))
        room = self.width() - 12
        painter.drawRoundedRect(QRectF(6, self.height() - 5, room * self._level.share, 3), 1.5, 1.5)
        painter.end()
