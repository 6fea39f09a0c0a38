"""Room on the disk of a recording: how long it lasts at the present rate, and when to end before it is gone.

A recording ends while there is still room for its own end and for the other programs of this computer. Must
not know what is written.
"""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable
from pathlib import Path

from overpaint.errors import SinkError

RESERVE_BYTES = 50_000_000
"""Room that a recording leaves."""
LEAST_S = 10
"""Seconds for which there must be room at the highest rate when a recording begins."""
CHECK_NS = 1_000_000_000
"""Time between two readings."""
RATE_READINGS, SETTLED = 10, 3
"""Readings over which the present rate is measured, and from how many on it is known."""


def free_bytes(folder: Path) -> int:
    """Returns how many bytes this user may still write into a folder. Raises ``OSError``."""
    return shutil.disk_usage(folder).free


class DiskRoom:
    """Room for one recording, for one thread.

    Args:
        folder: Where it is written.
        most_bits: Highest rate, bits a second.
        free: Reads how many bytes are free in a folder.

    Attributes:
        left_s: Seconds until the recording has to end; None while that is unknown. It may be read from any
            thread.
    """

    def __init__(self, folder: Path, most_bits: int, free: Callable[[Path], int]) -> None:
        self._folder = folder
        self._most = most_bits / 8
        self._free = free
        self._readings: deque[tuple[int, int]] = deque(maxlen=RATE_READINGS)
        self.left_s: float | None = None

    def check_begin(self) -> None:
        """Checks that there is room to begin. Raises ``SinkError`` (``disk_full``)."""
        free = self._read()
        if free is None:
            return
        self.left_s = max(0, free - RESERVE_BYTES) / self._most
        if self.left_s < LEAST_S:
            raise SinkError("recording_no_room", megabytes=free // 1_000_000)

    def is_short(self, size: int, time_ns: int) -> bool:
        """Returns whether the recording has to end now; reads the disk once a second.

        Args:
            size: Bytes of the recording so far.
            time_ns: The present time, on the clock of the frames.
        """
        readings = self._readings
        if readings and time_ns - readings[-1][0] < CHECK_NS:
            return False
        readings.append((time_ns, size))
        free = self._read()
        if free is None:
            self.left_s = None
            return False
        self.left_s = max(0, free - RESERVE_BYTES) / self._rate()
        return free < RESERVE_BYTES

    def _rate(self) -> float:
        """Returns bytes a second over the last readings; the highest rate until that is known."""
        (begin_ns, before), (end_ns, now) = self._readings[0], self._readings[-1]
        if len(self._readings) < SETTLED:
            return self._most
        # A pause takes next to nothing, and does not last.
        return max((now - before) * 1e9 / (end_ns - begin_ns), self._most / 20)

    def _read(self) -> int | None:
        try:
            return self._free(self._folder)
        except OSError:  # a write will tell more
            return None
