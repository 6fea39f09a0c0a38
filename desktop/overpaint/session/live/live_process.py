"""The live process: a source, a session, the outputs, and the snapshot of them for windows.

Everything here runs on one event loop, except for frames, which go from thread to thread. The machine
(sources, camera, service) is passed in by ``app``. Must not know how a window looks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from overpaint.errors import OverpaintError, SinkError, UsageError
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.hold_policy import Audience, Choices, may_hear, may_pass
from overpaint.session.live import snapshot
from overpaint.session.live.idle_suspend import Rest
from overpaint.session.live.machine import Machine, Watch
from overpaint.session.live.source_selection import SourceStage
from overpaint.session.live.style_choice import StyleChoice
from overpaint.session.output.browser_source import WatchPage
from overpaint.session.output.camera_stage import CameraStage
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.output.meters import DelayMeter
from overpaint.session.output.recorder import Recorder
from overpaint.session.output.sink_stage import Feed, SinkStage
from overpaint.session.output.slate import slate
from overpaint.session.output.sound_stage import SoundStage
from overpaint.session.output.standing_frame import StandingFrame
from overpaint.session.output.viewers import Viewers
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.session.realtime.purchases import Charged
from overpaint.session.realtime.runner import SessionRunner
from overpaint.session.realtime.state import FLOWING, OVER
from overpaint.wire import live as wire
from overpaint.wire.messages import trouble_of

log = logging.getLogger(__name__)


class Live:
    """The live process.

    Args:
        machine: Its dependencies on the machine.
        options: Options of its sessions.
        changed: Called on the event loop when ``snapshot`` has changed.
        charged: Receives purchases, see ``Purchases``.
        previewed: Whether a window shows the picture.
    """

    def __init__(
        self,
        machine: Machine,
        options: SessionOptions,
        changed: Callable[[], None],
        charged: Charged,
        previewed: Callable[[], bool],
    ) -> None:
        self._machine = machine
        self._loop = asyncio.get_running_loop()
        self._tell = changed
        self._previewed = previewed
        self._notice: OverpaintError | None = None
        self._refusals = 0
        self._work: set[asyncio.Task[None]] = set()
        self._watch: Watch | None = None
        self._private = self._on_air = False
        self._on_air_ns = 0
        self._camera_checked: bool | None = None
        self.preferences = wire.Preferences()
        self.delays = DelayMeter()
        self.hub = FrameHub(self, lambda error: self.source.lost(error))
        self.source = SourceStage(
            machine.make_source, machine.list_sources, self.hub, options.size, self._changed
        )
        self.runner = SessionRunner(
            machine.access,
            self.hub,
            machine.make_link,
            options,
            self._changed,
            machine.fallback,
            machine.network,
            charged,
        )
        self.style = StyleChoice(self.runner, lambda: self.preferences.light, self._changed)
        self.standing = StandingFrame(slate(*options.size), self._choices)
        self.viewers = Viewers(self.standing)
        self.sound = SoundStage(machine.sound_inputs, lambda: may_hear(self._choices()), self._changed)
        feed = Feed(options.size, lambda: self.source.fps, self.standing, self.sound)
        self._recorder = Recorder(machine.output_files, feed, self._recording_failed)
        self.camera: CameraStage | None = None
        if machine.make_camera is not None:
            self.camera = CameraStage(machine.make_camera, self.standing, lambda: self._soon(self._changed))
        self.page = WatchPage(options.size, options.fps, self.standing, self._changed)
        self.rest = Rest(self.hub, self.runner, self._is_watched, self._rest_changed)

    # ---- frames ----------------------------------------------------------------------------------

    def deliver(self, frame: StyledFrame) -> None:
        """Hands a styled frame to every output, from the link's thread."""
        if self.runner.state.phase in OVER or not may_pass(frame.kind, self._choices()):
            return  # the user's choice has changed since the frame was sent
        self.delays.mark(frame.captured_ns, now_ns())
        self.standing.note(frame)
        for stage in self._stages:
            stage.put(frame)
        self._recorder.put(frame)
        self.viewers.put(frame)
        if not self.standing.allows(frame, Audience.USER):
            self.viewers.blank()  # the user's choice has changed meanwhile

    def add_sink(self, stage: SinkStage) -> None:
        """Adds a sink for every styled frame."""
        self._recorder.add_sink(stage)

    # ---- what the user wants ---------------------------------------------------------------------

    @contextmanager
    def noticing(self, wish: str) -> Iterator[None]:
        """Turns an error in its block into the snapshot's trouble, which replaces the former one.

        Args:
            wish: Name of the attempt, for the log.
        """
        self._notice = None
        try:
            yield
        except OverpaintError as error:
            log.info("%s failed: %s", wish, error)
            self._notice = error
            self._refusals += 1
        self._changed()

    async def prepare(self) -> None:
        """Opens the camera device, and lists sources."""
        if self.camera is not None:
            self.camera.start()
        self.style.looks = self._machine.looks()
        account = self._loop.create_task(self.runner.refresh_account())
        self._work.add(account)
        account.add_done_callback(self._work.discard)
        await self.refresh_sources()
        self._watch = await asyncio.to_thread(self._machine.watch_sources, lambda: self._soon(self._plugged))

    async def refresh_sources(self) -> None:
        """Updates the lists of cameras and screens, and looks for the virtual camera's device."""
        if self.camera is not None:
            self.camera.retry()
        await asyncio.gather(self.source.find(), self.sound.find())

    async def refresh(self) -> None:
        """Updates what may have changed outside: sources, balance, the camera's picture."""
        await asyncio.gather(self.refresh_sources(), self.runner.refresh_account(), self._check_camera())

    async def _check_camera(self) -> None:
        """Reads the camera as other programs do, to check that it shows what is written."""
        if self.camera is not None:
            self._camera_checked = await asyncio.to_thread(self.camera.check)
            self._changed()

    async def start(self) -> None:
        """Opens the session, at once or as soon as somebody watches."""
        self.rest.start()

    async def stop(self) -> None:
        """Ends the session; the camera shows the slate. The next session is a restyled one."""
        self.runner.style = replace(self.runner.style, passthrough=False)  # for the next session
        self.rest.over()
        self.standing.forget()
        self._refresh()
        await self.runner.stop()
        self.standing.forget()  # another thread may have delivered a frame meanwhile
        self._refresh()

    async def set_source(self, text: str, keep_login: bool = False, ask_again: bool = False) -> None:
        """Changes the source, as the user chose.

        Args:
            text: The source as ``--source`` names it.
            keep_login: Whether a network camera's login is stored in the keyring.
            ask_again: See ``SourceSpec``.

        Raises:
            SourceError: It cannot be used; the former one goes on.
            CredentialError: Its login cannot be stored.
        """
        self.source.asked = True
        await self.source.choose(text, ask_again)
        if keep_login and self.source.text in self.source.logins.cameras:
            await asyncio.to_thread(self.source.logins.keep, self.source.text)
            self._changed()

    async def record(self, on: bool) -> None:
        """Starts a recording to a new file, or ends it. Raises ``SinkError``."""
        await self._recorder.record(on, self.preferences)

    async def save_replay(self) -> None:
        """Saves the last seconds as a file. Raises ``SinkError``."""
        await self._recorder.replay.save(self.preferences)

    async def take_still(self) -> None:
        """Saves the next styled picture, or the standing one while no new one comes. Raises ``SinkError``."""
        stands = self.runner.state.held or self.rest.resting or self._private
        await self._recorder.take_still(self.preferences.still_folder, standing=stands)

    def set_hold(self, on: bool) -> None:
        """Freezes every output, or resumes it."""
        self.runner.hold(on)

    def set_muted(self, on: bool) -> None:
        """Records silence, or sound again; for later recordings, too."""
        self.preferences = self.preferences.model_copy(update={"muted": on})
        self._changed()

    def set_private(self, on: bool) -> None:
        """Shows the slate on every output at once, while it is on; only the preview goes on."""
        self._private = on
        self._refresh()
        self._changed()

    async def set_original(self, on: bool) -> None:
        """Shows the unstyled picture, or the restyled one again, with the slate until its first frame.

        Raises:
            UsageError: There is no session.
        """
        style, phase = self.runner.style, self.runner.state.phase
        if on == style.passthrough:
            return
        live = phase in FLOWING
        if on and not live:
            raise UsageError("original_without_preview")
        self.runner.style = replace(style, passthrough=on)  # first of all: every output checks it
        if not on:
            self.standing.forget(FrameKind.ORIGINAL)
            self._refresh()
        if live:
            self.runner.set_style(self.runner.style)
        else:
            await self.runner.stop()
            if phase not in OVER:
                self.runner.start()
        self._changed()

    async def set_preferences(self, change: wire.SetPreferences) -> None:
        """Applies changed preferences.

        Raises:
            UsageError: The chosen slate is no picture; the former one stays, and all else is applied.
        """
        former, preferences = self.preferences, change.applied_to(self.preferences)
        self.preferences = preferences
        self.sound.choose(preferences.microphone, system=preferences.system_sound)
        if preferences.light != former.light:
            self.style.change_light(former.light)
        self._changed()
        if preferences.low_priority != former.low_priority:
            self._machine.set_priority(preferences.low_priority)
        self.page.switch(preferences.page_on)
        self.standing.patience_s = preferences.slate_after_seconds
        if preferences.slate_picture == former.slate_picture:
            return
        try:
            picture = await asyncio.to_thread(slate, *self.runner.options.size, preferences.slate_picture)
        except UsageError:
            self.preferences = self.preferences.model_copy(update={"slate_picture": former.slate_picture})
            raise
        self.standing.slate = picture

    def set_on_air(self, on: bool) -> None:
        """Goes on air (the camera shows styled frames) or off air (the slate)."""
        if on and not self._on_air:
            self._on_air_ns = now_ns()
        self._on_air = on
        if not on:
            self._refresh()
        self._changed()

    async def close(self) -> None:
        """Ends everything; nothing runs any more afterwards."""
        await self.runner.stop()
        if self._watch is not None:
            await asyncio.to_thread(self._watch.close)
        await self.source.close()
        await self._recorder.close()
        await self.sound.close()
        await self.page.close()
        if self.camera is not None:
            await asyncio.to_thread(self.camera.stop)

    # ---- what is shown ---------------------------------------------------------------------------

    @property
    def trouble(self) -> OverpaintError | None:
        """The most important error for the user."""
        return self.runner.state.trouble or self.source.trouble or self._notice or self.runner.notice

    @property
    def on_air(self) -> bool:
        """Whether the camera shows styled frames, else the slate."""
        return self._on_air and self.camera is not None

    @property
    def dropped(self) -> int:
        """Frames lost at any stage."""
        return self.hub.lost_frames + self._recorder.dropped

    def snapshot(self) -> wire.LiveSnapshot:
        """Returns the whole state, for a window."""
        size = self.runner.options.size
        figures, delays = snapshot.measured(self.hub, self.camera, self.delays, self.dropped, size)
        return wire.LiveSnapshot(
            state="paused" if self.rest.resting else self.runner.state.shown,
            trouble=trouble_of(self.trouble),
            refusals=self._refusals,
            on_air=self.on_air,
            on_air_seconds=snapshot.on_air_seconds(self.runner, self._on_air_ns) if self.on_air else 0,
            hold=self.runner.state.held,
            private=self._private,
            original=self.runner.style.passthrough,
            source=self.source.text,
            source_title=self.source.title,
            framing=self.source.framing,
            offer=self.source.offer,
            options=self.source.wish,
            prompt=self.style.prompt,
            understood=self.style.understood,
            reading=self.style.reading,
            has_reference=self.runner.style.reference is not None,
            camera=snapshot.camera(self.camera, self._camera_checked),
            page=self.page.facts,
            figures=figures,
            delays=delays,
            session=snapshot.session_facts(self.runner),
            queue=self.runner.facts.queue,
            server=self._machine.access.server,
            failed_over_from=self.runner.failed_over_from,
            balance=snapshot.balance(self.runner),
            recording=self._recorder.recording,
            recording_seconds=int(self._recorder.recording_s),
            recording_bytes=self._recorder.recording_bytes,
            recording_left_seconds=snapshot.whole(self._recorder.recording_left_s),
            recorded=self._recorder.recorded,
            replay_seconds=snapshot.whole(self._recorder.replay.seconds),
            replayed=self._recorder.replay.saved,
            sound=self.sound.state(muted=self.preferences.muted),
            still=self._recorder.still,
            preferences=self.preferences,
            sources=self.source.choices,
            looks=self.style.looks,
        )

    # ---- inside ----------------------------------------------------------------------------------

    @property
    def _stages(self) -> tuple[CameraStage, ...]:
        """Returns the outputs for others (camera and page), which show the same."""
        return tuple(stage for stage in (self.camera, self.page.stage) if stage is not None)

    def _choices(self) -> Choices:
        """Returns the user's present choices; from any thread."""
        state, muted = self.runner.state, self.preferences.muted
        return Choices(self._on_air, self._private, state.held, state.style.passthrough, muted)

    def _refresh(self) -> None:
        """Makes every output apply the present choices at once."""
        for stage in self._stages:
            stage.refresh()
        self._recorder.refresh()
        self.viewers.refresh(self._choices())

    def _changed(self) -> None:
        """Reviews idle suspend and publishes, after a change of anything shown or of watchers."""
        self.sound.heed()
        self.rest.review()
        flows = self.runner.state.phase not in OVER and not self.rest.resting
        self._recorder.replay.follow(self.preferences, flows=flows)
        self._tell()

    def _plugged(self) -> None:
        """Handles a hot-plug event."""
        self.source.plugged()
        self.sound.plugged()

    def _rest_changed(self) -> None:
        self.standing.suspend(self.rest.resting)
        self._changed()

    def _is_watched(self) -> bool:
        """Returns whether somebody watches; true also where that is unknown or idle suspend is off."""
        camera, wishes = self.camera, self.preferences
        if not wishes.rest_unread or camera is None or camera.read is None or self._recorder.wanted:
            return True
        seen = self._on_air and (camera.read or self.page.viewers)
        return bool(seen) or (self._previewed() and not wishes.rest_previewed)

    def _recording_failed(self, error: SinkError) -> None:
        self._notice = error
        self._changed()

    def _soon(self, call: Callable[[], None]) -> None:
        """Schedules a call on the event loop, from any thread; does nothing once the loop has ended."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)
