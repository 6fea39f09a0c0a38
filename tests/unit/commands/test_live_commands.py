"""The line in which `overpaint live` says where things stand."""

from __future__ import annotations

import pytest

from helpers.scripted_live import SLATE, on_air
from overpaint.commands.live import _say, summary
from overpaint.errors import SourceError
from overpaint.wire.live import WatchPage
from overpaint.wire.messages import Trouble

NO_CAMERA = SLATE.model_copy(
    update={"state": "missing", "trouble": Trouble(kind="missing", sentence="There is no virtual camera.")}
)


def test_a_lost_source_is_told_with_what_others_see_meanwhile(capsys: pytest.CaptureFixture[str]) -> None:
    lost = on_air(trouble=Trouble.of(SourceError("camera_unplugged", camera="Logitech C920")))
    stands = lost.model_copy(update={"camera": lost.camera.model_copy(update={"state": "held"})})
    assert summary(stands).startswith("live · on air · others see the last picture · ")
    paused = lost.model_copy(update={"camera": SLATE})
    assert summary(paused).startswith("live · on air · others see the pause picture · ")
    _say(paused)
    assert capsys.readouterr().err == (
        "Logitech C920 was unplugged. Plug it in again, or choose another source.\n"
    )


def test_on_air_is_said_only_where_others_could_see_it() -> None:
    assert summary(on_air()).startswith("live · on air · ")
    assert summary(on_air(camera=NO_CAMERA)).startswith("live · no camera, not on air · ")
    assert summary(on_air(camera=NO_CAMERA, page=WatchPage(viewers=1))).startswith("live · on air · ")
