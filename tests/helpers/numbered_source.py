"""A source that counts in its pictures and waits for those who look: no frame is lost for want of time."""

from __future__ import annotations

import threading

from helpers.live_session import Viewer
from helpers.numbered_pictures import read_stamps, stamped
from overpaint.media.frames import RawFrame, StyledFrame, now_ns
from overpaint.media.sources import SourceListener
from overpaint.wire.sources import SourceOffer

PATIENCE_S = 3.0
"""A codec may keep a picture to itself until the next one comes."""


class NumberedSource:
    """Numbers from 0 on, 30 a second at most; once one was seen, each waits for the one before."""

    title, identity, fps, aspect, offer = "numbers", "", 30.0, 16 / 9, SourceOffer()
    trouble = None

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._seen = threading.Condition()
        self._newest: int | None = None

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        self._thread = threading.Thread(target=self._run, args=(width, height, listener), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def saw(self, number: int) -> None:
        """Somebody saw that frame."""
        with self._seen:
            self._newest = number
            self._seen.notify()

    def _may_go_on(self, number: int) -> bool:
        return self._newest is None or number <= self._newest + 1 or self._ended.is_set()

    def _run(self, width: int, height: int, listener: SourceListener) -> None:
        number = 0
        while not self._ended.wait(1 / 30):
            with self._seen:
                self._seen.wait_for(lambda n=number: self._may_go_on(n), PATIENCE_S)
            listener.frame(RawFrame(stamped(number, width, height), number, now_ns()))
            number += 1


class NumberedViewer(Viewer):
    """Reads the numbers, and tells the source what was seen.

    Attributes:
        numbers: By the links' own count.
        stamps: As they stand in the pictures, at the top and at the bottom.
    """

    def __init__(self, source: NumberedSource) -> None:
        super().__init__()
        self._source = source
        self.numbers: list[int] = []
        self.stamps: list[tuple[int, int]] = []

    def deliver(self, frame: StyledFrame) -> None:
        self.numbers.append(frame.number)
        self.stamps.append(read_stamps(frame.image))
        self._source.saw(frame.number)
