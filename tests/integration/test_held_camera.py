"""The camera that a process of its own holds: pictures arrive, the last one stands, and no death is seen.

Real processes, real sockets and shared memory; only the device is a stand-in (``fake_camera.c``).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest

from helpers import camera_writer, scripted_machine
from helpers.fake_camera import FakeCamera
from helpers.matrix import few_of
from helpers.processes import end_all, role_pid, until
from overpaint.errors import LinkError, SinkError
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.virtual_camera import camera_client, camera_process
from overpaint.media.virtual_camera.camera_client import HeldCamera
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices
from overpaint.processes import children, roles
from overpaint.processes.supervision import heartbeat
from overpaint.wire.camera import CameraListing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="v4l2loopback is Linux's")

WIDTH, HEIGHT = 320, 180
SLATE = 50


class Device:
    """The far end: every picture that came out, as the value of its first pixel.

    Attributes:
        may_be_cut: Whether a holder is ended by force: a device takes a picture whole or not at all, but what
            lies in a pipe by then may be a part of one.
    """

    def __init__(self, folder: Path) -> None:
        self.camera = FakeCamera(folder)
        self.seen: list[int] = []
        self.may_be_cut = False
        self.camera.node.unlink()
        os.mkfifo(self.camera.node)
        self._pipe = os.open(self.camera.node, os.O_RDWR)
        self._ended = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        size = WIDTH * HEIGHT * 3 // 2
        picture = b""
        while True:
            while len(picture) < size:
                picture += os.read(self._pipe, size - len(picture))
                if self._ended:
                    return
            values = np.frombuffer(picture, np.uint8)
            other = np.flatnonzero(values != values[0])
            if other.size and self.may_be_cut:
                self.may_be_cut = False
                picture = picture[other[0] :]
                continue
            assert not other.size, "torn"
            self.seen.append(int(values[0]))
            picture = b""

    def wait_for(self, value: int) -> None:
        since = len(self.seen)
        until(lambda: value in self.seen[since:], 20, lambda: f"{value} in {self.seen[-20:]}")

    def close(self) -> None:
        self._ended = True
        if self._thread.is_alive():  # else nobody empties the pipe
            os.write(self._pipe, b"\0")
        self._thread.join(5)
        os.close(self._pipe)


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    device = Device(tmp_path)
    machine = {
        scripted_machine.SYSFS: str(device.camera.sysfs),
        scripted_machine.DEV: str(device.camera.dev),
        **device.camera.environment(),
    }
    start = subprocess.Popen

    def on_that_machine(*arguments, env=None, **options):
        return start(*arguments, env=(env or dict(os.environ)) | machine, **options)

    monkeypatch.setattr(
        children, "command", lambda *words: [sys.executable, scripted_machine.__file__, *words]
    )
    monkeypatch.setattr(subprocess, "Popen", on_that_machine)
    yield device
    end_all(tmp_path)
    device.close()


def held(device: Device, folder: Path) -> HeldCamera:
    return HeldCamera(folder, loopbacks=LoopbackDevices(device.camera.sysfs, device.camera.dev))


def frame(value: int, kind: FrameKind = FrameKind.STYLED) -> StyledFrame:
    return StyledFrame(np.full((HEIGHT * 3 // 2, WIDTH), value, np.uint8), 0, now_ns(), kind)


def open_with_slate(camera: HeldCamera) -> None:
    camera.open(WIDTH, HEIGHT, 30.0)
    camera.write(frame(SLATE, FrameKind.SLATE))


def on_air_until_its_holder_ends(device: Device, folder: Path) -> tuple[HeldCamera, int]:
    """A camera, and the process that holds it, which may be ended by force."""
    camera = held(device, folder)
    open_with_slate(camera)
    holder = role_pid(folder, "camera")
    assert holder is not None
    device.may_be_cut = True
    return camera, holder


def test_pictures_arrive_and_the_last_one_stands_though_nobody_writes(device: Device, tmp_path: Path) -> None:
    camera = held(device, tmp_path)
    open_with_slate(camera)
    assert camera.title == "Overpaint Camera" and not camera.standing
    for value in (101, 102, 103):
        camera.write(frame(value))
        device.wait_for(value)
    before = len(device.seen)
    until(lambda: len(device.seen) > before + 10)
    assert set(device.seen[before:]) == {103}
    camera.close()
    assert role_pid(tmp_path, "camera") is None, "nobody holds the device any more"
    until(lambda: device.seen[-1] == SLATE, what="what a reader goes on seeing")


def test_the_slate_follows_when_nobody_writes_for_long(device: Device, tmp_path: Path) -> None:
    camera = held(device, tmp_path)
    open_with_slate(camera)
    camera.write(frame(101))
    device.wait_for(101)
    camera.set_patience(0.3)
    device.wait_for(SLATE)
    camera.write(frame(102))
    device.wait_for(102)
    camera.keep_slate(frame(60).image)
    device.wait_for(60)
    camera.close()


ORIGINAL = 200


def test_an_original_stands_no_longer_than_its_writer(device: Device, tmp_path: Path) -> None:
    """Its writer is killed: nobody is left who could take it away, so the slate takes its place at once."""
    places = (tmp_path, device.camera.sysfs, device.camera.dev, FrameKind.ORIGINAL.name)
    writer = subprocess.Popen([sys.executable, camera_writer.__file__, *places])
    device.wait_for(101)
    began = len(device.seen)
    writer.kill()
    writer.wait()
    device.wait_for(SLATE)
    until(lambda: len(device.seen) > began + 40)
    seen = device.seen[began:]
    raw = seen.count(101)
    assert set(seen[raw:]) == {SLATE} and raw < 10, f"an original stood for {raw} pictures"
    # Nor does the next live process find it there.
    camera = held(device, tmp_path)
    camera.open(WIDTH, HEIGHT, 30.0)
    device.wait_for(SLATE)
    assert 101 not in device.seen[began + raw :]
    camera.close()


def test_an_original_stands_no_longer_than_its_writer_works(device: Device, tmp_path: Path) -> None:
    """A writer that hangs cannot do as its user says: its original is not left standing either."""
    camera = held(device, tmp_path)
    open_with_slate(camera)
    camera.set_patience(60.0)
    camera.write(frame(ORIGINAL, FrameKind.ORIGINAL))
    device.wait_for(ORIGINAL)
    device.wait_for(SLATE)
    camera.write(frame(102))
    device.wait_for(102)
    camera.close()


def test_an_original_without_a_slate_to_follow_it_is_not_shown(device: Device, tmp_path: Path) -> None:
    camera = held(device, tmp_path)
    camera.open(WIDTH, HEIGHT, 30.0)
    camera.write(frame(ORIGINAL, FrameKind.ORIGINAL))
    camera.write(frame(102))
    device.wait_for(102)
    assert ORIGINAL not in device.seen
    camera.close()


def test_a_call_does_not_see_that_the_writer_dies_and_another_comes(device: Device, tmp_path: Path) -> None:
    """The writer is a process of its own, which is killed."""
    places = (tmp_path, device.camera.sysfs, device.camera.dev, FrameKind.STYLED.name)
    writer = subprocess.Popen([sys.executable, camera_writer.__file__, *places])
    device.wait_for(101)
    holder = role_pid(tmp_path, "camera")
    began = len(device.seen)
    writer.kill()
    writer.wait()
    camera = held(device, tmp_path)
    camera.open(WIDTH, HEIGHT, 30.0)
    assert camera.standing and role_pid(tmp_path, "camera") == holder
    device.wait_for(101)
    camera.write(frame(102))
    device.wait_for(102)
    assert set(device.seen[began:]) == {101, 102}, "never the slate, never nothing"
    camera.close()


def test_a_holder_that_dies_is_replaced_within_a_write(device: Device, tmp_path: Path) -> None:
    camera, holder = on_air_until_its_holder_ends(device, tmp_path)
    psutil.Process(holder).kill()
    device.camera.settle("")  # as the driver does when its producer is gone
    until(lambda: not psutil.pid_exists(holder))
    camera.write(frame(101))
    camera.write(frame(101))
    device.wait_for(101)
    assert role_pid(tmp_path, "camera") not in (None, holder)
    camera.close()


def test_a_holder_that_is_busy_when_its_writer_closes_ends_too(device: Device, tmp_path: Path) -> None:
    """It meets the last picture and the request to close at once, and answers the picture first."""
    camera = held(device, tmp_path)
    open_with_slate(camera)
    holder = role_pid(tmp_path, "camera")
    assert holder is not None
    os.kill(holder, signal.SIGSTOP)
    camera.write(frame(SLATE, FrameKind.SLATE))
    awake = threading.Timer(0.3, os.kill, (holder, signal.SIGCONT))
    awake.start()
    camera.close()
    assert role_pid(tmp_path, "camera") is None
    awake.join()


def test_a_holder_that_answers_is_left_alone(device: Device, tmp_path: Path) -> None:
    """For longer than one that does not answer would live."""
    camera, holder = on_air_until_its_holder_ends(device, tmp_path)
    ends = time.monotonic() + (heartbeat.USUAL.idle + 3) * heartbeat.USUAL.period_s
    while time.monotonic() < ends:
        camera.write(frame(101))
        time.sleep(0.02)
    assert role_pid(tmp_path, "camera") == holder
    camera.close()


@pytest.mark.expect_log("hangs")
def test_a_holder_that_hangs_is_ended_and_replaced(device: Device, tmp_path: Path) -> None:
    camera, holder = on_air_until_its_holder_ends(device, tmp_path)
    os.kill(holder, signal.SIGSTOP)
    settled = threading.Thread(
        target=lambda: (until(lambda: not psutil.pid_exists(holder)), device.camera.settle(""))
    )
    settled.start()
    while settled.is_alive():
        camera.write(frame(101))
        time.sleep(0.02)
    camera.write(frame(101))
    camera.write(frame(101))
    device.wait_for(101)
    assert role_pid(tmp_path, "camera") not in (None, holder)
    camera.close()


OTHER_HOLDER = """
import sys, time
from pathlib import Path
from overpaint.processes.channel import ChannelServer
from overpaint.processes.roles import Role
role = Role(Path(sys.argv[1]), "camera")
role.take()
def serve(channel):
    channel.receive()
    if sys.argv[2] == "hangs":  # as a device that never opens makes it
        time.sleep(600)
    channel.send(b"another language")
server = ChannelServer(serve, "camera")
role.announce(server.address, server.secret)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("fault", few_of(["another version", "hangs"], ["another version"]))
def test_a_holder_that_is_of_no_use_is_replaced(
    device: Device, tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_client, "ANSWER_S", 4.0)
    words = [sys.executable, "-c", OTHER_HOLDER, str(tmp_path), fault]
    other = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None and other.stdout.readline() == b"ready\n"
    camera = held(device, tmp_path)
    open_with_slate(camera)
    device.wait_for(SLATE)
    assert role_pid(tmp_path, "camera") != other.pid
    other.communicate()
    camera.close()


@pytest.mark.full
def test_a_holder_makes_room_for_one_of_another_version(device: Device, tmp_path: Path) -> None:
    camera, holder = on_air_until_its_holder_ends(device, tmp_path)
    channel = roles.call(tmp_path, "camera")
    assert channel is not None
    channel.send(b"another language")
    with pytest.raises(LinkError):
        channel.receive(10)
    device.camera.settle("")  # as the driver does when its producer is gone
    until(lambda: not psutil.pid_exists(holder))
    camera.write(frame(101))
    camera.write(frame(101))
    device.wait_for(101)
    camera.close()


def test_a_device_that_goes_away_is_lost_and_then_missing(device: Device, tmp_path: Path) -> None:
    camera = held(device, tmp_path)
    open_with_slate(camera)
    device.wait_for(SLATE)
    device.camera.settle("")  # what its node stands for carries nothing any more
    with pytest.raises(SinkError) as lost:
        for _ in range(1000):
            camera.write(frame(101))
            time.sleep(0.02)
    assert lost.value.kind == "lost"
    (device.camera.entry / "max_openers").unlink()
    again = held(device, tmp_path)
    with pytest.raises(SinkError) as missing:
        again.open(WIDTH, HEIGHT, 30.0)
    assert missing.value.kind == "missing"


def test_no_process_is_started_for_a_device_that_is_not_there(device: Device, tmp_path: Path) -> None:
    (device.camera.entry / "max_openers").unlink()
    with pytest.raises(SinkError, match="no virtual camera") as missing:
        held(device, tmp_path).open(WIDTH, HEIGHT, 30.0)
    assert missing.value.kind == "missing" and role_pid(tmp_path, "camera") is None


def test_two_do_not_feed_one_camera(device: Device, tmp_path: Path) -> None:
    camera = held(device, tmp_path)
    open_with_slate(camera)
    with pytest.raises(SinkError, match="already") as busy:
        held(device, tmp_path).open(WIDTH, HEIGHT, 30.0)
    assert busy.value.kind == "busy"
    camera.write(frame(101))
    device.wait_for(101)
    camera.close()


@pytest.mark.full
def test_another_size_is_another_opening(device: Device, tmp_path: Path) -> None:
    camera = held(device, tmp_path)
    open_with_slate(camera)
    camera.open(WIDTH, HEIGHT, 15.0)
    camera.write(frame(101))
    device.wait_for(101)
    with pytest.raises(SinkError) as odd:
        camera.open(WIDTH + 1, HEIGHT, 30.0)
    assert odd.value.kind == "unsupported"


class Sink:
    """Takes everything."""

    title, written, read, listing = "stand-in", 0, False, CameraListing()

    def __init__(self) -> None:
        self.closed = False

    def open(self, width: int, height: int, fps: float) -> None: ...

    def write(self, frame: StyledFrame) -> None:
        self.written += 1

    def close(self) -> None:
        self.closed = True


def test_a_holder_that_nobody_comes_back_to_shows_the_slate_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overpaint.processes.roles import Role

    monkeypatch.setattr(camera_process, "STAY_S", 0.3)
    sink = Sink()
    holder = camera_process.CameraHolder(lambda device: sink)  # type: ignore[arg-type,return-value]
    role = Role(tmp_path, "camera")
    role.announce(holder.server.address, holder.server.secret)
    feeding = threading.Thread(target=holder.run)
    feeding.start()
    camera = HeldCamera(tmp_path)
    camera.open(WIDTH, HEIGHT, 30.0)
    camera.set_patience(0.1)
    camera.write(frame(101))
    until(lambda: sink.written > 3)
    assert camera._port is not None
    camera._port.close()  # as its death does
    feeding.join(5)
    assert not feeding.is_alive()
    holder.close()
    assert sink.closed
