"""Output threads of camera and recording: one slot and one thread each.

Each shows the newest styled frame, and while none comes the standing one; what may be shown is asked of the
hold policy for every frame (``standing``), and no frame is kept here. The device stays open all the while.
Only ``StyledFrame`` exists in this module. Must not know sessions or the network.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto
from typing import Protocol, runtime_checkable

import numpy as np

from overpaint.errors import OverpaintError, SinkError
from overpaint.media.frames import FrameKind, FrameSlot, Picture, StyledFrame, now_ns
from overpaint.media.hold_policy import Audience, may_stand
from overpaint.media.sinks import REPEAT_AFTER_S, Sink
from overpaint.session.output.meters import DelayMeter
from overpaint.session.output.standing_frame import StandingFrame
from overpaint.wire.live import CameraState

log = logging.getLogger(__name__)

RETRY_S = 3.0
OPEN_S, CHECK_S, NOTED = 2.0, 2.0, 16
"""Seconds to wait for a device and to read from it; pictures that may be on their way through it."""
RECORDING_BACKLOG = 30
"""Frames a recording may be behind (a disk pauses): there a late frame is a kept frame."""
STILL_EVERY_S = 0.5
"""How often a recording repeats what stands while nothing new comes: it is never far behind the clock."""


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
        standing: Knows what is shown while nothing new comes, and what may be shown.
        changed: Called, from this stage's thread, when ``state`` or ``trouble`` changed.

    Attributes:
        tried: Set once the device was opened, or could not be.
        originals: Frames written that were not restyled.
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
        self.title = ""
        self._sink: Sink | None = None
        self._opened = threading.Event()
        self._readers: Readers | None = None
        self._inherits = True
        self._noted: list[Picture] | None = None
        self.written = self.originals = 0
        self.delays = DelayMeter()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Opens the device, in the stage's own thread, and shows the slate."""
        self._thread.start()

    def put(self, frame: StyledFrame) -> None:
        """A new styled frame; never blocks."""
        if self._standing.allows(frame, Audience.OTHERS):
            self._slot.put(frame)

    def refresh(self) -> None:
        """Shows at once what is to be shown now: the user has chosen anew."""
        self._inherits = False
        self._slot.wake()

    @property
    def read(self) -> bool | None:
        """Whether another program reads the camera; None where that cannot be told."""
        readers = self._readers
        return readers.read if readers is not None else None

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

    def _run(self) -> None:
        while not self._slot.closed:
            sink = self._make_sink()
            try:
                slate = StyledFrame.slate(self._standing.slate)
                sink.open(slate.width, slate.height, 30.0)
                self.title, self._sink = sink.title, sink
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
        """Until the device is looked for again."""
        self._report(_state_of(error), error)
        self._again.wait(RETRY_S)
        self._again.clear()

    def _show(self, sink: Sink) -> None:
        """Writes until the stage ends. Raises ``SinkError``."""
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
                continue  # what an earlier process showed, until somebody says what is to be shown
            self._inherits = False
            self._write(sink, frame)
        # What a reader keeps seeing after us.
        sink.write(StyledFrame.slate(self._standing.slate))

    def _tell(self, sink: Outlasting, told: tuple[float, Picture] | None) -> tuple[float, Picture]:
        """What it is to do without this process, where that has changed. Raises ``SinkError``."""
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
        """A new frame if it may still be shown, else what stands."""
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
        """One repeat is jitter; only a frame that stands for longer is "held"."""
        return "held" if now_ns() - self.delays.last_ns > 3 * REPEAT_AFTER_S * 1e9 else self.state

    def _report(self, state: CameraState, trouble: OverpaintError | None) -> None:
        if (state, trouble) != (self.state, self.trouble):
            self.state, self.trouble = state, trouble
            self.tried.set()
            self._changed()


class _Word(Enum):
    """What is said to a sink's thread between the frames."""

    REFRESH = auto()
    END = auto()


class SinkStage:
    """Writes every frame to a sink that keeps them (a recording) or counts them.

    Pauses are kept too, as the still that the camera shows: so what is kept lasts as long as it took.

    Args:
        sink: Open already; closed at the end.
        standing: Knows what may be kept, and what stands while nothing new comes.
        failed: Called once, from this stage's thread, when the sink ended by itself.
        at_once: Whether what is kept begins now, with the still; else it begins with the first frame.
        keep_delays: Keep every delay for a report at the end.

    Attributes:
        originals: Frames written that were not restyled.
    """

    def __init__(
        self,
        sink: Sink,
        standing: StandingFrame,
        failed: Callable[[SinkError], None],
        *,
        at_once: bool = False,
        keep_delays: bool = False,
    ) -> None:
        self.sink = sink
        self.dropped = self.originals = 0
        self.delays = DelayMeter(keep_all=keep_delays)
        self._standing = standing
        self._failed = failed
        self._at_once = at_once
        self._begun = False
        self._written_ns = 0
        self._frames: queue.Queue[StyledFrame | _Word] = queue.Queue(RECORDING_BACKLOG)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sink", daemon=True)
        self._thread.start()

    def put(self, frame: StyledFrame) -> None:
        """A new styled frame; dropped and counted when the sink is far behind; never blocks."""
        if self._ended.is_set() or not self._standing.allows(frame, Audience.RECORDING):
            return
        try:
            self._frames.put_nowait(frame)
        except queue.Full:
            self.dropped += 1

    def refresh(self) -> None:
        """Keeps what is to be shown now: the user has chosen anew."""
        if self._begun and not self._ended.is_set():
            with suppress(queue.Full):  # then it is asked soon enough
                self._frames.put_nowait(_Word.REFRESH)

    def finish(self) -> SinkError | None:
        """Writes what is still waiting, and closes the sink."""
        self._frames.put(_Word.END)
        self._thread.join()
        self._ended.set()
        try:
            self.sink.close()
        except SinkError as error:
            return error
        except Exception:
            log.exception("%s failed", self.sink.title)
            return self._unforeseen()
        return None

    def _run(self) -> None:
        if self._at_once:
            self._keep(None)
        while (item := self._next()) is not _Word.END:
            if not self._ended.is_set():
                self._keep(item if isinstance(item, StyledFrame) else None)
        if self._begun and not self._ended.is_set() and self._idle_s() > REPEAT_AFTER_S:
            self._keep(None)

    def _next(self) -> StyledFrame | _Word:
        try:
            return self._frames.get(timeout=STILL_EVERY_S if self._begun else None)
        except queue.Empty:
            return _Word.REFRESH

    def _idle_s(self) -> float:
        return (now_ns() - self._standing.lag_ns - self._written_ns) / 1e9

    def _keep(self, frame: StyledFrame | None) -> None:
        """Writes a frame if it may still be kept, else what stands."""
        if frame is not None and self._standing.allows(frame, Audience.RECORDING):
            shown = frame
            self.delays.mark(frame.captured_ns, now_ns())
        else:
            # On the same clock as the frames, which are as old as their way was long.
            at_ns = frame.captured_ns if frame is not None else now_ns() - self._standing.lag_ns
            shown = replace(self._standing.shown(Audience.RECORDING), captured_ns=at_ns)
        try:
            self.sink.write(shown)
        except SinkError as error:
            self._ended.set()
            self._failed(error)
            return
        except Exception:  # a thread's root; whoever ends this waits for it
            log.exception("%s failed", self.sink.title)
            self._ended.set()
            self._failed(self._unforeseen())
            return
        self._begun, self._written_ns = True, shown.captured_ns
        self.originals += shown.kind is FrameKind.ORIGINAL

    def _unforeseen(self) -> SinkError:
        """What is told of an error that nobody foresaw."""
        return SinkError("recording_failed_unforeseen", file=self.sink.title)


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
