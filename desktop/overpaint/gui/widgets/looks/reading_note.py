"""Note on a prompt: the words that nothing can be done with, and buttons for what else would do it.

Must not know how prompts are read, nor what a suggestion does.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.words.look_names import LookNames
from overpaint.gui.words.plain_text import plain_tip
from overpaint.wire.looks import PromptReading, PromptSuggestion, spoken


class ReadingNote(QWidget):
    """Note on a prompt; hidden where everything is understood.

    Args:
        theme: The theme.
        names: Names of the looks in the window's language.

    Attributes:
        reading: What is shown.
        buttons: The suggestions, at most two.
    """

    chosen = Signal(object)
    """A suggestion was clicked: the ``PromptSuggestion``."""

    def __init__(self, theme: Theme, names: LookNames) -> None:
        super().__init__()
        self._theme = theme
        self._names = names
        self.reading: PromptReading | None = None
        self._line = ""
        self.label = text_label("small")
        self.label.setIndent(4)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        mark(self.label, tone="warn")
        self.buttons: list[ThemedButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self._row.addWidget(self.label, 1)
        self.hide()

    def show_reading(self, reading: PromptReading | None) -> None:
        """Shows what of a prompt is not understood; hides the note for None."""
        if reading == self.reading:
            return
        self.reading = reading
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = []
        if reading is not None and reading.not_understood:
            words = spoken(reading.prompt, reading.not_understood)
            unchanged = self.tr("Not understood: {}. Nothing changes.")
            self._line = (unchanged if reading.unchanged else self.tr("Not understood: {}")).format(words)
            buttons = [self._button(each) for each in reading.suggestions]
            self.buttons = [button for button in buttons if button is not None][:2]
            for shown in self.buttons:
                self._row.addWidget(shown)
            self._elide()
        self.setVisible(reading is not None and bool(reading.not_understood))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shortens the words to the room that the buttons leave."""
        super().resizeEvent(event)
        self._elide()

    def minimumSizeHint(self) -> QSize:
        """The height of a line: the window may be narrower than the words."""
        return QSize(0, super().minimumSizeHint().height())

    def _elide(self) -> None:
        room = self.width() - sum(button.sizeHint().width() + 6 for button in self.buttons) - 12
        shown = self.label.fontMetrics().elidedText(self._line, Qt.TextElideMode.ElideRight, max(room, 60))
        self.label.setText(shown)
        self.label.setAccessibleName(self._line)
        self.label.setToolTip(plain_tip(self._line if shown != self._line else ""))

    def _button(self, suggestion: PromptSuggestion) -> ThemedButton | None:
        match suggestion.kind:
            case "background_photo":
                text = self.tr("Photo as background…")
                tip = self.tr("Choose a photo ({}); it becomes your background").format(suggestion.words)
            case "style_photo":
                text = self.tr("Style from a photo…")
                tip = self.tr("Choose a picture in that style; yours is painted like it")
            case "graphics_computer":
                text = self.tr("Ask another service…")
                tip = self.tr("A service with a generative model may be able to; needs its address and key")
            case "look":
                text, tip = self.tr("Try {}").format(self._names.title(suggestion.words)), ""
            case _:
                return None  # of a service that is newer than this window
        button = ThemedButton(self._theme, text=text, role="tag")
        button.setToolTip(plain_tip(tip))
        button.clicked.connect(lambda: self.chosen.emit(suggestion))
        return button
