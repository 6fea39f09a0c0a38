"""Edits change the frame itself, before every look and at any strength of it, and never show the room."""

from __future__ import annotations

import numpy as np
import pytest

from overpaint.engine.cpu import CpuEngine
from overpaint.engine.interface import LookRequest, Picture

WIDTH, HEIGHT = 320, 180


def room() -> Picture:
    """A room of stripes that nobody is in, I420."""
    picture = np.full((HEIGHT * 3 // 2, WIDTH), 128, np.uint8)
    picture[:HEIGHT] = np.where(np.arange(WIDTH) // 8 % 2, 40, 200)
    return picture


def stripes(picture: Picture) -> float:
    """How much of the room's stripes a picture shows: 160 in the room itself."""
    columns = picture[:HEIGHT].astype(np.float32).mean(0)
    return float(abs(np.where(np.arange(WIDTH) // 8 % 2, -columns, columns).sum()) / (WIDTH / 2))


@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("prompt", ["office", "green screen", "Backdrop", "ink comic, office"])
def test_what_is_behind_a_person_hides_the_room_at_any_strength(prompt: str, strength: float) -> None:
    look = CpuEngine(1).compile(LookRequest(prompt, strength=strength), WIDTH, HEIGHT, "still")
    assert stripes(room()) == 160
    assert stripes(look.apply(room())) < 8


def test_a_photo_behind_a_person_is_painted_over_by_the_look_beside_it() -> None:
    photo = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    photo[..., 1] = np.arange(WIDTH) * 255 // WIDTH
    request = LookRequest("pencil sketch, my photo as the background", photo)
    look = CpuEngine(1).compile(request, WIDTH, HEIGHT, "still")
    assert look.name == "pencil-sketch"
    assert stripes(look.apply(room())) < 8


def test_everything_can_be_made_of_a_material() -> None:
    look = CpuEngine(1).compile(LookRequest("everything made of gold"), WIDTH, HEIGHT, "still")
    chroma = look.apply(room())[HEIGHT:]
    u, v = chroma[: HEIGHT // 4].mean(), chroma[HEIGHT // 4 :].mean()
    assert u < 110 and v > 132, "yellow"
