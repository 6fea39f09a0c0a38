"""Whatever breaks: the last styled frame stands, nothing raw is shown, the call goes on, and costs no more.

``make faults`` tries every fault on a call of its own and prints the table (``OVERPAINT_FAULTS``: "all", or a
part of the names that are wanted); the suite tries the quickest, one after another on one call.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from helpers import (
    account_faults,
    desktop_faults,
    disk_faults,
    network_faults,
    process_faults,
    recording_faults,
    source_faults,
    wish_faults,
)
from helpers.faults import ELSEWHERE, PRICE, Fault, Row, check, keep, table
from helpers.on_air import OnAir

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="plays v4l2loopback with LD_PRELOAD")

ASKED = os.environ.get("OVERPAINT_FAULTS", "")
KINDS = (
    process_faults,
    desktop_faults,
    network_faults,
    wish_faults,
    source_faults,
    disk_faults,
    account_faults,
    recording_faults,
)
FAULTS = [fault for kind in KINDS for fault in kind.FAULTS]
QUICKEST = ("socket cut 1 s", "media silent 1 s", "core: stopped 1 s")
PLACE = Path(__file__).resolve().parents[2] / "dist" / "faults"


@pytest.fixture(scope="module")
def rows(request: pytest.FixtureRequest) -> Iterator[list[Row]]:
    """What became of each; printed and kept when all have been tried."""
    done: list[Row] = []
    yield done
    if done:
        keep(done, PLACE)
        capture = request.config.pluginmanager.getplugin("capturemanager")
        with capture.global_and_fixture_disabled():
            print(f"\n{table(done)}\n{PLACE}")


def chosen() -> list[Fault]:
    return [fault for fault in FAULTS if ASKED == "all" or (ASKED and ASKED in str(fault))]


@pytest.mark.skipif(not ASKED, reason="make faults")
@pytest.mark.timeout(240)
@pytest.mark.parametrize("fault", chosen(), ids=str)
def test_the_call_goes_on(fault: Fault, tmp_path: Path, watermarked: Path, rows: list[Row]) -> None:
    if fault.disk and not disk_faults.may_mount():
        pytest.skip("makes a small disk, which only root may")
    with disk_faults.small_disk(tmp_path / fault.disk) if fault.disk else nullcontext():
        row = fault.run(tmp_path, watermarked)
    rows.append(row)
    row.check()


@pytest.mark.skipif(bool(ASKED), reason="each is tried by itself")
@pytest.mark.timeout(180)
@pytest.mark.full
def test_one_fault_after_another(tmp_path: Path, watermarked: Path) -> None:
    call = OnAir(tmp_path, watermarked, ELSEWHERE.link, remote=True)
    try:
        for fault in FAULTS:
            if fault.place is ELSEWHERE and fault.name in QUICKEST:
                check(fault.on(call))
        assert call.paid() == (1, PRICE), "nothing of it cost anything"
    finally:
        call.close()
