"""The camera in PipeWire, over a real daemon: what its readers get, whatever becomes of whom.

``make test-pipewire`` runs this in systems with an old and a new PipeWire, with programs that are not ours.
"""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from helpers import camera_writer, pipewire_session
from helpers.chooser import Chooser
from helpers.fake_camera import FakeCamera
from helpers.pipewire_reader import PipeWireReader
from helpers.pipewire_session import PipeWireSession
from helpers.processes import end_all, role_pid, until
from overpaint.errors import SinkError
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.virtual_camera.camera_client import HeldCamera
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink, camera_report
from overpaint.media.virtual_camera.pipewire.layouts import LayoutName
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices
from overpaint.session.output.camera_stage import CameraStage

pytestmark = pytest.mark.skipif(
    not pipewire_session.is_installed(), reason="PipeWire's programs are not here"
)

WIDTH, HEIGHT = 320, 180
SIZE = (WIDTH, HEIGHT)
SLATE, ORIGINAL = 50, 200
FULL = np.random.default_rng(0).integers(0, 256, (1620, 1920), np.uint8)


@pytest.fixture(scope="module")
def shared() -> Iterator[PipeWireSession]:
    with pytest.MonkeyPatch.context() as patch:
        session = PipeWireSession(patch)
        session.start()
        yield session
        session.close()


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Iterator[PipeWireSession]:
    """One that a test may stop."""
    session = PipeWireSession(monkeypatch)
    yield session
    session.close()


def picture(value: int) -> NDArray[np.uint8]:
    return np.full((HEIGHT * 3 // 2, WIDTH), value, np.uint8)


def frame(image: NDArray[np.uint8], kind: FrameKind = FrameKind.STYLED) -> StyledFrame:
    return StyledFrame(image, 0, now_ns(), kind)


class Feeder:
    """A camera in PipeWire alone that shows a picture, again and again, as its process does."""

    def __init__(self, image: NDArray[np.uint8], period_s: float = 1 / 30) -> None:
        self.image = image
        self.sink = VirtualCameraSink("pipewire")
        self.sink.open(image.shape[1], image.shape[0] * 2 // 3, 30)
        self._period_s = period_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feeder")
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(self._period_s):
            self.sink.write(frame(self.image))

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        self.sink.close()


@contextmanager
def feeding(image: NDArray[np.uint8], period_s: float = 1 / 30) -> Iterator[Feeder]:
    feeder = Feeder(image, period_s)
    try:
        yield feeder
    finally:
        feeder.close()


def test_a_reader_gets_every_byte_of_every_picture_in_order(shared: PipeWireSession) -> None:
    with feeding(FULL) as feeder, PipeWireReader() as reader:
        taken = reader.wait_for(20)
        assert all(np.array_equal(each.data, FULL.reshape(-1)) for each in taken[-5:])
        numbers = [each.number for each in taken]
        assert numbers == list(range(numbers[0], numbers[0] + len(taken))), "none is lost"
        assert all(later.pts > former.pts for former, later in itertools.pairwise(taken))
        assert feeder.sink.read
    report = camera_report("pipewire")
    assert (report.chosen, report.problem, report.pipewire) == ("Overpaint Camera", None, True)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
@pytest.mark.parametrize("name", ["NV12", "YUY2"])
def test_a_reader_gets_the_layout_and_size_that_it_wants(
    shared: PipeWireSession, name: LayoutName, size: tuple[int, int]
) -> None:
    grey = np.full((1620, 1920), 128, np.uint8)
    grey[:1080] = 90
    with feeding(grey), PipeWireReader(name, size, fps=60) as reader:
        data = reader.wait_for(3)[-1].data
        assert reader.layout is not None and reader.layout.fps == 60
    luma = data[0::2] if name == "YUY2" else data[: size[0] * size[1]]
    chroma = data[1::2] if name == "YUY2" else data[size[0] * size[1] :]
    assert data.size == size[0] * size[1] * (4 if name == "YUY2" else 3) // 2
    assert set(luma) == {90} and set(chroma) == {128}


def test_a_slow_reader_is_given_no_more_pictures_than_it_asked_for(shared: PipeWireSession) -> None:
    with feeding(picture(101), period_s=0.005), PipeWireReader(size=SIZE, fps=10) as reader:
        times = [each.pts for each in reader.wait_for(6)]
    assert min(np.diff(times)) > 0.09e9


def test_readers_come_and_go_and_none_disturbs_another(shared: PipeWireSession) -> None:
    with feeding(picture(101)) as feeder:
        with PipeWireReader(size=SIZE) as first:
            first.wait_for(3)
            with PipeWireReader(size=SIZE) as second:
                assert set(second.newest()) == {101}
                first.newest()
            count = len(first.taken)
            first.wait_for(count + 5)
        until(lambda: not feeder.sink.read, what="nobody reads")
        feeder.image = picture(102)
        time.sleep(0.2)
        with PipeWireReader(size=SIZE) as third:
            taken = third.wait_for(3)
    assert {value for each in taken for value in each.data} == {102}, "no picture from before it came"


def test_a_reader_that_hangs_keeps_no_other_from_its_pictures(shared: PipeWireSession) -> None:
    with feeding(picture(101)):
        script = "import time; from helpers.pipewire_reader import *; r = PipeWireReader(size=(320, 180))"
        words = f"{script}; r.wait_for(3); print('reads', flush=True); time.sleep(60)"
        command = [
            sys.executable,
            "-c",
            f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); {words}",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stuck:
            assert stuck.stdout is not None and stuck.stdout.readline() == "reads\n"
            stuck.send_signal(signal.SIGSTOP)
            time.sleep(0.5)
            with PipeWireReader(size=SIZE) as reader:
                taken = reader.wait_for(20)
            stuck.kill()
    assert max(each.seconds - each.pts / 1e9 for each in taken) < 1.0


def no_loopback(folder: Path) -> LoopbackDevices:
    return LoopbackDevices(folder / "sys", folder / "dev")


def test_without_a_driver_the_camera_is_in_pipewire_by_itself(
    shared: PipeWireSession, tmp_path: Path
) -> None:
    """And its process shows the slate once the live process, which is killed, can show nothing else."""
    places = (tmp_path, tmp_path / "sys", tmp_path / "dev", FrameKind.ORIGINAL.name)
    writer = subprocess.Popen([sys.executable, camera_writer.__file__, *places])
    try:
        until(lambda: role_pid(tmp_path, "camera") is not None, 30)
        with PipeWireReader(size=SIZE) as reader:
            until(lambda: reader.taken and 101 in reader.taken[-1].data, 30)
            writer.kill()
            writer.wait()
            until(
                lambda: SLATE in reader.taken[-1].data,
                5,
                "the slate, for nobody could take the original away",
            )
            reader.wait_for(len(reader.taken) + 5)
            assert set(reader.newest()) == {SLATE}
            camera = HeldCamera(tmp_path, loopbacks=no_loopback(tmp_path))
            camera.open(WIDTH, HEIGHT, 30.0)
            readers = camera.watch_readers(lambda: None)
            camera.write(frame(picture(102)))
            until(lambda: set(reader.newest()) == {102}, what="the next live process goes on")
            assert readers is not None
            until(lambda: readers.read, what="that somebody reads is told")
            assert camera.listing.pipewire and not camera.listing.path
            assert camera.listing.lacking is not None and camera.listing.lacking.kind == "missing"
        until(lambda: not readers.read, what="that nobody reads any more is told")
        readers.close()
        camera.close()
    finally:
        writer.kill()
        end_all(tmp_path, [writer])


def test_the_camera_is_back_after_a_restart_of_pipewire(own: PipeWireSession, tmp_path: Path) -> None:
    """By the stage of the live process and the camera process, and nothing but these."""
    user = Chooser(picture(SLATE))
    stage = CameraStage(
        lambda: HeldCamera(tmp_path, loopbacks=no_loopback(tmp_path)), user.standing, lambda: None
    )
    own.start()
    stage.start()
    try:
        user.choose(stage, on_air=True)
        until(lambda: stage.state == "slate", 30, lambda: f"{stage.state} {stage.trouble}")
        user.give(frame(picture(101)), stage)
        with PipeWireReader(size=SIZE) as reader:
            until(lambda: set(reader.newest()) == {101})
        own.stop(signal.SIGKILL)
        until(lambda: stage.trouble is not None, 10)
        assert stage.trouble is not None and stage.trouble.kind in ("lost", "missing")
        own.start()
        until(lambda: stage.trouble is None, 20, lambda: str(stage.trouble))
        with PipeWireReader(size=SIZE) as reader:
            until(lambda: set(reader.newest()) == {101}, what="the standing picture")
    finally:
        stage.stop()
        end_all(tmp_path)


def test_without_a_daemon_one_sentence_says_so(own: PipeWireSession) -> None:
    sink = VirtualCameraSink("pipewire")
    with pytest.raises(SinkError, match="PipeWire is not running") as refusal:
        sink.open(WIDTH, HEIGHT, 30)
    assert refusal.value.kind == "missing" and "systemctl --user start pipewire" in refusal.value.mend
    sink.close()


def test_a_daemon_that_hangs_is_told_too(own: PipeWireSession) -> None:
    own.start()
    own.signal_daemon(signal.SIGSTOP)
    try:
        with pytest.raises(SinkError, match="PipeWire does not answer"):
            VirtualCameraSink("pipewire").open(WIDTH, HEIGHT, 30)
    finally:
        own.signal_daemon(signal.SIGCONT)


BOTH = """
import time
sink = VirtualCameraSink(loopbacks=devices)
def work():
    sink.open(320, 180, 30)
    ends = time.monotonic() + 20
    before = sink.listing
    APPEAR
    while not sink.listing.path and time.monotonic() < ends:
        sink.write(StyledFrame(picture(0, 320, 180), 0, 0, FrameKind.STYLED))
        time.sleep(0.05)
    sink.write(StyledFrame(picture(0, 320, 180), 0, 0, FrameKind.STYLED))
    say(before=before.path, path=sink.listing.path, pipewire=sink.listing.pipewire,
        lacking=sink.listing.lacking is not None)
    sink.close()
attempt(work)
"""


def test_device_and_pipewire_have_the_camera_side_by_side(shared: PipeWireSession, tmp_path: Path) -> None:
    camera = FakeCamera(tmp_path)
    node = str(camera.node)
    said = camera.run(BOTH.replace("APPEAR", "pass"))
    assert said == {"before": node, "path": node, "pipewire": True, "lacking": False}
    assert camera.node.stat().st_size > 0


def test_a_device_that_comes_later_is_fed_too(shared: PipeWireSession, tmp_path: Path) -> None:
    camera = FakeCamera(tmp_path)
    away = camera.entry.rename(tmp_path / "away")
    said = camera.run(BOTH.replace("APPEAR", f"os.rename({str(away)!r}, {str(camera.entry)!r})"))
    assert said == {"before": "", "path": str(camera.node), "pipewire": True, "lacking": False}
    assert camera.node.stat().st_size > 0
