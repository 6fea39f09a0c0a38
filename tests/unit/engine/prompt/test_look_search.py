"""The gallery's search finds what a prompt would choose, from the first letters on, in every language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from overpaint.assets import asset_dir
from overpaint.engine import looks
from overpaint.engine.prompt import look_search, vocabulary
from overpaint.engine.prompt.language.lexicon import read_language
from overpaint.engine.prompt.look_search import find_looks, load_search
from overpaint.engine.prompt.reader import ranked, read_prompt


def best(text: str) -> str:
    found = find_looks(text)
    return max(found, key=lambda name: found[name], default="")


def phrases() -> Iterator[tuple[str, str]]:
    """Every text that points to a look in any language, with the look's name."""
    for look in looks():
        for text in (look.name, look.title, *look.phrases):
            yield look.name, text
    for path in asset_dir("words").glob("*.toml"):
        language = read_language(path)
        for table in ("looks", "hints"):
            for name, texts in language[table].items():
                for text in texts:
                    yield name, text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("cartoon", "anime-cel"),
        ("sepia", "silent-film"),
        ("Bleistift", "pencil-sketch"),
        ("aquarelle", "watercolour"),
        ("acuarela", "watercolour"),
        ("ölbild", "oil-painting"),
        ("OLBILD", "oil-painting"),
        ("水彩", "watercolour"),
        ("picaso", "oil-painting"),
        ("watercolur", "watercolour"),
        ("tv", "crt"),
    ],
)
def test_a_look_is_found_by_the_words_of_prompts(text: str, name: str) -> None:
    assert best(text) == name


def test_a_word_of_several_looks_finds_them_all() -> None:
    assert {"vhs", "crt", "pixel-art", "synthwave", "film-stock"} <= set(find_looks("retro"))


def test_every_phrase_of_every_language_finds_its_look_first_if_a_prompt_would_choose_it() -> None:
    chosen = 0
    for name, text in phrases():
        reading = read_prompt(text)
        found = find_looks(text)
        first, score = ranked(text)[0]
        if score > 0:  # else it only changes colours, or names a region
            assert first == reading.look and found[first.name][0] == max(found.values())[0], text
        if reading.look.name == name and not reading.nothing:
            assert name in found, text
            chosen += 1
    assert chosen > 3000


@pytest.mark.parametrize("text", ["pencil", "cartoon", "bleistift", "aquarelle", "impressionist", "鉛筆"])
def test_a_look_is_found_from_the_second_letter_of_its_word_on(text: str) -> None:
    name = best(text)
    for end in range(1 if not text.isascii() else 2, len(text)):
        assert name in find_looks(text[:end]), text[:end]


def test_the_beginning_of_a_word_is_not_taken_for_a_misspelt_one() -> None:
    assert find_looks("carto")["anime-cel"][0] == 0.0  # else it would be "karton", a paper cut
    assert best("oil pai") == "oil-painting"


def test_a_space_ends_a_word() -> None:
    assert set(find_looks("pencil ")) < set(find_looks("pencil"))


@pytest.mark.parametrize("text", ["", " ", "p", "c", "?!", "xylophonquarz"])
def test_what_names_nothing_finds_nothing(text: str) -> None:
    assert find_looks(text) == {}


@pytest.mark.parametrize("text", ["no pencil, watercolour", "not oil painting. watercolour"])
def test_a_look_stays_found_while_the_next_word_is_typed(text: str) -> None:
    found = find_looks(f"{text} ")
    assert found["watercolour"][0] > 0
    for begun in ("c", "co", "col"):
        assert find_looks(f"{text}, {begun}")["watercolour"][0] > 0, "what was excluded does not reach it"


def test_the_words_are_read_before_the_first_search() -> None:
    tables = (look_search._alphabet, look_search._places, vocabulary._spelling)
    for table in tables:
        table.cache_clear()
    assert load_search() is find_looks
    assert [table.cache_info().currsize for table in tables] == [1, 1, 1]
