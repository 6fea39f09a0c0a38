"""Things in a clause: the phrases for what no look can do (``beyond`` in the lexicon), and for names.

A stem stands for many words, some of them of another language: "rossetto", Italian for lipstick, has the stem
of Rossetti, a painter. Of two meanings that share a stem a word has the one that is spelt as it is. Must not
know what is done with a thing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from overpaint.engine.prompt.language.lexicon import Phrase, lexicon
from overpaint.engine.prompt.look_ranking import GENERAL, Span, Word, spelt_looks

LIKENESS = "likenesses"
"""Meaning of names (of painters, films, crafts) that a look may come near to, and no look is."""

TASK = "tasks"
"""Meaning of verbs that ask for what is no picture ("sing", "translate"): nothing of their clause is done."""

AND = frozenset(
    {"and", "then", "und", "dann", "et", "puis", "y", "luego", "e", "poi", "depois", "also", "plus"}
)
"""Words between two wishes."""

_DEEDS = frozenset({"edits", TASK, "abuse", "chat"})
"""Meanings of verbs, which may have any ending."""

Found = list[tuple[Span, str]]
"""Phrases with their first meaning."""


def longest(
    table: Mapping[Phrase, tuple[str, ...]], stems: Sequence[str], at: int
) -> tuple[tuple[str, ...], int]:
    """Meanings and length of the longest phrase that begins here; ``()`` and 0 when none does."""
    for length in range(min(lexicon().longest, len(stems) - at), 0, -1):
        means = table.get(tuple(stems[at : at + length]))
        if means:
            return means, length
    return (), 0


def find_phrases(words: Sequence[Word], section: str, longer: Sequence[Span]) -> Found:
    """The longest phrases of a table that are not part of a longer phrase that names a look."""
    table, stems = lexicon().meanings[section], [word.stem for word in words]
    found, at = [], 0
    while at < len(stems):
        means, length = longest(table, stems, at)
        span = Span(at, at + length)
        if means and not any(span.inside(other) for other in longer):
            found.append((span, means[0]))
        at += max(1, length)
    return found


def find_things(
    words: Sequence[Word],
    clear: Sequence[Span],
    changes: Sequence[Span],
    spared: bool,
) -> tuple[Found, Found]:
    """Finds things.

    Args:
        words: The words that remain to name a look.
        clear: Spans of the phrases that clearly name a look.
        changes: Spans of the changes of tone, colour and lines.
        spared: Whether the clause names a region that is understood: "my eyes should stay real".

    Returns:
        The things that no look can do; and the names that a look only comes near to, which is made all the
        same.
    """
    clear = [span for span in clear if not _only_thing(words, span)]
    changes = [span for span in changes if not _only_thing(words, span)]
    found = find_phrases(words, "beyond", [*clear, *changes])
    likened = [(span, kind) for span, kind in found if kind == LIKENESS and span in clear]
    things = [
        (span, kind)
        for span, kind in found
        if span not in clear
        and span not in changes
        and not _is_small(words, span, kind)
        and not (spared and "face" in lexicon().of("places", (words[span.begin].stem,)))
    ]
    return things, likened


def _only_thing(words: Sequence[Word], span: Span) -> bool:
    """Returns whether a word is spelt as a thing, and as nothing that a look or a change is called."""
    if span.end - span.begin > 1:
        return False
    text, spelt = words[span.begin].text, lexicon().spelt
    if text not in spelt["beyond"] or text in spelt_looks():
        return False
    return not any(text in spelt[section] for section in ("effects", "colours", "parts", "widths"))


def _is_small(words: Sequence[Word], span: Span, kind: str) -> bool:
    """Returns whether a thing is only another word with its stem: "player" and Spanish *playa*."""
    text = words[span.begin].text
    if span.end - span.begin > 1 or text in lexicon().spelt["beyond"]:
        return False
    return text in lexicon().words or (text.endswith("ing") and kind not in _DEEDS)


def split_deeds(words: Sequence[Word]) -> list[Sequence[Word]]:
    """Parts a clause before each "and" with a verb that asks for what cannot be made.

    "Watercolour and write happy birthday on it" is a watercolour, and a wish in vain.
    """
    parts, begin = [], 0
    for at in range(1, len(words)):
        stems = [word.stem for word in words[at : at + lexicon().longest]]
        means = longest(lexicon().meanings["beyond"], stems, 0)[0]
        carries = lexicon().of("wearing", (words[at].stem,))  # "and dye my hair"
        if words[at - 1].text in AND and TASK in means and not carries:
            parts.append(words[begin : at - 1])
            begin = at
    return [*parts, words[begin:]]


def find_widths(words: Sequence[Word], origin: Sequence[int]) -> Found:
    """Words for the width of lines near a word for lines: "could the outlines be a bit thicker".

    Args:
        words: The words that remain to name a look.
        origin: Index of each of them in the clause.
    """
    lines = [span for span, part in find_phrases(words, "parts", []) if part == "lines"]
    if not lines:
        return []
    return [
        (span, width)
        for span, width in find_phrases(words, "widths", [])
        if any(abs(origin[span.begin] - origin[line.begin]) <= WIDTH_REACH for line in lines)
    ]


WIDTH_REACH = 5
"""Words between a word for lines and one for their width."""


def clear_spans(rated: Sequence[tuple[Span, Mapping[str, float]]]) -> list[Span]:
    """Spans of the phrases that clearly name a look."""
    return [span for span, worth in rated if max(worth.values()) >= GENERAL]
