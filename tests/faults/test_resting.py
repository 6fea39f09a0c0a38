"""While no program reads the camera nothing is restyled and nothing bought; the picture is back with the
first program that opens it. The real processes, a device that programs open and close.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.live_camera import LiveCamera
from helpers.processes import until
from overpaint.wire.live import (
    LiveSnapshot,
    Preferences,
    SetOnAir,
    SetPreferences,
    SetSource,
    SetStyle,
    StartSession,
    StopSession,
)

pytestmark = [
    pytest.mark.full,
    pytest.mark.timeout(240),
    pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells who reads a camera"),
]

READER = "import sys; file = open(sys.argv[1], 'rb'); print('open', flush=True); sys.stdin.read()"


class Call:
    """A program that has the camera open."""

    def __init__(self, node: Path) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-c", READER, str(node)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._child.stdout is not None and self._child.stdout.readline() == b"open\n"

    def end(self) -> None:
        self._child.communicate()


@pytest.fixture
def camera(tmp_path: Path, data_folder: Path, stamped: Path) -> Iterator[LiveCamera]:
    camera = LiveCamera(tmp_path, data_folder, read=False)
    try:
        camera.intend(
            SetSource(source=str(stamped)),
            SetStyle(prompt="black and white"),
            SetPreferences(preferences=Preferences(rest_unread=True)),
        )
        camera.wait(
            lambda now: (
                now.source == str(stamped) and now.camera.state == "slate" and now.preferences.rest_unread
            )
        )
        yield camera
    finally:
        camera.close()


def credits(snapshot: LiveSnapshot) -> int:
    assert snapshot.balance is not None
    return snapshot.balance.credits_remaining


def test_nobody_reads_and_nothing_is_spent_until_somebody_does(camera: LiveCamera) -> None:
    before = credits(camera.wait(lambda now: now.balance is not None))
    camera.intend(StartSession(), SetOnAir(on=True))
    idle = camera.wait(lambda now: now.state == "paused" and now.on_air)
    assert idle.session is None and credits(idle) == before and idle.camera.read is False
    call = Call(camera.node)
    live = camera.wait(lambda now: now.state == "live" and now.camera.state == "live")
    assert credits(live) == before - 25 and live.camera.read is True
    assert live.session is not None
    call.end()
    rested = camera.wait(lambda now: now.state == "paused" and now.figures.fps_out == 0)
    # The last styled picture stands, in the session that is paid for.
    assert rested.camera.state == "held" and rested.session is not None
    assert rested.session.id == live.session.id
    engine_seconds = rested.session.billed_seconds
    call = Call(camera.node)
    again = camera.wait(lambda now: now.state == "live" and now.figures.fps_out > 5)
    assert credits(again) == before - 25 and again.session is not None
    assert again.session.id == live.session.id and again.session.billed_seconds >= engine_seconds
    call.end()
    # Who does not want that is live without readers.
    camera.wait(lambda now: now.state == "paused")
    camera.intend(SetPreferences(preferences=Preferences(rest_unread=False)))
    camera.wait(lambda now: now.state == "live" and now.camera.read is False)
    camera.intend(StopSession())
    stopped = camera.wait(lambda now: now.state == "stopped")
    assert credits(stopped) == before - 25
    until(lambda: camera.snapshots[-1].camera.state == "slate", what="the slate")
