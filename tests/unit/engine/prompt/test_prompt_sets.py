"""Prompts as users type them are read as they are meant, counted: on three sets, two never tuned on."""

from __future__ import annotations

import pytest

from helpers.labelled_prompts import FACTS, measure, prompts
from overpaint.engine.prompt.modifiers import TINTS

FLOORS = {"tuning": (0.97, 0.99, 0.97), "set_aside": (0.96, 0.97, 0.97), "fresh": (0.92, 0.95, 0.92)}
"""Of each set: the least share found at once, among the first three, and of other things understood."""


@pytest.mark.parametrize("name", FLOORS)
def test_a_set_of_prompts_is_read_as_meant(name: str) -> None:
    found = measure(name)
    first, among_three, facts = FLOORS[name]
    misses = "\n".join((str(found), *found.misses))
    assert found.first >= first, misses
    assert found.among_three >= among_three, misses
    assert found.facts >= facts, misses


def test_the_sets_are_large_and_share_no_prompt() -> None:
    aside, tuning, fresh = prompts("set_aside"), prompts("tuning"), prompts("fresh")
    assert len(aside) >= 120 and len(aside) + len(tuning) >= 240
    texts = [prompt.text.casefold() for prompt in (*aside, *tuning, *fresh)]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("name", FLOORS)
def test_labels_say_only_what_can_be_measured(name: str) -> None:
    known = {*FACTS, *(f"tint:{tint}" for tint in TINTS)}
    assert {fact for prompt in prompts(name) for fact in prompt.facts} <= known
