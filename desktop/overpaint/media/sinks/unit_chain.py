"""The chain of received access units that go into a file as they are, instead of being encoded again.

A chain begins at a key frame and ends where a unit is missing: it was lost, or its picture was not to be
shown. It also ends where a sender makes no key frames, or more bits than the file may have. What is written
then is encoded until the next key frame, which is requested. A file names its parameter sets once, so units
with others do not go in. Must not know encoders, muxers or the network.
"""

from __future__ import annotations

from overpaint.media.access_units import PICTURE_SET, SEQUENCE_SET, AccessUnit, Parameters, set_identity
from overpaint.media.frames import StyledFrame

OWN_ID = 31
"""Id of the file's own parameter sets: the last that there is, as encoders begin at 0."""
_OWN = {(SEQUENCE_SET, OWN_ID), (PICTURE_SET, OWN_ID)}
KEY_EVERY_NS = 4_000_000_000
"""Time after which a key frame is requested, since a player can only begin at one."""
KEY_LATEST_NS = 2 * KEY_EVERY_NS
"""Time after which the chain ends without one: a replay forgets whole groups only."""
KEY_AGAIN_NS = 2_000_000_000
"""Time between two requests: each key frame takes bits from the pictures that others see."""


class UnitChain:
    """The chain of one file.

    Args:
        size: Width and height of the file's pictures.
        most_bits: Most bits a second.

    Attributes:
        parameters: The received parameter sets that the file names; empty before ``adopt``.
    """

    def __init__(self, size: tuple[int, int], most_bits: int) -> None:
        self.parameters: Parameters = ()
        self._size = size
        self._most_bytes = most_bits / 8 * KEY_LATEST_NS / 1e9
        self._bytes = 0
        self._last: AccessUnit | None = None
        self._seen: AccessUnit | None = None
        self._key_ns = 0
        self._asked_ns: int | None = None

    def adopt(self, frame: StyledFrame) -> bool:
        """Sets the parameter sets to those of a frame, once; returns whether it did.

        Sets that would replace the file's own are never adopted.
        """
        if self.parameters or frame.unit is None:
            return False
        if _OWN & {set_identity(each) for each in frame.unit.parameters}:
            return False
        self.parameters = frame.unit.parameters
        return True

    def next(self, frame: StyledFrame) -> AccessUnit | None:
        """Returns the unit to write for a frame; None for one to encode, after which ``end`` is called."""
        unit = frame.unit
        if unit is None or unit is self._seen:  # none, or a standing frame again
            return None
        self._seen = unit
        if unit.parameters != self.parameters or (frame.width, frame.height) != self._size:
            return None
        last = self._last
        follows = last is not None and unit.stream is last.stream and unit.number == last.number + 1
        age_ns = frame.captured_ns - self._key_ns
        if unit.is_key:
            self._key_ns, self._bytes = frame.captured_ns, 0
        elif not follows or age_ns >= KEY_EVERY_NS:
            self._want_key(unit, frame.captured_ns)
        self._bytes += len(unit.slices)
        goes_on = follows and age_ns < KEY_LATEST_NS and self._bytes <= self._most_bytes
        if not goes_on and not unit.is_key:
            return None
        self._last = unit
        return unit

    def end(self) -> bool:
        """Ends it, since the file's next picture is another one; returns whether there was one."""
        ended, self._last = self._last is not None, None
        return ended

    def _want_key(self, unit: AccessUnit, now_ns: int) -> None:
        if self._asked_ns is None or now_ns - self._asked_ns >= KEY_AGAIN_NS:
            self._asked_ns = now_ns
            unit.want_key()
