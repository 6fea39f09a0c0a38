"""What may be shown: every kind of frame under every choice of the user, and how long a frame stands."""

from __future__ import annotations

import itertools

import pytest

from overpaint.media.frames import FrameKind
from overpaint.media.hold_policy import Audience, Choices, may_pass, may_show, may_stand

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
