"""Both palettes can be read, the style sheet is whole, and every icon that is asked for exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

import overpaint.gui
from overpaint.assets import asset_dir
from overpaint.gui.appearance.tokens import CONTRAST, DARK, LIGHT, Tokens
from overpaint.gui.widgets.buttons import ThemedButton


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tokens", [DARK, LIGHT, CONTRAST], ids=["dark", "light", "contrast"])
def test_every_text_has_enough_contrast(tokens: Tokens) -> None:
    for ground in (tokens.window, tokens.bar, tokens.panel, tokens.card, tokens.field):
        assert contrast(tokens.text, ground) >= 7
        assert contrast(tokens.muted, ground) >= 4.5
        assert contrast(tokens.bad, ground) >= 4.5
    for text, ground in (
        (tokens.on_accent, tokens.accent),
        (tokens.on_accent, tokens.accent_hover),
        (tokens.on_air, tokens.air),
        (tokens.stage_text, tokens.stage),
        (tokens.stage_muted, tokens.stage),
        (tokens.text, tokens.hover),
    ):
        assert contrast(text, ground) >= 4.5
    for icon in (tokens.good, tokens.warn, tokens.accent):
        assert contrast(icon, tokens.card) >= 3  # WCAG 2.2, 1.4.11


def test_the_theme_follows_the_systems_scheme(theme) -> None:
    theme.show_scheme(Qt.ColorScheme.Light)
    assert theme.tokens is LIGHT
    theme.show_scheme(Qt.ColorScheme.Dark)
    assert theme.tokens is DARK


def test_every_icon_named_in_the_code_exists(theme) -> None:
    names: set[str] = set()
    for file in Path(overpaint.gui.__file__).parent.rglob("*.py"):
        names |= set(re.findall(r'"(state-[a-z]+)"', file.read_text("utf-8")))
    names |= {"camera", "screen", "file", "demo", "record", "hold", "play", "stop", "air", "down", "photo"}
    names |= {"private", "more", "still", "original", "settings", "about", "quit", "folder", "shown"}
    names |= {"close", "copy", "refresh", "mirror", "check", "star", "star-full", "grid", "search", "compare"}
    names |= {"undo", "person", "snip", "window", "keep", "framing", "turn", "microphone", "microphone-off"}
    here = {file.stem for file in asset_dir("icons").glob("*.svg")}
    assert names <= here
    for name in names:
        image = theme.pixmap(name, "#ff0000", 24, 2.0).toImage()
        assert any(image.pixelColor(x, y).red() > 200 for x in range(48) for y in range(48)), name


@pytest.mark.parametrize("appearance", ["dark", "light", "contrast"])
def test_a_button_of_any_role_looks_as_if_nothing_came_of_a_click_while_it_is_disabled(
    qtbot, theme, appearance
) -> None:
    theme.show_appearance(appearance)
    warnings = [QColor(colour) for colour in (theme.tokens.bad, theme.tokens.text)]
    for role in ("", "danger", "air", "strong", "link", "fold", "small", "chooser"):
        button = ThemedButton(theme, text="Delete", role=role)
        qtbot.addWidget(button)
        button.show()
        assert shown_colours(button) & {colour.rgb() for colour in warnings}, role
        button.setEnabled(False)
        assert not shown_colours(button) & {colour.rgb() for colour in warnings}, role


def shown_colours(widget: QWidget) -> set[int]:
    image = widget.grab().toImage()
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
