"""The catalogue of scenes, materials and cloths: what stands behind people, is worn, or is what they are of.

Each entry is data (``resources/scenes``, ``resources/materials``, ``resources/cloths``): its words in eight
languages, and the parameters of the pass that draws it. Quick to import, as ``library`` is: listing costs
nothing. Must not know how prompts are read, nor what a parameter does.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from overpaint.assets import asset_dir
from overpaint.errors import OverpaintError

Kind = Literal["scenes", "materials", "cloths"]
"""A kind of entry: its folder below ``resources``."""

LANGUAGES = ("de", "en", "es", "fr", "it", "ja", "pt", "zh")
"""Languages whose words every entry has."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One scene, material or cloth.

    Attributes:
        kind: Its kind.
        name: Stable name, lower case with hyphens.
        title: Name shown to the user, in English.
        words: Phrases of prompts that mean it, by language.
        parameters: What the pass that draws it needs.
        moves: Whether it moves by itself; only of scenes.
    """

    kind: Kind
    name: str
    title: str
    words: Mapping[str, tuple[str, ...]]
    parameters: Mapping[str, Any]
    moves: bool = False

    @property
    def phrases(self) -> tuple[str, ...]:
        """Its title, and its phrases in all languages."""
        return (self.title, *(phrase for phrases in self.words.values() for phrase in phrases))


def read_entry(kind: Kind, path: Path) -> Entry:
    """Reads one entry.

    Args:
        kind: Its kind.
        path: A TOML file.

    Raises:
        OverpaintError: The file is not a valid entry (kind ``bad_look``).
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        if data["name"] != path.stem:
            raise ValueError(f"its name {data['name']!r} differs from the file's")
        words = {language: tuple(map(str, data["words"][language])) for language in LANGUAGES}
        if not all(words.values()):
            raise ValueError("every language has at least one phrase")
        return Entry(
            kind,
            str(data["name"]),
            str(data["title"]),
            MappingProxyType(words),
            MappingProxyType(dict(data.get("parameters", {}))),
            bool(data.get("moves", False)),
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise OverpaintError("look_file_unreadable", file=path.name, reason=str(error)) from error


@cache
def entries(kind: Kind) -> tuple[Entry, ...]:
    """All entries of a kind, by title.

    Raises:
        OverpaintError: The installation is incomplete (``missing_assets``) or damaged (``bad_look``).
    """
    found = [read_entry(kind, path) for path in sorted(asset_dir(kind).glob("*.toml"))]
    return tuple(sorted(found, key=lambda entry: entry.title))


@cache
def _by_name(kind: Kind) -> Mapping[str, Entry]:
    return {entry.name: entry for entry in entries(kind)}


def entry_named(kind: Kind, name: str) -> Entry:
    """The entry of exactly that name.

    Raises:
        KeyError: No entry has that name.
    """
    return _by_name(kind)[name]
