"""Access units: H.264 pictures as they were received, for files that need not encode them again.

A unit can be decoded after all units before it, back to a key frame, with the parameter sets in force. Pure:
bytes only. Must not know the network, frames or files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

SLICE, SLICE_IDR, SEQUENCE_SET, PICTURE_SET = 1, 5, 7, 8
"""NAL unit types (H.264, table 7-1)."""
START = b"\x00\x00\x00\x01"
_SHORT_START = START[1:]
_LONGEST_PREFIX = 15
"""Leading zero bits of the largest number that is read, which is above every valid id."""

Parameters = tuple[bytes, ...]
"""Parameter sets, without start codes, in the order of their types and ids."""


@dataclass(frozen=True, slots=True, eq=False)
class AccessUnit:
    """A received picture, as it was encoded.

    Attributes:
        stream: Identity of its stream.
        number: Counts the pictures given to the stream's decoder, so that a missing one leaves a gap.
        slices: The picture's NAL units in Annex B; parameter sets and messages are left out.
        parameters: The parameter sets in force.
        is_key: Whether decoding can begin here (IDR).
        want_key: Requests a key frame of the sender; from any thread.
    """

    stream: object
    number: int
    slices: bytes
    parameters: Parameters
    is_key: bool
    want_key: Callable[[], None]


class UnitReader:
    """The reader of one H.264 stream, which makes units of what its decoder is given.

    Args:
        want_key: Requests a key frame of the sender.
    """

    def __init__(self, want_key: Callable[[], None]) -> None:
        self._want_key = want_key
        self._sets: dict[tuple[int, int], bytes] = {}
        self._parameters: Parameters = ()
        self._number = 0

    def read(self, data: bytes) -> AccessUnit | None:
        """Reads the next picture, in Annex B; each that is decoded, since parameter sets stay in force.

        Returns:
            Its unit; None where that is no whole picture, or its parameter sets are unknown.
        """
        self._number += 1
        slices = []
        is_key = True
        for unit in nal_units(data):
            kind = unit[0] & 0x1F
            if kind in (SEQUENCE_SET, PICTURE_SET):
                self._keep(unit)
            elif SLICE <= kind <= SLICE_IDR:
                slices.append(unit)
                is_key = is_key and kind == SLICE_IDR
        if not slices or len({kind for kind, _ in self._sets}) < 2:
            return None
        joined = b"".join(START + unit for unit in slices)
        return AccessUnit(self, self._number, joined, self._parameters, is_key, self._want_key)

    def _keep(self, unit: bytes) -> None:
        identity = set_identity(unit)
        if identity is not None and self._sets.get(identity) != unit:
            self._sets[identity] = unit
            self._parameters = tuple(self._sets[each] for each in sorted(self._sets))


def nal_units(data: bytes) -> Iterator[bytes]:
    """Splits Annex B into NAL units without start codes; empty ones are left out."""
    at = data.find(_SHORT_START)
    while at >= 0:
        following = data.find(_SHORT_START, at + 3)
        # No unit ends with a zero byte: those belong to the start code (H.264, 7.4.1).
        unit = data[at + 3 : following if following >= 0 else len(data)].rstrip(b"\x00")
        if unit:
            yield unit
        at = following


def set_identity(unit: bytes) -> tuple[int, int] | None:
    """Returns type and id of a parameter set (H.264, 7.3.2.1.1 and 7.3.2.2); None for a broken one."""
    kind = unit[0] & 0x1F
    # A sequence's id comes after profile, constraints and level, a picture's first.
    begin = 4 if kind == SEQUENCE_SET else 1
    bits = int.from_bytes(unit[begin : begin + 8].ljust(8, b"\x00"), "big")
    zeros = 64 - bits.bit_length()
    return None if zeros > _LONGEST_PREFIX else (kind, (bits >> (63 - 2 * zeros)) - 1)
