"""The watch over one process at work: how much memory and time it may take. Must not know what it does.

Time is the processor's, counted from the last sign of progress: a worker of lowest priority beside a
busy stream may wait for minutes, and that is no fault of its file.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

import psutil

_LOOK_S = 0.1
"""Nothing tells when a process grows, so it is asked."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a task may take.

    Attributes:
        cpu_s: Processor seconds without a sign of progress.
        memory_bytes: Resident memory.
        blames_input: Whether the file is at fault for whatever is exceeded.
        wall_s: Seconds without a sign of progress, however busy the machine is; this blames nobody.
    """

    cpu_s: float
    memory_bytes: int
    blames_input: bool = False
    wall_s: float = 900.0


class Guard:
    """Watches a process until it goes over a limit.

    Attributes:
        verdict: Why it was killed, as a sentence for a user; empty while all is well.
        input_is_wrong: Whether that is the file's fault.
    """

    def __init__(self, pid: int, limits: Limits) -> None:
        self.verdict = ""
        self.input_is_wrong = False
        self._limits = limits
        try:
            self._process: psutil.Process | None = psutil.Process(pid)
        except psutil.NoSuchProcess:
            self._process = None
        self._cpu_s = self._used()
        self._since = time.monotonic()

    def advanced(self) -> None:
        """Takes note of progress: the clocks start again."""
        self._cpu_s = self._used()
        self._since = time.monotonic()

    async def watch(self) -> None:
        """Returns when a limit is passed and the process has been killed, or when it is gone."""
        while self._process is not None:
            try:
                memory = self._process.memory_info().rss
                self._judge(memory, self._used() - self._cpu_s, time.monotonic() - self._since)
                if self.verdict:
                    self._process.kill()
                    return
            except psutil.NoSuchProcess:
                return
            await asyncio.sleep(_LOOK_S)

    def _judge(self, memory: int, cpu_s: float, wall_s: float) -> None:
        limits = self._limits
        if memory > limits.memory_bytes:
            self.verdict = "The file takes more memory than is allowed."
        elif cpu_s > limits.cpu_s:
            self.verdict = "The file takes more time than is allowed."
        elif wall_s > limits.wall_s:
            self.verdict = "The worker did not come forward."
            return
        self.input_is_wrong = bool(self.verdict) and limits.blames_input

    def _used(self) -> float:
        if self._process is None:
            return 0.0
        try:
            times = self._process.cpu_times()
        except psutil.NoSuchProcess:
            return 0.0
        return float(times.user + times.system)
