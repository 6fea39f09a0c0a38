"""The governor: decides from measured frame times how much detail a look may have.

It holds the frame rate first, and gives what time is left to the picture. It goes down soon (a slow
frame is a frame lost), comes up late, and later each time that it had to go down again, so that a
machine at its limit settles and does not swing. Must not know pictures, passes or what detail means.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

LEAST_FPS = 30.0
"""Frames a second that are held whatever comes faster."""

FULL, ROOM = 0.85, 0.6
"""Share of a frame's time above which it is too much, and below which more detail would fit."""

IDLE = 0.1
"""Share of the time between two frames that must have been spent waiting for it to be the source's."""

WINDOW = 20
"""Frames that are judged together: a single slow one (the system was busy) changes nothing."""

CALM_S, PATIENCE_MAX_S = 4.0, 120.0
"""How long it must have been calm before more detail is tried, and the longest that becomes."""

RELAPSE_S = 10.0
"""A step down so soon after a step up says that the step up was one too many."""


@dataclass(frozen=True, slots=True)
class Load:
    """The load of one stream, as the governor measures it.

    Attributes:
        took_s: Median time of the last frames, seconds.
        budget_s: Time that a frame may take, seconds.
        level: The present level; 0 is the most detail.
    """

    took_s: float
    budget_s: float
    level: int


class Governor:
    """The governor of one stream: chooses a level of detail from measured times.

    Args:
        costs: What a frame costs at each level, relative to each other, falling; the first is the most.
        level: Where it begins.
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
        """Takes a frame into account.

        Args:
            began_s: When it began, on a clock that never goes back, seconds.
            took_s: How long it took, seconds.

        Returns:
            The level for the frames after it.
        """
        if self._last_s is not None:
            gap_s = began_s - self._last_s
            # Only who waits for frames learns how far apart they come.
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
        """The next level down that promises to fit; the last when none does."""
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
        """Time for a frame: the distance at which frames come, though never less than for 30 a second."""
        least = 1 / LEAST_FPS
        if len(self._gaps) < WINDOW:
            return least
        # The shortest distances are the source's; the others are those of frames that came too late.
        return min(max(sorted(self._gaps)[WINDOW // 4], least), 2 * least)


def _middle(values: deque[float]) -> float:
    return sorted(values)[len(values) // 2]
