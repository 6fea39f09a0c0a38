"""The frame that stands: for how long, and never beyond the choice that allowed it."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.chooser import Chooser
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.hold_policy import Audience
from overpaint.session.output import standing_frame

SLATE = np.full((6, 4), 50, np.uint8)


def frame(kind: FrameKind) -> StyledFrame:
    return StyledFrame(np.full((6, 4), 100, np.uint8), 7, now_ns() - 40_000_000, kind)


def test_what_stands_ends_with_the_choice_that_allowed_it() -> None:
    user = Chooser(SLATE)
    user.choose(on_air=True, original=True)
    user.give(frame(FrameKind.ORIGINAL))
    assert user.standing.shown(Audience.OTHERS).kind is FrameKind.ORIGINAL
    user.choose(held=True)
    user.choose(original=False)
    for audience in Audience:
        assert user.standing.last(audience) is None
        assert user.standing.shown(audience).image is SLATE
    user.standing.forget(FrameKind.ORIGINAL)
    user.choose(original=True)
    assert user.standing.last(Audience.USER) is None, "it is not kept for the next time"


def test_a_styled_frame_stands_although_the_original_was_chosen_and_left_meanwhile() -> None:
    user = Chooser(SLATE)
    user.choose(on_air=True)
    user.give(styled := frame(FrameKind.STYLED))
    user.choose(held=True, original=True)
    user.standing.forget(FrameKind.ORIGINAL)
    user.choose(original=False)
    assert user.standing.shown(Audience.OTHERS) is styled
    assert 40e6 <= user.standing.lag_ns < 5e9


def test_a_frame_that_rested_stands_anew_when_the_session_goes_on() -> None:
    user = Chooser(SLATE)
    user.choose(on_air=True)
    user.give(frame(FrameKind.STYLED))
    user.standing.patience_s = -1.0
    assert user.standing.shown(Audience.OTHERS).kind is FrameKind.SLATE
    user.standing.suspend(True)
    assert user.standing.shown(Audience.OTHERS).kind is FrameKind.STYLED
    user.standing.patience_s = 60.0
    user.standing.suspend(False)
    assert user.standing.shown(Audience.OTHERS).kind is FrameKind.STYLED


def test_the_time_that_a_frame_rested_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one is on its way: no slate comes before it."""
    user, clock_s = Chooser(SLATE), 100.0
    monkeypatch.setattr(standing_frame, "now_ns", lambda: int(clock_s * 1e9))
    user.standing.patience_s = 5.0
    user.choose(on_air=True)
    user.give(frame(FrameKind.STYLED))
    user.standing.suspend(True)
    clock_s += 3600.0
    user.standing.suspend(False)
    clock_s += 4.9
    assert user.standing.shown(Audience.OTHERS).kind is FrameKind.STYLED
    clock_s += 0.2
    assert user.standing.shown(Audience.OTHERS).kind is FrameKind.SLATE
