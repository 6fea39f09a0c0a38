"""Received H.264 is read for files: what a picture needs, where decoding can begin, what is missing."""

from __future__ import annotations

from helpers.received_stream import Received
from overpaint.media.access_units import START, AccessUnit, UnitReader, nal_units, set_identity

SEQUENCE, PICTURE = bytes.fromhex("6742c01fda0140 16e8"), bytes.fromhex("68ce0f2c80")
KEY, OTHER = b"\x65\x88\x84", b"\x41\x9a\x24"


def annex_b(*units: bytes) -> bytes:
    return b"".join(START + unit for unit in units)


def reader() -> UnitReader:
    return UnitReader(lambda: None)


def read(units: UnitReader, *parts: bytes) -> AccessUnit:
    unit = units.read(annex_b(*parts))
    assert unit is not None
    return unit


def test_parameter_sets_stay_in_force_and_only_slices_are_kept() -> None:
    units = reader()
    first = read(units, b"\x09\xf0", SEQUENCE, PICTURE, b"\x06\x05\x01", KEY, KEY)
    second = read(units, OTHER)
    assert first.slices == annex_b(KEY, KEY) and first.is_key
    assert second.slices == annex_b(OTHER) and not second.is_key
    assert first.parameters == second.parameters == (SEQUENCE, PICTURE)
    assert (second.stream, second.number) == (first.stream, first.number + 1)


def test_what_could_not_be_decoded_alone_is_no_unit_and_leaves_a_gap() -> None:
    units = reader()
    assert units.read(annex_b(KEY)) is None, "its parameter sets are unknown"
    assert units.read(annex_b(SEQUENCE, PICTURE)) is None, "no picture"
    assert units.read(b"") is None and units.read(b"\xff" * 40) is None
    assert read(units, KEY).number == 5


def test_a_set_with_the_same_id_replaces_the_former_one() -> None:
    units, other = reader(), PICTURE + b"\x11"
    before = read(units, SEQUENCE, PICTURE, KEY)
    assert read(units, SEQUENCE, PICTURE, KEY).parameters is before.parameters
    assert read(units, other, KEY).parameters == (SEQUENCE, other)


def test_ids_of_parameter_sets_are_those_that_the_encoder_was_given() -> None:
    for chosen in (0, 5, 31):
        unit = Received(parameters=f"sps-id={chosen}").frame(0).unit
        assert unit is not None
        assert [set_identity(each) for each in unit.parameters] == [(7, chosen), (8, chosen)]
    assert set_identity(b"\x68\x00\x00\x00\x00") is None


def test_start_codes_of_three_and_four_bytes_are_alike() -> None:
    assert list(nal_units(b"\x00\x00\x01\x41\x01\x00\x00\x00\x01\x41\x02")) == [b"\x41\x01", b"\x41\x02"]
