"""A process that hangs is told from one that is busy, one that slept with us, and one that is only slow."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from helpers.processes import has_ended, until
from overpaint.errors import LinkError
from overpaint.processes.channel import Channel, ChannelServer, connect
from overpaint.processes.supervision import heartbeat
from overpaint.processes.supervision.heartbeat import (
    DOUBT_BEATS,
    PING,
    PONG,
    Activity,
    CountedPulse,
    EventLoopPulse,
    MissedBeats,
    Patience,
    Vitals,
    Watchdog,
    end_by_force,
)

pytestmark = pytest.mark.process


PERIOD_S = 0.25
SHORT = Patience(period_s=0.05, stopped=6, idle=10, busy=100_000)


def beats_until_hung(activity: Activity) -> int:
    beats = MissedBeats()
    return next(count for count in range(1000) if beats.beat(PERIOD_S, activity))


def test_who_computes_is_given_more_time_than_who_is_stopped() -> None:
    assert beats_until_hung("stopped") < beats_until_hung("idle") < beats_until_hung("busy")
    assert 1.0 < beats_until_hung("stopped") * PERIOD_S <= 1.75, "a second's stop is survived"


@pytest.mark.parametrize("activity", ["stopped", "idle", "busy"])
def test_a_process_is_doubted_so_long_before_its_end(activity: Activity) -> None:
    beats = MissedBeats()
    doubted = next(count for count in range(1000) if beats.beat(PERIOD_S, activity) or beats.doubtful)
    assert beats_until_hung(activity) - doubted == DOUBT_BEATS
    beats.answered()
    assert not beats.doubtful


def test_answers_that_come_late_are_answers() -> None:
    beats = MissedBeats()
    for _ in range(50):
        assert not any(beats.beat(PERIOD_S, "stopped") for _ in range(6))
        beats.answered()


def test_who_computed_for_long_and_waits_for_a_moment_is_not_taken_for_one_that_waits() -> None:
    beats = MissedBeats()
    assert not any(beats.beat(PERIOD_S, "busy") for _ in range(25))
    assert not beats.beat(PERIOD_S, "idle")
    assert not any(beats.beat(PERIOD_S, "busy") for _ in range(2))
    assert any(beats.beat(PERIOD_S, "idle") for _ in range(5)), "but not for ever"


@pytest.mark.skipif(sys.platform != "linux", reason="others call every process running")
def test_who_waits_for_a_processor_is_busy() -> None:
    """Of the lowest priority beside others that compute: it uses no time, and is not deadlocked."""

    class Starved:
        def status(self) -> str:
            return psutil.STATUS_RUNNING

        def cpu_times(self) -> Any:
            return psutil.Process().cpu_times()._replace(user=1.0, system=0.0)

    vitals = Vitals(Starved())  # type: ignore[arg-type]
    assert vitals.activity() == "busy"


def test_a_watcher_that_was_paused_itself_blames_nobody() -> None:
    beats = MissedBeats()
    assert not any(beats.beat(PERIOD_S, "stopped") for _ in range(6))
    assert not beats.beat(30.0, "stopped"), "the computer slept"
    assert not any(beats.beat(PERIOD_S, "stopped") for _ in range(6)), "and it may wake slowly"
    assert beats.beat(PERIOD_S, "stopped")


def test_a_loaded_machine_stretches_the_time_it_gives() -> None:
    beats = MissedBeats()
    assert not any(beats.beat(PERIOD_S + 0.9, "stopped") for _ in range(6))
    assert beats.beat(PERIOD_S + 0.9, "stopped")


@pytest.fixture
def child() -> Iterator[psutil.Popen]:
    """Computes once it is told to, and sleeps until then."""
    program = "import sys\nprint(flush=True)\nfor line in sys.stdin:\n while 'compute' in line: pass"
    process = psutil.Popen([sys.executable, "-c", program], stdin=-1, stdout=-1)
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot stop a process")
def test_the_system_says_what_a_silent_process_does(child: psutil.Popen) -> None:
    vitals = Vitals(child)

    def activity() -> Activity:
        time.sleep(0.2)
        return vitals.activity()

    vitals.activity()
    assert activity() == "idle"
    child.stdin.write(b"compute\n")
    child.stdin.flush()
    until(lambda: activity() == "busy", 10)
    child.suspend()
    until(lambda: activity() == "stopped", 10)


@pytest.mark.expect_log("hangs")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot stop a process")
def test_a_silent_process_is_killed_and_gone(child: psutil.Popen) -> None:
    hung = threading.Event()
    child.suspend()
    Watchdog(child.pid, lambda: None, "the child", hung.set, SHORT)
    assert hung.wait(10)
    until(lambda: has_ended(child), 10)


@pytest.mark.expect_log("hangs")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_it_is_killed_although_whoever_is_told_fails(child: psutil.Popen) -> None:
    def fail() -> None:
        raise RuntimeError("Event loop is closed")

    child.suspend()
    before = set(threading.enumerate())
    Watchdog(child.pid, lambda: None, "the child", fail, SHORT)
    (watching,) = set(threading.enumerate()) - before
    until(lambda: has_ended(child), 10)
    watching.join(10)  # its error is of this test, not of the next


def test_nobody_is_killed_where_no_process_is_known() -> None:
    """0 is the kernel's own on macOS and Windows."""
    assert heartbeat._process(0) is None and heartbeat._process(None) is None


def test_a_process_whose_number_another_one_has_by_now_is_gone() -> None:
    class Reused:
        def kill(self) -> None: ...

        def is_running(self) -> bool:
            return False

        def status(self) -> str:
            return psutil.STATUS_RUNNING

    assert end_by_force(Reused())  # type: ignore[arg-type]


def test_a_process_that_answers_lives(child: psutil.Popen) -> None:
    watchdog: Watchdog | None = None

    def ping() -> None:
        if watchdog is not None:
            threading.Timer(0.01, watchdog.answered).start()

    watchdog = Watchdog(child.pid, ping, "the child", patience=SHORT)
    time.sleep(1.5)
    assert watchdog.proves_alive()
    watchdog.close()
    assert child.is_running()


def test_a_broken_connection_ends_the_watch_and_kills_nobody(child: psutil.Popen) -> None:
    def ping() -> None:
        raise LinkError("channel_lost")

    watchdog = Watchdog(child.pid, ping, "the child", patience=SHORT)
    assert not watchdog.proves_alive()
    time.sleep(1.0)
    assert child.is_running()


def test_a_loop_that_is_blocked_has_no_pulse_although_its_process_lives() -> None:
    """Over a real channel: the thread that would answer lives, and waits."""
    loop = asyncio.new_event_loop()
    runner = threading.Thread(target=loop.run_forever)
    runner.start()
    pulse = EventLoopPulse(loop)

    def answer(channel: Channel) -> None:
        while channel.receive() == PING:
            pulse()
            channel.send(PONG)

    server = ChannelServer(answer, "pulse")
    channel = connect(server.address, server.secret)
    channel.send(PING)
    assert channel.receive(5) == PONG
    block = threading.Event()
    loop.call_soon_threadsafe(block.wait)
    channel.send(PING)
    assert channel.receive(0.5) is None
    block.set()
    assert channel.receive(5) == PONG
    loop.call_soon_threadsafe(loop.stop)
    runner.join()
    loop.close()
    with pytest.raises(LinkError):
        pulse()
    channel.close()
    server.close()


def test_a_round_that_began_before_the_question_is_no_answer() -> None:
    pulse, answered = CountedPulse(), threading.Event()
    pulse.advanced()

    def ask() -> None:
        pulse()
        answered.set()

    threading.Thread(target=ask, daemon=True).start()
    assert not answered.wait(0.2)
    pulse.advanced()
    assert answered.wait(5)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot stop a process")
def test_a_stopped_process_can_be_ended_by_force(child: psutil.Popen) -> None:
    child.suspend()
    assert end_by_force(child)
    assert end_by_force(child), "also one that is gone already"
