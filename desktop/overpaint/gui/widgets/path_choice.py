"""Path chooser: the chosen folder or file, or the default, with buttons to choose and to reset."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.words.plain_text import plain_tip


class PathChoice(QWidget):
    """Path chooser: a button with the path's name, and a reset button.

    Args:
        theme: The theme.
        usual: Text for the default path.
        question: Title of the file dialog.
        pictures: Name filter for files; if empty, a folder is chosen.
    """

    chosen = Signal(str)
    """A path was chosen; empty for the default."""

    def __init__(self, theme: Theme, usual: str, question: str, pictures: str = "") -> None:
        super().__init__()
        self._usual = usual
        self._question = question
        self._pictures = pictures
        self.choose = ThemedButton(theme, "photo" if pictures else "folder", usual)
        self.choose.clicked.connect(self._ask)
        self.back = ThemedButton(theme, "close", role="link", hint=self.tr("Back to the default"))
        self.back.clicked.connect(lambda: self.chosen.emit(""))
        self.setFocusProxy(self.choose)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.choose)
        row.addWidget(self.back)
        self.show_path("")

    def setAccessibleName(self, name: str) -> None:
        """Also sets the accessible name of the button."""
        super().setAccessibleName(name)
        self._name_button()

    def show_path(self, path: str) -> None:
        """Shows the chosen path; empty for the default."""
        self._path = path
        name = Path(path).name or path
        whole = name or self._usual
        self.choose.setText(self.choose.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideMiddle, 150))
        self.choose.setToolTip(plain_tip(path))
        self.back.setVisible(bool(path))
        self._name_button()

    def _name_button(self) -> None:
        self.choose.setAccessibleName(f"{self.accessibleName()}: {self._path or self._usual}")

    def _ask(self) -> None:
        dialog = QFileDialog(self.window(), self._question)
        if self._pictures:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            dialog.setNameFilter(self._pictures)
        else:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.chosen)
        dialog.open()
