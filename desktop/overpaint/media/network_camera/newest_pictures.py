"""The queue of coded pictures between network and decoder, which never grows: late ones are left out.

Must not know codecs.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

from overpaint.media.frames import now_ns

MOST = 12
"""Limit of waiting pictures, 0.4 s at 30 a second."""


@dataclass(frozen=True, slots=True)
class CodedPicture:
    """A picture as the camera sent it.

    Attributes:
        data: Its coded data.
        key: Whether it can be decoded without those before it.
        arrived_ns: Time of its arrival, nanoseconds.
    """

    data: bytes
    key: bool
    arrived_ns: int


class NewestPictures:
    """The queue. Where the decoder is too slow, it continues with the next picture that needs no other.

    Attributes:
        waiting: Whether the decoder waits for a picture; for other threads.
    """

    def __init__(self) -> None:
        self._kept: deque[CodedPicture] = deque()
        self._change = threading.Condition()
        self._ended: BaseException | None = None
        self._until_key = True
        self.waiting = False

    def put(self, data: bytes, key: bool) -> None:
        """Adds a picture, or leaves it out."""
        with self._change:
            if key:
                # None of those before is needed to decode it.
                self._until_key = False
                self._kept.clear()
            elif len(self._kept) >= MOST:
                self._kept.clear()
                self._until_key = True
            if not self._until_key:
                self._kept.append(CodedPicture(data, key, now_ns()))
                self._change.notify()

    def end(self, error: BaseException) -> None:
        """Ends it: the next ``take`` raises the error."""
        with self._change:
            self._ended = error
            self._change.notify()

    def take(self, within_s: float) -> CodedPicture | None:
        """Waits for the oldest kept picture; None where none came in time. Raises the error of ``end``."""
        with self._change:
            self.waiting = True
            try:
                self._change.wait_for(lambda: self._kept or self._ended is not None, within_s)
                if self._ended is not None:
                    raise self._ended
                return self._kept.popleft() if self._kept else None
            finally:
                self.waiting = False
