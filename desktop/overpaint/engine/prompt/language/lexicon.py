"""The lexicon: the meaning of words, in every language that has a file in ``resources/words``.

A language is one file: its stop words, its words for negation and degree ("very", "slightly"), and its words
for regions of the picture, changes, colours and looks. All languages are read at once, because people mix
them and a prompt is too short to detect its language. Must not know how prompts are read or what a meaning
does.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from overpaint.assets import asset_dir
from overpaint.engine.catalogue import Kind, entries
from overpaint.engine.prompt.language.stemming import stem, stems, tokens
from overpaint.errors import OverpaintError

Phrase = tuple[str, ...]
"""A sequence of stems."""

_READ: Mapping[str, Callable[[str], Phrase]] = MappingProxyType(
    {"grammar": lambda text: tuple(tokens(text)), "places": stems}
)
"""Tokenisers of the tables whose phrases keep their stop words ("as it is" consists of nothing else).

Grammar words are not stemmed: ``much`` is one, while ``Mucha``, which has the same stem, is a painter."""

SECTIONS = (
    "grammar",
    "places",
    "effects",
    "colours",
    "palettes",
    "parts",
    "widths",
    "looks",
    "hints",
    "beyond",
    "wearing",
    "dyes",
)
"""Tables of a language's file; each maps a meaning to the phrases that have it.

``beyond`` holds what people ask for and no look can do (a beach, a red jacket), and abuse; ``likenesses``
in it are names that a look may come near to (Rembrandt: an oil painting). ``wearing`` holds clothes and hair
that can be recoloured, and the words around scenes and materials; ``dyes`` colours that only they have."""

CATALOGUED: tuple[Kind, ...] = ("scenes", "materials", "cloths")
"""Further tables, made from the catalogue: the meaning of a phrase is an entry's name."""

SMALL = frozenset({"plain", "nouns"})
"""Meanings in ``grammar`` of common words that are no misspelling of anything: small ones, which are never
said to be in vain, and nouns and verbs, which are where nothing is done."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of all languages together.

    Attributes:
        empty: Stop words: sequences of words (not stems) that mean nothing by themselves.
        meanings: For each table of ``SECTIONS``, the meanings of each phrase, in the order of the files.
            Phrases are sequences of words in ``grammar``, of stems in the other tables.
        longest: Length of the longest phrase in any table, words.
        words: Every word of every phrase, with its ending.
        telling: Those of them that mean something; the rest are stop words and plain ones.
        spelt: For each table, every word of its phrases, with its ending.
        portuguese: The words that only Portuguese has, in which "no" is "in the".
    """

    empty: frozenset[Phrase]
    meanings: Mapping[str, Mapping[Phrase, tuple[str, ...]]]
    longest: int
    words: frozenset[str]
    telling: frozenset[str]
    spelt: Mapping[str, frozenset[str]]
    portuguese: frozenset[str] = frozenset()

    def of(self, section: str, phrase: Phrase) -> tuple[str, ...]:
        """The meanings of a phrase in one table; empty when the table lacks it."""
        return self.meanings[section].get(phrase, ())

    def content(self, text: str) -> Phrase:
        """The stems of a text without its stop words; with them where nothing else would be left."""
        words = tokens(text)
        return tuple(stem(word) for word in words if (word,) not in self.empty) or tuple(map(stem, words))


@cache
def lexicon() -> Lexicon:
    """Reads all languages.

    Raises:
        OverpaintError: The installation is incomplete (``missing_assets``) or damaged (``bad_words``).
    """
    files = {path.stem: read_language(path) for path in sorted(asset_dir("words").glob("*.toml"))}
    for code, tables in files.items():
        tables["beyond"]["sayings"] = _lines("sayings", code)
    languages = list(files.values())
    catalogue: dict[str, dict[str, list[str]]] = {
        kind: {entry.name: list(entry.phrases) for entry in entries(kind)} for kind in CATALOGUED
    }
    empty = frozenset(tuple(tokens(text)) for language in languages for text in language["empty"]["empty"])
    known = Lexicon(empty, {}, 1, frozenset(), frozenset(), {})
    words, telling = {word for phrase in empty for word in phrase}, set[str]()
    spelt: dict[str, set[str]] = {name: set() for name in (*SECTIONS, *CATALOGUED)}
    meanings: dict[str, dict[Phrase, dict[str, None]]] = {name: defaultdict(dict) for name in spelt}
    for language in (*languages, catalogue):
        for section, table in language.items():
            if section == "empty":
                continue
            read = _READ.get(section, known.content)
            for meaning, texts in table.items():
                for text in texts:
                    meanings[section][read(text)][meaning] = None
                    spelt[section].update(tokens(text))
                    if meaning not in SMALL:
                        telling.update(tokens(text))
    for code in files:  # what means something stays what it is
        fillers = (tuple(tokens(line)) for line in _lines("fillers", code))
        for phrase in fillers:
            if telling.isdisjoint(phrase):
                meanings["grammar"][phrase]["plain"] = None
                spelt["grammar"].update(phrase)
    frozen = {
        section: MappingProxyType({phrase: tuple(found) for phrase, found in table.items()})
        for section, table in meanings.items()
    }
    longest = max((len(phrase) for table in frozen.values() for phrase in table), default=1)
    words.update(*spelt.values())
    whole = {section: frozenset(texts) for section, texts in spelt.items()}
    return Lexicon(
        empty,
        MappingProxyType(frozen),
        longest,
        frozenset(words),
        frozenset(telling),
        whole,
        _portuguese(files),
    )


def _portuguese(files: Mapping[str, Mapping[str, Mapping[str, list[str]]]]) -> frozenset[str]:
    """The words that only Portuguese has, by language's file and by the words of the catalogue."""
    words: dict[str, set[str]] = defaultdict(set)
    for code, sections in files.items():
        texts = (text for table in sections.values() for meanings in table.values() for text in meanings)
        words[code].update(word for text in texts for word in tokens(text))
    for entry in (entry for kind in CATALOGUED for entry in entries(kind)):
        for code, phrases in entry.words.items():
            words[code].update(word for text in phrases for word in tokens(text))
    others = {word for code, found in words.items() if code != "pt" for word in found}
    return frozenset(words["pt"] - others)


def read_language(path: Path) -> dict[str, dict[str, list[str]]]:
    """Reads one language's file.

    Args:
        path: A TOML file.

    Returns:
        For each table, the texts of each meaning; the stop words are the table ``empty``.

    Raises:
        OverpaintError: The file is not a valid language (kind ``bad_words``).
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        unknown = set(data) - {"name", "empty", *SECTIONS}
        if unknown:
            raise ValueError(f"there is no table {min(unknown)!r}")
        tables = {"empty": {"empty": data["empty"]}, **{name: data.get(name, {}) for name in SECTIONS}}
        for table in tables.values():
            for texts in table.values():
                if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
                    raise ValueError("words are lists of text")
    except (OSError, KeyError, AttributeError, ValueError) as error:
        raise OverpaintError("language_unreadable", file=path.name, reason=str(error)) from error
    return tables


def _lines(kind: str, language: str) -> list[str]:
    """The phrases of one language's list: ``sayings`` or ``fillers``."""
    return (asset_dir("words") / kind / f"{language}.txt").read_text("utf-8").splitlines()
