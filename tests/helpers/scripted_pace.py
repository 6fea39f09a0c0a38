"""An engine that paints nothing and takes as long as its script says: evenly, in bursts, with pauses."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.interface import LookRequest, Understanding, Work

Pixels = NDArray[np.uint8]


def steady() -> Iterator[float]:
    return itertools.repeat(0.008)


def uneven() -> Iterator[float]:
    """From a quarter of a frame's time to one and a third of it."""
    chance = random.Random(6)
    while True:
        yield chance.uniform(0.008, 0.045)


def bursts() -> Iterator[float]:
    """Three frames' time for one frame, then four at once."""
    while True:
        yield 0.1
        yield from (0.002,) * 4


def pauses() -> Iterator[float]:
    """Half a second of nothing every three seconds."""
    while True:
        yield from (0.008,) * 90
        yield 0.5


def slow() -> Iterator[float]:
    """Half the frames can be done."""
    return itertools.repeat(0.055)


PACES: dict[str, Callable[[], Iterator[float]]] = {
    "steady": steady,
    "uneven": uneven,
    "bursts": bursts,
    "pauses": pauses,
    "slow": slow,
}


class PacedEngine:
    """Grey pictures, in the time that the script gives each of them, seconds."""

    name = "scripted"

    def __init__(self, pace: str) -> None:
        self._pace = pace

    def warm(self) -> None:
        pass

    def understand(self, request: LookRequest) -> Understanding:
        return Understanding(request.prompt)

    def compile(self, request: LookRequest, width: int, height: int, quality: str = "live") -> PacedLook:
        return PacedLook(PACES[self._pace](), request.prompt)


class PacedLook:
    """The picture without its colours."""

    name = "scripted"
    work = Work()

    def __init__(self, pace: Iterator[float], prompt: str) -> None:
        self.understood = prompt
        self._pace = pace

    def apply(self, image: Pixels) -> Pixels:
        began = time.perf_counter()
        out = image.copy()
        out[image.shape[0] * 2 // 3 :] = 128
        time.sleep(max(0.0, began + next(self._pace) - time.perf_counter()))
        return out
