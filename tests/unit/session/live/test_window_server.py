"""What the live process tells who connects to it: a window all but the course, a watcher nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from helpers.processes import until
from helpers.scripted_live import on_air
from overpaint.processes.channel import Channel, connect
from overpaint.processes.supervision.heartbeat import PING, PONG
from overpaint.processes.supervision.succession import course_of
from overpaint.session.live.window_server import WindowServer
from overpaint.session.output.original_frames import Originals
from overpaint.wire.course import Course
from overpaint.wire.live import Hello, Intent, SetPreview, SetPrivacy, parse_news

COURSE = course_of(on_air(private=True, hold=True))


class Ends:
    """Of the connections to one server."""

    def __init__(self) -> None:
        self.intents: list[Intent] = []
        self.changes = 0
        self.turns = threading.Event()
        self.turns.set()
        self.server = WindowServer(self.intents.append, self._changed, Originals(), self._pulse)
        self.channels: list[Channel] = []

    def _changed(self) -> None:
        self.changes += 1

    def _pulse(self) -> None:
        self.turns.wait()

    def connect(self, role: str) -> Channel:
        channel = connect(self.server.address, self.server.secret)
        channel.send(Hello(role=role).model_dump_json().encode())
        self.channels.append(channel)
        return channel


@pytest.fixture
def ends() -> Iterator[Ends]:
    ends = Ends()
    yield ends
    for channel in ends.channels:
        channel.close()
    ends.server.close()


def test_a_course_says_what_another_process_has_to_know() -> None:
    assert (
        Course(
            running=True,
            on_air=True,
            private=True,
            hold=True,
            source="camera:0",
            source_title="Logitech C920",
        )
        == COURSE
    )


def test_a_watcher_is_told_the_course_alone_and_a_window_all_else(ends: Ends) -> None:
    window, watcher = ends.connect("window"), ends.connect("watcher")
    ends.server.publish(on_air())
    ends.server.publish(COURSE)
    ends.server.publish(on_air(private=True))
    assert parse_news(watcher.receive(5) or b"") == COURSE
    assert watcher.receive(0.2) is None
    told = [parse_news(window.receive(5) or b"")]
    while (message := window.receive(0.2)) is not None:
        told.append(parse_news(message))
    assert told[-1] == on_air(private=True) and COURSE not in told


def test_a_watcher_is_no_window_and_may_say_what_is_wanted(ends: Ends) -> None:
    watcher = ends.connect("watcher")
    watcher.send(PING)
    assert watcher.receive(5) == PONG
    assert ends.server.windows == 0 and not ends.server.guarded
    watcher.send(SetPrivacy(on=True).model_dump_json().encode())
    until(lambda: ends.intents == [SetPrivacy(on=True)], 5)


@pytest.mark.parametrize("role", ["window", "watcher"])
def test_what_is_about_the_connection_is_no_intent(ends: Ends, role: str) -> None:
    end = ends.connect(role)
    for said in (Hello(role="window"), SetPreview(width=64, height=36), SetPrivacy(on=True)):
        end.send(said.model_dump_json().encode())
    until(lambda: bool(ends.intents), 5)
    assert ends.intents == [SetPrivacy(on=True)]


def test_a_watcher_is_not_answered_by_a_process_whose_work_stands_still(ends: Ends) -> None:
    watcher = ends.connect("watcher")
    ends.turns.clear()
    watcher.send(PING)
    assert watcher.receive(0.3) is None
    ends.turns.set()
    assert watcher.receive(5) == PONG


def test_a_window_that_pings_guards_the_process_for_as_long_as_it_is_there(ends: Ends) -> None:
    window = ends.connect("window")
    until(lambda: ends.server.windows == 1, 5)
    assert not ends.server.guarded, "the command line does not watch"
    for _ in range(2):
        window.send(PING)
        assert window.receive(5) == PONG
    until(lambda: ends.server.guarded, 5)
    window.close()
    until(lambda: ends.server.windows == 0, 5)
    assert not ends.server.guarded


def test_who_ends_as_it_was_told_to_says_so_to_watchers_alone(ends: Ends) -> None:
    window, watcher = ends.connect("window"), ends.connect("watcher")
    ends.server.publish(COURSE)
    assert watcher.receive(5)
    ends.server.release()
    assert parse_news(watcher.receive(5) or b"") == Course(ends=True)
    assert window.receive(0.2) is None
