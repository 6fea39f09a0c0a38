"""Modifiers: what a prompt changes in a look (warmer, darker, subtle, in sepia, without lines, background).

Knows the amount of each change. Must not know the words for it (``lexicon``) or the looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

Subject = Literal["all", "person", "background"]
"""The part of the picture that is restyled."""

SPARED = 1.0
"""Value of ``spare_face`` for a face that stays as it is."""

BLURRED = 1.0
"""Value of ``background_blur`` for a background that is out of focus."""


@dataclass(frozen=True, slots=True)
class Tint:
    """A tint of the finished picture (split toning).

    Attributes:
        name: As in ``resources/words``.
        shadows: Shift (u, v) of black, levels of chroma.
        lights: Shift (u, v) of white, levels of chroma.
        keeps: Factor on the picture's own chroma; 0 removes it.
    """

    name: str
    shadows: tuple[float, float]
    lights: tuple[float, float]
    keeps: float

    def times(self, amount: float) -> Tint:
        """The same tint, weaker or stronger."""
        return Tint(
            self.name,
            (self.shadows[0] * amount, self.shadows[1] * amount),
            (self.lights[0] * amount, self.lights[1] * amount),
            max(0.0, 1 - (1 - self.keeps) * min(1.0, amount)),
        )


@dataclass(frozen=True, slots=True)
class Modifiers:
    """The changes to a look that a prompt asks for.

    Attributes:
        warmth: Levels of chroma towards orange (positive) or blue (negative).
        brightness: See ``passes.light.tone.curve``.
        contrast: See ``passes.light.tone.curve``.
        saturation: Factor on chroma.
        strength: Factor on the look's strength.
        line_scale: Factor on the width of lines.
        without: Names of passes that are left out.
        tint: Tint of the finished picture; None keeps the look's own colours.
        subject: The part of the picture that is restyled; the rest stays as it is.
        spare_face: Share of the original in the face, 0..1.
        background_blur: Blur of the background, 0..1.
        said: The changes in plain words.
    """

    warmth: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 1.0
    strength: float = 1.0
    line_scale: float = 1.0
    without: frozenset[str] = frozenset()
    tint: Tint | None = None
    subject: Subject = "all"
    spare_face: float = 0.0
    background_blur: float = 0.0
    said: tuple[str, ...] = field(default=())

    @property
    def touches_tone(self) -> bool:
        """Whether a tone pass is needed after the look's own passes."""
        changed = self.warmth or self.brightness or self.contrast or self.saturation != 1
        return bool(changed) or self.tint is not None

    def tone(self) -> Mapping[str, object]:
        """Parameters of the tone pass that applies the changes of tone and colour."""
        values: dict[str, object] = {
            "warmth": self.warmth,
            "brightness": self.brightness,
            "contrast": self.contrast,
            "saturation": self.saturation,
        }
        if self.tint is not None:
            values["saturation"] = self.saturation * self.tint.keeps
            values["split"] = (*self.tint.shadows, *self.tint.lights)
        return values


@dataclass(frozen=True, slots=True)
class Wish:
    """A change that a prompt requests.

    Attributes:
        name: Name of an effect, a tint or a part of a picture, as in ``resources/words``.
        amount: 1 for the plain word, less with "a bit", more with "very".
    """

    name: str
    amount: float = 1.0


@dataclass(frozen=True, slots=True)
class _Effect:
    warmth: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 1.0
    strength: float = 1.0
    line_scale: float = 1.0


EFFECTS = MappingProxyType(
    {
        "warm": _Effect(warmth=10),
        "cool": _Effect(warmth=-10),
        "moody": _Effect(brightness=-0.3, contrast=0.35, saturation=0.85),
        "dark": _Effect(brightness=-0.4),
        "bright": _Effect(brightness=0.35),
        "vivid": _Effect(saturation=1.45),
        "muted": _Effect(saturation=0.55),
        "contrasty": _Effect(contrast=0.5),
        "gentle-contrast": _Effect(contrast=-0.4),
        "black-and-white": _Effect(saturation=0.0),
        "subtle": _Effect(strength=0.5),
        # Most looks have full strength already, so "strong" also raises contrast and saturation.
        "strong": _Effect(strength=1.25, contrast=0.15, saturation=1.15),
        "fine-lines": _Effect(line_scale=0.65),
        "bold-lines": _Effect(line_scale=1.6),
    }
)
"""Changes that each effect makes at an amount of 1."""

OPPOSITES = MappingProxyType(
    {
        "warm": "cool", "cool": "warm", "dark": "bright", "bright": "dark", "vivid": "muted",
        "muted": "vivid", "black-and-white": "", "subtle": "strong", "strong": "subtle",
        "moody": "bright", "contrasty": "gentle-contrast", "gentle-contrast": "contrasty",
        "fine-lines": "bold-lines", "bold-lines": "fine-lines",
        "yellow": "cool", "orange": "cool", "red": "cool", "brown": "cool", "blue": "warm", "teal": "warm",
    }
)  # fmt: skip
"""Effects that "not warm" and "less yellow" ask for; empty where a negation only removes the effect."""


def _one(name: str, u: float, v: float) -> Tint:
    """A tint of one colour, paler in the highlights, that removes the picture's own chroma."""
    return Tint(name, (u, v), (u * 0.55, v * 0.55), 0.0)


TINTS = MappingProxyType(
    {
        tint.name: tint
        for tint in (
            _one("red", -18, 62),
            _one("orange", -48, 40),
            _one("yellow", -58, 20),
            _one("green", -24, -36),
            _one("teal", 14, -38),
            _one("blue", 56, -22),
            _one("purple", 38, 26),
            _one("pink", 8, 44),
            _one("brown", -26, 26),
            _one("sepia", -22, 16),
            Tint("teal-and-orange", (18, -30), (-26, 22), 0.7),
            Tint("earth-tones", (-12, 10), (-16, 8), 0.5),
            Tint("jewel-tones", (10, 8), (-6, 4), 1.5),
            Tint("candy-colours", (6, 14), (2, 8), 1.2),
        )
    }
)
"""Every tint by name."""


def gather(
    wanted: Sequence[Wish], denied: Sequence[Wish], without: Sequence[str], colours: Sequence[Wish]
) -> Modifiers:
    """Combines changes into modifiers.

    Args:
        wanted: Requested effects.
        denied: Negated effects and tints; their opposites are applied.
        without: Passes to leave out.
        colours: Requested tints. One colours the whole picture; of two, the first colours the shadows and
            the second the highlights.
    """
    against = {wish.name for wish in denied}
    wishes = [*wanted, *(Wish(OPPOSITES.get(wish.name, ""), wish.amount) for wish in denied)]
    chosen: dict[str, Wish] = {}
    for wish in wishes:
        if wish.name and wish.name not in against:
            chosen.pop(OPPOSITES.get(wish.name, ""), None)  # "my room is dark, brighten it"
            chosen[wish.name] = wish
    if len(colours) == 1 and TINTS[colours[0].name].keeps == 0:
        chosen.pop("black-and-white", None)  # "monochrome red" is red
    result = Modifiers()
    for wish in chosen.values():
        result = _changed(result, wish)
    tint = _tint(colours)
    said = [
        *(_say(wish) for wish in chosen.values()),
        *([_say(Wish(tint.name, colours[0].amount))] if tint is not None else []),
        *(f"no {name}" for name in dict.fromkeys(without)),
    ]
    return replace(result, without=frozenset(without), tint=tint, said=tuple(said))


def _changed(result: Modifiers, wish: Wish) -> Modifiers:
    effect, amount = EFFECTS[wish.name], wish.amount
    return replace(
        result,
        warmth=result.warmth + effect.warmth * amount,
        brightness=result.brightness + effect.brightness * amount,
        contrast=result.contrast + effect.contrast * amount,
        saturation=result.saturation * _factor(effect.saturation, amount),
        strength=result.strength * _factor(effect.strength, amount),
        line_scale=result.line_scale * _factor(effect.line_scale, amount),
    )


def _factor(factor: float, amount: float) -> float:
    return max(0.0, 1 + (factor - 1) * amount)


def _tint(colours: Sequence[Wish]) -> Tint | None:
    if not colours:
        return None
    first = TINTS[colours[0].name].times(colours[0].amount)
    if len(colours) == 1:
        return first
    second = TINTS[colours[1].name].times(colours[1].amount)
    return Tint(f"{first.name}-and-{second.name}", first.shadows, second.lights, 0.0)


def _say(wish: Wish) -> str:
    plain = wish.name.replace("-", " ")
    if wish.name in TINTS and TINTS[wish.name].keeps == 0 and wish.name != "sepia":
        plain = f"in {plain}"
    if wish.amount < 1:
        return f"slightly {plain}"
    return f"very {plain}" if wish.amount > 1 else plain


def with_places(
    changes: Modifiers, subject: Subject, face: bool, blur: bool, strength: float | None
) -> Modifiers:
    """Adds the regions of the picture that a prompt names, and a strength given as a number.

    Args:
        changes: Modifiers so far.
        subject: See ``Modifiers.subject``.
        face: Whether the face stays as it is.
        blur: Whether the background is out of focus.
        strength: 0..1; None where the prompt gives no number.
    """
    said: Iterable[str] = (
        *changes.said,
        *([f"{strength:.0%}".replace("%", " %")] if strength is not None else []),
        *([f"{subject} only"] if subject != "all" else []),
        *(["face kept natural"] if face else []),
        *(["background blurred"] if blur else []),
    )
    return replace(
        changes,
        strength=changes.strength * (1.0 if strength is None else strength),
        subject=subject,
        spare_face=SPARED if face else 0.0,
        background_blur=BLURRED if blur else 0.0,
        said=tuple(said),
    )
