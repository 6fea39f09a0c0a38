"""A link whose two ends reach each other by a TURN server alone, which the service names."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path

import pytest
from aioice import turn

from helpers.media_rooms import HttpSignalling, echo, request_for, served
from helpers.numbered_pictures import read_stamps, stamped
from helpers.turn_relay import HOST, PASSWORD, REALM, USER, turn_relay
from overpaint.errors import LinkError
from overpaint.media.frames import RawFrame, StyledFrame, now_ns
from overpaint.media.links.ice_servers import IceServer
from overpaint.media.webrtc import desktop_link, ice_sockets
from overpaint.media.webrtc.desktop_link import WebRtcLink, WebRtcRoom

WIDTH, HEIGHT = 640, 360
COTURN = shutil.which("turnserver")
COTURN_PORTS = range(49152, 49352)
Packets = ice_sockets.RoomyStunProtocol


@asynccontextmanager
async def coturn(transport: str, folder: Path) -> AsyncIterator[IceServer]:
    """The usual server (Debian: coturn)."""
    with closing(socket.socket()) as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    assert COTURN is not None
    options = {
        "--listening-ip": HOST,
        "--relay-ip": HOST,
        "--listening-port": port,
        "--user": f"{USER}:{PASSWORD}",
        "--realm": REALM,
        "--min-port": COTURN_PORTS[0],
        "--max-port": COTURN_PORTS[-1],
        "--log-file": "stdout",
        "--pidfile": folder / "turn.pid",
        "--userdb": folder / "turn.db",
    }
    words = [f"{name}={value}" for name, value in options.items()]
    flags = ("-n", "--lt-cred-mech", "--no-tls", "--no-dtls", "--no-cli", "--allow-loopback-peers")
    nowhere = asyncio.subprocess.DEVNULL
    server = await asyncio.create_subprocess_exec(COTURN, *flags, *words, stdout=nowhere, stderr=nowhere)
    try:
        while True:
            try:
                _, writer = await asyncio.open_connection(HOST, port)
            except OSError:
                assert server.returncode is None
                await asyncio.sleep(0.05)
            else:
                writer.close()
                await writer.wait_closed()
                break
        yield IceServer(f"turn:{HOST}:{port}?transport={transport}", USER, PASSWORD)
    finally:
        server.kill()
        await server.wait()


@pytest.fixture(params=["udp", "tcp", "coturn udp", "coturn tcp"])
async def relay(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[IceServer]:
    """The one way there is: every other packet is lost."""
    kind, _, transport = request.param.rpartition(" ")
    if kind and COTURN is None:
        pytest.skip("coturn is not installed")
    async with AsyncExitStack() as stack:
        if kind:
            server = await stack.enter_async_context(coturn(transport, tmp_path))
            ports = set(COTURN_PORTS)
        else:
            own, server = await stack.enter_async_context(turn_relay(transport))
            ports = own.ports
        arrive = Packets.datagram_received

        def strict(protocol: ice_sockets.RoomyStunProtocol, data: bytes, address: tuple[str, int]) -> None:
            if isinstance(protocol.transport, turn.TurnTransport) or address[1] in ports:
                arrive(protocol, data, address)

        monkeypatch.setattr(Packets, "datagram_received", strict)
        yield server


async def test_pictures_come_back_by_the_relay_alone(relay: IceServer) -> None:
    rooms: dict[str, WebRtcRoom] = {}
    shown: list[StyledFrame] = []
    async with served(rooms) as base_url:
        room = rooms["room"] = WebRtcRoom("room", WIDTH, HEIGHT, 30, base_url, (relay,))
        engine = asyncio.create_task(echo(room))
        link = WebRtcLink(request_for(room, base_url), HttpSignalling())
        lost: list[LinkError] = []
        await link.open(lost.append)
        for number in range(400):
            link.send(RawFrame(stamped(number, WIDTH, HEIGHT), number, now_ns()))
            await asyncio.sleep(0.03)
            while (frame := link.received.take(0)) is not None:
                shown.append(frame)
            if len(shown) >= 20:
                break
        await link.close()
    await engine
    assert len(shown) >= 20 and lost == []
    for frame in shown:
        assert read_stamps(frame.image) == (frame.number, frame.number), "torn or mistaken"


@pytest.mark.parametrize("relay", ["udp"], indirect=True)
async def test_without_it_nothing_gets_through_and_that_is_said(
    relay: IceServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desktop_link, "CONNECT_SECONDS", 1.0)
    rooms: dict[str, WebRtcRoom] = {}
    async with served(rooms) as base_url:
        room = rooms["room"] = WebRtcRoom("room", WIDTH, HEIGHT, 30, base_url)
        with pytest.raises(LinkError, match="No picture gets through"):
            await WebRtcLink(request_for(room, base_url), HttpSignalling()).open(lambda sentence: None)
