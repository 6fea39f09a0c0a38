"""Tenants of one service: none of them stops another, whatever it sends and whether it can pay."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from helpers.dripping_server import dripping
from helpers.processes import until
from helpers.running_service import RunningService, running_service
from helpers.scripted_transformer import ScriptedTransformer
from helpers.served import TRANSFORMS, balance, calling, finished, refused, transform_order, upload
from helpers.small_media import clip, picture
from overpaint.core.configuration import ServiceConfig

OPEN = ServiceConfig(allow_private_urls=True)
IMAGE, VIDEO = "service-image-v1", "service-video-v1"


@pytest.fixture(scope="module")
def scripted() -> ScriptedTransformer:
    return ScriptedTransformer()


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, scripted: ScriptedTransformer
) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("tenants"), config=OPEN, transformer=scripted) as running:
        yield running


# ---- no credits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [IMAGE, VIDEO])
def test_who_cannot_pay_is_402_before_anything_is_fetched_or_decoded(
    service: RunningService, scripted: ScriptedTransformer, model: str
) -> None:
    inspected = scripted.inspected
    with dripping() as server, calling(service.url, service.key(f"poor {model}", 1)) as poor:
        answer = poor.post(TRANSFORMS, json=transform_order(model, server.url))
        message = refused(answer, 402, "insufficient_credits")
        assert "the balance is 1" in message
        own = upload(poor, picture() if model == IMAGE else clip())["url"]
        refused(poor.post(TRANSFORMS, json=transform_order(model, own)), 402, "insufficient_credits")
        refused(poor.post(TRANSFORMS, json=transform_order(model, "ftp://a")), 400, "invalid_request_error")
        assert server.asked == 0
    assert scripted.inspected == inspected


def test_requests_at_once_begin_only_what_the_balance_covers(
    service: RunningService, scripted: ScriptedTransformer
) -> None:
    """Credits are on hold while an input is fetched: two are paid for, so only two are begun."""
    with dripping() as server, calling(service.url, service.key("two pictures", 5)) as caller:
        with ThreadPoolExecutor(6) as threads:
            answers = [
                threads.submit(caller.post, TRANSFORMS, json=transform_order(IMAGE, server.url))
                for _ in range(6)
            ]
            until(lambda: server.asked == 2)
            time.sleep(0.3)
            assert server.asked == 2
            server.close()
        assert {answer.result().status_code for answer in answers} == {400} and balance(caller) == 5


# ---- shares -------------------------------------------------------------------------------------------


def test_a_tenant_that_fills_its_share_is_429_and_others_go_on(service: RunningService) -> None:
    """80 slow inputs by two keys and both purses of one account: it is one tenant all the same."""
    create = service.ledger.create_key
    keys = [create("greedy", "live", "greedy", 1000).key, create("greedy 2", "test", "greedy", 1000).key]
    with ExitStack() as stack:
        server = stack.enter_context(dripping())
        greedy = [stack.enter_context(calling(service.url, key)) for key in keys]
        honest = stack.enter_context(calling(service.url, service.key("honest", 100)))
        threads = stack.enter_context(ThreadPoolExecutor(80))
        body = transform_order(IMAGE, server.url)
        answers = [threads.submit(greedy[n % 2].post, TRANSFORMS, json=body) for n in range(80)]
        until(lambda: sum(answer.done() for answer in answers) + server.open >= 60)
        own = upload(honest, picture())["url"]
        answer = honest.post(TRANSFORMS, json=transform_order(IMAGE, own))
        assert answer.status_code == 200, answer.text
        server.close()
        codes = Counter(answer.result().status_code for answer in answers)
        assert set(codes) == {400, 429} and codes[429] >= 60, codes
        told = next(each.result() for each in answers if each.result().status_code == 429)
        assert "account" in refused(told, 429, "rate_limited") and int(told.headers["retry-after"]) >= 1


def test_clips_of_several_tenants_are_run_in_turns(tmp_path: Path) -> None:
    scripted = ScriptedTransformer()
    with (
        running_service(tmp_path, config=OPEN, transformer=scripted) as service,
        calling(service.url, service.key("many", 100)) as many,
        calling(service.url, service.key("few", 100)) as few,
        calling(service.url, service.key("fewer", 100)) as fewer,
    ):
        urls = {caller: upload(caller, clip())["url"] for caller in (many, few, fewer)}
        jobs = [
            many.post(TRANSFORMS, json=transform_order(VIDEO, urls[many], f"slow {n}")).json()
            for n in range(3)
        ]
        until(lambda: scripted.begun == ["slow 0"])
        # One place is nobody's who has one already.
        jobs.append(few.post(TRANSFORMS, json=transform_order(VIDEO, urls[few], "slow other")).json())
        until(lambda: scripted.begun == ["slow 0", "slow other"])
        jobs.append(fewer.post(TRANSFORMS, json=transform_order(VIDEO, urls[fewer], "third")).json())
        scripted.release()
        clients = [many, many, many, few, fewer]
        ends = [finished(client, job["id"])["status"] for client, job in zip(clients, jobs, strict=True)]
        assert ends == ["succeeded"] * 5
        assert scripted.begun.index("third") < scripted.begun.index("slow 2")


def test_repetitions_of_a_request_that_is_under_way_wait_for_it_and_fetch_nothing(
    service: RunningService,
) -> None:
    headers = {"Idempotency-Key": "under way"}
    with dripping() as server, calling(service.url, service.key("repeats", 100)) as caller:
        body = transform_order(IMAGE, server.url)
        with ThreadPoolExecutor(12) as threads:
            first = threads.submit(caller.post, TRANSFORMS, json=body, headers=headers)
            until(lambda: server.asked == 1)
            more = [threads.submit(caller.post, TRANSFORMS, json=body, headers=headers) for _ in range(10)]
            other = caller.post(TRANSFORMS, json=body | {"prompt": "another"}, headers=headers)
            assert "Idempotency-Key" in refused(other, 400, "invalid_request_error")
            time.sleep(0.3)
            assert server.asked == 1
            server.close()
            said = {refused(each.result(), 400, "invalid_request_error") for each in [first, *more]}
        assert len(said) == 1 and server.asked == 1 and balance(caller) == 100
