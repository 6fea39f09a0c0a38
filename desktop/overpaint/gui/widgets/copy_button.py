"""Copy button: copies a text to the clipboard, and confirms it for a moment."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.buttons import ThemedButton

COPIED_MS = 1800


class CopyButton(ThemedButton):
    """Button that copies ``text_to_copy`` to the clipboard.

    Args:
        theme: The theme.
        words: The label; "Copy" if empty.
        role: Role in the style sheet.

    Attributes:
        text_to_copy: The text to copy.
    """

    def __init__(self, theme: Theme, words: str = "", role: str = "") -> None:
        super().__init__(theme, "copy", words, role)
        self._words = words or self.tr("Copy")
        self.text_to_copy = ""
        self._copied = QTimer(self, interval=COPIED_MS, singleShot=True)
        self._copied.timeout.connect(self._offer)
        self.clicked.connect(self._copy)
        self._offer()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text_to_copy)
        self.setText(self.tr("Copied"))
        self.show_icon("check")
        self._copied.start()

    def _offer(self) -> None:
        self.setText(self._words)
        self.show_icon("copy")
