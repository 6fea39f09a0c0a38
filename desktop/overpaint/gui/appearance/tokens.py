"""Design tokens: the palettes' colours by meaning, and font sizes. Must not know what is shown."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFont, QFontInfo


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours by meaning, as ``#rrggbb``.

    Every text colour has a contrast ratio of at least 4.5 : 1 on each background that it is used on (WCAG
    2.2, 1.4.3); a test checks it.
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
"""High contrast: every text at 7 : 1 or more (WCAG 2.2, 1.4.6), and white lines between black surfaces."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Font sizes in device-independent pixels, derived from the system's font size."""

    body: int
    small: int
    title: int
    figure: int

    @classmethod
    def from_font(cls, font: QFont) -> Sizes:
        """Sizes derived from a system font; 13 to 20 pixels for running text."""
        body = min(20, max(13, QFontInfo(font).pixelSize()))
        return cls(
            body=body,
            small=max(12, round(body * 0.9)),
            title=round(body * 1.3),
            figure=round(body * 1.85),
        )
