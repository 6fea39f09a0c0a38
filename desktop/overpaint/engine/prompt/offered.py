"""The words of a clause that may be an offer: where its phrases stand, and what they are a part of.

A phrase of the catalogue counts only where it stands for itself: "marble cake", "glass of wine", "beach
ball", "a player" (whose stem is that of *playa*) and the paper of "紙飛行機" are none. Must not know what is
made of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from overpaint.engine.library import look_named, looks
from overpaint.engine.prompt.dyes import COMPOUND, SHADES
from overpaint.engine.prompt.language.lexicon import CATALOGUED, lexicon
from overpaint.engine.prompt.language.stemming import distance, is_hiragana, is_ideographic, stem, tokens
from overpaint.engine.prompt.look_ranking import GENERAL, Span, Word
from overpaint.engine.prompt.things import Found, find_phrases
from overpaint.engine.prompt.vocabulary import names

LEAST_COMPOUND = 8
"""Letters that a compound word has at least."""

SLIPS = 2
"""Letters in which a misspelt word may differ from the one that is meant."""

OF = frozenset(
    {"of", "de", "di", "da", "do", "du", "des", "d", "del", "della", "dell", "von", "aus", "al", "au", "の"}
)
"""Words between a thing and what it is of."""

_DOING = ("ing", "end", "ando", "endo", "ant", "indo")
"""Endings of what somebody does somewhere: "on a beach holding a drink", "im Weltraum schwebend"."""

_PLURALS = (
    ("s", ""), ("es", ""), ("n", ""), ("en", ""), ("e", ""), ("er", ""), ("r", ""), ("ies", "y"), ("i", "o"),
    ("he", "a"),
)  # fmt: skip
"""Endings of plurals and cases, and those of the word itself."""

BESIDE = 2
"""Words within which one belongs to the other."""

QUESTIONS = frozenset(
    {"what", "who", "when", "where", "why", "how", "was", "wer", "wann", "wo", "warum", "quel", "quelle"}
) | {
    "quand",
    "pourquoi",
    "cuando",
    "donde",
    "cual",
    "quien",
    "chi",
    "dove",
    "perche",
    "quale",
    "onde",
    "quem",
}
"""Words that begin a question."""

_BESIDES = frozenset(
    {
        "with",
        "and",
        "plus",
        "mit",
        "und",
        "avec",
        "et",
        "con",
        "y",
        "e",
        "com",
        "in",
        "on",
        "at",
        "behind",
        "im",
    }
    | {
        "auf",
        "am",
        "hinter",
        "dans",
        "sur",
        "derriere",
        "en",
        "detras",
        "su",
        "nel",
        "dietro",
        "no",
        "na",
        "em",
    }
    | {"atras", "as", "als", "comme", "como", "come", "where", "wo", "from", "von"}
)
"""Words that end what a place or a material is a part of."""

_ARTICLES = frozenset({"a", "an", "the", "ein", "einem", "einer", "un", "une", "una", "um", "uma"})


class OfferedWords:
    """The words of one clause, and the phrases among them.

    Args:
        words: The words that remain to name a look.
        origin: Index of each of them in ``source``.
        source: All words of the clause.
        things: Phrases of ``beyond`` among ``words``, with their meanings.
        rated: Phrases among ``words`` that name looks, with their scores.

    Attributes:
        words: As given.
        source: As given.
        wearing: Phrases of ``wearing``, with their meanings.
        around: Meanings of all phrases of ``wearing`` in the clause, stop words included.
        found: Phrases of each kind of the catalogue, with the entries' names.
        colours: Phrases for colours that clothes may have, with their names.
        painted: Whether a look is named, but for those of the background.
    """

    def __init__(
        self,
        words: Sequence[Word],
        origin: Sequence[int],
        source: Sequence[Word],
        things: Found,
        rated: Sequence[tuple[Span, Mapping[str, float]]],
    ) -> None:
        self.words, self.source, self._origin = words, source, origin
        named = [(span, worth) for span, worth in rated if max(worth.values()) >= GENERAL]
        self._looks = [span for span, _ in named]
        self.painted = any(not _is_background(worth) for _, worth in named)
        self._effects = [span for span, _ in find_phrases(words, "effects", [])]
        self.wearing = [*self._find("wearing"), *self._compounds()]
        self._around = find_phrases(source, "wearing", [])
        self.around = {meaning for _, meaning in self._around}
        found: dict[str, Found] = {kind: self._find(kind) for kind in CATALOGUED}
        colours = [*self._find("colours"), *self._find("dyes"), *self._shaded()]
        phrases = (*found["cloths"], *found["scenes"])
        # "Gold lame" is no gold, "black and white" no white, a coffee shop not brown.
        wider = [*(span for span, _ in (*colours, *phrases)), *self._effects]
        self.colours = [(span, name) for span, name in colours if name in SHADES and not _inside(span, wider)]
        offered = [span for phrases in (*found.values(), self.wearing) for span, _ in phrases]
        longer = [*(span for span, _ in things), *self._looks, *self._effects, *offered]
        self.found = {
            kind: [(span, name) for span, name in phrases if not _inside(span, longer)]
            for kind, phrases in found.items()
        }
        done = [*offered, *(span for span, _ in self.colours)]
        self._things = [
            span for span, kind in things if kind != "edits" and not any(span.within(each) for each in done)
        ]

    # Which phrases there are.

    def _find(self, section: str) -> Found:
        found = find_phrases(self.words, section, [])
        return [(span, name) for span, name in found if self._is_meant(section, span)]

    def _is_meant(self, section: str, span: Span) -> bool:
        """Returns whether a phrase is not negated, and spelt as one of the table, or as a plural of one."""
        first = self.words[span.begin]
        if first.denied or not all(_is_slip(word) for word in self.words[span.begin : span.end]):
            return False
        known = lexicon().spelt[section]
        return (
            span.end - span.begin > 1
            or first.sure < 1
            or first.text in known
            or any(
                first.text.endswith(ending) and first.text.removesuffix(ending) + own in known
                for ending, own in _PLURALS
            )
        )

    def _shaded(self) -> Iterator[tuple[Span, str]]:
        """German compounds of a shade and a colour: "dunkelrot"."""
        for at, word in enumerate(self.words):
            for beginning in COMPOUND:
                if word.text.startswith(beginning) and not word.denied:
                    for name in lexicon().of("colours", (stem(word.text.removeprefix(beginning)),))[:1]:
                        yield Span(at, at + 1), name

    def _compounds(self) -> Iterator[tuple[Span, str]]:
        """German compounds of a garment: "Tweedsakko"."""
        for at, word in enumerate(self.words):
            if not word.denied and len(word.text) > LEAST_COMPOUND and word.text.endswith(garments()):
                yield Span(at, at + 1), "garments"

    # Where they stand.

    def place(self, span: Span) -> tuple[int, int]:
        """Index in the clause of a phrase's first word, and that after its last."""
        return self._origin[span.begin], self._origin[span.end - 1] + 1

    def at(self, place: int) -> int | None:
        """Index among ``words`` of a word of the clause; None for a stop word or a word for a region."""
        return self._origin.index(place) if place in self._origin else None

    def before(self, span: Span) -> str:
        """The word before a phrase and its article; empty where it begins the clause."""
        at = self.place(span)[0] - 1
        while at >= 0 and self.source[at].text in _ARTICLES:
            at -= 1
        return self.source[at].text if at >= 0 else ""

    def sheets(self) -> list[tuple[int, int]]:
        """Places of the words for a background that may have one colour."""
        return [(span.begin, span.end) for span, meaning in self._around if meaning == "sheet"]

    def backgrounds(self) -> list[int]:
        """Indices in the clause of all words for the background, "behind" among them."""
        meant = {"background", "behind"}
        places = enumerate(self.source)
        return [at for at, word in places if meant.intersection(lexicon().of("places", (word.stem,)))]

    def is_of_background(self, span: Span) -> bool:
        """Returns whether a word for the background follows: "marble background" makes nobody of marble."""
        end = self.place(span)[1]
        return any(0 <= at - end < BESIDE for at in self.backgrounds())

    def asks(self) -> bool:
        """Returns whether the clause asks a question: "what colour is the sky"."""
        return bool(self.source) and self.source[0].text in QUESTIONS

    def are_parted(self, first: Span, second: Span) -> bool:
        """Returns whether another garment, hair or a thing stands between two phrases."""
        begin, end = min(first.end, second.end), max(first.begin, second.begin)
        worn = [span for span, meaning in self.wearing if meaning in ("garments", "hair", "locks")]
        return any(begin <= wall.begin < end for wall in (*worn, *self._things))

    # What they are a part of.

    def stands_alone(self, span: Span) -> bool:
        """Returns whether a phrase stands for itself, and is no part of a thing."""
        begin, end = self.place(span)
        if is_ideographic(self.source[begin].text):
            of_thing = (
                end + 1 < len(self.source) and self.source[end].text in OF and not self._ends_word(end + 1)
            )
            return not of_thing and all(self._ends_word(at) for at in (begin - 1, end))
        if end < len(self.source) and not is_ideographic(self.source[end].text) and self._is_noun(end):
            return False
        behind = any(at in range(end, end + 3) for at in self.backgrounds())
        if end + 1 < len(self.source) and self.source[end].text in OF and not behind and self._is_of(end + 1):
            return False
        if begin >= 2 and self.source[begin - 1].text in OF:
            return self._may_be_of(begin - 2)
        return True

    def _may_be_of(self, place: int) -> bool:
        """Returns whether a word is a statue or a picture of something, no heart of gold."""
        at = self.at(place)
        if at is None:
            return True
        scene = any(span.begin <= at < span.end for span, _ in self.found["scenes"])
        small = "plain" in lexicon().of("grammar", (self.source[place].text,))
        return not scene and (small or self._is_worn(at) or self._has_meaning(at))

    def is_about_thing(self, span: Span) -> bool:
        """Returns whether a material is said of a thing: "champagne glass", "fish in glass", "stone cold"."""
        begin, end = self.place(span)
        if is_ideographic(self.source[begin].text):
            return False
        ends = {self.place(thing)[1] for thing in self._things}
        small = begin > 0 and self.at(begin - 1) is None and self.source[begin - 1].text not in _ARTICLES
        before = begin - 1 if small else begin
        return not ends.isdisjoint({begin, before}) or any(
            each.begin == self.at(end) for each in self._effects
        )

    def is_named(self, span: Span) -> bool:
        """Returns whether a name stands before a place: "Cardiff castle" is no castle."""
        begin = self.place(span)[0]
        return begin > 0 and self.source[begin - 1].text in names()

    def is_in_saying(self, span: Span, place: bool) -> bool:
        """Returns whether unknown words follow, with no "and" or "with" between: "stone the crows".

        Args:
            span: A material, or a place.
            place: Whether it is a place, where somebody may do something: "forest bathing".
        """
        begin, end = self.place(span)
        if is_ideographic(self.source[begin].text):
            return False
        things = {self.place(thing)[0] for thing in self._things}
        for at, word in enumerate(self.source[end:], end):
            if word.text in _BESIDES:
                return False
            if not word.known or at in things:
                return not (place and word.text.endswith(_DOING))
        return False

    def is_look(self, span: Span) -> bool:
        """Returns whether a phrase is a look's very name: as a mere keyword of one it is the offer."""
        words = tuple(word.stem for word in self.words[span.begin : span.end])
        return words in _names_of_looks() and any(span.within(look) for look in self._looks)

    def doing(self, scene: Span) -> Iterator[int]:
        """Index of the word right after a scene for what somebody does there, which cannot be made."""
        at = self.at(self.place(scene)[1])
        if at is not None and self.words[at].text.endswith(_DOING) and not self._has_meaning(at):
            yield at

    def in_look(self, span: Span) -> bool:
        """Returns whether a phrase is a part of one that names a look."""
        return any(span.within(look) for look in self._looks)

    def is_colour(self, span: Span) -> bool:
        """Returns whether a phrase is a colour, too: chocolate."""
        return any(span.within(colour) for colour, _ in self.colours)

    def is_alone(self, cloth: Span) -> bool:
        """Returns whether a clause names a cloth, its colour, and nothing else: "red tartan"."""
        carried = [span for span, meaning in self.wearing if meaning == "carries"]
        spans = [cloth, *(span for span, _ in self.colours), *carried]
        known = {at for span in spans for at in range(span.begin, span.end)}
        plain = {at for at, word in enumerate(self.words) if "plain" in lexicon().of("grammar", (word.text,))}
        return known | plain >= set(range(len(self.words)))

    def _is_noun(self, place: int) -> bool:
        """Returns whether a word of the clause names a thing of its own, which the word before describes."""
        at, word = self.at(place), self.source[place]
        if at is None:
            return False
        if any(span.begin == at for span in self._things):
            return True
        if lexicon().of("places", (word.stem,)):
            return False
        if word.text.endswith(_DOING) and any(span.end == at for span, _ in self.found["scenes"]):
            return False  # "on a beach holding a drink"
        if not word.known:
            return True
        if self._is_worn(at) or self._has_meaning(at):
            return "mono" in lexicon().of("palettes", (word.stem,))  # "desert tones" are no desert
        grammar = lexicon().of("grammar", (word.text,))
        return "nouns" in grammar or not grammar

    def _ends_word(self, place: int) -> bool:
        """Returns whether a character beside a phrase is no further part of its word."""
        if not 0 <= place < len(self.source):
            return True
        at, word = self.at(place), self.source[place]
        if at is None or not is_ideographic(word.text) or is_hiragana(word.text):
            return True
        known = lexicon().of("places", (word.stem,)) or lexicon().of("grammar", (word.text,))
        return bool(known) or self._is_worn(at) or self._has_meaning(at)

    def _is_of(self, place: int) -> bool:
        """Returns whether what follows an "of" makes another thing of a place: "salão de beleza"."""
        materials = [span for span, _ in self.found["materials"]]
        if not self.source[place].known and self.source[place].written[:1].isupper():
            return False  # the name of a place: "la playa de Benidorm"
        said = (*materials, *self._effects)
        return self._is_noun(place) or any(span.begin == self.at(place) for span in said)

    def _is_worn(self, at: int) -> bool:
        return any(span.begin <= at < span.end for span, _ in self.wearing)

    def _has_meaning(self, at: int) -> bool:
        """Returns whether a word means a look, a change, a colour or an offer."""
        offered = [span for phrases in self.found.values() for span, _ in phrases]
        spans = [*self._looks, *self._effects, *(span for span, _ in self.colours), *offered]
        return any(span.begin <= at < span.end for span in spans)


@cache
def garments() -> tuple[str, ...]:
    """The words for garments that a compound may end with."""
    table = lexicon().meanings["wearing"]
    known = {phrase[0] for phrase, means in table.items() if "garments" in means and len(phrase) == 1}
    return tuple(
        sorted(word for word in lexicon().spelt["wearing"] if stem(word) in known and len(word) >= 4)
    )


def _inside(span: Span, others: Sequence[Span]) -> bool:
    return any(span.inside(other) for other in others)


def _is_background(worth: Mapping[str, float]) -> bool:
    """Returns whether a phrase only names looks of the background."""
    return all(look_named(name).group == "background" for name in worth)


def _is_slip(word: Word) -> bool:
    """Returns whether a word is what it was corrected to, or a compound that ends with it."""
    text = stem(word.text)
    return word.sure == 1 or text.endswith(word.stem) or distance(text, word.stem) <= SLIPS


@cache
def _names_of_looks() -> frozenset[tuple[str, ...]]:
    texts = (text for look in looks() for text in (look.name, look.title))
    return frozenset(tuple(map(stem, tokens(text))) for text in texts)
