"""Collapsible card: heading and state in one line, and a body that can be unfolded.

Must not know its contents.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import ElidedLabel, ToneIcon


class FoldCard(QFrame):
    """Collapsible card, folded at first; once the user has clicked it, only the user folds and unfolds it.

    Args:
        theme: The theme.
        title: The heading.

    Attributes:
        body: Layout of the contents.
        state: Text at the right of the heading.
        icon: Icon after the state; hidden at first.
    """

    def __init__(self, theme: Theme, title: str) -> None:
        super().__init__()
        mark(self, role="card")
        self.setAccessibleName(title)
        self._by_hand = False
        self.fold = ThemedButton(theme, "right", title, "fold")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self._show_open)
        self.fold.clicked.connect(self._take_over)
        self.icon = ToneIcon(theme, 14)
        self.icon.hide()
        self.state = ElidedLabel("small")
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.fold)
        head.addWidget(self.state, 1)
        head.addWidget(self.icon)
        self._inside = QWidget()
        self.body = QVBoxLayout(self._inside)
        self.body.setContentsMargins(4, 0, 4, 6)
        self.body.setSpacing(8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 2, 12, 2)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self._inside)
        self._inside.hide()

    def open(self, on: bool) -> None:
        """Unfolds or folds the card, unless the user has done so before."""
        if not self._by_hand:
            self.fold.setChecked(on)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Makes the whole heading line clickable."""
        if event.position().y() <= self.fold.geometry().bottom() + 4:
            self.fold.click()
        else:
            super().mousePressEvent(event)

    def _take_over(self) -> None:
        self._by_hand = True

    def _show_open(self, on: bool) -> None:
        self._inside.setVisible(on)
        self.fold.show_icon("down" if on else "right")
