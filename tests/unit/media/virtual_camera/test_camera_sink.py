"""The virtual camera gets exactly the pixels it is given, finds its own device, explains every refusal."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from helpers.fake_camera import FakeCamera
from overpaint.doctor import examine
from overpaint.errors import SinkError
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.virtual_camera import driver_state
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink, camera_report
from overpaint.media.virtual_camera.obs_output import OBS_LIBRARY
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="v4l2loopback is Linux's"),
]
FRAME = StyledFrame(np.zeros((1620, 1920), np.uint8), 0, 0, FrameKind.STYLED)

WRITE_THREE = """
sink = VirtualCameraSink(loopbacks=devices)
def work():
    sink.open(1920, 1080, 30)
    for number in range(3):
        sink.write(StyledFrame(picture(number), number, 0, FrameKind.STYLED))
    carried = devices.settled(sys.argv[2] + "/video10")
    sink.close()
    sink.close()
    say(title=sink.title, written=sink.written, fourcc=carried.fourcc, size=[carried.width, carried.height])
attempt(work)
"""
OPEN = """
sink = VirtualCameraSink(loopbacks=devices)
def work():
    sink.open(1920, 1080, 30)
    sink.close()
    say(title=sink.title)
attempt(work)
"""
REPORT = """
report = camera_report(loopbacks=devices)
problem = report.problem.line if report.problem else ""
say(chosen=report.chosen, path=report.path, problem=problem, advice=report.advice,
    devices=[[device.title, device.state, device.exclusive] for device in report.devices])
"""


@pytest.fixture
def camera(tmp_path: Path) -> FakeCamera:
    return FakeCamera(tmp_path)


def test_every_byte_of_every_frame_reaches_the_device_as_i420(camera: FakeCamera) -> None:
    answer = camera.run(WRITE_THREE)
    assert answer == {
        "title": "Overpaint Camera",
        "written": 3,
        "fourcc": "YU12",
        "size": [1920, 1080],
    }
    got = np.fromfile(camera.node, np.uint8).reshape(3, 1620, 1920)
    for number in range(3):
        expected = np.random.default_rng(number).integers(0, 256, (1620, 1920), np.uint8)
        assert np.array_equal(got[number], expected)


def test_a_device_that_does_not_reopen_is_unstuck_without_a_word(camera: FakeCamera) -> None:
    assert camera.run(WRITE_THREE, play="stuck")["written"] == 3


def test_a_device_without_permission_names_the_group_to_join(camera: FakeCamera) -> None:
    answer = camera.run(OPEN, play="denied")
    assert answer["kind"] == "denied"
    assert answer["sentence"] == "You may not use the virtual camera Overpaint Camera."
    assert "sudo usermod -aG video $USER" in answer["mend"]


@pytest.mark.parametrize("play", ["busy", "capture"])
def test_a_device_of_another_producer_is_left_alone(camera: FakeCamera, play: str) -> None:
    answer = camera.run(OPEN, play=play)
    assert answer["kind"] == "busy"
    assert answer["sentence"] == "Another program is using the virtual camera Overpaint Camera."
    assert str(camera.node) in answer["mend"]
    assert camera.node.stat().st_size == 0


def test_a_device_held_with_another_size_is_not_written_to(camera: FakeCamera) -> None:
    camera.settle("YU12:1280x720@30")
    answer = camera.run(OPEN)
    assert answer["kind"] == "busy"
    assert "with 1280×720 pixels" in answer["sentence"]


def test_a_device_still_watched_in_our_format_is_taken_again(camera: FakeCamera) -> None:
    camera.settle("YU12:1920x1080@30")
    assert camera.run(OPEN)["title"] == "Overpaint Camera"


def test_the_device_labelled_for_overpaint_wins_over_the_first_one(camera: FakeCamera) -> None:
    camera.add_device("video2", "OBS Virtual Camera")
    camera.add_device("video0", "Integrated Webcam", loopback=False)
    assert camera.run(OPEN) == {"title": "Overpaint Camera"}


def test_no_other_device_is_taken_while_overpaints_own_is_busy(camera: FakeCamera) -> None:
    camera.add_device("video20", "Dummy video device")
    assert camera.run(OPEN, play="capture")["kind"] == "busy"


def test_a_device_that_goes_away_is_reported_and_not_written_to_silently(camera: FakeCamera) -> None:
    answer = camera.run(
        """
sink = VirtualCameraSink(loopbacks=devices)
def work():
    sink.open(1920, 1080, 30)
    sink.write(StyledFrame(picture(0), 0, 0, FrameKind.STYLED))
    os.unlink(sys.argv[2] + "/video10")
    sink.write(StyledFrame(picture(1), 1, 0, FrameKind.STYLED))
    say(kind="unnoticed")
attempt(work)
"""
    )
    assert answer["kind"] == "lost"
    assert "no longer reach it" in answer["sentence"] and "modprobe" in answer["mend"]


def test_a_write_that_fails_is_an_error(camera: FakeCamera) -> None:
    assert camera.run(WRITE_THREE, play="deaf")["kind"] == "lost"


def test_the_report_names_the_device_that_would_be_used(camera: FakeCamera) -> None:
    assert camera.run(REPORT) == {
        "chosen": "Overpaint Camera",
        "path": str(camera.node),
        "problem": "",
        "advice": "",
        "devices": [["Overpaint Camera", "free", True]],
    }


def test_the_report_warns_when_browsers_will_not_list_the_device(camera: FakeCamera) -> None:
    camera.set_exclusive(False)
    advice = camera.run(REPORT)["advice"]
    assert "Chrome" in advice and "exclusive_caps=1" in advice


def test_without_the_driver_the_report_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_state, "SYSTEM", tmp_path)
    for file in ("usr/bin/apt-get", f"lib/modules/{platform.release()}/modules.dep"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).touch()
    report = camera_report(loopbacks=LoopbackDevices(tmp_path / "sys", tmp_path))
    assert report.problem is not None and report.problem.kind == "missing"
    assert "v4l2loopback, is not installed" in str(report.problem)
    assert "sudo apt-get install" in report.problem.mend


def test_a_named_device_that_is_not_there_is_missing(tmp_path: Path) -> None:
    (tmp_path / "module" / "v4l2loopback").mkdir(parents=True)
    sink = VirtualCameraSink("/dev/video77", LoopbackDevices(tmp_path, tmp_path))
    with pytest.raises(SinkError, match="no virtual camera called /dev/video77") as refusal:
        sink.open(1920, 1080, 30)
    assert refusal.value.kind == "missing"


def test_an_odd_size_is_refused_with_a_reason() -> None:
    with pytest.raises(SinkError, match="641×480") as refusal:
        VirtualCameraSink().open(641, 480, 30)
    assert refusal.value.kind == "unsupported"


def test_a_closed_sink_takes_no_frame() -> None:
    with pytest.raises(SinkError, match="not open"):
        VirtualCameraSink().write(FRAME)


def test_on_linux_nothing_needs_pyvirtualcam(camera: FakeCamera) -> None:
    """It is GPL-2.0-only, which a bundle with Apache-2.0 parts cannot carry (docs/licences.md)."""
    assert camera.run("sys.modules['pyvirtualcam'] = None" + WRITE_THREE)["written"] == 3


class ObsCamera:
    """What pyvirtualcam's camera is to its caller."""

    device = "OBS Virtual Camera"

    def __init__(self, width: int, height: int, fps: float, *, fmt: str, device: str | None) -> None:
        assert (width, height, fps, fmt, device) == (1920, 1080, 30, "I420", None)
        self.sent: list[np.ndarray] = []

    def send(self, image: np.ndarray) -> None:
        self.sent.append(image)

    def close(self) -> None:
        pass


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")


@pytest.mark.usefixtures("mac")
def test_on_a_mac_pictures_go_to_obs_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    library = SimpleNamespace(Camera=ObsCamera, PixelFormat=SimpleNamespace(I420="I420"))
    monkeypatch.setitem(sys.modules, "pyvirtualcam", library)
    sink = VirtualCameraSink()
    sink.open(1920, 1080, 30)
    sink.write(FRAME)
    sink.close()
    assert (sink.title, sink.written) == ("OBS Virtual Camera", 1)
    assert camera_report().chosen == "OBS Virtual Camera"


@pytest.mark.usefixtures("mac")
def test_on_a_mac_without_pyvirtualcam_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyvirtualcam", None)
    with pytest.raises(SinkError, match="needs pyvirtualcam, which is not installed") as refusal:
        VirtualCameraSink().open(1920, 1080, 30)
    assert refusal.value.kind == "unsupported"
    finding = next(examine(Path()))
    assert finding.verdict == "missing" and f'pip install "{OBS_LIBRARY}"' in finding.mend
