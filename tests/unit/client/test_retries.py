"""What the client asks for again, what it does not, and how long it waits in between."""

from __future__ import annotations

import time

import httpx
import pytest

from overpaint.client import Retries, ServiceClient
from overpaint.errors import (
    InsufficientCreditsError,
    InternalError,
    OverpaintError,
    RateLimitedError,
    UnreachableError,
    UpstreamError,
)

HASTY = Retries(attempts=4, first_s=0.002, longest_s=1.5)
JOB = {
    "id": "tfm_1",
    "object": "transform.job",
    "model": "service-image-v1",
    "kind": "image",
    "status": "succeeded",
    "output_url": "http://service.test/v1/files/fil_1",
    "credits_charged": 2,
    "credits_remaining": 8,
}
ACCOUNT = {
    "object": "account",
    "credits_remaining": 8,
    "key": {"name": "k", "environment": "live", "masked": "ovp_live_…abcd"},
}


class Script:
    """Answers from a list, the last one for ever; remembers what was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(
            answer.status_code, headers=answer.headers, stream=httpx.ByteStream(answer.content)
        )

    def client(self, retries: Retries = HASTY) -> ServiceClient:
        return ServiceClient("http://service.test", "ovp_live_x", httpx.MockTransport(self), retries)


def said(status: int, kind: str, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"error": {"type": kind, "message": "No."}}, headers=named)


LOST = httpx.ReadError("the line broke")
SLOW = httpx.ReadTimeout("too slow")
GATEWAY = httpx.Response(502, text="<html>Bad gateway</html>")


@pytest.mark.parametrize("hindrance", [LOST, SLOW, GATEWAY, said(429, "rate_limited", retry_after="0")])
async def test_a_hindrance_is_overcome_under_the_same_idempotency_key(
    hindrance: httpx.Response | Exception,
) -> None:
    script = Script(hindrance, hindrance, httpx.Response(200, json=JOB))
    async with script.client() as client:
        job = await client.transform("service-image-v1", "ink", "http://in.test/a.png")
    assert job.id == "tfm_1" and len(script.asked) == 3
    assert len({request.headers["idempotency-key"] for request in script.asked}) == 1
    assert len({request.content for request in script.asked}) == 1


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (said(502, "upstream_error"), UpstreamError),
        (said(402, "insufficient_credits"), InsufficientCreditsError),
        (said(500, "internal_error"), InternalError),
    ],
)
async def test_the_services_own_last_word_is_not_argued_with(
    answer: httpx.Response, error: type[OverpaintError]
) -> None:
    script = Script(answer)
    async with script.client() as client:
        with pytest.raises(error):
            await client.transform("service-image-v1", "ink", "http://in.test/a.png")
    assert len(script.asked) == 1


@pytest.mark.parametrize(("hindrance", "error"), [(LOST, UnreachableError), (GATEWAY, UpstreamError)])
async def test_attempts_are_counted(
    hindrance: httpx.Response | Exception, error: type[OverpaintError]
) -> None:
    script = Script(hindrance)
    async with script.client() as client:
        with pytest.raises(error) as failure:
            await client.account()
    assert len(script.asked) == 4 and failure.value.mend


async def test_an_offer_that_cannot_be_made_twice_is_made_once() -> None:
    script = Script(LOST)
    async with script.client() as client:
        with pytest.raises(UnreachableError):
            await client.post_sdp("http://service.test/v1/rtc/r/whip", "offer", "token")
    assert len(script.asked) == 1


async def test_retry_after_is_obeyed() -> None:
    script = Script(said(429, "rate_limited", retry_after="1"), httpx.Response(200, json=ACCOUNT))
    began = time.monotonic()
    async with script.client() as client:
        assert (await client.account()).credits_remaining == 8
    assert time.monotonic() - began >= 1.0


async def test_a_retry_after_beyond_all_patience_is_told() -> None:
    script = Script(said(429, "rate_limited", retry_after="3600"))
    async with script.client() as client:
        with pytest.raises(RateLimitedError):
            await client.account()
    assert len(script.asked) == 1


async def test_a_callers_own_idempotency_key_is_kept() -> None:
    script = Script(httpx.Response(200, json=JOB))
    async with script.client() as client:
        await client.transform("service-image-v1", "ink", "http://in.test/a", idempotency_key="mine")
    assert script.asked[0].headers["idempotency-key"] == "mine"


def test_pauses_grow_are_spread_and_end() -> None:
    retries = Retries(attempts=6, first_s=1.0, longest_s=5.0)
    for failures, longest in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0), (5, 5.0)):
        pauses = {retries.pause_s(failures) for _ in range(50)}
        assert len(pauses) > 10
        assert all(pause is not None and longest / 2 <= pause <= longest for pause in pauses)
    assert retries.pause_s(6) is None
    assert retries.pause_s(1, 5.0) == 5.0 and retries.pause_s(1, 5.1) is None


async def test_waiting_outlasts_a_service_that_is_restarted() -> None:
    processing = httpx.Response(
        200,
        json=JOB | {"kind": "video", "model": "service-video-v1", "status": "processing", "output_url": None},
        headers={"X-Progress": "0.25"},
    )
    refused = httpx.ConnectError("nobody there")
    script = Script(processing, *[refused] * 9, GATEWAY, processing, httpx.Response(200, json=JOB))
    parts: list[float] = []
    async with script.client() as client:
        job = await client.wait("tfm_1", parts.append, poll_s=0.01)
    assert job.status == "succeeded" and parts == [0.25, 0.25]


async def test_waiting_ends_when_the_service_stays_away_or_does_not_know_the_job() -> None:
    async with Script(httpx.ConnectError("nobody there")).client() as client:
        with pytest.raises(UnreachableError):
            await client.wait("tfm_1", poll_s=0.01, patience_s=0.05)
    unknown = Script(said(404, "not_found"))
    async with unknown.client() as client:
        with pytest.raises(OverpaintError) as failure:
            await client.wait("../account")
    assert failure.value.kind == "not_found"
    assert unknown.asked[0].url.raw_path == b"/v1/transforms/..%2Faccount"


async def test_a_jobs_progress_and_failure_come_from_its_headers() -> None:
    failed = JOB | {"status": "failed", "output_url": None, "credits_charged": 0}
    script = Script(httpx.Response(200, json=failed, headers={"X-Failure": "The clip is damaged."}))
    async with script.client() as client:
        state = await client.job("tfm_1")
    assert (state.progress, state.failure) == (None, "The clip is damaged.")
