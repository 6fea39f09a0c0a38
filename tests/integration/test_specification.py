"""The specification's HTTP rows, tried from outside on the real process: account, sessions, errors."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from helpers.served import ACCOUNT, FILES, SESSIONS, TRANSFORMS, Served, balance, refused, say, upload
from helpers.small_media import picture

SESSION = {"model": "service-realtime-720p"}
IMAGE = {"model": "service-image-v1", "prompt": "pencil sketch", "input_url": "http://192.0.2.1/a.png"}
LOST_JOB = f"{TRANSFORMS}/tfm_{'0' * 32}"


pytestmark = pytest.mark.usefixtures("short_session")  # whose minute begins now


@pytest.fixture(scope="module")
def caller(public: Served) -> httpx.Client:
    return public.caller("specification", 100_000)


@pytest.fixture
def unchanged(caller: httpx.Client) -> Iterator[None]:
    """Whatever the test does costs nothing."""
    before = balance(caller)
    yield
    assert balance(caller) == before


# ---- GET /account, and the models' prices ------------------------------------------------------------


def test_account_object(public: Served) -> None:
    key = public.key("label of the key", 40)
    answer = public.client(key).get(ACCOUNT)
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "object": "account",
        "credits_remaining": 40,
        "key": {"name": "label of the key", "environment": "live", "masked": f"ovp_live_…{key[-4:]}"},
    }


def test_live_and_test_keys_of_one_account_have_balances_of_their_own(public: Served) -> None:
    live = public.client(public.key("both live", 60, "live", account="both"))
    key = public.key("both test", 30, "test", account="both")
    test = public.client(key)
    assert key.startswith("ovp_test_")
    assert test.get(ACCOUNT).json()["key"] == {
        "name": "both test",
        "environment": "test",
        "masked": f"ovp_test_…{key[-4:]}",
    }
    assert test.post(SESSIONS, json=SESSION).json()["credits_remaining"] == 5
    refused(test.post(SESSIONS, json=SESSION), 402, "insufficient_credits")
    assert (balance(live), balance(test)) == (60, 5)


def test_two_keys_of_one_account_and_environment_share_a_balance(public: Served) -> None:
    first = public.client(public.key("shared one", 25, account="shared"))
    second = public.client(public.key("shared two", 0, account="shared"))
    assert first.post(SESSIONS, json=SESSION).status_code == 201
    assert balance(second) == 0


def test_the_account_is_free_of_charge(caller: httpx.Client, unchanged: None) -> None:
    assert caller.get(ACCOUNT).status_code == 200


# ---- POST /realtime/sessions -------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["service-realtime-720p", "service-realtime-1080p"])
def test_session_object(public: Served, caller: httpx.Client, model: str) -> None:
    before = balance(caller)
    asked = datetime.now(UTC)
    order = {
        "model": model,
        "prompt": "watercolour",
        "reference_image_url": "https://example.org/photo.jpg",
        "enhance_prompt": False,
        "ttl_seconds": 61,
    }
    answer = caller.post(SESSIONS, json=order)
    assert answer.status_code == 201
    body = answer.json()
    secret = body["client_secret"]["value"]
    assert re.fullmatch(r"rts_[0-9a-f]{32}", body.pop("id"))
    assert body == {
        "object": "realtime.session",
        "model": model,
        "prompt": "watercolour",
        "reference_image_url": "https://example.org/photo.jpg",
        "client_secret": {"value": secret, "expires_at": body["expires_at"]},
        "websocket_url": f"{public.url.replace('http', 'ws', 1)}/v1/realtime/stream?token={secret}",
        "expires_at": body["expires_at"],
        "credits_charged": 25,
        "credits_remaining": before - 25,
    }
    expires = datetime.fromisoformat(body["expires_at"])
    assert abs(expires - asked - timedelta(seconds=61)) < timedelta(seconds=5)
    assert expires.tzinfo is not None
    key = caller.headers["authorization"].removeprefix("Bearer ")
    assert key not in answer.text and not secret.startswith("ovp_")


def test_a_session_secret_is_no_key(public: Served, caller: httpx.Client) -> None:
    secret = caller.post(SESSIONS, json=SESSION).json()["client_secret"]["value"]
    refused(public.client(secret).get(ACCOUNT), 401, "authentication_error")


def test_a_session_lasts_ten_minutes_unless_told(caller: httpx.Client) -> None:
    asked = datetime.now(UTC)
    body = caller.post(SESSIONS, json=SESSION).json()
    lifetime = datetime.fromisoformat(body["expires_at"]) - asked
    assert abs(lifetime - timedelta(seconds=600)) < timedelta(seconds=5)
    assert body["prompt"] is None and body["reference_image_url"] is None


@pytest.mark.parametrize(
    "fits",
    [
        {"ttl_seconds": 60},
        {"ttl_seconds": 1800},
        {"prompt": ""},
        {"prompt": "é" * 2000},
        {"enhance_prompt": True},
        {"reference_image_url": None, "prompt": None},
        {"reference_image_url": "http://example.org:8080/a?b=c"},
    ],
)
def test_what_is_just_within_the_limits_of_a_session_is_sold(
    caller: httpx.Client, fits: dict[str, Any]
) -> None:
    assert caller.post(SESSIONS, json=SESSION | fits).status_code == 201


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"model": "service-image-v1"}, "model"),
        ({"model": None}, "model"),
        ({"model": ["service-realtime-720p"]}, "model"),
        ({"prompt": "x" * 2001}, "prompt"),
        ({"prompt": 5}, "prompt"),
        ({"ttl_seconds": 59}, "ttl_seconds"),
        ({"ttl_seconds": 1801}, "ttl_seconds"),
        ({"ttl_seconds": 0}, "ttl_seconds"),
        ({"ttl_seconds": -600}, "ttl_seconds"),
        ({"ttl_seconds": "600"}, "ttl_seconds"),
        ({"ttl_seconds": 600.5}, "ttl_seconds"),
        ({"ttl_seconds": None}, "ttl_seconds"),
        ({"enhance_prompt": "true"}, "enhance_prompt"),
        ({"enhance_prompt": 1}, "enhance_prompt"),
        ({"enhance_prompt": None}, "enhance_prompt"),
        ({"reference_image_url": ""}, "reference_image_url"),
        ({"reference_image_url": "a.jpg"}, "reference_image_url"),
        ({"reference_image_url": "ftp://example.org/a.jpg"}, "reference_image_url"),
        ({"reference_image_url": "data:image/png;base64,AAAA"}, "reference_image_url"),
        ({"reference_image_url": {"url": "http://example.org"}}, "reference_image_url"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_malformed_session_is_400_that_names_the_field(
    caller: httpx.Client, unchanged: None, wrong: dict[str, Any], field: str
) -> None:
    answer = caller.post(SESSIONS, json=SESSION | wrong)
    assert field in refused(answer, 400, "invalid_request_error")


# ---- POST /transforms: what is refused ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"model": "service-realtime-720p"}, "model"),
        ({"model": ""}, "model"),
        ({"model": 1}, "model"),
        ({"prompt": ""}, "prompt"),
        ({"prompt": "x" * 2001}, "prompt"),
        ({"prompt": None}, "prompt"),
        ({"input_url": None}, "input_url"),
        ({"input_url": ""}, "input_url"),
        ({"input_url": "file:///etc/passwd"}, "input_url"),
        ({"input_url": "/v1/files/fil_1"}, "input_url"),
        ({"input_url": ["http://example.org"]}, "input_url"),
        ({"webhook_url": ""}, "webhook_url"),
        ({"webhook_url": "mailto:a@example.org"}, "webhook_url"),
        ({"webhook_url": 5}, "webhook_url"),
        ({"extra": "x"}, "extra"),
    ],
)
def test_a_malformed_transform_is_400_that_names_the_field(
    caller: httpx.Client, unchanged: None, wrong: dict[str, Any], field: str
) -> None:
    answer = caller.post(TRANSFORMS, json=IMAGE | wrong)
    assert field in refused(answer, 400, "invalid_request_error")


@pytest.mark.parametrize("field", ["model", "prompt", "input_url"])
def test_what_a_transform_requires_is_required(caller: httpx.Client, unchanged: None, field: str) -> None:
    order = {name: value for name, value in IMAGE.items() if name != field}
    assert field in refused(caller.post(TRANSFORMS, json=order), 400, "invalid_request_error")


def test_an_input_that_cannot_be_fetched_is_400_and_free(caller: httpx.Client, unchanged: None) -> None:
    order = IMAGE | {"input_url": "http://127.0.0.1:9/nobody.png"}
    assert "input_url" in refused(caller.post(TRANSFORMS, json=order), 400, "invalid_request_error")


# ---- who may ask, and what is looked at first ---------------------------------------------------------

ROUTES = [
    ("GET", ACCOUNT),
    ("POST", SESSIONS),
    ("POST", TRANSFORMS),
    ("GET", LOST_JOB),
    ("POST", FILES),
]
NO_KEYS: list[dict[str, str]] = [
    {},
    {"Authorization": ""},
    {"Authorization": "Bearer"},
    {"Authorization": "Bearer ovp_live_unknown"},
    {"Authorization": "Basic b3ZwOng="},
    {"Authorization": "ovp_live_unknown"},
    {"Cookie": "key=ovp_live_unknown"},
]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_route_wants_a_key_before_it_looks_at_anything(
    public: Served, caller: httpx.Client, method: str, path: str
) -> None:
    key = caller.headers["authorization"].removeprefix("Bearer ")
    stranger = public.client()
    for headers in NO_KEYS:
        answer = stranger.request(method, path, headers=headers, content=b"{")
        refused(answer, 401, "authentication_error")
        assert answer.headers["www-authenticate"].startswith("Bearer")
    # A key in the address would be in logs and histories: it is none.
    refused(stranger.request(method, path, params={"key": key}), 401, "authentication_error")


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_revoked_key_is_401_at_once(public: Served, method: str, path: str) -> None:
    name = f"leaver {secrets.token_hex(4)}"
    leaver = public.caller(name, 100)
    assert leaver.get(ACCOUNT).status_code == 200
    say("keys", "revoke", "--name", name, "--data-dir", str(public.folder))
    refused(leaver.request(method, path), 401, "authentication_error")


def test_400_comes_before_402(public: Served) -> None:
    poor = public.caller("poor", 1)
    refused(poor.post(SESSIONS, json={"model": "none"}), 400, "invalid_request_error")
    assert "25" in refused(poor.post(SESSIONS, json=SESSION), 402, "insufficient_credits")
    refused(poor.post(TRANSFORMS, json={"model": "service-image-v1"}), 400, "invalid_request_error")
    malformed = IMAGE | {"input_url": "ftp://127.0.0.1:9/a.png"}
    refused(poor.post(TRANSFORMS, json=malformed), 400, "invalid_request_error")
    # What only fetching would tell is not asked for an account that cannot pay.
    nobody = IMAGE | {"input_url": "http://127.0.0.1:9/a.png"}
    refused(poor.post(TRANSFORMS, json=nobody), 402, "insufficient_credits")
    url = upload(poor, picture())["url"]
    refused(poor.post(TRANSFORMS, json=IMAGE | {"input_url": url}), 402, "insufficient_credits")
    assert balance(poor) == 1


def test_a_job_that_does_not_exist_is_404(caller: httpx.Client) -> None:
    for path in (LOST_JOB, f"{TRANSFORMS}/x", f"{TRANSFORMS}/{'a' * 3000}", f"{TRANSFORMS}/%00"):
        refused(caller.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/nothing"),
        ("GET", "/v1"),
        ("GET", "/"),
        ("GET", f"{ACCOUNT}/"),
        ("POST", f"{SESSIONS}/"),
        ("GET", "/v2/account"),
        ("GET", "/account"),
    ],
)
def test_an_unknown_path_is_404(caller: httpx.Client, method: str, path: str) -> None:
    refused(caller.request(method, path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", ACCOUNT, "GET"),
        ("DELETE", ACCOUNT, "GET"),
        ("GET", SESSIONS, "POST"),
        ("PATCH", TRANSFORMS, "POST"),
        ("DELETE", LOST_JOB, "GET"),
        ("PUT", FILES, "POST"),
    ],
)
def test_a_wrong_method_is_405(caller: httpx.Client, method: str, path: str, allowed: str) -> None:
    answer = caller.request(method, path)
    refused(answer, 405, "invalid_request_error")
    assert allowed in answer.headers["allow"]


@pytest.mark.parametrize("path", [SESSIONS, TRANSFORMS])
def test_bodies_of_another_type_or_size_are_415_and_413(
    caller: httpx.Client, unchanged: None, path: str
) -> None:
    refused(caller.post(path, data={"model": "x"}), 415, "invalid_request_error")
    refused(
        caller.post(path, content=b"{}", headers={"Content-Type": "text/plain"}), 415, "invalid_request_error"
    )
    refused(caller.post(path, json={"prompt": "x" * 2_000_000}), 413, "invalid_request_error")
    for content in (b"", b"{", b"null", b"[]", b'"model"', b"\xff\xfe{}", b"{'model': 1}"):
        answer = caller.post(path, content=content, headers={"Content-Type": "application/json"})
        refused(answer, 400, "invalid_request_error")


def test_every_answer_has_a_request_id_of_its_own(caller: httpx.Client) -> None:
    ids = {caller.get(path).headers["x-request-id"] for path in (ACCOUNT, ACCOUNT, "/healthz", "/v1/nothing")}
    assert len(ids) == 4 and all(re.fullmatch(r"req_[0-9a-f]{32}", each) for each in ids)


def test_health_and_the_openapi_page_need_no_key(public: Served) -> None:
    stranger = public.client()
    assert stranger.get("/healthz").status_code == 200
    paths = stranger.get("/openapi.json").json()["paths"]
    assert {ACCOUNT, SESSIONS, TRANSFORMS, f"{TRANSFORMS}/{{id}}", FILES} <= paths.keys()


# ---- retries ------------------------------------------------------------------------------------------


def test_a_repeated_session_is_the_first_one_and_charged_once(caller: httpx.Client) -> None:
    before = balance(caller)
    headers = {"Idempotency-Key": secrets.token_hex(8)}
    first = caller.post(SESSIONS, json=SESSION, headers=headers)
    again = caller.post(SESSIONS, json=SESSION, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201) and first.json() == again.json()
    assert balance(caller) == before - 25
    other = caller.post(SESSIONS, json=SESSION | {"prompt": "oil"}, headers=headers)
    assert "Idempotency-Key" in refused(other, 400, "invalid_request_error")


def test_the_same_idempotency_key_of_another_caller_is_another_order(
    public: Served, caller: httpx.Client
) -> None:
    headers = {"Idempotency-Key": "one"}
    other = public.caller("another with the same word", 25)
    mine = caller.post(SESSIONS, json=SESSION, headers=headers).json()
    theirs = other.post(SESSIONS, json=SESSION, headers=headers).json()
    assert mine["id"] != theirs["id"] and balance(other) == 0
