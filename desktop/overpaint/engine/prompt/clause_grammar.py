"""The grammar of a clause: negation, words of degree, regions, and the words that remain to name a look.

Must not know what those words mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from overpaint.engine.prompt.language.lexicon import lexicon
from overpaint.engine.prompt.look_ranking import KEYWORD, Word, index
from overpaint.engine.prompt.regions import ClauseRegions, read_regions
from overpaint.engine.prompt.things import longest

NE = "ne"
"""A negation in French, where another word follows that is one ("pas"); in German it is short for "eine"."""

_MAY_NAME = frozenset({"end", "plain", "nouns", "off"})
"""Meanings of words that may also name a look: "paint" ends a negation, and is one."""


@dataclass(slots=True)
class ClauseGrammar:
    """The grammar of one clause.

    Attributes:
        source: All words.
        words: Those that remain to name a look, negated ones marked.
        origin: Index in ``source`` of each of ``words``.
        marks: Grammar words, by the index at which they begin: their meanings, and the index after the last.
        regions: The regions of the picture that it names.
        strength: The strength that it gives in percent, 0..1; None for none.
    """

    source: Sequence[Word]
    words: list[Word] = field(default_factory=list)
    origin: list[int] = field(default_factory=list)
    marks: dict[int, tuple[tuple[str, ...], int]] = field(default_factory=dict)
    regions: ClauseRegions = field(default_factory=ClauseRegions)
    strength: float | None = None

    def read(self) -> None:
        """Finds all of it."""
        texts = [word.text for word in self.source]
        if not self._is_name(texts):
            self.regions = read_regions(texts, [word.stem for word in self.source])
            self._mark(texts)
        self._sift()

    def _is_name(self, texts: list[str]) -> bool:
        """Returns whether a clause with a word for a change is a look: "super 8", "remove the background"."""
        known = lexicon()
        grammar = [longest(known.meanings["grammar"], texts, at)[0] for at in range(len(texts))]
        if not any({"negation", "much"}.intersection(means) for means in grammar):
            return False
        said = known.content(" ".join(texts))
        bare = " ".join(text for text, means in zip(texts, grammar, strict=True) if "plain" not in means)
        worths = [index().get(phrase, {}) for phrase in (said, known.content(bare))]
        return max((value for worth in worths for value in worth.values()), default=0.0) >= KEYWORD

    def _mark(self, texts: list[str]) -> None:
        at = 0
        while at < len(texts):
            found, length = longest(lexicon().meanings["grammar"], texts, at)
            change = self._change(at)
            if "negation" in found and change > 1:
                found, length = (), change  # "without colour" is itself a change
            if found and at not in self.regions.used:
                self.marks[at] = (found, at + length)
            at += max(1, length)

    def _change(self, at: int) -> int:
        """Length of the change that begins here, words; 0 when none does."""
        empty = lexicon().empty
        said = [
            i for i in range(at, len(self.source)) if i == at or (self.source[i].text,) not in empty
        ]  # "not so strong"
        length = longest(lexicon().meanings["effects"], [self.source[i].stem for i in said], 0)[1]
        return said[length - 1] + 1 - at if length else 0

    def _sift(self) -> None:
        """Keeps the words that carry meaning, and notes which of them are negated."""
        stems = [word.stem for word in self.source]
        small = self._empty() | self.regions.used
        for begin, (means, end) in self.marks.items():
            if not _MAY_NAME.issuperset(means):
                small.update(range(begin, end))
        denied = False
        # "No" is "in the" where Portuguese is spoken: "estou no espaço".
        portuguese = any(word.text in lexicon().portuguese for word in self.source)
        for at, word in enumerate(self.source):
            means = self.marks.get(at, ((), 0))[0]
            if "negation" in means:
                denied = not (word.text == NE or (portuguese and word.text == "no"))
            elif "end" in means and not joins_colours(stems, at):
                denied = False
            elif "percent" in means and at > 0 and stems[at - 1].isdigit():
                self.strength = min(1.0, int(stems[at - 1]) / 100)
            if at not in small or joins_colours(stems, at):
                self.words.append(replace(word, denied=denied))
                self.origin.append(at)

    def _empty(self) -> set[int]:
        texts = [word.text for word in self.source]
        empty: set[int] = set()
        known, at = lexicon(), 0
        while at < len(texts):
            lengths = range(known.longest, 0, -1)
            length = next((n for n in lengths if tuple(texts[at : at + n]) in known.empty), 0)
            empty.update(range(at, at + length))
            at += max(1, length)
        return empty


def read_grammar(source: Sequence[Word]) -> ClauseGrammar:
    """Reads the grammar of a clause.

    Args:
        source: All its words, stop words included. Their ``denied`` is ignored: negation is found here.
    """
    grammar = ClauseGrammar(source)
    grammar.read()
    return grammar


def joins_colours(stems: Sequence[str], at: int) -> bool:
    """Returns whether a word is the "and" of "black and white"."""
    return list(stems[at - 1 : at + 2]) == ["black", "and", "white"]
