"""The line in which `overpaint live` says where things stand."""

from __future__ import annotations

from helpers.scripted_live import SLATE, on_air
from overpaint.commands.live import summary
from overpaint.wire.live import WatchPage
from overpaint.wire.messages import Trouble

NO_CAMERA = SLATE.model_copy(
    update={"state": "missing", "trouble": Trouble(kind="missing", sentence="There is no virtual camera.")}
)


def test_on_air_is_said_only_where_others_could_see_it() -> None:
    assert summary(on_air()).startswith("live · on air · ")
    assert summary(on_air(camera=NO_CAMERA)).startswith("live · no camera, not on air · ")
    assert summary(on_air(camera=NO_CAMERA, page=WatchPage(viewers=1))).startswith("live · on air · ")
