"""Short words in a row, each of which can be taken away.

Must not know what they mean.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from overpaint.gui.theme import Theme
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label

_GAP = 6


class ChipRow(QWidget):
    """The first one says what it is about and stays; the others have a cross. What does not fit is counted.

    Attributes:
        chips: Those that can be taken away.
    """

    removed = Signal(str)
    """The words of a chip that was taken away."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._parts: tuple[str, ...] = ()
        self.chips: list[ThemedButton] = []
        self.lead = text_label("tag")
        self.lead.setParent(self)
        self.more = ThemedButton(theme, role="tag", parent=self)
        self.menu = QMenu(self)
        self.more.clicked.connect(self._open_menu)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(80)

    def show_parts(self, parts: tuple[str, ...]) -> None:
        """Shows these words."""
        if parts == self._parts:
            return
        self._parts = parts
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.lead.setText(parts[0] if parts else "")
        self.chips = [self._chip(part) for part in parts[1:]]
        self._place()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, self._theme.sizes.small + 14)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows what fits now."""
        super().resizeEvent(event)
        self._place()

    def _chip(self, part: str) -> ThemedButton:
        chip = ThemedButton(self._theme, "close", part, "tag", parent=self)
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross after the words
        chip.setIconSize(QSize(11, 11))
        name = self.tr("Remove “{}” from the prompt").format(part)
        chip.setAccessibleName(name)
        chip.setToolTip(name)
        chip.clicked.connect(lambda: self.removed.emit(part))
        return chip

    def _place(self) -> None:
        room, x = self.width(), 0
        hidden: list[str] = []
        shown: tuple[QLabel | ThemedButton, ...] = (self.lead, *self.chips)
        for widget in shown:
            widget.ensurePolished()
            width = min(widget.sizeHint().width(), room)
            last = widget is shown[-1]
            fits = not hidden and x + width <= room - (0 if last else 40)
            widget.setVisible((fits or widget is self.lead) and bool(self._parts))
            if fits or widget is self.lead:
                widget.setGeometry(x, 0, width, self.height())
                x += width + _GAP
            else:
                hidden.append(widget.text())
        self.more.setVisible(bool(hidden))
        self.more.setText(f"+{len(hidden)}")
        self.more.setToolTip(", ".join(hidden))
        self.more.setAccessibleName(self.tr("{} more: {}").format(len(hidden), ", ".join(hidden)))
        self.more.setGeometry(x, 0, 34, self.height())
        self.menu.clear()
        for part in hidden:
            action = self.menu.addAction(self.tr("Remove “{}” from the prompt").format(part))
            action.triggered.connect(lambda _=False, part=part: self.removed.emit(part))

    def _open_menu(self) -> None:
        self.menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 4)))
