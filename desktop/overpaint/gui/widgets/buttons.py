"""Push buttons with icons in the theme's colours."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.words.plain_text import plain_tip

_SIDE = 18
_TAIL = 0.25
_AROUND = 76
_WIDEST = 320


class ThemedButton(QPushButton):
    """Push button with an icon in the text colour of its role.

    Takes the focus only by keyboard, so that a click shows no focus ring.

    Args:
        theme: The theme.
        icon: Icon name; none when empty.
        text: Label; if empty, the button shows only its icon.
        role: Role in the style sheet (``QPushButton[role="…"]``).
        hint: Tool tip, and the accessible name of a button without a label.
        parent: The Qt parent.
    """

    def __init__(
        self,
        theme: Theme,
        icon: str = "",
        text: str = "",
        role: str = "",
        hint: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = icon
        self._colour = ""
        self.label = text
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if hint:
            self.setToolTip(plain_tip(hint))
        if hint and not text:
            self.setAccessibleName(hint)
        mark(self, role=role)
        theme.changed.connect(self._draw)
        self._draw()

    def show_icon(self, icon: str, colour: str = "") -> None:
        """Changes the icon; ``colour`` is the name of a token, or empty for the role's text colour."""
        if (icon, colour) != (self._icon, self._colour):
            self._icon, self._colour = icon, colour
            self._draw()

    def show_role(self, role: str) -> None:
        """Changes the role."""
        if self.property("role") != role:
            mark(self, role=role)
            self._draw()

    def show_label(self, text: str, compact: bool = False, detail: str = "") -> None:
        """Changes the label, which is the accessible name, too.

        Args:
            text: The label.
            compact: Whether only the icon (and the detail) is shown.
            detail: Something that changes, such as a time, shown behind the label.
        """
        shown = " · ".join(filter(None, ("" if compact else text, detail)))
        if (text, shown) == (self.label, self.text()):
            return
        self.label = text
        self.setText(shown)
        self.setAccessibleName(text)
        self._draw()

    def keep_room(self, *labels: str) -> None:
        """Makes the button as wide as its widest label, so that a change of label moves no other button."""
        self.ensurePolished()  # applies the style sheet's font
        metrics = self.fontMetrics()
        widths = [metrics.size(Qt.TextFlag.TextShowMnemonic, each).width() for each in (self.text(), *labels)]
        around, widest = super().sizeHint().width() - widths[0], max(widths[1:])
        self.setMinimumWidth(around + widest if self.text() else 0)

    def _draw(self) -> None:
        if not self._icon:
            return
        tail = _TAIL if self.text() else 0.0
        tokens = self._theme.tokens
        roles = {"primary": tokens.on_accent, "air": tokens.bad, "overlay": "#ffffff"}
        colour = getattr(tokens, self._colour) if self._colour else None
        colour = colour or roles.get(str(self.property("role")), tokens.text)
        self.setIcon(self._theme.icon(self._icon, colour, tokens.muted, tail))
        self.setIconSize(QSize(round(_SIDE * (1 + tail)), _SIDE))


class ElidedButton(ThemedButton):
    """Drop-down button with an elided label; the tool tip has the whole text."""

    def __init__(self, theme: Theme, icon: str, role: str, parent: QWidget | None = None) -> None:
        self._whole = ""
        super().__init__(theme, icon, "", role, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        """Changes the text."""
        if text != self._whole:
            self._whole = text
            self.setToolTip(plain_tip(text))
            self._elide()
            self._draw()
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Width of the whole text, up to a limit."""
        wanted = self.fontMetrics().horizontalAdvance(self._whole) + _AROUND
        return QSize(min(wanted, _WIDEST), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Width of the icon and a few letters."""
        return QSize(130, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elides the text to the new width."""
        super().resizeEvent(event)
        self._elide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the drop-down arrow, too."""
        super().paintEvent(event)
        arrow = self._theme.pixmap("down", self._theme.tokens.muted, 16, self.devicePixelRatioF())
        painter = QPainter(self)
        painter.drawPixmap(self.width() - 26, (self.height() - 16) // 2, arrow)
        painter.end()

    def _elide(self) -> None:
        room = self.width() - _AROUND + 2
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room))
