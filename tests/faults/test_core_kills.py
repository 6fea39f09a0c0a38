"""kill -9 of the service at random moments of mixed business: the books balance, and nothing is lost.

A few times here; ``make test-kills`` does it 200 times on each database (``OVERPAINT_KILLS``).
"""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import httpx
import psutil
import pytest

from helpers import quick_service
from helpers.customers import PRICES, Customers, Job, audit, balance, jobs_in
from helpers.matrix import few_of
from helpers.processes import until
from helpers.served import TRANSFORMS, Served, finished, served, upload
from helpers.small_media import clip, picture
from helpers.webhook_receiver import Receiver, receiver

pytestmark = pytest.mark.process


KILLS = int(os.environ.get("OVERPAINT_KILLS", "4"))
RICH, POOR = 1_000_000, 300


@pytest.fixture(params=few_of(["sqlite", "postgresql"], ["sqlite"]))
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Url of an empty database."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path / 'ledger.sqlite'}"


def kill(service: Served, customers: Customers | None = None) -> None:
    """Ends the core in the middle of whatever it does, and all that belongs to it by that."""
    workers = [each for each in service.processes()[1:] if "work" in each.cmdline()]
    service.process.kill()
    service.process.wait()
    if customers is not None:
        customers.up.clear()
    _, alive = psutil.wait_procs(workers, 10)
    assert not alive, f"left behind: {alive}"


@pytest.mark.full
@pytest.mark.timeout(60 + 12 * KILLS)
def test_the_core_is_killed_in_mixed_business(tmp_path: Path, database: str) -> None:
    program = (quick_service.__file__,)
    options = ("--allow-private-urls", "--rate-per-second", "100000", "--rate-burst", "100000")
    with (
        receiver() as shop,
        served(tmp_path / "data", *options, database=database, program=program) as service,
    ):
        keys = [service.key("rich", RICH), service.key("poor", POOR)]
        client = service.client(keys[0])
        inputs = [upload(client, content)["url"] for content in (picture(), clip())]
        customers = Customers(service.url, keys, *inputs, webhook_url=shop.url)
        customers.start()
        try:
            for _ in range(KILLS):
                customers.up.set()
                time.sleep(random.uniform(0.02, 0.6))
                kill(service, customers)
                audit(database)
                service.start()
            customers.up.set()
            time.sleep(0.5)
        finally:
            customers.stop()
        settle(service, customers, database, shop, keys)


def settle(service: Served, customers: Customers, database: str, shop: Receiver, keys: list[str]) -> None:
    """After the last start: every job comes to its end, every customer gets what was paid for."""
    until(lambda: all(job.status != "processing" for job in jobs_in(database)), 60, "every job's end")
    with httpx.Client(trust_env=False, timeout=30) as client:
        for order in customers.orders:
            if order.repeatable and 402 not in order.statuses:
                assert customers.send(client, order) is not None
                assert len(order.ids) <= 1, f"{order.mark} was sold as {order.ids}"
    until(lambda: all(job.status != "processing" for job in jobs_in(database)), 60, "every job's end")
    jobs = audit(database)
    assert not customers.surprises, customers.surprises[:5]
    known = {job.mark: {job.id} for job in jobs}
    for order in customers.orders:
        if order.kind != "session" and order.ids:
            assert order.ids == known.get(order.mark), "a job is lost"
    for job in jobs:
        if job.status == "succeeded" or job.kind == "video":
            calls = shop.wait_for(job.id, within_s=30)
            assert {call.event["type"] for call in calls} == {f"transform.{job.status}"}
            assert len({call.headers["webhook-id"] for call in calls}) == 1
    check_balances(service, customers, jobs, keys)


def check_balances(service: Served, customers: Customers, jobs: list[Job], keys: list[str]) -> None:
    """What is left is what was paid in, less what was delivered; also what its buyer never heard of."""
    kept = sum(PRICES[job.kind] for job in jobs if job.status == "succeeded")
    told = {id for order in customers.orders if order.kind == "session" for id in order.ids}
    left = sum(balance(service.url, key) for key in keys)
    sessions, rest = divmod(RICH + POOR - kept - left, PRICES["session"])
    unknown = sum(order.kind == "session" and not order.statuses for order in customers.orders)
    assert rest == 0 and len(told) <= sessions <= len(told) + unknown


@pytest.mark.timeout(120)
@pytest.mark.full
def test_the_core_is_killed_over_real_workers(tmp_path: Path) -> None:
    with receiver() as shop, served(tmp_path / "data", "--allow-private-urls") as service:
        client = service.caller("shop", 1000)
        url = upload(client, clip(frames=60))["url"]
        body = {
            "model": "service-video-v1",
            "prompt": "ink comic",
            "input_url": url,
            "webhook_url": shop.url,
        }
        jobs = []
        for _ in range(2):
            jobs.append(client.post(TRANSFORMS, json=body).json()["id"])
            time.sleep(random.uniform(0.3, 1.0))
            kill(service)
            service.start()
            client = service.client(client.headers["authorization"].removeprefix("Bearer "))
        ends = [finished(client, id) for id in jobs]
        assert [end["status"] for end in ends] == ["succeeded", "succeeded"], json.dumps(ends)
        for id in jobs:
            assert shop.wait_for(id)[0].event["type"] == "transform.succeeded"
        assert client.get("/v1/account").json()["credits_remaining"] == 960
