"""The ranking of looks (keyword scoring): which looks the words of a prompt name, and with what score.

Every look has phrases: its name, title, captions, keywords and hints, and its words in other languages.
The longest phrases found count most; a phrase that the prompt negates lowers its look's score. Must not know
passes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from overpaint.engine.library import Look, look_named, looks
from overpaint.engine.prompt.language.lexicon import Phrase, lexicon
from overpaint.engine.prompt.language.stemming import tokens

NAME, CAPTION, KEYWORD, HINT = 5.0, 5.0, 4.0, 1.5
"""Score of a look's name or title, of a caption, of a keyword and of a hint that a prompt contains."""

GENERAL = 2.5
"""Score of a one-word keyword that is also a hint at other looks: "drawing"."""

LONGER = 1.0
"""Score added for each further word of a phrase; half of it for hints."""

CHANGE, CHANGE_HINTED = 2.0, 0.5
"""Score of a look's phrase, and of a hint, that is also a change of tone or a colour ("black and white")."""

LATER = 0.85
"""Factor on the scores of phrases after the first clause."""

SHARED = 1.0
"""Score of a word in one look's texts only; a word in n looks' texts scores one n-th of it (rarity)."""

INSIDE = 0.35
"""Factor on the score of a phrase inside a longer one that was found: "film" in "film noir"."""

FURTHER = 0.5
"""Factor on each further phrase of the same look, applied once more for each one."""

QUIET = 0.5
"""Factor on a quiet look's score when the prompt also names a medium: "oil painting in soft light"."""

DENIED = -2.0
"""Factor on the score of phrases that the prompt negates."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a prompt.

    Attributes:
        text: As returned by ``stemming.tokens``.
        stem: As returned by ``stemming.stem``, of the corrected word where it was misspelt.
        sure: Confidence: 1 for a word as written, less for a corrected one.
        denied: Whether the prompt negates the word.
        written: As the user wrote it.
        known: Whether any language of the lexicon, or any look, has the word; a number and a character of
            Chinese or Japanese, which may be a part of any word, count as known.
    """

    text: str
    stem: str
    sure: float = 1.0
    denied: bool = False
    written: str = ""
    known: bool = True


@dataclass(frozen=True, slots=True)
class Span:
    """The position of a phrase among the words of a clause."""

    begin: int
    end: int

    def inside(self, other: Span) -> bool:
        """Returns whether this span is a proper part of another."""
        return other.begin <= self.begin and self.end <= other.end and self != other

    def within(self, other: Span) -> bool:
        """Returns whether this span is a part of another, or the same."""
        return other.begin <= self.begin and self.end <= other.end


@cache
def index() -> Mapping[Phrase, Mapping[str, float]]:
    """Index of phrases (inverted index): the score of each phrase for each look that it may name."""
    known = lexicon()
    changes = {*known.meanings["effects"], *known.meanings["colours"]}
    found: dict[Phrase, dict[str, float]] = defaultdict(dict)
    for look in looks():
        for text, worth in _texts(look):
            _rate(found, known.content(text), look.name, worth, changes)
    names = {look.name for look in looks()}
    for table, worth in (("looks", KEYWORD), ("hints", HINT)):
        for phrase, owners in known.meanings[table].items():
            for name in names.intersection(owners):
                _rate(found, phrase, name, worth, changes)
    for phrase, worths in found.items():
        if len(phrase) == 1 and HINT in worths.values():
            for name, worth in worths.items():
                worths[name] = min(worth, GENERAL) if worth == KEYWORD else worth
    return found


@cache
def spelt_looks() -> frozenset[str]:
    """Every word of the phrases that name looks, with its ending."""
    known = lexicon()
    own = (tokens(text) for look in looks() for text, _ in _texts(look))
    return frozenset(word for words in own for word in words) | known.spelt["looks"] | known.spelt["hints"]


def _texts(look: Look) -> Iterator[tuple[str, float]]:
    for worth, texts in (
        (NAME, (look.name, look.title)),
        (CAPTION, look.captions),
        (KEYWORD, look.keywords),
        (HINT, look.hints),
    ):
        for text in texts:
            yield text, worth


def _rate(
    found: dict[Phrase, dict[str, float]], phrase: Phrase, name: str, worth: float, changes: set[Phrase]
) -> None:
    if phrase in changes:
        worth = CHANGE if worth > HINT else CHANGE_HINTED
    else:
        worth += (LONGER if worth > HINT else LONGER / 2) * (len(phrase) - 1)
    found[phrase][name] = max(found[phrase].get(name, 0.0), worth)


@cache
def longest() -> int:
    """Length of the longest phrase in the index, words."""
    return max(map(len, index()))


@cache
def _rare_words() -> Mapping[str, Mapping[str, float]]:
    """Scores of single words by look, lower the more looks' texts have the word (inverse frequency)."""
    owners: dict[str, set[str]] = defaultdict(set)
    for look in looks():
        texts = (look.title, look.description, *look.phrases)
        for text in texts:
            for word in lexicon().content(text):
                owners[word].add(look.name)
    return {word: dict.fromkeys(names, SHARED / len(names)) for word, names in owners.items()}


def spans(words: Sequence[str]) -> Iterator[tuple[Span, Mapping[str, float]]]:
    """Every indexed phrase among a clause's words, with its scores by look."""
    phrases = index()
    for begin in range(len(words)):
        for end in range(begin + 1, min(len(words), begin + longest()) + 1):
            worth = phrases.get(tuple(words[begin:end]))
            if worth:
                yield Span(begin, end), worth


def scores(
    clauses: Sequence[Sequence[Word]], taken: Sequence[Sequence[Span]], literal: bool
) -> dict[str, float]:
    """The score of each look that a prompt names; below 0 for a look that it negates.

    Args:
        clauses: The words of each clause, without stop words.
        taken: For each clause, the spans of its changes of tone and colour.
        literal: Whether only names, captions and keywords count. Negated phrases always count in this way:
            "less colourful" does not negate looks that are merely known for their colours.
    """
    for_look: dict[str, list[float]] = defaultdict(list)
    named: set[str] = set()
    for place, (words, changes) in enumerate(zip(clauses, taken, strict=True)):
        share = LATER if place else 1.0
        found = list(spans([word.stem for word in words]))
        places = [*(span for span, _ in found), *changes]
        for span, worth in found:
            inner = any(span.inside(other) for other in places)
            for name, value in worth.items():
                if value < (GENERAL if literal or words[span.begin].denied else 0.0):
                    continue
                if value >= KEYWORD and not words[span.begin].denied:
                    named.add(name)
                worth_here = _value(words[span.begin : span.end], value) * share
                for_look[name].append(worth_here * (INSIDE if inner else 1.0))
        if not literal:
            _add_rare(for_look, words, places)
    medium = any(not look_named(name).quiet for name in named)
    return {
        name: _sum(values) * (QUIET if medium and look_named(name).quiet else 1.0)
        for name, values in for_look.items()
    }


def _value(words: Sequence[Word], worth: float) -> float:
    sure = min(word.sure for word in words)
    return worth * sure * (DENIED if words[0].denied else 1.0)


def _add_rare(for_look: dict[str, list[float]], words: Sequence[Word], places: Sequence[Span]) -> None:
    for at, word in enumerate(words):
        if word.denied or any(span.begin <= at < span.end for span in places):
            continue
        for name, value in _rare_words().get(word.stem, {}).items():
            for_look[name].append(value * word.sure)


def _sum(values: list[float]) -> float:
    """Sum of scores: the n-th best (from 0) times ``FURTHER**n``; negative scores count in full."""
    against = sum(value for value in values if value < 0)
    best = sorted((value for value in values if value > 0), reverse=True)
    return against + sum(value * FURTHER**place for place, value in enumerate(best))
