"""A real live process whose camera device is a pipe, so that a test sees every frame that a call would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from helpers import camera_reader, scripted_machine
from helpers.fake_camera import FakeCamera
from helpers.processes import end_all, role_pid, until
from overpaint.errors import LinkError
from overpaint.processes import roles
from overpaint.processes.channel import Channel
from overpaint.wire.live import AnyIntent, Hello, LiveSnapshot, parse_news


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
        size: Of the camera's frames, as the settings of the data folder have it.
        environment: Of the live process, and of all that it starts.
        read: Whether this process reads the camera; else nobody does, and ``shown`` stays empty.

    Attributes:
        node: The camera's device, as a program in a call opens it.
    """

    def __init__(
        self,
        folder: Path,
        data_folder: Path,
        size: tuple[int, int] = (1920, 1080),
        environment: Mapping[str, str] | None = None,
        *,
        read: bool = True,
    ) -> None:
        self.size = size
        self.data_folder = data_folder
        self.shown: list[Shown] = []
        self.snapshots: deque[LiveSnapshot] = deque(maxlen=64)
        self._folder = folder
        self._device = camera = FakeCamera(folder)
        self.node = camera.node
        self._reader: subprocess.Popen[str] | None = None
        self._halves = 0
        if read:
            camera.node.unlink()
            os.mkfifo(camera.node)
            self._start_reader()
        self.environment = {
            "OVERPAINT_DATA_DIR": str(data_folder),
            **(environment or {}),
            scripted_machine.SYSFS: str(camera.sysfs),
            scripted_machine.DEV: str(camera.dev),
            **camera.environment(),
        }
        self.process = self.start("attend", log="live.log")
        until(lambda: role_pid(data_folder, "live"), what=lambda: f"the live process: {self.log}")
        self.channel = self.connect()

    def start(self, *words: str, log: str) -> subprocess.Popen[bytes]:
        """Starts a process of the program on this scripted machine."""
        with (self._folder / log).open("wb") as said:
            return subprocess.Popen(
                [sys.executable, scripted_machine.__file__, *words, "--data-dir", str(self.data_folder)],
                stdout=said,
                stderr=said,
                env=os.environ | self.environment,
            )

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

    def start_window(self) -> subprocess.Popen[bytes]:
        """The real window beside it; returns when it is connected."""
        until(lambda: self.windows >= 1, what="the test's own connection, and the camera process's")
        before = self.windows
        window = self.start(log="window.log")
        until(lambda: self.windows > before, 60, "the window")
        return window

    @property
    def windows(self) -> int:
        """How many connections the live process has, the test's own included.

        That of the camera process, which watches the live process, is not counted.
        """
        note = roles.read_note(self.data_folder, "live")
        if note is None:
            return 0
        names = [each.laddr for each in psutil.Process(note.pid).net_connections("unix")]
        watcher = roles.read_note(self.data_folder, "camera") is not None
        return names.count(note.address) - 1 - watcher  # one of them is the listener itself

    def writer_died(self) -> None:
        """Does as the driver does when the process that wrote to the device has been killed."""
        assert self._reader is not None and self._reader.stdin is not None
        before = self._halves
        self._reader.stdin.write("\n")
        self._reader.stdin.flush()
        until(lambda: self._halves > before, what="the end of half a frame")
        self._device.settle("")

    def follow(self, former: int) -> None:
        """Waits for the next live process, and connects to it."""
        until(lambda: role_pid(self.data_folder, "live") not in (None, former), 60, "a live process")
        until(lambda: roles.is_announced(self.data_folder, "live"), 60, "its note")
        self.channel = self.connect()

    def wait(self, condition: Callable[[LiveSnapshot], object], seconds: float = 30.0) -> LiveSnapshot:
        """Waits for a snapshot."""
        until(lambda: self.snapshots and condition(self.snapshots[-1]), seconds, self._words)
        return self.snapshots[-1]

    def wait_for_frames(self, count: int, seconds: float = 30.0) -> None:
        """Waits until so many more stamped frames reached the camera."""
        since = len(self.shown)
        until(
            lambda: sum(frame.number is not None for frame in self.shown[since:]) >= count,
            seconds,
            self._words,
        )

    def close(self) -> None:
        """Ends every process of it."""
        self.channel.close()
        end_all(self.data_folder, [self.process])
        if self._reader is not None:
            self._reader.kill()
            self._hearing.join(5)
            self._reader.communicate()

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

    def _start_reader(self) -> None:
        width, height = map(str, self.size)
        self._reader = subprocess.Popen(
            [sys.executable, camera_reader.__file__, str(self.node), width, height],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._reader.stdout is not None and json.loads(self._reader.stdout.readline()) == "ready"
        self._hearing = threading.Thread(target=self._hear, args=(self._reader.stdout,), daemon=True)
        self._hearing.start()

    def _hear(self, lines: IO[str]) -> None:
        for line in lines:
            seen = json.loads(line)
            if seen == "half":
                self._halves += 1
            else:
                self.shown.append(Shown(*seen))
