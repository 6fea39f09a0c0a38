"""Labels: plain text by role, elided text, icons by tone, name and value rows."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.words.plain_text import plain_tip


def text_label(role: str, text: str = "", wrap: bool = False) -> QLabel:
    """Creates a plain-text label with a role of the style sheet."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    mark(label, role=role)
    return label


class ElidedLabel(QLabel):
    """Elided label: one line, shortened to its width; the tool tip has the whole text."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        mark(self, role=role)

    def show_text(self, text: str) -> None:
        """Changes the text."""
        if text != self._whole:
            self._whole = text
            self._elide()

    @property
    def whole(self) -> str:
        """The text before eliding."""
        return self._whole

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elides the text to the new width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideMiddle, self.width())
        self.setText(shown)
        self.setToolTip(plain_tip(self._whole if shown != self._whole else ""))


class ToneIcon(QLabel):
    """Icon in the colour of a tone."""

    def __init__(self, theme: Theme, side: int = 16) -> None:
        super().__init__()
        self._theme = theme
        self._side = side
        self._icon, self._tone = "", "idle"
        self.setFixedSize(side, side)
        theme.changed.connect(self._draw)

    def show_icon(self, icon: str, tone: str) -> None:
        """Changes the icon; a tone is "air", "good", "busy", "warn", "bad", "idle" or a token's name."""
        if (icon, tone) != (self._icon, self._tone):
            self._icon, self._tone = icon, tone
            self._draw()

    def _draw(self) -> None:
        if not self._icon:
            return
        tokens = self._theme.tokens
        tones = {"air": tokens.on_air, "busy": tokens.accent, "idle": tokens.muted}
        colour = tones.get(self._tone) or str(getattr(tokens, self._tone))
        self.setPixmap(self._theme.pixmap(self._icon, colour, self._side, self.devicePixelRatioF()))


class Facts(QWidget):
    """Table of name and value rows."""

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[ElidedLabel, QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(4)
        self._grid.setHorizontalSpacing(10)
        self._grid.setColumnStretch(1, 1)

    def add(self, name: str) -> ElidedLabel:
        """Adds a row; returns the label of its value."""
        row = self._grid.rowCount()
        value = ElidedLabel("value")
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setAccessibleName(name)
        value.show_text("–")
        self._names[value] = text_label("small", name)
        self._grid.addWidget(self._names[value], row, 0)
        self._grid.addWidget(value, row, 1)
        return value

    def show_row(self, value: ElidedLabel, on: bool) -> None:
        """Shows or hides the row of a value."""
        name = self._names[value]
        name.setVisible(on)
        value.setVisible(on)
