"""The service as its operator meets it: limits, metrics, TLS, clients that dawdle, settings and refusals."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets import Origin
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from helpers.certificates import certificate
from helpers.control_client import JOIN, Publisher, create, open_socket
from helpers.running_service import RunningService, running_service
from helpers.served import refused, served
from helpers.small_media import picture
from overpaint import cli
from overpaint.core import server
from overpaint.core.configuration import ServiceConfig
from overpaint.core.http.callers import checks_key
from overpaint.core.http.certificates import tls_context
from overpaint.processes import roles
from overpaint.web import bodies, connections


def address(service: RunningService) -> tuple[str, int]:
    url = httpx.URL(service.url)
    assert url.port is not None
    return url.host, url.port


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[RunningService]:
    with running_service(tmp_path) as running:
        yield running


class TestLimits:
    @pytest.fixture
    def strict(self, tmp_path: Path) -> Iterator[RunningService]:
        with running_service(tmp_path, config=ServiceConfig(rate_per_second=0.01, rate_burst=3)) as running:
            yield running

    def test_a_key_has_its_burst_and_is_then_told_when_to_come_back(self, strict: RunningService) -> None:
        key, other = strict.key("one"), strict.key("other")
        with httpx.Client(base_url=strict.url) as client:
            for _ in range(3):
                assert client.get("/v1/account", headers=bearer(key)).status_code == 200
            answer = client.get("/v1/account", headers=bearer(key))
            refused(answer, 429, "rate_limited")
            assert 1 <= int(answer.headers["retry-after"]) <= 100
            assert client.get("/v1/account", headers=bearer(other)).status_code == 200

    @pytest.mark.parametrize("path", ["/healthz", "/docs", "/v1/files/fil_1", "/v1/nothing", "/metrics"])
    def test_a_made_up_key_is_no_way_around_it_where_none_is_checked(
        self, strict: RunningService, path: str
    ) -> None:
        with httpx.Client(base_url=strict.url) as client:
            made_up = [client.get(path, headers=bearer("ovp_live_x")).status_code for _ in range(4)]
        assert 429 not in made_up[:3] and made_up[3] == 429

    def test_each_route_that_checks_a_key_is_known_as_one(self, service: RunningService) -> None:
        paths = httpx.get(f"{service.url}/openapi.json").json()["paths"]
        for path, operations in paths.items():
            for method, operation in operations.items():
                needs_key = {"apiKey": []} in operation.get("security", [])
                assert checks_key(method.upper(), path) == needs_key, (
                    f"{method.upper()} {path}: bring _KEYED in core/http/callers.py up to this"
                )

    def test_who_has_no_valid_key_is_counted_by_address(self, strict: RunningService) -> None:
        key = strict.key()
        with httpx.Client(base_url=strict.url) as client:
            statuses = [client.get("/v1/account").status_code for _ in range(2)]
            guessed = bearer("ovp_live_" + "a" * 43)
            statuses += [client.get("/v1/account", headers=guessed).status_code for _ in range(2)]
            assert statuses == [401, 401, 401, 429]
            assert client.get("/healthz").status_code == 429
            assert client.get("/v1/account", headers=bearer(key)).status_code == 200

    def test_sockets_are_counted_by_address(self, strict: RunningService) -> None:
        told = []
        for _ in range(4):
            with connect(f"{strict.ws_url}?token=guessed", proxy=None) as peer:
                message = json.loads(peer.recv(10))
                with pytest.raises(ConnectionClosed) as closed:
                    peer.recv(10)
                told.append((message["code"], closed.value.rcvd.code if closed.value.rcvd else None))
        assert told == [("authentication_error", 4001)] * 3 + [("rate_limited", 1013)]


class TestMetrics:
    def test_what_was_done_is_counted(self, service: RunningService) -> None:
        key = bearer(service.key())
        with httpx.Client(base_url=service.url) as client:
            assert client.get("/v1/account", headers=key).status_code == 200
            order = {"model": "service-realtime-720p"}
            assert client.post("/v1/realtime/sessions", headers=key, json=order).status_code == 201
            assert client.get("/v1/nothing/of/mine").status_code == 404
            page = client.get("/metrics", headers=bearer(service.service.metrics_token)).text
        assert 'overpaint_requests_total{method="GET",route="/v1/account",status="200"} 1.0' in page
        assert 'overpaint_credits_charged_total{model="service-realtime-720p"} 25.0' in page
        assert 'overpaint_errors_total{type="not_found"} 1.0' in page
        assert 'overpaint_request_seconds_bucket{le="0.5",route="/v1/account"} 1.0' in page
        assert "/v1/nothing" not in page
        for gauge in ("sessions_open", "streams", "streams_waiting", "videos_queued"):
            assert f"overpaint_{gauge} 0.0" in page, gauge

    async def test_a_live_stream_tells_its_rate_and_what_the_engine_does_to_hold_it(
        self, service: RunningService
    ) -> None:
        session = create(service)
        async with open_socket(session["websocket_url"]) as client:
            info = await client.ask("rtc_room_info", **JOIN)
            async with Publisher(info):
                await client.hear("generation_tick")
                token = bearer(service.service.metrics_token)
                page = (await asyncio.to_thread(httpx.get, f"{service.url}/metrics", headers=token)).text
        labels = f'{{model="{session["model"]}",session="{session["id"]}"}}'
        assert f"overpaint_stream_frame_seconds{labels} 0.002" in page
        assert f"overpaint_stream_detail_level{labels} 1.0" in page
        assert f"overpaint_stream_fps{labels}" in page

    async def test_a_look_that_another_one_stands_in_for_is_told_once(self, service: RunningService) -> None:
        session = create(service, prompt="failed net")
        async with open_socket(session["websocket_url"]) as client:
            info = await client.ask("rtc_room_info", **JOIN)
            async with Publisher(info):
                told = await client.hear("error")
                assert told["code"] == "upstream_error" and told["error"] == "Another look stands in for it."
                await client.hear("generation_tick")
                await client.hear("generation_tick")
            assert [message["type"] for message in client.told].count("error") == 1

    def test_everybody_needs_the_token_on_this_host_too(self, tmp_path: Path) -> None:
        """Another user of this host is not the one who runs the service, nor is a page in a browser."""
        with running_service(tmp_path, config=ServiceConfig(metrics_token="s3cret")) as service:
            for more in (
                {},
                {"X-Forwarded-For": "203.0.113.7"},
            ):  # a proxy on this host says for whom it asks
                with httpx.Client(base_url=service.url, headers=more) as client:
                    refused(client.get("/metrics"), 404, "not_found")
                    for wrong in ("Bearer", "Bearer wrong", "Basic s3cret", "Bearer s3cret1"):
                        answer = client.get("/metrics", headers={"Authorization": wrong})
                        refused(answer, 404, "not_found")
                    assert client.get("/metrics", headers=bearer("s3cret")).status_code == 200

    def test_a_token_of_its_own_lies_in_the_data_folder_for_its_user_alone(self, tmp_path: Path) -> None:
        file = tmp_path / "metrics-token"
        for _ in range(2):
            with running_service(tmp_path) as service:
                kept = file.read_text().strip()
                assert len(kept) >= 32 and service.service.metrics_token == kept
                answer = httpx.get(f"{service.url}/metrics", headers=bearer(kept))
                assert answer.status_code == 200
        if sys.platform != "win32":
            assert file.stat().st_mode & 0o777 == 0o600


class TestNames:
    """Against DNS rebinding: what comes over loopback names loopback, or a name that was configured."""

    def test_a_name_that_somebody_made_resolve_to_this_host_gets_nothing(
        self, service: RunningService
    ) -> None:
        for path in ("/metrics", "/healthz", "/docs", "/studio", "/v1/account"):
            for host in (
                "evil.example",
                "evil.example:8787",
                "localhost.evil.example",
                "[::1",
                "[::1].evil.example",
                "127.0.0.1:80.evil.example",
                "a@127.0.0.1",
            ):
                more = {"Host": host} | bearer(service.service.metrics_token)
                said = refused(httpx.get(f"{service.url}{path}", headers=more), 400, "invalid_request_error")
                assert "--allowed-host" in said
        port = service.url.rpartition(":")[2]
        for host in ("127.0.0.1", f"localhost:{port}", f"LOCALHOST:{port}", "[::1]:80", "obs.localhost"):
            assert httpx.get(f"{service.url}/healthz", headers={"Host": host}).status_code == 200, host

    def test_names_that_were_configured_are_answered(self, tmp_path: Path) -> None:
        config = ServiceConfig(
            public_url="https://api.example.org", allowed_hosts=("gpu-box", "*.shop.example")
        )
        with running_service(tmp_path, config=config) as service:
            for host, status in (
                ("api.example.org", 200),
                ("gpu-box:8787", 200),
                ("eu.shop.example", 200),
                ("127.0.0.1", 200),
                ("shop.example", 400),
                ("evil.example", 400),
            ):
                assert httpx.get(f"{service.url}/healthz", headers={"Host": host}).status_code == status, host

    @pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example"])
    def test_a_socket_of_a_service_for_this_host_alone_is_opened_by_pages_of_this_host_alone(
        self, service: RunningService, origin: str
    ) -> None:
        address = f"{service.ws_url}?token=guessed"
        with pytest.raises(InvalidStatus) as refusal, connect(address, proxy=None, origin=Origin(origin)):
            pass
        assert refusal.value.response.status_code == 403
        for own in (service.url, "http://localhost:3000"):
            with connect(address, proxy=None, origin=Origin(own)) as peer:
                assert json.loads(peer.recv(10))["code"] == "authentication_error"

    def test_a_service_that_has_a_public_name_takes_sockets_from_any_page(self, tmp_path: Path) -> None:
        config = ServiceConfig(public_url="https://api.example.org")
        with running_service(tmp_path, config=config) as service:
            address = f"{service.ws_url}?token=guessed"
            with connect(address, proxy=None, origin=Origin("https://shop.example")) as peer:
                assert json.loads(peer.recv(10))["code"] == "authentication_error"


def _to_end(peer: socket.socket) -> bytes:
    """All that the service says before it closes, in however many pieces it comes."""
    return b"".join(iter(lambda: peer.recv(65536), b""))


ORDER = "POST /v1/realtime/sessions HTTP/1.1\r\nHost: localhost\r\n"


class TestSlowClients:
    def test_headers_that_dribble_lose_their_connection(
        self, service: RunningService, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "HEAD_SECONDS", 0.4)
        with socket.create_connection(address(service), timeout=10) as peer, pytest.raises(OSError):
            for letter in b"GET /healthz HTTP/1.1\r\nX-Slow: " + b"a" * 500:
                peer.sendall(bytes([letter]))
                time.sleep(0.02)

    def test_a_body_that_dribbles_is_400_and_closed(
        self, service: RunningService, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bodies, "BODY_SECONDS", 0.3)
        with socket.create_connection(address(service), timeout=10) as peer:
            head = f"{ORDER}Authorization: Bearer {service.key()}\r\n"
            peer.sendall(head.encode() + b"Content-Length: 100\r\n\r\n{")
            answer = b""
            while chunk := peer.recv(65536):
                answer += chunk
        assert answer.startswith(b"HTTP/1.1 400") and b"invalid_request_error" in answer

    def test_a_refused_caller_cannot_go_on_with_its_body_for_ever(
        self, service: RunningService, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
        with socket.create_connection(address(service), timeout=10) as peer:
            peer.sendall(b"POST /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
            assert peer.recv(65536).startswith(b"HTTP/1.1 401")
            with pytest.raises(OSError):
                for _ in range(500):
                    peer.sendall(b"a")
                    time.sleep(0.02)

    def test_huge_headers_are_refused_with_the_error_object(self, service: RunningService) -> None:
        with socket.create_connection(address(service), timeout=10) as peer:
            peer.sendall(b"GET /healthz HTTP/1.1\r\nX-Huge: " + b"a" * (connections.HEAD_MAX_BYTES + 1))
            answer = _to_end(peer)
        assert answer.startswith(b"HTTP/1.1 400") and b"x-request-id: req_" in answer
        assert b'"type":"invalid_request_error"' in answer

    def test_huge_headers_are_refused_also_when_they_come_at_once(self, service: RunningService) -> None:
        huge = (
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Huge: "
            + b"a" * connections.HEAD_MAX_BYTES
            + b"\r\n\r\n"
        )
        small = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for sent, answers in ((huge, [b"400"]), (small + huge, [b"200", b"400"])):
            with socket.create_connection(address(service), timeout=10) as peer:
                peer.sendall(sent)
                told = _to_end(peer)
            assert re.findall(rb"HTTP/1.1 (\d+) ", told) == answers
            assert b'"type":"invalid_request_error"' in told

    def test_connections_beyond_the_bound_are_dropped_while_all_are_busy(self, tmp_path: Path) -> None:
        with running_service(tmp_path, config=ServiceConfig(connections=2)) as service:
            head = f"{ORDER}Authorization: Bearer {service.key()}\r\n"
            held = [socket.create_connection(address(service), timeout=10) for _ in range(2)]
            try:
                for peer in held:
                    peer.sendall(head.encode() + b"Content-Length: 100\r\n\r\n{")
                with pytest.raises(httpx.TransportError):
                    for _ in range(200):
                        httpx.get(f"{service.url}/healthz")
                        time.sleep(0.01)
            finally:
                for peer in held:
                    peer.close()

    @pytest.mark.parametrize("complete", [True, False])
    def test_connections_that_do_nothing_useful_make_room_for_new_ones(
        self, tmp_path: Path, complete: bool
    ) -> None:
        """Held by heads that never end, or by small requests, each of them in time."""
        with running_service(tmp_path, config=ServiceConfig(connections=6)) as service:
            held = [socket.create_connection(address(service), timeout=10) for _ in range(6)]
            try:
                for peer in held:
                    peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
                    if complete:
                        peer.sendall(b"\r\n")
                        assert peer.recv(65536).startswith(b"HTTP/1.1 200")
                for _ in range(12):
                    assert httpx.get(f"{service.url}/healthz", trust_env=False).status_code == 200
            finally:
                for peer in held:
                    peer.close()

    @pytest.mark.skipif(sys.platform != "linux", reason="one loopback address elsewhere")
    def test_one_address_has_its_share_of_the_connections_and_no_more(self, tmp_path: Path) -> None:
        config = ServiceConfig(connections=12, connections_per_address=4)
        with running_service(tmp_path, config=config) as service:
            head = f"{ORDER}Authorization: Bearer {service.key()}\r\n"
            greedy = [socket.create_connection(address(service), timeout=10) for _ in range(4)]
            for peer in greedy:
                peer.sendall(head.encode() + b"Content-Length: 100\r\n\r\n{")
            time.sleep(0.2)
            greedy += [socket.create_connection(address(service), timeout=10) for _ in range(30)]
            try:
                for number in range(2, 8):
                    with socket.create_connection(
                        address(service), timeout=10, source_address=(f"127.0.0.{number}", 0)
                    ) as honest:
                        honest.sendall(
                            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                        )
                        assert _to_end(honest).startswith(b"HTTP/1.1 200")
            finally:
                for peer in greedy:
                    peer.close()

    @pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
    def test_files_are_left_when_all_connections_are_open(self) -> None:
        import resource

        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
            assert server.open_files(100) == 612 == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
            assert server.open_files(50) == 562  # never lowered
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 612
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)

    def test_an_answer_that_nobody_reads_loses_its_connection(
        self, service: RunningService, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "STALL_SECONDS", 0.3)
        headers = {"Authorization": f"Bearer {service.key('reader')}"}
        content = picture() + bytes(24 << 20)
        file = httpx.post(f"{service.url}/v1/files", files={"file": content}, headers=headers, timeout=60)
        path = file.json()["url"].removeprefix(service.url)
        with socket.socket() as peer:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            peer.settimeout(10)
            peer.connect(address(service))
            peer.sendall(f"GET {path} HTTP/1.1\r\nHost: {service.url[7:]}\r\n\r\n".encode())
            time.sleep(1.5)
            came = b""
            with pytest.raises(OSError):
                while chunk := peer.recv(1 << 20):
                    came += chunk
                raise ConnectionResetError
            assert len(came) < len(content)


class TestTls:
    def test_the_public_port_speaks_tls_and_the_desktop_keeps_its_own(self, tmp_path: Path) -> None:
        pem, key_pem = certificate(tmp_path, "127.0.0.1")
        with served(tmp_path / "data", "--tls-certificate", str(pem), "--tls-key", str(key_pem)) as service:
            assert service.url.startswith("https://127.0.0.1:")
            trust = ssl.create_default_context(cafile=str(pem))
            key = service.key("tls", 100)
            with httpx.Client(base_url=service.url, verify=trust, headers=bearer(key)) as client:
                created = client.post("/v1/realtime/sessions", json={"model": "service-realtime-720p"})
                assert created.status_code == 201
                assert created.json()["websocket_url"].startswith("wss://127.0.0.1:")
            channel = roles.call(service.folder, "core")
            assert channel is not None
            lease = json.loads(channel.receive(timeout=5) or b"{}")
            assert lease["url"].startswith("http://127.0.0.1:")
            own = httpx.get(f"{lease['url']}/v1/account", headers=bearer(lease["key"]))
            assert own.status_code == 200
            channel.close()

    def test_handshakes_count_as_connections_and_end(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
        pem, key_pem = certificate(tmp_path, "127.0.0.1")
        trust, config = ssl.create_default_context(cafile=str(pem)), ServiceConfig(connections=2)
        with running_service(tmp_path, config=config, tls=tls_context(pem, key_pem)) as service:
            url = httpx.URL(service.tls_url)
            place = (url.host, url.port)
            assert httpx.get(f"{service.tls_url}/healthz", verify=trust).status_code == 200
            silent = [socket.create_connection(place, timeout=10) for _ in range(2)]
            # One of them makes room; the other's second comes to its end.
            assert httpx.get(f"{service.tls_url}/healthz", verify=trust).status_code == 200
            for peer in silent:
                assert peer.recv(1) == b""
                peer.close()
            with socket.create_connection(place, timeout=10) as peer:
                peer.sendall(b"GET / HTTP/1.1\r\n\r\n")
                assert b"HTTP" not in _to_end(peer)
            with ssl.create_default_context(cafile=str(pem)).wrap_socket(
                socket.create_connection(place, timeout=10), server_hostname="127.0.0.1"
            ) as peer:  # and the places are free again
                peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                assert _to_end(peer).startswith(b"HTTP/1.1 200")

    @pytest.mark.parametrize(
        ("case", "part"),
        [
            ("missing", "cannot be read"),
            ("mismatched", "is not the key of"),
            ("no pem", "cannot be used for TLS"),
            ("half", "both the certificate and its key"),
        ],
    )
    def test_a_pair_that_does_not_work_is_named(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str, part: str
    ) -> None:
        pem, key_pem = certificate(tmp_path, "127.0.0.1")
        if case == "missing":
            key_pem.unlink()
        if case == "mismatched":
            key_pem = certificate(tmp_path, "localhost")[1]
        if case == "no pem":
            key_pem.write_text("nothing")
        words = ["serve", "--port", "0", "--data-dir", str(tmp_path / "data"), "--tls-certificate", str(pem)]
        words += [] if case == "half" else ["--tls-key", str(key_pem)]
        assert cli.run(words) in (1, 2)
        assert part in capsys.readouterr().err


class TestSettings:
    def test_nobody_listens_elsewhere_without_keys_in_whatever_database(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ["serve", "--host", "0.0.0.0", "--port", "0", "--data-dir", str(tmp_path / "data")]
        assert cli.run(words) == 1
        assert cli.run([*words, "--database", f"sqlite:///{tmp_path / 'other.sqlite'}"]) == 1
        assert capsys.readouterr().err.count("There is no key yet") == 2

    def test_a_databases_password_is_never_shown(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for url in ("postgresql://user:hunter2@127.0.0.1:1/books", "mysql://user:hunter2@127.0.0.1/books"):
            monkeypatch.setenv("OVERPAINT_DATABASE", url)
            assert cli.run(["keys", "list", "--data-dir", str(tmp_path)]) in (1, 2)
            assert cli.run(["serve", "--port", "0", "--data-dir", str(tmp_path)]) in (1, 2)
        told = capsys.readouterr()
        assert "hunter2" not in told.err + told.out and told.err

    @pytest.mark.full
    def test_keys_of_a_named_database_are_the_services(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OVERPAINT_DATABASE", f"sqlite:///{tmp_path / 'books.sqlite'}")
        with served(tmp_path / "data") as service:
            client = service.caller("team", 70)
            assert client.get("/v1/account").json()["credits_remaining"] == 70
        assert not (tmp_path / "data" / "ledger.sqlite").exists()

    def test_json_logs_name_each_request_and_hold_no_secret(self, tmp_path: Path) -> None:
        with served(tmp_path / "data", "--log-format", "json") as service:
            client = service.caller("logged", 100)
            session = client.post("/v1/realtime/sessions", json={"model": "service-realtime-720p"})
            answer = client.get("/v1/account?token=hunter2")
        lines = [json.loads(line) for line in service.log.read_text().splitlines()]
        named = [line for line in lines if line["request_id"] == answer.headers["x-request-id"]]
        assert [(line["path"], line["status"]) for line in named] == [("/v1/account", 200)]
        text = service.log.read_text()
        assert "hunter2" not in text and session.json()["client_secret"]["value"] not in text
        assert client.headers["authorization"].removeprefix("Bearer ") not in text
