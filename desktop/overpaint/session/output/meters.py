"""Meters of the stream: rates and delays over a sliding window.

Thread-safe; must not know where it is used.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

import numpy as np

WINDOW_NS = 3_000_000_000
MINUTE_S = 60


class RateMeter:
    """Events a second over the last seconds, and their count since the start."""

    def __init__(self) -> None:
        self._times: deque[int] = deque(maxlen=1024)
        self._guard = threading.Lock()
        self.count = 0

    def mark(self, now_ns: int) -> None:
        """One event."""
        with self._guard:
            self._times.append(now_ns)
            self.count += 1

    def per_second(self, now_ns: int) -> float:
        """Events a second over the window; 0 when there was none."""
        with self._guard:
            while self._times and now_ns - self._times[0] > WINDOW_NS:
                self._times.popleft()
            if len(self._times) < 2:
                return 0.0
            span = max(now_ns - self._times[0], 1)
            return (len(self._times) - 1) * 1e9 / span


@dataclass(frozen=True, slots=True)
class Minute:
    """Delays of the last minute, milliseconds.

    Attributes:
        median: Of all frames.
        p95: The same.
        seconds: Median of each second, the oldest first, None where no frame came; the last one is the
            newest second that is over.
    """

    median: float
    p95: float
    seconds: tuple[float | None, ...]


class DelayMinute:
    """Delays by the second in which a frame was handed out. Thread-safe."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._second = 0
        self._open: list[float] = []
        self._closed: deque[tuple[int, list[float], float]] = deque(maxlen=MINUTE_S)

    def mark(self, now_ns: int, delay_ms: float) -> None:
        """One frame."""
        with self._guard:
            self._close(now_ns // 10**9)
            self._open.append(delay_ms)

    def look(self, now_ns: int) -> Minute | None:
        """The minute up to now; None when nothing came in a whole second of it."""
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
    """Delays of frames, in milliseconds: of the last seconds and minute for show, of all for a report."""

    keep_all: bool = False
    _recent: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=1024))
    _all: list[float] = field(default_factory=list)
    _guard: threading.Lock = field(default_factory=threading.Lock)
    minute: DelayMinute = field(default_factory=DelayMinute)
    first_ns: int = 0
    last_ns: int = 0
    count: int = 0

    def mark(self, captured_ns: int, now_ns: int) -> None:
        """One frame that was captured then and handed out now."""
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
        """Median and 95th percentile over the window; None when nothing came."""
        with self._guard:
            values = [delay for at, delay in self._recent if now_ns - at <= WINDOW_NS]
        return _percentiles(values)

    def total(self) -> tuple[float, float] | None:
        """Median and 95th percentile of all (needs ``keep_all``); None when nothing came."""
        with self._guard:
            return _percentiles(self._all)

    def per_second(self) -> float:
        """Frames a second between the first and the last."""
        span = self.last_ns - self.first_ns
        return (self.count - 1) * 1e9 / span if self.count > 1 and span > 0 else 0.0


def _percentiles(values: list[float]) -> tuple[float, float] | None:
    if not values:
        return None
    p50, p95 = np.percentile(values, (50, 95))
    return float(p50), float(p95)
