"""Confirmation dialog: a title, a sentence, and a button for each answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import ToneIcon, text_label

WIDTH = 460


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of a confirmation dialog, shown as a button.

    Attributes:
        text: The label.
        act: Called when the answer is chosen; None for an answer that cancels.
        role: Role in the style sheet; the first ``primary`` answer is the default button.
    """

    text: str
    act: Callable[[], object] | None = None
    role: str = ""


class Question(QDialog):
    """Confirmation dialog, modal for its window; Escape closes it without an answer.

    Args:
        theme: The theme.
        parent: The window.
        title: The title.
        text: Explains the answers.
        answers: The answers, from left to right.
        calm: Whether it warns of nothing.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        title: str,
        text: str,
        answers: Sequence[Answer],
        calm: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Overpaint")
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        mark(self, role="dialog")
        self._buttons: list[ThemedButton] = []
        icon = ToneIcon(theme, 26)
        icon.show_icon(*(("about", "busy") if calm else ("state-trouble", "warn")))
        words = QVBoxLayout()
        words.setSpacing(8)
        words.addWidget(text_label("title", title, wrap=True))
        words.addWidget(text_label("muted", text, wrap=True))
        head = QHBoxLayout()
        head.setSpacing(14)
        head.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addStretch(1)
        for answer in answers:
            row.addWidget(self._button(theme, answer))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(20)
        layout.addLayout(head)
        layout.addLayout(row)
        self.setFixedWidth(max(WIDTH, self.minimumSizeHint().width()))
        first = next((button for button in self._buttons if button.property("role") == "primary"), None)
        if first is not None:
            first.setDefault(True)
            first.setFocus()

    def buttons(self) -> list[ThemedButton]:
        """The buttons of the answers, from left to right."""
        return self._buttons

    def _button(self, theme: Theme, answer: Answer) -> ThemedButton:
        button = ThemedButton(theme, text=answer.text, role=answer.role)
        button.setAutoDefault(True)
        button.clicked.connect(self.accept if answer.act is not None else self.reject)
        if answer.act is not None:
            button.clicked.connect(answer.act)
        self._buttons.append(button)
        return button
