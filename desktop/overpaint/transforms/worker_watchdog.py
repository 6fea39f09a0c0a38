"""The watchdog over one process at work: how much memory and time it may take, and whether it hangs.

Time is the processor's: a worker of lowest priority beside a busy stream may wait for minutes, and that is no
fault of its file. It is counted twice: from the last sign of progress, and over the whole task, where no
progress resets it. A process that the system has stopped will not answer: it counts as hung after some beats
of the watch. Must not know what the process does.
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
"""Nothing tells when a process grows, so it is asked."""
_NEVER = 1 << 30
_PATIENCE = Patience(period_s=_LOOK_S, stopped=12, idle=_NEVER, busy=_NEVER)
"""What is stopped is given up after a good second; what waits for the processor has the limits' time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a task.

    Attributes:
        cpu_s: Processor seconds without a sign of progress.
        memory_bytes: Resident memory.
        blames_input: Whether the file is at fault for whatever is exceeded.
        wall_s: Seconds without a sign of progress, however busy the machine is; this blames nobody.
        whole_cpu_s: Processor seconds of the whole task, progress or not; None for no bound.
        cpu_ns_per_pixel: To be added to them for each pixel of a clip, nanoseconds.
        pixels_max: As many are believed.
        yields_after_s: Processor seconds after which the process has the lowest priority there is; None for
            never. There is no way back for it.
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
    """The watchdog of a process, which kills it over a limit.

    Attributes:
        error: Why it was killed, an ``InvalidRequestError`` where that is the file's fault; None while all is
            well.
        yields: Whether it has the lowest priority there is.
        hung: Whether it was killed because it was stopped: the same task may well end elsewhere.
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
        """Why it was killed, as a sentence; empty while all is well."""
        return "" if self.error is None else str(self.error)

    @property
    def input_is_wrong(self) -> bool:
        """Whether that is the file's fault."""
        return isinstance(self.error, InvalidRequestError)

    def begun(self, pixels: int) -> None:
        """Takes note of how much work it is; of what the process says, no more than may be."""
        if self._whole_cpu_s is not None and self._limits.whole_cpu_s is not None:
            believed = min(max(0, pixels), self._limits.pixels_max)
            self._whole_cpu_s = self._limits.whole_cpu_s + believed * self._limits.cpu_ns_per_pixel / 1e9

    def advanced(self) -> None:
        """Takes note of progress: the clocks start again, but for that of the whole task."""
        self._cpu_s = self._used()
        self._since = time.monotonic()

    async def watch(self) -> None:
        """Returns when a limit is passed and the process has been killed, or when it is gone."""
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
