"""The line to the live process: found, started, lost and found again, and Qt's thread never waits for it."""

from __future__ import annotations

import threading
import time

import pytest
from PySide6.QtCore import QTimer

from helpers.scripted_live import on_air, previewing, stopped
from overpaint.errors import ProcessError
from overpaint.wire.live import Quit, SetStyle


def test_the_window_is_there_before_the_live_process(qtbot, open_window) -> None:
    gate, begun = threading.Event(), threading.Event()

    def start() -> None:
        begun.set()
        gate.wait(10)

    window = open_window(start=start)
    assert window.isVisible() and begun.wait(10)
    assert window.top_bar.chip.word.text() == "Starting…"
    assert not window.top_bar.air.isEnabled() and not window.prompt.field.isEnabled()
    gate.set()


def test_an_absent_live_process_is_started_and_shown(qtbot, start_live, open_window) -> None:
    window = open_window(start=lambda: start_live(previewing()))
    qtbot.waitUntil(lambda: window.top_bar.chip.word.text() == "Preview")


def test_a_live_process_that_dies_is_started_again_and_asked_for_pictures_again(
    qtbot, start_live, open_window
) -> None:
    first = start_live(on_air())
    second = []
    go = threading.Event()

    def start() -> None:
        go.wait(10)
        second.append(start_live(previewing()))

    window = open_window(start=start)
    qtbot.waitUntil(lambda: bool(first.sizes))
    first.end()
    qtbot.waitUntil(lambda: window.top_bar.chip.word.text() == "Restarting…")
    assert window.stage.message.title.text() == "Restarting…"
    assert window.top_bar.air.isEnabled() and window.top_bar.air.text() == "End live"
    assert window.stage._pills[next(iter(window.stage._pills))][0] == ""  # nothing is called on air
    go.set()
    qtbot.waitUntil(lambda: window.top_bar.chip.word.text() == "Preview")
    # Not the very size of before: a line that says what happened takes some room.
    qtbot.waitUntil(lambda: second[0].sizes[-1:] == [window.stage._wanted_size()])
    window.prompt.use_prompt("oil")
    assert second[0].next_intent() == SetStyle(prompt="oil")


def test_a_window_that_leaves_starts_no_other_live_process(qtbot, start_live, open_window) -> None:
    """However long it takes to leave, the live process that it has ended may be gone before."""
    live, begun = start_live(previewing()), threading.Event()
    window = open_window(start=begun.set)
    qtbot.waitUntil(lambda: window.model.usable)
    window.leave(end_live=True)
    assert live.next_intent() == Quit()
    live.end()
    assert not begun.wait(1)


def test_a_live_process_that_was_still_starting_when_the_window_left_is_ended_too(
    qtbot, start_live, open_window
) -> None:
    """Else it would keep the camera for a minute, and nobody would know why."""
    started, go, begun = [], threading.Event(), threading.Event()

    def start() -> None:
        begun.set()
        go.wait(10)
        started.append(start_live(previewing()))

    window = open_window(start=start)
    assert begun.wait(10)
    window.leave(end_live=True)
    go.set()
    qtbot.waitUntil(lambda: bool(started))
    assert started[0].next_intent() == Quit()


def test_starting_is_tried_so_often_and_then_the_user_is_asked(qtbot, start_live, open_window) -> None:
    tries = []

    def refuse() -> None:
        tries.append(time.monotonic())
        if len(tries) <= 3:
            raise ProcessError(
                "process_does_not_start", process="The live process", sentence="no word", log="live.log"
            )
        start_live(stopped())

    window = open_window(start=refuse, delays_s=(0.0, 0.1, 0.2))
    qtbot.waitUntil(lambda: window.top_bar.chip.word.text() == "Needs you")
    assert window.stage.message.title.text() == "The live process does not start: no word"
    assert window.stage.message.mend.words.text() == "See live.log."
    assert len(tries) == 3 and tries[2] - tries[1] > tries[1] - tries[0]
    window.stage.message.buttons[0].click()
    assert window.top_bar.chip.word.text() == "Starting…"
    qtbot.waitUntil(lambda: window.top_bar.chip.word.text() == "Stopped")


@pytest.mark.expect_log("does not speak this window's language")
def test_another_version_is_named_as_such(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    live._channels[0].send(b'{"type":"snapshot","novelty":1}')
    qtbot.waitUntil(lambda: window.stage.message.title.text() == "Another version of Overpaint is running.")


@pytest.mark.expect_log("hangs")
def test_a_live_process_that_reads_nothing_never_blocks_the_window(qtbot, start_live, open_window) -> None:
    start_live(previewing(), reads=False)
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    ticks: list[float] = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(time.monotonic()))
    timer.start(5)
    for number in range(300):
        window.prompt.use_prompt(f"{number} " * 400)
    qtbot.waitUntil(lambda: len(ticks) > 20)
    timer.stop()
    assert window.model.usable


def test_a_session_that_says_nothing_any_more_is_not_called_live(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    monkeypatch.setattr("overpaint.gui.connection.models.SILENCE_MS", 80)
    live = start_live(on_air())
    window = open_window()
    qtbot.waitUntil(lambda: window.top_bar.chip.word.text() == "Not answering…")

    def live_again() -> bool:
        live.say(on_air())  # the next silence begins at once
        return window.top_bar.chip.word.text() == "Live"

    qtbot.waitUntil(live_again)


def test_of_many_snapshots_only_the_newest_counts(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    seen: list[str] = []
    window.model.changed.connect(lambda: seen.append(window.model.snapshot.prompt))
    for number in range(60):
        live.say(previewing(prompt=str(number)))  # Qt's thread is busy with this
    time.sleep(0.3)
    qtbot.waitUntil(lambda: seen[-1:] == ["59"])
    assert len(seen) < 10
