"""Progress of running transforms, published a few times a second, with an estimate of the time left.

Must not know the queue.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from overpaint.wire.transforms import RunningTransform, TransformsProgress, TransformStage

TELL_S = 0.25
ESTIMATE_AFTER_S = 1.5
"""No estimate before: the first moments are not representative."""


@dataclass(slots=True)
class _Run:
    stage: TransformStage
    part: float
    began_part: float
    began_at: float


class ProgressBoard:
    """The progress of each item, published at a limited rate.

    Args:
        tell: Receives the message, on the event loop.
    """

    def __init__(self, tell: Callable[[TransformsProgress], None]) -> None:
        self._tell = tell
        self._runs: dict[str, _Run] = {}
        self._told: TransformsProgress | None = None
        self._timer: asyncio.TimerHandle | None = None

    def show(self, id: str, stage: TransformStage, part: float) -> None:
        """Records an item's progress, 0..1 of a stage; 0 for not known."""
        run = self._runs.get(id)
        if run is None or run.stage != stage or part < run.part or run.part == 0:
            self._runs[id] = _Run(stage, part, part, time.monotonic())
        else:
            run.part = part
        self._soon()

    def forget(self, id: str) -> None:
        """Removes an item that has ended."""
        if self._runs.pop(id, None) is not None:
            self._soon()

    def close(self) -> None:
        """Stops publishing."""
        if self._timer is not None:
            self._timer.cancel()

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(TELL_S, self._say)

    def _say(self) -> None:
        self._timer = None
        now = time.monotonic()
        news = TransformsProgress(running=[_running(id, run, now) for id, run in self._runs.items()])
        if news != self._told:
            self._told = news
            self._tell(news)


def _running(id: str, run: _Run, now: float) -> RunningTransform:
    seconds_left = None
    gained, spent_s = run.part - run.began_part, now - run.began_at
    if run.stage == "restyling" and gained > 0 and spent_s >= ESTIMATE_AFTER_S:
        seconds_left = round(spent_s / gained * (1 - run.part))
    return RunningTransform(
        id=id, stage=run.stage, part=round(run.part, 3) if run.part > 0 else None, seconds_left=seconds_left
    )
