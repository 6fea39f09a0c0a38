"""The output thread of a recording, or of another sink that gets every frame.

Every frame is checked by the hold policy (``standing``). Only ``StyledFrame`` exists in this module. Must not
know sessions or the network.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto

from overpaint.errors import SinkError
from overpaint.media.audio.sound_reader import SoundReader
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.hold_policy import Audience
from overpaint.media.sinks import REPEAT_AFTER_S, Sink, SoundSink
from overpaint.session.output.meters import DelayMeter
from overpaint.session.output.sound_stage import SoundStage, Use
from overpaint.session.output.standing_frame import StandingFrame

log = logging.getLogger(__name__)

RECORDING_BACKLOG = 30
"""Frames a recording may be behind (a disk can pause): in a recording, late frames are kept."""
STILL_EVERY_S = 0.5
"""Interval at which a recording repeats the standing frame while no new one comes, to keep up with time."""


class _Word(Enum):
    """A message to a sink's thread, between frames."""

    REFRESH = auto()
    END = auto()


class SinkStage:
    """The output thread of a sink that keeps every frame (a recording) or counts them.

    Pauses are recorded, too, as the still that the camera shows, so that the recording has the real duration.

    Args:
        sink: An open sink; closed at the end.
        standing: The standing frame, and the hold policy.
        failed: Called once, from this stage's thread, when the sink ended by itself.
        at_once: Whether the recording begins now, with the still; else with the first frame.
        keep_delays: Keep every delay for a report at the end.
        sound: The sound of the recording, for a sink with sound.

    Attributes:
        originals: Number of unstyled frames written.
        error: Why the sink ended by itself; None while it has not.
    """

    def __init__(
        self,
        sink: Sink,
        standing: StandingFrame,
        failed: Callable[[SinkError], None],
        *,
        at_once: bool = False,
        keep_delays: bool = False,
        sound: SoundReader | None = None,
    ) -> None:
        self.sink = sink
        self.dropped = self.originals = 0
        self.error: SinkError | None = None
        self.delays = DelayMeter(keep_all=keep_delays)
        self._standing = standing
        self._report = failed
        self._at_once = at_once
        self._sound = sound
        self._begun = False
        self._written_ns = 0
        self._frames: queue.Queue[StyledFrame | _Word] = queue.Queue(RECORDING_BACKLOG)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sink", daemon=True)
        self._thread.start()

    def put(self, frame: StyledFrame) -> None:
        """Takes a new styled frame; dropped and counted when the sink is far behind; never blocks."""
        if self._ended.is_set() or not self._standing.allows(frame, Audience.RECORDING):
            return
        try:
            self._frames.put_nowait(frame)
        except queue.Full:
            self.dropped += 1

    def refresh(self) -> None:
        """Applies the user's present choices at once."""
        if self._begun and not self._ended.is_set():
            with suppress(queue.Full):  # with a full queue, the next frame is checked soon enough
                self._frames.put_nowait(_Word.REFRESH)

    def finish(self) -> SinkError | None:
        """Writes waiting frames, and closes the sink."""
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
        if self._begun and not self._ended.is_set():
            if self._idle_s() > REPEAT_AFTER_S:
                self._keep(None)
            self._attempt(lambda: self._keep_sound(last=True))

    def _next(self) -> StyledFrame | _Word:
        try:
            return self._frames.get(timeout=STILL_EVERY_S if self._begun else None)
        except queue.Empty:
            return _Word.REFRESH

    def _idle_s(self) -> float:
        return (now_ns() - self._standing.lag_ns - self._written_ns) / 1e9

    def _keep(self, frame: StyledFrame | None) -> None:
        """Writes a frame if it may be kept, else the standing frame."""
        if frame is not None and self._standing.allows(frame, Audience.RECORDING):
            shown = frame
            self.delays.mark(frame.captured_ns, now_ns())
        else:
            # On the clock of the frames, which are late by their delay.
            at_ns = frame.captured_ns if frame is not None else now_ns() - self._standing.lag_ns
            shown = replace(self._standing.shown(Audience.RECORDING), captured_ns=at_ns)
        self._attempt(lambda: self._write(shown))

    def _write(self, shown: StyledFrame) -> None:
        """Writes a frame, and the sound up to it. Raises ``SinkError``."""
        self.sink.write(shown)
        self._begun, self._written_ns = True, shown.captured_ns
        self.originals += shown.kind is FrameKind.ORIGINAL
        self._keep_sound()

    def _keep_sound(self, *, last: bool = False) -> None:
        """Writes the sound up to the newest frame. Raises ``SinkError``."""
        if self._sound is not None and isinstance(self.sink, SoundSink):
            self.sink.write_sound(self._sound.take(self._written_ns, last=last))

    def _attempt(self, work: Callable[[], None]) -> None:
        """Writes something; a failure ends the sink."""
        if self._ended.is_set():
            return
        try:
            work()
        except SinkError as error:
            self._fail(error)
        except Exception:  # a thread's root; whoever ends this waits for it
            log.exception("%s failed", self.sink.title)
            self._fail(self._unforeseen())

    def _fail(self, error: SinkError) -> None:
        self._ended.set()
        self.error = error
        self._report(error)

    def _unforeseen(self) -> SinkError:
        """Returns the error to report for an unexpected exception."""
        return SinkError("recording_failed_unforeseen", file=self.sink.title)


@dataclass(frozen=True, slots=True)
class Feed:
    """The feed of recordings: the picture, and the sound, which is open while something is recorded.

    Attributes:
        size: Size of every frame.
        fps: Returns the source's nominal frames a second.
        standing: The standing frame, and the hold policy.
        sound: The microphone, and what the computer plays.
    """

    size: tuple[int, int]
    fps: Callable[[], float]
    standing: StandingFrame
    sound: SoundStage

    async def begin(
        self, sink: Sink, use: Use, failed: Callable[[SinkError], None], *, heard: bool, at_once: bool = False
    ) -> SinkStage:
        """Opens a sink, and begins to record into it.

        Args:
            sink: An unopened sink.
            use: What it needs the sound for.
            failed: See ``SinkStage``.
            heard: Whether it records sound.
            at_once: See ``SinkStage``.

        Raises:
            SinkError: It cannot be opened.
        """
        await asyncio.to_thread(sink.open, *self.size, self.fps())
        reader = self.sound.reader() if heard else None
        stage = SinkStage(sink, self.standing, failed, at_once=at_once, sound=reader)
        self.sound.use(use, heard)
        return stage

    async def end(self, stage: SinkStage, use: Use) -> SinkError | None:
        """Writes what waits, and closes the sink; returns what failed in that."""
        error = await asyncio.to_thread(stage.finish)
        self.sound.use(use, False)
        return error
