"""Heartbeat and watchdog between processes: a process that is silent for too long is killed.

The watched process answers each ``PING`` with a ``PONG`` as soon as its main work (an event loop, a writing
loop) has advanced; a mere living thread would prove nothing. The watchdog counts missed answers, not seconds,
since by the clock a sleeping computer or a stopped watchdog look the same. The allowed number depends on the
state of the silent process: a stopped one will not answer, a computing one may. Must not know what the
processes do, nor their transport.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import psutil

from overpaint.errors import LinkError

log = logging.getLogger(__name__)

PING, PONG = b"ping", b"pong"
"""Words on channels that also carry other messages."""

PAUSE_S = 1.0
"""A watchdog whose own beat is delayed by this much was paused itself, and resets its count."""
BUSY_SHARE = 0.02
"""Share of one processor below which a process counts as idle."""
GONE_S = 5.0
"""Time limit for the system to end a killed process."""
DOUBT_BEATS = 5
"""A process that is this many missed answers below its limit is in doubt, so that its successor can load."""

_ROUNDING = 1e-9

_STOPPED = (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)

_AT_WORK = frozenset(
    {psutil.STATUS_DISK_SLEEP, *((psutil.STATUS_RUNNING,) if sys.platform == "linux" else ())}
)
"""States of waiting for a disk, or for a processor, which may take long at low priority. Other systems than
Linux report "running" also while a process waits for something else.
"""

Activity = Literal["stopped", "idle", "busy"]


@dataclass(frozen=True, slots=True)
class Patience:
    """The limits of missed answers in a row.

    Attributes:
        period_s: Seconds between pings.
        stopped: Limit for a stopped process (SIGSTOP, a debugger).
        idle: Limit for one that uses no processor time meanwhile: deadlocked.
        busy: Limit for one that computes, or waits for a disk.
    """

    period_s: float = 0.25
    stopped: int = 6
    idle: int = 12
    busy: int = 32


USUAL = Patience()
"""1.75 s for a stopped process, 3.25 s for a deadlocked one, 8.25 s for one at work: a process is killed when
it has missed more answers than its limit. The standby core has limits of its own (``standby.PATIENCE``), and
so have workers (``transforms/worker_watchdog.py``)."""


class MissedBeats:
    """The count of unanswered pings.

    Args:
        patience: The limits.
    """

    def __init__(self, patience: Patience = USUAL) -> None:
        self._patience = patience
        self._missed = 0
        self._spent = 0.0
        self._limit = patience.busy

    @property
    def missed(self) -> int:
        """The number of missed answers in a row."""
        return self._missed

    @property
    def doubtful(self) -> bool:
        """Whether ``DOUBT_BEATS`` more missed answers would mean that it hangs."""
        return self._is_over(DOUBT_BEATS)

    def answered(self) -> None:
        """Records an answer."""
        self._missed, self._spent, self._limit = 0, 0.0, self._patience.busy

    def beat(self, since_last_s: float, activity: Activity) -> bool:
        """Counts a ping.

        Args:
            since_last_s: Seconds since the former ping, by the watchdog's clock.
            activity: Activity of the watched process meanwhile.

        Returns:
            Whether the process counts as hung.
        """
        if since_last_s > self._patience.period_s + PAUSE_S:
            self.answered()  # the watchdog itself was paused
            return False
        limits = {"stopped": self._patience.stopped, "idle": self._patience.idle, "busy": self._patience.busy}
        self._limit = limits[activity]
        self._missed += 1
        # Each missed answer counts by its activity: a process that computed for long and then waits for a
        # moment has not waited for long.
        self._spent += 1 / self._limit
        return self._is_over()

    def _is_over(self, further: int = 0) -> bool:
        """Returns whether it hangs, or would after that many more of the last activity."""
        spent = self._spent + further / self._limit
        return self._missed + further > self._limit and spent > 1 + _ROUNDING


class Vitals:
    """The activity of a process, as the system reports it.

    Args:
        process: The process.
    """

    def __init__(self, process: psutil.Process) -> None:
        self._process = process
        self._at_s, self._cpu_s = time.monotonic(), self._used_s()

    def activity(self) -> Activity:
        """Returns its activity since the last call; "idle" where it has ended."""
        before_s, used_s = self._at_s, self._cpu_s
        self._at_s, self._cpu_s = time.monotonic(), self._used_s()
        try:
            status = self._process.status()
        except psutil.Error:
            return "idle"
        if status in _STOPPED:
            return "stopped"
        computes = self._cpu_s - used_s > BUSY_SHARE * (self._at_s - before_s)
        return "busy" if computes or status in _AT_WORK else "idle"

    def _used_s(self) -> float:
        try:
            times = self._process.cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)


class Watchdog:
    """A thread that pings another process, and kills it when it hangs.

    Args:
        pid: Its process id; where unknown (None) or this process's own, only ``hung`` is called.
        ping: Sends a ping; raises ``LinkError`` or ``OSError`` where the connection has ended, which ends the
        watch.
        title: Its name for logs.
        hung: Called when it hangs, before it is killed, from the watchdog's thread.
        patience: The limits of missed answers.
        doubted: Called with True, from the watchdog's thread, when its successor should be loaded; with
            False,
        from any thread, when it answers after all. Must not block.
    """

    def __init__(
        self,
        pid: int | None,
        ping: Callable[[], None],
        title: str,
        hung: Callable[[], None] = lambda: None,
        patience: Patience = USUAL,
        doubted: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._ping, self._title, self._hung = ping, title, hung
        self._patience, self._doubted = patience, doubted
        self._in_doubt = False
        self._beats = MissedBeats(patience)
        self._answers = threading.Condition()
        self._count = 0
        self._closed = threading.Event()
        self._process = _process(pid)
        threading.Thread(target=self._run, name="watchdog", daemon=True).start()

    def answered(self) -> None:
        """Records an answer; from any thread."""
        with self._answers:
            self._beats.answered()
            self._count += 1
            relieved, self._in_doubt = self._in_doubt, False
            self._answers.notify_all()
        if relieved:
            self._doubted(False)

    def proves_alive(self) -> bool:
        """Pings it and waits for the answer; False when it hangs, or the watch has ended."""
        with self._answers:
            before = self._count
        try:
            self._ping()
        except (LinkError, OSError):
            return False
        with self._answers:
            self._answers.wait_for(lambda: self._count > before or self._closed.is_set())
            return self._count > before

    def close(self) -> None:
        """Ends the watch; idempotent."""
        self._closed.set()
        with self._answers:
            self._answers.notify_all()

    def _run(self) -> None:
        try:
            self._watch()
        except (LinkError, OSError):
            pass  # the reader of its channel notices its end
        finally:
            self.close()

    def _watch(self) -> None:
        process = self._process
        vitals = Vitals(process) if process is not None else None
        last_s = time.monotonic()
        while not self._closed.wait(self._patience.period_s):
            now_s = time.monotonic()
            activity = vitals.activity() if vitals is not None and self._beats.missed else "idle"
            with self._answers:
                hangs = self._beats.beat(now_s - last_s, activity)
                begins_doubt = self._beats.doubtful and not self._in_doubt
                self._in_doubt |= begins_doubt
            last_s = now_s
            if begins_doubt:
                try:
                    self._doubted(True)
                except Exception:
                    log.exception("%s may hang, and its successor cannot be loaded", self._title)
            if hangs:
                self.close()
                try:
                    self._hung()
                finally:
                    self._end(activity)
                return
            self._ping()

    def _end(self, activity: Activity) -> None:
        if self._process is None:
            log.warning("%s hangs, and there is no process to kill", self._title)
            return
        log.warning("%s (process %d) hangs (%s), and is killed", self._title, self._process.pid, activity)
        if not end_by_force(self._process):
            log.error("%s (process %d) does not end", self._title, self._process.pid)


class EventLoopPulse:
    """The proof that an event loop advances.

    Args:
        loop: The loop.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def __call__(self) -> None:
        """Returns once the loop has advanced; raises ``LinkError`` where it has ended."""
        turned = threading.Event()
        try:
            self._loop.call_soon_threadsafe(turned.set)
        except RuntimeError as error:
            raise LinkError("loop_is_ending") from error
        while not turned.wait(1.0):
            if self._loop.is_closed():
                raise LinkError("loop_is_ending")


class CountedPulse:
    """The proof that a thread's loop advances, which calls ``advanced`` in each round."""

    def __init__(self) -> None:
        self._rounds = threading.Condition()
        self._count = 0

    def advanced(self) -> None:
        """Records that a round has begun."""
        with self._rounds:
            self._count += 1
            self._rounds.notify_all()

    def __call__(self) -> None:
        """Returns once a round has begun after this call."""
        with self._rounds:
            before = self._count
            self._rounds.wait_for(lambda: self._count > before)


def is_stopped(pid: int) -> bool:
    """Returns whether the system has stopped a process (SIGSTOP, a debugger)."""
    try:
        return psutil.Process(pid).status() in _STOPPED
    except psutil.Error:
        return False


def end_by_force(process: psutil.Process) -> bool:
    """Kills a process, also a stopped one; returns when it is gone and has released its resources.

    Returns:
        Whether it is gone; False when the system cannot end it (it waits for a device).
    """
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:
        return False
    ends_s = time.monotonic() + GONE_S
    while time.monotonic() < ends_s:
        # A zombie holds no resources any more.
        try:
            if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.005)
    return False


def _process(pid: int | None) -> psutil.Process | None:
    if not pid or pid == os.getpid():
        return None
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None
