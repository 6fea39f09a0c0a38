"""The virtual machine's devices, pictures that say which they are, and the programs that read them."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import SinkError
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices

MODULES = Path("/mnt/modules")
DEVICE = "/dev/video10"
WIDTH, HEIGHT = 1920, 1080
FRAME_BYTES = WIDTH * HEIGHT * 3 // 2
SLATE = 60_000
BLOCK = 64

Picture = NDArray[np.uint8]


@contextmanager
def loopbacks(*arguments: str) -> Iterator[None]:
    subprocess.run(["insmod", MODULES / "v4l2loopback.ko", *arguments], check=True)
    try:
        yield
    finally:
        subprocess.run(["rmmod", "v4l2loopback"], check=True)


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
        self._sink.write(StyledFrame(numbered(SLATE), 0, 0, FrameKind.STYLED))
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
                self._sink.write(StyledFrame(numbered(number), number, 0, FrameKind.STYLED))
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


def wait_for(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
