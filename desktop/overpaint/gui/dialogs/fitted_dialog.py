"""Dialog as tall as its text at a fixed width. Must not know what it shows."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QWidget


class FittedDialog(QDialog):
    """A dialog that takes the height of its layout, and follows it.

    Args:
        parent: The window.
        width: Its width, unless its content needs more; Qt's units.
    """

    def __init__(self, parent: QWidget, width: int) -> None:
        super().__init__(parent)
        self._width = width

    def showEvent(self, event: QShowEvent) -> None:
        """Takes its height before Qt puts its middle on the window's."""
        self.fit()
        super().showEvent(event)

    def event(self, event: QEvent) -> bool:
        """Resizes the dialog to its text: Qt does not do so when a label's text becomes longer."""
        kind = event.type()
        handled = super().event(event)  # which may delete it
        if kind == QEvent.Type.LayoutRequest:
            self.fit()
        return handled

    def fit(self) -> None:
        """Takes the size of its content."""
        layout = self.layout()
        if layout is not None:
            width = max(self._width, layout.totalMinimumSize().width())
            self.setFixedSize(width, layout.totalHeightForWidth(width))
