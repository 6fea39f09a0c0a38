"""What is begun early is started once, and fails where it is asked for."""

from __future__ import annotations

import threading

import pytest

from helpers.processes import until
from overpaint.errors import ProcessError
from overpaint.processes.headstart import HeadStart


def test_the_first_call_waits_for_what_has_begun_and_the_next_starts_anew() -> None:
    starts: list[str] = []
    may_end = threading.Event()

    def start() -> None:
        may_end.wait(10)
        starts.append(threading.current_thread().name)

    early = HeadStart(start)
    early.begin(start)
    waiting = threading.Thread(target=early)
    waiting.start()
    assert not starts, "both wait for the one start"
    may_end.set()
    waiting.join(10)
    assert starts == ["head-start"]
    early()
    assert starts == ["head-start", threading.current_thread().name]


def test_what_was_started_and_used_without_a_call_is_started_anew() -> None:
    starts: list[str] = []
    begun = threading.Event()
    early = HeadStart(lambda: starts.append("anew"))
    early.begin(begun.set)
    begun.wait(10)
    until(lambda: "head-start" not in [thread.name for thread in threading.enumerate()])
    early()
    assert starts == ["anew"]


def test_without_a_beginning_a_call_starts() -> None:
    starts: list[int] = []
    HeadStart(lambda: starts.append(1))()
    assert starts == [1]


def test_a_start_that_fails_fails_where_it_is_asked_for() -> None:
    def start() -> None:
        raise ProcessError("core_does_not_start", log="core.log")

    early = HeadStart(start)
    early.begin(start)
    with pytest.raises(ProcessError, match="does not start"):
        early()
