"""Names, addresses, listening, the clock, and photos that are swept."""

from __future__ import annotations

import os
import re
import sys
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from helpers.scripted_transformer import ScriptedTransformer
from overpaint.core.clock import Clock
from overpaint.core.fetching import Fetcher
from overpaint.core.http.stored_files import FileStore
from overpaint.core.names import new_id, secret_digest, session_secret
from overpaint.core.realtime.reference_photos import Photos
from overpaint.errors import ProcessError
from overpaint.transforms.fair_queue import FairQueue
from overpaint.web.hosts import is_loopback
from overpaint.web.listening_port import open_listener


def test_ids_have_a_prefix_and_128_random_bits() -> None:
    ids = {new_id("rts_") for _ in range(100)}
    assert len(ids) == 100 and all(re.fullmatch("rts_[0-9a-f]{32}", each) for each in ids)


def test_a_session_secret_is_its_keys_and_its_sessions_own() -> None:
    secret = session_secret("key", "rts_1")
    assert secret == session_secret("key", "rts_1")
    assert len({secret, session_secret("key", "rts_2"), session_secret("other", "rts_1")}) == 3
    assert re.fullmatch("rtk_[A-Za-z0-9_-]{43}", secret)
    assert secret_digest(secret) != secret_digest(secret + "x")


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_loopback_addresses(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize("address", ["", "localhost", "192.168.1.2", "0.0.0.0", "::", "::ffff:10.0.0.1"])
def test_other_addresses(address: str) -> None:
    assert not is_loopback(address)


def test_a_port_can_be_had_once() -> None:
    listener = open_listener("127.0.0.1", 0)
    port = listener.getsockname()[1]
    with pytest.raises(ProcessError, match=f"Port {port}") as refusal:
        open_listener("127.0.0.1", port)
    assert refusal.value.kind == "port_in_use" and refusal.value.mend
    listener.close()
    open_listener("127.0.0.1", port).close()


@pytest.mark.parametrize(
    ("host", "port", "part"),
    [
        ("203.0.113.1", 0, "not an address of this machine"),
        ("no such host.invalid", 0, "There is no host"),
        ("127.0.0.1", 70_000, "not a port"),
    ],
)
def test_what_cannot_be_listened_on_is_one_sentence(host: str, port: int, part: str) -> None:
    with pytest.raises(ProcessError, match=part) as refusal:
        open_listener(host, port)
    assert refusal.value.kind == "start_failed" and refusal.value.mend


async def test_the_clock_waits_until_a_time() -> None:
    clock = Clock()
    until = clock.now() + timedelta(seconds=0.1)
    await clock.sleep_until(until)
    assert timedelta(0) <= clock.now() - until < timedelta(seconds=2)
    await clock.sleep_until(until - timedelta(hours=1))


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_photo_that_is_used_up_while_old_ones_are_swept_stops_nothing(tmp_path: Path) -> None:
    nobody = cast(FileStore, None)
    photos = Photos(tmp_path / "photos", ScriptedTransformer(), Fetcher(), nobody, FairQueue(1, 1))
    names = [tmp_path / "photos" / f"rts_{number}.png" for number in range(3)]
    for name in names[::2]:
        name.write_bytes(b"left by a crash")
        os.utime(name, (0, 0))
    names[1].symlink_to(tmp_path / "gone")
    photos.sweep()
    assert not names[0].exists() and not names[2].exists()
