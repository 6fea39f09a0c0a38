"""Floods of what costs its sender next to nothing: frames, pings, chunks, faults in a message.

Each was enough for one connection, mostly of a stranger without a key, to stop the service for all others.
"""

from __future__ import annotations

import base64
import json
import secrets
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from helpers.control_client import create, open_socket
from helpers.running_service import RunningService, running_service
from helpers.served import refused
from overpaint.core.configuration import ServiceConfig
from overpaint.web import connections, sockets

FIN, TEXT, PING = 0x80, 0x1, 0x9
STREAM = "/v1/realtime/stream"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


def address(service: RunningService) -> tuple[str, int]:
    url = httpx.URL(service.url)
    assert url.port is not None
    return url.host, url.port


def frame(opcode: int, data: bytes = b"") -> bytes:
    """A masked frame of a few bytes (RFC 6455, section 5.2); the mask is zero."""
    return bytes([opcode, 0x80 | len(data)]) + bytes(4) + data


@contextmanager
def opened(service: RunningService, token: str, receive_buffer: int = 0) -> Iterator[socket.socket]:
    """A WebSocket by hand, that does and reads nothing by itself."""
    with socket.socket() as peer:
        if receive_buffer:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        peer.settimeout(10)
        peer.connect(address(service))
        nonce = base64.b64encode(secrets.token_bytes(16)).decode()
        peer.sendall(
            f"GET {STREAM}?token={token} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {nonce}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        while b"\r\n\r\n" not in head:
            head += peer.recv(1)
        assert head.startswith(b"HTTP/1.1 101")
        yield peer


def token_of(service: RunningService) -> str:
    token: str = create(service)["client_secret"]["value"]
    return token


def ends(peer: socket.socket, sent: bytes, within_s: float = 3.0) -> bool:
    """Sends, reads whatever comes, and tells whether the other side ended the connection in time."""
    end = time.monotonic() + within_s
    peer.settimeout(0.2)
    left = memoryview(sent)
    while time.monotonic() < end:
        try:
            left = left[peer.send(left[:65536]) :] if left else left
            if not peer.recv(65536):
                return True
        except TimeoutError:
            pass
        except OSError:
            return True
    return False


class TestFrames:
    @pytest.mark.parametrize("who", ["stranger", "customer"])
    @pytest.mark.parametrize(
        "flood",
        [frame(FIN | PING), frame(FIN | PING, b"x" * 125), frame(FIN | TEXT, b"{"), frame(0, b"a")],
        ids=["pings", "long pings", "messages", "fragments"],
    )
    def test_a_flood_of_frames_ends_its_connection(
        self, service: RunningService, who: str, flood: bytes
    ) -> None:
        token = "guessed" if who == "stranger" else token_of(service)
        with opened(service, token) as peer:
            first = frame(TEXT, b"a") if flood == frame(0, b"a") else b""
            assert ends(peer, first + flood * 4000)

    async def test_a_photo_may_come_in_many_pieces(self, service: RunningService) -> None:
        async with open_socket(create(service)["websocket_url"]) as client:
            pieces = [json.dumps({"type": "set_image", "image_data": "A" * 400_000})[at : at + 1000]
                      for at in range(0, 400_100, 1000)]  # fmt: skip
            await client.socket.send(pieces)
            assert (await client.hear("set_image_ack"))["success"] is False
            assert (await client.ask("prompt_ack", type="prompt", prompt="a"))["success"] is True

    def test_sockets_that_were_refused_make_room_for_others(self, tmp_path: Path) -> None:
        """They do not answer the close, for which they have ten seconds."""
        with running_service(tmp_path, config=ServiceConfig(connections=4)) as service:
            held = [opened(service, "guessed") for _ in range(4)]
            peers = [each.__enter__() for each in held]
            try:
                for peer in peers:
                    assert b"authentication_error" in peer.recv(65536)
                for _ in range(8):
                    assert httpx.get(f"{service.url}/healthz", trust_env=False).status_code == 200
            finally:
                for each in held:
                    each.__exit__(None, None, None)

    @pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system's buffers take all of it")
    def test_who_reads_nothing_of_what_it_is_sent_loses_its_connection(
        self, service: RunningService, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "STALL_SECONDS", 0.3)
        monkeypatch.setattr(sockets, "FRAMES_BURST", 1e6)
        with opened(service, token_of(service), receive_buffer=2048) as peer:
            peer.settimeout(20)
            with pytest.raises(ConnectionError):
                while True:
                    peer.sendall(frame(FIN | PING, b"x" * 125) * 100)
                    time.sleep(0.001)


class TestChunks:
    @pytest.mark.parametrize("who", ["stranger", "customer"])
    def test_a_body_in_crumbs_ends_its_connection(self, service: RunningService, who: str) -> None:
        key = service.key(secrets.token_hex(4)) if who == "customer" else "ovp_live_guessed"
        head = (
            f"POST /v1/files HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        part = b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n'
        with socket.create_connection(address(service), timeout=10) as peer:
            peer.sendall(head.encode() + b"%x\r\n%s\r\n" % (len(part), part))
            assert ends(peer, b"1\r\na\r\n" * 20_000)

    def test_a_body_in_small_pieces_is_taken(self, service: RunningService) -> None:
        body = (
            b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n'
            + bytes(3_000_000)
            + b"\r\n--x--\r\n"
        )
        pieces = (body[at : at + 300] for at in range(0, len(body), 300))
        headers = {
            "Authorization": f"Bearer {service.key(secrets.token_hex(4))}",
            "Content-Type": "multipart/form-data; boundary=x",
        }
        answer = httpx.post(f"{service.url}/v1/files", content=pieces, headers=headers, trust_env=False)
        assert "neither a picture nor a clip" in refused(answer, 400, "invalid_request_error")
        assert connections.CHUNK_LEAST_BYTES < 300


class TestFaults:
    @pytest.mark.parametrize(
        "message",
        [
            '{"type": "rtc_join", "transports": [' + ",".join(["1"] * 100_000) + "]}",
            '{"type": "prompt", ' + ", ".join(f'"{number}": 0' for number in range(100_000)) + "}",
        ],
        ids=["items", "fields"],
    )
    async def test_a_message_of_many_faults_is_not_read_through(
        self, service: RunningService, message: str
    ) -> None:
        async with open_socket(create(service)["websocket_url"]) as client:
            await client.socket.send(message)
            told = await client.hear("error")
            assert told["code"] == "invalid_request_error" and "far more fields" in told["error"]
            longest = "," * 2000
            assert (await client.ask("prompt_ack", type="prompt", prompt=longest))["success"] is True

    def test_a_body_of_many_faults_is_told_their_number(self, service: RunningService) -> None:
        headers = {"Authorization": f"Bearer {service.key(secrets.token_hex(4))}"}
        body = {str(number): 0 for number in range(5000)}
        answer = httpx.post(f"{service.url}/v1/transforms", json=body, headers=headers, trust_env=False)
        assert "5003 of its fields" in refused(answer, 400, "invalid_request_error")
