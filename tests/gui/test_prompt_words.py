"""What the controls write into the prompt, they read out of it again, and the engine reads it the same."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from overpaint.engine import looks
from overpaint.engine.prompt.reader import read_prompt
from overpaint.gui.words import prompt_words
from overpaint.gui.words.prompt_words import PhotoUse, Subject

SUBJECTS: tuple[Subject, ...] = ("all", "person", "background")


@example("0  %", 1, "all")
@example("0 0%%", 1, "all")
@example("only  the  person", 50, "background")
@given(st.text("abc, %0123", max_size=40), st.integers(1, 100), st.sampled_from(SUBJECTS))
def test_what_is_written_is_read_again(prompt: str, percent: int, subject: Subject) -> None:
    said = prompt_words.with_subject(prompt_words.with_strength(prompt, percent), subject)
    assert (prompt_words.strength(said) or 100) == percent
    assert prompt_words.subject(said) == subject


def test_a_change_takes_the_place_of_the_former_one() -> None:
    said = prompt_words.with_strength("ink comic, at 60 % strength, warm", 30)
    assert said == "ink comic, warm, at 30 % strength"
    assert prompt_words.with_strength(said, 100) == "ink comic, warm"
    said = prompt_words.with_subject("background only, ink comic", "person")
    assert said == "ink comic, only the person"
    assert prompt_words.with_subject(said, "all") == "ink comic"


SCENES = ("beach at sunset", "strand bei sonnenuntergang", "library")


def test_a_scene_takes_the_place_of_the_former_one_and_leaves_the_rest() -> None:
    said = prompt_words.with_scene("ink comic, warm, at 60 % strength", "Library", SCENES)
    assert said == "ink comic, warm, at 60 % strength, Library"
    assert prompt_words.scene(said, SCENES) == "Library"
    said = prompt_words.with_scene(said, "Strand bei Sonnenuntergang", SCENES)
    assert said == "ink comic, warm, at 60 % strength, Strand bei Sonnenuntergang"
    assert prompt_words.with_scene(said, "", SCENES) == "ink comic, warm, at 60 % strength"
    assert prompt_words.with_scene("", "Library", SCENES) == "Library"
    assert prompt_words.scene("a library of pencils", SCENES) == ""


def test_a_scene_in_other_words_is_known_by_what_was_understood() -> None:
    prompt, understood = "put me in an old library, drawn in pencil", "Pencil sketch, Library, warm"
    assert prompt_words.scene(prompt, SCENES, understood) == "Library"
    said = prompt_words.with_scene(prompt, "Beach at sunset", SCENES, understood)
    assert said == "Pencil sketch, warm, Beach at sunset"
    assert prompt_words.with_scene(prompt, "", SCENES, understood) == "Pencil sketch, warm"


@pytest.mark.parametrize("look", [look for look in looks() if look.name != "painted-room"], ids=str)
def test_the_engine_reads_what_the_controls_write(look) -> None:
    for subject in SUBJECTS:
        said = prompt_words.with_subject(prompt_words.with_strength(look.title, 60), subject)
        reading = read_prompt(said)
        assert reading.look == look
        assert reading.modifiers.strength == pytest.approx(0.6)
        assert reading.modifiers.subject == subject


@pytest.mark.parametrize(
    "prompt",
    [
        "an old japanese print, but with warm evening colours",
        "ink comic, slightly warm, very dark, no lines, in red, keep my face natural, blur the background",
        "subtle pencil at 40%",
        "words about nothing that is known",
    ],
)
def test_any_part_of_what_was_understood_can_be_taken_out(prompt) -> None:
    understood = read_prompt(prompt).understood
    parts = prompt_words.understood_parts(understood)
    for part in parts[1:]:
        left = prompt_words.without_part(prompt, understood, part)
        assert read_prompt(left).understood == ", ".join(other for other in parts if other != part)


def test_own_words_are_kept_where_they_say_the_part() -> None:
    left = prompt_words.without_part("a lovely old print, warm", "Woodblock print, warm", "warm")
    assert left == "a lovely old print"


def test_running_text_has_no_parts() -> None:
    text = "A painting in the manner of an old master with light from the left, warm and deep, and a frame"
    assert prompt_words.understood_parts(text) == ()


@pytest.mark.parametrize("use", prompt_words.PHOTO_LOOKS)
def test_the_engine_takes_from_a_photo_what_its_button_says(use: PhotoUse) -> None:
    title = prompt_words.PHOTO_LOOKS[use]
    for said in (title, prompt_words.with_subject(prompt_words.with_strength(title, 60), "person")):
        reading = read_prompt(said, has_photo=True)
        assert reading.look.title == title and not reading.not_understood
        assert prompt_words.photo_use(said, reading.look.title) == use


def test_what_a_photo_is_for_is_read_from_prompt_and_understanding() -> None:
    assert prompt_words.photo_use("", "") == "style" == prompt_words.photo_use("at 60 % strength", "")
    assert prompt_words.photo_use("put this place behind me", "Backdrop") == "background"
    assert prompt_words.photo_use("ink comic", "Ink comic") == "colours"
    assert prompt_words.photo_use("backdrop", "Ink comic") == "background", "a click shows at once"
