"""A lease believes a core that answers now: no stale note, no impostor, no open channel of one that hangs."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection, Listener
from pathlib import Path
from threading import Event, Thread

import psutil
import pytest

from helpers.processes import end_all, role_pid, until
from overpaint.errors import ProcessError
from overpaint.processes import channel as channels
from overpaint.processes.channel import ChannelServer
from overpaint.processes.command_lines import start_core
from overpaint.processes.roles import Role
from overpaint.session.backend.local_core import CoreLease

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot stop a process")


@pytest.fixture
def lost() -> Event:
    return Event()


@pytest.fixture
def lease(data_folder: Path, lost: Event) -> Iterator[CoreLease]:
    lease = CoreLease(data_folder, lost.set, lambda: None)
    yield lease
    lease.release()
    end_all(data_folder)


def test_an_impostor_at_the_address_of_a_stale_note_is_not_believed(data_folder: Path) -> None:
    """It plays a core as it was enough until now; nobody else is there, and the lease says so."""
    role = Role(data_folder, "core")
    role.take()
    gone = ChannelServer(lambda channel: None, "gone")
    role.announce(gone.address, gone.secret)
    gone.close()
    listener, heard = Listener(gone.address), []

    def play(caller: Connection) -> None:
        caller.send_bytes(os.urandom(32))
        heard.append(caller.recv_bytes())
        caller.send_bytes(b"welcome")
        caller.send_bytes(json.dumps({"url": "http://127.0.0.1:1", "key": "ovp_live_x"}).encode())

    def accept() -> None:
        try:
            while True:
                with listener.accept() as caller:
                    play(caller)
        except (OSError, EOFError):
            pass

    Thread(target=accept, daemon=True).start()
    started = []

    def start() -> None:
        started.append(1)
        raise ProcessError("core_does_not_start", log="core.log")

    lease = CoreLease(data_folder, lambda: None, lambda: None, start)
    with pytest.raises(ProcessError, match="The service core does not start"):
        asyncio.run(lease.endpoint())
    assert started and all(len(said) <= channels.NONCE_BYTES for said in heard), (
        "it heard a nonce, or nothing"
    )
    listener.close()
    role.leave()


@needs_signals
@pytest.mark.expect_log("hangs")
@pytest.mark.full
async def test_a_core_that_is_stopped_for_good_is_killed_and_replaced(
    data_folder: Path, lease: CoreLease, lost: Event
) -> None:
    first = await lease.endpoint()
    core = psutil.Process(role_pid(data_folder, "core"))
    assert lease.pid == core.pid
    core.suspend()
    second = await lease.endpoint()
    assert lost.is_set() and not core.is_running()
    assert second != first and role_pid(data_folder, "core") == lease.pid != core.pid


@needs_signals
@pytest.mark.full
async def test_a_core_that_pauses_for_a_second_is_waited_for(data_folder: Path, lease: CoreLease) -> None:
    first = await lease.endpoint()
    core = psutil.Process(lease.pid)
    core.suspend()
    Thread(target=lambda: (time.sleep(1.0), core.resume())).start()
    assert await lease.endpoint() == first and lease.pid == core.pid


@needs_signals
@pytest.mark.expect_log("hangs")
@pytest.mark.full
async def test_one_that_hung_before_anybody_held_it_is_replaced(
    data_folder: Path, lease: CoreLease, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody's watchdog knows it: its silence to a new caller tells."""
    monkeypatch.setattr(channels, "HANDSHAKE_S", 1.0)
    start_core(data_folder)
    core = psutil.Process(role_pid(data_folder, "core"))
    core.suspend()
    await lease.endpoint()
    until(lambda: not core.is_running(), 10)
    assert lease.pid != core.pid
