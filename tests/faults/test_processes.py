"""A process hangs or dies in mid-call: the camera goes on, and never shows a raw or a black frame."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.live_camera import LiveCamera, Shown
from helpers.matrix import few_of
from helpers.processes import role_pid, until
from overpaint.wire.live import SetOnAir, SetSource, SetStyle, StartSession, StopSession

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="plays v4l2loopback with LD_PRELOAD")


@pytest.fixture
def camera(tmp_path: Path, data_folder: Path, stamped: Path) -> Iterator[LiveCamera]:
    """On air, in black and white."""
    camera = LiveCamera(tmp_path, data_folder)
    try:
        camera.intend(SetSource(source=str(stamped)), SetStyle(prompt="black and white"))
        camera.wait(lambda snapshot: snapshot.source == str(stamped) and snapshot.camera.state == "slate")
        camera.intend(StartSession(), SetOnAir(on=True))
        camera.wait_for_frames(20)
        yield camera
    finally:
        camera.close()


def assert_private(shown: list[Shown]) -> None:
    """Every frame is the slate or styled: grey (black and white), readable, not black."""
    assert shown
    for frame in shown:
        assert not frame.black, "a black frame"
        assert frame.slate or frame.colour <= 12, "a raw frame"
        assert frame.slate or frame.number is not None, "a torn frame"


@pytest.mark.full
def test_the_window_hangs_and_dies_and_the_camera_goes_on(camera: LiveCamera, data_folder: Path) -> None:
    window = camera.start_window()
    live_pid = role_pid(data_folder, "live")
    camera.wait_for_frames(10)
    window.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    time.sleep(5)
    window.kill()
    window.wait()
    until(lambda: camera.windows == 1, what="the window's end")
    camera.wait_for_frames(10)
    during = [frame for frame in camera.shown if frame.at >= began]
    assert_private(during)
    for second in range(5):
        part = {frame.number for frame in during if second <= frame.at - began < second + 1}
        assert len(part - {None}) >= 3, f"the camera stood still in second {second}"
    # A new window finds the same live process, still on air.
    again = camera.start_window()
    assert role_pid(data_folder, "live") == live_pid
    assert camera.snapshots[-1].on_air and camera.snapshots[-1].state == "live"
    again.kill()
    again.wait()
    assert_private(camera.shown)


@pytest.mark.parametrize("how", few_of([signal.SIGKILL, signal.SIGTERM], [signal.SIGKILL]))
def test_the_core_dies_and_the_app_goes_on_by_itself(
    camera: LiveCamera, data_folder: Path, how: signal.Signals
) -> None:
    core = role_pid(data_folder, "core")
    assert core is not None
    seen = len(camera.shown)
    os.kill(core, how)
    until(lambda: role_pid(data_folder, "core") not in (None, core), 20, "a new core")
    camera.wait(lambda snapshot: snapshot.state == "live")
    camera.wait_for_frames(10)
    after = camera.shown[seen:]
    assert_private(after)
    assert not any(frame.slate for frame in after), "the last styled frame stands until the next comes"
    assert "black and white" in camera.snapshots[-1].understood.lower(), "the look survives the core"


@pytest.mark.full
def test_stop_shows_the_slate_and_start_goes_on(camera: LiveCamera) -> None:
    for _ in range(3):
        camera.intend(StopSession())
        camera.wait(lambda snapshot: snapshot.state == "stopped" and snapshot.camera.state == "slate")
        # What was written is seen a moment later, through the pipe.
        until(lambda: camera.shown[-1].slate, what="the slate")
        camera.intend(StartSession())
        camera.wait_for_frames(5)
    assert_private(camera.shown)
    assert camera.process.poll() is None
