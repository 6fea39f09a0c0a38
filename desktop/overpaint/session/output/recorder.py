"""The recorder: recordings and snapshots of the styled picture, and added sinks.

A recording that fails, for instance on a full disk, is ended here (``_gone``). Runs on one event loop;
frames come from any thread. Only ``StyledFrame`` exists here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from overpaint.errors import SinkError
from overpaint.media.frames import StyledFrame
from overpaint.media.hold_policy import Audience
from overpaint.media.sinks import Sink
from overpaint.session.output.output_stages import SinkStage
from overpaint.session.output.snapshots import save_still
from overpaint.session.output.standing_frame import StandingFrame

STILL_S = 3.0
"""Time limit for a snapshot's picture."""


@dataclass(frozen=True, slots=True)
class OutputFiles:
    """The factory of recordings, and the paths of recordings and snapshots.

    Attributes:
        make_recording: Makes an unopened recording for a path.
        new_recording: Returns a path for a new recording in a folder; in the usual one when empty.
        new_still: The same for a snapshot.
    """

    make_recording: Callable[[Path], Sink]
    new_recording: Callable[[str], Path]
    new_still: Callable[[str], Path]


class Recorder:
    """The recorder, which passes every frame to the recording and the other sinks.

    Args:
        files: Recordings and paths.
        size: Size of every frame.
        fps: Nominal frames a second.
        standing: The standing frame, and the hold policy.
        failed: Called on the event loop when the recording, or its end, has failed.

    Attributes:
        still: Path of the last snapshot.
        recorded: Path of the last recording that was finished without an error.
    """

    def __init__(
        self,
        files: OutputFiles,
        size: tuple[int, int],
        fps: float,
        standing: StandingFrame,
        failed: Callable[[SinkError], None],
    ) -> None:
        self._files = files
        self._standing = standing
        self._size = size
        self._fps = fps
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._recording: SinkStage | None = None
        self._sinks: tuple[SinkStage, ...] = ()
        self._waiting: list[asyncio.Future[StyledFrame]] = []
        self._recording_turn, self._still_turn = asyncio.Lock(), asyncio.Lock()
        self._work: set[asyncio.Task[None]] = set()
        self._begun_s = 0.0
        self.still: str | None = None
        self.recorded: str | None = None

    @property
    def recording(self) -> str | None:
        """Path of the running recording."""
        return self._recording.sink.title if self._recording is not None else None

    @property
    def recording_s(self) -> float:
        """Seconds for which the running recording has lasted; 0 without one."""
        return self._loop.time() - self._begun_s if self._recording is not None else 0.0

    @property
    def wanted(self) -> bool:
        """Whether any sink needs frames."""
        return bool(self._sinks)

    @property
    def dropped(self) -> int:
        """Frames that did not get into a sink."""
        return sum(sink.dropped for sink in self._sinks)

    def add_sink(self, stage: SinkStage) -> None:
        """Adds a sink for every frame."""
        self._sinks = (*self._sinks, stage)

    def put(self, frame: StyledFrame) -> None:
        """A new styled frame; never blocks."""
        for sink in self._sinks:
            sink.put(frame)
        if self._waiting and not frame.kind.is_slate:
            self._soon(lambda: self._arrived(frame))

    def refresh(self) -> None:
        """Applies the user's present choices at once."""
        for sink in self._sinks:
            sink.refresh()

    async def take_still(self, folder: str, *, standing: bool) -> None:
        """Saves a picture.

        Args:
            folder: Chosen by the user; the usual one when empty.
            standing: Whether to save the standing frame; else the next styled one.

        Raises:
            SinkError: None comes, or it cannot be saved.
        """
        last = self._standing.last(Audience.USER) if standing else None
        frame = last or await self._next_picture()
        async with self._still_turn:  # two in one second find two names
            path = await asyncio.to_thread(self._files.new_still, folder)
            if not self._standing.allows(frame, Audience.USER):
                raise _nothing_to_save()  # the user has chosen otherwise meanwhile
            await asyncio.to_thread(save_still, frame, path)
        self.still = str(path)

    async def _next_picture(self) -> StyledFrame:
        still: asyncio.Future[StyledFrame] = self._loop.create_future()
        self._waiting.append(still)
        try:
            async with asyncio.timeout(STILL_S):
                return await still
        except TimeoutError as error:
            raise _nothing_to_save() from error
        finally:
            if still in self._waiting:
                self._waiting.remove(still)

    def _arrived(self, frame: StyledFrame) -> None:
        """Gives a frame to the waiting snapshots."""
        waiting, self._waiting = self._waiting, []
        for still in waiting:
            if not still.done():
                still.set_result(frame)

    async def record(self, on: bool, folder: str) -> None:
        """Starts a recording to a new file, or finishes the running one; requests are handled in order.

        Raises:
            SinkError: It cannot be started.
        """
        async with self._recording_turn:
            if not on:
                await self._finish()
            elif self._recording is None:
                await self._begin(folder)

    async def finish(self) -> None:
        """Finishes the running recording."""
        async with self._recording_turn:
            await self._finish()

    async def _begin(self, folder: str) -> None:
        sink = self._files.make_recording(await asyncio.to_thread(self._files.new_recording, folder))
        await asyncio.to_thread(sink.open, *self._size, self._fps)
        self._recording = SinkStage(
            sink, self._standing, lambda error: self._soon(lambda: self._gone(sink, error)), at_once=True
        )
        self._begun_s = self._loop.time()
        self.add_sink(self._recording)

    async def _finish(self) -> None:
        recording, self._recording = self._recording, None
        if recording is None:
            return
        self._sinks = tuple(sink for sink in self._sinks if sink is not recording)
        error = await asyncio.to_thread(recording.finish)
        if error is not None:
            self._failed(error)
        elif not recording.failed:
            self.recorded = recording.sink.title

    def _gone(self, sink: Sink, error: SinkError) -> None:
        """Handles that a recording ended by itself; another may have begun since."""
        task = self._loop.create_task(self._let_go(sink))
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        # The first error is more useful than an error of closing.
        task.add_done_callback(lambda _: self._failed(error))

    async def _let_go(self, sink: Sink) -> None:
        async with self._recording_turn:
            if self._recording is not None and self._recording.sink is sink:
                await self._finish()

    def _soon(self, call: Callable[[], None]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)


def _nothing_to_save() -> SinkError:
    return SinkError("snapshot_without_picture")
