"""The theme: the window's colours, sizes and tinted icons.

Three palettes follow the system's light, dark or high-contrast setting, or the user's own wish;
everything else asks for a colour by its meaning. Must not know what is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from overpaint.gui.habits import Appearance
from overpaint.gui.styling import style_sheet


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours by meaning, as ``#rrggbb``.

    Every text colour keeps a contrast of at least 4.5 : 1 to each ground that it is used on
    (WCAG 2.2, 1.4.3); a test holds them to it.
    """

    window: str
    bar: str
    panel: str
    card: str
    field: str
    hover: str
    pressed: str
    line: str
    text: str
    muted: str
    accent: str
    accent_hover: str
    on_accent: str
    air: str
    on_air: str
    good: str
    warn: str
    bad: str
    stage: str
    stage_text: str
    stage_muted: str


DARK = Tokens(
    window="#17181b",
    bar="#17181b",
    panel="#1d1e22",
    card="#26272c",
    field="#202126",
    hover="#33353c",
    pressed="#3d3f47",
    line="#34363d",
    text="#f3f3f5",
    muted="#a9abb4",
    accent="#ff8a4a",
    accent_hover="#ff9d67",
    on_accent="#26120a",
    air="#c62f3b",
    on_air="#ffffff",
    good="#4cc38a",
    warn="#f2b544",
    bad="#ff7d7d",
    stage="#0f1012",
    stage_text="#f3f3f5",
    stage_muted="#a9abb4",
)

LIGHT = Tokens(
    window="#f4f2ee",
    bar="#f4f2ee",
    panel="#faf9f7",
    card="#edeae4",
    field="#ffffff",
    hover="#e2ded6",
    pressed="#d6d1c7",
    line="#dad6cd",
    text="#1b1b1e",
    muted="#5b5c64",
    accent="#bf460c",
    accent_hover="#a93c08",
    on_accent="#ffffff",
    air="#b3202d",
    on_air="#ffffff",
    good="#12704a",
    warn="#855300",
    bad="#b3202d",
    stage="#e3dfd8",
    stage_text="#1b1b1e",
    stage_muted="#55565e",
)


CONTRAST = Tokens(
    window="#000000",
    bar="#000000",
    panel="#000000",
    card="#161616",
    field="#000000",
    hover="#333333",
    pressed="#4d4d4d",
    line="#ffffff",
    text="#ffffff",
    muted="#e6e6e6",
    accent="#ffd400",
    accent_hover="#ffe566",
    on_accent="#000000",
    air="#b00020",
    on_air="#ffffff",
    good="#5dff9e",
    warn="#ffd400",
    bad="#ff8a8a",
    stage="#000000",
    stage_text="#ffffff",
    stage_muted="#e6e6e6",
)
"""Every text at 7 : 1 or more, and a line around what is a surface elsewhere (WCAG 2.2, 1.4.6)."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Type sizes in device-independent pixels, all derived from the system's own font size."""

    body: int
    small: int
    title: int
    figure: int

    @classmethod
    def from_font(cls, font: QFont) -> Sizes:
        """Sizes around a system font; never below 13 pixels for running text."""
        body = min(20, max(13, QFontInfo(font).pixelSize()))
        return cls(
            body=body,
            small=max(12, round(body * 0.9)),
            title=round(body * 1.3),
            figure=round(body * 1.85),
        )


class Theme(QObject):
    """The application's look; ``changed`` fires when the system turns light or dark.

    Args:
        app: The application; its style, palette and style sheet are set here and nowhere else.
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
        """Takes the user's wish; "system" follows the system from now on."""
        self._appearance = appearance
        self._follow()

    def show_scheme(self, scheme: Qt.ColorScheme) -> None:
        """Turns light, or dark (also where the system does not say)."""
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
        """An icon drawn in one colour, sharp at every scale.

        Args:
            name: File name in the icons folder, without its ending.
            colour: ``#rrggbb``, usually a token.
            disabled: Colour while its button is disabled; the same when left out.
            tail: Empty room at its right, in parts of its width (Qt sets a label too close).
        """
        icon = QIcon()
        for side in (16, 20, 24, 32, 48, 64):
            icon.addPixmap(self._draw(name, colour, side, tail))
            if disabled is not None:
                icon.addPixmap(self._draw(name, disabled, side, tail), QIcon.Mode.Disabled)
        return icon

    def pixmap(self, name: str, colour: str, side: int, ratio: float) -> QPixmap:
        """The same as a pixmap of ``side`` device-independent pixels for a screen of that scale."""
        pixmap = QPixmap(self._draw(name, colour, round(side * ratio)))
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def _draw(self, name: str, colour: str, side: int, tail: float = 0.0) -> QPixmap:
        """Drawn once: some are painted with every frame, and there are few colours and sizes."""
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
    """Sets the properties that the style sheet looks at, and applies it again if one changed."""
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
