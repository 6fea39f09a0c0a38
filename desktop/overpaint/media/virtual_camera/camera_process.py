"""The camera process: holds the device, so that a call sees a picture when the live process dies.

It only writes to the device: the newest picture received, the last one again while none comes, and after a
while the slate. So a call does not notice when the live process is killed, stopped or busy. An original
stands only while its writer confirms it: once the live process is gone or silent, nobody could replace it,
so the slate does. The process ends on request, or after a long time without a connection. Must not know
sessions, nor why a picture is shown.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from overpaint.errors import LinkError, SinkError
from overpaint.media.frames import FrameKind, FrameSlot, StyledFrame
from overpaint.media.hold_policy import may_stand_in_camera
from overpaint.media.links.frame_ring import RingPort
from overpaint.media.sinks import REPEAT_AFTER_S
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink
from overpaint.processes.channel import Channel, ChannelServer
from overpaint.processes.supervision.heartbeat import PING, PONG, CountedPulse
from overpaint.wire.camera import (
    CameraNews,
    CameraOpened,
    CameraRefused,
    CloseCamera,
    OpenCamera,
    SetPatience,
    parse_wish,
)
from overpaint.wire.messages import Trouble

log = logging.getLogger(__name__)

STAY_S = 60.0
"""Time for which the slate is shown after the live process has died without a successor."""
IDLE_S = 15.0
"""Time to wait for a connection while it holds no device."""
LEAVE_S = 2.0
"""Time for which a new connection waits for the end of the former one, which may have just died."""


class CameraHolder:
    """The holder of the device, which serves one live process at a time.

    Args:
        make_camera: Makes the sink for a device's node or title.

    Attributes:
        server: The server of its channel.
    """

    def __init__(self, make_camera: Callable[[str], VirtualCameraSink]) -> None:
        self._make_camera = make_camera
        self._guard = threading.Condition()
        self._writer: RingPort | None = None
        self._camera: VirtualCameraSink | None = None
        self._told: CameraNews | None = None
        self._wanted = ("", 0, 0, 0.0)
        self._patience_s = 0.0
        self._slot: FrameSlot[StyledFrame] = FrameSlot()
        self._last: StyledFrame | None = None
        self._slate: StyledFrame | None = None
        self._heard_s = self._alone_s = time.monotonic()
        self._ended = threading.Event()
        self._pulse = CountedPulse()
        self._pinged = threading.Event()
        self.server = ChannelServer(self._serve, "camera")

    def end(self) -> None:
        """Makes ``run`` return; from any thread or signal handler."""
        self._ended.set()

    def run(self) -> None:
        """Writes to the device until the end."""
        while not self._ended.is_set() and not self._forgotten():
            self._pulse.advanced()
            slot = self._slot
            frame = slot.take(REPEAT_AFTER_S)
            with self._guard:
                self._show(frame if slot is self._slot else None)

    def close(self) -> None:
        """Shows the slate, which readers keep seeing, and closes the device; idempotent."""
        self.server.close()
        with self._guard:
            if self._slate is not None:
                self._show(self._slate)
            self._let_go()

    def _show(self, frame: StyledFrame | None) -> None:
        if self._camera is None:
            return
        if frame is not None:
            self._last, self._heard_s = frame, time.monotonic()
        self._end_what_may_not_stand()
        if self._last is None:
            return
        try:
            self._camera.write(self._last)
            self._tell_news(self._camera)
        except SinkError as error:
            log.info("%s", error)
            writer = self._writer
            self._let_go()
            if writer is not None:
                _refuse(writer.tell, error)
                writer.close()

    def _tell_news(self, camera: VirtualCameraSink) -> None:
        """Tells the live process when others list or read the camera, or no longer do."""
        news = CameraNews(title=camera.title, listing=camera.listing, read=camera.read)
        if self._writer is not None and news != self._told:
            self._told = news
            with suppress(LinkError):  # it is gone, as its thread will find
                self._writer.tell(news.model_dump_json().encode())

    def _end_what_may_not_stand(self) -> None:
        """Replaces the last picture by the slate as soon as the hold policy requires."""
        if not may_stand_in_camera(
            self._last.kind if self._last is not None else FrameKind.SLATE,
            time.monotonic() - self._heard_s,
            self._patience_s,
            attended=self._writer is not None,
            has_slate=self._slate is not None,
        ):
            self._last = self._slate

    def _let_go(self) -> None:
        camera, self._camera = self._camera, None
        self._last = self._slate = None
        if camera is not None:
            camera.close()

    def _forgotten(self) -> bool:
        if self._writer is not None:
            return False
        alone_s = time.monotonic() - self._alone_s
        return alone_s > (IDLE_S if self._camera is None else self._patience_s + STAY_S)

    # ---- the live process, in a thread of its own ----------------------------------------------------

    def _serve(self, channel: Channel) -> None:
        message = channel.receive(timeout=5.0)
        if message is None:
            return
        try:
            wish = OpenCamera.model_validate_json(message)
        except ValidationError:
            log.info("another version of Overpaint wants the camera, and starts a holder of its own")
            self.end()
            channel.receive()  # until its end, for which the other end waits
            return
        with self._guard:
            # The former one may have just died.
            self._guard.wait_for(lambda: self._writer is None, LEAVE_S)
            if self._writer is not None:
                _refuse(channel.send, SinkError("virtual_camera_fed_already"))
                return
            try:
                opened = self._open(wish)
            except SinkError as error:
                self._let_go()
                _refuse(channel.send, error)
                return
            channel.send(opened.model_dump_json().encode())
            port = self._writer = RingPort(channel, 0, self._arrived, on_word=self._heard)
        threading.Thread(target=self._answer, args=(port,), name="camera-heartbeat", daemon=True).start()
        try:
            port.run()
        finally:
            self._pinged.set()
            with self._guard:
                self._writer = None
                self._alone_s = time.monotonic()
                self._end_what_may_not_stand()
                self._guard.notify_all()
            self._slot.wake()  # shown at once
            log.info("the live process is gone")

    def _open(self, wish: OpenCamera) -> CameraOpened:
        """Opens the device; under the guard. Raises ``SinkError``."""
        wanted = (wish.device, wish.width, wish.height, wish.fps)
        former, self._slot = self._slot, FrameSlot()  # frames of the former connection are not shown
        former.wake()
        if self._camera is None or wanted != self._wanted:
            self._let_go()
            camera = self._make_camera(wish.device)
            camera.open(wish.width, wish.height, wish.fps)
            self._camera, self._wanted = camera, wanted
        self._patience_s = wish.patience_s
        self._heard_s = time.monotonic()
        title, listing = self._camera.title, self._camera.listing
        self._told = CameraNews(title=title, listing=listing, read=False)  # what that answer says
        return CameraOpened(title=title, listing=listing, standing=self._last is not None)

    def _arrived(self, picture: NDArray[np.uint8], number: int, captured_ns: int, kind: FrameKind) -> None:
        frame = StyledFrame(picture, number, captured_ns, kind)
        if kind.is_slate:
            self._slate = frame
        if kind is not FrameKind.KEPT_SLATE:
            self._slot.put(frame)

    def _answer(self, port: RingPort) -> None:
        """Answers the heartbeat in its own thread, so that pictures never wait for it."""
        with suppress(LinkError):
            while True:
                self._pinged.wait()
                self._pinged.clear()
                self._pulse()
                port.tell(PONG)

    def _heard(self, word: bytes) -> None:
        if word == PING:
            self._pinged.set()
            return
        try:
            wish = parse_wish(word)
        except ValidationError as error:
            raise LinkError("camera_writer_of_another_version") from error
        match wish:
            case SetPatience(seconds=seconds):
                self._patience_s = seconds
            case CloseCamera():
                self.end()


def _refuse(say: Callable[[bytes], None], error: SinkError) -> None:
    trouble = Trouble.of(error)
    try:
        say(CameraRefused(trouble=trouble).model_dump_json().encode())
    except LinkError:
        log.info("nobody hears why: %s", error)


__all__ = ["CameraHolder"]
