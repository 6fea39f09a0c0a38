"""Offers in a clause: the scene, the material, the clothes and the hair colour that its words ask for.

Phrases come from the catalogue and from ``wearing`` and ``dyes`` of the lexicon. A colour belongs to the
jacket, the hair or the background beside it, not to the picture; a jacket without a colour or a cloth is no
offer. Must not know how looks are ranked, or how an edit is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from overpaint.engine.prompt.dyes import COMPOUND, DEEP, GREEN_SCREEN, HAIR_SHADES, PALE, SHADES, shade
from overpaint.engine.prompt.edits import NO_EDITS, Edits, Shade
from overpaint.engine.prompt.language.lexicon import lexicon
from overpaint.engine.prompt.language.stemming import is_ideographic, stem
from overpaint.engine.prompt.look_ranking import Span, Word
from overpaint.engine.prompt.offered import OF, OfferedWords, garments
from overpaint.engine.prompt.things import Found

REACH, REACH_UNSPACED = 3, 8
"""Words between a colour or a cloth and what it belongs to ("make the shirt a very dark green"); characters
in scripts that do not part words."""

_WORN = frozenset(
    {"wear", "wearing", "wears", "dressed", "trage", "tragen", "trag", "kleidung", "porte", "porter", "vetu"}
) | {"llevo", "lleva", "vestido", "indosso", "vestito", "visto", "usando", "vestindo", "着", "穿"}
"""Words for being dressed in something."""

_SELF = frozenset(
    {"me", "myself", "am", "mich", "bin", "moi", "suis", "soy", "mi", "sono", "sou", "我", "成", "us", "up"}
)
"""Words before a material that somebody is made of: "make me gold"."""

_INTO = frozenset({"in", "into", "on", "at", "inside", "before", "behind", "to", "as", "like", "from"}) | {
    "im", "am", "auf", "an", "vor", "ins", "aus", "zu", "zum", "zur", "als", "wie", "bei",
    "dans", "sur", "a", "au", "aux", "en", "comme", "devant", "chez",
    "como", "sobre", "ante", "nel", "nella", "sul", "sulla", "al", "alla", "come", "davanti", "su",
    "no", "na", "num", "numa", "em", "ao", "在", "で", "に", "の",
}  # fmt: skip
"""Words before a place or a material that is meant as one: "turn me into ice"."""


@dataclass(frozen=True, slots=True)
class Offers:
    """The offers of a clause.

    Attributes:
        edits: What they change.
        used: Indices of the words that say so.
        vain: Indices of words beside them that nothing can be done with: the "long" of "long pink hair".
    """

    edits: Edits = field(default_factory=Edits)
    used: frozenset[int] = frozenset()
    vain: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.edits)


def find_offers(
    words: Sequence[Word],
    origin: Sequence[int],
    source: Sequence[Word],
    things: Found,
    rated: Sequence[tuple[Span, Mapping[str, float]]],
) -> Offers:
    """Finds the offers of a clause; for the arguments see ``OfferedWords``."""
    return _Clause(OfferedWords(words, origin, source, things, rated)).read()


class _Clause:
    """One clause while its offers are read."""

    def __init__(self, words: OfferedWords) -> None:
        self._words = words
        self._used: set[int] = set()
        self._vain: set[int] = set()

    def read(self) -> Offers:
        """The clause's offers. What colours are spoken for is decided in this order."""
        if self._words.asks():
            return Offers()
        edits = self._read_hair(NO_EDITS)
        edits = self._read_clothes(edits)
        edits = self._read_material(edits)
        edits = self._read_scene(edits)
        if not edits:
            return Offers()
        self._use_small_words(edits)
        return Offers(edits, frozenset(self._used), frozenset(self._vain - self._used))

    def _read_hair(self, edits: Edits) -> Edits:
        """Reads "pink hair", and "blonde", which holds its colour."""
        worn = [span for span, meaning in self._words.wearing if meaning == "garments"]
        worn += [span for span, _ in self._words.found["cloths"]]
        hairs = [
            (span, meaning)
            for span, meaning in self._words.wearing  # "casaco castanho" is a chestnut coat
            if meaning == "hair" or (meaning == "locks" and all(self._gap(span, each) > 0 for each in worn))
        ]
        for span, _ in sorted(hairs, key=lambda each: each[1]):
            within = next((each for each in self._words.colours if each[0].within(span)), None)
            colour = self._nearest(span, self._words.colours) or within
            if colour is not None:
                self._use(colour[0], *(hair for hair, _ in hairs if self._gap(hair, span) <= REACH))
                styles = [style for style, meaning in self._words.wearing if meaning == "hairstyles"]
                self._vain.update(at for style in styles for at in range(style.begin, style.end))
                return replace(edits, hair=self._shade(*colour, HAIR_SHADES))
        return edits

    def _read_clothes(self, edits: Edits) -> Edits:
        """Reads "red jacket", "a shirt in dark green", "striped shirt", "in denim"."""
        cloths = self._words.found["cloths"]
        for span, meaning in self._words.wearing:
            if meaning == "garments" and span.begin not in self._used:
                cloth = self._nearest(span, cloths) or self._woven(span) or self._printed(span)
                beside = [span, *([cloth[0]] if cloth else [])]
                colour = next(filter(None, (self._nearest(at, self._words.colours) for at in beside)), None)
                if cloth is not None or colour is not None:
                    return self._dressed(edits, cloth, colour, span)
        for span, name in cloths:
            if self._words.stands_alone(span) and self._is_worn(span):
                return self._dressed(edits, (span, name), self._nearest(span, self._words.colours), span)
        return edits

    def _woven(self, garment: Span) -> tuple[Span, str] | None:
        """The cloth in a compound word for a garment: "Wolljacke"."""
        text = self._words.source[self._words.place(garment)[1] - 1].text
        for known in garments():
            if text.endswith(known) and text != known:
                found = lexicon().of("cloths", (stem(text.removesuffix(known)),))
                if found:
                    return garment, found[0]
        return None

    def _printed(self, garment: Span) -> tuple[Span, str] | None:
        """The print that the word right before a garment stands for: the zebra of "zebra shirt"."""
        before = Span(garment.begin - 1, garment.begin)
        if before.begin < 0 or self._gap(before, garment) > 0:
            return None
        name = _prints().get(self._words.words[before.begin].stem)
        return (before, name) if name else None

    def _dressed(
        self, edits: Edits, cloth: tuple[Span, str] | None, colour: tuple[Span, str] | None, garment: Span
    ) -> Edits:
        dye = None
        if colour is not None:
            self._use(colour[0])
            dye = self._shade(*colour, SHADES)
        self._use(garment, *([cloth[0]] if cloth else []))
        return replace(edits, cloth=cloth[1] if cloth else "", dye=dye)

    def _read_material(self, edits: Edits) -> Edits:
        """Reads "made of ice", "a marble statue", "gold" where it is no colour of anything."""
        words, found = self._words, self._words.found["materials"]
        for span, name in found:
            if not self._free(span) or not words.stands_alone(span) or words.is_about_thing(span):
                continue
            if words.is_of_background(span) or (
                (words.is_look(span) or words.is_colour(span)) and not self._embodied(span)
            ):
                continue
            if not self._embodied(span) and words.is_in_saying(span, place=False):
                continue
            self._use(*(other for other, same in found if same == name))
            return replace(edits, material=name, everything="everything" in words.around)
        return edits

    def _read_scene(self, edits: Edits) -> Edits:
        """Reads "on a beach", "an office behind me", "space"."""
        words, found = self._words, self._words.found["scenes"]
        for span, name in found:
            if not self._free(span) or not words.stands_alone(span):
                continue
            said = words.is_look(span) or words.is_in_saying(span, place=True)
            if words.is_named(span) or (said and not self._placed(span)):
                continue
            self._use(*(other for other, same in found if same == name))
            self._vain.update(words.doing(span))
            return replace(edits, scene=name)
        return self._read_sheet(edits)

    def _read_sheet(self, edits: Edits) -> Edits:
        """Reads a background of one colour: "plain white background", "green screen"."""
        words = self._words
        for span, meaning in words.wearing:
            if meaning == "greenscreen" and self._free(span):
                self._use(span)
                return replace(edits, backdrop=GREEN_SCREEN)
        near = [
            (_gap(words.place(span), sheet), span, name)
            for sheet in words.sheets()
            for span, name in words.colours
            if self._free(span)
        ]
        gap, span, name = min(near, key=lambda each: each[0], default=(REACH + 1, Span(0, 0), ""))
        if gap > REACH or words.painted:
            return edits
        self._use(span)
        return replace(edits, backdrop=self._shade(span, name, SHADES))

    # What belongs to what.

    def _nearest(self, span: Span, found: Found) -> tuple[Span, str] | None:
        """The colour or cloth of what a phrase names: that before it, or else the nearest one."""
        reach = REACH_UNSPACED if is_ideographic(self._words.words[span.begin].text) else REACH
        near = [
            (self._gap(other, span), other.begin > span.begin, other.begin, other, name)
            for other, name in found
            if self._free(other)
            and not other.within(span)
            and not self._words.are_parted(other, span)
            and not self._is_anothers(other, span)
        ]
        near = [each for each in near if each[0] <= reach]
        return min(near)[3:] if near else None

    def _is_anothers(self, other: Span, span: Span) -> bool:
        """Returns whether a colour or cloth stands closer to another garment, or to hair."""
        worn = [each for each, meaning in self._words.wearing if meaning in ("garments", "hair")]
        return any(each != span and self._gap(other, each) < self._gap(other, span) for each in worn)

    def _gap(self, first: Span, second: Span) -> int:
        """Number of words of the clause between two phrases, stop words included."""
        return _gap(self._words.place(first), self._words.place(second))

    def _embodied(self, span: Span) -> bool:
        """Returns whether a material is what somebody is made of, not a colour or a look."""
        bodies = {"bodies", "everything"} & self._words.around
        before = self._words.before(span)
        return bool(bodies) or before in _INTO | OF | _SELF or self._words.is_alone(span)

    def _placed(self, span: Span) -> bool:
        """Returns whether a place is where somebody is, not a look."""
        words = self._words
        return bool(words.backgrounds()) or "carries" in words.around or words.before(span) in _INTO

    def _is_worn(self, cloth: Span) -> bool:
        """Returns whether a cloth is that of clothes: "wearing denim", "Lederjacke", or denim alone."""
        words = self._words
        worn = "garments" in words.around or any(word.text in _WORN for word in words.source)
        return worn or words.words[cloth.end - 1].text.endswith(garments()) or words.is_alone(cloth)

    # Which words are used up.

    def _free(self, span: Span) -> bool:
        return self._used.isdisjoint(range(span.begin, span.end))

    def _use(self, *spans: Span) -> None:
        for span in spans:
            self._used.update(range(span.begin, span.end))

    def _use_small_words(self, edits: Edits) -> None:
        """Uses up the words that only carry an offer: "put", "wearing", "statue"."""
        words = self._words
        carrying = {"carries", "bodies", "everything"} if edits.material else {"carries"}
        for span, meaning in words.wearing:
            if meaning in carrying and not words.in_look(span):
                self._use(span)
        if edits.scene or edits.backdrop:
            sheets = (at for sheet in words.sheets() for at in range(*sheet))
            found = (words.at(place) for place in (*words.backgrounds(), *sheets))
            self._used.update(at for at in found if at is not None)

    def _shade(self, span: Span, name: str, shades: Mapping[str, str]) -> Shade:
        """A colour's shade, by the word beside it that calls it dark or light, which is used up."""
        begin, end = self._words.place(span)
        for place in (begin - 1, begin, end):
            at = self._words.at(place)
            if at is None:
                continue
            word = self._words.source[place]
            said = {word.text, word.stem}
            if place == begin:
                said = {beginning for beginning in COMPOUND if word.text.startswith(beginning)}
            if said & (DEEP | PALE):
                self._used.add(at)
                return shade(name, shades, said)
        return shade(name, shades)


def _gap(first: tuple[int, int], second: tuple[int, int]) -> int:
    return max(second[0] - first[1], first[0] - second[1], 0)


@cache
def _prints() -> Mapping[str, str]:
    """Cloths by the first stem of their phrases of several words."""
    known = lexicon()
    colours = {*known.meanings["colours"], *known.meanings["dyes"]}
    table = known.meanings["cloths"]
    return {
        phrase[0]: names[0]
        for phrase, names in table.items()
        if len(phrase) > 1 and phrase[:1] not in colours
    }
