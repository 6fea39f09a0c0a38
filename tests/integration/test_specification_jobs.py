"""The specification's rows about transforms, files and webhooks, tried from outside on the real process."""

from __future__ import annotations

import io
import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import av
import httpx
import pytest
from PIL import Image
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from helpers.served import FILES, TRANSFORMS, Served, balance, finished, refused, say, upload
from helpers.small_media import clip, picture
from helpers.webhook_receiver import Call, receiver

JOB_FIELDS = {"id", "object", "model", "kind", "status", "output_url", "credits_charged", "credits_remaining"}


pytestmark = pytest.mark.usefixtures("short_session")  # whose minute begins now


@pytest.fixture(scope="module")
def caller(public: Served) -> httpx.Client:
    return public.caller("jobs", 10_000)


@pytest.fixture(scope="module")
def picture_url(caller: httpx.Client) -> str:
    url: str = upload(caller, picture(), "person.png")["url"]
    return url


@pytest.fixture(scope="module")
def clip_url(caller: httpx.Client) -> str:
    url: str = upload(caller, clip(), "person.mp4")["url"]
    return url


def image_order(url: str, **more: Any) -> dict[str, Any]:
    return {"model": "service-image-v1", "prompt": "pencil sketch", "input_url": url} | more


def video_order(url: str, **more: Any) -> dict[str, Any]:
    return {"model": "service-video-v1", "prompt": "film noir", "input_url": url} | more


# ---- POST /files, and file urls -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (picture(form="PNG"), "image/png"),
        (picture(form="JPEG"), "image/jpeg"),
        (picture(form="WEBP"), "image/webp"),
        (picture(form="AVIF"), "image/avif"),
        (clip(), "video/mp4"),
    ],
    ids=["png", "jpeg", "webp", "avif", "mp4"],
)
def test_file_object(caller: httpx.Client, public: Served, content: bytes, content_type: str) -> None:
    before = balance(caller)
    asked = datetime.now(UTC)
    body = upload(caller, content, "../lies.exe")
    assert body.keys() == {"id", "object", "url", "bytes", "content_type", "expires_at"}
    assert re.fullmatch(r"fil_[0-9a-f]{32}", body["id"]) and body["object"] == "file"
    assert (body["bytes"], body["content_type"]) == (len(content), content_type)
    assert datetime.fromisoformat(body["expires_at"]) > asked + timedelta(hours=1)
    assert body["url"].startswith(f"{public.url}/v1/files/{body['id']}?")
    assert balance(caller) == before
    got = public.client().get(body["url"])  # the url is the key
    assert got.status_code == 200 and got.content == content
    assert got.headers["content-type"] == content_type
    assert got.headers["x-content-type-options"] == "nosniff"


def test_a_file_url_serves_parts(caller: httpx.Client, public: Served) -> None:
    content = picture()
    url = upload(caller, content)["url"]
    part = public.client().get(url, headers={"Range": "bytes=10-19"})
    assert part.status_code == 206 and part.content == content[10:20]
    assert part.headers["content-range"] == f"bytes 10-19/{len(content)}"


def test_a_file_url_that_was_changed_is_404(caller: httpx.Client, public: Served) -> None:
    url = upload(caller, picture())["url"]
    parts = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    wrong = [
        {},
        query | {"signature": "0" * 64},
        query | {"signature": ""},
        query | {"expires": str(int(query["expires"]) + 60)},
        query | {"expires": "9" * 400},
        query | {"expires": "never"},
    ]
    stranger = public.client()
    for each in wrong:
        refused(stranger.get(parts.path, params=each), 404, "not_found")
    other = upload(caller, picture())["id"]
    refused(stranger.get(f"{FILES}/{other}", params=query), 404, "not_found")


def test_a_file_that_is_neither_picture_nor_clip_is_400(caller: httpx.Client) -> None:
    for content in (b"", b"hello", b"%PDF-1.7 ...", b"<svg xmlns='http://www.w3.org/2000/svg'/>"):
        answer = caller.post(FILES, files={"file": ("a.png", content, "image/png")})
        refused(answer, 400, "invalid_request_error")


# ---- image transforms ---------------------------------------------------------------------------------


def test_an_image_job_finishes_in_the_same_response(
    caller: httpx.Client, public: Served, picture_url: str
) -> None:
    before = balance(caller)
    answer = caller.post(TRANSFORMS, json=image_order(picture_url))
    assert answer.status_code == 200, answer.text
    body = answer.json()
    url = body["output_url"]
    assert re.fullmatch(r"tfm_[0-9a-f]{32}", body["id"])
    assert body == {
        "id": body["id"],
        "object": "transform.job",
        "model": "service-image-v1",
        "kind": "image",
        "status": "succeeded",
        "output_url": url,
        "credits_charged": 2,
        "credits_remaining": before - 2,
    }
    assert url.startswith(f"{public.url}/v1/files/fil_")
    got = public.client().get(url)
    assert got.status_code == 200 and got.headers["content-type"].startswith("image/")
    with Image.open(io.BytesIO(got.content)) as output:
        assert output.size == (96, 64)
    week = datetime.now(UTC) + timedelta(days=7)
    expires = datetime.fromtimestamp(int(parse_qs(urlsplit(url).query)["expires"][0]), UTC)
    assert abs(expires - week) < timedelta(hours=1)
    polled = caller.get(f"{TRANSFORMS}/{body['id']}")
    assert polled.status_code == 200
    assert {name: value for name, value in polled.json().items() if name != "output_url"} == {
        name: value for name, value in body.items() if name != "output_url"
    }


def test_402_when_the_balance_is_one_short_and_not_when_it_just_covers(
    public: Served, picture_url: str, clip_url: str
) -> None:
    short = public.caller("one short", 1)
    refused(short.post(TRANSFORMS, json=image_order(picture_url)), 402, "insufficient_credits")
    just = public.caller("just enough", 2)
    assert just.post(TRANSFORMS, json=image_order(picture_url)).json()["credits_remaining"] == 0
    nearly = public.caller("nineteen", 19)
    refused(nearly.post(TRANSFORMS, json=video_order(clip_url)), 402, "insufficient_credits")
    assert (balance(short), balance(just), balance(nearly)) == (1, 0, 19)


def test_a_file_of_the_wrong_kind_is_400_and_free(
    caller: httpx.Client, picture_url: str, clip_url: str
) -> None:
    before = balance(caller)
    refused(caller.post(TRANSFORMS, json=image_order(clip_url)), 400, "invalid_request_error")
    refused(caller.post(TRANSFORMS, json=video_order(picture_url)), 400, "invalid_request_error")
    assert balance(caller) == before


def test_a_repeated_image_job_is_the_first_one_and_charged_once(
    caller: httpx.Client, picture_url: str
) -> None:
    before = balance(caller)
    headers = {"Idempotency-Key": secrets.token_hex(8)}
    order = image_order(picture_url)
    first = caller.post(TRANSFORMS, json=order, headers=headers)
    again = caller.post(TRANSFORMS, json=order, headers=headers)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["id"] == again.json()["id"] and again.json().keys() == JOB_FIELDS
    assert again.json()["status"] == "succeeded" and balance(caller) == before - 2
    other = caller.post(TRANSFORMS, json=order | {"prompt": "oil"}, headers=headers)
    assert "Idempotency-Key" in refused(other, 400, "invalid_request_error")


# ---- video transforms ---------------------------------------------------------------------------------


def test_a_video_job_is_202_and_polled_until_it_succeeds(
    caller: httpx.Client, public: Served, clip_url: str
) -> None:
    before = balance(caller)
    headers = {"Idempotency-Key": secrets.token_hex(8)}
    answer = caller.post(TRANSFORMS, json=video_order(clip_url), headers=headers)
    assert answer.status_code == 202, answer.text
    body = answer.json()
    assert body == {
        "id": body["id"],
        "object": "transform.job",
        "model": "service-video-v1",
        "kind": "video",
        "status": "processing",
        "output_url": None,
        "credits_charged": 20,
        "credits_remaining": before - 20,
    }
    again = caller.post(TRANSFORMS, json=video_order(clip_url), headers=headers)
    assert again.status_code == 202 and again.json()["id"] == body["id"]
    stranger = public.caller(f"stranger {secrets.token_hex(4)}", 5)
    refused(stranger.get(f"{TRANSFORMS}/{body['id']}"), 404, "not_found")
    job = finished(caller, body["id"])
    assert job.keys() == JOB_FIELDS
    assert (job["status"], job["credits_charged"], job["credits_remaining"]) == ("succeeded", 20, before - 20)
    got = public.client().get(job["output_url"])
    assert got.status_code == 200 and got.headers["content-type"] == "video/mp4"
    with av.open(io.BytesIO(got.content)) as output:
        video, audio = output.streams.video[0], output.streams.audio[0]
        assert (video.codec_context.name, audio.codec_context.name) == ("h264", "aac")
        assert (video.width, video.height) == (96, 64)
        assert sum(1 for _ in output.decode(video)) == 12


# ---- webhooks -----------------------------------------------------------------------------------------


def checked(call: Call, secret: str) -> dict[str, Any]:
    """The event of a call whose signature is right by the Standard Webhooks library."""
    assert call.headers["content-type"].startswith("application/json")
    event: dict[str, Any] = Webhook(secret).verify(call.body, call.headers)
    assert event.keys() == {"type", "timestamp", "data"}
    datetime.fromisoformat(event["timestamp"])
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(call.body + b" ", call.headers)
    return event


def test_a_webhook_tells_of_the_end_of_a_job_signed(
    caller: httpx.Client, public: Served, picture_url: str, clip_url: str
) -> None:
    with receiver() as customer:
        image = caller.post(TRANSFORMS, json=image_order(picture_url, webhook_url=customer.url)).json()
        video = caller.post(TRANSFORMS, json=video_order(clip_url, webhook_url=customer.url)).json()
        calls = [customer.wait_for(image["id"])[0], customer.wait_for(video["id"], within_s=40)[0]]
    secret = webhook_secret(public, "jobs")
    for call, job in zip(calls, (image, finished(caller, video["id"])), strict=True):
        event = checked(call, secret)
        assert event["type"] == "transform.succeeded" and event["data"].keys() == JOB_FIELDS
        told = {name: value for name, value in event["data"].items() if name != "output_url"}
        assert told == {name: value for name, value in job.items() if name != "output_url"}
        assert public.client().get(event["data"]["output_url"]).status_code == 200
    assert calls[0].headers["webhook-id"] != calls[1].headers["webhook-id"]


def test_a_webhook_that_was_refused_comes_again_with_the_same_id(
    caller: httpx.Client, picture_url: str
) -> None:
    with receiver() as customer:
        customer.statuses = [500]
        job = caller.post(TRANSFORMS, json=image_order(picture_url, webhook_url=customer.url)).json()
        first, second = customer.wait_for(job["id"], 2, within_s=40)[:2]
    assert first.headers["webhook-id"] == second.headers["webhook-id"] and first.body == second.body


def webhook_secret(public: Served, account: str) -> str:
    """What ``overpaint webhooks`` shows."""
    told = say("webhooks", "secret", "--account", account, "--data-dir", str(public.folder))
    found = re.search(r"whsec_\S+", told)
    assert found
    return found[0]
