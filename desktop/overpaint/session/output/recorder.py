"""The recorder: recordings, replay and snapshots of the styled picture, and added sinks.

A recording that fails, for instance on a full disk, is ended here (``_gone``). Runs on one event loop;
frames come from any thread. Only ``StyledFrame`` exists here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from overpaint.errors import SinkError
from overpaint.media.frames import StyledFrame
from overpaint.media.hold_policy import Audience
from overpaint.media.sinks import FileSink, Sink
from overpaint.media.sinks.recording_format import RecordingFormat
from overpaint.session.output.output_files import OutputFiles
from overpaint.session.output.replay import Replay
from overpaint.session.output.sink_stage import Feed, SinkStage
from overpaint.session.output.snapshots import save_still
from overpaint.wire.preferences import Preferences

STILL_S = 3.0
"""Time limit for a snapshot's picture."""


class Recorder:
    """The recorder, which passes every frame to the recording and the other sinks.

    Args:
        files: Recordings and paths.
        feed: Picture and sound.
        failed: Called on the event loop when the recording, or its end, has failed.

    Attributes:
        replay: The last seconds, kept in memory.
        still: Path of the last snapshot.
        recorded: Path of the last recording that was finished without an error.
    """

    def __init__(self, files: OutputFiles, feed: Feed, failed: Callable[[SinkError], None]) -> None:
        self._files = files
        self._feed = feed
        self._standing = feed.standing
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._recording: SinkStage | None = None
        self._sinks: tuple[SinkStage, ...] = ()
        self._waiting: list[asyncio.Future[StyledFrame]] = []
        self._recording_turn, self._still_turn = asyncio.Lock(), asyncio.Lock()
        self._work: set[asyncio.Task[None]] = set()
        self._begun_s = 0.0
        self.replay = Replay(files, feed, failed)
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
    def recording_bytes(self) -> int:
        """Size of the running recording's file so far; 0 without one."""
        sink = self._recording.sink if self._recording is not None else None
        return sink.size if isinstance(sink, FileSink) else 0

    @property
    def recording_left_s(self) -> float | None:
        """Seconds for which the disk has room; None without a recording, or where that is unknown."""
        sink = self._recording.sink if self._recording is not None else None
        return sink.left_s if isinstance(sink, FileSink) else None

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
        self.replay.put(frame)
        if self._waiting and not frame.kind.is_slate:
            self._soon(lambda: self._arrived(frame))

    def refresh(self) -> None:
        """Applies the user's present choices at once."""
        for sink in self._sinks:
            sink.refresh()
        self.replay.refresh()

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

    async def record(self, on: bool, wishes: Preferences) -> None:
        """Starts a recording to a new file, or finishes the running one; requests are handled in order.

        Args:
            on: Whether to start one.
            wishes: Folder, kind and format of the file.

        Raises:
            SinkError: It cannot be started.
        """
        async with self._recording_turn:
            if not on:
                await self._finish()
            elif self._recording is None:
                await self._begin(wishes)

    async def close(self) -> None:
        """Finishes the running recording, and forgets what is kept."""
        await self.replay.close()
        async with self._recording_turn:
            await self._finish()

    async def _begin(self, wishes: Preferences) -> None:
        folder, kind, heard = wishes.recording_folder, wishes.recording_container, self._feed.sound.wanted
        path = await asyncio.to_thread(self._files.new_recording, folder, kind)
        sink = self._files.make_recording(path, RecordingFormat.preferred(wishes, with_sound=heard))
        self._recording = await self._feed.begin(
            sink,
            "recording",
            lambda error: self._soon(lambda: self._gone(sink, error)),
            heard=heard,
            at_once=True,
        )
        self._begun_s = self._loop.time()
        self.add_sink(self._recording)

    async def _finish(self) -> None:
        recording, self._recording = self._recording, None
        if recording is None:
            return
        self._sinks = tuple(sink for sink in self._sinks if sink is not recording)
        error = await self._feed.end(recording, "recording")
        if error is not None:
            self._failed(error)
        elif recording.error is None:
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
