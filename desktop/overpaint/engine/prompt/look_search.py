"""The search for looks while a user types: those that a text names as a prompt, and those it may come to.

Reads a text as ``reader`` reads a prompt, from the same words; a last word that is not yet complete stands
for every known word that begins with it. Must not know who shows the looks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from overpaint.engine.prompt import look_ranking
from overpaint.engine.prompt.language.lexicon import Phrase
from overpaint.engine.prompt.language.stemming import clauses, stem, tokens
from overpaint.engine.prompt.reader import FAINT, ranked
from overpaint.engine.prompt.vocabulary import known_words

SHORTEST_BEGUN = 2
"""Letters from which a word is read and completed: a single letter begins a word of almost every look."""

INNER = 0.5
"""Factor on the score of a phrase whose completed word is not its first one."""


def load_search() -> Callable[[str], Mapping[str, tuple[float, float]]]:
    """Returns ``find_looks`` after reading all words, which takes a few tenths of a second."""
    find_looks("serch")  # a misspelt word needs the spelling
    _places()
    return find_looks


def find_looks(text: str) -> Mapping[str, tuple[float, float]]:
    """The looks that a search may mean.

    Args:
        text: What was typed so far, in any language of the lexicon.

    Returns:
        For each look's name its score as a prompt (the best one is the look that the text selects), and the
        best score of its phrases with a word that begins as the last one of the text.
    """
    parts = clauses(text)  # a negation reaches to the end of its clause
    begun = tokens(text)[-1] if parts and not text[-1].isspace() else ""
    completions = _completions(begun)
    if begun and (_is_short(begun) or (completions and begun not in known_words())):
        # The beginning of a word must not be corrected as if it were misspelt.
        parts[-1].pop()
        text = ", ".join(" ".join(words) for words in parts if words)
    named = {look.name: score for look, score in ranked(text) if score >= FAINT} if any(parts) else {}
    likely: dict[str, float] = defaultdict(float)
    for name, score in _completed(completions):
        likely[name] = max(score, likely[name])
    return {name: (named.get(name, 0.0), likely.get(name, 0.0)) for name in (*named, *likely)}


def _is_short(begun: str) -> bool:
    # A Chinese character is a word, and so is the 8 of "super 8".
    return len(begun) < SHORTEST_BEGUN and begun.isascii() and begun.isalpha()


def _completions(begun: str) -> Sequence[str]:
    """The known words that begin in this way."""
    if not begun or _is_short(begun):
        return ()
    words = _alphabet()
    first = bisect_left(words, begun)
    return words[first : bisect_left(words, begun + "\U0010ffff", first)]


def _completed(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The looks with a phrase that holds one of the words, and the phrase's score."""
    phrases = look_ranking.index()
    for completed in {stem(word) for word in words}:
        for phrase, place in _places().get(completed, ()):
            for name, worth in phrases[phrase].items():
                yield name, worth * (INNER if place else 1.0)


@cache
def _alphabet() -> Sequence[str]:
    return sorted(known_words())


@cache
def _places() -> Mapping[str, Sequence[tuple[Phrase, int]]]:
    """Every phrase that a stem occurs in, and its place there."""
    found: dict[str, list[tuple[Phrase, int]]] = defaultdict(list)
    for phrase in look_ranking.index():
        for place, word in enumerate(phrase):
            found[word].append((phrase, place))
    return found
