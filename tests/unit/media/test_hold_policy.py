"""What may be shown: every kind of frame under every choice of the user, and how long a frame stands."""

from __future__ import annotations

import itertools

import pytest

from overpaint.media.frames import FrameKind
from overpaint.media.hold_policy import (
    ORIGINAL_PATIENCE_S,
    Audience,
    Choices,
    may_pass,
    may_show,
    may_stand,
    may_stand_in_camera,
)

EVERY_CHOICE = [Choices(*each) for each in itertools.product((False, True), repeat=4)]


@pytest.mark.parametrize("choices", EVERY_CHOICE, ids=str)
def test_an_original_is_shown_to_nobody_while_it_is_not_chosen(choices: Choices) -> None:
    for audience in Audience:
        shown = may_show(FrameKind.ORIGINAL, choices, audience)
        assert shown <= choices.original
        assert shown <= may_show(FrameKind.STYLED, choices, audience)
    assert may_pass(FrameKind.ORIGINAL, choices) is (choices.original and not choices.held)


@pytest.mark.parametrize("choices", EVERY_CHOICE, ids=str)
def test_others_see_the_slate_alone_in_privacy_and_off_the_air(choices: Choices) -> None:
    on_air = choices.on_air and not choices.private
    assert may_show(FrameKind.STYLED, choices, Audience.OTHERS) is on_air
    assert may_show(FrameKind.STYLED, choices, Audience.RECORDING) is not choices.private
    assert may_show(FrameKind.STYLED, choices, Audience.USER)
    for kind in (FrameKind.SLATE, FrameKind.KEPT_SLATE):
        assert all(may_show(kind, choices, audience) for audience in Audience)


def test_a_frame_stands_for_as_long_as_the_user_set_it_or_while_nobody_looks() -> None:
    assert may_stand(4.9, 5.0, suspended=False) and not may_stand(5.1, 5.0, suspended=False)
    assert may_stand(3600.0, 5.0, suspended=True)


@pytest.mark.parametrize("attended", [False, True])
@pytest.mark.parametrize("kind", [FrameKind.STYLED, FrameKind.SLATE])
def test_in_the_camera_a_frame_stands_as_long_as_the_user_set_it_whoever_is_there(
    kind: FrameKind, attended: bool
) -> None:
    for silent_s, stands in ((4.9, True), (5.1, False)):
        assert may_stand_in_camera(kind, silent_s, 5.0, attended=attended, has_slate=True) is stands
    assert may_stand_in_camera(kind, 3600.0, 5.0, attended=attended, has_slate=False), (
        "nothing would follow it"
    )


@pytest.mark.parametrize(("attended", "has_slate"), [*itertools.product((False, True), repeat=2)])
def test_in_the_camera_an_original_stands_only_while_its_writer_says_so(
    attended: bool, has_slate: bool
) -> None:
    for silent_s in (0.0, ORIGINAL_PATIENCE_S, ORIGINAL_PATIENCE_S + 0.1, 3600.0):
        stands = may_stand_in_camera(
            FrameKind.ORIGINAL, silent_s, 3600.0, attended=attended, has_slate=has_slate
        )
        assert stands is (attended and has_slate and silent_s <= ORIGINAL_PATIENCE_S)
