"""A prompt's scene, material, clothes and hair are read in eight languages; mere words make none."""

from __future__ import annotations

import pytest

from overpaint.engine.catalogue import LANGUAGES, entries
from overpaint.engine.prompt.edits import NO_EDITS, Edits, prompt_of
from overpaint.engine.prompt.language.lexicon import CATALOGUED, lexicon
from overpaint.engine.prompt.offers import find_offers
from overpaint.engine.prompt.reader import read_prompt

BESIDE = "hair", "clothes in", "made of", "background"


def said(prompt: str) -> tuple[str, ...]:
    reading = read_prompt(prompt)
    return () if reading.nothing else reading.edits.said


@pytest.mark.parametrize(
    ("prompt", "edits"),
    [
        ("give me a red jacket", ("clothes in red",)),
        ("make the shirt a very dark green", ("clothes in dark green",)),
        ("black suit, blonde hair", ("blonde hair", "clothes in black")),
        ("zebra tshirt", ("clothes in zebra print",)),
        ("Wolljacke in Dunkelgrün", ("clothes in dark green knitted wool",)),
        ("hellblaue Haare", ("light blue hair",)),
        ("veste en cuir marron", ("clothes in brown leather",)),
        ("camiseta verde a rayas", ("clothes in green stripes",)),
        ("capelli neri e giacca rossa", ("black hair", "clothes in red")),
        ("cabelo verde", ("green hair",)),
        ("赤いジャケットを着せて", ("clothes in red",)),
        ("把我的衬衫改成深蓝色", ("clothes in navy",)),
        ("穿紅色外套", ("clothes in red",)),  # traditional characters
        ("turn me into ice", ("made of ice",)),
        ("i am chocolate", ("made of chocolate",)),
        ("everything made of ice", ("everything made of ice",)),
        ("mach mich aus Holz", ("made of wood",)),
        ("hazme de oro", ("made of gold",)),
        ("green screen", ("green screen background",)),
        ("plain white background", ("white background",)),
        ("Hintergrund in hellem Grün", ("light green background",)),
    ],
)
def test_clothes_hair_materials_and_backgrounds_are_read(prompt: str, edits: tuple[str, ...]) -> None:
    assert said(prompt) == edits
    assert not read_prompt(prompt).not_understood


@pytest.mark.parametrize(
    ("prompt", "scene"),
    [
        ("put me on a beach at sunset", "beach-sunset"),
        ("Strand bei Sonnenuntergang", "beach-sunset"),
        ("ponme en la playa", "beach"),
        ("aquarelle dans une prairie", "meadow"),
        ("日本庭園で油絵風に", "zen-garden"),
        ("背景换成日落的海滩", "beach-sunset"),
        ("sitting in a library full of old books", "library"),
        ("space", "space"),
    ],
)
def test_scenes_are_read(prompt: str, scene: str) -> None:
    assert read_prompt(prompt).edits.scene == scene


def test_a_look_paints_over_the_edits_that_stand_beside_it() -> None:
    reading = read_prompt(
        "oil painting of me on a beach at sunset, dark red denim jacket and pink hair, warm"
    )
    assert reading.look.name == "oil-painting"
    assert reading.edits.scene == "beach-sunset" and reading.edits.cloth == "denim"
    names = [name for name, _ in (*reading.edits.steps(), *reading.steps(with_photo=False))]
    assert names[:3] == ["person", "dress", "scene"]
    assert names.count("person") == 1, "the person is found once"
    assert reading.modifiers.warmth > 0


def test_edits_alone_paint_nothing_over_the_picture() -> None:
    reading = read_prompt("red jacket")
    assert not reading.nothing
    assert reading.look.quiet and reading.understood == "Clothes in red"


@pytest.mark.parametrize(
    "prompt",
    [
        "marble cake", "beach ball", "glass of wine", "a champagne glass", "glass ceiling", "stone cold",
        "a paper plane", "紙飛行機", "salão de beleza", "jacket", "nice hair", "long hair", "a player",
        "give me a hat", "no red jacket", "without a beach",
    ],
)  # fmt: skip
def test_mere_words_make_no_edit(prompt: str) -> None:
    assert said(prompt) == ()


def test_a_colour_belongs_to_what_stands_beside_it_and_not_to_the_picture() -> None:
    reading = read_prompt("watercolour, my shirt in green")
    assert reading.edits.dye is not None and reading.edits.dye.name == "green"
    assert reading.modifiers.tint is None
    tinted = read_prompt("watercolour in green")
    assert not tinted.edits and tinted.modifiers.tint is not None


def test_what_stands_beside_an_edit_and_cannot_be_done_is_named() -> None:
    for prompt, words in (
        ("red jacket and a pirate hat", ("pirate", "hat")),
        ("long pink hair", ("long",)),
        ("put me on a beach with my dog", ("dog",)),
    ):
        reading = read_prompt(prompt)
        assert reading.edits and reading.not_understood == words


@pytest.mark.parametrize(
    "prompt", ["stone the crows", "wood pigeons again", "gold prices today", "forest retreat prices"]
)
def test_a_saying_with_the_word_for_a_material_or_a_place_makes_none(prompt: str) -> None:
    assert read_prompt(prompt).nothing


@pytest.mark.parametrize(
    "prompt", ["turn me to stone with crows", "forest, and crows", "in a forest with crows"]
)
def test_what_stands_apart_from_an_edit_does_not_take_it_back(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert reading.edits and "crows" in reading.not_understood


def test_what_is_said_of_an_edit_is_a_prompt_for_it_again() -> None:
    """The window leaves it in the prompt when another part is taken away."""
    for kind, form in (
        ("scenes", "{}"),
        ("materials", "made of {}"),
        ("cloths", "clothes in {}"),
    ):
        for entry in entries(kind):
            title = entry.title if kind == "scenes" else entry.title.lower()
            assert said(form.format(title)) == (form.format(title),), title
            assert prompt_of(entry) == form.format(title)


@pytest.mark.parametrize("kind", CATALOGUED)
def test_every_entry_has_words_of_its_own_in_every_language(kind: str) -> None:
    for phrase, names in lexicon().meanings[kind].items():
        assert len(names) == 1, f"{phrase} means {names}"
    for entry in entries(kind):  # type: ignore[arg-type]
        assert set(entry.words) == set(LANGUAGES)
        for phrase in entry.phrases:  # without its stop words, too
            assert said(phrase) or kind == "cloths", f"{phrase} of {entry.name}"


def test_a_literal_prompt_has_no_edits() -> None:
    assert read_prompt("red jacket", enhance=False).edits == NO_EDITS


def test_no_edit_has_no_pass() -> None:
    assert not list(Edits().steps())
    assert find_offers([], [], [], [], []).edits == NO_EDITS
