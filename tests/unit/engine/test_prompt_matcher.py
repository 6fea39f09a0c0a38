"""Free text finds the look a person means, and says what it understood."""

from __future__ import annotations

import pytest

from overpaint.engine import looks
from overpaint.engine.prompts import read_prompt

LABELLED = [
    ("ink comic", "ink-comic"),
    ("make me look like a comic book hero", "ink-comic"),
    ("graphic novel, moody", "ink-comic"),
    ("superhero comic with bold outlines", "ink-comic"),
    ("Tintin", "ink-comic"),
    ("black and white comic", "ink-comic"),
    ("Comic mit dicken Linien", "ink-comic"),
    ("manga in black ink", "ink-comic"),
    ("pencil sketch on warm paper", "pencil-sketch"),
    ("graphite portrait", "pencil-sketch"),
    ("hand drawn", "pencil-sketch"),
    ("a quick sketch of me", "pencil-sketch"),
    ("Bleistiftzeichnung", "pencil-sketch"),
    ("cross hatching drawing", "pencil-sketch"),
    ("watercolor", "watercolour"),
    ("soft aquarelle, pastel", "watercolour"),
    ("water colour painting of a person", "watercolour"),
    ("Aquarell", "watercolour"),
    ("gouache", "watercolour"),
    ("watercolour without lines", "watercolour"),
    ("van gogh", "oil-painting"),
    ("starry night by Vincent van Gogh", "oil-painting"),
    ("oil on canvas, old master", "oil-painting"),
    ("impressionist", "oil-painting"),
    ("thick impasto paint", "oil-painting"),
    ("Ölgemälde", "oil-painting"),
    ("a rembrandt portrait", "oil-painting"),
    ("painting", "oil-painting"),
    ("newspaper photo", "halftone-print"),
    ("halftone dots", "halftone-print"),
    ("Roy Lichtenstein", "halftone-print"),
    ("cmyk offset print", "halftone-print"),
    ("Zeitungsdruck", "halftone-print"),
    ("8-bit", "pixel-art"),
    ("16 bit video game", "pixel-art"),
    ("pixelated gameboy", "pixel-art"),
    ("Minecraft", "pixel-art"),
    ("retro arcade sprite", "pixel-art"),
    ("black and white movie", "film-noir"),
    ("film noir detective", "film-noir"),
    ("old hollywood black and white", "film-noir"),
    ("Schwarzweißfilm", "film-noir"),
    ("1940s noir", "film-noir"),
    ("black and white", "film-noir"),
    ("ghibli", "anime-cel"),
    ("anime", "anime-cel"),
    ("studio ghibli background painting", "anime-cel"),
    ("disney cartoon", "anime-cel"),
    ("Zeichentrick", "anime-cel"),
    ("cel-shaded", "anime-cel"),
    ("charcoal drawing", "charcoal"),
    ("Kohlezeichnung", "charcoal"),
    ("chalk on paper", "charcoal"),
    ("risograph", "risograph"),
    ("duotone poster", "risograph"),
    ("silkscreen zine", "risograph"),
    ("blueprint", "blueprint"),
    ("architect's technical drawing", "blueprint"),
    ("Blaupause", "blueprint"),
    ("banknote", "engraving"),
    ("etching by Dürer", "engraving"),
    ("Kupferstich", "engraving"),
    ("dollar bill portrait", "engraving"),
    ("soft studio light", "studio-light"),
    ("professional headshot", "studio-light"),
    ("make my skin smooth", "studio-light"),
    ("photorealistic", "studio-light"),
    ("cinematic", "film-stock"),
    ("kodak portra 400", "film-stock"),
    ("teal and orange", "film-stock"),
    ("Wes Anderson movie", "film-stock"),
    ("vintage 35mm film", "film-stock"),
    ("pop art", "pop-art"),
    ("andy warhol silkscreen", "pop-art"),
    ("Banksy stencil", "pop-art"),
    ("neon", "neon-night"),
    ("cyberpunk city", "neon-night"),
    ("synthwave 1980s", "neon-night"),
    ("like in Tron", "neon-night"),
    ("match the colours of the photo", "colour-grade"),
    ("colour grading", "colour-grade"),
    # Misspelt.
    ("watercolur", "watercolour"),
    ("pensil sketch", "pencil-sketch"),
    ("pixl art", "pixel-art"),
    ("animee", "anime-cel"),
    # Said against.
    ("not a comic, an oil painting", "oil-painting"),
    ("no pencil, charcoal please", "charcoal"),
    ("watercolour but not black and white", "watercolour"),
]  # fmt: skip

MISSES: set[str] = set()
"""Prompts that are still read wrongly. A ratchet: this set may only shrink."""


def test_labelled_prompts_find_their_look() -> None:
    assert len(LABELLED) >= 60
    wrong = {
        prompt: read_prompt(prompt).look.name
        for prompt, name in LABELLED
        if read_prompt(prompt).look.name != name
    }
    assert set(wrong) == MISSES, wrong


@pytest.mark.parametrize("look", looks(), ids=lambda look: look.name)
def test_name_and_title_find_exactly_their_look(look) -> None:  # type: ignore[no-untyped-def]
    for text in (look.name, look.title, look.title.upper(), f"  {look.title}. "):
        for enhance in (True, False):
            reading = read_prompt(text, enhance=enhance)
            assert reading.look == look
            assert reading.understood == look.title
            assert reading.certain


@pytest.mark.parametrize("look", looks(), ids=lambda look: look.name)
def test_every_caption_finds_its_look(look) -> None:  # type: ignore[no-untyped-def]
    found = {caption: read_prompt(caption).look.name for caption in look.captions}
    assert set(found.values()) == {look.name}, found


def test_an_empty_prompt_is_the_default_look_or_the_photo() -> None:
    assert read_prompt("").look.name == "ink-comic"
    assert read_prompt(" ,. ").look.name == "ink-comic"
    assert read_prompt("", has_photo=True).look.name == "colour-grade"
    assert read_prompt("warm", has_photo=True).look.name == "colour-grade"


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
        ("something warm", "Ink comic, warm"),
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


def test_an_unknown_word_says_that_the_reading_is_a_guess() -> None:
    assert read_prompt("zzyzx").understood == "Ink comic (the nearest look)"
    assert not read_prompt("zzyzx").certain


def test_a_denied_look_is_not_chosen() -> None:
    assert read_prompt("not a comic").look.name != "ink-comic"
    assert read_prompt("anything without pixels").look.name != "pixel-art"


HELD_OUT = [
    ("draw me in the style of a marvel cover", "ink-comic"),
    ("inked lines and flat colours", "ink-comic"),
    ("strip cartoon from the sunday paper", "ink-comic"),
    ("rough drawing with a 2B pencil", "pencil-sketch"),
    ("architect's hand sketch", "pencil-sketch"),
    ("loose washes of paint on wet paper", "watercolour"),
    ("children's book illustration in watercolors", "watercolour"),
    ("Claude Monet garden", "oil-painting"),
    ("like a painting in a museum", "oil-painting"),
    ("renaissance portrait", "oil-painting"),
    ("vintage comic print with big dots", "halftone-print"),
    ("old newspaper clipping", "halftone-print"),
    ("snes game", "pixel-art"),
    ("low resolution pixels", "pixel-art"),
    ("like a nintendo character", "pixel-art"),
    ("humphrey bogart in casablanca", "film-noir"),
    ("dark detective story in black and white", "film-noir"),
    ("Film im Stil der 40er, schwarz-weiß", "film-noir"),
    ("japanese cartoon", "anime-cel"),
    ("studio ghibli", "anime-cel"),
    ("pixar character", "anime-cel"),
    ("smudgy charcoal", "charcoal"),
    ("white chalk and black coal", "charcoal"),
    ("two-tone print in pink and blue", "risograph"),
    ("screenprinted gig poster", "risograph"),
    ("cyanotype", "blueprint"),
    ("engineering plan, white lines on blue", "blueprint"),
    ("face on a hundred dollar bill", "engraving"),
    ("old copper etching", "engraving"),
    ("nice light for a business call", "studio-light"),
    ("flattering and natural", "studio-light"),
    ("look like a movie", "film-stock"),
    ("nostalgic polaroid", "film-stock"),
    ("warhol marilyn", "pop-art"),
    ("street art stencil", "pop-art"),
    ("blade runner", "neon-night"),
    ("glowing lines in the dark", "neon-night"),
    ("vaporwave aesthetic", "neon-night"),
    ("use this photo's colours", "colour-grade"),
    ("Farbstimmung vom Foto", "colour-grade"),
]

HELD_OUT_FOUND = 36
"""Of the prompts above, which were written after the matcher and never used to tune it. May only grow."""


def test_prompts_that_the_matcher_was_not_tuned_on() -> None:
    wrong = {
        prompt: read_prompt(prompt, has_photo="photo" in prompt).look.name
        for prompt, name in HELD_OUT
        if read_prompt(prompt, has_photo="photo" in prompt).look.name != name
    }
    assert len(HELD_OUT) - len(wrong) >= HELD_OUT_FOUND, wrong
