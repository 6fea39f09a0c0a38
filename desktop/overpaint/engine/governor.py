"""The governor: lowers a look's quality (its level of detail) when the machine is too slow for it.

A feedback controller on measured frame times.

The frame rate comes first; detail gets the time that is left. Detail is reduced as soon as the median is too
high, since a slow frame is a lost frame, and raised late. The wait doubles after each raise that had to be
taken back (exponential backoff), so that a machine at its limit settles and does not oscillate. Must not
know pictures, passes or what detail means.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

LEAST_FPS = 30.0
"""Frame rate that is held in any case, frames a second; faster sources get the time budget of this rate."""

FULL, ROOM = 0.85, 0.6
"""Share of the time budget above which detail is reduced, and below which the predicted time of the next
level up must lie for detail to be raised."""

IDLE = 0.1
"""Share of the gap between two frames that must be waiting for the gap to count as the source's interval."""

WINDOW = 20
"""Frames whose median is judged, so that a single slow frame (a busy system) changes nothing."""

CALM_S, PATIENCE_MAX_S = 4.0, 120.0
"""Seconds at one level before more detail is tried, and the longest wait after relapses."""

RELAPSE_S = 10.0
"""Seconds after a raise of detail within which a reduction counts as a relapse."""


@dataclass(frozen=True, slots=True)
class Load:
    """The load of one stream, as the governor measures it.

    Attributes:
        took_s: Median time of the last frames, seconds.
        budget_s: Time budget of a frame, seconds.
        level: The present level; 0 is the most detail.
    """

    took_s: float
    budget_s: float
    level: int


class Governor:
    """The governor of one stream: chooses a level of detail from measured times.

    Args:
        costs: Relative cost of a frame at each level, in falling order.
        level: Level at the start.
    """

    def __init__(self, costs: tuple[float, ...], level: int = 0) -> None:
        self._costs = costs
        self.level = level
        self._took: deque[float] = deque(maxlen=WINDOW)
        self._gaps: deque[float] = deque(maxlen=WINDOW)
        self._last_s: float | None = None
        self._middle_s = 0.0
        self._changed_s = 0.0
        self._rose_s = float("-inf")
        self._patience_s = CALM_S

    @property
    def load(self) -> Load:
        """The present state."""
        return Load(self._middle_s, self._budget(), self.level)

    def frame(self, began_s: float, took_s: float) -> int:
        """Records the time of a frame and decides on the level.

        Args:
            began_s: Start of the frame on a monotonic clock, seconds.
            took_s: Duration of the frame, seconds.

        Returns:
            The level for the following frames.
        """
        if self._last_s is not None:
            gap_s = began_s - self._last_s
            # The gap is the source's interval only if the stream had to wait for the frame.
            waited_s = gap_s - self._took[-1] if self._took else gap_s
            self._gaps.append(gap_s if waited_s > IDLE * gap_s else 1 / LEAST_FPS)
        self._last_s = began_s
        self._took.append(took_s)
        self._middle_s = middle_s = _middle(self._took)
        if len(self._took) < WINDOW or len(self._gaps) < WINDOW:
            return self.level
        now_s = began_s + took_s
        budget_s = self._budget()
        if middle_s > budget_s * FULL and self.level < len(self._costs) - 1:
            self._step(self._fitting(middle_s, budget_s), now_s)
        elif self.level > 0 and now_s - self._changed_s >= self._patience_s:
            dearer = self._costs[self.level - 1] / self._costs[self.level]
            if middle_s * dearer < budget_s * ROOM:
                self._step(self.level - 1, now_s)
        return self.level

    def _fitting(self, middle_s: float, budget_s: float) -> int:
        """The first lower level whose predicted time fits the budget; the last when none fits."""
        here = self._costs[self.level]
        for level in range(self.level + 1, len(self._costs)):
            if middle_s * self._costs[level] / here <= budget_s * FULL:
                return level
        return len(self._costs) - 1

    def _step(self, level: int, now_s: float) -> None:
        if level > self.level:
            relapsed = now_s - self._rose_s < RELAPSE_S
            self._patience_s = min(PATIENCE_MAX_S, self._patience_s * 2) if relapsed else CALM_S
        else:
            self._rose_s = now_s
        self.level, self._changed_s = level, now_s
        self._took.clear()

    def _budget(self) -> float:
        """Time budget of a frame, seconds: the source's interval, within 1 to 2 times ``1 / LEAST_FPS``."""
        least = 1 / LEAST_FPS
        if len(self._gaps) < WINDOW:
            return least
        # The lower quartile is the source's interval; longer gaps belong to frames that came late.
        return min(max(sorted(self._gaps)[WINDOW // 4], least), 2 * least)


def _middle(values: deque[float]) -> float:
    return sorted(values)[len(values) // 2]
