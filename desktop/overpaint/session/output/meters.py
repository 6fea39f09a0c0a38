"""Meters of the stream: rates and delays over a sliding window.

Thread-safe. Must not know where they are used.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

import numpy as np

WINDOW_NS = 3_000_000_000
SETTLED_NS = 500_000_000
"""Time of events from which their rate is worth showing: the first frames may come in one burst."""
MINUTE_S = 60


class RateMeter:
    """A meter of events a second over the last seconds, with their total."""

    def __init__(self) -> None:
        self._times: deque[int] = deque(maxlen=1024)
        self._guard = threading.Lock()
        self.count = 0

    def mark(self, now_ns: int) -> None:
        """Counts one event."""
        with self._guard:
            self._times.append(now_ns)
            self.count += 1

    def per_second(self, now_ns: int, least_ns: int = 1) -> float:
        """Returns events a second over the window; 0 without events, or before the first is so long ago."""
        with self._guard:
            while self._times and now_ns - self._times[0] > WINDOW_NS:
                self._times.popleft()
            span = now_ns - self._times[0] if self._times else 0
            return (len(self._times) - 1) * 1e9 / span if span >= least_ns else 0.0


@dataclass(frozen=True, slots=True)
class Minute:
    """Statistics of the delays of the last minute, milliseconds.

    Attributes:
        median: Median of all frames.
        p95: 95th percentile of all frames.
        seconds: Median of each complete second, the oldest first; None for a second without frames.
    """

    median: float
    p95: float
    seconds: tuple[float | None, ...]


class DelayMinute:
    """The delays of the last minute, by the second of delivery. Thread-safe."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._second = 0
        self._open: list[float] = []
        self._closed: deque[tuple[int, list[float], float]] = deque(maxlen=MINUTE_S)

    def mark(self, now_ns: int, delay_ms: float) -> None:
        """Records one frame."""
        with self._guard:
            self._close(now_ns // 10**9)
            self._open.append(delay_ms)

    def look(self, now_ns: int) -> Minute | None:
        """Returns the statistics up to now; None without a complete second that has frames."""
        now = now_ns // 10**9
        with self._guard:
            self._close(now)
            kept = [entry for entry in self._closed if now - entry[0] <= MINUTE_S]
        totals = _percentiles([delay for _, delays, _ in kept for delay in delays])
        if totals is None:
            return None
        medians = {second: median for second, _, median in kept}
        return Minute(*totals, tuple(medians.get(second) for second in range(now - MINUTE_S, now)))

    def _close(self, second: int) -> None:
        if second != self._second:
            if self._open:
                self._closed.append((self._second, self._open, float(np.median(self._open))))
            self._second, self._open = second, []


@dataclass
class DelayMeter:
    """A meter of delays, in milliseconds: recent ones for display, all of them for a report."""

    keep_all: bool = False
    _recent: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=1024))
    _all: list[float] = field(default_factory=list)
    _guard: threading.Lock = field(default_factory=threading.Lock)
    minute: DelayMinute = field(default_factory=DelayMinute)
    first_ns: int = 0
    last_ns: int = 0
    count: int = 0

    def mark(self, captured_ns: int, now_ns: int) -> None:
        """Records one frame by its times of capture and delivery."""
        delay_ms = (now_ns - captured_ns) / 1e6
        self.minute.mark(now_ns, delay_ms)
        with self._guard:
            self.first_ns = self.first_ns or now_ns
            self.last_ns = now_ns
            self.count += 1
            self._recent.append((now_ns, delay_ms))
            if self.keep_all:
                self._all.append(delay_ms)

    def recent(self, now_ns: int) -> tuple[float, float] | None:
        """Returns median and 95th percentile over the window; None without frames."""
        with self._guard:
            values = [delay for at, delay in self._recent if now_ns - at <= WINDOW_NS]
        return _percentiles(values)

    def total(self) -> tuple[float, float] | None:
        """Returns median and 95th percentile of all frames (needs ``keep_all``); None without frames."""
        with self._guard:
            return _percentiles(self._all)

    def per_second(self) -> float:
        """Returns frames a second between the first and the last."""
        span = self.last_ns - self.first_ns
        return (self.count - 1) * 1e9 / span if self.count > 1 and span > 0 else 0.0


def _percentiles(values: list[float]) -> tuple[float, float] | None:
    if not values:
        return None
    p50, p95 = np.percentile(values, (50, 95))
    return float(p50), float(p95)
