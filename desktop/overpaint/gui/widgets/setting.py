"""Row of the settings dialog: name, explanation, and control."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from overpaint.gui.widgets.labels import text_label


class Setting(QWidget):
    """Settings row: title and explanation at the left, control at the right.

    Args:
        title: The title; also the control's accessible name.
        text: The explanation; also the control's accessible description.
        control: The control.
    """

    def __init__(self, title: str, text: str, control: QWidget) -> None:
        super().__init__()
        self.control = control
        self.text = text_label("small", text, wrap=True)
        self.title = QLabel(title)
        self.title.setWordWrap(True)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        control.setAccessibleName(title)
        control.setAccessibleDescription(text)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.text)
        self.text.setVisible(bool(text))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(18)
        row.addLayout(words, 1)
        row.addWidget(control, 0, Qt.AlignmentFlag.AlignTop)

    def explain(self, text: str) -> None:
        """Changes the explanation."""
        if text == self.text.text():
            return
        self.text.setText(text)
        self.text.setVisible(bool(text))
        self.control.setAccessibleDescription(text)
