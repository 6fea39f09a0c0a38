"""A real live process whose camera device is a pipe, so that a test sees every frame that a call would."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from helpers.fake_camera import FakeCamera
from helpers.processes import end_all, role_pid, until
from helpers.stamps import read
from overpaint.errors import LinkError
from overpaint.processes import roles
from overpaint.processes.channel import Channel
from overpaint.session.slate import slate
from overpaint.wire.live import AnyIntent, Hello, LiveSnapshot, parse_news

FRAME_BYTES = 1920 * 1080 * 3 // 2

LIVE = """
import sys
from functools import partial
from pathlib import Path
import overpaint.app as app
from overpaint.media.sinks.v4l2 import LoopbackDevices
from overpaint.media.sinks.virtual_camera import VirtualCameraSink
devices = LoopbackDevices(Path(sys.argv[1]), Path(sys.argv[2]))
app.VirtualCameraSink = partial(VirtualCameraSink, loopbacks=devices)
from overpaint.cli import run
sys.argv = ["overpaint", *sys.argv[3:]]
sys.exit(run(sys.argv[1:]))
"""


@dataclass(frozen=True)
class Shown:
    """One frame that reached the camera.

    Attributes:
        at: ``time.monotonic`` of its arrival.
        number: Its stamp; None when it cannot be read (no stamp, or torn).
        slate: Whether it is the slate.
        colour: Largest distance of its chroma from grey: black and white has none, the raw clip has.
        black: Whether it is black all over.
    """

    at: float
    number: int | None
    slate: bool
    colour: int
    black: bool


class LiveCamera:
    """A live process, its camera, and one connection as a window has it.

    Args:
        folder: For the device and the log.
        data_folder: The data folder.
    """

    def __init__(self, folder: Path, data_folder: Path) -> None:
        self.data_folder = data_folder
        self.shown: list[Shown] = []
        self.snapshots: list[LiveSnapshot] = []
        self._folder = folder
        self._slate = slate(1920, 1080).reshape(-1)[::997].copy()
        camera = FakeCamera(folder)
        camera.node.unlink()
        os.mkfifo(camera.node)
        self._pipe = os.open(camera.node, os.O_RDWR)
        self._ended = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        with (folder / "live.log").open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-c", LIVE, str(camera.sysfs), str(camera.dev)),
                    *("attend", "--data-dir", str(data_folder)),
                ],
                stdout=log,
                stderr=log,
                env=os.environ | {"OVERPAINT_DATA_DIR": str(data_folder)} | camera.environment(),
            )
        until(lambda: role_pid(data_folder, "live"), what="the live process")
        self.channel = self.connect()

    def connect(self) -> Channel:
        """A new connection as a window makes it; its snapshots join ``snapshots``."""
        channel = roles.call(self.data_folder, "live")
        assert channel is not None
        channel.send(Hello(role="window").model_dump_json().encode())
        threading.Thread(target=self._listen, args=(channel,), daemon=True).start()
        return channel

    def intend(self, *intents: AnyIntent) -> None:
        """Says what the user wants."""
        for intent in intents:
            self.channel.send(intent.model_dump_json().encode())

    def wait(self, condition: Callable[[LiveSnapshot], object], seconds: float = 30.0) -> LiveSnapshot:
        """Waits for a snapshot."""
        until(lambda: self.snapshots and condition(self.snapshots[-1]), seconds, self._words)
        return self.snapshots[-1]

    def wait_for_frames(self, count: int, seconds: float = 30.0) -> None:
        """Waits until so many more stamped frames reached the camera."""
        before = sum(frame.number is not None for frame in self.shown)
        until(
            lambda: sum(frame.number is not None for frame in self.shown) >= before + count,
            seconds,
            self._words,
        )

    def close(self) -> None:
        """Ends every process of it."""
        self.channel.close()
        end_all(self.data_folder, [self.process])
        self._ended.set()
        os.write(self._pipe, b"\0" * 65536)
        self._reader.join(5)
        os.close(self._pipe)

    @property
    def log(self) -> str:
        """What the live process said."""
        return (self._folder / "live.log").read_text("utf-8", "replace")

    def _words(self) -> str:
        last = self.snapshots[-1] if self.snapshots else None
        return f"{last}\n{self.log}"

    def _listen(self, channel: Channel) -> None:
        try:
            while (message := channel.receive()) is not None:
                news = parse_news(message)
                if isinstance(news, LiveSnapshot):
                    self.snapshots.append(news)
        except LinkError:
            pass

    def _read(self) -> None:
        buffer = bytearray(FRAME_BYTES)
        view = memoryview(buffer)
        while True:
            filled = 0
            while filled < FRAME_BYTES:
                filled += os.readv(self._pipe, [view[filled:]])
                if self._ended.is_set():
                    return
            self.shown.append(self._seen(np.frombuffer(buffer, np.uint8)))

    def _seen(self, flat: np.ndarray) -> Shown:
        luma = flat[: 1920 * 1080].reshape(1080, 1920)
        chroma = flat[1920 * 1080 :: 97].astype(int)
        is_slate = bool((flat[::997] == self._slate).all())
        number = None if is_slate else read(luma)
        black = int(luma[::17, ::17].max()) <= 20
        return Shown(time.monotonic(), number, is_slate, int(np.abs(chroma - 128).max()), black)
