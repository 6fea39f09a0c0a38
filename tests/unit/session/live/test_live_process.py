"""The live process does what a user presses, in that order, and its snapshot says what holds now.

Time is virtual; service, sources and the camera's device are scripted, everything between them is real. That
no output leaks the source's own picture, whatever the order, is in ``output/test_original_leaks``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from helpers import plugs as plugged
from helpers import scripted_service, virtual_time
from helpers.plugs import Plugs
from helpers.scripted_service import RAW, SLATE, STYLED, Service, Source, level, script_service
from helpers.scripted_session import Device, machine_parts
from helpers.virtual_time import in_virtual_time
from overpaint.errors import UsageError
from overpaint.media.frames import FrameKind, Picture, StyledFrame
from overpaint.session.live import idle_suspend, live_process, snapshot
from overpaint.session.live.intent_dispatcher import IntentDispatcher
from overpaint.session.live.live_loop import attend
from overpaint.session.live.live_process import Live
from overpaint.session.live.persistence import LiveMemory
from overpaint.session.live.window_server import WindowServer
from overpaint.session.output import camera_stage, frame_router, sink_stage, standing_frame
from overpaint.session.realtime import connection, monitors, purchase_records, runner, stream_status
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.wire.control import GenerationStarted, GenerationTick, QueuePosition, SetPrompt
from overpaint.wire.live import (
    AnyNews,
    LiveSnapshot,
    LookChoice,
    NextLook,
    Preferences,
    RefreshSources,
    SetHold,
    SetOnAir,
    SetOriginal,
    SetPreferences,
    SetPrivacy,
    SetReference,
    SetSource,
    SetStyle,
    StartSession,
    StopSession,
    parse_intent,
)
from overpaint.wire.looks import ReferencePhoto
from overpaint.wire.media_limits import REFERENCE_MAX_BYTES
from overpaint.wire.sources import SetMuted

ALMA, BERT = "camera:alma at 1-1", "camera:bert at 1-2"
LOOKS = [LookChoice(name=name, title=name, description="") for name in ("ink comic", "neon", "pencil")]


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    script_service(monkeypatch)
    stages = (camera_stage, sink_stage)
    clocks = (frame_router, live_process, *stages, snapshot, standing_frame, stream_status, plugged)
    virtual_time.follow(
        monkeypatch, scripted_service, connection, idle_suspend, monitors, purchase_records, *clocks
    )
    monkeypatch.setattr(runner, "give_back", lambda: None)
    monkeypatch.setattr(live_process, "slate", lambda *_: level(SLATE))


class Desk:
    """A live process, with the hands of a user on it and an eye on the camera.

    Args:
        service: Where its sessions are; a new one unless given.
        plugs: Its cameras; without them every source is one that always works.
        device: The camera's device; None for a machine without one.

    Attributes:
        changes: How often it said that its snapshot has changed.
        previewed: Whether a window shows the picture.
        viewed: What the user's own window shows.
        priorities: What the process's priority was set to.
        replug: Says that something was plugged in or pulled out.
    """

    def __init__(
        self, service: Service | None = None, plugs: Plugs | None = None, device: Device | None = None
    ) -> None:
        self.service = service or Service()
        self.source = Source()
        self.device = device
        self.changes = 0
        self.previewed = False
        self.viewed: list[StyledFrame] = []
        self.priorities: list[bool] = []
        self.replug: Callable[[], None] = lambda: None
        parts = machine_parts(self.service, self.source, (lambda: device) if device is not None else None)
        parts = replace(
            parts,
            looks=lambda: LOOKS,
            set_priority=self.priorities.append,
            watch_sources=self._watch,
        )
        if plugs is not None:
            parts = replace(parts, make_source=plugs.make, list_sources=plugs.list)
        self.live = Live(
            parts, SessionOptions(ttl_seconds=60), self._changed, lambda *_: None, lambda: self.previewed
        )
        self.live.viewers.add(self.viewed.append)
        nobody: Any = None
        self._dispatcher = IntentDispatcher(self.live, nobody, nobody, nobody, nobody, nobody, nobody)
        self.play = self.source.play

    async def press(self, *intents: Any) -> None:
        for intent in intents:
            await self._dispatcher.dispatch(intent)

    async def go_on_air(self) -> None:
        await self.live.prepare()
        await self.press(SetSource(source="demo"), SetOnAir(on=True), StartSession())
        await self.play(1)
        assert self.now.state == "live"

    @property
    def now(self) -> LiveSnapshot:
        return self.live.snapshot()

    @property
    def on_camera(self) -> int:
        """What the camera shows when all until now is dealt with."""
        stage, device = self.live.camera, self.device
        assert stage is not None and device is not None
        for _ in range(2):  # the first may have been begun before
            written = len(device.seen)
            stage.refresh()
            device.wait_beyond(written)
        return device.seen[-1][1]

    def _changed(self) -> None:
        self.changes += 1

    def _watch(self, changed: Callable[[], None]) -> Desk:
        self.replug = changed
        return self

    def close(self) -> None:
        """Ends the watch of sources."""
        self.replug = lambda: None


# ---- the snapshot --------------------------------------------------------------------------------


@in_virtual_time
async def test_a_prompt_of_which_nothing_can_be_done_is_taken_back_and_told() -> None:
    desk = Desk()
    await desk.live.prepare()
    await desk.press(SetSource(source="demo"), SetStyle(prompt="pencil"), StartSession())
    await desk.play(10)
    for _ in range(2):  # asking again sends it again
        await desk.press(SetStyle(prompt="nonsense"))
        assert desk.now.prompt == "nonsense"
        await desk.play(1)
        now = desk.now
        assert (now.prompt, now.understood) == ("pencil", "pencil"), "also what the next session starts with"
        assert now.reading is not None and now.reading.unchanged and now.reading.prompt == "nonsense"
    heard = [each.prompt for each in desk.service.sockets[0].heard if isinstance(each, SetPrompt)]
    assert heard == ["pencil", "nonsense", "nonsense"]
    await desk.press(SetStyle(prompt="chalk"))
    await desk.play(1)
    assert (desk.now.prompt, desk.now.understood, desk.now.reading) == ("chalk", "chalk", None)


@in_virtual_time
async def test_the_snapshot_follows_a_session_from_before_its_start_to_its_end() -> None:
    desk = Desk()
    assert (desk.now.state, desk.now.session, desk.now.balance, desk.now.source) == (
        "stopped",
        None,
        None,
        "",
    )
    await desk.live.prepare()
    await asyncio.sleep(0.1)
    assert desk.now.balance is not None and desk.now.balance.credits_remaining == 10_000
    assert desk.now.looks == LOOKS
    await desk.press(SetSource(source="demo"), SetStyle(prompt="pencil"))
    assert (desk.now.source, desk.now.source_title, desk.now.prompt) == ("demo", "scripted", "pencil")
    assert desk.now.understood == "", "nobody has confirmed it yet"

    desk.service.admits = False
    await desk.press(StartSession())
    await desk.play(0.1)
    socket = desk.service.sockets[0]
    socket.say(QueuePosition(position=1, queue_size=2))
    await desk.play(0.9)
    assert (desk.now.state, desk.now.queue, desk.now.session) == ("connecting", (1, 2), None)
    socket.admit()
    socket.say(GenerationStarted(session_id="", model="", width=64, height=36, fps=10.0, engine="paint"))
    socket.say(GenerationTick(seconds=9, frames=90, fps=10.0))
    await desk.play(10)

    now = desk.now
    assert (now.state, now.queue, now.trouble, now.understood) == ("live", None, None, "pencil")
    assert now.balance is not None and now.balance.credits_remaining == 9_975
    assert now.session is not None
    assert (now.session.link, now.session.engine, now.session.billed_seconds) == ("scripted", "paint", 9)
    assert now.session.seconds == pytest.approx(10, abs=1)
    assert now.session.expires_in_seconds == pytest.approx(49, abs=1)
    assert now.session.renews_in_seconds == pytest.approx(29, abs=1)
    assert now.figures.fps_in == now.figures.fps_out == pytest.approx(10, abs=0.5)
    assert (now.figures.width, now.figures.height, now.figures.dropped) == (64, 36, 0)
    assert now.figures.delay_ms_p50 == now.figures.delay_ms_p95 == 0.0
    assert now.delays is not None and now.delays.median_ms == 0.0

    await desk.press(StopSession())
    assert (desk.now.state, desk.now.session, desk.now.prompt) == ("stopped", None, "pencil")
    await desk.live.close()


@pytest.mark.parametrize(
    ("wish", "field", "value"),
    [
        (SetHold(on=True), "state", "held"),
        (SetHold(on=True), "hold", True),
        (SetPrivacy(on=True), "private", True),
        (SetOriginal(on=True), "original", True),
        (SetStyle(prompt="neon"), "prompt", "neon"),
        (SetReference(image_data="cGhvdG8="), "has_reference", True),
        (SetPreferences(preferences=Preferences(slate_after_seconds=5)), "preferences", None),
        (NextLook(step=1), "prompt", "ink comic"),
    ],
    ids=lambda value: getattr(value, "type", None),
)
@in_virtual_time
async def test_what_is_pressed_is_in_the_next_snapshot_which_is_announced(
    wish: Any, field: str, value: Any
) -> None:
    desk = Desk()
    await desk.go_on_air()
    changes = desk.changes
    await desk.press(wish)
    assert getattr(desk.now, field) == (wish.preferences if value is None else value)
    assert desk.changes > changes
    await desk.live.close()


@in_virtual_time
async def test_a_wish_that_fails_is_told_until_the_next_one() -> None:
    desk = Desk()
    await desk.press(SetOriginal(on=True))
    assert desk.now.trouble is not None and desk.now.trouble.code == "original_without_preview"
    assert not desk.now.original
    await desk.press(SetStyle(prompt="neon"))
    assert desk.now.trouble is None
    await desk.live.close()


@in_virtual_time
async def test_the_time_on_air_begins_when_others_see_the_restyled_picture() -> None:
    desk = Desk(device=Device())
    await desk.live.prepare()
    await desk.press(SetSource(source="demo"), SetOnAir(on=True))
    await desk.play(2)
    assert desk.now.on_air_seconds == 0, "the slate is not oneself"
    await desk.press(StartSession())
    await desk.play(5)
    assert 3 <= desk.now.on_air_seconds <= 5
    await desk.press(SetOnAir(on=False))
    await desk.play(3)
    assert desk.now.on_air_seconds == 0 and desk.now.session is not None
    await desk.press(SetOnAir(on=True), SetOnAir(on=True))
    await desk.play(2)
    assert 1 <= desk.now.on_air_seconds <= 2 < desk.now.session.seconds
    await desk.press(StopSession())
    assert desk.now.on_air_seconds == 0
    await desk.live.close()


@in_virtual_time
async def test_why_a_session_failed_is_told_and_the_next_start_tries_again() -> None:
    desk = Desk()
    desk.service.credits = 0
    await desk.press(SetSource(source="demo"), StartSession())
    await desk.play(1)
    assert desk.now.state == "failed"
    assert desk.now.trouble is not None and desk.now.trouble.code == "order_too_dear"
    desk.service.credits = 25
    await desk.press(StartSession())
    await desk.play(1)
    assert (desk.now.state, desk.now.trouble) == ("live", None)
    await desk.live.close()


@in_virtual_time
async def test_a_photo_that_is_too_large_is_refused_before_it_is_sent() -> None:
    desk = Desk()
    with pytest.raises(UsageError):
        desk.live.style.set_reference(bytes(REFERENCE_MAX_BYTES + 1))
    assert not desk.now.has_reference
    await desk.live.close()


@in_virtual_time
async def test_after_the_last_look_comes_the_first() -> None:
    desk = Desk()
    await desk.live.prepare()
    prompts = []
    for step in (1, 1, 1, 1, -1):
        await desk.press(NextLook(step=step))
        prompts.append(desk.now.prompt)
    assert prompts == ["ink comic", "neon", "pencil", "ink comic", "pencil"]
    await desk.live.close()


# ---- what the user presses -----------------------------------------------------------------------


@in_virtual_time
async def test_privacy_hold_original_and_stop_each_do_what_they_say() -> None:
    desk = Desk(device=Device())
    await desk.go_on_air()
    assert desk.on_camera == STYLED

    await desk.press(SetPrivacy(on=True))
    assert desk.on_camera == SLATE
    await desk.play(0.5)
    assert desk.on_camera == SLATE and desk.viewed[-1].kind is FrameKind.STYLED, "the preview goes on"

    await desk.press(SetHold(on=True))
    viewed = len(desk.viewed)
    await desk.press(SetPrivacy(on=False))
    assert desk.on_camera == STYLED, "the picture that was held"
    await desk.play(0.5)
    assert len(desk.viewed) == viewed, "it stands still"

    await desk.press(SetOriginal(on=True), SetHold(on=False))
    await desk.play(0.5)
    assert desk.on_camera == RAW and desk.viewed[-1].kind is FrameKind.ORIGINAL

    await desk.press(SetOriginal(on=False))
    assert desk.on_camera == SLATE, "until the first restyled frame"
    await desk.play(0.5)
    assert desk.on_camera == STYLED

    await desk.press(SetOriginal(on=True))
    await desk.play(0.5)
    await desk.press(StopSession())
    assert desk.on_camera == SLATE and not desk.now.original
    await desk.press(StartSession())
    await desk.play(1)
    assert desk.on_camera == STYLED, "the next session is a restyled one"
    assert len(desk.service.sessions) == 1
    await desk.live.close()


@in_virtual_time
async def test_a_held_picture_stays_held_over_a_renewal() -> None:
    desk = Desk(device=Device())
    await desk.go_on_air()
    await desk.press(SetHold(on=True))
    viewed = len(desk.viewed)
    await desk.play(45)
    assert len(desk.service.sessions) == 2 and desk.now.state == "held"
    assert len(desk.viewed) == viewed and desk.on_camera == SLATE, "the source's time limit of a still"
    await desk.press(SetHold(on=False))
    await desk.play(0.5)
    assert desk.now.state == "live" and desk.on_camera == STYLED
    await desk.live.close()


@in_virtual_time
async def test_without_a_camera_nothing_is_on_air() -> None:
    desk = Desk()
    await desk.go_on_air()
    assert not desk.live.on_air and not desk.now.on_air and desk.now.camera.state == "off"
    await desk.live.close()


@in_virtual_time
async def test_off_air_the_camera_shows_the_slate_and_the_preview_goes_on() -> None:
    desk = Desk(device=Device())
    await desk.go_on_air()
    assert desk.now.on_air and desk.on_camera == STYLED
    await desk.press(SetOnAir(on=False))
    assert not desk.now.on_air and desk.on_camera == SLATE
    viewed = len(desk.viewed)
    await desk.play(1)
    assert desk.on_camera == SLATE and len(desk.viewed) == viewed + 10
    await desk.live.close()


@in_virtual_time
async def test_preferences_are_applied() -> None:
    desk = Desk(device=Device())
    await desk.go_on_air()
    switched: list[bool] = []
    desk.live.page.switch = switched.append  # type: ignore[method-assign]
    wishes = Preferences(low_priority=True, page_on=True, slate_after_seconds=5)
    await desk.press(SetPreferences(preferences=wishes), SetPreferences(preferences=wishes))
    assert desk.priorities == [True], "set when it changes"
    assert switched[-1] is True
    await asyncio.sleep(4.5)
    assert desk.on_camera == STYLED
    await asyncio.sleep(1)
    assert desk.on_camera == SLATE, "five seconds without a frame"
    await desk.press(SetPreferences(preferences=Preferences(low_priority=False, page_on=False)))
    assert desk.priorities == [True, False] and switched[-1] is False
    await desk.live.close()


@in_virtual_time
async def test_a_preference_that_is_set_undoes_none_that_was_set_elsewhere_meanwhile() -> None:
    desk = Desk()
    await desk.live.prepare()
    said = SetPreferences(preferences=Preferences(light=40)).model_dump_json().encode()
    await desk.press(SetMuted(on=True), SetPreferences(preferences=Preferences(microphone="alma")))
    await desk.press(parse_intent(said))
    assert desk.now.preferences == Preferences(light=40, muted=True, microphone="alma")
    await desk.live.close()


@in_virtual_time
async def test_the_light_correction_travels_in_the_prompt_and_is_not_seen_in_it() -> None:
    desk = Desk()
    await desk.live.prepare()
    await desk.press(SetSource(source="demo"), SetStyle(prompt="pencil"), StartSession())
    await desk.play(10)
    for percent in (40, 0, 100):
        await desk.press(SetPreferences(preferences=Preferences(light=percent)))
        await desk.play(1)
        assert (desk.now.preferences.light, desk.now.prompt, desk.now.understood) == (
            percent,
            *2 * ("pencil",),
        )
    await desk.press(SetPreferences(preferences=Preferences(light=0)))
    await desk.press(NextLook(step=-1), SetStyle(prompt="nonsense"))
    await desk.play(1)
    assert (desk.now.prompt, desk.now.understood) == ("neon", "neon"), "nonsense is still taken back"
    assert desk.now.reading is not None and desk.now.reading.prompt == "nonsense"
    heard = [each.prompt for each in desk.service.sockets[0].heard if isinstance(each, SetPrompt)]
    off = "without light correction"
    assert heard == [
        "pencil", "pencil, light correction at 40 %", f"pencil, {off}", "pencil",
        f"pencil, {off}", f"neon, {off}", f"nonsense, {off}",
    ]  # fmt: skip
    assert desk.live.style.in_light("x" * 2000) == "x" * 2000, (
        "a prompt has no room for more than 2000 characters"
    )
    await desk.live.close()


@in_virtual_time
async def test_another_slate_is_shown_at_once_and_one_that_is_no_picture_changes_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def slate(_width: int, _height: int, chosen: str = "") -> Picture:
        if chosen == "letter.txt":
            raise UsageError("slate_no_picture", file=chosen)
        return level(SLATE + 10)

    desk = Desk(device=Device())
    await desk.live.prepare()
    assert desk.on_camera == SLATE
    monkeypatch.setattr(live_process, "slate", slate)
    await desk.press(SetPreferences(preferences=Preferences(slate_picture="cat.png")))
    assert desk.on_camera == SLATE + 10 and desk.now.trouble is None
    wrong = Preferences(slate_picture="letter.txt", slate_after_seconds=7)
    await desk.press(SetPreferences(preferences=wrong))
    assert desk.now.trouble is not None and desk.now.trouble.code == "slate_no_picture"
    assert desk.now.preferences == Preferences(slate_picture="cat.png", slate_after_seconds=7)
    assert desk.on_camera == SLATE + 10
    await desk.live.close()


# ---- the source ----------------------------------------------------------------------------------


@in_virtual_time
async def test_a_source_that_is_lost_is_told_its_picture_stands_and_it_comes_back() -> None:
    plugs = Plugs([ALMA])
    desk = Desk(plugs=plugs, device=Device())
    await desk.live.prepare()
    await desk.press(SetSource(source="camera:0"), SetOnAir(on=True), StartSession())
    for _ in range(10):
        await asyncio.sleep(0.1)
        plugs.show(level(RAW))
    assert desk.now.state == "live" and desk.on_camera == STYLED
    plugs.pull(ALMA)
    await asyncio.sleep(0.1)
    assert desk.now.trouble is not None and desk.now.trouble.code == "camera_unplugged"
    assert desk.now.state == "live", "the session is not at fault"
    await asyncio.sleep(29)
    assert desk.on_camera == STYLED
    await asyncio.sleep(2)
    assert desk.on_camera == SLATE
    plugs.cameras = [BERT, ALMA]
    desk.replug()
    await asyncio.sleep(0.1)
    assert plugs.running == ALMA and (desk.now.source, desk.now.trouble) == ("camera:1", None)
    await desk.live.close()
    assert not plugs.running


@in_virtual_time
async def test_a_source_that_nobody_announces_is_found_within_two_seconds() -> None:
    plugs = Plugs([ALMA])
    desk = Desk(plugs=plugs)
    await desk.live.prepare()
    await desk.press(SetSource(source="camera:0"))
    plugs.pull(ALMA)
    await asyncio.sleep(7)
    plugs.cameras = [ALMA]
    await asyncio.sleep(2)
    assert plugs.running == ALMA and desk.now.trouble is None
    await desk.live.close()


@in_virtual_time
async def test_what_was_plugged_in_is_in_the_list_of_sources() -> None:
    plugs = Plugs([ALMA])
    desk = Desk(plugs=plugs)
    await desk.live.prepare()
    assert [each.source for each in desk.now.sources] == ["camera:0"]
    plugs.cameras = [ALMA, BERT]
    await desk.press(RefreshSources())
    assert [each.title for each in desk.now.sources] == ["camera:alma", "camera:bert"]
    await desk.live.close()


# ---- rest, restart and end -----------------------------------------------------------------------


class Unread(Device):
    """A camera that no program reads."""

    read = False

    def watch_readers(self, changed: Callable[[], None]) -> Unread:
        return self


@in_virtual_time
async def test_a_start_that_nobody_watches_buys_nothing_until_a_window_shows_the_picture() -> None:
    desk = Desk(device=Unread())
    await desk.live.prepare()
    assert desk.on_camera == SLATE
    await desk.press(SetPreferences(preferences=Preferences(rest_unread=True)), SetSource(source="demo"))
    await desk.press(SetOnAir(on=True), StartSession())
    await desk.play(20)
    assert desk.now.state == "paused" and not desk.service.sessions
    desk.previewed = True
    await desk.press(SetStyle(prompt="neon"))
    await desk.play(1)
    assert desk.now.state == "live" and len(desk.service.sessions) == 1
    await desk.live.close()


@pytest.mark.parametrize("killed", [False, True], ids=["ended", "killed"])
@in_virtual_time
async def test_a_restart_restores_look_photo_and_session_without_a_second_purchase(
    tmp_path: Path, killed: bool
) -> None:
    service = Service()

    async def begin() -> tuple[Desk, LiveMemory]:
        desk, memory = Desk(service), LiveMemory(tmp_path)
        memory.restore_style(desk.live)
        await memory.restore_devices(desk.live)
        return desk, memory

    desk, memory = await begin()
    wishes = Preferences(slate_after_seconds=9)
    await desk.press(SetStyle(prompt="neon"), SetReference(image_data="cGhvdG8="))
    await desk.press(SetPreferences(preferences=wishes), SetSource(source="demo"), StartSession())
    await desk.play(10)
    await memory.keep(desk.live)
    if not killed:
        await desk.live.close()
        await memory.keep(desk.live)
    after, _ = await begin()
    assert (after.now.prompt, after.now.has_reference, after.now.preferences) == ("neon", True, wishes)
    assert after.now.source == "demo" and after.now.state == "stopped", "a start is the user's"
    await after.press(StartSession())
    await after.play(2)
    assert after.now.state == "live"
    assert len(service.sessions) == 1 and service.credits == 10_000 - 25
    assert after.now.session is not None and after.now.session.expires_in_seconds == pytest.approx(48, abs=1)
    await after.live.close()
    await desk.live.close()


@in_virtual_time
async def test_windows_are_told_the_photo_at_the_start_and_when_it_changes(tmp_path: Path) -> None:
    told: list[str] = []

    class Windows:
        windows, guarded = 1, False

        def publish(self, news: AnyNews) -> None:
            if isinstance(news, ReferencePhoto):
                told.append(news.image_data)

    desk, memory, stop = Desk(Service()), LiveMemory(tmp_path), asyncio.Event()
    memory.restore_style(desk.live)
    windows = cast(WindowServer, Windows())
    loop = asyncio.create_task(attend(desk.live, windows, memory, stop, asyncio.Event(), lambda: False))
    await desk.play(3)
    assert told == [""]
    await desk.press(SetReference(image_data="cGhvdG8="))
    await desk.play(3)
    await desk.press(SetReference(image_data=None))
    await desk.play(3)
    stop.set()
    await loop
    assert told == ["", "cGhvdG8=", ""]
    await desk.live.close()


@in_virtual_time
async def test_closing_ends_everything_and_leaves_the_slate() -> None:
    desk = Desk(device=Device())
    await desk.go_on_air()
    await desk.live.close()
    assert desk.device is not None and desk.device.seen[-1][1] == SLATE and desk.device.closed
    assert desk.service.links[0].closed and desk.service.sockets[0].closed
    assert not virtual_time.tasks()
    written = len(desk.device.seen)
    await desk.play(1)
    assert len(desk.device.seen) == written
