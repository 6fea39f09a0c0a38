"""A photo behind people is asked for in words that the engine reads so, and the look is left to the rest."""

from __future__ import annotations

import pytest

from overpaint.engine.prompt.reader import read_prompt
from overpaint.photo_words import BACKDROP, PHOTO_BEHIND, with_photo_behind


def test_without_a_prompt_people_stay_as_they_are_before_their_photo() -> None:
    assert with_photo_behind("") == with_photo_behind("  ") == BACKDROP
    assert read_prompt(BACKDROP, has_photo=True).look.name == "backdrop"


@pytest.mark.parametrize("prompt", ["pencil sketch", "anime cel, warm, at 60 % strength"])
def test_a_prompt_keeps_its_look(prompt: str) -> None:
    said = with_photo_behind(prompt)
    assert said == f"{prompt}, {PHOTO_BEHIND}"
    reading, plain = read_prompt(said, has_photo=True), read_prompt(prompt, has_photo=True)
    assert (reading.look, reading.modifiers) == (plain.look, plain.modifiers)
    assert not reading.not_understood
