"""A core on another address, with TLS: the desktop is its client, falls back when it is away, and returns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from helpers.certificates import certificate
from helpers.clips import portrait
from helpers.keyrings import Ring, ring
from helpers.live_session import Session, colour, live_session
from helpers.processes import end_all
from helpers.served import Served, served
from overpaint.client.http import ServiceClient
from overpaint.client.transport import Retries, Transport
from overpaint.errors import AuthenticationError, UnreachableError
from overpaint.session.backend.local_core import CoreLease
from overpaint.session.backend.remote_service import RemoteAccess
from overpaint.session.backend.service_selection import ServiceSwitch
from overpaint.session.realtime import state as machine
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.session.realtime.state import Phase, StandIn
from overpaint.wire.servers import Server, UseServer

pytestmark = pytest.mark.live


__all__ = ["ring"]  # a fixture


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[Served]:
    """``overpaint serve`` at 127.0.0.2, with a certificate of its own authority."""
    pem, key_pem = certificate(tmp_path, "127.0.0.2")
    options = ("--host", "127.0.0.2", "--tls-certificate", str(pem), "--tls-key", str(key_pem))
    with served(tmp_path / "remote", *options) as service:
        yield service


def trust(remote: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(remote.folder.parent / "127.0.0.2.pem"))


@pytest.mark.full
async def test_a_certificate_that_nobody_vouches_for_is_named_as_the_reason(remote: Served) -> None:
    async with ServiceClient(remote.url, "ovp_live_any") as client:
        with pytest.raises(UnreachableError, match=r"127.0.0.2 shows a certificate .* not trust"):
            await client.account()


@pytest.mark.full
async def test_what_a_core_on_this_computer_points_to_elsewhere_is_not_trusted_blindly(
    remote: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The near one is asked without TLS; the authorities are loaded for what it names by https."""
    address = f"{remote.url}/v1/account"
    for trusted, error in ((False, UnreachableError), (True, AuthenticationError)):
        if trusted:
            trust(remote, monkeypatch)
        near = Transport("http://127.0.0.1:1", Retries(attempts=1))
        with pytest.raises(error):
            await near.take_down(address, tmp_path / "file", None)
        await near.close()


@pytest.mark.full
async def test_the_desktop_lives_on_a_core_with_tls_and_brings_it_files(
    remote: Served, ring: Ring, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Key in the keyring, frames over WebRTC, and a picture through ``/v1/files``."""
    trust(remote, monkeypatch)
    assert remote.url.startswith("https://127.0.0.2:")
    ring.kept[remote.url] = remote.key("desk", 100)
    access = RemoteAccess(remote.url)
    options = SessionOptions(model="service-realtime-720p", transports=("webrtc",), ttl_seconds=60)
    async with live_session(access, options) as session:
        session.runner.start()
        frames = await session.frames(5, 60)
        assert all(colour(frame) < 6 for frame in frames), "film noir is grey"
        assert session.runner.facts.link == "webrtc"
        assert await session.credits() == 75
        endpoint = await access.endpoint()
        picture = tmp_path / "person.png"
        cv2.imwrite(str(picture), portrait(320, 240))
        async with ServiceClient(endpoint.url, endpoint.key) as client:
            done = await client.restyle(picture, "black and white", tmp_path / "grey.png")
        image = cv2.imread(str(done.path)).astype(int)
        assert np.abs(image[..., 0] - image[..., 2]).max() <= 12
        assert await session.credits() == 73


@pytest.mark.full
async def test_a_remote_that_dies_fails_over_and_is_returned_to(
    tmp_path: Path, data_folder: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its paid session is gone on with, and the stand-in's is paid for once however often it is needed."""
    monkeypatch.setattr(machine, "PATIENCE_S", 0.5)
    with served(tmp_path / "remote") as remote:
        ring.kept[remote.url] = remote.key("desk", 100)
        switch = ServiceSwitch(
            remote.url,
            lambda: CoreLease(data_folder, lambda: None, lambda: None),
            lambda: None,
            _nothing,
            lambda news: None,
            fall_back=True,
        )
        async with live_session(
            switch, SessionOptions(model="service-realtime-720p", ttl_seconds=300), fallback=switch
        ) as session:
            runner = session.runner
            runner.start()
            await session.frames(5)
            paid = runner.facts.session_id
            own: set[str] = set()
            for _ in range(2):
                remote.process.kill()
                remote.process.wait()
                await session.until(lambda: runner.failed_over_from == remote.url, 60)
                await session.frames(5)
                own.add(runner.facts.session_id)
                assert runner.purchases.server == "" and runner.state.phase is Phase.LIVE
                await asyncio.to_thread(remote.start)
                await session.until(lambda: runner.state.stand_in is StandIn.NONE, 60)
                assert runner.state.phase is Phase.LIVE, "without a moment that is not live"
                await session.frames(5)
                assert runner.facts.session_id == paid, "what was paid for is gone on with"
            assert len(own) == 1 and paid not in own
            assert await session.credits() == 75
            _goes_forward(session)
        switch.close()
        await asyncio.to_thread(end_all, data_folder)


@pytest.mark.full
async def test_without_leave_nothing_takes_the_place_of_a_remote(
    tmp_path: Path, data_folder: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "PATIENCE_S", 0.1)
    news: list[Server] = []
    with served(tmp_path / "remote") as remote:
        switch = ServiceSwitch(
            "",
            lambda: CoreLease(data_folder, lambda: None, lambda: None),
            lambda: None,
            _nothing,
            news.append,
        )
        await switch.use(UseServer(address=remote.url, key=remote.key("desk", 100)))
        assert news[-1] == Server(address=remote.url, wish=1) and switch.acquire_fallback() is None
        async with live_session(switch, fallback=switch) as session:
            session.runner.start()
            await session.frames(5)
            remote.process.kill()
            remote.process.wait()
            await session.until(lambda: session.runner.state.attempt >= 3)
            assert session.runner.state.phase is Phase.RECONNECTING
            await asyncio.to_thread(remote.start)
            session.runner.hurry()
            await session.frames(5)
            assert await session.credits() == 75
        await switch.use(UseServer(address=remote.url, fall_back=True))
        assert news[-1].fall_back and switch.acquire_fallback() is not None
        await switch.use(UseServer(address="", fall_back=True))
        assert not news[-1].fall_back, "this computer needs no stand-in"
        switch.close()


def _goes_forward(session: Session) -> None:
    times = [frame.captured_ns for frame in session.viewer.frames]
    assert times == sorted(set(times)), "neither repeated nor older frames"
    assert all(colour(frame) < 6 for frame in session.viewer.frames), "always in the user's style"


async def _nothing(address: str, fall_back: bool) -> None: ...
