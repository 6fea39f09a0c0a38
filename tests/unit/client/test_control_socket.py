"""The client's control socket: typed messages, and an error for each way it can end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import ServerConnection, serve

from overpaint.client import ControlSocket
from overpaint.client import control as client_control
from overpaint.errors import (
    AuthenticationError,
    ServiceError,
    SessionClosedError,
    UnreachableError,
    UpstreamError,
)
from overpaint.wire.control import AnyServerMessage, GenerationTick, RtcJoin, SetPrompt, SocketError

Handler = Callable[[ServerConnection], Awaitable[None]]


@asynccontextmanager
async def server(handler: Handler) -> AsyncIterator[str]:
    async with serve(handler, "127.0.0.1", 0) as listening:
        port = next(iter(listening.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/v1/realtime/stream?token=rtk_secret"


async def hear_all(client: ControlSocket, told: list[AnyServerMessage]) -> None:
    async for message in client:
        told.append(message)  # noqa: PERF401 - what was told before an error counts


async def test_messages_are_typed_in_both_directions() -> None:
    heard: list[str] = []

    async def handler(connection: ServerConnection) -> None:
        heard.append(str(await connection.recv()))
        heard.append(str(await connection.recv()))
        await connection.send('{"type": "hologram", "depth": 3}')  # of a later version
        await connection.send("not even JSON")
        await connection.send(
            '{"type": "generation_tick", "seconds": 1, "frames": 30, "fps": 30.0, "new": 1}'
        )
        await connection.wait_closed()

    async with server(handler) as url:
        client = await ControlSocket.connect(url)
        await client.send(RtcJoin(fps=30.0))
        await client.send(SetPrompt(prompt="ink"))
        async for message in client:
            assert message == GenerationTick(seconds=1, frames=30, fps=30.0)
            break
        await client.close()
        await client.close()
    assert heard == [
        '{"type":"rtc_join","transports":["webrtc"],"fps":30.0,"passthrough":false}',
        '{"type":"prompt","prompt":"ink","enhance_prompt":true}',
    ]


@pytest.mark.parametrize(
    ("code", "reason", "error", "kind"),
    [
        (4001, "authentication_error", AuthenticationError, "authentication_error"),
        (4003, "session_expired", SessionClosedError, "session_expired"),
        (4003, "session_closed", SessionClosedError, "session_closed"),
        (4011, "upstream_error", UpstreamError, "upstream_error"),
        (1012, "", UnreachableError, "unreachable"),
        (1000, "", UnreachableError, "unreachable"),
    ],
)
async def test_each_close_code_is_an_error(
    code: int, reason: str, error: type[ServiceError], kind: str
) -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.send('{"type": "error", "code": "x", "error": "y"}')
        await connection.close(code, reason)

    async with server(handler) as url:
        client = await ControlSocket.connect(url)
        told: list[AnyServerMessage] = []
        with pytest.raises(error) as ended:
            await hear_all(client, told)
        assert ended.value.kind == kind and told == [SocketError(code="x", error="y")]
        with pytest.raises(error):
            await client.send(RtcJoin())


async def test_a_broken_connection_is_unreachable() -> None:
    async def handler(connection: ServerConnection) -> None:
        connection.transport.abort()

    async with server(handler) as url:
        client = await ControlSocket.connect(url)
        with pytest.raises(UnreachableError):
            await hear_all(client, [])


async def test_iteration_ends_quietly_after_a_close_of_ours() -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with server(handler) as url:
        client = await ControlSocket.connect(url)
        hearing = asyncio.create_task(hear_all(client, []))
        await asyncio.sleep(0.05)
        await client.close()
        await asyncio.wait_for(hearing, 5)


async def test_a_peer_that_is_gone_without_a_word_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = (client_control.PING_SECONDS, client_control.PONG_SECONDS, client_control.CLOSE_SECONDS)
    assert sum(limits) <= 5
    monkeypatch.setattr(client_control, "PING_SECONDS", 0.2)
    monkeypatch.setattr(client_control, "PONG_SECONDS", 0.2)
    monkeypatch.setattr(client_control, "CLOSE_SECONDS", 0.2)
    frozen = asyncio.Event()

    async def handler(connection: ServerConnection) -> None:
        connection.transport.pause_reading()  # as a machine whose cable was pulled
        await frozen.wait()
        connection.transport.abort()

    async with server(handler) as url:
        client = await ControlSocket.connect(url)
        with pytest.raises(UnreachableError):
            await asyncio.wait_for(hear_all(client, []), 10)
        frozen.set()


async def test_nobody_there_is_a_sentence_without_the_secret() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(UnreachableError) as refusal:
        await ControlSocket.connect(f"ws://127.0.0.1:{port}/v1/realtime/stream?token=rtk_secret")
    assert f"127.0.0.1:{port}" in refusal.value.line and "rtk_secret" not in refusal.value.line
    for url in ("http://x", "ws://127.0.0.1:bad", ""):
        with pytest.raises(UnreachableError):
            await ControlSocket.connect(url)


async def test_the_secret_is_in_no_log_or_repr(caplog: pytest.LogCaptureFixture) -> None:
    async def handler(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with server(handler) as url:
        caplog.set_level("DEBUG")
        client = await ControlSocket.connect(url)
        assert "rtk_secret" not in repr(client)
        await client.close()
    mine = [each.getMessage() for each in caplog.records if each.name != "websockets.server"]
    assert "rtk_secret" not in "\n".join(mine)
