"""What no look can do is named in the user's words, changes nothing, and gets a suggestion that works."""

from __future__ import annotations

import pytest

from overpaint.engine.prompt.reader import read_prompt
from overpaint.wire.looks import spoken

GPU = "ask a computer with a GPU whose service has a generative model (--server)"


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Give me a RED Hat!", ("RED", "Hat")),
        ("Zieh mir einen Anzug an", ("Anzug",)),
        ("Mets-moi l'écharpe de Noël", ("écharpe", "Noël")),
        ("我想要熊猫", ("熊猫",)),
        ("赤い帽子をかぶせて", ("赤い帽子",)),
        ("🦊 🦊", ("🦊", "🦊")),
        ("qwertz asdf", ("qwertz", "asdf")),
        ("remove my glasses", ("glasses",)),
        ("hello", ("hello",)),
        ("this is a test", ("test",)),
    ],
)
def test_what_cannot_be_done_is_named_as_it_was_written(prompt: str, words: tuple[str, ...]) -> None:
    reading = read_prompt(prompt)
    assert reading.nothing and not reading.modifiers.said
    assert reading.not_understood == words


@pytest.mark.parametrize(
    ("prompt", "understood", "words"),
    [
        ("watercolour, with a red hat", "Watercolour", ("red", "hat")),
        ("a pencil sketch of a black hat", "Pencil sketch", ("black", "hat")),
        ("ink comic, warm. My glasses in green", "Ink comic, warm", ("glasses", "green")),
        ("aquarelle, chapeau rouge", "Watercolour", ("chapeau", "rouge")),
        ("Ölgemälde, etwas dunkler, mit Krone", "Oil painting, slightly dark", ("Krone",)),
        ("oil painting zorblax", "Oil painting", ("zorblax",)),
        ("Sonnenuntergang in Berlin", "Golden hour", ("Berlin",)),
    ],
)
def test_what_can_be_done_is_done_beside_it(prompt: str, understood: str, words: tuple[str, ...]) -> None:
    reading = read_prompt(prompt)
    assert (reading.understood, reading.not_understood) == (understood, words)


@pytest.mark.parametrize(
    "prompt",
    [
        "make me a pencil drawing please",
        "watercolour, 30 %, keep my eyes natural",
        "Bitte wie ein altes Ölgemälde, aber nicht zu dunkel",
        "without lines, comic",
        "remove the background",
        "super 8",
        "I want to look like a manga",
        "more blue",
        "not a comic",
    ],
)
def test_nothing_is_said_of_what_is_understood(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert not reading.nothing and reading.not_understood == ()


@pytest.mark.parametrize(
    ("prompt", "word"),
    [
        ("hockey", "hockey"),
        ("orange juice", "juice"),
        ("watercolour and hockey", "hockey"),
        ("Pray for me", "Pray"),
    ],
)
def test_a_common_word_is_no_misspelling_of_a_painter_or_a_change(prompt: str, word: str) -> None:
    reading = read_prompt(prompt)
    assert word in reading.not_understood
    assert reading.understood in ("Watercolour", "Ink comic")


def test_a_word_that_only_hints_at_another_look_is_named_beside_the_one_that_is_made() -> None:
    reading = read_prompt("oil painting with an ice cream")
    assert (reading.understood, reading.not_understood) == ("Oil painting", ("ice", "cream"))


def test_a_hint_beside_a_word_that_nothing_can_be_done_with_names_no_look() -> None:
    assert read_prompt("ice block for tea").nothing
    assert not read_prompt("pixel art block").nothing


def test_the_verb_after_a_thing_is_named_with_it_in_japanese() -> None:
    assert read_prompt("宇宙で猫を抱っこ").not_understood == ("猫を抱っこ",)
    assert read_prompt("油絵で").not_understood == ()


def test_a_word_with_the_stem_of_another_does_not_stand_for_it() -> None:
    assert read_prompt("it should stay natural, watercolour").not_understood == (), "no shoulder"
    assert read_prompt("hello, pencil sketch").understood == "Pencil sketch", "German hell is bright"


@pytest.mark.parametrize(
    ("prompt", "suggestions"),
    [
        ("put me in Paris", ["use a photo of Paris as background"]),
        ("stell mich in einen Hafen", ["use a photo of Hafen as background"]),
        ("give me a red hat", [GPU]),
        (
            "a jacket, a hat, and put me in Venice",
            [GPU, "use a photo of Venice as background"],
        ),
        ("in the style of Zorblax Quux", ["take the style from a photo that shows it"]),
        ("you stupid idiot", []),
        ("asdf qwertz", []),
        ("watercolour", []),
    ],
)
def test_what_else_would_do_it_is_suggested(prompt: str, suggestions: list[str]) -> None:
    assert [each.sentence for each in read_prompt(prompt).suggestions] == suggestions


def test_the_look_that_comes_nearest_is_only_suggested() -> None:
    reading = read_prompt("posterity")
    assert reading.nothing and reading.look.name == "ink-comic"
    assert [each.kind for each in reading.suggestions] == ["look"]


def test_a_photo_as_background_is_not_suggested_where_it_is_one() -> None:
    kinds = [each.kind for each in read_prompt("backdrop, in Venice", has_photo=True).suggestions]
    assert "background_photo" not in kinds


def test_words_beside_each_other_are_said_together() -> None:
    assert spoken("a red jacket and a beach", ("red", "jacket", "beach")) == "red jacket, beach"
    assert spoken("我想在太空", ("太空",)) == "太空"
    assert spoken("hat on hat", ("hat", "hat")) == "hat, hat"


@pytest.mark.parametrize(
    ("prompt", "understood", "words"),
    [
        ("a rembrandt portrait", "Oil painting", ("rembrandt",)),
        ("Ein Gemälde wie von Frida Kahlo", "Oil painting", ("Frida", "Kahlo")),
        ("pixar character", "Anime cel", ("pixar",)),
    ],
)
def test_a_name_that_a_look_only_comes_near_to_is_said(
    prompt: str, understood: str, words: tuple[str, ...]
) -> None:
    reading = read_prompt(prompt)
    assert (reading.understood, reading.not_understood) == (understood, words)
    assert "style_photo" in [each.kind for each in reading.suggestions]


@pytest.mark.parametrize("prompt", ["evening gown", "remove my pimples", "a lighthouse"])
def test_a_word_that_is_near_to_a_known_one_promises_nothing(prompt: str) -> None:
    assert read_prompt(prompt).nothing


@pytest.mark.parametrize(
    "prompt",
    ["remove the background", "please remove my background", "mach meinen Hintergrund weg", "enlève le fond",
     "quita el fondo porfa", "togli lo sfondo", "tira o fundo", "去掉背景"],
)  # fmt: skip
def test_the_background_is_removed_in_every_language(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert (reading.look.name, reading.not_understood) == ("backdrop", ())


def test_any_look_but_the_default_one_is_a_painting() -> None:
    assert read_prompt("not a comic").look.name == "watercolour"


@pytest.mark.parametrize(
    "prompt",
    ["rossetto bordeaux", "canta qualcosa", "Bitte geben Sie mir etwas vollere Haare.", "眼睛放大一点点",
     "mach den kollegen hinter mir weg", "enlève ma collègue de derrière", "why can't my boss hear me",
     "mark these essays for me would you"],
)  # fmt: skip
def test_a_task_and_a_word_that_only_resembles_a_looks_change_no_picture(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert reading.nothing and reading.not_understood


@pytest.mark.parametrize(
    "prompt", ["Die Umrisse dürfen gern etwas dicker sein.", "good chunky lines", "lineas bien gruesas"]
)
def test_the_width_of_lines_is_understood_wherever_it_stands(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert reading.modifiers.line_scale > 1 and not reading.not_understood


def test_lines_and_grain_are_left_out_in_any_order_of_words() -> None:
    assert read_prompt("comic style, outlines off").modifiers.without == {"lines"}
    assert read_prompt("analog film feeling aber ohne grain").modifiers.without == {"grain"}


@pytest.mark.parametrize(
    ("prompt", "words"), [("动漫风加兔耳朵", ("兔耳朵",)), ("左上角加个价格标签", ("价格标签",))]
)
def test_chinese_words_are_named_whole(prompt: str, words: tuple[str, ...]) -> None:
    assert "".join(words) in "".join(read_prompt(prompt).not_understood)
