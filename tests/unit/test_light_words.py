"""The words of a prompt for its light correction."""

from __future__ import annotations

import pytest

from overpaint.engine.prompt.reader import read_prompt
from overpaint.light_words import split_light, with_light


@pytest.mark.parametrize("percent", [0, 5, 60, 100])
@pytest.mark.parametrize("prompt", ["", "ink comic", "ink comic, at 40 % strength", "red jacket"])
def test_what_is_written_is_read(prompt: str, percent: int) -> None:
    written = with_light(prompt, percent)
    assert split_light(written) == (prompt, None if percent == 100 else percent)
    assert read_prompt(written).light == percent / 100


def test_words_of_the_prompt_stand_above_the_setting() -> None:
    assert with_light("Neon night, no light correction", 60) == "Neon night, no light correction"
    assert read_prompt("Neon night, no light correction").light == 0


@pytest.mark.parametrize("prompt", ["ink comic at 40 % strength", "red jacket", "qwertz", "warmer"])
def test_light_changes_nothing_else_of_a_reading(prompt: str) -> None:
    plain, dimmer = read_prompt(prompt), read_prompt(with_light(prompt, 30))
    assert (dimmer.look, dimmer.modifiers, dimmer.nothing) == (plain.look, plain.modifiers, plain.nothing)
    assert dimmer.not_understood == plain.not_understood
    assert dimmer.understood == f"{plain.understood}, light correction at 30 %"


def test_literal_prompts_say_it_too() -> None:
    reading = read_prompt("ink comic, light correction at 50 %", enhance=False)
    assert (reading.look.name, reading.light) == ("ink-comic", 0.5)


@pytest.mark.parametrize(
    "prompt",
    ["comic, ohne Lichtkorrektur", "ink comic without auto exposure", "manga sans correction de lumière"],
)
def test_other_words_refuse_it_too(prompt: str) -> None:
    assert read_prompt(prompt).light == 0
