"""A live process that hangs or dies without a window is followed by another, which goes on as it was.

Real processes, a real watch; only what the live process does beside its answers is scripted.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from helpers import successive_live
from helpers.processes import has_ended, role_pid, until
from helpers.successive_live import COURSE, NEXT_COURSE, TOLD
from overpaint.processes import children, roles
from overpaint.processes.command_lines import start_live
from overpaint.processes.supervision import succession
from overpaint.processes.supervision.succession import LiveWatch, RestartLimit
from overpaint.wire.course import Course
from overpaint.wire.live import AnyIntent, SetHold, SetOnAir, SetPrivacy, StartSession, parse_intent

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot stop a process"),
    pytest.mark.expect_log("live process"),
]

ON_AIR = Course(running=True, on_air=True, source="camera:0", source_title="Webcam")
IDLE = Course(source="camera:0", source_title="Webcam")


class Call:
    """A live process, what its successor finds, and the watch over both."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ended = threading.Event()
        self.watch = LiveWatch(folder, self.ended)
        self.thread = threading.Thread(target=self.watch.run)
        self.begun: list[int] = []

    def begin(self, course: Course, following: Course = IDLE) -> psutil.Process:
        """Starts it; returns when the watch knows its course."""
        self.says(course)
        self.says_next(following)
        start_live(self.folder)
        self.thread.start()
        self.knows(course)
        return self.live

    def says(self, course: Course) -> None:
        draft = self.folder / "draft"
        draft.write_text(course.model_dump_json())
        draft.rename(self.folder / COURSE)

    def says_next(self, course: Course) -> None:
        """Of the successor."""
        (self.folder / NEXT_COURSE).write_text(course.model_dump_json())

    def knows(self, course: Course) -> None:
        until(lambda: self.watch._course == course, 20, "the course")

    @property
    def live(self) -> psutil.Process:
        pid = role_pid(self.folder, "live")
        assert pid is not None
        return psutil.Process(pid)

    def told(self) -> list[AnyIntent]:
        """What the watch has said to live processes."""
        said = self.folder / TOLD
        return [parse_intent(line) for line in said.read_bytes().splitlines()] if said.exists() else []

    def successor(self, former: psutil.Process) -> psutil.Process:
        until(lambda: role_pid(self.folder, "live") not in (None, former.pid), 20, "another live process")
        return self.live

    def nobody_follows(self, former: psutil.Process) -> None:
        until(lambda: has_ended(former), 20, "its end")
        time.sleep(2.0)
        assert len(self.begun) == 1, "another live process was started"

    def close(self) -> None:
        self.ended.set()
        for pid in self.begun:
            if psutil.pid_exists(pid):
                psutil.Process(pid).kill()
        if self.thread.ident is not None:  # it hears that the last one is gone
            self.thread.join(20)


@pytest.fixture
def call(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Call]:
    call = Call(data_folder)
    start = subprocess.Popen

    def noted(*arguments, **options):
        process = start(*arguments, **options)
        call.begun.append(process.pid)
        return process

    script = successive_live.__file__
    path = os.pathsep.join([str(Path(script).parents[1]), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setattr(children, "command", lambda *words: [sys.executable, script, *words])
    monkeypatch.setattr(subprocess, "Popen", noted)
    yield call
    call.close()


def test_one_that_is_stopped_for_good_is_killed_and_its_successor_goes_on_as_it_was(call: Call) -> None:
    """What others must not see is said first; the next one was loaded while this one was doubted."""
    live = call.begin(ON_AIR.model_copy(update={"private": True, "hold": True}))
    live.suspend()
    until(lambda: len(call.begun) == 2, 20, "a successor that loads")
    assert not has_ended(live), "it is only doubted yet"
    after = call.successor(live)
    assert has_ended(live), "two live processes"
    assert len(call.begun) == 2, "the one that was loaded is the one that goes on"
    wanted = [SetPrivacy(on=True), SetHold(on=True), StartSession(), SetOnAir(on=True)]
    until(lambda: len(call.told()) == len(wanted), 20, "its wishes")
    assert call.told() == wanted
    assert not has_ended(after)


def test_one_that_is_killed_is_followed_too(call: Call) -> None:
    live = call.begin(ON_AIR.model_copy(update={"on_air": False}))
    live.kill()
    call.successor(live)
    until(lambda: call.told() == [StartSession()], 20, "its wishes")


def test_one_that_answers_again_is_left_alone_and_what_was_loaded_ends(call: Call) -> None:
    live = call.begin(ON_AIR)
    live.suspend()
    until(lambda: len(call.begun) == 2, 20, "a successor that loads")
    live.resume()
    until(lambda: not psutil.pid_exists(call.begun[1]), 20, "its end")
    assert call.live.pid == live.pid and not has_ended(live)


@pytest.mark.parametrize(
    "course",
    [
        pytest.param(IDLE, id="no session"),
        pytest.param(
            ON_AIR.model_copy(update={"ends": True, "running": False}),
            id="ends as it was told to",
            marks=pytest.mark.full,
        ),
    ],
)
def test_nobody_follows_one_that_was_not_wanted_any_more(call: Call, course: Course) -> None:
    live = call.begin(course)
    live.kill()
    call.nobody_follows(live)


@pytest.mark.full
def test_the_last_word_is_the_last(call: Call) -> None:
    """A course of before may come behind it."""
    goodbye = Course(ends=True)
    live = call.begin(ON_AIR)
    call.says(goodbye)
    call.knows(goodbye)
    call.says(ON_AIR)
    time.sleep(0.5)
    live.kill()
    call.nobody_follows(live)


def test_another_source_is_never_shown_by_itself(call: Call) -> None:
    live = call.begin(ON_AIR, following=Course(source="demo", source_title="Demo"))
    live.kill()
    call.successor(live)
    until(lambda: call.watch._course.source == "demo", 20, "its source")
    time.sleep(0.5)
    assert call.told() == []


@pytest.fixture
def window(data_folder: Path) -> Iterator[roles.Role]:
    """A window is open: this process."""
    role = roles.Role(data_folder, roles.WINDOW)
    role.take()
    role.announce("nowhere", "")
    yield role
    role.leave()


@pytest.mark.full
def test_a_window_that_watches_comes_first(
    call: Call, window: roles.Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(succession, "WINDOW_S", 5.0)
    live = call.begin(ON_AIR.model_copy(update={"guarded": True}))
    live.kill()
    time.sleep(1.0)
    assert len(call.begun) == 1
    start_live(call.folder)  # as the window does, which tells it what it was, too
    call.successor(live)
    time.sleep(1.0)
    call.says_next(IDLE.model_copy(update={"guarded": True}))
    time.sleep(5.0)
    assert len(call.begun) == 2 and call.told() == []


@pytest.mark.full
def test_a_window_that_ends_before_it_has_said_how_it_goes_on_lets_nobody_down(
    call: Call, window: roles.Role
) -> None:
    live = call.begin(ON_AIR.model_copy(update={"guarded": True, "hold": True}))
    live.kill()
    start_live(call.folder)
    call.successor(live)
    time.sleep(1.0)
    assert call.told() == []
    window.leave()
    wanted = [SetHold(on=True), StartSession(), SetOnAir(on=True)]
    until(lambda: call.told() == wanted, 20, "its wishes")
    assert len(call.begun) == 2


def test_one_whose_window_ended_with_it_is_followed_at_once(call: Call) -> None:
    live = call.begin(ON_AIR.model_copy(update={"guarded": True}))
    live.kill()
    until(lambda: call.told() == [StartSession(), SetOnAir(on=True)], 8, "its wishes")


@pytest.mark.full
def test_a_window_that_does_nothing_is_not_waited_for_long(
    call: Call, window: roles.Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(succession, "WINDOW_S", 1.0)
    live = call.begin(ON_AIR.model_copy(update={"guarded": True}))
    live.kill()
    call.successor(live)
    until(lambda: call.told() == [StartSession(), SetOnAir(on=True)], 20, "its wishes")


def test_three_times_in_ten_minutes_and_then_its_user_is_needed() -> None:
    now = [0.0]
    limit = RestartLimit(lambda: now[0])
    assert [limit.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 700.0
    assert limit.take()
