"""Notice line: an error or a message that does not interrupt anything, and can be dismissed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import ToneIcon, text_label


class Notice(QFrame):
    """Notice line; hidden while there is none, and after it was dismissed until the notice changes."""

    folder_wanted = Signal(str)
    """The user wants to see the folder of the file that the notice names."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="notice")
        self._icon = ToneIcon(theme, 18)
        self.text = text_label("value", wrap=True)
        self._sentence = self._folder = ""
        self.folder = ThemedButton(theme, "folder", self.tr("Open folder"), role="link")
        self.folder.clicked.connect(lambda: self.folder_wanted.emit(self._folder))
        self.dismiss = ThemedButton(theme, "close", role="link", hint=self.tr("Dismiss this notice"))
        self.dismiss.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        layout.setSpacing(10)
        layout.addWidget(self._icon)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.folder)
        layout.addWidget(self.dismiss)
        self.hide()

    def say(self, sentence: str, good: bool = False, folder: str = "") -> None:
        """Shows a notice; an empty one hides the line.

        Args:
            sentence: The notice.
            good: Whether it is good news, as opposed to an error.
            folder: A folder that a button offers to open; none when empty.
        """
        if sentence != self._sentence:
            self._sentence, self._folder = sentence, folder
            self.folder.setVisible(bool(folder))
            self._icon.show_icon("check" if good else "state-trouble", "good" if good else "warn")
            mark(self, tone="good" if good else "warn")
            self.text.setText(sentence)
            self.setAccessibleName(sentence)
            self.setVisible(bool(sentence))
