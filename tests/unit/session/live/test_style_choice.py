"""The looks go round: forwards, backwards, and from words that name none of them."""

from __future__ import annotations

import pytest

from overpaint.session.live.style_choice import look_after, split_scene
from overpaint.wire.live import LookChoice

LOOKS = [
    LookChoice(name=name, title=name.replace("-", " ").title(), description="")
    for name in ("ink-comic", "oil", "pixel-art")
]


@pytest.mark.parametrize(
    ("prompt", "step", "name"),
    [
        ("ink comic", 1, "oil"),
        ("Pixel Art", 1, "ink-comic"),
        ("ink-comic", -1, "pixel-art"),
        ("oil", 2, "ink-comic"),
        ("a rainy street", 1, "ink-comic"),
        ("a rainy street", -1, "pixel-art"),
    ],
)
def test_the_next_look(prompt: str, step: int, name: str) -> None:
    assert look_after(prompt, LOOKS, step) == name


def test_without_looks_there_is_no_next_one() -> None:
    assert look_after("oil", [], 1) is None


@pytest.mark.parametrize(
    ("prompt", "understood", "rest", "scene"),
    [
        ("oil, Beach at sunset", "Oil painting, Beach at sunset", "oil", "Beach at sunset"),
        ("put me on a beach", "Ink comic, Beach at sunset", "put me on a beach", "Beach at sunset"),
        ("oil, warm", "Oil painting, warm", "oil, warm", ""),
        ("oil, my photo as the background", "Oil painting", "oil", "my photo as the background"),
        ("beach at sunset", "", "", "beach at sunset"),
    ],
)
def test_the_scene_stays_when_looks_are_leafed_through(
    prompt: str, understood: str, rest: str, scene: str
) -> None:
    scenes = [LookChoice(name="scene:beach-sunset", title="Beach at sunset", description="", group="scene")]
    assert split_scene(prompt, understood, scenes) == (rest, scene)
