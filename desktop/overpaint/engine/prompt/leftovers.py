"""Leftovers of a clause: the words that nothing can be done with, and the colours that belong to them.

A word is left over where it names what no look can do (``beyond`` in the lexicon: a beach, a red jacket, a
robot, abuse), or where nobody knows it. A clause about such a thing that names no medium is left over as a
whole: the red of a jacket must not tint the picture, and "on a beach at sunset" is no wish for warm light.
Must not know how looks are ranked against each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from overpaint.engine.library import look_named
from overpaint.engine.prompt.language.stemming import is_hiragana, is_ideographic
from overpaint.engine.prompt.look_ranking import GENERAL, HINT, Span, Word
from overpaint.engine.prompt.things import TASK

AFTER = 2
"""Words after a thing within which the next one belongs to it: "orologio d'oro", "alien friend"."""

COLOUR_AFTER = 2
"""Words after a thing within which a colour belongs to it: "veste rouge", "my shirt in green"."""


@dataclass(frozen=True, slots=True)
class Leftovers:
    """The leftovers of a clause.

    Attributes:
        places: Indices of the words, among those that remain to name a look.
        things: Those of them that the lexicon has in ``beyond``, with their meanings.
        whole: Whether nothing of the clause is done.
        named: Indices of further words to be said, which may still hint at a look: corrected ones.
    """

    places: frozenset[int] = frozenset()
    things: Sequence[tuple[Span, str]] = ()
    whole: bool = False
    named: frozenset[int] = frozenset()


def joined(words: Sequence[Word]) -> str:
    """Words as the user wrote them, apart only where their script writes them apart."""
    text = ""
    for before, word in zip((None, *words), words, strict=False):
        close = before is None or (is_ideographic(before.written) and is_ideographic(word.written))
        text += word.written if close else f" {word.written}"
    return text


def names_medium(
    words: Sequence[Word],
    rated: Sequence[tuple[Span, Mapping[str, float]]],
    quiet: float,
    loud: float = GENERAL,
    least_sure: float = 1.0,
) -> bool:
    """Returns whether words name a look so clearly that a thing beside it does not take it back.

    "Watercolour with a hat" is a watercolour.

    Args:
        words: The words that remain to name a look.
        rated: Phrases that name looks, with their scores.
        quiet: Least score of a quiet look. It has to be called by its name where the clause speaks of a
            person: the sunset of "put me on a beach at sunset" describes the beach.
        loud: Least score of any other look.
        least_sure: Least confidence in each word.
    """
    for span, worth in rated:
        spoken = words[span.begin : span.end]
        if any(word.denied or word.sure < least_sure for word in spoken):
            continue
        if any(value >= (quiet if look_named(name).quiet else loud) for name, value in worth.items()):
            return True
    return False


def _spoken(words: Sequence[Word], rated: Sequence[tuple[Span, Mapping[str, float]]]) -> set[int]:
    """Indices of the words that name looks; a corrected one only where it then names one clearly."""
    return {
        at
        for span, worth in rated
        if all(word.sure == 1 for word in words[span.begin : span.end])
        or (max(worth.values()) >= GENERAL and not words[span.begin].denied)
        for at in range(span.begin, span.end)
    }


def _continues(words: Sequence[Word], origin: Sequence[int], at: int) -> bool:
    """Returns whether a Chinese or Japanese character goes on the word of the one before it."""
    text = words[at].text
    return is_ideographic(text) and not is_hiragana(text) and origin[at] - origin[at - 1] == 1


def _follows(words: Sequence[Word], origin: Sequence[int], at: int) -> bool:
    """Returns whether the word after one belongs to it: it follows at once, or after an "of"."""
    gap = origin[at + 1] - origin[at]
    return gap <= AFTER and bool(words[at + 1].stem) and not is_ideographic(words[at + 1].text)


def _endings(words: Sequence[Word], origin: Sequence[int], beyond: set[int]) -> set[int]:
    """Indices of the Japanese syllables that are grammar: those that do not end a word for a thing."""
    silent: set[int] = set()
    for at, word in enumerate(words):
        ends = at > 0 and origin[at] - origin[at - 1] == 1 and at - 1 not in silent
        if is_hiragana(word.text) and at not in beyond and not ends:
            silent.add(at)
    return silent


def find_leftovers(
    words: Sequence[Word],
    origin: Sequence[int],
    plain: frozenset[int],
    things: Sequence[tuple[Span, str]],
    effects: Sequence[tuple[Span, str]],
    colours: Sequence[tuple[Span, str]],
    rated: Sequence[tuple[Span, Mapping[str, float]]],
    medium: bool,
) -> Leftovers:
    """Finds the leftovers of a clause.

    Args:
        words: The words that remain to name a look.
        origin: Index of each of them in the clause.
        plain: Indices of those that promise nothing ("already", "picture").
        things: Phrases of ``beyond``, with their meanings.
        effects: Phrases of effects, with their names.
        colours: Phrases of colours, with their names.
        rated: Phrases that name looks, with their scores.
        medium: Whether the prompt names a look elsewhere, or here (``names_medium``).
    """
    beyond = {at for span, _ in things for at in range(span.begin, span.end)}
    changed = {at for span, _ in (*effects, *colours) for at in range(span.begin, span.end)}
    used = {at for at, word in enumerate(words) if not word.stem}
    covered = used | changed | {at for at in _spoken(words, rated) if at not in beyond}
    task = any(kind == TASK for _, kind in things)
    if things and (task or not medium):
        silent = (plain | _endings(words, origin, beyond)) - beyond
        return Leftovers(frozenset(set(range(len(words))) - silent), things, True)
    strange = {
        at for at, word in enumerate(words) if not word.known and at not in covered and at not in plain
    }
    corrected = strange - {at for at in strange if words[at].sure == 1}
    if medium or names_medium(
        words, rated, GENERAL, least_sure=0.0
    ):  # "pencel drawing": what it was corrected to is beside the look
        strange, corrected = strange - corrected, set[int]()
    vague = any(max(worth.values()) >= HINT for span, worth in rated if words[span.begin].sure == 1)
    if strange and vague and not (changed or medium or names_medium(words, rated, GENERAL, least_sure=0.0)):
        # "Evening gown": what is known of it is too little for a look.
        return Leftovers(frozenset(set(range(len(words))) - plain), things, True)
    left = beyond | strange
    for at in sorted(beyond - {0}, reverse=True):  # "long black coat"
        while at > 0 and at - 1 not in covered | plain and origin[at] - origin[at - 1] == 1:
            at -= 1
            left.add(at)
    for at in sorted(beyond):  # "兔耳" is only the beginning of "兔耳朵"
        while at + 1 < len(words) and _continues(words, origin, at + 1) and at + 1 not in covered | plain:
            at += 1
            left.add(at)
    for at in sorted(beyond):  # "an alien friend", "vino tinto", "orologio d'oro"
        while at + 1 < len(words) and at + 1 not in covered | plain | left and _follows(words, origin, at):
            at += 1
            left.add(at)
    for change in (*effects, *colours):
        begin, end = change[0].begin, change[0].end
        before = (
            end in (beyond if medium and change in effects else left) and origin[end] - origin[end - 1] == 1
        )
        after = (
            change in colours and begin - 1 in beyond and origin[begin] - origin[begin - 1] <= COLOUR_AFTER
        )
        if before or after:
            left.update(range(begin, end))
    return Leftovers(frozenset(left - corrected), things, named=frozenset(corrected))
