"""Faults of processes: each is killed, and each is stopped as by a debugger, alone and together."""

from __future__ import annotations

import psutil

from helpers.faults import ELSEWHERE, HERE, HERE_RTC, Fault
from helpers.on_air import OnAir
from helpers.processes import has_ended, role_pid, until


def core_killed(call: OnAir) -> None:
    core = call.core
    call.kill(core)
    call.new_core(core)


def core_killed_beside_its_standby(call: OnAir) -> None:
    """As in any call that has lasted for a while."""
    standby = standby_core(call)
    call.kill(call.core)
    until(lambda: role_pid(call.data_folder, "core") == standby.pid, 20.0, "the standby core in its place")


def core_ended_beside_its_standby(call: OnAir) -> None:
    standby = standby_core(call)
    with call.fault():
        call.core.terminate()
    until(lambda: role_pid(call.data_folder, "core") == standby.pid, 20.0, "the standby core in its place")


def core_and_standby_killed(call: OnAir) -> None:
    core, standby = call.core, standby_core(call)
    with call.fault():
        standby.kill()
        core.kill()
    call.new_core(core)


def standby_core(call: OnAir) -> psutil.Process:
    """Waits for one that has loaded."""
    until(lambda: "a standby core waits" in call.seen.log, 90.0, "a standby core")
    children = call.live.children()
    (standby,) = (each for each in children if "--standby" in each.cmdline() and each.pid != call.core.pid)
    return standby


def core_ended(call: OnAir) -> None:
    core = call.core
    with call.fault():
        core.terminate()
    call.new_core(core)


def core_killed_twice(call: OnAir) -> None:
    """The second time as soon as its successor is there, in the middle of the reconnect."""
    first = call.core
    with call.fault():
        first.kill()
        call.new_core(first)
        second = call.core
        second.kill()
    call.new_core(second)


def server_killed(call: OnAir) -> None:
    with call.fault():
        call.core.kill()
        call.restart(1.0)


def server_ended(call: OnAir) -> None:
    with call.fault():
        call.core.terminate()
        call.restart(1.0)


def core_stopped_1_s(call: OnAir) -> None:
    with call.stopped([call.core], 1.0):
        pass


def core_stopped_6_s(call: OnAir) -> None:
    """Longer than a watchdog waits: here it is replaced; elsewhere nobody is there who could."""
    with call.stopped([call.core], 6.0):
        pass


def core_stopped_for_good(call: OnAir) -> None:
    """It hangs beside its standby: it is killed, and the standby takes over."""
    core, standby = call.core, standby_core(call)
    with call.fault():
        core.suspend()
    until(lambda: role_pid(call.data_folder, "core") == standby.pid, 20.0, "the standby core in its place")
    assert not core.is_running(), "two cores of one data folder"


def server_stopped_for_good(call: OnAir) -> None:
    """Nobody here may kill it: whoever runs it does, and the session that is paid for goes on."""
    with call.fault():
        call.core.suspend()
        call.pause(4.0)
        call.core.kill()
        call.restart()


def live_stopped_1_s(call: OnAir) -> None:
    with call.stopped([call.live], 1.0):
        pass


def live_stopped_2_s(call: OnAir) -> None:
    """Longer than a watchdog waits: it is replaced."""
    live = call.live
    with call.stopped([live], 2.0):
        pass
    follow_if_replaced(call, live)


def follow_if_replaced(call: OnAir, live: psutil.Process) -> None:
    """Where a live process was taken for hung, its successor is the one to talk to."""
    if has_ended(live):
        call.seen.follow(live.pid)


def suspended_10_s(call: OnAir) -> None:
    with call.stopped([call.core, call.live, call.holder], 10.0):
        pass


def desktop_suspended_30_s(call: OnAir) -> None:
    with call.stopped([call.live, call.holder], 30.0):
        pass


def camera_killed(call: OnAir) -> None:
    """The device goes with its holder: nobody can be quicker than its successor's start."""
    former = call.holder
    with call.fault():
        former.kill()
        call.seen.writer_died()


def camera_stopped(call: OnAir) -> None:
    """It is taken for dead after a while, and killed."""
    former = call.holder
    with call.fault():
        former.suspend()
        until(lambda: not former.is_running(), 10.0, "the end of the one that hangs")
        call.seen.writer_died()


FAULTS = [
    Fault("core: kill -9", HERE, core_killed),
    Fault("core: kill -9", HERE_RTC, core_killed),
    Fault("core: kill -9, beside its standby", HERE, core_killed_beside_its_standby),
    Fault("core: kill -9, beside its standby", HERE_RTC, core_killed_beside_its_standby),
    Fault("core: SIGTERM, beside its standby", HERE, core_ended_beside_its_standby),
    Fault("core: kill -9, and its standby too", HERE, core_and_standby_killed),
    Fault("core: kill -9, started again after 1 s", ELSEWHERE, server_killed),
    Fault("core: SIGTERM", HERE, core_ended),
    Fault("core: SIGTERM, started again after 1 s", ELSEWHERE, server_ended),
    Fault("core: kill -9, and its successor too", HERE, core_killed_twice),
    Fault("core: stopped 1 s", HERE, core_stopped_1_s),
    Fault("core: stopped 1 s", HERE_RTC, core_stopped_1_s),
    Fault("core: stopped 1 s", ELSEWHERE, core_stopped_1_s),
    Fault("core: stopped 6 s", HERE, core_stopped_6_s),
    Fault("core: stopped 6 s", ELSEWHERE, core_stopped_6_s),
    Fault("core: stopped for good", HERE, core_stopped_for_good),
    Fault("core: stopped for good", HERE_RTC, core_stopped_for_good),
    Fault("core: stopped for good, killed by its watchdog after 4 s", ELSEWHERE, server_stopped_for_good),
    Fault("live process: stopped 1 s", HERE, live_stopped_1_s),
    Fault("live process: stopped 2 s", HERE, live_stopped_2_s),
    Fault("live process: stopped 2 s", ELSEWHERE, live_stopped_2_s),
    Fault("camera process: kill -9", HERE, camera_killed, stops_writer=True),
    Fault("camera process: stopped for good", HERE, camera_stopped, stops_writer=True),
    Fault("camera process: stopped for good", HERE_RTC, camera_stopped, stops_writer=True),
    Fault("suspend: everything stopped 10 s", HERE, suspended_10_s, stops_writer=True),
    Fault("suspend: the desktop stopped 30 s", ELSEWHERE, desktop_suspended_30_s, stops_writer=True),
]
