"""Words as the matcher compares them: without case, accents, punctuation and endings.

Knows English and German endings; must not know looks.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

ENDINGS = ("ings", "ing", "edly", "ed", "ies", "es", "s", "ly", "ish", "ische", "isch", "en", "er", "e", "y")
"""Endings taken off a word, longest first where they overlap; at least four letters must stay."""

_SPELLINGS = {
    "color": "colour",
    "colored": "colour",
    "colorful": "colourful",
    "gray": "grey",
    "grayscale": "greyscale",
}
_BREAK = re.compile(r"[^a-z0-9]+")


def tokens(text: str) -> list[str]:
    """The words of a text, normalised but with their endings.

    ``8-bit`` becomes ``8 bit``, ``aquarellartig`` stays one word, ``n't`` becomes ``not``.
    """
    lowered = text.casefold().replace("n't", " not").replace("’t", " not")
    plain = unicodedata.normalize("NFKD", lowered)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return [_SPELLINGS.get(word, word) for word in _BREAK.split(plain) if word]


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its ending, good enough to join ``sketchy``, ``sketches`` and ``sketch``."""
    if len(word) > 1 and word[0].isdigit():
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's words."""
    return tuple(stem(word) for word in tokens(text))


def likeness(first: str, second: str) -> float:
    """How alike two words are written: 1 the same, 0 nothing shared (Dice over letter pairs).

    Pairs include the word's edges, so that beginnings and ends count.
    """
    if first == second:
        return 1.0
    pairs_of_first, pairs_of_second = _pairs(first), _pairs(second)
    shared = len(pairs_of_first & pairs_of_second)
    return 2 * shared / (len(pairs_of_first) + len(pairs_of_second))


@lru_cache(maxsize=4096)
def _pairs(word: str) -> frozenset[str]:
    framed = f"^{word}$"
    return frozenset(framed[at : at + 2] for at in range(len(framed) - 1))
