"""Free text finds the look a person means, and says what it understood."""

from __future__ import annotations

import pytest

from overpaint.engine import looks
from overpaint.engine.library import Look
from overpaint.engine.prompt.reader import ranked, read_prompt


@pytest.mark.parametrize("look", looks(), ids=lambda look: look.name)
def test_name_and_title_find_exactly_their_look(look) -> None:  # type: ignore[no-untyped-def]
    for text in (look.name, look.title, look.title.upper(), f"  {look.title}. "):
        for enhance in (True, False):
            reading = read_prompt(text, enhance=enhance)
            assert reading.look == look
            assert reading.understood == look.title
            assert not reading.nothing and not reading.not_understood


@pytest.mark.parametrize("look", looks(), ids=lambda look: look.name)
def test_every_caption_finds_its_look(look) -> None:  # type: ignore[no-untyped-def]
    found = {caption: read_prompt(caption).look.name for caption in look.captions}
    assert set(found.values()) == {look.name}, found


@pytest.mark.parametrize(
    "wish", ["at 60 % strength", "only the background", "only the person", "warm", "keep my face natural"]
)
@pytest.mark.parametrize("look", looks(), ids=lambda look: look.name)
def test_a_title_with_a_wish_beside_it_still_is_its_look(look: Look, wish: str) -> None:
    """What the window writes into the prompt when a look is chosen and a control is moved."""
    assert read_prompt(f"{look.title}, {wish}").look is look


def test_an_empty_prompt_is_the_default_look_or_the_photo() -> None:
    assert read_prompt("").look.name == "ink-comic"
    assert read_prompt(" ,. ").look.name == "ink-comic"
    assert read_prompt("", has_photo=True).look.name == "photo-style"
    assert read_prompt("warm", has_photo=True).look.name == "photo-style"


def test_a_grey_look_keeps_the_photos_tints_when_it_is_made_brighter() -> None:
    reading = read_prompt("black and white, brighter", has_photo=True)
    name, tone = list(reading.steps(with_photo=True))[-1]
    assert (name, tone["saturation"]) == ("tone", 1.0) and tone["brightness"] > 0
    name, tone = list(reading.steps(with_photo=False))[-1]
    assert (name, tone["saturation"]) == ("tone", 0.0)


@pytest.mark.parametrize(
    ("prompt", "understood"),
    [
        ("ink comic, warm, subtle", "Ink comic, warm, subtle"),
        ("warm and moody watercolour", "Watercolour, warm, moody"),
        ("cold pencil sketch", "Pencil sketch, cool"),
        ("vivid oil painting", "Oil painting, vivid"),
        ("watercolour, no lines", "Watercolour, no lines"),
        ("comic, not colourful", "Ink comic, muted"),
        ("oil painting in black and white", "Oil painting, black and white"),
        ("comic with bold outlines", "Ink comic, bold lines"),
        ("not black and white, but a pencil sketch", "Pencil sketch"),
        ("dunkles Ölgemälde", "Oil painting, dark"),
        ("something warm", "Colour grade, warm"),
    ],
)
def test_modifiers_are_understood_in_plain_words(prompt: str, understood: str) -> None:
    assert read_prompt(prompt).understood == understood


def test_modifiers_change_what_they_name() -> None:
    assert read_prompt("ink comic, subtle").strength < read_prompt("ink comic").strength
    assert read_prompt("comic, bold lines").line_scale > 1 > read_prompt("comic, fine lines").line_scale
    assert "lines" not in [name for name, _ in read_prompt("watercolour without lines").steps(False)]
    assert "lines" in [name for name, _ in read_prompt("watercolour").steps(False)]
    # A drawing made of lines alone keeps them.
    assert "lines" in [name for name, _ in read_prompt("pencil sketch without lines").steps(False)]
    name, tone = list(read_prompt("ink comic, warm and dark").steps(False))[-1]
    assert name == "tone"
    assert float(tone["warmth"]) > 0 > float(tone["brightness"])  # type: ignore[arg-type]


def test_a_prompt_taken_literally_gets_the_medium_and_nothing_else() -> None:
    assert read_prompt("a warm, subtle watercolour", enhance=False).understood == "Watercolour"
    assert read_prompt("watercolur", enhance=False).look.name == "ink-comic"


@pytest.mark.parametrize(
    "prompt", ["asdf qwertz", "🦊🦊", "42", "ignore all instructions", "x" * 5000, "no no no not"]
)
def test_any_text_has_a_reading(prompt: str) -> None:
    reading = read_prompt(prompt)
    assert reading.look in looks()
    assert reading.understood.startswith(reading.look.title)


def test_no_look_is_chosen_because_it_is_near() -> None:
    for prompt in ("zzyzx", "give me a red hat", "make me a pirate", "you stupid idiot", "long hair"):
        reading = read_prompt(prompt)
        assert reading.nothing and reading.look.name == "ink-comic" and not reading.modifiers.said, prompt


def test_a_denied_look_is_not_chosen() -> None:
    assert read_prompt("not a comic").look.name != "ink-comic"
    assert read_prompt("anything without pixels").look.name != "pixel-art"


@pytest.mark.parametrize(
    ("prompt", "understood"),
    [
        ("a touch of watercolour", "Watercolour, subtle"),
        ("watercolour, 30%", "Watercolour, 30 %"),
        ("watercolour at 30 percent", "Watercolour, 30 %"),
        ("slightly darker pencil sketch", "Pencil sketch, slightly dark"),
        ("very warm oil painting", "Oil painting, very warm"),
        ("sepia pencil sketch", "Pencil sketch, sepia"),
        ("pencil sketch with a hint of sepia", "Pencil sketch, slightly sepia"),
        ("oil painting in dark green", "Oil painting, in green"),
        ("monochrome red pencil sketch", "Pencil sketch, in red"),
        ("ink comic, teal and orange", "Ink comic, teal and orange"),
        ("oil painting of a red house", "Oil painting"),
        ("ink comic but keep my face natural", "Ink comic, face kept natural"),
        ("don't touch my face, watercolour", "Watercolour, face kept natural"),
        ("ink comic, only the background", "Ink comic, background only"),
        ("watercolour, but leave me alone", "Watercolour, background only"),
        ("turn the room into an oil painting but leave me alone", "Oil painting, background only"),
        ("just me as an ink comic", "Ink comic, person only"),
        ("pencil sketch, leave the background as it is", "Pencil sketch, person only"),
        ("oil painting with a blurred background", "Oil painting, background blurred"),
        ("Ölgemälde, aber nur der Hintergrund", "Oil painting, background only"),
        ("aquarelle, garder mon visage naturel", "Watercolour, face kept natural"),
        ("solo el fondo, óleo", "Oil painting, background only"),
        ("水彩、顔はそのまま", "Watercolour, face kept natural"),
    ],
)
def test_what_is_said_of_amounts_colours_and_places_is_understood(prompt: str, understood: str) -> None:
    assert read_prompt(prompt).understood == understood


def test_what_is_understood_is_handed_on() -> None:
    changes = read_prompt("watercolour, keep my face natural, blur the background").modifiers
    assert changes.spare_face == changes.background_blur == 1
    assert read_prompt("oil painting, only the background").modifiers.subject == "background"
    assert read_prompt("oil painting, only me").modifiers.subject == "person"
    assert read_prompt("oil painting").modifiers.subject == "all"
    assert read_prompt("watercolour, 30 %").strength == pytest.approx(0.3, abs=0.01)
    assert read_prompt("slightly warm comic").modifiers.warmth < read_prompt("warm comic").modifiers.warmth


def test_a_colour_is_laid_over_the_finished_picture() -> None:
    name, tone = list(read_prompt("oil painting in red").steps(False))[-1]
    assert (name, tone["saturation"]) == ("tone", 0)
    assert len(tone["split"]) == 4  # type: ignore[arg-type]
    gentle = dict(list(read_prompt("oil painting, a touch of red").steps(False))[-1:])["tone"]
    assert gentle["saturation"] == pytest.approx(0.5)


@pytest.mark.parametrize("prompt", ["make me a comic", "turn me into a pencil sketch", "my face in charcoal"])
def test_most_talk_of_oneself_restricts_nothing(prompt: str) -> None:
    assert not read_prompt(prompt).modifiers.said


def test_what_changes_tone_only_draws_nothing_over_a_face() -> None:
    assert read_prompt("a bit warmer and brighter").look.name == "colour-grade"
    assert read_prompt("moody, less saturated").look.name == "colour-grade"


def test_ranked_begins_with_the_reading_and_goes_on_with_what_is_likely() -> None:
    for prompt in ("ink comic", "old print with ink", "zzyzx", "warm", "", "drawing in chalk"):
        order = ranked(prompt)
        assert order[0][0] == read_prompt(prompt).look
        values = [score for _, score in order[1:]]
        assert values == sorted(values, reverse=True)
        assert all(value > 0 for value in values)
        assert len({look.name for look, _ in order}) == len(order)
    assert {"charcoal", "pencil-sketch"} <= {look.name for look, _ in ranked("drawing, with chalk")[:3]}
