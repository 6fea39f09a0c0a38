"""Theme: the colour palette in use (light, dark, high contrast), the style sheet made from it, tinted icons.

The palette follows the system's setting, or the user's.
Must not know what is shown.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from overpaint.gui.appearance.style_sheet import style_sheet
from overpaint.gui.appearance.tokens import CONTRAST, DARK, LIGHT, Sizes, Tokens
from overpaint.gui.window_settings import Appearance


class Theme(QObject):
    """Theme of the application; emits ``changed`` when a palette has been applied.

    Args:
        app: The application; its style, palette and style sheet are set only here.
        icons: The folder of icons.
    """

    changed = Signal()

    def __init__(self, app: QApplication, icons: Path) -> None:
        super().__init__(app)
        self._app = app
        self._drawn: dict[tuple[str, str, int, float], QPixmap] = {}
        self._drawings = {file.stem: file.read_text("utf-8") for file in icons.glob("*.svg")}
        self.sizes = Sizes.from_font(app.font())
        self.tokens = DARK
        self._appearance: Appearance = "system"
        app.setStyle("Fusion")
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self._follow)
        hints.accessibility().contrastPreferenceChanged.connect(self._follow)
        self._follow()

    @property
    def dark(self) -> bool:
        """Whether a dark palette is in use."""
        return self.tokens is not LIGHT

    def show_appearance(self, appearance: Appearance) -> None:
        """Applies the user's setting; "system" follows the system."""
        self._appearance = appearance
        self._follow()

    def show_scheme(self, scheme: Qt.ColorScheme) -> None:
        """Applies the palette for a colour scheme; dark if the system reports none."""
        self._show(LIGHT if scheme == Qt.ColorScheme.Light else DARK)

    def _follow(self) -> None:
        hints = self._app.styleHints()
        if self._appearance == "contrast":
            self._show(CONTRAST)
        elif self._appearance != "system":
            self._show(LIGHT if self._appearance == "light" else DARK)
        elif hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
            self._show(CONTRAST)
        else:
            self.show_scheme(hints.colorScheme())

    def _show(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._app.setPalette(_palette(self.tokens))
        self._app.setStyleSheet(style_sheet(self.tokens, self.sizes))
        self.changed.emit()

    def icon(self, name: str, colour: str, disabled: str | None = None, tail: float = 0.0) -> QIcon:
        """An icon tinted in one colour, sharp at every scale.

        Args:
            name: File name in the icons folder, without its ending.
            colour: ``#rrggbb``, usually a token.
            disabled: Colour while its button is disabled; ``colour`` if None.
            tail: Empty space at its right, as a fraction of its width: Qt places a button's label too close.
        """
        icon = QIcon()
        for side in (16, 20, 24, 32, 48, 64):
            icon.addPixmap(self._draw(name, colour, side, tail))
            if disabled is not None:
                icon.addPixmap(self._draw(name, disabled, side, tail), QIcon.Mode.Disabled)
        return icon

    def pixmap(self, name: str, colour: str, side: int, ratio: float) -> QPixmap:
        """The icon as a pixmap of ``side`` device-independent pixels, for a device pixel ratio."""
        pixmap = QPixmap(self._draw(name, colour, round(side * ratio)))
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def _draw(self, name: str, colour: str, side: int, tail: float = 0.0) -> QPixmap:
        """Renders an icon once and caches it: some are painted with every frame."""
        key = (name, colour, side, tail)
        if key not in self._drawn:
            self._drawn[key] = self._render(*key)
        return self._drawn[key]

    def _render(self, name: str, colour: str, side: int, tail: float) -> QPixmap:
        pixmap = QPixmap(round(side * (1 + tail)), side)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        drawing = self._drawings[name].replace("currentColor", colour)
        QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(0, 0, side, side))
        painter.end()
        return pixmap


def mark(widget: QWidget, **properties: object) -> None:
    """Sets dynamic properties that the style sheet selects by, and polishes the widget again on a change."""
    changed = False
    for name, value in properties.items():
        if widget.property(name) != value:
            widget.setProperty(name, value)
            changed = True
    if changed:
        style = widget.style()
        style.unpolish(widget)
        style.polish(widget)


def _palette(tokens: Tokens) -> QPalette:
    palette = QPalette()
    roles = QPalette.ColorRole
    for role, colour in (
        (roles.Window, tokens.window),
        (roles.WindowText, tokens.text),
        (roles.Base, tokens.field),
        (roles.AlternateBase, tokens.card),
        (roles.Text, tokens.text),
        (roles.Button, tokens.card),
        (roles.ButtonText, tokens.text),
        (roles.ToolTipBase, tokens.card),
        (roles.ToolTipText, tokens.text),
        (roles.PlaceholderText, tokens.muted),
        (roles.Highlight, tokens.accent),
        (roles.HighlightedText, tokens.on_accent),
        (roles.Accent, tokens.accent),
        (roles.Link, tokens.accent),
    ):
        palette.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.muted))
    return palette
