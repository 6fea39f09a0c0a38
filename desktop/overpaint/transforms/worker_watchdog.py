"""The watchdog of one worker process: limits of memory and CPU time, and detection of hangs.

CPU time is limited, not elapsed time, because a worker of low priority beside a busy stream may wait for
minutes. It is counted since the last progress, and over the whole task. A process that is stopped (SIGSTOP,
a debugger) counts as hung after several polls. Must not know what the process does.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

import psutil

from overpaint.errors import InvalidRequestError, UpstreamError
from overpaint.processes.children import set_priority
from overpaint.processes.supervision.heartbeat import MissedBeats, Patience, Vitals

_LOOK_S = 0.1
"""Polling interval: the system does not notify when a process grows."""
_NEVER = 1 << 30
_PATIENCE = Patience(period_s=_LOOK_S, stopped=12, idle=_NEVER, busy=_NEVER)
"""A stopped process is killed after a good second; one that waits for the CPU has the time of its limits."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a task.

    Attributes:
        cpu_s: CPU seconds without progress.
        memory_bytes: Resident memory.
        blames_input: Whether exceeding a limit is an error of the file (``InvalidRequestError``).
        wall_s: Elapsed seconds without progress; never an error of the file.
        whole_cpu_s: CPU seconds of the whole task; None for no limit.
        cpu_ns_per_pixel: Nanoseconds added to ``whole_cpu_s`` for each pixel of a clip.
        pixels_max: Upper bound of the pixels that a worker may claim.
        yields_after_s: CPU seconds after which the process gets the lowest priority, which it cannot raise
            again; None for never.
    """

    cpu_s: float
    memory_bytes: int
    blames_input: bool = False
    wall_s: float = 900.0
    whole_cpu_s: float | None = None
    cpu_ns_per_pixel: float = 0.0
    pixels_max: int = 0
    yields_after_s: float | None = None


class Guard:
    """The watchdog of one process, which kills it over a limit.

    Attributes:
        error: Why it was killed, an ``InvalidRequestError`` where the file is the cause; None while it is
            within its limits.
        yields: Whether it has the lowest priority.
        hung: Whether it was killed because it was stopped, so that a retry may succeed.
    """

    def __init__(self, pid: int, limits: Limits) -> None:
        self.error: InvalidRequestError | UpstreamError | None = None
        self.hung = self.yields = False
        self._limits = limits
        self._beats = MissedBeats(_PATIENCE)
        try:
            self._process: psutil.Process | None = psutil.Process(pid)
        except psutil.NoSuchProcess:
            self._process = None
        self._vitals = None if self._process is None else Vitals(self._process)
        self._cpu_s = self._begun_cpu_s = self._used()
        self._since = time.monotonic()
        self._whole_cpu_s = limits.whole_cpu_s

    @property
    def verdict(self) -> str:
        """Why it was killed, as a sentence; empty while it is within its limits."""
        return "" if self.error is None else str(self.error)

    def begun(self, pixels: int) -> None:
        """Raises the limit of the whole task by the claimed amount of work, bounded by ``pixels_max``."""
        if self._whole_cpu_s is not None and self._limits.whole_cpu_s is not None:
            believed = min(max(0, pixels), self._limits.pixels_max)
            self._whole_cpu_s = self._limits.whole_cpu_s + believed * self._limits.cpu_ns_per_pixel / 1e9

    def advanced(self) -> None:
        """Records progress: restarts every limit except that of the whole task."""
        self._cpu_s = self._used()
        self._since = time.monotonic()

    async def watch(self) -> None:
        """Polls until the process has exited, or was killed over a limit."""
        last_s = time.monotonic()
        while self._process is not None and self._vitals is not None:
            try:
                now_s, activity = time.monotonic(), self._vitals.activity()
                if activity != "stopped":
                    self._beats.answered()
                elif self._beats.beat(now_s - last_s, activity):
                    self.error, self.hung = UpstreamError("worker_hangs"), True
                last_s = now_s
                memory = self._process.memory_info().rss
                used_s = self._used()
                self._judge(memory, used_s, time.monotonic() - self._since)
                least = self._limits.yields_after_s
                if least is not None and used_s - self._begun_cpu_s > least and not self.yields:
                    self.yields = True
                    set_priority("idle", self._process.pid)
                if self.error is not None:
                    self._process.kill()
                    return
            except psutil.NoSuchProcess:
                return
            await asyncio.sleep(_LOOK_S)

    def _judge(self, memory: int, used_s: float, wall_s: float) -> None:
        limits = self._limits
        if self.hung:
            return
        whole_s = self._whole_cpu_s
        too_long = whole_s is not None and used_s - self._begun_cpu_s > whole_s
        if memory > limits.memory_bytes:
            error = InvalidRequestError("transform_takes_memory")
        elif too_long or used_s - self._cpu_s > limits.cpu_s:
            error = InvalidRequestError("transform_takes_time")
        elif wall_s > limits.wall_s:
            self.error = UpstreamError("worker_stands_still")
            return
        else:
            return
        self.error = error if limits.blames_input else UpstreamError.of(error)

    def _used(self) -> float:
        if self._process is None:
            return 0.0
        try:
            times = self._process.cpu_times()
        except psutil.NoSuchProcess:
            return 0.0
        return float(times.user + times.system)
