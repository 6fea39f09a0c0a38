"""Transform jobs over real HTTP: the same response for pictures, polling for clips, and no credit lost."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from helpers.processes import until
from helpers.running_service import HastyClock, RunningService, running_service
from helpers.scripted_transformer import ScriptedTransformer
from helpers.served import TRANSFORMS, balance, calling, finished, refused, transform_order, upload
from helpers.small_media import clip, picture
from helpers.webhook_receiver import receiver
from overpaint.core.configuration import ServiceConfig
from overpaint.core.jobs import admission
from overpaint.core.jobs import transform_jobs as core_jobs
from overpaint.core.jobs.transform_jobs import home_id
from overpaint.ledger import Idempotency, Purse
from overpaint.ledger.records import JobOrder
from overpaint.transforms.pool import WorkerPool
from overpaint.wire.service import KINDS, PRICES, TransformModel

OPEN = ServiceConfig(allow_private_urls=True)
IMAGE, VIDEO = "service-image-v1", "service-video-v1"
PICTURE, CLIP = picture(), clip()


@pytest.fixture(scope="module")
def scripted() -> ScriptedTransformer:
    return ScriptedTransformer()


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, scripted: ScriptedTransformer
) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("jobs"), config=OPEN, transformer=scripted) as running:
        yield running


@pytest.fixture
def caller(service: RunningService) -> Iterator[httpx.Client]:
    with calling(service.url, service.key(f"caller {secrets.token_hex(4)}", 100)) as client:
        yield client


@pytest.fixture
def picture_url(caller: httpx.Client) -> str:
    return str(upload(caller, PICTURE)["url"])


@pytest.fixture
def clip_url(caller: httpx.Client) -> str:
    return str(upload(caller, CLIP)["url"])


def left_behind(service: RunningService) -> list[str]:
    return [path.name for path in (service.service.data_dir / "jobs").iterdir()]


# ---- pictures -----------------------------------------------------------------------------------------


def test_a_picture_is_answered_finished_with_an_output_that_downloads(
    service: RunningService, caller: httpx.Client, picture_url: str
) -> None:
    answer = caller.post(TRANSFORMS, json=transform_order(IMAGE, picture_url))
    assert answer.status_code == 200
    job = answer.json()
    assert job == {
        "id": job["id"],
        "object": "transform.job",
        "model": IMAGE,
        "kind": "image",
        "status": "succeeded",
        "output_url": job["output_url"],
        "credits_charged": 2,
        "credits_remaining": 98,
    }
    assert httpx.get(job["output_url"], trust_env=False).content == PICTURE
    polled = caller.get(f"{TRANSFORMS}/{job['id']}")
    assert polled.json() == job
    assert "x-progress" not in polled.headers and "x-failure" not in polled.headers
    assert left_behind(service) == []


def test_a_picture_that_fails_is_502_refunded_and_no_job(
    service: RunningService, caller: httpx.Client, picture_url: str
) -> None:
    answer = caller.post(TRANSFORMS, json=transform_order(IMAGE, picture_url, "upstream fails"))
    assert "given back" in refused(answer, 502, "upstream_error")
    assert "tfm_" not in answer.text and balance(caller) == 100
    assert left_behind(service) == []


@pytest.mark.expect_log("failed")
def test_a_fault_of_ours_is_502_refunded_and_told_without_detail(
    caller: httpx.Client, picture_url: str
) -> None:
    answer = caller.post(TRANSFORMS, json=transform_order(IMAGE, picture_url, "breaks"))
    assert "scripted" not in refused(answer, 502, "upstream_error")
    assert balance(caller) == 100


def test_a_picture_that_turns_out_to_be_damaged_is_400_and_free(
    caller: httpx.Client, picture_url: str
) -> None:
    answer = caller.post(TRANSFORMS, json=transform_order(IMAGE, picture_url, "damaged"))
    assert refused(answer, 400, "invalid_request_error").startswith("input_url: ")
    assert balance(caller) == 100


def test_402_runs_and_keeps_nothing(
    service: RunningService, scripted: ScriptedTransformer, picture_url: str, clip_url: str
) -> None:
    begun = len(scripted.begun)
    with calling(service.url, service.key(f"poor {secrets.token_hex(4)}", 1)) as poor:
        refused(poor.post(TRANSFORMS, json=transform_order(IMAGE, picture_url)), 402, "insufficient_credits")
        refused(poor.post(TRANSFORMS, json=transform_order(VIDEO, clip_url)), 402, "insufficient_credits")
        assert balance(poor) == 1
    assert len(scripted.begun) == begun and left_behind(service) == []


def test_too_many_pictures_at_once_are_429_with_a_time(
    monkeypatch: pytest.MonkeyPatch,
    scripted: ScriptedTransformer,
    caller: httpx.Client,
    picture_url: str,
) -> None:
    monkeypatch.setitem(admission.REQUESTS, "image", 1)
    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(caller.post, TRANSFORMS, json=transform_order(IMAGE, picture_url, "slow 429"))
        until(lambda: "slow 429" in scripted.begun)
        answer = caller.post(TRANSFORMS, json=transform_order(IMAGE, picture_url))
        refused(answer, 429, "rate_limited")
        assert int(answer.headers["retry-after"]) >= 1
        scripted.release()
        assert slow.result().status_code == 200
    assert balance(caller) == 98


# ---- clips --------------------------------------------------------------------------------------------


def test_a_clip_is_202_then_polled_with_its_progress_until_it_succeeds(tmp_path: Path) -> None:
    scripted = ScriptedTransformer()
    with (
        running_service(tmp_path, config=OPEN, transformer=scripted) as service,
        calling(service.url, service.key(credits=100)) as caller,
    ):
        url = upload(caller, CLIP)["url"]
        answer = caller.post(TRANSFORMS, json=transform_order(VIDEO, url, "slow"))
        assert answer.status_code == 202
        job = answer.json()
        processing = {
            "id": job["id"],
            "object": "transform.job",
            "model": VIDEO,
            "kind": "video",
            "status": "processing",
            "output_url": None,
            "credits_charged": 20,
            "credits_remaining": 80,
        }
        assert job == processing
        until(lambda: scripted.begun)
        polled = caller.get(f"{TRANSFORMS}/{job['id']}")
        assert (polled.json(), polled.headers["x-progress"]) == (processing, "0.43")
        waiting = caller.post(TRANSFORMS, json=transform_order(VIDEO, url)).json()
        assert caller.get(f"{TRANSFORMS}/{waiting['id']}").headers["x-progress"] == "0.00"
        scripted.release()
        done = finished(caller, job["id"])
        assert done == processing | {"status": "succeeded", "output_url": done["output_url"]}
        assert httpx.get(done["output_url"], trust_env=False).content == CLIP
        assert finished(caller, waiting["id"])["status"] == "succeeded"


@pytest.mark.parametrize(("prompt", "why"), [("upstream fails", "rejects"), ("damaged", "damaged")])
def test_a_clip_that_fails_gives_its_credits_back_and_says_why(
    service: RunningService, caller: httpx.Client, clip_url: str, prompt: str, why: str
) -> None:
    job = caller.post(TRANSFORMS, json=transform_order(VIDEO, clip_url, prompt)).json()
    done = finished(caller, job["id"])
    assert done == job | {"status": "failed", "credits_charged": 0, "credits_remaining": 100}
    assert why in caller.get(f"{TRANSFORMS}/{job['id']}").headers["x-failure"]
    assert balance(caller) == 100 and left_behind(service) == []


@pytest.mark.expect_log("failed")
def test_one_failing_clip_never_stops_the_queue(caller: httpx.Client, clip_url: str) -> None:
    prompts = ["breaks", "upstream fails", "damaged", "fine"]
    jobs = [
        caller.post(TRANSFORMS, json=transform_order(VIDEO, clip_url, prompt)).json() for prompt in prompts
    ]
    states = [finished(caller, job["id"])["status"] for job in jobs]
    assert states == ["failed", "failed", "failed", "succeeded"] and balance(caller) == 80


def test_a_job_is_shown_to_its_account_and_environment_only(
    service: RunningService, caller: httpx.Client, picture_url: str
) -> None:
    name = secrets.token_hex(4)
    create = service.ledger.create_key
    own = create(f"{name} own", "live", name, 10).key
    sister = create(f"{name} sister", "live", name).key
    test = create(f"{name} test", "test", name, 10).key
    with calling(service.url, own) as client:
        job = client.post(TRANSFORMS, json=transform_order(IMAGE, picture_url)).json()
    with calling(service.url, sister) as client:
        assert client.get(f"{TRANSFORMS}/{job['id']}").json() == job
    with calling(service.url, test) as client:
        refused(client.get(f"{TRANSFORMS}/{job['id']}"), 404, "not_found")
    refused(caller.get(f"{TRANSFORMS}/{job['id']}"), 404, "not_found")
    for unknown in ("tfm_" + "0" * 32, "x", "%00", "%F0%9F%8E%A8", "a" * 3000):
        refused(caller.get(f"{TRANSFORMS}/{unknown}"), 404, "not_found")


def test_a_clip_that_was_not_begun_is_cancelled_and_given_back_and_one_that_was_keeps_its_price(
    tmp_path: Path,
) -> None:
    scripted = ScriptedTransformer()
    with (
        receiver() as customer,
        running_service(tmp_path, config=OPEN, transformer=scripted) as service,
        calling(service.url, service.key(credits=100)) as caller,
    ):
        clip_url = str(upload(caller, CLIP)["url"])
        begun = caller.post(TRANSFORMS, json=transform_order(VIDEO, clip_url, "slow")).json()["id"]
        deadline = time.monotonic() + 20
        while caller.get(f"{TRANSFORMS}/{begun}").headers.get("X-Progress", "0.00") == "0.00":
            assert time.monotonic() < deadline
        body = transform_order(VIDEO, clip_url, webhook_url=customer.url)
        waits = [caller.post(TRANSFORMS, json=body).json()["id"] for _ in range(3)]
        assert balance(caller) == 20
        cancelled = caller.post(f"{TRANSFORMS}/{waits[0]}/cancel")
        assert cancelled.status_code == 200, cancelled.text
        assert (cancelled.json()["status"], cancelled.json()["credits_charged"]) == ("failed", 0)
        assert balance(caller) == 40 and waits[0] not in left_behind(service)
        assert customer.wait_for(waits[0])[0].event["type"] == "transform.failed"
        for id in (begun, waits[0]):
            as_it_was = caller.get(f"{TRANSFORMS}/{id}").json()
            assert caller.post(f"{TRANSFORMS}/{id}/cancel").json() == as_it_was
        # As a stop of the service leaves a clip that it worked on: that it waits again makes it no new one.
        service.ledger.begin_job(waits[1])
        service.ledger.pause_job(waits[1])
        assert caller.post(f"{TRANSFORMS}/{waits[1]}/cancel").json()["status"] == "processing"
        assert balance(caller) == 40
        refused(caller.post(f"{TRANSFORMS}/tfm_0/cancel"), 404, "not_found")
        scripted.release()
        assert [finished(caller, id)["status"] for id in (begun, *waits)] == [
            "succeeded", "failed", "succeeded", "succeeded",
        ]  # fmt: skip
        assert balance(caller) == 40


# ---- what is refused ----------------------------------------------------------------------------------

GOOD = {"model": IMAGE, "prompt": "oil", "input_url": "https://example.org/a.png"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"model": None}, "model"),
        ({"model": "service-realtime-720p"}, "model"),
        ({"model": 1}, "model"),
        ({"prompt": None}, "prompt"),
        ({"prompt": ""}, "prompt"),
        ({"prompt": "a\0b"}, "prompt"),
        ({"prompt": "x" * 2001}, "prompt"),
        ({"prompt": ["oil"]}, "prompt"),
        ({"input_url": None}, "input_url"),
        ({"input_url": "ftp://example.org/a.png"}, "input_url"),
        ({"input_url": "file:///etc/passwd"}, "input_url"),
        ({"input_url": "https://user:word@example.org/a.png"}, "input_url"),
        ({"input_url": "https://example.org/" + "a" * 2048}, "input_url"),
        ({"input_url": 7}, "input_url"),
        ({"webhook_url": "mailto:a@example.org"}, "webhook_url"),
        ({"webhook_url": "https://example.org/\0"}, "webhook_url"),
        ({"webhook_url": False}, "webhook_url"),
        ({"size": "large"}, "size"),
    ],
)
def test_a_bad_field_is_400_and_named(caller: httpx.Client, change: dict[str, Any], field: str) -> None:
    body = {name: value for name, value in (GOOD | change).items() if value is not None}
    assert field in refused(caller.post(TRANSFORMS, json=body), 400, "invalid_request_error")
    assert balance(caller) == 100


def test_no_key_comes_before_a_bad_body(service: RunningService) -> None:
    answer = httpx.post(service.url + TRANSFORMS, json={}, trust_env=False)
    refused(answer, 401, "authentication_error")


def test_an_input_of_the_wrong_kind_or_of_no_kind_is_400_and_free(
    service: RunningService, caller: httpx.Client, picture_url: str, clip_url: str
) -> None:
    refused(caller.post(TRANSFORMS, json=transform_order(IMAGE, clip_url)), 400, "invalid_request_error")
    refused(caller.post(TRANSFORMS, json=transform_order(VIDEO, picture_url)), 400, "invalid_request_error")
    forged = picture_url.replace("signature=", "signature=A")
    for url in (forged, service.url + "/v1/files/fil_0", service.url + "/healthz"):
        message = refused(
            caller.post(TRANSFORMS, json=transform_order(IMAGE, url)), 400, "invalid_request_error"
        )
        assert message.startswith("input_url: ")
    assert balance(caller) == 100 and left_behind(service) == []


def test_an_input_is_fetched_from_its_address_and_what_cannot_be_is_400_and_free(
    tmp_path: Path, service: RunningService, caller: httpx.Client
) -> None:
    (tmp_path / "person.png").write_bytes(PICTURE)
    with web_server(tmp_path) as url:
        good = caller.post(TRANSFORMS, json=transform_order(IMAGE, f"{url}/person.png"))
        assert good.status_code == 200 and balance(caller) == 98
        answer = caller.post(TRANSFORMS, json=transform_order(IMAGE, f"{url}/nothing.png"))
        assert refused(answer, 400, "invalid_request_error").startswith("input_url: ")
    refused(
        caller.post(TRANSFORMS, json=transform_order(IMAGE, f"{url}/person.png")),
        400,
        "invalid_request_error",
    )
    assert balance(caller) == 98 and left_behind(service) == []


def test_an_address_of_a_private_network_is_400_and_free(tmp_path: Path) -> None:
    with running_service(tmp_path) as service, calling(service.url, service.key(credits=10)) as caller:
        for url in (
            "http://127.0.0.1:1/a.png",
            "http://[::1]/a.png",
            "http://10.0.0.1/",
            "http://2130706433/",
        ):
            message = refused(
                caller.post(TRANSFORMS, json=transform_order(IMAGE, url)), 400, "invalid_request_error"
            )
            assert message.startswith("input_url: ")
        assert balance(caller) == 10 and left_behind(service) == []


PRIVATE_WEBHOOKS = [
    "http://127.0.0.1:1/hook",
    "http://localhost:1/hook",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::1]:8080/",
    "http://[::ffff:10.0.0.1]/",
    "http://[2002:a00:1::1]/",
    "http://169.254.169.254/latest",
    "http://nobody.invalid/",
    "http://93.184.215.14:0/",
    "http://93.184.215.14:65536/",
    "ftp://93.184.215.14/",
    "https://user:word@93.184.215.14/",
    "",
]


@pytest.mark.parametrize("model", [IMAGE, VIDEO])
def test_a_webhook_that_may_never_be_called_is_400_when_ordered_and_free(
    tmp_path: Path, model: TransformModel
) -> None:
    with running_service(tmp_path) as service, calling(service.url, service.key(credits=100)) as caller:
        input_url = str(upload(caller, PICTURE if model == IMAGE else CLIP)["url"])
        for url in PRIVATE_WEBHOOKS:
            answer = caller.post(TRANSFORMS, json=transform_order(model, input_url, webhook_url=url))
            assert refused(answer, 400, "invalid_request_error").startswith("webhook_url: "), url
        assert balance(caller) == 100 and left_behind(service) == []
        public = transform_order(model, input_url, webhook_url="http://93.184.215.14:1/hook")
        assert caller.post(TRANSFORMS, json=public).status_code == (200 if model == IMAGE else 202)


def test_a_webhook_of_a_closed_network_is_taken_where_the_service_allows_it_but_no_metadata(
    caller: httpx.Client, picture_url: str
) -> None:
    with receiver() as customer:
        taken = caller.post(TRANSFORMS, json=transform_order(IMAGE, picture_url, webhook_url=customer.url))
        assert taken.status_code == 200 and customer.wait_for(taken.json()["id"])
    for url in ("http://169.254.169.254/", "http://[2002:a9fe:a9fe::]/", "http://[::a9fe:a9fe]/"):
        answer = caller.post(TRANSFORMS, json=transform_order(IMAGE, picture_url, webhook_url=url))
        assert refused(answer, 400, "invalid_request_error").startswith("webhook_url: ")


# ---- repetitions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [IMAGE, VIDEO])
def test_a_repeated_request_has_one_answer_and_one_charge_also_at_once(
    caller: httpx.Client, picture_url: str, clip_url: str, model: TransformModel
) -> None:
    headers = {"Idempotency-Key": secrets.token_hex(8)}
    body = transform_order(model, picture_url if model == IMAGE else clip_url)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: caller.post(TRANSFORMS, json=body, headers=headers), range(8)))
    assert {answer.status_code for answer in answers} == {200 if model == IMAGE else 202}
    assert len({answer.json()["id"] for answer in answers}) == 1
    if model == IMAGE:
        assert len({answer.text for answer in answers}) == 1
    assert balance(caller) == 100 - PRICES[model]
    other = caller.post(TRANSFORMS, json=body | {"prompt": "another"}, headers=headers)
    assert "Idempotency-Key" in refused(other, 400, "invalid_request_error")


def test_a_repeated_failure_is_the_same_answer(caller: httpx.Client, picture_url: str) -> None:
    headers = {"Idempotency-Key": secrets.token_hex(8)}
    body = transform_order(IMAGE, picture_url, "upstream fails")
    first, again = (caller.post(TRANSFORMS, json=body, headers=headers) for _ in range(2))
    assert refused(first, 502, "upstream_error") == refused(again, 502, "upstream_error")
    assert balance(caller) == 100


# ---- the end, told ------------------------------------------------------------------------------------


def test_a_webhook_tells_of_success_and_of_a_clips_failure_but_of_no_refused_picture(
    caller: httpx.Client, picture_url: str, clip_url: str
) -> None:
    with receiver() as customer:
        more = {"webhook_url": customer.url}
        refused(
            caller.post(TRANSFORMS, json=transform_order(IMAGE, picture_url, "upstream fails", **more)),
            502,
            "upstream_error",
        )
        image = caller.post(TRANSFORMS, json=transform_order(IMAGE, picture_url, **more)).json()
        failing = caller.post(TRANSFORMS, json=transform_order(VIDEO, clip_url, "damaged", **more)).json()
        told = [customer.wait_for(job["id"])[0].event for job in (image, failing)]
        assert [event["type"] for event in told] == ["transform.succeeded", "transform.failed"]
        assert told[0]["data"] == image
        assert told[1]["data"] == caller.get(f"{TRANSFORMS}/{failing['id']}").json()
        assert len(customer.calls) == 2


# ---- restarts -----------------------------------------------------------------------------------------


def test_the_end_of_the_service_keeps_clips_and_refunds_pictures(tmp_path: Path) -> None:
    with running_service(tmp_path, config=OPEN, transformer=ScriptedTransformer()) as service:
        key = service.key(credits=100)
        with calling(service.url, key) as caller:
            url, still = upload(caller, CLIP)["url"], upload(caller, PICTURE)["url"]
            jobs = [
                caller.post(TRANSFORMS, json=transform_order(VIDEO, url, f"slow {n}")).json()
                for n in range(3)
            ]
            scripted = service.service.transformer
            assert isinstance(scripted, ScriptedTransformer)
            with ThreadPoolExecutor(1) as threads:
                image = threads.submit(
                    caller.post, TRANSFORMS, json=transform_order(IMAGE, still, "slow picture")
                )
                until(lambda: len(scripted.begun) == 2)
                service.server.end()
                refused(image.result(), 502, "upstream_error")
    assert scripted.begun == ["slow 0", "slow picture"]
    with running_service(tmp_path, config=OPEN) as service, calling(service.url, key) as caller:
        again = service.service.transformer
        assert isinstance(again, ScriptedTransformer)
        until(lambda: again.begun)
        again.release()
        assert {finished(caller, job["id"])["status"] for job in jobs} == {"succeeded"}
        assert again.begun == ["slow 0", "slow 1", "slow 2"]
        assert [service.ledger.job(job["id"]).attempts for job in jobs] == [2, 1, 1]  # type: ignore[union-attr]
        assert balance(caller) == 40 and left_behind(service) == []


def crashed(
    folder: Path, service: RunningService, key: str, model: TransformModel, attempts: int, repeat: str = ""
) -> str:
    """A job as a killed core leaves it: sold, begun so often, its input in its folder."""
    record = service.ledger.find_key(key)
    assert record is not None
    id, kind = f"tfm_{secrets.token_hex(16)}", KINDS[model]
    sold = JobOrder(
        id, record.id, record.purse, home_id(folder), model, kind, "oil", "input", service.url, None
    )
    again = Idempotency(record.id, f"POST {TRANSFORMS}", repeat, "0" * 64) if repeat else None
    service.ledger.sell_job(sold, PRICES[model], again)
    for _ in range(attempts):
        service.ledger.begin_job(id)
    place = folder / "jobs" / id
    place.mkdir()
    (place / "input").write_bytes(PICTURE if kind == "image" else CLIP)
    return id


def test_what_a_crash_left_is_run_again_or_refunded_and_charged_once(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        key = service.key(credits=100)
        fresh = crashed(tmp_path, service, key, VIDEO, 0)
        begun = crashed(tmp_path, service, key, VIDEO, 2)
        worn = crashed(tmp_path, service, key, VIDEO, 3)
        retried = crashed(tmp_path, service, key, IMAGE, 1, repeat="again")
        orphan = crashed(tmp_path, service, key, IMAGE, 1)
        (tmp_path / "jobs" / "tfm_cut_off").mkdir()
        assert service.ledger.balance(Purse("tests", "live")) == 36
    with running_service(tmp_path) as service, calling(service.url, key) as caller:
        states = {job: finished(caller, job)["status"] for job in (fresh, begun, worn, retried, orphan)}
        assert states == {
            fresh: "succeeded",
            begun: "succeeded",
            worn: "failed",
            retried: "succeeded",
            orphan: "failed",
        }
        assert "interrupted" in caller.get(f"{TRANSFORMS}/{worn}").headers["x-failure"]
        assert balance(caller) == 58
        until(lambda: left_behind(service) == [])


@pytest.mark.expect_log("failed")
def test_an_input_that_is_gone_after_a_crash_is_refunded(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        key = service.key(credits=100)
        job = crashed(tmp_path, service, key, VIDEO, 1)
        (tmp_path / "jobs" / job / "input").unlink()
    with running_service(tmp_path) as service, calling(service.url, key) as caller:
        assert finished(caller, job)["status"] == "failed" and balance(caller) == 100


def test_jobs_of_another_core_on_the_same_ledger_are_left_alone(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        key = service.key(credits=100)
        job = crashed(tmp_path, service, key, VIDEO, 1)
    (tmp_path / "home.txt").write_text("another core", encoding="ascii")
    with running_service(tmp_path) as service, calling(service.url, key) as caller:
        assert caller.get(f"{TRANSFORMS}/{job}").json()["status"] == "processing" and balance(caller) == 80


@pytest.mark.expect_log("could not be brought to an end")
def test_a_ledger_that_is_away_for_a_moment_loses_no_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_jobs, "_AGAIN_AFTER_S", 0.1)
    with running_service(tmp_path) as service, calling(service.url, service.key(credits=100)) as caller:
        url, finish = upload(caller, CLIP)["url"], service.ledger.finish_job
        failures = [1, 1]

        def away(*arguments: Any) -> Any:
            if failures:
                failures.pop()
                raise ConnectionError("the database is away")
            return finish(*arguments)

        monkeypatch.setattr(service.ledger, "finish_job", away)
        job = caller.post(TRANSFORMS, json=transform_order(VIDEO, url)).json()
        assert finished(caller, job["id"])["status"] == "succeeded" and balance(caller) == 80


def test_an_output_that_has_expired_is_told_no_more(tmp_path: Path) -> None:
    clock = HastyClock()
    with (
        running_service(tmp_path, clock) as service,
        calling(service.url, service.key(credits=100)) as caller,
    ):
        job = caller.post(TRANSFORMS, json=transform_order(IMAGE, upload(caller, PICTURE)["url"])).json()
        clock._epoch += timedelta(days=8)
        service.service.files.sweep()
        assert caller.get(f"{TRANSFORMS}/{job['id']}").json() == job | {"output_url": None}


# ---- with the real workers ----------------------------------------------------------------------------


@pytest.mark.full
def test_the_real_workers_make_a_picture_and_a_clip(tmp_path: Path) -> None:
    with (
        running_service(tmp_path, config=OPEN, transformer=WorkerPool(tmp_path / "workers")) as service,
        calling(service.url, service.key(credits=100)) as caller,
    ):
        bad = upload(caller, PICTURE[: len(PICTURE) // 2])["url"]
        refused(caller.post(TRANSFORMS, json=transform_order(IMAGE, bad)), 400, "invalid_request_error")
        assert balance(caller) == 100
        job = caller.post(TRANSFORMS, json=transform_order(VIDEO, upload(caller, CLIP)["url"])).json()
        image = caller.post(TRANSFORMS, json=transform_order(IMAGE, upload(caller, PICTURE)["url"]))
        assert image.status_code == 200
        for done in (image.json(), finished(caller, job["id"])):
            answer = httpx.get(done["output_url"], trust_env=False)
            assert answer.status_code == 200 and answer.content not in (PICTURE, CLIP)
        assert balance(caller) == 78


@contextmanager
def web_server(folder: Path) -> Iterator[str]:
    """Serves a folder on loopback."""

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(folder))

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
