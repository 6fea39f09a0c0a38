"""What a prompt says beyond the medium: warmer, darker, subtle, without lines.

Knows words and what they change, not looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from overpaint.engine.words import stem


@dataclass(frozen=True, slots=True)
class Modifiers:
    """Changes to a look.

    Attributes:
        warmth: Levels of chroma towards orange (positive) or blue.
        brightness: See ``passes.tone.curve``.
        contrast: See ``passes.tone.curve``.
        saturation: Factor.
        strength: Factor on the look's strength.
        line_scale: Factor on the width of lines.
        without: Names of passes left out.
        said: The changes in plain words, in the order of the prompt.
    """

    warmth: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 1.0
    strength: float = 1.0
    line_scale: float = 1.0
    without: frozenset[str] = frozenset()
    said: tuple[str, ...] = field(default=())

    @property
    def touches_tone(self) -> bool:
        """Whether a tone pass is needed at the end."""
        return bool(self.warmth or self.brightness or self.contrast or self.saturation != 1)


@dataclass(frozen=True, slots=True)
class _Effect:
    said: str
    warmth: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 1.0
    strength: float = 1.0
    line_scale: float = 1.0


_EFFECTS = (
    (
        _Effect("warm", warmth=10),
        "warm warmer sunny golden cosy cozy autumn autumnal sunset sepia warme warmes sonnig",
    ),
    (_Effect("cool", warmth=-10), "cool cooler cold icy winter wintry frosty bluish kalt kuhl"),
    (
        _Effect("moody", brightness=-0.3, contrast=0.35, saturation=0.85),
        "moody dramatic gloomy brooding sombre duster dramatisch",
    ),
    (_Effect("dark", brightness=-0.4), "dark darker dim night shadowy dunkel dunkle"),
    (_Effect("bright", brightness=0.35), "bright brighter light lighter airy hell helle"),
    (
        _Effect("vivid", saturation=1.45),
        "vivid colourful vibrant saturated bold-colours bright-colours bunt kraftig farbenfroh",
    ),
    (
        _Effect("muted", saturation=0.55),
        "muted pastel desaturated faded soft-colours pale washed gedampft blass",
    ),
    (_Effect("contrasty", contrast=0.5), "contrasty punchy high-contrast hard-contrast kontrastreich"),
    (_Effect("gentle contrast", contrast=-0.4), "low-contrast flat-contrast"),
    (
        _Effect("black and white", saturation=0.0),
        "black-and-white monochrome greyscale colourless b-w bw schwarzweiss schwarz-weiss",
    ),
    (
        _Effect("subtle", strength=0.5),
        "subtle gentle slight slightly light-touch delicate mild hint a-little dezent leicht",
    ),
    (_Effect("strong", strength=1.25), "strong intense heavy extreme heavily stark"),
    (
        _Effect("fine lines", line_scale=0.65),
        "fine-lines thin-lines thin-line fine-liner delicate-lines feine-linien",
    ),
    (
        _Effect("bold lines", line_scale=1.6),
        "bold-lines thick-lines bold-outlines thick-outlines heavy-lines strong-lines dicke-linien",
    ),
)

_OPPOSITES = {
    "warm": "cool", "cool": "warm", "dark": "bright", "bright": "dark", "vivid": "muted", "muted": "vivid",
    "black and white": "", "subtle": "strong", "strong": "subtle", "moody": "bright",
    "contrasty": "gentle contrast", "gentle contrast": "contrasty", "fine lines": "bold lines",
    "bold lines": "fine lines",
}  # fmt: skip

_PARTS = MappingProxyType(
    {
        "line": "lines", "outlin": "lines", "contour": "lines", "linien": "lines", "lini": "lines",
        "grain": "grain", "noise": "grain", "korn": "grain",
        "paper": "paper", "textur": "paper", "vignett": "paper", "papi": "paper",
        "glow": "glow", "bloom": "glow", "hatch": "hatching", "schraffur": "hatching",
        "dot": "halftone", "grid": "grid",
    }
)  # fmt: skip

NEGATIONS = frozenset(
    {"no", "not", "without", "minus", "never", "less", "ohne", "kein", "keine", "keinen", "nicht"}
)
"""Words that turn what follows into its opposite, up to the next comma or "but"."""


def _phrases() -> dict[tuple[str, ...], _Effect]:
    table = {}
    for effect, words in _EFFECTS:
        for word in words.split():
            table[tuple(stem(part) for part in word.split("-"))] = effect
    return table


_BY_PHRASE = MappingProxyType(_phrases())
_BY_SAID = MappingProxyType({effect.said: effect for effect, _ in _EFFECTS})
MODIFYING = frozenset(word for phrase in _BY_PHRASE for word in phrase) | frozenset(_PARTS) | NEGATIONS
"""Stems that modifiers are made of."""

_LONGEST = max(len(phrase) for phrase in _BY_PHRASE)


def effect_of(words: Sequence[str], at: int) -> tuple[str, int]:
    """The modifier that begins at a word.

    Args:
        words: Stems of a prompt.
        at: Where to look.

    Returns:
        Its plain name and how many words it takes; ("", 0) when none begins there.
    """
    for length in range(min(_LONGEST, len(words) - at), 0, -1):
        effect = _BY_PHRASE.get(tuple(words[at : at + length]))
        if effect is not None:
            return effect.said, length
    return "", 0


def part_of(word: str) -> str:
    """The pass that a stem names ("line" → ``lines``); empty when none."""
    return _PARTS.get(word, "")


def gather(said: Sequence[str], denied: Sequence[str], without: Sequence[str]) -> Modifiers:
    """Joins modifiers.

    Args:
        said: Plain names of modifiers asked for.
        denied: Plain names of modifiers asked against: their opposites are taken.
        without: Passes to leave out.
    """
    wanted = [*said, *(_OPPOSITES.get(name, "") for name in denied)]
    wanted = [name for name in dict.fromkeys(wanted) if name and (name not in denied)]
    result = Modifiers()
    for name in wanted:
        effect = _BY_SAID[name]
        result = replace(
            result,
            warmth=result.warmth + effect.warmth,
            brightness=result.brightness + effect.brightness,
            contrast=result.contrast + effect.contrast,
            saturation=result.saturation * effect.saturation,
            strength=result.strength * effect.strength,
            line_scale=result.line_scale * effect.line_scale,
        )
    left_out = tuple(f"no {name}" for name in dict.fromkeys(without))
    return replace(result, without=frozenset(without), said=(*wanted, *left_out))
