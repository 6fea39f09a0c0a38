"""What the live process tells who connects to it: a window all but the course, a watcher nothing else.

Connections are scripted, in the test's own process; the server and its threads are real.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from helpers.scripted_live import on_air
from overpaint.errors import LinkError
from overpaint.media.frames import FrameKind, RawFrame, StyledFrame
from overpaint.processes.supervision.heartbeat import PING, PONG
from overpaint.processes.supervision.succession import course_of
from overpaint.session.live import window_server
from overpaint.session.live.window_server import WindowServer
from overpaint.session.output.original_frames import Originals
from overpaint.wire.course import Course
from overpaint.wire.live import AnyNews, Hello, Intent, SetPreview, SetPrivacy, parse_news
from overpaint.wire.servers import Server

COURSE = course_of(on_air(private=True, hold=True))
IMAGE = np.zeros((6, 4), np.uint8)
LIMIT_S = 10.0
"""Real seconds for another thread's answer: only a failing test waits for them."""


class Wire:
    """One end of a connection within this process.

    Attributes:
        far: The other end.
        open: Cleared, whoever sends to this end waits, as for a process that hangs.
        waited: Set while somebody sends to this end.
    """

    far: Wire

    def __init__(self) -> None:
        self._arrived: queue.Queue[bytes | None] = queue.Queue()
        self._closed = False
        self.open, self.waited = threading.Event(), threading.Event()
        self.open.set()

    def send(self, message: bytes) -> None:
        self.far.waited.set()
        self.far.open.wait(LIMIT_S)
        if self._closed:
            raise LinkError("channel_lost")
        self.far._arrived.put(message)

    def receive(self, timeout: float | None = None) -> bytes | None:
        message = self._arrived.get(timeout=LIMIT_S)
        if message is None:
            self._arrived.put(None)
            raise LinkError("channel_lost")
        return message

    def close(self) -> None:
        for end in (self, self.far):
            end._closed = True
            end.open.set()
            end._arrived.put(None)

    @property
    def empty(self) -> bool:
        """Whether nothing has arrived that was not received."""
        return self._arrived.empty()


class Door:
    """In place of the server of channels."""

    address = secret = "scripted"

    def __init__(self, handler: Callable[[Any], None], name: str) -> None:
        self._handler = handler
        self._wires: list[Wire] = []

    def connect(self) -> Wire:
        near, far = Wire(), Wire()
        near.far, far.far = far, near
        self._wires.append(near)
        threading.Thread(target=self._serve, args=(near,), daemon=True).start()
        return far

    def close(self) -> None:
        for wire in self._wires:
            wire.close()

    def _serve(self, wire: Wire) -> None:
        with suppress(LinkError):
            self._handler(wire)
        wire.close()


class Port:
    """In place of the ring of a preview."""

    def __init__(self, wire: Wire, _size: int, slots: int) -> None:
        self._wire = wire

    def run(self) -> None:
        self._wire.receive()


class Preview:
    """In place of a preview's thread: what it is given."""

    all: list[Preview]

    def __init__(self, _port: Port, _originals: Originals) -> None:
        self.size = (0, 0)
        self.frames: list[StyledFrame] = []
        self.closed = False
        self.all.append(self)

    def set_size(self, width: int, height: int) -> None:
        self.size = (width, height)

    def put(self, frame: StyledFrame) -> None:
        self.frames.append(frame)

    def close(self) -> None:
        self.closed = True


class Ends:
    """Of the connections to one server."""

    def __init__(self) -> None:
        self.intents: queue.Queue[Intent] = queue.Queue()
        self.turns, self.asked = threading.Event(), threading.Event()
        self.turns.set()
        self.originals = Originals()
        self._change = threading.Condition()
        self.server = WindowServer(self.intents.put, self._changed, self.originals, self._pulse)

    def _changed(self) -> None:
        with self._change:
            self._change.notify_all()

    def _pulse(self) -> None:
        self.asked.set()
        self.turns.wait(LIMIT_S)

    def connect(self, role: Any) -> Wire:
        wire = self.server._server.connect()  # type: ignore[attr-defined]
        wire.send(Hello(role=role).model_dump_json().encode())
        return wire

    def until(self, condition: Callable[[], object]) -> None:
        """Returns once a change that the server told has brought it about."""
        with self._change:
            assert self._change.wait_for(condition, LIMIT_S)

    def intent(self) -> Intent:
        """The next one."""
        return self.intents.get(timeout=LIMIT_S)


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ends]:
    monkeypatch.setattr(window_server, "ChannelServer", Door)
    monkeypatch.setattr(window_server, "RingPort", Port)
    monkeypatch.setattr(window_server, "PreviewStage", Preview)
    Preview.all = []
    ends = Ends()
    yield ends
    ends.server.close()


def say(wire: Wire, *messages: Any) -> None:
    for message in messages:
        wire.send(message.model_dump_json().encode())


def heard(wire: Wire) -> AnyNews:
    """The next message."""
    return parse_news(wire.receive() or b"")


def heard_until(wire: Wire, last: AnyNews) -> list[AnyNews]:
    """All messages up to this one."""
    told = [heard(wire)]
    while told[-1] != last:
        told.append(heard(wire))
    return told


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
    for news in (on_air(), COURSE, on_air(private=True)):
        ends.server.publish(news)
    assert COURSE not in heard_until(window, on_air(private=True))
    assert heard(watcher) == COURSE
    ends.server.publish(on_air())
    ends.server.publish(Course())
    assert heard(watcher) == Course(), "and nothing between the two"


def test_who_connects_later_is_told_what_holds_now_but_for_what_was_forgotten(ends: Ends) -> None:
    ends.server.publish(on_air())
    ends.server.publish(on_air(private=True))
    assert heard(ends.connect("window")) == on_air(private=True)
    ends.server.forget("snapshot")
    ends.server.publish(Server(address=""))
    assert heard(ends.connect("window")) == Server(address="")


def test_a_window_that_hangs_gets_only_the_newest_and_holds_up_no_other(ends: Ends) -> None:
    hung, other = ends.connect("window"), ends.connect("window")
    hung.open.clear()
    ends.server.publish(on_air())
    assert hung.waited.wait(LIMIT_S)
    assert heard(other) == on_air()
    for private in (True, False):
        ends.server.publish(on_air(private=private, hold=True))
    heard_until(other, on_air(hold=True))
    hung.open.set()
    assert heard(hung) == on_air()
    assert heard(hung) == on_air(hold=True), "what was overtaken meanwhile is not told"


def test_a_watcher_is_no_window_and_may_say_what_is_wanted(ends: Ends) -> None:
    watcher = ends.connect("watcher")
    watcher.send(PING)
    assert watcher.receive() == PONG
    assert ends.server.windows == 0 and not ends.server.guarded
    say(watcher, SetPrivacy(on=True))
    assert ends.intent() == SetPrivacy(on=True)


@pytest.mark.parametrize("role", ["window", "watcher"])
def test_what_is_about_the_connection_is_no_intent(ends: Ends, role: str) -> None:
    end = ends.connect(role)
    say(end, Hello(role="window"), SetPreview(width=64, height=36), SetPrivacy(on=True))
    assert ends.intent() == SetPrivacy(on=True) and ends.intents.empty()


@pytest.mark.expect_log("said something unknown")
def test_what_nobody_understands_is_passed_over(ends: Ends) -> None:
    window = ends.connect("window")
    window.send(b'{"type": "open_the_door"}')
    say(window, SetPrivacy(on=True))
    assert ends.intent() == SetPrivacy(on=True) and ends.intents.empty()


def test_who_does_not_say_what_it_is_is_let_go_of(ends: Ends) -> None:
    stranger = ends.server._server.connect()  # type: ignore[attr-defined]
    say(stranger, SetPrivacy(on=True))
    with pytest.raises(LinkError):
        stranger.receive()
    assert ends.intents.empty() and ends.server.windows == 0


def test_a_watcher_is_not_answered_by_a_process_whose_work_stands_still(ends: Ends) -> None:
    watcher = ends.connect("watcher")
    ends.turns.clear()
    watcher.send(PING)
    assert ends.asked.wait(LIMIT_S)
    assert watcher.empty
    ends.turns.set()
    assert watcher.receive() == PONG


def test_a_window_that_pings_guards_the_process_for_as_long_as_it_is_there(ends: Ends) -> None:
    window = ends.connect("window")
    ends.until(lambda: ends.server.windows == 1)
    assert not ends.server.guarded, "the command line does not watch"
    for _ in range(2):
        window.send(PING)
        assert window.receive() == PONG
    ends.until(lambda: ends.server.guarded)
    window.close()
    ends.until(lambda: ends.server.windows == 0)
    assert not ends.server.guarded


def test_who_ends_as_it_was_told_to_says_so_to_watchers_alone(ends: Ends) -> None:
    window, watcher = ends.connect("window"), ends.connect("watcher")
    ends.server.publish(COURSE)
    assert heard(watcher) == COURSE
    ends.server.release()
    assert heard(watcher) == Course(ends=True)
    ends.server.publish(on_air())
    assert heard(window) == on_air()


def test_a_window_shows_the_picture_while_it_has_a_preview_of_some_size(ends: Ends) -> None:
    window, preview = ends.connect("window"), ends.connect("preview")
    ends.until(lambda: ends.server.windows == len(Preview.all) == 1)
    assert not ends.server.previewed, "a window that is closed to the tray wants no picture"
    say(window, SetPreview(width=64, height=36))
    ends.until(lambda: ends.server.previewed)
    assert Preview.all[0].size == (64, 36)
    frame = StyledFrame(IMAGE, 0, 1, FrameKind.STYLED)
    ends.server.put(frame)
    assert Preview.all[0].frames == [frame]
    say(window, SetPreview(width=0, height=0))
    ends.until(lambda: not ends.server.previewed)
    preview.close()
    ends.until(lambda: Preview.all[0].closed)
    ends.server.put(frame)
    assert len(Preview.all[0].frames) == 1


def test_a_preview_that_comes_after_its_size_has_it(ends: Ends) -> None:
    window = ends.connect("window")
    say(window, SetPreview(width=64, height=36), SetPrivacy(on=True))
    ends.intent()
    ends.connect("preview")
    ends.until(lambda: ends.server.previewed)
    assert Preview.all[0].size == (64, 36)


def test_originals_are_kept_while_a_window_compares(ends: Ends) -> None:
    window = ends.connect("window")
    say(window, SetPreview(width=64, height=36, original=True), SetPrivacy(on=True))
    ends.intent()
    raw, styled = RawFrame(IMAGE, 0, 1), StyledFrame(IMAGE, 0, 1, FrameKind.STYLED)
    ends.originals.note(raw)
    assert ends.originals.of(styled) is raw
    window.close()
    ends.until(lambda: ends.server.windows == 0)
    ends.originals.note(raw)
    assert ends.originals.of(styled) is None


def test_its_end_ends_every_connection(ends: Ends) -> None:
    window, watcher = ends.connect("window"), ends.connect("watcher")
    ends.until(lambda: ends.server.windows == 1)
    ends.server.close()
    for wire in (window, watcher):
        with pytest.raises(LinkError):
            wire.receive()
    ends.until(lambda: ends.server.windows == 0)
