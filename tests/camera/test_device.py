"""Inside the virtual machine: a real v4l2loopback device and a real V4L2 camera, read by programs not ours.

Run by ``make test-camera``. The machine emulates its processor and is slow: contents are asserted,
rates only reported.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import pyvirtualcam  # noqa: F401  (loaded now, because a test goes without the rights to read it)
from numpy.typing import NDArray

from helpers.qt_main import Taker, beside_main_thread
from overpaint.errors import SinkError, SourceError
from overpaint.media import pictures
from overpaint.media.frames import StyledFrame
from overpaint.media.sinks.v4l2 import LoopbackDevices, SettledFormat
from overpaint.media.sinks.virtual_camera import VirtualCameraSink, camera_report
from overpaint.media.sources.camera import CameraSource, list_cameras
from overpaint.media.sources.qt_loop import MainThread

pytestmark = pytest.mark.skipif("OVERPAINT_CAMERA_MACHINE" not in os.environ, reason="run make test-camera")

MODULES = Path("/mnt/modules")
DEVICE = "/dev/video10"
WIDTH, HEIGHT = 1920, 1080
FRAME_BYTES = WIDTH * HEIGHT * 3 // 2
SLATE = 60_000
BLOCK = 64

Picture = NDArray[np.uint8]


# ---- the machine's devices --------------------------------------------------------------------------


@contextmanager
def loopbacks(*arguments: str) -> Iterator[None]:
    subprocess.run(["insmod", MODULES / "v4l2loopback.ko", *arguments], check=True)
    try:
        yield
    finally:
        subprocess.run(["rmmod", "v4l2loopback"], check=True)


@pytest.fixture
def loopback() -> Iterator[None]:
    """The device as the user is told to make it."""
    with loopbacks("video_nr=10", "exclusive_caps=1", 'card_label="Overpaint Camera"'):
        yield


@pytest.fixture(scope="module")
def camera_modules() -> None:
    for name in (MODULES / "camera").read_text().split():
        if name != "vivid.ko":
            subprocess.run(["insmod", MODULES / name], check=True)


@pytest.fixture
def webcam(camera_modules: None) -> Iterator[str]:
    """A real V4L2 camera with a test pattern; its node."""
    subprocess.run(["insmod", MODULES / "vivid.ko"], check=True)
    listing = output_of("v4l2-ctl", "--list-devices")
    lines = listing[listing.index("vivid") :].splitlines()
    yield lines[1].strip()
    subprocess.run(["rmmod", "vivid"], check=True)


# ---- pictures that say which they are ---------------------------------------------------------------


@cache
def texture() -> Picture:
    return np.random.default_rng(1).integers(16, 236, (HEIGHT * 3 // 2, WIDTH), np.uint8)


def numbered(number: int) -> Picture:
    """A picture of fine detail with its number in sixteen blocks, so that one wrong byte shows."""
    image = texture().copy()
    for bit in range(16):
        image[:BLOCK, bit * BLOCK : (bit + 1) * BLOCK] = 224 if number >> bit & 1 else 32
    return image


def number_of(image: Picture) -> int:
    """The picture's number; fails when any byte of the picture is not as it was written."""
    middle = image[BLOCK // 2, BLOCK // 2 : 16 * BLOCK : BLOCK]
    number = sum(1 << bit for bit in range(16) if middle[bit] > 128)
    assert np.array_equal(image, numbered(number)), f"picture {number} arrived damaged"
    return number


class Feeder:
    """Writes numbered pictures to a sink from a thread of its own until it is left."""

    def __init__(self, sink: VirtualCameraSink) -> None:
        self._sink = sink
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.error: SinkError | None = None

    def __enter__(self) -> Feeder:
        self._sink.open(WIDTH, HEIGHT, 30)
        self._sink.write(StyledFrame(numbered(SLATE), 0, 0))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._sink.close()
        assert self.error is None

    def _run(self) -> None:
        number = 0
        while not self._end.wait(1 / 30):
            number = (number + 1) % SLATE
            try:
                self._sink.write(StyledFrame(numbered(number), number, 0))
            except SinkError as error:
                self.error = error
                return


# ---- the programs that read ---------------------------------------------------------------------------


def output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout


def read_by_ffmpeg(count: int, folder: Path) -> list[Picture]:
    target = folder / "ffmpeg.yuv"
    output_of("ffmpeg", "-y", "-v", "error", "-f", "v4l2", "-i", DEVICE, "-frames:v", str(count),
              "-fps_mode", "passthrough", "-f", "rawvideo", str(target))  # fmt: skip
    return frames_in(target)


def read_by_v4l2_ctl(count: int, folder: Path) -> list[Picture]:
    target = folder / "v4l2-ctl.yuv"
    output_of("v4l2-ctl", "-d", DEVICE, "--stream-mmap", f"--stream-count={count}", f"--stream-to={target}")
    return frames_in(target)


def frames_in(file: Path) -> list[Picture]:
    data = np.fromfile(file, np.uint8)
    assert data.size % FRAME_BYTES == 0
    return list(data.reshape(-1, HEIGHT * 3 // 2, WIDTH))


def offers() -> set[str]:
    """What the device offers now: video capture, video output, both or neither."""
    text = output_of("v4l2-ctl", "-d", DEVICE, "-D").partition("Device Caps")[2]
    return {words for words in ("Video Capture", "Video Output") if words in text}


def watch(node: str, count: int = 0, target: str = "/dev/null") -> subprocess.Popen[bytes]:
    """A program that watches a camera: for so many pictures, or until it is killed."""
    return subprocess.Popen(
        ["v4l2-ctl", "-d", node, "--stream-mmap", f"--stream-count={count}", f"--stream-to={target}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def fed_by_another_program(picture: str) -> Iterator[None]:
    """FFmpeg as another producer of the device."""
    producer = subprocess.Popen(
        f"ffmpeg -v error -re -f lavfi -i {picture} -pix_fmt yuv420p -f v4l2 {DEVICE}".split()
    )
    try:
        wait_for(lambda: LoopbackDevices().settled(DEVICE) is not None)
        yield
    finally:
        producer.terminate()
        producer.wait()


# ---- the virtual camera -------------------------------------------------------------------------------


def test_the_report_names_the_device_before_it_is_used(loopback: None) -> None:
    report = camera_report()
    assert (report.chosen, report.path, report.problem, report.advice) == (
        "Overpaint Camera",
        DEVICE,
        None,
        "",
    )


def test_ffmpeg_reads_every_pixel(loopback: None, tmp_path: Path) -> None:
    with Feeder(VirtualCameraSink()):
        probed = json.loads(
            output_of("ffprobe", "-v", "error", "-of", "json", "-show_streams", "-f", "v4l2", DEVICE)
        )
        began = time.monotonic()
        numbers = [number_of(frame) for frame in read_by_ffmpeg(12, tmp_path)]
        seconds = time.monotonic() - began
    stream = probed["streams"][0]
    assert (stream["width"], stream["height"], stream["pix_fmt"]) == (WIDTH, HEIGHT, "yuv420p")
    assert numbers == sorted(numbers) and len(set(numbers)) >= 6
    print(f"ffmpeg read {len(numbers)} pictures, {len(set(numbers))} distinct, in {seconds:.1f} s: {numbers}")


def test_v4l2_ctl_reads_every_pixel_and_lists_a_camera(loopback: None, tmp_path: Path) -> None:
    with Feeder(VirtualCameraSink()) as _:
        details = output_of("v4l2-ctl", "-d", DEVICE, "-D", "--get-fmt-video")
        numbers = [number_of(frame) for frame in read_by_v4l2_ctl(12, tmp_path)]
        assert offers() == {"Video Capture"}
    assert "Card type        : Overpaint Camera" in details
    assert "Width/Height      : 1920/1080" in details and "'YU12'" in details
    assert len(set(numbers)) >= 6
    print(f"v4l2-ctl read {len(set(numbers))} distinct pictures of {len(numbers)}")


def test_the_first_frame_alone_makes_it_a_camera(loopback: None) -> None:
    sink = VirtualCameraSink()
    assert offers() == {"Video Output"}
    sink.open(WIDTH, HEIGHT, 30)
    sink.write(StyledFrame(numbered(SLATE), 0, 0))
    assert offers() == {"Video Capture"}
    sink.close()


def test_programs_that_watch_come_and_go(loopback: None, tmp_path: Path) -> None:
    sink = VirtualCameraSink()
    with Feeder(sink):
        for _ in range(5):
            assert [number_of(frame) for frame in read_by_v4l2_ctl(2, tmp_path)]
        watcher = watch(DEVICE)
        assert [number_of(frame) for frame in read_by_ffmpeg(3, tmp_path)]
        watcher.kill()  # as a program that crashes
        watcher.wait()
        before = sink.written
        assert [number_of(frame) for frame in read_by_v4l2_ctl(2, tmp_path)]
        assert sink.written > before


def test_a_hundred_times_closed_and_opened_with_the_slate_first(loopback: None, tmp_path: Path) -> None:
    sink = VirtualCameraSink()
    for cycle in range(100):
        sink.open(WIDTH, HEIGHT, 30)
        sink.write(StyledFrame(numbered(SLATE), 0, 0))
        assert LoopbackDevices().settled(DEVICE) == SettledFormat("YU12", WIDTH, HEIGHT)
        assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) == SLATE
        for number in (cycle * 2, cycle * 2 + 1):
            sink.write(StyledFrame(numbered(number), number, 0))
        assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) == cycle * 2 + 1
        sink.close()


def test_a_hundred_times_slate_and_picture_on_an_open_camera(loopback: None, tmp_path: Path) -> None:
    """Stop and start of a session: the device stays open, and a watcher sees one stream all the while."""
    sink = VirtualCameraSink()
    sink.open(WIDTH, HEIGHT, 30)
    sink.write(StyledFrame(numbered(SLATE), 0, 0))
    target = tmp_path / "watched.yuv"
    watcher = watch(DEVICE, 150, str(target))
    for cycle in range(100):
        for number in (SLATE, cycle):
            sink.write(StyledFrame(numbered(number), number, 0))
            time.sleep(0.02)
    deadline = time.monotonic() + 120
    while watcher.poll() is None:  # a slow watcher still gets its 150
        assert time.monotonic() < deadline
        sink.write(StyledFrame(numbered(SLATE), SLATE, 0))
        time.sleep(0.02)
    sink.close()
    numbers = [number_of(frame) for frame in frames_in(target)]
    assert len(numbers) == 150 and SLATE in numbers
    assert len([number for number in set(numbers) if number < 100]) >= 20


def test_a_watcher_survives_that_the_camera_is_closed_and_opened(loopback: None, tmp_path: Path) -> None:
    sink, target = VirtualCameraSink(), tmp_path / "watched.yuv"
    with Feeder(sink):
        watcher = watch(DEVICE, 40, str(target))
        wait_for(lambda: target.exists() and target.stat().st_size > FRAME_BYTES)
    with Feeder(sink):
        assert watcher.wait(120) == 0
    assert all(number_of(frame) >= 0 for frame in frames_in(target))


def test_the_drivers_reopen_defect_is_there_and_mended(loopback: None, tmp_path: Path) -> None:
    sink = VirtualCameraSink()
    sink.open(WIDTH, HEIGHT, 30)
    sink.write(StyledFrame(numbered(1), 1, 0))
    sink.close()
    assert offers() == set(), "this driver has no such defect: the mend can go"
    assert [device.state for device in LoopbackDevices().all()] == ["stuck"]
    sink.open(WIDTH, HEIGHT, 30)
    sink.write(StyledFrame(numbered(2), 2, 0))
    assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) == 2
    sink.close()


@pytest.mark.parametrize("size", ["640x360", "1920x1080"])
def test_a_camera_that_another_program_feeds_is_not_taken(loopback: None, size: str) -> None:
    words = "Another program is using the virtual camera Overpaint Camera"
    picture = f"testsrc=size={size}:rate=10"
    with fed_by_another_program(picture), pytest.raises(SinkError, match=words) as refusal:
        VirtualCameraSink().open(WIDTH, HEIGHT, 30)
    assert refusal.value.kind == "busy"


def test_a_device_without_exclusive_caps_works_and_is_warned_about(tmp_path: Path) -> None:
    with loopbacks("video_nr=10", 'card_label="Overpaint Camera"'):
        assert "Chrome" in camera_report().advice
        with Feeder(VirtualCameraSink()):
            assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) >= 0
            with pytest.raises(SinkError) as refusal:
                VirtualCameraSink().open(1280, 720, 30)
            assert refusal.value.kind == "busy"


def test_overpaints_own_device_is_taken_though_another_comes_first(tmp_path: Path) -> None:
    with loopbacks(
        "devices=2", "video_nr=8,10", "exclusive_caps=1,1", 'card_label="OBS Virtual Camera,Overpaint Camera"'
    ):
        sink = VirtualCameraSink()
        with Feeder(sink):
            assert sink.title == "Overpaint Camera"
            assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) >= 0


def test_without_permission_the_group_is_named(loopback: None) -> None:
    os.seteuid(65534)
    try:
        with pytest.raises(SinkError, match="You may not use") as refusal:
            VirtualCameraSink().open(WIDTH, HEIGHT, 30)
    finally:
        os.seteuid(0)
    assert refusal.value.kind == "denied" and "video" in refusal.value.mend


def test_without_the_driver_the_sentence_says_so() -> None:
    with pytest.raises(SinkError, match="driver is not loaded") as refusal:
        VirtualCameraSink().open(WIDTH, HEIGHT, 30)
    assert refusal.value.kind == "missing"


# ---- a camera as a source ------------------------------------------------------------------------------

# Red, green and blue of the eight bars that V4L2's test pattern shows, left to right (75 %, so at most 191).
BARS = [
    (191, 191, 191),
    (191, 191, 0),
    (0, 191, 191),
    (0, 191, 0),
    (191, 0, 191),
    (191, 0, 0),
    (0, 0, 191),
    (0, 0, 0),
]


def test_a_real_cameras_picture_arrives_in_full_hd(webcam: str, loopback: None) -> None:
    def work(main: MainThread) -> None:
        assert list_cameras(main)[0].title.startswith("vivid")
        source, taker = CameraSource(0, main), Taker()
        source.start(WIDTH, HEIGHT, taker)
        assert taker.wait_for(lambda t: len(t.frames) >= 10, 120)
        source.stop()
        count = len(taker.frames)
        frame = taker.frames[-1]
        assert (frame.width, frame.height) == (WIDTH, HEIGHT)
        row = pictures.to_bgr(frame.image)[800]
        for bar, wanted in enumerate(BARS):
            colour = row[bar * 240 + 120][::-1].astype(int)
            assert np.abs(colour - wanted).max() < 30, f"bar {bar}: {colour} instead of {wanted}"
        assert [each.number for each in taker.frames] == list(range(count))
        assert not np.array_equal(taker.frames[0].image, frame.image), "the picture's clock does not go on"
        print(f"{source.title}: {count} pictures, nominally {source.fps:.0f} fps")
        seconds = (frame.captured_ns - taker.frames[0].captured_ns) / 1e9
        print(f"{(count - 1) / seconds:.1f} a second in this machine")

    beside_main_thread(work)


def test_our_own_camera_is_not_offered_as_a_source(webcam: str, loopback: None) -> None:
    def work(main: MainThread) -> None:
        titles = [camera.title for camera in list_cameras(main)]
        assert titles and not any("Overpaint" in title for title in titles)

    with Feeder(VirtualCameraSink()):
        beside_main_thread(work)


def test_another_programs_virtual_camera_is_offered_and_read() -> None:
    def work(main: MainThread) -> None:
        assert [camera.title for camera in list_cameras(main)] == ["Dummy"]
        source, taker = CameraSource(0, main), Taker()
        source.start(WIDTH, HEIGHT, taker)
        assert taker.wait_for(lambda t: len(t.frames) >= 3, 120)
        source.stop()

    device = loopbacks("video_nr=10", "exclusive_caps=1", "card_label=Dummy")
    with device, fed_by_another_program("testsrc=size=640x360:rate=15"):
        beside_main_thread(work)


def test_a_camera_in_use_is_called_busy(webcam: str) -> None:
    def work(main: MainThread) -> None:
        with pytest.raises(SourceError, match="Another program is using") as refusal:
            CameraSource(0, main).start(WIDTH, HEIGHT, Taker())
        assert refusal.value.kind == "busy"

    other = watch(webcam)
    time.sleep(3)
    try:
        beside_main_thread(work)
    finally:
        other.kill()
        other.wait()


@pytest.mark.qt_log_ignore("Couldn't add V4L2 buffer")
def test_a_camera_that_is_unplugged_is_lost_and_comes_back(webcam: str) -> None:
    driver = Path("/sys/bus/platform/drivers/vivid")

    def work(main: MainThread) -> None:
        source, taker = CameraSource(0, main), Taker()
        source.start(WIDTH, HEIGHT, taker)
        assert taker.wait_for(lambda t: len(t.frames) >= 3, 120)
        (driver / "unbind").write_text("vivid.0")
        assert taker.wait_for(lambda t: bool(t.errors), 60)
        source.stop()
        assert [error.kind for error in taker.errors] == ["lost"]
        assert "unplugged" in str(taker.errors[0])
        (driver / "bind").write_text("vivid.0")
        again = Taker()
        wait_for(lambda: bool(list_cameras(main)))
        source.start(WIDTH, HEIGHT, again)
        assert again.wait_for(lambda t: len(t.frames) >= 3, 120)
        source.stop()

    beside_main_thread(work)


def wait_for(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
