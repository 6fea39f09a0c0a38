"""The client of the camera process, which holds the virtual camera's device (``camera_process``).

With it the device is never closed or without pictures: while the live process is stopped, or dead until its
successor runs, the camera process shows the last picture. A camera process that dies is replaced within one
``write``; one that hangs is killed by its watchdog. Must not know sessions, slates or rates.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil

from overpaint.errors import LinkError, ProcessError, SinkError
from overpaint.media.frames import FrameKind, Picture, StyledFrame
from overpaint.media.links.frame_ring import RingPort
from overpaint.media.virtual_camera.camera_readers import CameraReaders
from overpaint.media.virtual_camera.camera_sink import camera_report
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices
from overpaint.processes import roles
from overpaint.processes.channel import Channel
from overpaint.processes.command_lines import start_camera
from overpaint.processes.supervision.heartbeat import PING, PONG, Watchdog, end_by_force
from overpaint.wire.camera import (
    CameraListing,
    CameraNews,
    CameraOpened,
    CameraRefused,
    CloseCamera,
    OpenCamera,
    SetPatience,
    parse_answer,
)
from overpaint.wire.messages import LiveMessage

log = logging.getLogger(__name__)

ROLE = "camera"
START_S, ANSWER_S = 10.0, 10.0
"""Time limits for the start of a holder, and for opening a device."""
END_S = 2.0
"""Time limit for a holder to end on request."""
FREE_S, LOOK_AGAIN_S = 1.0, 0.02
"""Time limit for the system to free the device of a dead holder, and the interval of checks."""


class HeldCamera:
    """A ``Sink`` whose device is held by the camera process.

    Args:
        folder: The data folder, which has one holder.
        device: Node or title of the device to use, on Linux also ``pipewire``; what is there when empty.
        loopbacks: The loopback devices (Linux).

    Attributes:
        title: Its name in other programs; known once open.
        listing: Which programs can list it; known once open.
        written: Number of frames sent to the holder.
        standing: Whether, when opened, it showed a former live process's picture, which stays until the first
        ``write``.
    """

    def __init__(self, folder: Path, device: str = "", loopbacks: LoopbackDevices | None = None) -> None:
        self.title = device or "virtual camera"
        self.written = 0
        self.standing = False
        self._folder = folder
        self._device = device
        self._loopbacks = loopbacks or LoopbackDevices()
        self._port: RingPort | None = None
        self._watchdog: Watchdog | None = None
        self._wish = OpenCamera(device=device, width=0, height=0, fps=0, patience_s=30)
        self.listing = CameraListing()
        self._read_in_pipewire = False
        self._holder = 0
        self._unheeded = 0
        self._slate: StyledFrame | None = None
        self._owes_slate = False
        self._refused: SinkError | None = None
        self._readers: CameraReaders | None = None

    def open(self, width: int, height: int, fps: float) -> None:
        """Opens the device for frames of exactly this size. The caller writes the first frame at once.

        Raises:
            SinkError: ``missing``, ``busy``, ``denied`` or ``unsupported``, with a command that mends it.
        """
        self.close()
        self._wish = self._wish.model_copy(update={"width": width, "height": height, "fps": fps})
        self._join()

    def write(self, frame: StyledFrame) -> None:
        """Sends one frame to the holder; if that has died, to a new one.

        Raises:
            SinkError: The device is gone (``lost``), or no holder can be started.
        """
        try:
            self._send(frame)
        except LinkError as error:
            if self._refused is not None:
                raise self._refused from error
            log.info("camera: its holder is gone; another one takes its place")
            self._leave()
            self._join_another()
            if self._readers is not None:
                self._readers.follow(self._holder)
            try:
                self._send(frame)
            except LinkError as again:
                raise SinkError("camera_holder_does_not_stay") from again

    def set_patience(self, seconds: float) -> None:
        """Sets how long the last picture stands while this process is silent, before the slate."""
        self._wish = self._wish.model_copy(update={"patience_s": seconds})
        self._say(SetPatience(seconds=seconds))

    def keep_slate(self, slate: Picture) -> None:
        """Sets the slate for later, without showing it. Raises ``SinkError``."""
        self.write(StyledFrame.slate(slate, FrameKind.KEPT_SLATE))

    def close(self) -> None:
        """Closes the device: when this returns, other programs no longer see a camera. Idempotent."""
        if self._port is None:
            return
        if self._watchdog is not None:
            self._watchdog.close()
        self._say(CloseCamera())
        # Connected until its end: a holder that cannot answer the last picture would not hear the request.
        self._await_end()
        self._leave()

    def read_back(self, seconds: float) -> Iterator[Picture] | None:
        """Yields the pictures that other programs read from the device; None where that is not possible.

        For another thread than the writing one. Raises ``OSError`` when the device cannot be read.
        """
        if sys.platform != "linux" or not self.listing.path:
            return None
        size = (self._wish.height * 3 // 2, self._wish.width)
        return (
            np.frombuffer(data, np.uint8).reshape(size)
            for data in self._loopbacks.pictures(self.listing.path, seconds)
            if len(data) == size[0] * size[1]
        )

    def watch_readers(self, changed: Callable[[], None]) -> CameraReaders | None:
        """Calls back, from another thread, when a program begins or ends reading the open camera.

        Returns:
            None where the system does not tell (Windows, macOS).
        """
        if sys.platform != "linux":
            return None
        self._readers = None
        try:
            self._readers = CameraReaders(self.listing, self._holder, changed)
            self._readers.tell(self.listing, self._read_in_pipewire)  # what was told before
        except OSError as error:
            log.info("camera: who reads it cannot be told: %s", error)
        return self._readers

    # ---- inside --------------------------------------------------------------------------------------

    def _send(self, frame: StyledFrame) -> None:
        """Raises ``LinkError``."""
        if self._port is None:
            raise LinkError("camera_holder_not_open")
        if frame.kind.is_slate:
            self._slate = frame
        elif self._owes_slate and self._slate is not None:
            kept = StyledFrame.slate(self._slate.image, FrameKind.KEPT_SLATE)
            self._owes_slate = not self._port.send(kept.image, kept.number, kept.captured_ns, kept.kind)
        if self._port.send(frame.image, frame.number, frame.captured_ns, frame.kind):
            self._unheeded = 0
            self.written += 1
        else:
            self._unheeded += 1
        if frame.kind.is_slate:
            self._owes_slate = self._unheeded > 0

    def _say(self, word: LiveMessage) -> None:
        if self._port is not None:
            with contextlib.suppress(LinkError):  # the next write finds out
                self._port.tell(word.model_dump_json().encode())

    def _await_end(self) -> None:
        with contextlib.suppress(psutil.Error, ValueError):  # it has ended already
            psutil.Process(self._holder).wait(END_S)

    def _leave(self) -> None:
        if self._watchdog is not None:
            self._watchdog.close()
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def _join_another(self) -> None:
        """Joins a new holder in place of a dead one, once its device is free. Raises ``SinkError``."""
        ends = time.monotonic() + FREE_S
        while True:
            try:
                return self._join()
            except SinkError as error:
                if error.kind != "busy" or time.monotonic() > ends:
                    raise
            time.sleep(LOOK_AGAIN_S)

    def _join(self) -> None:
        """Finds or starts the holder, and opens the device there. Raises ``SinkError``."""
        for _ in range(2):  # a found holder may be ending
            channel = self._holder_channel()
            try:
                self._ask(channel)
            except LinkError as error:
                channel.close()
                log.info("camera: %s", error)
            except SinkError:
                channel.close()
                raise
            else:
                return
        raise SinkError("camera_holder_does_not_stay")

    def _ask(self, channel: Channel) -> None:
        """Raises ``LinkError`` and ``SinkError``."""
        note = roles.read_note(self._folder, ROLE)
        self._holder = channel.peer_pid or (note.pid if note is not None else 0)
        channel.send(self._wish.model_dump_json().encode())
        said = channel.receive(ANSWER_S)
        if said is None:
            self._end_holder()  # no watchdog runs yet: a device that does not open hangs it forever
            raise LinkError("camera_holder_silent")
        try:
            answer = parse_answer(said)
            opened = answer.trouble.error(SinkError) if isinstance(answer, CameraRefused) else answer
        except ValueError as error:
            log.info("camera: its holder is of another version of Overpaint, and is ended")
            self._end_holder()
            raise LinkError("camera_holder_of_another_version") from error
        if isinstance(opened, SinkError):
            raise opened
        if not isinstance(opened, CameraOpened):
            raise LinkError("camera_holder_of_another_version")
        self._take(channel, opened)

    def _take(self, channel: Channel, opened: CameraOpened) -> None:
        self.title, self.listing, self.standing = opened.title, opened.listing, opened.standing
        self._read_in_pipewire = False
        self._unheeded, self._refused, self._owes_slate = 0, None, True
        capacity = self._wish.width * self._wish.height * 3 // 2
        port = self._port = RingPort(channel, capacity, on_word=self._heard)
        self._watchdog = Watchdog(self._holder, lambda: port.tell(PING), "the camera process")
        threading.Thread(target=_listen, args=(port,), name="camera-holder", daemon=True).start()

    def _holder_channel(self) -> Channel:
        channel = roles.reach(self._folder, ROLE)
        if channel is not None:
            return channel
        self._find_device()
        ends = time.monotonic() + START_S
        while channel is None:
            if time.monotonic() > ends:
                raise SinkError("camera_holder_does_not_start")
            try:
                start_camera(self._folder)
            except ProcessError as error:
                raise SinkError.of(error) from error
            channel = roles.reach(self._folder, ROLE)
        return channel

    def _find_device(self) -> None:
        """Checks that the device exists, so that no process is started in vain every few seconds.

        Raises:
            SinkError: It is ``missing``. The holder reports why an existing one cannot be used.
        """
        if sys.platform != "linux":
            return
        problem = camera_report(self._device, self._loopbacks).problem
        if problem is not None and problem.kind == "missing":
            raise problem

    def _end_holder(self) -> None:
        """Kills a useless holder, which still holds the device."""
        with contextlib.suppress(psutil.Error, ValueError):  # it has ended by itself, or is not ours
            end_by_force(psutil.Process(self._holder))
        self._unheeded = 0

    def _heard(self, word: bytes) -> None:
        if word == PONG:
            if self._watchdog is not None:
                self._watchdog.answered()
            return
        try:
            answer = parse_answer(word)
            if isinstance(answer, CameraRefused):
                self._refused = answer.trouble.error(SinkError)
            elif isinstance(answer, CameraNews):
                self._learn(answer)
        except ValueError as error:
            raise LinkError("camera_holder_of_another_version") from error

    def _learn(self, news: CameraNews) -> None:
        self.title, self.listing, self._read_in_pipewire = news.title, news.listing, news.read
        if self._readers is not None:
            self._readers.tell(news.listing, news.read)


def _listen(port: RingPort) -> None:
    with contextlib.suppress(LinkError):  # the next write finds out
        port.run()


__all__ = ["HeldCamera"]
