"""Languages are data: every file that ships is valid, and a broken one is named in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from overpaint.assets import asset_dir
from overpaint.engine import looks
from overpaint.engine.prompt.language.lexicon import lexicon, read_language
from overpaint.engine.prompt.language.stemming import tokens
from overpaint.engine.prompt.modifiers import EFFECTS, TINTS
from overpaint.errors import OverpaintError

FILES = sorted(asset_dir("words").glob("*.toml"))
GRAMMAR = {"negation", "end", "little", "much", "percent"}
PLACES = {"only", "keep", "same", "except", "face", "background", "behind", "person", "blur", "onto", "act"}
PARTS = {"lines", "grain", "paper", "glow", "hatching", "halftone", "grid", "light correction"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_language_means_only_what_the_reader_knows(path: Path) -> None:
    tables = read_language(path)
    assert GRAMMAR <= set(tables["grammar"]) <= GRAMMAR | {"plain", "nouns", "off"}
    assert set(tables["places"]) == PLACES
    assert set(tables["effects"]) <= set(EFFECTS)
    assert set(tables["colours"]) <= set(TINTS)
    assert set(tables["palettes"]) == {"mono", "joins", "more", "two"}
    assert set(tables["parts"]) <= PARTS
    assert set(tables["widths"]) <= {"fine-lines", "bold-lines"}


@pytest.mark.parametrize("path", [path for path in FILES if path.stem != "en"], ids=lambda path: path.stem)
def test_every_language_has_words_for_every_look(path: Path) -> None:
    assert {look.name for look in looks()} <= set(read_language(path)["looks"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_small_word_hides_a_look_or_a_change(path: Path) -> None:
    tables, empty = read_language(path), lexicon().empty
    for section in ("effects", "colours", "looks", "hints"):
        for texts in tables[section].values():
            for text in texts:
                assert any((word,) not in empty for word in tokens(text)), text


@pytest.mark.parametrize(
    "text",
    [
        "empty = []\n[verbs]\npaint = ['paint']",
        "empty = []\n[effects]\nwarm = 'warm'",
        "[effects]\nwarm = ['warm']",
        "effects = 3\nempty = []",
        "not toml",
    ],
)
def test_a_broken_language_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "xx.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(OverpaintError, match=r"xx\.toml"):
        read_language(path)
