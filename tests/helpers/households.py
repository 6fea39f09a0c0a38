"""What processes hold: memory, descriptors, threads, shared memory; and whether any of it grows and grows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

SHARED = Path("/dev/shm")


@dataclass(frozen=True, slots=True)
class Holding:
    """What one process holds.

    Attributes:
        pid: Whose.
        at: Seconds since the beginning.
        megabytes: Resident memory, without what it shares.
        descriptors: Open files and sockets.
        threads: Threads.
    """

    pid: int
    at: float
    megabytes: float
    descriptors: int
    threads: int


def held(process: psutil.Process, at: float) -> Holding | None:
    """What a process holds now; None when it is gone."""
    with suppress(psutil.NoSuchProcess):
        memory = process.memory_full_info()
        return Holding(process.pid, at, memory.uss / 2**20, process.num_fds(), process.num_threads())
    return None


def segments(process: psutil.Process) -> set[Path]:
    """Named pieces of shared memory that a process has mapped; others' on this machine are not counted."""
    with suppress(psutil.NoSuchProcess):
        mapped = (Path(area.path) for area in process.memory_maps(grouped=True))
        return {path for path in mapped if path.parent == SHARED}
    return set()


@dataclass(frozen=True, slots=True)
class Growth:
    """What a process held in the second third of its time and in the last: the least of each.

    The least, because what is held for a moment is no leak.
    """

    seconds: float
    megabytes: tuple[float, float]
    descriptors: tuple[int, int]
    threads: tuple[int, int]


def growth(holdings: list[Holding]) -> Growth | None:
    """Of one process, oldest first; None when there is too little to tell."""
    third = len(holdings) // 3
    if third < 3:
        return None
    early, late = holdings[third : 2 * third], holdings[-third:]

    def least(name: str) -> tuple[float, float]:
        return min(getattr(each, name) for each in early), min(getattr(each, name) for each in late)

    return Growth(
        late[-1].at - early[0].at,
        least("megabytes"),
        least("descriptors"),  # type: ignore[arg-type]
        least("threads"),  # type: ignore[arg-type]
    )
