"""Watchdog and heartbeat between processes: one that is silent for too long is killed.

The watched process answers each ``PING`` with a ``PONG`` as soon as its main work (an event loop, a writing
loop) has advanced; a thread of its own that is alive proves nothing. The watching one counts answers that
did not come, not seconds: a computer that slept, or a watcher that was stopped itself, looks the same on
the clock. How many may fail to come depends on what the system says of the silent process: one that is
stopped is not going to answer, one that computes may be about to. Must not know what the processes do, nor
over what they talk.
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
"""On channels that carry messages of their own kind besides."""

PAUSE_S = 1.0
"""A watcher whose own beat is late by more was paused itself, and begins to count anew."""
BUSY_SHARE = 0.02
"""Of one processor; who uses less computes nothing."""
GONE_S = 5.0
"""How long the system may take to end a process that was killed."""
DOUBT_BEATS = 5
"""So many missed answers before its end a process is doubted: time enough to load its successor."""

_ROUNDING = 1e-9

_STOPPED = (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)

_AT_WORK = frozenset(
    {psutil.STATUS_DISK_SLEEP, *((psutil.STATUS_RUNNING,) if sys.platform == "linux" else ())}
)
"""It waits for a disk, or for a processor that others have: of low priority, that may take long. Elsewhere
than on Linux a process is called running although it waits for something else.
"""

Activity = Literal["stopped", "idle", "busy"]


@dataclass(frozen=True, slots=True)
class Patience:
    """How many answers in a row may fail to come.

    Attributes:
        period_s: From one ping to the next, seconds.
        stopped: Of a process that the system has stopped (SIGSTOP, a debugger).
        idle: Of one that uses no processor time meanwhile: deadlocked.
        busy: Of one that computes, or waits for a disk.
    """

    period_s: float = 0.25
    stopped: int = 6
    idle: int = 12
    busy: int = 32


USUAL = Patience()


class MissedBeats:
    """The count of pings that were not answered.

    Args:
        patience: How many may be missed.
    """

    def __init__(self, patience: Patience = USUAL) -> None:
        self._patience = patience
        self._missed = 0
        self._spent = 0.0
        self._limit = patience.busy

    @property
    def missed(self) -> int:
        """In a row."""
        return self._missed

    @property
    def doubtful(self) -> bool:
        """Whether it hangs unless it answers before ``DOUBT_BEATS`` more pings."""
        return self._is_over(DOUBT_BEATS)

    def answered(self) -> None:
        """An answer came."""
        self._missed, self._spent, self._limit = 0, 0.0, self._patience.busy

    def beat(self, since_last_s: float, activity: Activity) -> bool:
        """A ping is due.

        Args:
            since_last_s: Seconds since the one before, by the watcher's clock.
            activity: What the watched process has done meanwhile.

        Returns:
            Whether so many were missed that it hangs.
        """
        if since_last_s > self._patience.period_s + PAUSE_S:
            self.answered()  # nobody listened for the answers
            return False
        limits = {"stopped": self._patience.stopped, "idle": self._patience.idle, "busy": self._patience.busy}
        self._limit = limits[activity]
        self._missed += 1
        # Each counts by what was done meanwhile: one that computed for long and then waits for a moment is
        # not one that has waited for long.
        self._spent += 1 / self._limit
        return self._is_over()

    def _is_over(self, further: int = 0) -> bool:
        """Whether it hangs, or will after so many more of the last kind."""
        spent = self._spent + further / self._limit
        return self._missed + further > self._limit and spent > 1 + _ROUNDING


class Vitals:
    """What the system says of a process.

    Args:
        process: The process.
    """

    def __init__(self, process: psutil.Process) -> None:
        self._process = process
        self._at_s, self._cpu_s = time.monotonic(), self._used_s()

    def activity(self) -> Activity:
        """What it has done since the last call; "idle" where it is gone."""
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
        pid: Of that process; where it is not known (None) or is this one, only ``hung`` can be called.
        ping: Sends a ping; raises ``LinkError`` or ``OSError`` where the connection has ended: then the
            watch has, too.
        title: What a person would call the process.
        hung: Called when it hangs, before it is killed, from the watchdog's thread.
        patience: How long it may be silent.
        doubted: Called with True, from the watchdog's thread, when it has been silent for so long that its
            successor may be loaded; with False, from any thread, when it answers after all. Must not block.
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
        """It has answered; from any thread."""
        with self._answers:
            self._beats.answered()
            self._count += 1
            relieved, self._in_doubt = self._in_doubt, False
            self._answers.notify_all()
        if relieved:
            self._doubted(False)

    def proves_alive(self) -> bool:
        """Pings it now and waits for the answer; False when it hangs, or the watch has ended."""
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
            pass  # its end is noticed by whoever reads from it
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
    """Proof that an event loop advances.

    Args:
        loop: The loop.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def __call__(self) -> None:
        """Returns once the loop has turned; raises ``LinkError`` where it has ended."""
        turned = threading.Event()
        try:
            self._loop.call_soon_threadsafe(turned.set)
        except RuntimeError as error:
            raise LinkError("loop_is_ending") from error
        while not turned.wait(1.0):
            if self._loop.is_closed():
                raise LinkError("loop_is_ending")


class CountedPulse:
    """Proof that a loop of a thread advances: that calls ``advanced`` in each round."""

    def __init__(self) -> None:
        self._rounds = threading.Condition()
        self._count = 0

    def advanced(self) -> None:
        """A round has begun."""
        with self._rounds:
            self._count += 1
            self._rounds.notify_all()

    def __call__(self) -> None:
        """Returns once a round has begun after this call."""
        with self._rounds:
            before = self._count
            self._rounds.wait_for(lambda: self._count > before)


def is_stopped(pid: int) -> bool:
    """Whether the system has stopped a process (SIGSTOP, a debugger)."""
    try:
        return psutil.Process(pid).status() in _STOPPED
    except psutil.Error:
        return False


def end_by_force(process: psutil.Process) -> bool:
    """Kills a process, stopped ones too, and returns when it is gone and has let go of what it held.

    Returns:
        Whether it is gone; False when the system does not let it end (it waits for a device).
    """
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:
        return False
    ends_s = time.monotonic() + GONE_S
    while time.monotonic() < ends_s:
        # One that nobody has waited for yet holds nothing any more.
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
