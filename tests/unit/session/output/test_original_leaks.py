"""No output shows the source's own picture while the user has not chosen it, whatever happens in which order.

The live process's head, its outputs and the camera's holder are real; source, service and device are scripted
(``scripted_session``): what comes back over a link that was opened for the original is raw.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import Phase as HypothesisPhase
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from helpers.matrix import few_of
from helpers.scripted_session import (
    RAW,
    SLATE,
    STYLED,
    Head,
    ScriptedMachine,
    level,
    nearest,
    script,
    still_level,
    until,
)
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.hold_policy import Audience
from overpaint.session.output import camera_stage
from overpaint.session.realtime import events
from overpaint.session.realtime.state import OVER, Phase
from overpaint.wire.live import (
    Preferences,
    SetHold,
    SetOnAir,
    SetOriginal,
    SetPreferences,
    SetPrivacy,
    SetRecording,
    SetStyle,
    StartSession,
    StopSession,
    TakeStill,
)

IN_FLIGHT_S = 0.1
"""What is on its way to the device when a choice is made may still arrive."""


MOSTLY = st.sampled_from([True, True, True, False])


class Wishes(RuleBasedStateMachine):
    """Every wish of the user, renewals, lost links, late frames and a killed process, in any order.

    No rule has a precondition: what holds depends on time here, and Hypothesis takes a rule that is not there
    when it repeats an example for a flaky test.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.machine = ScriptedMachine(self.folder)
        self.head = Head(self.machine)
        self.recordings: list[Path] = []
        self.stills = 0
        self.off_s = time.monotonic()

    @property
    def original(self) -> bool:
        return self.head.live.runner.style.passthrough

    def left(self) -> None:
        self.off_s = self.head.off_s = time.monotonic()

    # ---- what the user does ------------------------------------------------------------------------

    @initialize()
    def begin(self) -> None:
        self.start()

    @rule()
    def start(self) -> None:
        self.head.obey(StartSession(), SetOnAir(on=True))
        if not self.machine.service.slow:
            self.head.until_live()

    @rule(rarely=MOSTLY)
    def stop(self, rarely: bool) -> None:
        if rarely and not self.original:
            return
        self.left()
        self.head.obey(StopSession())

    @rule(on=MOSTLY)
    def go_on_air(self, on: bool) -> None:
        self.head.obey(SetOnAir(on=on))

    @rule()
    def show_original(self) -> None:
        if self.original:
            return
        if self.head.live.runner.state.phase in OVER:
            self.start()
        self.head.obey(SetOriginal(on=True))
        if self.original and not self.machine.service.slow:
            self.head.until_live()
            self.frames()

    @rule(soon=st.booleans())
    def leave_original(self, soon: bool) -> None:
        """Sometimes the styled picture comes at once, sometimes nothing does for a while."""
        if not self.original:
            return
        self.left()
        self.head.obey(SetOriginal(on=False))
        if soon and self.head.live.runner.state.phase not in OVER and not self.machine.service.slow:
            self.head.until_live()

    @rule(on=st.booleans())
    def hold(self, on: bool) -> None:
        self.head.obey(SetHold(on=on))

    @rule(off=MOSTLY)
    def be_private(self, off: bool) -> None:
        self.head.obey(SetPrivacy(on=not off))

    @rule(on=st.booleans())
    def serve_page(self, on: bool) -> None:
        self.head.obey(SetPreferences(preferences=Preferences(page_on=on)))
        until(lambda: (self.head.live.page.stage is not None) is on)

    @rule(on=st.booleans())
    def record(self, on: bool) -> None:
        self.head.obey(SetRecording(on=on))
        recording = self.head.live.snapshot().recording
        if recording is not None:
            self.recordings.append(Path(recording))

    @rule(prompt=st.sampled_from(["pencil", "ink comic"]))
    def restyle(self, prompt: str) -> None:
        self.head.obey(SetStyle(prompt=prompt, enhance_prompt=True))

    @rule()
    def take_still(self) -> None:
        before = self.head.live.snapshot().still
        self.head.obey_beside(TakeStill())
        still = self.head.live.snapshot().still
        if still is not None and still != before:
            assert still_level(still) in ({RAW, STYLED} if self.original else {STYLED}), "a raw snapshot"
            self.stills += 1

    # ---- what happens ------------------------------------------------------------------------------

    @rule()
    def frames(self) -> None:
        self.head.send()

    @rule(off=MOSTLY)
    def be_slow(self, off: bool) -> None:
        """Frames stay in flight until the service is quick again: then all come, however late."""
        self.machine.service.slow = not off
        if off:
            self.machine.service.release()

    @rule()
    def renew(self) -> None:
        runner = self.head.live.runner
        if runner.state.phase is not Phase.LIVE:
            return
        self.head.call(lambda: runner._handle(events.RenewalDue()))
        self.head.send(5)

    @rule()
    def lose_links(self) -> None:
        self.machine.service.break_links()

    @rule(rarely=MOSTLY)
    def be_killed(self, rarely: bool) -> None:
        """The live process dies; another joins the process that holds the camera."""
        if rarely and not self.original:
            return
        self.left()
        former = self.head
        former.die()
        time.sleep(IN_FLIGHT_S)
        self.look()
        self.head = Head(self.machine)
        self.head.off_s = self.off_s
        former.close()

    # ---- what holds --------------------------------------------------------------------------------

    @invariant()
    def look(self) -> None:
        time.sleep(max(0.0, self.off_s + IN_FLIGHT_S - time.monotonic()))
        if not self.head.dead:
            self.head.settle()
        assert not self.head.leaks, f"raw to {self.head.leaks}"
        if self.original and not self.head.dead:
            return
        assert self.head.dead or self.head.previewed != RAW, "a raw picture stands in the window"
        late = [
            at for at, value in self.machine.device.seen if value == RAW and at > self.off_s + IN_FLIGHT_S
        ]
        assert not late, "a raw picture stands on the camera"
        assert {value for _, value in self.machine.device.seen} <= {RAW, STYLED, SLATE}

    def teardown(self) -> None:
        self.head.close()
        self.machine.close()
        for path in set(self.recordings):
            with av.open(str(path)) as container:
                assert sum(1 for _ in container.decode(video=0)) > 0
        shutil.rmtree(self.folder)


@pytest.fixture
def head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Head]:
    """On air in a look, with a page."""
    script(monkeypatch)
    machine = ScriptedMachine(tmp_path)
    head = Head(machine)
    head.obey(StartSession(), SetOnAir(on=True), SetPreferences(preferences=Preferences(page_on=True)))
    head.until_live()
    yield head
    if not head.dead:
        head.close()
    machine.close()


def show_original(head: Head) -> None:
    head.obey(SetOriginal(on=True))
    head.until_live()
    seen = head.machine.device.seen
    until(lambda: head.send() or (seen and seen[-1][1] == RAW))


def shown_from_now_on(head: Head) -> set[int]:
    """What the camera shows from now on, but for what is on its way to it."""
    time.sleep(IN_FLIGHT_S)
    head.settle()
    seen = len(head.machine.device.seen)
    head.settle()
    until(lambda: len(head.machine.device.seen) > seen + 5)
    return {value for _, value in head.machine.device.seen[seen:]}


def test_an_original_that_was_held_is_gone_with_the_choice(head: Head) -> None:
    """Original, Hold, Original off: no camera, no page opened since, no snapshot and no recording has it."""
    show_original(head)
    head.obey(SetHold(on=True))
    head.off_s = time.monotonic()
    assert head.previewed == RAW
    head.obey(SetOriginal(on=False))
    assert shown_from_now_on(head) == {SLATE}
    assert head.previewed == SLATE
    for on in (False, True):
        head.obey(SetPreferences(preferences=Preferences(page_on=on)))
        until(lambda on=on: (head.live.page.stage is not None) is on)
    head.obey(SetRecording(on=True))
    recording = head.live.snapshot().recording
    assert recording is not None
    head.obey_beside(TakeStill())
    assert head.live.snapshot().still is None
    assert head.live.trouble is not None and "no picture to save" in str(head.live.trouble)
    time.sleep(0.1)
    head.obey(SetRecording(on=False))
    assert levels(Path(recording)) == {SLATE}
    head.obey(SetHold(on=False))
    head.until_live()
    assert shown_from_now_on(head) <= {SLATE, STYLED}
    assert not head.leaks


def test_an_original_that_was_left_does_not_come_back_with_the_next_choice(head: Head) -> None:
    """While the picture is held nothing new replaces it: it would be minutes old."""
    show_original(head)
    head.obey(SetHold(on=True))
    head.off_s = time.monotonic()
    head.obey(SetOriginal(on=False))
    head.until_live()
    head.obey(SetOriginal(on=True))
    assert head.live.snapshot().original
    assert shown_from_now_on(head) == {SLATE}
    assert not head.leaks


def test_a_stop_takes_the_picture_away_at_once_and_the_original_with_it(head: Head) -> None:
    """However long the session takes to end."""
    show_original(head)
    end, ended = head.live.runner.stop, asyncio.Event()

    async def slow_end() -> None:
        await end()
        await ended.wait()

    head.live.runner.stop = slow_end  # type: ignore[method-assign]
    stopping = head.begin(head.dispatcher.dispatch(StopSession()))
    head.off_s = time.monotonic()
    assert shown_from_now_on(head) == {SLATE} and head.previewed == SLATE
    head.call(ended.set)
    stopping.result(10)
    head.live.runner.stop = end  # type: ignore[method-assign]
    assert not head.live.snapshot().original, "the next session is a restyled one"
    head.obey(StartSession())
    head.until_live()
    assert shown_from_now_on(head) <= {SLATE, STYLED}
    assert not head.leaks


def test_a_stop_takes_a_restyled_picture_away_at_once(head: Head) -> None:
    seen = head.machine.device.seen
    until(lambda: head.source.send() or (seen and seen[-1][1] == STYLED))
    end, ended = head.live.runner.stop, asyncio.Event()

    async def slow_end() -> None:
        await end()
        await ended.wait()

    head.live.runner.stop = slow_end  # type: ignore[method-assign]
    stopping = head.begin(head.dispatcher.dispatch(StopSession()))
    assert shown_from_now_on(head) == {SLATE}
    # A frame that was past the door when the wish came.
    head.live.standing.note(StyledFrame(level(STYLED), 1, now_ns(), FrameKind.STYLED))
    head.call(ended.set)
    stopping.result(10)
    head.live.runner.stop = end  # type: ignore[method-assign]
    assert shown_from_now_on(head) == {SLATE}


@pytest.mark.parametrize(
    "wish", [SetPrivacy(on=True), SetOnAir(on=False), StopSession()], ids=["private", "off air", "stop"]
)
def test_camera_and_page_show_the_slate_at_the_wish_and_not_with_the_next_picture(
    head: Head, monkeypatch: pytest.MonkeyPatch, wish: Any
) -> None:
    seen = head.machine.device.seen
    until(lambda: head.live.page.stage is not None)
    until(lambda: head.source.send() or (seen and seen[-1][1] == head.paged == STYLED))
    monkeypatch.setattr(camera_stage, "REPEAT_AFTER_S", 60.0)
    until(lambda: head.source.send() or (seen[-1][1] == head.paged == STYLED))
    time.sleep(IN_FLIGHT_S)  # nothing is on its way any more
    head.obey(wish)
    until(lambda: seen[-1][1] == head.paged == SLATE)


def test_a_frame_that_comes_after_the_stop_is_not_shown(head: Head) -> None:
    head.obey(StopSession())
    head.live.deliver(StyledFrame(level(STYLED), 1, now_ns(), FrameKind.STYLED))
    assert shown_from_now_on(head) == {SLATE}
    assert head.live.standing.last(Audience.USER) is None


def test_a_choice_that_ends_while_a_frame_is_handed_out_takes_it_from_the_window(head: Head) -> None:
    show_original(head)

    def leave(frame: StyledFrame) -> None:
        """Between the question whether the frame may pass, and its end."""
        if frame.kind is FrameKind.ORIGINAL:
            head.live.runner.style = replace(head.live.runner.style, passthrough=False)

    head.live.viewers.add(leave)
    head.live.deliver(StyledFrame(level(RAW), 10**6, now_ns(), FrameKind.ORIGINAL))
    assert head.previewed == SLATE


def test_a_snapshot_whose_choice_ends_before_it_is_written_is_not(head: Head) -> None:
    show_original(head)
    files = head.live._recorder._files

    def slow_disk(folder: str) -> Path:
        head.off_s = time.monotonic()
        head.obey(SetOriginal(on=False))
        return files.new_still(folder)

    head.live._recorder._files = replace(files, new_still=slow_disk)
    head.obey_beside(TakeStill())
    assert head.live.snapshot().still is None and not list(head.machine.folder.glob("*.png"))


def test_an_original_that_comes_late_is_not_shown(head: Head) -> None:
    show_original(head)
    head.machine.service.slow = True
    head.send(5)
    link = head.live.runner._current.link
    waiting = list(link._waiting)
    head.off_s = time.monotonic()
    head.obey(SetOriginal(on=False))
    for frame in waiting:
        head.live.deliver(frame)  # past the hub: as if it had been on its way there
    assert shown_from_now_on(head) == {SLATE}
    assert head.previewed == SLATE
    assert not head.leaks


def test_the_original_leaves_the_camera_with_its_process(head: Head) -> None:
    show_original(head)
    head.die()
    time.sleep(IN_FLIGHT_S)
    seen = len(head.machine.device.seen)
    until(lambda: len(head.machine.device.seen) > seen + 20)
    assert {value for _, value in head.machine.device.seen[seen:]} == {SLATE}
    head.close()


def test_how_many_frames_were_raw_is_counted_where_they_leave(head: Head) -> None:
    camera = head.live.camera
    assert camera is not None and camera.originals == 0
    show_original(head)
    until(lambda: camera.originals > 0)


def levels(path: Path) -> set[int]:
    """What a recording shows."""
    with av.open(str(path)) as container:
        return {nearest(int(frame.to_ndarray()[0, 0])) for frame in container.decode(video=0)}


@pytest.mark.parametrize("examples", few_of([4, 20], [4]))
def test_raw_frames_reach_nobody_who_may_not_see_them(monkeypatch: pytest.MonkeyPatch, examples: int) -> None:
    script(monkeypatch)
    run_state_machine_as_test(
        Wishes,
        settings=settings(
            max_examples=examples,
            stateful_step_count=30,
            deadline=None,
            phases=[HypothesisPhase.explicit, HypothesisPhase.generate],
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
