"""The app as its user starts it: the window begins the live process, and replaces one that dies or hangs."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from helpers.processes import end_all, has_ended, role_pid, start, until
from overpaint.processes import roles

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stops and kills by POSIX signals")

PATIENCE_S = 60.0
"""How soon is not asserted here; that a head start delays nothing has a unit test."""


@pytest.fixture
def live(data_folder: Path, tmp_path: Path) -> Iterator[psutil.Process]:
    """The live process of an app that was just started."""
    app = start(log=tmp_path / "app.log")
    try:
        until(lambda: role_pid(data_folder, "live"), 60, "the live process")
        until(lambda: roles.is_announced(data_folder, roles.WINDOW), 60, "the window")
        pid = role_pid(data_folder, "live")
        assert pid is not None
        process = psutil.Process(pid)
        # The listener, the window's two connections: messages and preview.
        until(lambda: len(process.net_connections("unix")) >= 3, 60, "the window's connections")
        yield process
    finally:
        end_all(data_folder, [app])


@pytest.mark.full
@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped for good"])
def test_a_live_process_that_the_app_began_is_replaced(
    live: psutil.Process, data_folder: Path, fault: signal.Signals
) -> None:
    live.send_signal(fault)
    until(lambda: role_pid(data_folder, "live") not in (None, live.pid), PATIENCE_S, "another live process")
    assert has_ended(live), "two live processes"
