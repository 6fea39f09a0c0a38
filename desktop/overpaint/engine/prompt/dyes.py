"""Dyes: the colours of clothes, hair and paper, by name, and their dark and light shades.

Must not know where a prompt names them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from overpaint.engine.prompt.edits import Shade

SHADES: Mapping[str, str] = MappingProxyType(
    {
        "red": "#b3202c", "orange": "#d8701c", "yellow": "#e0be2a", "green": "#2f7d3c", "teal": "#1e8389",
        "blue": "#2855b0", "purple": "#6c3a9c", "pink": "#e06a9f", "brown": "#6b4428", "sepia": "#7a5a3c",
        "black": "#1b1b1e", "white": "#eeede8", "grey": "#85868a", "silver": "#b9bcc2", "gold": "#c79a3a",
        "beige": "#cdb48c", "navy": "#1f2a4d", "burgundy": "#6a1c2c", "blonde": "#d9b56c",
        "ginger": "#b3541e", "brunette": "#4a2f1d",
    }
)  # fmt: skip
"""Colours of cloth and paper, #rrggbb, by the names of colours and dyes in ``resources/words``."""

HAIR_SHADES: Mapping[str, str] = MappingProxyType(
    {
        **SHADES, "red": "#9c3a1c", "brown": "#4f331f", "black": "#17130f", "grey": "#9a9a9a",
        "white": "#e4e1da", "gold": "#d2a659", "yellow": "#dcb85e",
    }
)  # fmt: skip
"""Colours of hair: red hair is not red as a jacket is."""

GREEN_SCREEN = Shade("green screen", "#00b140")
"""The green that programs of video key out (chroma key)."""

DARKER, LIGHTER = 0.55, 0.45
"""Factor on a colour that is called dark, and share of white in one that is called light."""

DEEP = frozenset(
    {"dark", "deep", "dunkel", "dunkl", "dunklem", "fonce", "oscuro", "scuro", "escuro", "深", "暗", "濃"}
)
PALE = frozenset({"light", "pale", "hell", "hellem", "pastel", "clair", "claro", "chiaro", "浅", "淡", "薄"})
"""Words, and stems, beside a colour that call it dark, or light."""

COMPOUND = ("dunkel", "hell")
"""Beginnings of German words for shades: "dunkelrot"."""


def shade(name: str, shades: Mapping[str, str], beside: Collection[str] = ()) -> Shade:
    """The shade of a colour that words call dark, light, or neither.

    Args:
        name: Name of the colour.
        shades: ``SHADES`` or ``HAIR_SHADES``.
        beside: The words.
    """
    rgb = bytes.fromhex(shades[name][1:])
    if not DEEP.isdisjoint(beside):
        return Shade(f"dark {name}", _hex(value * DARKER for value in rgb))
    if not PALE.isdisjoint(beside):
        return Shade(f"light {name}", _hex(value + (255 - value) * LIGHTER for value in rgb))
    return Shade(name, shades[name])


def _hex(values: Iterable[float]) -> str:
    return "#" + bytes(round(value) for value in values).hex()
