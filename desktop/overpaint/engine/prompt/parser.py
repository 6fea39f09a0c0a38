"""The prompt parser: finds changes and regions, and the words that remain to name a look.

Knows the simple grammar of prompts (negation, "a touch of", "in red") in every language of the lexicon. Must
not know how looks are ranked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from overpaint.engine.prompt.clause_grammar import read_grammar
from overpaint.engine.prompt.edits import Edits
from overpaint.engine.prompt.edits import joined as joined_edits
from overpaint.engine.prompt.language.lexicon import lexicon
from overpaint.engine.prompt.leftovers import Leftovers, find_leftovers, joined, names_medium
from overpaint.engine.prompt.look_ranking import GENERAL, KEYWORD, NAME, Span, Word, spans
from overpaint.engine.prompt.modifiers import TINTS, Modifiers, Wish, gather, with_places
from overpaint.engine.prompt.offers import Offers, find_offers
from overpaint.engine.prompt.regions import ClauseRegions
from overpaint.engine.prompt.things import (
    LIKENESS,
    TASK,
    clear_spans,
    find_phrases,
    find_things,
    find_widths,
    split_deeds,
)

LITTLE, MUCH = 0.5, 1.5
"""Amounts of "slightly" and of "very"."""

REACH = 2
"""Number of words after "slightly" or "very" among which the change that it modifies is looked for."""

GREY = "black-and-white"
"""The change that is a medium, too: "in black and white, with a cigar" is done, and the cigar named."""

WORN = frozenset({"hair", "clothes"})
"""Meanings of what a name may stand before without being asked for itself."""

ARTICLES = frozenset({"a", "an", "the"})
"""English articles, which a suggestion repeats: "a photo of a beach"."""

OBJECT = "を"
"""Japanese particle between an object and its verb."""

BLANK = Word("", "", 0.0)
"""Stands for a word that is used up, so that the words around it do not become neighbours."""


@dataclass(slots=True)
class Wishes:
    """A parsed prompt.

    Attributes:
        clauses: Words of each clause that may name a look, without stop words and words for regions.
        taken: For each clause, the spans of changes of tone and colour among those words.
        origins: For each clause, the index in ``source`` of each of those words.
        plain: Indices in ``source`` of the words that promise nothing.
        modifiers: The changes that the prompt asks for.
        source: All words, stop words included.
        leftovers: Indices in ``source`` of the words that nothing can be done with.
        beyond: Meaning and words of each thing that no look can do, in their order.
        edits: The changes to the frame itself that the prompt asks for.
    """

    clauses: list[list[Word]]
    taken: list[list[Span]]
    origins: list[list[int]]
    plain: frozenset[int]
    modifiers: Modifiers
    source: list[Word]
    leftovers: list[int]
    beyond: list[tuple[str, str]]
    edits: Edits


def take_apart(clauses: Sequence[Sequence[Word]], with_edits: bool = True) -> Wishes:
    """Parses a prompt.

    Args:
        clauses: All words of each clause, stop words included. Their ``denied`` is ignored: negation is
            found here.
        with_edits: Whether scenes, materials, clothes and hair are read, too.
    """
    read = [_Clause(part, with_edits) for words in clauses for part in split_deeds(words) if part]
    for clause in read:
        clause.begin()
    medium = any(clause.medium for clause in read)
    for clause in read:
        clause.finish(medium)
    changes = gather(
        [wish for clause in read for wish in clause.wanted],
        [wish for clause in read for wish in clause.denied],
        [part for clause in read for part in clause.without],
        [wish for clause in read for wish in clause.colours][:2],
    )
    found = [clause.regions for clause in read]
    modifiers = with_places(
        changes,
        next((each.subject for each in found if each.subject != "all"), "all"),
        any(each.face for each in found),
        any(each.blur for each in found),
        next((clause.strength for clause in read if clause.strength is not None), None),
    )
    source: list[Word] = []
    leftovers: list[int] = []
    origins: list[list[int]] = []
    plain: set[int] = set()
    for clause in read:
        plain |= {len(source) + clause.origin[at] for at in clause.plain()}
        leftovers += [len(source) + at for at in clause.left]
        origins.append([len(source) + at for at in clause.origin])
        source += clause.source
    return Wishes(
        [clause.words for clause in read],
        [clause.taken for clause in read],
        origins,
        frozenset(plain),
        modifiers,
        source,
        leftovers,
        [thing for clause in read for thing in clause.beyond],
        joined_edits(clause.offers.edits for clause in read),
    )


@dataclass(slots=True)
class _Clause:
    """One clause during parsing.

    Attributes:
        source: All words.
        words: Those that remain to name a look.
        origin: Index in ``source`` of each of ``words``.
        marks: Grammar words, by the index at which they begin: their meanings, and the index after the last.
    """

    source: Sequence[Word]
    with_edits: bool = True
    words: list[Word] = field(default_factory=list)
    origin: list[int] = field(default_factory=list)
    marks: dict[int, tuple[tuple[str, ...], int]] = field(default_factory=dict)
    regions: ClauseRegions = field(default_factory=ClauseRegions)
    wanted: list[Wish] = field(default_factory=list)
    denied: list[Wish] = field(default_factory=list)
    colours: list[Wish] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    taken: list[Span] = field(default_factory=list)
    strength: float | None = None
    things: list[tuple[Span, str]] = field(default_factory=list)
    likened: list[tuple[Span, str]] = field(default_factory=list)
    offers: Offers = field(default_factory=Offers)
    hinted: set[int] = field(default_factory=set)
    medium: bool = False
    left: list[int] = field(default_factory=list)
    beyond: list[tuple[str, str]] = field(default_factory=list)

    def begin(self) -> None:
        """Finds regions and grammar words, things that no look can do, and whether a medium is named."""
        grammar = read_grammar(self.source)
        self.words, self.origin, self.marks = grammar.words, grammar.origin, grammar.marks
        self.regions, self.strength = grammar.regions, grammar.strength
        stems = [word.stem for word in self.source]
        rated = list(spans([word.stem for word in self.words]))
        changes = [*self._effects([]), *self._find("colours", []), *self._find("parts", [])]
        self.things, self.likened = find_things(
            self.words, clear_spans(rated), [span for span, _ in changes], bool(self.regions.used)
        )
        if self.with_edits and (
            offers := find_offers(self.words, self.origin, self.source, self.things, rated)
        ):
            self._take(offers)
            rated = list(spans([word.stem for word in self.words]))
        worn = any(kind in WORN for _, kind in self.things)
        named = [*self.things, *(self.likened if worn else [])]  # "Dalí's moustache" is no painting
        beyond = {at for span, _ in named for at in range(span.begin, span.end)}
        apart = [(span, worth) for span, worth in rated if beyond.isdisjoint(range(span.begin, span.end))]
        of_person = any("person" in lexicon().of("places", (stem,)) for stem in stems)
        vague = any(kind == LIKENESS for _, kind in self.things) or not all(word.known for word in self.words)
        quiet = NAME if of_person else KEYWORD if vague else GENERAL
        task = any(kind == TASK for _, kind in self.things)
        grey = any(name == GREY and not self.words[span.begin].denied for span, name in self._effects([]))
        medium = not task and (grey or self.regions.blur or names_medium(self.words, apart, quiet))
        self.medium = medium or (bool(self.offers) and not task)
        if medium:  # "add film grain" adds what it names
            made = {
                at
                for span in (*(s for s, _ in rated), *(s for s, _ in changes))
                for at in range(span.begin, span.end)
            }
            self.things = [
                (span, kind)
                for span, kind in self.things
                if kind != "edits" or made.isdisjoint(range(span.end, span.end + REACH))
            ]

    def _take(self, offers: Offers) -> None:
        """Takes offers out of the clause: their words name neither a look nor what cannot be done."""
        self.offers = offers
        self.things = [
            (span, kind) for span, kind in self.things if offers.used.isdisjoint(range(span.begin, span.end))
        ]
        for at in offers.used:
            self.words[at] = BLANK
        # What only hints at a look names none beside a scene: "on a beach in the evening".
        rated = list(spans([word.stem for word in self.words]))
        named = [span for span, worth in rated if max(worth.values()) >= GENERAL]
        for span, _ in rated:
            if not any(span.within(other) for other in named):
                self.hinted.update(range(span.begin, span.end))
        edits = offers.edits
        if (edits.scene or edits.backdrop) and self.regions.subject == "background":
            self.regions = replace(self.regions, subject="all")  # "make the background a beach"

    def finish(self, medium: bool) -> None:
        """Sets the leftovers aside, then finds the changes.

        Args:
            medium: Whether any clause of the prompt names a medium.
        """
        leftovers = self._leftovers(medium)
        likened = [] if leftovers.whole else self.likened
        self.beyond = [(kind, self._said(span)) for span, kind in (*leftovers.things, *likened)]
        said = leftovers.places | leftovers.named | self._vague() | self.offers.vain
        said |= {at for span, _ in likened for at in range(span.begin, span.end)}
        deeds = self._deeds(leftovers.places) if medium else set[int]()
        self.left += sorted({self.origin[at] for at in said} | deeds)
        for at in leftovers.places | self.hinted:
            self.words[at] = BLANK
        if leftovers.whole:
            self.regions, self.strength, self.marks = ClauseRegions(), None, {}
            self.words = [BLANK for _ in self.words]
        named = [span for span, _ in spans([word.stem for word in self.words]) if self._is_one(span)]
        parts = [span for span, _ in self._find("parts", named)]
        effects = self._effects([*named, *parts])  # "no light correction" is about no lighter picture
        known = {
            at for span in (*named, *(span for span, _ in effects)) for at in range(span.begin, span.end)
        }
        colours = self._chosen_colours(named, known)
        effects = [(span, name) for span, name in effects if not any(span.inside(c) for c, _ in colours)]
        self.taken = [*(span for span, _ in effects), *(self._with_tones(span) for span, _ in colours)]
        self._grade(effects, colours)
        self._leave_out(named)

    def _deeds(self, left: frozenset[int]) -> set[int]:
        """Indices in the clause of the Japanese verb that ends it after what cannot be made: "猫を抱っこ"."""
        said = (*self._effects([]), *self._find("colours", []), *self._find("looks", []))
        last = max((span.end for span, _ in said), default=0)
        for at in sorted(left, reverse=True):
            after = self.origin[at] + 1
            if at >= last and after < len(self.source) and self.source[after].text == OBJECT:
                return set(range(after, len(self.source)))
        return set()

    def _vague(self) -> frozenset[int]:
        """Indices of the words that only hint at a look, beside an offer, and change nothing."""
        changes = [*self._effects([]), *self._find("colours", []), *self._find("parts", [])]
        changed = {at for span, _ in changes for at in range(span.begin, span.end)}
        self.hinted -= changed
        return frozenset(self.hinted - self.plain())

    def _is_one(self, span: Span) -> bool:
        """Returns whether a phrase is not cut by a negation: "film without grain" is no film grain."""
        return len({word.denied for word in self.words[span.begin : span.end]}) == 1

    def _said(self, span: Span) -> str:
        """The words of a thing as the user wrote them, with their English article."""
        begin, end = self.origin[span.begin], self.origin[span.end - 1] + 1
        if begin > 0 and self.source[begin - 1].text in ARTICLES:
            begin -= 1
        return joined(self.source[begin:end])

    def _leftovers(self, medium: bool) -> Leftovers:
        rated = list(spans([word.stem for word in self.words]))
        named = [span for span, _ in rated]
        effects, colours = self._effects(named), self._find("colours", named)
        return find_leftovers(
            self.words, self.origin, self.plain(), self.things, effects, colours, rated, medium
        )

    def plain(self) -> frozenset[int]:
        """Indices of the words that promise nothing."""
        plain = {
            at for begin, (means, end) in self.marks.items() if "plain" in means for at in range(begin, end)
        }
        return frozenset(at for at, origin in enumerate(self.origin) if origin in plain)

    def _leave_out(self, named: list[Span]) -> None:
        """Notes parts to leave out, and blanks their words: "without lines" negates no look of lines."""
        for span, part in self._find("parts", named):
            words = self.words[span.begin : span.end]
            after = self.origin[span.end - 1] + 1
            off = "off" in self.marks.get(after, ((), 0))[0]  # "outlines off"
            if words[0].denied or off:
                self.without.append(part)
                self.words[span.begin : span.end] = [BLANK for _ in words]

    def _find(self, section: str, longer: list[Span]) -> list[tuple[Span, str]]:
        return find_phrases(self.words, section, longer)

    def _effects(self, longer: list[Span]) -> list[tuple[Span, str]]:
        """The changes of tone, and of the width of lines."""
        found = self._find("effects", longer)
        # "fine lines" is a change of its own, with one amount.
        widths = [
            (span, width)
            for span, width in find_widths(self.words, self.origin)
            if not any(span.inside(whole) for whole, _ in found)
        ]
        return [*widths, *(each for each in found if not any(each[0].within(span) for span, _ in widths))]

    def _chosen_colours(self, named: list[Span], known: set[int]) -> list[tuple[Span, str]]:
        """Colours that are meant for the whole picture, unlike the white of "white chalk"."""
        found = self._find("colours", named)
        chosen = [(span, name) for span, name in found if self._meant(span, name, found, known)]
        denied = [(span, name) for span, name in found if self.words[span.begin].denied]
        if len(found) == 2 and len(chosen) == 1 and found[1][0].begin - found[0][0].end == 0:
            return found
        return [*chosen, *denied]

    def _with_tones(self, span: Span) -> Span:
        """The span of a colour, extended by "shades" or "tint" beside it."""
        begin, end = span.begin, span.end
        while begin > 0 and self._is("palettes", begin - 1, "mono"):
            begin -= 1
        while end < len(self.words) and self._is("palettes", end, "mono"):
            end += 1
        return Span(begin, end)

    def _meant(self, span: Span, name: str, colours: list[tuple[Span, str]], known: set[int]) -> bool:
        if self.words[span.begin].denied:
            return False
        if TINTS[name].keeps > 0 or name == "sepia" or self._is_more(span):
            return True
        covered = {at for other, _ in colours for at in range(other.begin, other.end)}
        rest = [at for at in range(len(self.words)) if at not in covered and not self._joins(at)]
        if not rest or (rest == [span.begin - 1] and rest[0] not in known):
            return True  # a clause of colours only, or "hot pink"
        beside = [at for at in (span.begin - 1, span.end) if 0 <= at < len(self.words)]
        if any(self._is("palettes", at, name) for at in beside for name in ("mono", "two")):
            return True
        follows = span.end < len(self.words) and span.end in rest
        return self._after_in(span.begin) and not (follows and self._next_to(span.end))

    def _joins(self, at: int) -> bool:
        return self._is("palettes", at, "joins") or self._is("palettes", at, "mono")

    def _is(self, section: str, at: int, meaning: str) -> bool:
        return meaning in lexicon().of(section, (self.words[at].stem,))

    def _next_to(self, at: int) -> bool:
        """Returns whether a word directly follows the one before it, as a noun follows its adjective."""
        return self.origin[at] - self.origin[at - 1] == 1

    def _after_in(self, at: int) -> bool:
        """Returns whether "in" stands before a word, with at most a "dark" or "the" between."""
        before = self.origin[at] - 1
        while before >= 0:
            stem = self.source[before].stem
            if "onto" in lexicon().of("places", (stem,)):
                return True
            if "joins" not in lexicon().of("palettes", (stem,)):
                return False
            before -= 1
        return False

    def _grade(self, effects: list[tuple[Span, str]], colours: list[tuple[Span, str]]) -> None:
        """Gives every change its amount; a "slightly" without a change makes the whole look subtle."""
        spoken = set(self._amounts())
        for span, name in sorted((*effects, *colours), key=lambda change: change[0].begin):
            more = name in TINTS and self._is_more(span)
            wish = Wish(name, LITTLE if more else self._amount(span.begin, spoken))
            if name in TINTS and not self.words[span.begin].denied:
                self.colours.append(wish)
            elif not self._belongs_to_colour(span, colours):
                (self.denied if self.words[span.begin].denied else self.wanted).append(wish)
        if any("little" in self.marks[at][0] for at in spoken) and not self.regions.used:
            self.wanted.append(Wish("subtle"))

    def _is_more(self, span: Span) -> bool:
        """Returns whether a word asks for more of a colour that the picture has: "more blue"."""
        return span.begin > 0 and self._is("palettes", span.begin - 1, "more")

    def _amounts(self) -> list[int]:
        return [at for at, (means, _) in self.marks.items() if {"little", "much"} & set(means)]

    def _amount(self, at: int, spoken: set[int]) -> float:
        """The amount that a word of degree gives to the word at ``at``; removes that word from ``spoken``."""
        for begin in sorted(spoken):
            means, end = self.marks[begin]
            between = sum(end <= origin < self.origin[at] for origin in self.origin)
            if end <= self.origin[at] and between < REACH:
                spoken.discard(begin)
                return LITTLE if "little" in means else MUCH
        return 1.0

    def _belongs_to_colour(self, span: Span, colours: list[tuple[Span, str]]) -> bool:
        """Returns whether a word belongs to a colour, as "dark" to "green" in "in dark green"."""
        name = span.end - span.begin == 1 and self._is("palettes", span.begin, "joins")
        return name and any(colour.begin == span.end for colour, _ in colours)
