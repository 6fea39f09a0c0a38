"""The vocabulary of the reader: which words are known, which are misspelt, and which are merely common.

A word is known where any language of the lexicon, or any look, has it. One that is not is corrected to the
nearest known word, but for common words (``resources/words/everyday``): "hockey" is no painter. Must not know
what a prompt asks for.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from overpaint.assets import asset_dir
from overpaint.engine.library import looks
from overpaint.engine.prompt.language.lexicon import SMALL, lexicon
from overpaint.engine.prompt.language.stemming import LEAST_LEFT, Spelling, stem, tokens, unaccented
from overpaint.engine.prompt.look_ranking import Word

GUESSED = 0.8
"""Confidence in a corrected word, on a scale to 1."""

FORMS = (
    ("s", ""), ("es", ""), ("es", "e"), ("n", ""), ("en", ""), ("en", "e"), ("e", ""), ("er", ""), ("r", ""),
    ("ies", "y"), ("ing", ""), ("ing", "e"), ("ed", ""), ("d", ""), ("ly", ""), ("i", "o"), ("a", "o"),
    ("as", "o"), ("os", "o"), ("he", "a"), ("em", ""), ("m", ""), ("y", ""), ("ish", ""),
)  # fmt: skip
"""Endings of the forms of a word, and that of the word itself."""


def word_of(text: str, written: str, mend: bool) -> Word:
    """A word of a prompt.

    Args:
        text: As returned by ``stemming.tokens``.
        written: As the user wrote it.
        mend: Whether a misspelt word is corrected.
    """
    common = text not in known_words() and text in everyday() and not _is_form(text)
    mended = _spelling().mended(text) if mend and not common and (text,) not in lexicon().empty else text
    # "Potrait" promises no more than "portrait".
    plain = not SMALL.isdisjoint(lexicon().of("grammar", (mended,)))
    known = plain or len(text) == 1 or text[0].isdigit() or (not common and stem(text) in _known_stems())
    # "Hello" has the stem of "hell", German for bright, "juice" that of "juicy": it must not stand for it.
    root = f"({mended})" if common or (plain and mended not in _telling()) else stem(mended)
    return Word(text, root, 1.0 if mended == text else GUESSED, written=written, known=known)


def _is_form(text: str) -> bool:
    """Returns whether a word is another form of a known one: "jackets", "painted"."""
    return any(
        len(text) - len(ending) >= LEAST_LEFT
        and text.endswith(ending)
        and text.removesuffix(ending) + own in known_words()
        for ending, own in FORMS
    )


@cache
def _known_stems() -> frozenset[str]:
    return frozenset(map(stem, known_words()))


@cache
def known_words() -> frozenset[str]:
    """The words of looks' names and phrases, and of the lexicon, with their endings."""
    return lexicon().words | _telling()


@cache
def _telling() -> frozenset[str]:
    """Those of them that mean something."""
    texts = (text for look in looks() for text in (look.name, look.title, *look.phrases))
    return lexicon().telling.union(*map(tokens, texts))


@cache
def _spelling() -> Spelling:
    return Spelling(known_words())


@cache
def everyday() -> frozenset[str]:
    """Common words of European languages that are no misspelling of anything, as ``tokens`` returns them.

    Nothing can be done with most of them ("hockey"); those that mean something stand in the tables, too.
    """
    lists = sorted((asset_dir("words") / "everyday").glob("??.txt"))
    return names().union(*map(_word_list, lists))


@cache
def names() -> frozenset[str]:
    """Names of places, people, brands and works, as ``tokens`` returns them."""
    return _word_list(asset_dir("words") / "everyday" / "names.txt")


def _word_list(path: Path) -> frozenset[str]:
    return frozenset(unaccented(path.read_text("utf-8")).split())
