"""Tour of the first start (onboarding): three hints, each beside what it is about; it takes no focus.

Must not know when it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label

WIDTH = 340
GAP = 12
NOTICES = QSize(270, 60)
"""What a card leaves of the picture to the notices, at its left or above it."""


class Tour(QFrame):
    """Tour: a card and a ring around what it is about; hidden until it is begun.

    Args:
        theme: The theme.
        window: What it lies over.
        picture: Where its cards lie: nothing is clicked there, which they would cover.
        stops: What its three hints are about: prompt, Go live, and where the camera is explained.
    """

    def __init__(self, theme: Theme, window: QWidget, picture: QWidget, stops: Sequence[QWidget]) -> None:
        super().__init__(window)
        mark(self, role="popup")
        self._window, self._picture, self._stops = window, picture, stops
        self._words = (
            (
                self.tr("Say how you want to look"),
                self.tr("Write it and press Enter, or click a look below. Only you see the preview."),
            ),
            (
                self.tr("Go live when you like it"),
                self.tr("Others see you only from then on. Privacy hides you at once."),
            ),
            (
                self.tr("Choose Overpaint's camera in your call"),
                self.tr(
                    "In Zoom, Teams, Meet or OBS, in the video settings. Help is in the menu at the top."
                ),
            ),
        )
        assert len(stops) == len(self._words)
        self.step = 0
        self._ring = _Ring(theme, window)
        self.title = text_label("heading", wrap=True)
        self.text = text_label("muted", wrap=True)
        self.count = text_label("small")
        self.skip = ThemedButton(theme, text=self.tr("Skip"), role="link")
        self.next = ThemedButton(theme, role="primary")
        self.skip.clicked.connect(self.end)
        self.next.clicked.connect(self._go_on)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.count)
        row.addStretch(1)
        row.addWidget(self.skip)
        row.addWidget(self.next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 14, 12)
        layout.setSpacing(8)
        for label in (self.title, self.text):
            layout.addWidget(label)
        layout.addLayout(row)
        self.setFixedWidth(WIDTH)
        self.hide()

    def begin(self) -> None:
        """Shows the first hint."""
        self._window.installEventFilter(self)
        self._show(0)

    def did(self, step: int) -> None:
        """Goes on where the user has done by themselves what the hint of a step is about."""
        if self.isVisible() and self.step == step:
            self._go_on()

    def end(self) -> None:
        """Ends the tour."""
        self._window.removeEventFilter(self)
        self._ring.hide()
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the window's layout; an Esc that nothing else takes skips the rest."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self.isVisible():
            if event.key() == Qt.Key.Key_Escape:
                self.end()
                return True
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self.isVisible():
            self._place()
        return False

    def _go_on(self) -> None:
        if self.step + 1 == len(self._words):
            self.end()
        else:
            self._show(self.step + 1)

    def _show(self, step: int) -> None:
        self.step = step
        last = step + 1 == len(self._words)
        title, text = self._words[step]
        self.title.setText(title)
        self.text.setText(text)
        self.setAccessibleName(f"{title}. {text}")
        self.count.setText(self.tr("{} of {}").format(step + 1, len(self._words)))
        self.next.show_label(self.tr("Done") if last else self.tr("Next"))
        self.skip.setVisible(not last)
        layout = self.layout()
        assert layout is not None
        layout.invalidate()  # here, and not where it is placed, which the window's layout asks for
        for widget in (self._ring, self):
            widget.show()
            widget.raise_()
        self._place()

    def _place(self) -> None:
        stop = self._stops[self.step]
        if not stop.isVisible():  # as where the side panel is folded away
            stop = self._stops[1]
        about = self._seen(stop).adjusted(-4, -4, 4, 4)
        self._ring.setGeometry(about)
        layout = self.layout()
        assert layout is not None
        height = layout.totalHeightForWidth(WIDTH)
        room = self._seen(self._picture).adjusted(GAP, GAP, -GAP, -GAP)
        spare = room.size() - QSize(WIDTH, height)
        fits = min(spare.width(), spare.height()) >= 0
        if not fits or (spare.width() < NOTICES.width() and spare.height() < NOTICES.height()):
            # Beside the picture, over which the notices lie.
            room = self._window.rect().adjusted(GAP, GAP, -GAP, -GAP)
            below = about.bottom() + GAP
            top = below if below + height < room.bottom() else about.top() - GAP - height
            middle = about.center().x() if about.width() < WIDTH else room.right()
        else:
            # In a corner at its right edge, nearest to two of the three: the notices need the rest.
            above = about.bottom() < room.center().y()
            top, middle = room.top() if above else room.bottom(), room.right()
        left = min(max(middle - WIDTH // 2, room.left()), room.right() + 1 - WIDTH)
        self.setGeometry(left, min(max(top, room.top()), room.bottom() + 1 - height), WIDTH, height)

    def _seen(self, widget: QWidget) -> QRect:
        """Place of a widget in the window."""
        return QRect(widget.mapTo(self._window, QPoint()), widget.size())


class _Ring(QWidget):
    """Ring around what a hint is about; clicks go through it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.tokens.accent), 2.5))
        painter.drawRoundedRect(self.rect().adjusted(2, 2, -2, -2), 10, 10)
        painter.end()
