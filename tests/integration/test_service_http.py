"""The HTTP interface, over real HTTP: every status, every field, in the specification's order."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from helpers.running_service import RunningService, running_service
from overpaint.core.configuration import ServiceConfig

SESSIONS = "/v1/realtime/sessions"
ORDER = {"model": "service-realtime-720p"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="module")
def key(service: RunningService) -> str:
    return service.key("shop", 100_000)


@pytest.fixture
def http(service: RunningService, key: str) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=service.url, headers={"Authorization": f"Bearer {key}"}, trust_env=False
    ) as client:
        yield client


def refused(answer: httpx.Response, status: int, kind: str) -> str:
    """Checks the error object and returns its message."""
    body = answer.json()
    assert answer.status_code == status, body
    assert body.keys() == {"error"} and body["error"].keys() == {"type", "message"}
    assert body["error"]["type"] == kind
    assert re.fullmatch(r"req_[0-9a-f]{32}", answer.headers["x-request-id"])
    assert answer.headers["content-type"] == "application/json"
    message: str = body["error"]["message"]
    return message


def test_account_has_exactly_the_fields_of_the_specification(http: httpx.Client, key: str) -> None:
    answer = http.get("/v1/account")
    assert answer.status_code == 200
    assert re.fullmatch(r"req_[0-9a-f]{32}", answer.headers["x-request-id"])
    body = answer.json()
    assert isinstance(body.pop("credits_remaining"), int)
    assert body == {
        "object": "account",
        "key": {"name": "shop", "environment": "live", "masked": f"ovp_live_…{key[-4:]}"},
    }


def test_account_is_free(http: httpx.Client) -> None:
    first = http.get("/v1/account").json()["credits_remaining"]
    assert http.get("/v1/account").json()["credits_remaining"] == first


def test_a_test_key_has_an_environment_and_a_balance_of_its_own(service: RunningService) -> None:
    key = service.ledger.create_key("shop-test", "test", account="shop", credits=7).key
    body = httpx.get(f"{service.url}/v1/account", headers={"Authorization": f"Bearer {key}"}).json()
    assert body["credits_remaining"] == 7
    assert body["key"]["environment"] == "test" and body["key"]["masked"].startswith("ovp_test_…")


def test_a_session_has_exactly_the_fields_of_the_specification(http: httpx.Client) -> None:
    before = http.get("/v1/account").json()["credits_remaining"]
    asked = datetime.now(UTC)
    answer = http.post(
        SESSIONS,
        json={
            "model": "service-realtime-1080p",
            "prompt": "ink comic",
            "reference_image_url": "https://example.org/a.jpg",
            "enhance_prompt": False,
            "ttl_seconds": 60,
        },
    )
    assert answer.status_code == 201
    body = answer.json()
    secret = body["client_secret"]["value"]
    expires_at = datetime.fromisoformat(body["expires_at"])
    assert abs(expires_at - asked - timedelta(seconds=60)) < timedelta(seconds=5)
    assert re.fullmatch(r"rts_[0-9a-f]{32}", body.pop("id"))
    assert len(secret) > 40
    assert body == {
        "object": "realtime.session",
        "model": "service-realtime-1080p",
        "prompt": "ink comic",
        "reference_image_url": "https://example.org/a.jpg",
        "client_secret": {"value": secret, "expires_at": body["expires_at"]},
        "websocket_url": f"ws://{http.base_url.netloc.decode()}/v1/realtime/stream?token={secret}",
        "expires_at": body["expires_at"],
        "credits_charged": 25,
        "credits_remaining": before - 25,
    }


def test_defaults_are_ten_minutes_and_no_prompt(http: httpx.Client) -> None:
    asked = datetime.now(UTC)
    body = http.post(SESSIONS, json=ORDER).json()
    lifetime = datetime.fromisoformat(body["expires_at"]) - asked
    assert abs(lifetime.total_seconds() - 600) < 5
    assert body["prompt"] is None and body["reference_image_url"] is None


def test_the_socket_address_has_the_host_and_scheme_that_the_caller_used(tmp_path: Path) -> None:
    named_so = ServiceConfig(allowed_hosts=("studio.example",))
    with running_service(tmp_path, config=named_so) as service:
        headers = {"Authorization": f"Bearer {service.key('shop', 100)}"}
        with httpx.Client(base_url=service.url, headers=headers, trust_env=False) as http:
            check_socket_addresses(http)


def check_socket_addresses(http: httpx.Client) -> None:
    named = http.post(SESSIONS, json=ORDER, headers={"Host": "studio.example:8443"}).json()
    assert named["websocket_url"].startswith("ws://studio.example:8443/v1/realtime/stream?token=")
    behind_tls = {"Host": "studio.example", "X-Forwarded-Proto": "https"}
    proxied = http.post(SESSIONS, json=ORDER, headers=behind_tls).json()
    assert proxied["websocket_url"].startswith("wss://studio.example/v1/realtime/stream?token=")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "model"),
        ({"model": None}, "model"),
        ({"model": "service-video-v1"}, "model"),
        ({"model": 7}, "model"),
        (ORDER | {"prompt": "x" * 2001}, "prompt"),
        (ORDER | {"prompt": ["x"]}, "prompt"),
        (ORDER | {"ttl_seconds": 59}, "ttl_seconds"),
        (ORDER | {"ttl_seconds": 1801}, "ttl_seconds"),
        (ORDER | {"ttl_seconds": "600"}, "ttl_seconds"),
        (ORDER | {"ttl_seconds": 60.5}, "ttl_seconds"),
        (ORDER | {"ttl_seconds": True}, "ttl_seconds"),
        (ORDER | {"enhance_prompt": "yes"}, "enhance_prompt"),
        (ORDER | {"reference_image_url": "photo.jpg"}, "reference_image_url"),
        (ORDER | {"reference_image_url": "file:///etc/passwd"}, "reference_image_url"),
        (ORDER | {"reference_image_url": "http://[bad"}, "reference_image_url"),
        (ORDER | {"seconds": 5}, "seconds"),
        ([], "body"),
        ("model", "body"),
    ],
)
def test_what_is_malformed_is_400_and_names_the_field(http: httpx.Client, body: Any, field: str) -> None:
    before = http.get("/v1/account").json()["credits_remaining"]
    message = refused(http.post(SESSIONS, json=body), 400, "invalid_request_error")
    assert message.startswith(f"{field}:") and message.endswith(".")
    assert http.get("/v1/account").json()["credits_remaining"] == before


@pytest.mark.parametrize("ttl_seconds", [60, 1800])
def test_the_bounds_of_a_lifetime_are_within_it(http: httpx.Client, ttl_seconds: int) -> None:
    assert http.post(SESSIONS, json=ORDER | {"ttl_seconds": ttl_seconds}).status_code == 201


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"{'model': 1}", b'{"model": "\\ud800"}'])
def test_what_is_not_json_is_400(http: httpx.Client, content: bytes) -> None:
    answer = http.post(SESSIONS, content=content, headers={"Content-Type": "application/json"})
    refused(answer, 400, "invalid_request_error")


def test_what_was_sent_is_not_repeated_in_the_refusal(http: httpx.Client) -> None:
    assert "hunter2" not in http.post(SESSIONS, json=ORDER | {"ttl_seconds": "hunter2"}).text


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Basic abc", "Bearer ovp_live_nothing", "ovp_live_nothing", "Bearer ä"],
)
@pytest.mark.parametrize("route", ["GET /v1/account", f"POST {SESSIONS}"])
def test_no_valid_key_is_401_before_anything_else(
    service: RunningService, route: str, header: str | None
) -> None:
    method, path = route.split()
    headers = {} if header is None else {b"authorization": header.encode("latin-1")}
    with httpx.Client(trust_env=False) as plain:
        answer = plain.request(method, service.url + path, headers=headers, content=b"{ not json")
    refused(answer, 401, "authentication_error")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_revoked_key_is_401_at_once(service: RunningService) -> None:
    headers = {"Authorization": f"Bearer {service.key('leaver')}"}
    assert httpx.get(f"{service.url}/v1/account", headers=headers).status_code == 200
    service.ledger.revoke_key("leaver")
    refused(httpx.get(f"{service.url}/v1/account", headers=headers), 401, "authentication_error")


def test_too_low_a_balance_is_402_after_400(service: RunningService) -> None:
    headers = {"Authorization": f"Bearer {service.key('poor', 24)}"}
    url = service.url + SESSIONS
    refused(httpx.post(url, json={"model": "x"}, headers=headers), 400, "invalid_request_error")
    message = refused(httpx.post(url, json=ORDER, headers=headers), 402, "insufficient_credits")
    assert "25" in message and "24" in message


def test_other_statuses_have_the_same_error_object(http: httpx.Client) -> None:
    refused(http.get("/v1/nothing"), 404, "not_found")
    refused(http.get("/v1/account/"), 404, "not_found")
    answer = http.put("/v1/account")
    refused(answer, 405, "invalid_request_error")
    assert answer.headers["allow"] == "GET"
    refused(http.post(SESSIONS, json=ORDER | {"prompt": "x" * 70_000}), 413, "invalid_request_error")
    refused(http.post(SESSIONS, data={"model": "x"}), 415, "invalid_request_error")


def test_a_streamed_body_has_the_same_limit(http: httpx.Client) -> None:
    chunks = (b" " * 20_000 for _ in range(5))
    answer = http.post(SESSIONS, content=chunks, headers={"Content-Type": "application/json"})
    refused(answer, 413, "invalid_request_error")


@pytest.mark.expect_log("failed")
def test_a_fault_of_ours_is_500_without_detail(
    service: RunningService, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(purse: object) -> int:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(service.ledger, "balance", broken)
    answer = http.get("/v1/account")
    message = refused(answer, 500, "internal_error")
    assert answer.headers["x-request-id"] in message
    assert "secret detail" not in answer.text and "Traceback" not in answer.text


def test_health_needs_no_key(service: RunningService) -> None:
    answer = httpx.get(f"{service.url}/healthz")
    assert answer.status_code == 200 and "x-request-id" in answer.headers


def test_the_openapi_page_describes_what_is_there(service: RunningService) -> None:
    described = httpx.get(f"{service.url}/openapi.json").json()
    assert {"/v1/account", SESSIONS, "/healthz"} <= described["paths"].keys()
    assert "422" not in described["paths"][SESSIONS]["post"]["responses"]
    assert httpx.get(f"{service.url}/docs").status_code == 200


def test_twenty_five_at_once_on_a_balance_for_seven(service: RunningService) -> None:
    headers = {"Authorization": f"Bearer {service.key('crowd', 7 * 25 + 10)}"}
    url = service.url + SESSIONS
    start = threading.Barrier(10)

    def create(number: int) -> int:
        if number < 10:
            start.wait()
        return httpx.post(url, json=ORDER, headers=headers, timeout=30).status_code

    with ThreadPoolExecutor(10) as pool:
        statuses = list(pool.map(create, range(25)))
    assert sorted(set(statuses)) == [201, 402] and statuses.count(201) == 7
    body = httpx.get(f"{service.url}/v1/account", headers=headers).json()
    assert body["credits_remaining"] == 10


def test_a_repeated_request_gets_the_first_answer_and_pays_once(http: httpx.Client) -> None:
    before = http.get("/v1/account").json()["credits_remaining"]
    headers = {"Idempotency-Key": "order-1"}
    first = http.post(SESSIONS, json=ORDER, headers=headers)
    again = http.post(SESSIONS, json=ORDER | {"ttl_seconds": 600}, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert http.get("/v1/account").json()["credits_remaining"] == before - 25
    other = http.post(SESSIONS, json=ORDER | {"prompt": "oil"}, headers=headers)
    assert "Idempotency-Key" in refused(other, 400, "invalid_request_error")


@pytest.mark.parametrize("value", ["", "x" * 256])
def test_an_unusable_idempotency_key_is_400(http: httpx.Client, value: str) -> None:
    answer = http.post(SESSIONS, json=ORDER, headers={"Idempotency-Key": value})
    refused(answer, 400, "invalid_request_error")


def test_no_secret_is_stored(service: RunningService, http: httpx.Client, key: str) -> None:
    body = http.post(SESSIONS, json=ORDER, headers={"Idempotency-Key": "order-2"}).json()
    stored = b""
    with sqlite3.connect(Path(str(service.ledger._engine.url.database))) as database:
        for line in database.iterdump():
            stored += line.encode()
    database.close()
    assert body["id"].encode() in stored
    assert body["client_secret"]["value"].encode() not in stored and key.encode() not in stored


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/a.png", "http://[::ffff:10.0.0.1]/a.png"])
def test_a_number_that_may_not_be_fetched_is_400_before_the_balance_is_looked_at(
    service: RunningService, url: str
) -> None:
    headers = {"Authorization": f"Bearer {service.key(f'poor {url}', 1)}"}
    order = {"model": "service-image-v1", "prompt": "ink comic", "input_url": url}
    with httpx.Client(base_url=service.url, headers=headers, trust_env=False) as poor:
        said = refused(poor.post("/v1/transforms", json=order), 400, "invalid_request_error")
    assert said.startswith("input_url: ")
