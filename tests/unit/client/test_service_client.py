"""The Python client says what the service said, as the errors of the tree."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from helpers.running_service import RunningService, running_service
from overpaint.client import Retries, ServiceClient
from overpaint.client.addresses import service_address
from overpaint.errors import (
    AuthenticationError,
    InsufficientCreditsError,
    InternalError,
    InvalidRequestError,
    NotFoundError,
    RateLimitedError,
    ServiceError,
    UnreachableError,
    UpstreamError,
    UsageError,
)
from overpaint.wire.servers import as_encrypted, is_loopback_address, is_unencrypted


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service")) as running:
        yield running


def scripted(answer: Callable[[httpx.Request], httpx.Response]) -> ServiceClient:
    return ServiceClient(
        "http://service.test", "ovp_live_x", httpx.MockTransport(answer), Retries(attempts=1)
    )


async def test_account_and_session_of_a_real_service(service: RunningService) -> None:
    async with ServiceClient(f"{service.url}/v1/", service.key("a", 30)) as client:
        account = await client.account()
        assert account.credits_remaining == 30 and account.key.name == "a"
        session = await client.create_session("service-realtime-720p", "ink", ttl_seconds=60)
        assert session.prompt == "ink" and session.credits_remaining == 5
        with pytest.raises(InsufficientCreditsError, match="25 credits") as refusal:
            await client.create_session("service-realtime-720p")
        assert refusal.value.kind == "insufficient_credits" and refusal.value.mend


async def test_refusals_of_a_real_service(service: RunningService) -> None:
    async with ServiceClient(service.url, "ovp_live_nobody") as client:
        with pytest.raises(AuthenticationError, match="unknown or revoked"):
            await client.account()
    async with ServiceClient(service.url, service.key("b")) as client:
        with pytest.raises(InvalidRequestError, match="ttl_seconds"):
            await client.create_session("service-realtime-720p", ttl_seconds=5)
        with pytest.raises((AuthenticationError, NotFoundError)):
            await client.post_sdp(f"{service.url}/v1/rtc/room_x/whip", "v=0", "token")
        await client.delete_resource(f"{service.url}/v1/rtc/room_x/resources/y", "token")
    async with ServiceClient(service.url, "schlüssel\n") as client:
        with pytest.raises(AuthenticationError):
            await client.account()


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, InvalidRequestError),
        (401, AuthenticationError),
        (402, InsufficientCreditsError),
        (404, NotFoundError),
        (413, InvalidRequestError),
        (429, RateLimitedError),
        (500, InternalError),
        (502, UpstreamError),
        (503, InternalError),
    ],
)
async def test_each_status_is_an_error_with_the_services_own_sentence(
    status: int, error: type[ServiceError]
) -> None:
    body = {"error": {"type": "some_type", "message": "The sentence."}}
    async with scripted(lambda request: httpx.Response(status, json=body)) as client:
        with pytest.raises(error, match="The sentence") as refusal:
            await client.account()
        assert refusal.value.kind == "some_type"
    async with scripted(lambda request: httpx.Response(status, text="<html>")) as client:
        with pytest.raises(error, match=f"service.test answered with status {status}"):
            await client.account()


async def test_what_is_no_overpaint_service_is_unreachable() -> None:
    for answer in (httpx.Response(200, text="<html>"), httpx.Response(200, json={"object": "cat"})):
        async with scripted(lambda request, answer=answer: answer) as client:
            with pytest.raises(UnreachableError, match="not an Overpaint service"):
                await client.account()


async def test_nobody_there_is_one_sentence_with_a_mend() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with ServiceClient(f"http://127.0.0.1:{port}", "k") as client:
        with pytest.raises(UnreachableError, match=f"Nobody answers at http://127.0.0.1:{port}") as refusal:
            await client.account()
    assert refusal.value.mend


async def test_a_lost_answer_is_asked_for_again_and_not_paid_again(service: RunningService) -> None:
    key = service.key("c", 100)
    lost: list[str] = []

    class LosesFirst(httpx.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            answer = await super().handle_async_request(request)
            if not lost:
                await answer.aread()
                lost.append(json.loads(answer.content)["id"])
                raise httpx.ReadError("the line broke")
            return answer

    async with ServiceClient(service.url, key, LosesFirst()) as client:
        session = await client.create_session("service-realtime-720p")
        assert [session.id] == lost
        assert (await client.account()).credits_remaining == 75


async def test_sdp_goes_and_comes_with_the_rooms_token() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "DELETE":
            return httpx.Response(404, json={"error": {"type": "not_found", "message": "Gone."}})
        assert request.headers["authorization"] == "Bearer room-token"
        assert request.headers["content-type"] == "application/sdp" and request.content == b"offer"
        links = [("Link", '<stun:a>; rel="ice-server"'), ("Link", '<stun:b>; rel="ice-server"')]
        return httpx.Response(201, text="answer", headers=[("Location", "/v1/rtc/r/resources/1"), *links])

    async with scripted(answer) as client:
        told = await client.post_sdp("http://service.test/v1/rtc/r/whip", "offer", "room-token")
        assert told[:2] == ("answer", "http://service.test/v1/rtc/r/resources/1")
        assert told[2] == ['<stun:a>; rel="ice-server"', '<stun:b>; rel="ice-server"']
        await client.delete_resource(told[1], "room-token")
    async with scripted(lambda request: httpx.Response(200, text="answer")) as client:
        with pytest.raises(InternalError, match="not WHIP"):
            await client.post_sdp("http://service.test/v1/rtc/r/whip", "offer", "room-token")


def test_the_key_is_in_no_repr() -> None:
    assert "ovp_live_x" not in repr(scripted(lambda request: httpx.Response(200)))


async def test_a_proxy_does_not_stand_before_this_machine(
    service: RunningService, monkeypatch: pytest.MonkeyPatch, data_folder: Path
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    async with ServiceClient(service.url, service.key("d", 5)) as client:
        assert (await client.account()).credits_remaining == 5


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("https://a.example", "https://a.example"),
        (" https://a.example/v1/ ", "https://a.example"),
        ("a.example:8443", "https://a.example:8443"),
        ("localhost:8787", "http://localhost:8787"),
        ("127.0.0.1:8787", "http://127.0.0.1:8787"),
        ("http://[::1]:1/", "http://[::1]:1"),
        ("https://a.example/overpaint/v1", "https://a.example/overpaint"),
    ],
)
def test_addresses_as_users_type_them(typed: str, address: str) -> None:
    assert service_address(typed) == address


@pytest.mark.parametrize(
    "typed", ["", "   ", "ftp://a.example", "http://", "http://a:b:c", "http://u:p@a", "a?b"]
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="not the address"):
        service_address(typed)


def test_loopback_is_recognised_by_its_host() -> None:
    assert is_loopback_address("ws://127.0.0.1:1/x") and is_loopback_address("http://[::1]/")
    assert not is_loopback_address("http://127.0.0.1.example") and not is_loopback_address("http://[x")


def test_only_http_of_another_computer_is_unencrypted() -> None:
    for address in ("http://gpu-box:8787", "HTTP://192.168.1.2", " http://127.0.0.1.example"):
        assert is_unencrypted(address)
    for address in ("", "https://gpu-box", "http://127.0.0.1:8787", "http://localhost", "http://[::1]:1"):
        assert not is_unencrypted(address)


def test_who_came_by_https_goes_on_encrypted_whatever_the_service_names() -> None:
    base = "https://api.example"
    assert as_encrypted(base, "ws://api.example/v1/realtime/stream?token=s") == (
        "wss://api.example/v1/realtime/stream?token=s"
    )
    assert as_encrypted(base, "http://api.example/v1/rtc/r") == "https://api.example/v1/rtc/r"
    for url in ("wss://api.example/x", "shm://room", "ws://127.0.0.1:1/x"):
        assert as_encrypted(base, url) == url
    assert as_encrypted("http://127.0.0.1:1", "ws://127.0.0.1:1/x") == "ws://127.0.0.1:1/x"
