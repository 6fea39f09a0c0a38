"""Name dialog: a title, a sentence and a text field. Must not know what is named."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label

WIDTH = 420


class NameDialog(QDialog):
    """Name dialog, modal for its window; Enter accepts, Escape cancels.

    Args:
        theme: The theme.
        parent: The window.
        title: The title.
        text: Explains what is named.
        name: The suggested name.
        accept: Label of the accept button.
        longest: Maximum length in characters.
    """

    named = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget, title: str, text: str, name: str, accept: str, longest: int
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Overpaint")
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        mark(self, role="dialog")
        self.setFixedWidth(WIDTH)
        self.field = QLineEdit(name)
        mark(self.field, role="search")
        self.field.setMaxLength(longest)
        self.field.setAccessibleName(self.tr("Name"))
        self.field.selectAll()
        self.field.textChanged.connect(self._show_button)
        self.accept_button = ThemedButton(theme, text=accept, role="primary")
        self.accept_button.setDefault(True)
        self.accept_button.clicked.connect(self._name)
        cancel = ThemedButton(theme, text=self.tr("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.setSpacing(10)
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self.accept_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        layout.addWidget(text_label("title", title, wrap=True))
        layout.addWidget(text_label("muted", text, wrap=True))
        layout.addWidget(self.field)
        layout.addSpacing(6)
        layout.addLayout(foot)
        self._show_button()

    def _show_button(self) -> None:
        self.accept_button.setEnabled(bool(self.field.text().strip()))

    def _name(self) -> None:
        self.named.emit(" ".join(self.field.text().split()))
        self.accept()
