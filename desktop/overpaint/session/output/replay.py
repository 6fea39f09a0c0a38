"""The replay: the last seconds of the styled picture, kept in memory while the user wants that and it flows.

It keeps what a recording would have, with the same hold policy, and is no viewer: nothing is restyled for it
alone. Runs on one event loop; frames come from any thread. Only ``StyledFrame`` exists here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass

from overpaint.errors import SinkError
from overpaint.media.frames import StyledFrame
from overpaint.media.sinks import ReplayBuffer
from overpaint.media.sinks.recording_format import RecordingFormat
from overpaint.session.output.output_files import OutputFiles
from overpaint.session.output.sink_stage import Feed, SinkStage
from overpaint.wire.preferences import Preferences


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The wish for what is kept.

    Attributes:
        format: In which format.
        fps: The source's nominal frames a second.
    """

    format: RecordingFormat
    fps: float


class Replay:
    """The replay.

    Args:
        files: Makes its buffer, and the paths of its files.
        feed: Picture and sound.
        failed: Called on the event loop when nothing more can be kept.

    Attributes:
        saved: Path of the last file.
    """

    def __init__(self, files: OutputFiles, feed: Feed, failed: Callable[[SinkError], None]) -> None:
        self._files = files
        self._feed = feed
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._turn, self._saving = asyncio.Lock(), asyncio.Lock()
        self._work: set[asyncio.Task[None]] = set()
        self._wanted: _Wanted | None = None
        self._running: _Wanted | None = None
        self._stage: SinkStage | None = None
        self._buffer: ReplayBuffer | None = None
        self.saved: str | None = None

    @property
    def seconds(self) -> float | None:
        """Duration of what could be saved now; None while nothing is kept."""
        stage, buffer = self._stage, self._buffer
        return buffer.seconds if buffer is not None and stage is not None and stage.error is None else None

    def put(self, frame: StyledFrame) -> None:
        """A new styled frame; never blocks."""
        if self._stage is not None:
            self._stage.put(frame)

    def refresh(self) -> None:
        """Applies the user's present choices at once."""
        if self._stage is not None:
            self._stage.refresh()

    def follow(self, wishes: Preferences, *, flows: bool) -> None:
        """Begins or ends keeping, as the user wants it now.

        Args:
            wishes: Whether, and in which format.
            flows: Whether there is a picture to keep.
        """
        format = RecordingFormat.preferred(wishes, with_sound=self._feed.sound.wanted)
        self._want(_Wanted(format, self._feed.fps()) if wishes.replay and flows else None)

    async def save(self, wishes: Preferences) -> None:
        """Saves what is kept as a file. Raises ``SinkError``."""
        async with self._saving:  # two in one second find two names
            buffer = self._buffer
            if buffer is None:
                raise SinkError("replay_paused" if wishes.replay else "replay_off")
            folder, kind = wishes.recording_folder, wishes.recording_container
            path = await asyncio.to_thread(self._files.new_recording, folder, kind)
            await asyncio.to_thread(buffer.save, path)
            self.saved = str(path)

    async def close(self) -> None:
        """Ends keeping for good."""
        self._want(None)
        while self._work:
            await asyncio.wait(self._work)

    # ---- inside ------------------------------------------------------------------------------------------

    def _want(self, wanted: _Wanted | None) -> None:
        if wanted != self._wanted:
            self._wanted = wanted
            self._spawn(self._review())

    async def _review(self) -> None:
        """Begins or ends keeping, as it is wanted now; another format or frame rate begins anew."""
        async with self._turn:
            if self._stage is not None and self._running != self._wanted:
                stage, self._stage, self._buffer = self._stage, None, None
                await self._feed.end(stage, "replay")
            if self._stage is None and self._wanted is not None:
                await self._begin(self._wanted)

    async def _begin(self, wanted: _Wanted) -> None:
        self._running, heard = wanted, wanted.format.with_sound
        buffer = await asyncio.to_thread(self._files.make_replay, wanted.format)
        try:
            self._stage = await self._feed.begin(buffer, "replay", self._told, heard=heard)
        except SinkError as error:
            self._failed(error)
        else:
            self._buffer = buffer

    def _told(self, error: SinkError) -> None:
        """Reports, from the stage's thread, that nothing more can be kept."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._failed, error)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = self._loop.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
