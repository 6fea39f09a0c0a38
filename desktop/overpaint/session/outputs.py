"""The threads that hand styled frames out: camera and recording; one slot and one thread each.

What the camera shows is decided here and nowhere else: the newest styled frame, the last one for as
long as none comes, then the slate; the slate when not on air. The device stays open all the while.
Only ``StyledFrame`` exists in this module. Must not know sessions or the network.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

import numpy as np

from overpaint.errors import OverpaintError, SinkError
from overpaint.media.frames import FrameSlot, Picture, StyledFrame, now_ns
from overpaint.media.sinks import REPEAT_AFTER_S, Sink
from overpaint.session.meters import DelayMeter
from overpaint.wire.live import CameraState

log = logging.getLogger(__name__)

SLATE_AFTER_S = 30.0
"""How long the last styled frame stands, unless the user sets it."""
RETRY_S = 3.0
OPEN_S, CHECK_S, NOTED = 2.0, 2.0, 16
"""Seconds to wait for a device and to read from it; pictures that may be on their way through it."""
RECORDING_BACKLOG = 30
"""Frames a recording may be behind (a disk pauses): there a late frame is a kept frame."""


@runtime_checkable
class ReadsBack(Protocol):
    """A sink that can be read as other programs read it."""

    def read_back(self, seconds: float) -> Iterator[Picture] | None:
        """Pictures that come out of it for so long; None where that cannot be told."""


class Readers(Protocol):
    """Knows whether another program reads a camera.

    Attributes:
        read: Whether one does now.
    """

    read: bool

    def close(self) -> None:
        """Ends the watch."""


@runtime_checkable
class TellsReaders(Protocol):
    """A sink that knows whether it is read."""

    def watch_readers(self, changed: Callable[[], None]) -> Readers | None:
        """Calls back whenever that changes; None where the system does not tell."""


@runtime_checkable
class Outlasting(Protocol):
    """A sink that goes on showing pictures when this process does not.

    Attributes:
        standing: Whether, when it was opened, it showed a picture of an earlier process, and goes on with it.
    """

    standing: bool

    def set_patience(self, seconds: float) -> None:
        """How long the last picture stands before the slate follows."""

    def keep_slate(self, slate: Picture) -> None:
        """What it shows then, from now on; shows nothing else now. Raises ``SinkError``."""


class CameraStage:
    """Keeps the virtual camera's device open and always showing something.

    Args:
        make_sink: Makes an unopened camera sink.
        slate: What the camera shows when there is nothing else, I420 of the output's size.
        changed: Called, from this stage's thread, when ``state`` or ``trouble`` changed.

    Attributes:
        tried: Set once the device was opened, or could not be.
    """

    def __init__(self, make_sink: Callable[[], Sink], slate: Picture, changed: Callable[[], None]) -> None:
        self._make_sink = make_sink
        self._slate = slate
        self._slate_after_s: float = SLATE_AFTER_S
        self._slate_is_new = False
        self._changed = changed
        self._slot: FrameSlot[StyledFrame] = FrameSlot()
        self._again = threading.Event()
        self.tried = threading.Event()
        self.state: CameraState = "off"
        self.trouble: OverpaintError | None = None
        self.title = ""
        self._sink: Sink | None = None
        self._opened = threading.Event()
        self._readers: Readers | None = None
        self._stands = False
        self._stood_ns = 0
        self._noted: list[Picture] | None = None
        self.on_air = False
        self.private = False
        self.written = 0
        self.delays = DelayMeter()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Opens the device, in the stage's own thread, and shows the slate."""
        self._thread.start()

    def put(self, frame: StyledFrame) -> None:
        """A new styled frame; never blocks."""
        if not self._blank:
            self._slot.put(frame)

    def set_on_air(self, on: bool) -> None:
        """Whether styled frames are shown; else the slate, at once."""
        self.on_air = on
        if not on:
            self.show_slate()

    def set_private(self, on: bool) -> None:
        """Whether the slate is shown whatever comes, at once."""
        self.private = on
        if on:
            self.show_slate()

    @property
    def slate_after_s(self) -> float:
        """How long the last styled frame stands before the slate takes its place."""
        return self._slate_after_s

    @slate_after_s.setter
    def slate_after_s(self, seconds: float) -> None:
        self._slate_after_s = seconds
        sink: object = self._sink
        if isinstance(sink, Outlasting):
            sink.set_patience(seconds)

    def stand(self, on: bool) -> None:
        """Whether the last styled frame stands for as long as none comes; else the slate follows it."""
        if not on and self._stands:
            self._stood_ns = now_ns()  # the next frame is on its way: no slate before it
        self._stands = on

    @property
    def read(self) -> bool | None:
        """Whether another program reads the camera; None where that cannot be told."""
        readers = self._readers
        return readers.read if readers is not None else None

    def set_slate(self, slate: Picture) -> None:
        """Changes the slate; of the same size as the one before."""
        shown = self._slate
        self._slate, self._slate_is_new = slate, True
        if shown is not slate and self.state in ("slate", "off"):
            self.show_slate()

    def show_slate(self) -> None:
        """Shows the slate at once, until the next styled frame."""
        self._slot.put(StyledFrame(self._slate, -1, now_ns()))

    def retry(self) -> None:
        """Looks for a device again now."""
        self._again.set()

    def check(self) -> bool | None:
        """Whether what is written comes out of the device again; None where nobody can tell.

        Takes up to some seconds: for another thread than the stage's own.
        """
        sink: object = self._sink if self._opened.wait(OPEN_S) else None
        if not isinstance(sink, ReadsBack):
            return None
        noted: list[Picture] = []
        self._noted = noted
        try:
            seen = sink.read_back(CHECK_S)
            if seen is None:
                return None
            return any(np.array_equal(picture, own) for picture in seen for own in noted[-NOTED:])
        except OSError as error:
            log.info("camera: cannot be read back: %s", error)
            return None
        finally:
            self._noted = None

    def stop(self) -> None:
        """Closes the device."""
        self._slot.close()
        self._again.set()
        self._thread.join(timeout=5)

    @property
    def _blank(self) -> bool:
        return self.private or not self.on_air

    def _run(self) -> None:
        while not self._slot.closed:
            sink = self._make_sink()
            try:
                height, width = self._slate.shape[0] * 2 // 3, self._slate.shape[1]
                sink.open(width, height, 30.0)
                self.title, self._sink = sink.title, sink
                self._opened.set()
                if isinstance(sink, TellsReaders):
                    self._readers = sink.watch_readers(self._changed)
                self._show(sink)
            except SinkError as error:
                if self.trouble is None or self.trouble.kind != error.kind:
                    log.info("camera: %s (%s)", error, error.kind)
                self._report(_state_of(error), error)
                self._again.wait(RETRY_S)
                self._again.clear()
            finally:
                self._opened.clear()
                readers, self._readers = self._readers, None
                if readers is not None:
                    readers.close()
                sink.close()
        self._report("off", None)

    def _show(self, sink: Sink) -> None:
        """Writes until the stage ends. Raises ``SinkError``."""
        last, shown_ns = StyledFrame(self._slate, -1, now_ns()), now_ns()
        outlasting = sink if isinstance(sink, Outlasting) else None
        standing, self._slate_is_new = outlasting is not None and outlasting.standing, True
        if outlasting is not None:
            outlasting.set_patience(self._slate_after_s)
        if not standing:
            sink.write(last)
        self._report("held" if standing else "slate", None)
        while not self._slot.closed:
            frame = self._slot.take(REPEAT_AFTER_S)
            if outlasting is not None and self._slate_is_new:
                self._slate_is_new = False
                outlasting.keep_slate(self._slate)
            if frame is not None:
                last, shown_ns, standing = frame, now_ns(), False
            # A frame that was already on its way when the slate was asked for is not shown either.
            tired = now_ns() - max(shown_ns, self._stood_ns) > self._slate_after_s * 1e9 and not self._stands
            if standing and not tired:
                continue  # what an earlier process showed, until somebody says what is to be shown
            standing = False
            if self._blank or (frame is None and tired):
                last = StyledFrame(self._slate, -1, now_ns())
            if self._noted is not None:
                self._noted.append(last.image)
            sink.write(last)
            self.written += 1
            fresh = frame is not None and last.number >= 0
            if fresh:
                self.delays.mark(last.captured_ns, now_ns())
            self._report("slate" if last.number < 0 else "live" if fresh else self._held(), None)
        # What a reader keeps seeing after us.
        sink.write(StyledFrame(self._slate, -1, now_ns()))

    def _held(self) -> CameraState:
        """One repeat is jitter; only a frame that stands for longer is "held"."""
        return "held" if now_ns() - self.delays.last_ns > 3 * REPEAT_AFTER_S * 1e9 else self.state

    def _report(self, state: CameraState, trouble: OverpaintError | None) -> None:
        if (state, trouble) != (self.state, self.trouble):
            self.state, self.trouble = state, trouble
            self.tried.set()
            self._changed()


class SinkStage:
    """Writes every frame to a sink that keeps them (a recording) or counts them.

    Args:
        sink: Open already; closed at the end.
        failed: Called once, from this stage's thread, when the sink ended by itself.
        keep_delays: Keep every delay for a report at the end.
    """

    def __init__(self, sink: Sink, failed: Callable[[SinkError], None], *, keep_delays: bool = False) -> None:
        self.sink = sink
        self.dropped = 0
        self.delays = DelayMeter(keep_all=keep_delays)
        self._failed = failed
        self._frames: queue.Queue[StyledFrame | None] = queue.Queue(RECORDING_BACKLOG)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sink", daemon=True)
        self._thread.start()

    def put(self, frame: StyledFrame) -> None:
        """A new styled frame; dropped and counted when the sink is far behind; never blocks."""
        if self._ended.is_set():
            return
        try:
            self._frames.put_nowait(frame)
        except queue.Full:
            self.dropped += 1

    def finish(self) -> SinkError | None:
        """Writes what is still waiting, and closes the sink."""
        self._frames.put(None)
        self._thread.join()
        try:
            self.sink.close()
        except SinkError as error:
            return error
        return None

    def _run(self) -> None:
        while (frame := self._frames.get()) is not None:
            if self._ended.is_set():
                continue
            try:
                self.sink.write(frame)
            except SinkError as error:
                self._ended.set()
                self._failed(error)
                continue
            self.delays.mark(frame.captured_ns, now_ns())


def _state_of(error: SinkError) -> CameraState:
    match error.kind:
        case "busy":
            return "busy"
        case "denied":
            return "denied"
        case "lost":
            return "lost"
        case _:
            return "missing"
