"""The output thread of the virtual camera.

It shows the newest styled frame, or the standing frame while none comes; every frame is checked by the hold
policy (``standing``), and none is kept here. The device stays open throughout. Only ``StyledFrame`` exists in
this module. Must not know sessions or the network.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

import numpy as np

from overpaint.errors import OverpaintError, SinkError
from overpaint.media.frames import FrameKind, FrameSlot, Picture, StyledFrame, now_ns
from overpaint.media.hold_policy import Audience, may_stand
from overpaint.media.sinks import REPEAT_AFTER_S, Sink
from overpaint.session.output.meters import DelayMeter
from overpaint.session.output.standing_frame import StandingFrame
from overpaint.wire.camera import CameraListing
from overpaint.wire.live import CameraState

log = logging.getLogger(__name__)

RETRY_S = 3.0
OPEN_S, CHECK_S, NOTED = 2.0, 2.0, 16
"""Seconds to wait for a device, and to read from it; number of written pictures to look for in it."""


@runtime_checkable
class ReadsBack(Protocol):
    """A sink whose output can be read back, as other programs read it."""

    def read_back(self, seconds: float) -> Iterator[Picture] | None:
        """Yields the pictures that come out of it for that time; None where that is not possible."""


class Readers(Protocol):
    """A watch on whether another program reads a camera.

    Attributes:
        read: Whether one reads it now.
    """

    read: bool

    def close(self) -> None:
        """Ends the watch."""


@runtime_checkable
class TellsReaders(Protocol):
    """A sink that can report readers."""

    def watch_readers(self, changed: Callable[[], None]) -> Readers | None:
        """Starts a watch that calls back on changes; None where the system does not tell."""


@runtime_checkable
class Outlasting(Protocol):
    """A sink that keeps showing pictures when this process hangs or dies.

    Attributes:
        standing: Whether, when opened, it was showing the picture of an earlier process, and still does.
    """

    standing: bool

    def set_patience(self, seconds: float) -> None:
        """Sets how long the last picture stands before the slate."""

    def keep_slate(self, slate: Picture) -> None:
        """Sets its slate for later, without showing it. Raises ``SinkError``."""


@runtime_checkable
class Listed(Protocol):
    """A sink that other programs list.

    Attributes:
        listing: Which programs can list it.
    """

    listing: CameraListing


class CameraStage:
    """The output thread of the virtual camera: keeps its device open, always with a picture.

    Args:
        make_sink: Makes an unopened camera sink.
        standing: The standing frame, and the hold policy.
        changed: Called, from this stage's thread, when ``state`` or ``trouble`` changed.

    Attributes:
        tried: Set once opening the device has succeeded or failed.
        originals: Number of unstyled frames written.
    """

    def __init__(
        self, make_sink: Callable[[], Sink], standing: StandingFrame, changed: Callable[[], None]
    ) -> None:
        self._make_sink = make_sink
        self._standing = standing
        self._changed = changed
        self._slot: FrameSlot[StyledFrame] = FrameSlot()
        self._again = threading.Event()
        self.tried = threading.Event()
        self.state: CameraState = "off"
        self.trouble: OverpaintError | None = None
        self._sink: Sink | None = None
        self._opened = threading.Event()
        self._readers: Readers | None = None
        self._inherits = True
        self._noted: list[Picture] | None = None
        self.written = self.originals = 0
        self.delays = DelayMeter()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Starts the thread, which opens the device and shows the slate."""
        self._thread.start()

    def put(self, frame: StyledFrame) -> None:
        """A new styled frame; never blocks."""
        if self._standing.allows(frame, Audience.OTHERS):
            self._slot.put(frame)

    def refresh(self) -> None:
        """Applies the user's present choices at once."""
        self._inherits = False
        self._slot.wake()

    @property
    def read(self) -> bool | None:
        """Whether another program reads the camera; None where that is unknown."""
        readers = self._readers
        return readers.read if readers is not None else None

    @property
    def title(self) -> str:
        """Its name in other programs; empty before it was open."""
        return self._sink.title if self._sink is not None else ""

    @property
    def listing(self) -> CameraListing | None:
        """Which programs can list the camera; None while it is not open."""
        sink: object = self._sink if self._opened.is_set() else None
        return sink.listing if isinstance(sink, Listed) else None

    def retry(self) -> None:
        """Tries at once to open a device again."""
        self._again.set()

    def check(self) -> bool | None:
        """Checks that the device shows what is written; None where that is unknown.

        Takes up to some seconds; call it from another thread than the stage's own.
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

    def _run(self) -> None:
        while not self._slot.closed:
            sink = self._make_sink()
            try:
                slate = StyledFrame.slate(self._standing.slate)
                sink.open(slate.width, slate.height, 30.0)
                self._sink = sink
                self._opened.set()
                if isinstance(sink, TellsReaders):
                    self._readers = sink.watch_readers(self._changed)
                self._show(sink)
            except SinkError as error:
                if self.trouble is None or self.trouble.kind != error.kind:
                    log.info("camera: %s (%s)", error, error.kind)
                self._rest(error)
            except Exception:  # a thread's root
                failed = SinkError("virtual_camera_failed")
                if str(self.trouble) != str(failed):
                    log.exception("the camera failed")
                self._rest(failed)
            finally:
                self._opened.clear()
                readers, self._readers = self._readers, None
                if readers is not None:
                    readers.close()
                sink.close()
        self._report("off", None)

    def _rest(self, error: SinkError) -> None:
        """Waits until the next attempt to open the device."""
        self._report(_state_of(error), error)
        self._again.wait(RETRY_S)
        self._again.clear()

    def _show(self, sink: Sink) -> None:
        """Writes frames until the stage ends. Raises ``SinkError``."""
        opened_ns = now_ns()
        outlasting = sink if isinstance(sink, Outlasting) else None
        told: tuple[float, Picture] | None = None
        self._inherits = self._inherits and outlasting is not None and outlasting.standing
        if not self._inherits:
            sink.write(StyledFrame.slate(self._standing.slate))
        self._report("held" if self._inherits else "slate", None)
        while not self._slot.closed:
            frame = self._slot.take(REPEAT_AFTER_S)
            if outlasting is not None:
                told = self._tell(outlasting, told)
            if self._inherits and frame is None and self._waits(opened_ns):
                continue  # an earlier process's picture stays until there is one to show
            self._inherits = False
            self._write(sink, frame)
        # A reader keeps seeing this after us.
        sink.write(StyledFrame.slate(self._standing.slate))

    def _tell(self, sink: Outlasting, told: tuple[float, Picture] | None) -> tuple[float, Picture]:
        """Sets patience and slate for the time without this process, where changed. Raises ``SinkError``."""
        patience_s, slate = self._standing.patience_s, self._standing.slate
        if told is None or told[0] != patience_s:
            sink.set_patience(patience_s)
        if told is None or told[1] is not slate:
            sink.keep_slate(slate)
        return patience_s, slate

    def _waits(self, opened_ns: int) -> bool:
        idle_s = (now_ns() - opened_ns) / 1e9
        return may_stand(idle_s, self._standing.patience_s, suspended=self._standing.suspended)

    def _write(self, sink: Sink, frame: StyledFrame | None) -> None:
        """Writes a new frame if it may be shown, else the standing frame."""
        fresh = (
            frame is not None and not frame.kind.is_slate and self._standing.allows(frame, Audience.OTHERS)
        )
        shown = frame if frame is not None and fresh else self._standing.shown(Audience.OTHERS)
        if self._noted is not None:
            self._noted.append(shown.image)
        sink.write(shown)
        self.written += 1
        self.originals += shown.kind is FrameKind.ORIGINAL
        if fresh:
            self.delays.mark(shown.captured_ns, now_ns())
        self._report("slate" if shown.kind.is_slate else "live" if fresh else self._held(), None)

    def _held(self) -> CameraState:
        """Returns the state for a repeated frame: one repeat is jitter, only a longer one is "held"."""
        return "held" if now_ns() - self.delays.last_ns > 3 * REPEAT_AFTER_S * 1e9 else self.state

    def _report(self, state: CameraState, trouble: OverpaintError | None) -> None:
        if (state, trouble) != (self.state, self.trouble):
            self.state, self.trouble = state, trouble
            self.tried.set()
            self._changed()


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
