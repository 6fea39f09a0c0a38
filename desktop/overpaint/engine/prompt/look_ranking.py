"""The ranking of looks: which of them the words of a prompt name, and how surely.

Every look has phrases: its name, title, captions, keywords and hints, and its words in other languages.
The longest phrases found count most; a look that is denied counts against itself. Must not know passes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from overpaint.engine.library import Look, look_named, looks
from overpaint.engine.prompt.lexicon import Phrase, lexicon

NAME, CAPTION, KEYWORD, HINT = 5.0, 5.0, 4.0, 1.5
"""What it is worth when a prompt contains a look's name or title, a caption, a keyword, a hint."""

GENERAL = 2.5
"""Worth of a single keyword that is a hint at other looks too: "drawing"."""

LONGER = 1.0
"""More for each further word of a phrase."""

CHANGE, CHANGE_HINTED = 2.0, 0.5
"""Most worth of a look's phrase, and of a hint, that is a change of tone as well ("black and white")."""

LATER = 0.85
"""Share of what is said after the first clause."""

SHARED = 1.0
"""Worth of a word that stands in one look's texts only; of a word in n looks' texts, one n-th."""

INSIDE = 0.35
"""Share of a phrase that is part of a longer one found: "film" in "film noir"."""

FURTHER = 0.5
"""Share of each further phrase of the same look, of what the one before it counted."""

QUIET = 0.5
"""Share of a quiet look's worth when the prompt names a medium too: "oil painting in soft light"."""

DENIED = -2.0
"""Factor on what a prompt says it does not want."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a prompt.

    Attributes:
        text: As in ``stemming.tokens``.
        stem: As in ``stemming.stem``; mended if it was misspelt.
        sure: 1 for a word as written, less for a guess at a misspelt one.
        denied: Whether it is asked against.
    """

    text: str
    stem: str
    sure: float = 1.0
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """The position of a phrase among the words of a clause."""

    begin: int
    end: int

    def inside(self, other: Span) -> bool:
        """Returns whether it is a smaller part of another."""
        return other.begin <= self.begin and self.end <= other.end and self != other


@cache
def index() -> Mapping[Phrase, Mapping[str, float]]:
    """What each phrase is worth to which looks."""
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
    """Words of the longest phrase that is worth something."""
    return max(map(len, index()))


@cache
def _rare_words() -> Mapping[str, Mapping[str, float]]:
    """What a single word out of a look's texts is worth to it."""
    owners: dict[str, set[str]] = defaultdict(set)
    for look in looks():
        texts = (look.title, look.description, *look.phrases)
        for text in texts:
            for word in lexicon().content(text):
                owners[word].add(look.name)
    return {word: dict.fromkeys(names, SHARED / len(names)) for word, names in owners.items()}


def spans(words: Sequence[str]) -> Iterator[tuple[Span, Mapping[str, float]]]:
    """Every phrase of a look among a clause's words."""
    phrases = index()
    for begin in range(len(words)):
        for end in range(begin + 1, min(len(words), begin + longest()) + 1):
            worth = phrases.get(tuple(words[begin:end]))
            if worth:
                yield Span(begin, end), worth


def scores(
    clauses: Sequence[Sequence[Word]], taken: Sequence[Sequence[Span]], literal: bool
) -> dict[str, float]:
    """What a prompt is worth to each look that it names; less than 0 for one that it denies.

    Args:
        clauses: The words of each clause, without empty ones.
        taken: For each clause, where its changes of tone and colour stand.
        literal: Only names, captions and keywords count. So it is with what is denied: "less colourful"
            denies no look that is known for its colours.
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
    """The best in full, each further one for half of what the one before it counted; denials in full."""
    against = sum(value for value in values if value < 0)
    best = sorted((value for value in values if value > 0), reverse=True)
    return against + sum(value * FURTHER**place for place, value in enumerate(best))
