"""A standby core waits for nothing but its cue, takes the place of one that dies, and ends with its owner.

Real processes, real locks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from helpers.processes import end_all, role_pid, standby_children, until
from overpaint.processes import roles
from overpaint.processes.command_lines import start_core
from overpaint.processes.supervision import standby
from overpaint.processes.supervision.heartbeat import Patience
from overpaint.processes.supervision.standby import StandbyCore


@pytest.fixture
def core(data_folder: Path) -> Iterator[StandbyCore]:
    start_core(data_folder)
    core = StandbyCore(data_folder)
    yield core
    core.drop()
    end_all(data_folder)


def loaded(core: StandbyCore) -> psutil.Process:
    def waits() -> bool:
        core.keep()  # again: the end of one that was killed is noticed a moment later
        return core.pid is not None and psutil.pid_exists(core.pid)

    until(waits, 60, "a standby core that has loaded")
    return psutil.Process(core.pid)


def kill(process: psutil.Process) -> None:
    process.kill()
    process.wait(10)


@pytest.mark.full
def test_it_takes_the_place_of_a_core_that_was_killed(data_folder: Path, core: StandbyCore) -> None:
    waiting = loaded(core)
    first = role_pid(data_folder, "core")
    assert first not in (None, waiting.pid)
    kill(psutil.Process(first))
    assert core.take_over()
    assert role_pid(data_folder, "core") == waiting.pid
    channel = roles.call(data_folder, "core")
    assert channel is not None and channel.receive(5.0), "it answers with its address and key"
    channel.close()
    assert core.pid is None and not core.take_over(), "it was the only one"
    assert loaded(core).pid != waiting.pid, "and may have a standby of its own"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a thread's priority")
@pytest.mark.full
def test_it_loads_at_the_lowest_priority_and_works_at_its_own(data_folder: Path, core: StandbyCore) -> None:
    core.keep()
    (waiting,) = standby_children()
    nices: set[int] = set()

    def look() -> bool:
        nices.update(os.getpriority(os.PRIO_PROCESS, thread.id) for thread in waiting.threads())
        return core.pid is not None

    until(look, 60, "a standby core that has loaded")
    assert 19 in nices, "that of the thread that loads"
    assert {os.getpriority(os.PRIO_PROCESS, thread.id) for thread in waiting.threads()} == {
        os.getpriority(os.PRIO_PROCESS, 0)
    }, "what waits has its own: on Linux nobody but root could give it that again"


@pytest.mark.full
def test_one_that_waits_holds_nothing_of_the_folder(data_folder: Path, core: StandbyCore) -> None:
    waiting = loaded(core)
    files = [Path(file.path) for file in waiting.open_files()]
    assert [file for file in files if data_folder in file.parents and file.name != "core.log"] == []
    assert waiting.net_connections() == []


def test_it_ends_with_whoever_has_begun_it(data_folder: Path) -> None:
    program = """
import os, sys, time
from pathlib import Path
from overpaint.processes.supervision.standby import StandbyCore
core = StandbyCore(Path(sys.argv[1]))
core.keep()
while core.pid is None:
    time.sleep(0.05)
print(core.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    owner = subprocess.run([sys.executable, "-c", program, str(data_folder)], capture_output=True, text=True)
    pid = int(owner.stdout)
    until(lambda: not psutil.pid_exists(pid), 10, "the end of what nobody can cue any more")
    assert role_pid(data_folder, "core") is None


@pytest.mark.full
def test_dropped_it_ends_and_is_not_kept_twice(data_folder: Path, core: StandbyCore) -> None:
    waiting = loaded(core)
    core.keep()
    assert core.pid == waiting.pid, "one is enough"
    core.drop()
    until(lambda: not waiting.is_running(), 10, "its end")
    assert not core.take_over()


@pytest.mark.full
def test_one_that_still_loads_or_has_died_is_not_waited_for(data_folder: Path, core: StandbyCore) -> None:
    core.keep()
    assert not core.take_over(), "a new one is as quick"
    waiting = loaded(core)
    kill(waiting)
    another = loaded(core)
    assert another.pid != waiting.pid, "one that has died is replaced"
    kill(another)
    assert not core.take_over()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot stop a process")
@pytest.mark.full
def test_one_that_hangs_is_ended(
    data_folder: Path, core: StandbyCore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "TAKES_OVER_S", 0.5)
    waiting = loaded(core)
    waiting.suspend()
    assert not core.take_over()
    until(lambda: not waiting.is_running(), 10, "its end")


@pytest.mark.full
@pytest.mark.expect_log("hangs")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot stop a process")
def test_one_that_hangs_while_it_waits_is_ended_and_can_be_followed(
    data_folder: Path, core: StandbyCore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "PATIENCE", Patience(period_s=0.2, stopped=2, idle=20, busy=100))
    waiting = loaded(core)
    time.sleep(1.5)
    assert waiting.is_running(), "it answers"
    waiting.suspend()
    until(lambda: not waiting.is_running(), 10, "its end")
    assert loaded(core).pid != waiting.pid


@pytest.mark.full
def test_a_core_that_is_there_is_left_alone(data_folder: Path, core: StandbyCore) -> None:
    """Another process was quicker: the standby waits for its end a moment, and gives way."""
    waiting = loaded(core)
    first = role_pid(data_folder, "core")
    assert core.take_over(), "there is a core"
    assert role_pid(data_folder, "core") == first != waiting.pid
    until(lambda: not waiting.is_running(), 10, "the end of the one too many")


@pytest.mark.full
def test_none_is_begun_where_memory_is_short(
    data_folder: Path, core: StandbyCore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "ROOM_BYTES", 1 << 60)
    core.keep()
    assert not core.take_over()
    assert not standby_children()
