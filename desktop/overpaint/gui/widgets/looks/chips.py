"""Row of chips: short texts that can be removed one by one.

Must not know what the texts mean.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.words.plain_text import plain_tip

_GAP = 6


class Part(NamedTuple):
    """A chip: the value that is reported when it is removed, and its text."""

    meaning: str
    words: str


class ChipRow(QWidget):
    """Row of chips: a fixed label (left out where it is empty), then chips; the rest is in an overflow menu.

    Attributes:
        chips: The removable chips.
    """

    removed = Signal(str)
    """A chip was removed: its value."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._parts: tuple[Part, ...] = ()
        self.chips: list[ThemedButton] = []
        self.lead = text_label("tag")
        self.lead.setParent(self)
        self.more = ThemedButton(theme, role="tag", parent=self)
        self.menu = QMenu(self)
        self.more.clicked.connect(self._open_menu)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(80)

    def show_parts(self, parts: tuple[Part, ...]) -> None:
        """Shows these chips."""
        if parts == self._parts:
            return
        self._parts = parts
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.lead.setText(parts[0].words if parts else "")
        self.chips = [self._chip(part) for part in parts[1:]]
        self._place()

    def sizeHint(self) -> QSize:
        """Height of one line."""
        return QSize(200, self._theme.sizes.small + 14)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Moves chips into the overflow menu, or out of it."""
        super().resizeEvent(event)
        self._place()

    def _chip(self, part: Part) -> ThemedButton:
        chip = ThemedButton(self._theme, "close", part.words, "tag", parent=self)
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the icon after the text
        chip.setIconSize(QSize(11, 11))
        name = self.tr("Remove “{}” from the prompt").format(part.words)
        chip.setAccessibleName(name)
        chip.setToolTip(plain_tip(name))
        chip.clicked.connect(lambda: self.removed.emit(part.meaning))
        return chip

    def _place(self) -> None:
        room, x = self.width(), 0
        hidden: list[Part] = []
        shown: tuple[QLabel | ThemedButton, ...] = (self.lead, *self.chips)
        for widget, part in zip(shown, self._parts or (Part("", ""),), strict=True):
            widget.ensurePolished()
            width = min(widget.sizeHint().width(), room) if part.words else -_GAP
            last = widget is shown[-1]
            fits = not hidden and x + width <= room - (0 if last else 40)
            widget.setVisible((fits or widget is self.lead) and bool(part.words))
            if fits or widget is self.lead:
                widget.setGeometry(x, 0, max(0, width), self.height())
                x += width + _GAP
            else:
                hidden.append(part)
        self.more.setVisible(bool(hidden))
        self.more.setText(f"+{len(hidden)}")
        words = ", ".join(part.words for part in hidden)
        self.more.setToolTip(plain_tip(words))
        self.more.setAccessibleName(self.tr("{} more: {}").format(len(hidden), words))
        self.more.setGeometry(x, 0, 34, self.height())
        self.menu.clear()
        for part in hidden:
            action = self.menu.addAction(self.tr("Remove “{}” from the prompt").format(part.words))
            action.triggered.connect(lambda _=False, part=part: self.removed.emit(part.meaning))

    def _open_menu(self) -> None:
        self.menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 4)))
