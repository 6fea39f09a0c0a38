"""What looks that tell person and background apart promise: one part untouched, nothing left of the other."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from helpers.matrix import few_of
from overpaint.engine import LookRequest
from overpaint.engine.cpu import CpuEngine

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 960, 540

FACE = (slice(120, 320), slice(370, 480))
"""Rows and columns of the portrait that show the face and nothing else."""

ROOM = (slice(0, 330), slice(610, 960))
"""Rows and columns far from the person."""


@pytest.fixture(scope="module")
def engine() -> CpuEngine:
    return CpuEngine(threads=1)


def shown(engine: CpuEngine, prompt: str, reference: Picture | None = None) -> Picture:
    """The portrait in a look after some frames, BGR."""
    look = engine.compile(LookRequest(prompt, reference), WIDTH, HEIGHT, "clip")
    frame = np.asarray(cv2.cvtColor(portrait(WIDTH, HEIGHT), cv2.COLOR_BGR2YUV_I420), np.uint8)
    for _ in range(3):
        out = look.apply(frame)
    return np.asarray(cv2.cvtColor(out, cv2.COLOR_YUV2BGR_I420), np.uint8)


def camera() -> Picture:
    frame = cv2.cvtColor(portrait(WIDTH, HEIGHT), cv2.COLOR_BGR2YUV_I420)
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_YUV2BGR_I420), np.uint8)


def change(first: Picture, second: Picture, part: tuple[slice, slice]) -> float:
    return float(np.abs(first[part].astype(int) - second[part]).mean())


@pytest.mark.parametrize("name", few_of(["background-blur", "painted-room", "backdrop"], ["backdrop"]))
def test_quiet_looks_leave_the_face_as_it_is(engine: CpuEngine, name: str) -> None:
    out = shown(engine, name)
    assert change(out, camera(), FACE) < 1.5
    assert change(out, camera(), ROOM) > 4


def test_a_blurred_room_has_no_detail_left(engine: CpuEngine) -> None:
    def detail(picture: Picture) -> float:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
        return float(np.abs(grey - cv2.GaussianBlur(grey, (0, 0), 2))[ROOM].mean())

    assert detail(shown(engine, "background-blur")) < 0.4 * detail(camera())


def test_the_person_does_not_bleed_into_the_blur(engine: CpuEngine) -> None:
    """Above the hair the wall keeps its colour: dark hair blurred into it would darken it."""
    out = cv2.cvtColor(shown(engine, "background-blur"), cv2.COLOR_BGR2GRAY).astype(float)
    before = cv2.cvtColor(camera(), cv2.COLOR_BGR2GRAY).astype(float)
    above = (slice(6, 18), slice(350, 500))
    assert abs(out[above].mean() - before[above].mean() * 0.95) < 6


def test_nothing_of_the_room_remains_before_another_place(engine: CpuEngine) -> None:
    green = np.full((300, 400, 3), (60, 200, 40), np.uint8)
    out = shown(engine, "backdrop", green)
    person = np.abs(out.astype(int) - (60, 200, 40)).max(-1) > 12
    # One person, and not a fleck of the wall, the flag or the shuttle besides.
    count, _, measures, _ = cv2.connectedComponentsWithStats(person.astype(np.uint8))
    assert count == 2 or np.sort(measures[1:, cv2.CC_STAT_AREA])[-2] < 200
    assert 0.25 < person.mean() < 0.5
    assert not person[ROOM].any()
    assert not person[:300, :170].any()


def test_the_edge_before_another_place_shows_no_rim_of_the_old_one(engine: CpuEngine) -> None:
    """The wall is light: before a dark place, a rim of it would be lighter than the hair and the place."""
    dark = np.full((300, 400, 3), (40, 24, 20), np.uint8)
    out = cv2.cvtColor(shown(engine, "backdrop", dark), cv2.COLOR_BGR2GRAY).astype(float)
    # A column down through the hair from above: it never becomes lighter than the hair itself is.
    for column in (400, 430, 460):
        profile = out[20:90, column]
        assert profile[:40].max() <= np.percentile(out[60:110, column - 20 : column + 20], 95) + 12


@pytest.mark.parametrize(
    ("prompt", "same", "other"),
    [
        ("oil painting, only the background", FACE, ROOM),
        ("oil painting, only the person", ROOM, FACE),
        ("oil painting, keep my face natural", FACE, ROOM),
    ],
)
def test_a_prompt_says_what_is_restyled(
    engine: CpuEngine, prompt: str, same: tuple[slice, slice], other: tuple[slice, slice]
) -> None:
    out, whole = shown(engine, prompt), shown(engine, "oil painting")
    assert change(out, camera(), same) < 0.4 * change(whole, camera(), same)
    assert change(out, camera(), other) > 0.7 * change(whole, camera(), other)


def test_a_prompt_can_blur_the_background_of_any_look(engine: CpuEngine) -> None:
    out, plain = shown(engine, "anime cel, blurred background"), shown(engine, "anime cel")
    assert change(out, plain, FACE) < 1
    assert change(out, plain, ROOM) > 1.5


def test_a_look_is_prepared_whole_without_anyone_in_the_picture(engine: CpuEngine) -> None:
    room = np.full((HEIGHT * 3 // 2, WIDTH), 140, np.uint8)
    for prompt in ("background-blur", "painted-room", "backdrop", "oil painting, keep my face natural"):
        out = engine.compile(LookRequest(prompt), WIDTH, HEIGHT, "clip").apply(room)
        assert out.shape == room.shape
