"""Reference photos of transform jobs over real HTTP: fetched like inputs, used for the result, free."""

from __future__ import annotations

import io
import secrets
from collections.abc import Iterator
from pathlib import Path

import av
import httpx
import numpy as np
import pytest
from PIL import Image

from helpers.processes import until
from helpers.running_service import RunningService, running_service
from helpers.scripted_transformer import ScriptedTransformer
from helpers.served import TRANSFORMS, balance, calling, finished, refused, transform_order, upload
from helpers.small_media import clip, picture
from overpaint.core.configuration import ServiceConfig
from overpaint.transforms.pool import WorkerPool
from overpaint.wire.service import PRICES, CreateTransform

IMAGE, VIDEO = "service-image-v1", "service-video-v1"
PICTURE, CLIP = picture(), clip()


def sky() -> bytes:
    """A photo of one bright blue, in noise."""
    noise = np.random.default_rng(3).integers(-12, 12, (64, 96, 3))
    target = io.BytesIO()
    Image.fromarray((np.array([40, 90, 220]) + noise).astype(np.uint8)).save(target, "PNG")
    return target.getvalue()


SKY = sky()


@pytest.fixture(scope="module")
def scripted() -> ScriptedTransformer:
    return ScriptedTransformer()


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, scripted: ScriptedTransformer
) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("photos"), transformer=scripted) as running:
        yield running


@pytest.fixture
def caller(service: RunningService) -> Iterator[httpx.Client]:
    with calling(service.url, service.key(f"caller {secrets.token_hex(4)}", 100)) as client:
        yield client


def left_behind(service: RunningService) -> list[str]:
    return [path.name for path in (service.service.data_dir / "jobs").iterdir()]


@pytest.mark.parametrize("model", [IMAGE, VIDEO])
def test_a_photo_reaches_the_work_and_costs_nothing_more(
    service: RunningService, scripted: ScriptedTransformer, caller: httpx.Client, model: str
) -> None:
    source, photo = upload(caller, PICTURE if model == IMAGE else CLIP)["url"], upload(caller, SKY)["url"]
    order = transform_order(model, source, reference_image_url=photo)
    job = finished(caller, caller.post(TRANSFORMS, json=order).json()["id"])
    assert job["status"] == "succeeded" and "reference_image_url" not in job
    assert job["credits_charged"] == PRICES[model] and balance(caller) == 100 - PRICES[model]
    assert scripted.photos[-1] == b"decoded " + SKY
    until(lambda: left_behind(service) == [])


def test_a_photo_that_cannot_be_used_is_400_by_its_field_and_free(
    service: RunningService, caller: httpx.Client
) -> None:
    source = upload(caller, PICTURE)["url"]
    bad = {
        "a clip": upload(caller, CLIP)["url"],
        "an unknown file": service.url + "/v1/files/fil_0",
        "this computer": "http://127.0.0.1:1/a.png",
        "the network here": "http://10.0.0.1/a.png",
        "no web address": "file:///etc/passwd",
        "not even text": 7,
        "too large": upload(caller, PICTURE + bytes(8 << 20))["url"],
    }
    for what, url in bad.items():
        order = transform_order(IMAGE, source, reference_image_url=url)
        message = refused(caller.post(TRANSFORMS, json=order), 400, "invalid_request_error")
        assert message.startswith("reference_image_url: "), what
    assert balance(caller) == 100 and left_behind(service) == []


def test_a_photo_belongs_to_the_body_that_a_repetition_must_equal(
    scripted: ScriptedTransformer, caller: httpx.Client
) -> None:
    source, photo = upload(caller, PICTURE)["url"], upload(caller, SKY)["url"]
    headers, order = {"Idempotency-Key": secrets.token_hex(8)}, transform_order(IMAGE, source)
    done = len(scripted.photos)
    with_photo = order | {"reference_image_url": photo}
    first, again = (caller.post(TRANSFORMS, json=with_photo, headers=headers) for _ in range(2))
    assert first.text == again.text and len(scripted.photos) == done + 1 and balance(caller) == 98
    other = caller.post(TRANSFORMS, json=order, headers=headers)
    assert "Idempotency-Key" in refused(other, 400, "invalid_request_error")


def test_an_order_without_a_photo_reads_as_before_there_were_any() -> None:
    """An order that was repeated across an update would else be refused, or bought twice."""
    order = CreateTransform(model="service-image-v1", prompt="oil", input_url="https://example.org/a.png")
    assert set(order.model_dump()) == {"model", "prompt", "input_url", "webhook_url"}


def cut_off(folder: Path) -> tuple[str, str]:
    """A clip with a photo is being restyled when the service ends: the caller's key, and the job."""
    scripted = ScriptedTransformer()
    with (
        running_service(folder, transformer=scripted) as service,
        calling(service.url, key := service.key(credits=100)) as caller,
    ):
        source, photo = upload(caller, CLIP)["url"], upload(caller, SKY)["url"]
        order = transform_order(VIDEO, source, "slow", reference_image_url=photo)
        job = caller.post(TRANSFORMS, json=order).json()["id"]
        until(lambda: scripted.photos == [b"decoded " + SKY])
    return key, job


def test_a_clip_keeps_its_photo_over_the_end_of_the_service(tmp_path: Path) -> None:
    key, job = cut_off(tmp_path)
    scripted = ScriptedTransformer()
    with running_service(tmp_path, transformer=scripted) as service, calling(service.url, key) as caller:
        until(lambda: len(scripted.begun) == 1)
        scripted.release()
        assert finished(caller, job)["status"] == "succeeded" and balance(caller) == 80
    assert scripted.photos == [b"decoded " + SKY]


@pytest.mark.expect_log("failed")
def test_a_photo_that_is_gone_after_a_crash_is_refunded_not_left_out(tmp_path: Path) -> None:
    key, job = cut_off(tmp_path)
    (tmp_path / "jobs" / job / "photo.npy").unlink()
    with running_service(tmp_path) as service, calling(service.url, key) as caller:
        assert finished(caller, job)["status"] == "failed" and balance(caller) == 100


@pytest.mark.parametrize("model", [IMAGE, VIDEO])
def test_a_prompt_in_vain_costs_nothing_and_says_so(caller: httpx.Client, model: str) -> None:
    url = upload(caller, PICTURE if model == IMAGE else CLIP)["url"]
    made = caller.post(TRANSFORMS, json=transform_order(model, url, "in vain")).json()
    job = finished(caller, made["id"])
    assert job["output_url"] and (job["credits_charged"], job["credits_remaining"]) == (0, 100)
    assert balance(caller) == 100
    assert caller.get(f"{TRANSFORMS}/{made['id']}").headers["X-Unchanged"] == "true"
    ordinary = caller.post(TRANSFORMS, json=transform_order(model, url, "ink")).json()
    assert finished(caller, ordinary["id"])["credits_charged"] == PRICES[model]
    assert "X-Unchanged" not in caller.get(f"{TRANSFORMS}/{ordinary['id']}").headers


def test_a_photo_is_never_in_vain(caller: httpx.Client) -> None:
    order = transform_order(IMAGE, upload(caller, PICTURE)["url"], "in vain")
    order["reference_image_url"] = upload(caller, SKY)["url"]
    assert caller.post(TRANSFORMS, json=order).json()["credits_charged"] == PRICES[IMAGE]


@pytest.mark.full
def test_the_real_workers_paint_in_the_photos_colours(tmp_path: Path) -> None:
    with (
        running_service(
            tmp_path,
            config=ServiceConfig(allow_private_urls=True),
            transformer=WorkerPool(tmp_path / "workers"),
        ) as service,
        calling(service.url, service.key(credits=100)) as caller,
    ):
        photo = upload(caller, SKY)["url"]
        results = {}
        for model, source in ((IMAGE, PICTURE), (VIDEO, CLIP)):
            url = upload(caller, source)["url"]
            for reference in (None, photo):
                order = transform_order(model, url, "colour grade")
                order |= {"reference_image_url": reference} if reference else {}
                job = finished(caller, caller.post(TRANSFORMS, json=order).json()["id"])
                output = httpx.get(job["output_url"], trust_env=False).content
                results[model, reference is not None] = blueness(output)
        broken = upload(caller, SKY[: len(SKY) // 2])["url"]
        order = transform_order(IMAGE, upload(caller, PICTURE)["url"], reference_image_url=broken)
        message = refused(caller.post(TRANSFORMS, json=order), 400, "invalid_request_error")
        assert message.startswith("reference_image_url: ")
    for model in (IMAGE, VIDEO):
        assert results[model, True] > results[model, False] + 40, results


def blueness(media: bytes) -> float:
    """How much more blue than red the first picture of a file has, 8 bit."""
    with av.open(io.BytesIO(media)) as container:
        rgb = next(container.decode(video=0)).to_ndarray(format="rgb24").astype(float)
    return float((rgb[..., 2] - rgb[..., 0]).mean())
