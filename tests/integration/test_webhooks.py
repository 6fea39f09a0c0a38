"""A webhook arrives at least once, signed as Standard Webhooks says, whatever its receiver is like."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from helpers.running_service import HastyClock
from helpers.strange_server import Received, StrangeServer, plain, redirect
from overpaint.cli import run
from overpaint.core import fetching
from overpaint.core.clock import Clock
from overpaint.core.fetching import Fetcher
from overpaint.core.http.metrics import Metrics
from overpaint.core.jobs import webhooks as webhooks_module
from overpaint.core.jobs.webhooks import DELAYS_SECONDS, Webhooks
from overpaint.core.names import FILE_PREFIX, JOB_PREFIX, new_id
from overpaint.ledger import Delivery, Job, JobOrder, KeyRecord, Ledger, StoredFile, ledger_url
from overpaint.wire.service import TransformJob


@pytest.fixture
def ledger(data_folder: Path) -> Iterator[Ledger]:
    opened = Ledger(ledger_url(data_folder))
    yield opened
    opened.close()


@pytest.fixture
def shop(ledger: Ledger) -> KeyRecord:
    return ledger.create_key("shop", "live", credits=10_000).record


@pytest.fixture
async def receiver() -> AsyncIterator[StrangeServer]:
    async with StrangeServer().running() as running:
        yield running


def webhooks(ledger: Ledger, clock: Clock | None = None, home: str = "here") -> Webhooks:
    return Webhooks(ledger, Fetcher(allow_private_urls=True), clock or Clock(), Metrics(), home=home)


@asynccontextmanager
async def at_work(dispatcher: Webhooks) -> AsyncIterator[Webhooks]:
    task = asyncio.create_task(dispatcher.run())
    try:
        yield dispatcher
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def end_a_job(
    ledger: Ledger,
    dispatcher: Webhooks,
    key: KeyRecord,
    url: str | None,
    well: bool = True,
    home: str = "here",
) -> str:
    """Sells a job and ends it; its webhook is owed from then on."""
    order = JobOrder(
        id=new_id(JOB_PREFIX),
        key_id=key.id,
        purse=key.purse,
        home=home,
        model="service-video-v1",
        kind="video",
        prompt="ink",
        input_name="input",
        base_url="http://service.example",
        webhook_url=url,
    )
    ledger.sell_job(order, 20)

    def told(job: Job) -> Delivery:
        shown = TransformJob(
            id=job.order.id,
            model=job.order.model,
            kind=job.order.kind,
            status=job.status,
            output_url="http://service.example/v1/files/fil_1" if well else None,
            credits_charged=job.credits_charged,
            credits_remaining=job.credits_remaining,
        )
        return dispatcher.message(job, shown)

    if well:
        expires_at = datetime.now(UTC) + timedelta(days=7)
        ledger.finish_job(
            order.id, StoredFile(new_id(FILE_PREFIX), key.purse, "video/mp4", 9, expires_at), told
        )
    else:
        ledger.fail_job(order.id, "The clip is damaged.", told)
    dispatcher.wake()
    return order.id


async def until(
    ledger: Ledger, true: Callable[[list[Delivery]], bool], seconds: float = 15
) -> list[Delivery]:
    """Deliveries, newest first, once something holds of them."""
    async with asyncio.timeout(seconds):
        while True:
            found = await asyncio.to_thread(ledger.deliveries, None, 1000)
            if true(found):
                return found
            await asyncio.sleep(0.01)


def settled(deliveries: list[Delivery]) -> bool:
    return all(delivery.state != "pending" for delivery in deliveries)


@pytest.mark.parametrize("well", [True, False])
async def test_a_final_job_is_told_once_and_the_library_verifies_it(
    ledger: Ledger, shop: KeyRecord, receiver: StrangeServer, well: bool
) -> None:
    receiver.routes["/hook"] = plain(b"", "204 No Content")
    async with at_work(webhooks(ledger)) as dispatcher:
        job = end_a_job(ledger, dispatcher, shop, f"{receiver.url}/hook", well)
        [delivery] = await until(ledger, settled)
    assert (delivery.state, delivery.attempts, delivery.status, delivery.problem) == ("delivered", 1, 204, "")
    [call] = receiver.requests
    assert call.method == "POST" and call.headers["content-type"] == "application/json"
    assert call.headers["webhook-id"] == delivery.id and delivery.id.startswith("msg_")
    event = Webhook(ledger.webhook_secret("shop")).verify(call.body, call.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(ledger.webhook_secret("another")).verify(call.body, call.headers)
    assert event.keys() == {"type", "timestamp", "data"}
    assert event["type"] == ("transform.succeeded" if well else "transform.failed")
    assert datetime.fromisoformat(event["timestamp"]).tzinfo is not None
    assert event["data"] == {
        "id": job,
        "object": "transform.job",
        "model": "service-video-v1",
        "kind": "video",
        "status": "succeeded" if well else "failed",
        "output_url": "http://service.example/v1/files/fil_1" if well else None,
        "credits_charged": 20 if well else 0,
        "credits_remaining": 9980 if well else 10_000,
    }


async def test_a_job_without_a_webhook_calls_nobody(ledger: Ledger, shop: KeyRecord) -> None:
    end_a_job(ledger, webhooks(ledger), shop, None)
    assert ledger.deliveries(None, 10) == []


async def test_a_receiver_that_was_down_is_called_again_with_the_same_id_and_body(
    ledger: Ledger, shop: KeyRecord, receiver: StrangeServer
) -> None:
    answers = iter([plain(b"", "500 Oops"), plain(b"", "429 Later"), redirect("/elsewhere"), plain(b"ok")])

    async def answer(call: Received, writer: asyncio.StreamWriter) -> None:
        await next(answers)(call, writer)

    receiver.routes |= {"/hook": answer, "/elsewhere": plain(b"ok")}
    async with at_work(webhooks(ledger, HastyClock(2000))) as dispatcher:
        end_a_job(ledger, dispatcher, shop, f"{receiver.url}/hook")
        [delivery] = await until(ledger, settled)
    assert (delivery.state, delivery.attempts, delivery.status) == ("delivered", 4, 200)
    assert [call.path for call in receiver.requests] == ["/hook"] * 4
    assert len({(call.headers["webhook-id"], call.body) for call in receiver.requests}) == 1
    for call in receiver.requests:
        Webhook(ledger.webhook_secret("shop")).verify(call.body, call.headers)


async def test_after_a_day_of_growing_delays_it_is_given_up(
    ledger: Ledger, shop: KeyRecord, receiver: StrangeServer
) -> None:
    clock = HastyClock(40_000)
    times: list[datetime] = []

    async def refuse(call: Received, writer: asyncio.StreamWriter) -> None:
        times.append(clock.now())
        await plain(b"", "503 Closed")(call, writer)

    receiver.routes["/hook"] = refuse
    async with at_work(webhooks(ledger, clock)) as dispatcher:
        end_a_job(ledger, dispatcher, shop, f"{receiver.url}/hook")
        [delivery] = await until(ledger, settled)
    assert (delivery.state, delivery.status, delivery.next_at) == ("given_up", 503, None)
    assert delivery.problem == "answered with status 503"
    assert delivery.attempts == len(times) == len(DELAYS_SECONDS) + 1
    waited = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    assert all(wait >= 0.9 * delay for wait, delay in zip(waited, DELAYS_SECONDS, strict=True))
    assert 0.95 * 86_400 < sum(DELAYS_SECONDS) < 86_400


async def test_the_delay_is_jittered(ledger: Ledger, shop: KeyRecord) -> None:
    async with at_work(webhooks(ledger)) as dispatcher:
        for _ in range(12):
            end_a_job(ledger, dispatcher, shop, "http://127.0.0.1:1/hook")
        found = await until(ledger, lambda all_: all(delivery.attempts == 1 for delivery in all_))
    now = datetime.now(UTC)
    waits = {(delivery.next_at - now).total_seconds() for delivery in found if delivery.next_at}
    # Times are kept to the millisecond: two of twelve may meet.
    assert len(waits) >= 9 and max(waits) <= 5
    assert {delivery.status for delivery in found} == {None}
    assert "nothing public answers" in found[0].problem


async def test_owed_calls_survive_the_process(
    data_folder: Path, ledger: Ledger, shop: KeyRecord, receiver: StrangeServer
) -> None:
    end_a_job(ledger, webhooks(ledger), shop, f"{receiver.url}/hook")  # and nobody makes the call
    async with at_work(webhooks(ledger, HastyClock(100))):
        await until(ledger, lambda all_: all_[0].attempts > 0)  # 404 so far
    receiver.routes["/hook"] = plain(b"ok")
    again = Ledger(ledger_url(data_folder))
    async with at_work(webhooks(again, HastyClock(100))):
        [delivery] = await until(again, settled)
    again.close()
    assert delivery.state == "delivered" and delivery.attempts >= 2
    assert len({call.headers["webhook-id"] for call in receiver.requests}) == 1


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_of_two_cores_on_one_database_each_makes_the_calls_of_its_own_jobs(
    request: pytest.FixtureRequest, data_folder: Path, receiver: StrangeServer, database: str
) -> None:
    one = database == "sqlite"
    url = str(ledger_url(data_folder)) if one else str(request.getfixturevalue("postgres_url"))
    here, there = Ledger(url), Ledger(url)
    shop = here.create_key("shop", "live", credits=10_000).record
    receiver.routes |= {"/here": plain(b"ok"), "/there": plain(b"ok")}
    async with at_work(webhooks(here)) as dispatcher, at_work(webhooks(there, home="there")) as other:
        for number in range(20):
            home = ("here", "there")[number % 2]
            end_a_job(here, dispatcher, shop, f"{receiver.url}/{home}", home=home)
            other.wake()
        found = await until(here, settled)
    assert len(found) == len(receiver.requests) == 20 and {each.attempts for each in found} == {1}

    # The calls of a core that is gone are nobody else's, and are made when it is back.
    end_a_job(here, dispatcher, shop, f"{receiver.url}/there", home="there")
    async with at_work(webhooks(here)) as dispatcher:
        end_a_job(here, dispatcher, shop, f"{receiver.url}/here")
        await until(here, lambda all_: sum(each.state == "delivered" for each in all_) == 21)
    assert len(receiver.requests) == 21
    async with at_work(webhooks(there, home="there")):
        await until(here, settled)
    here.close()
    there.close()


async def test_a_receiver_that_hangs_holds_nobody_up(
    ledger: Ledger, shop: KeyRecord, receiver: StrangeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "POST_SECONDS", 3.0)

    async def hang(_: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    receiver.routes["/hook"] = plain(b"ok")
    async with StrangeServer({"/hang": hang}).running() as hanging, at_work(webhooks(ledger)) as dispatcher:
        stuck = [end_a_job(ledger, dispatcher, shop, f"{hanging.url}/hang") for _ in range(40)]
        good = [end_a_job(ledger, dispatcher, shop, f"{receiver.url}/hook") for _ in range(20)]

        def taken(deliveries: list[Delivery]) -> bool:
            return all(delivery.state == "delivered" for delivery in deliveries if delivery.job in good)

        found = await until(ledger, taken)
        assert {delivery.state for delivery in found if delivery.job in stuck} == {"pending"}
        assert all(delivery.attempts == 0 for delivery in found if delivery.job in stuck)
        assert len(hanging.requests) <= 4
        found = await until(ledger, lambda all_: any(delivery.problem for delivery in all_))
    problems = {delivery.problem for delivery in found if delivery.problem}
    assert problems == {"no answer within 3 s"}


@pytest.mark.parametrize("receivers", [1, 20])
async def test_an_account_whose_receivers_hang_holds_no_other_account_up(
    ledger: Ledger,
    shop: KeyRecord,
    receiver: StrangeServer,
    monkeypatch: pytest.MonkeyPatch,
    receivers: int,
) -> None:
    """However many receivers it names, and however many calls it is owed."""
    monkeypatch.setattr(webhooks_module, "_OWED_LIMIT", 10)
    greedy = ledger.create_key("greedy", "live", credits=10_000).record

    async def hang(_: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    receiver.routes["/hook"] = plain(b"ok")
    async with AsyncExitStack() as stack:
        hanging = [
            await stack.enter_async_context(StrangeServer({"/hang": hang}).running())
            for _ in range(receivers)
        ]
        dispatcher = webhooks(ledger)
        for number in range(60):
            end_a_job(ledger, dispatcher, greedy, f"{hanging[number % receivers].url}/hang")
        good = end_a_job(ledger, dispatcher, shop, f"{receiver.url}/hook")
        await stack.enter_async_context(at_work(dispatcher))
        found = await until(ledger, lambda all_: [each.job for each in all_ if each.attempts] == [good])
        assert [each.state for each in found if each.job == good] == ["delivered"]
        assert sum(len(each.requests) for each in hanging) <= 8


async def test_accounts_that_fill_every_place_together_let_another_one_have_its_turn(
    ledger: Ledger, shop: KeyRecord, receiver: StrangeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four of them are as many as there are places for; what they are owed is older."""
    monkeypatch.setattr(fetching, "POST_SECONDS", 2.0)
    greedy = [ledger.create_key(f"greedy {number}", "live", credits=10_000).record for number in range(4)]

    async def hang(_: Received, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    receiver.routes["/hook"] = plain(b"ok")
    async with AsyncExitStack() as stack:
        hanging = [
            await stack.enter_async_context(StrangeServer({"/hang": hang}).running()) for _ in range(8)
        ]
        dispatcher = webhooks(ledger)
        for number in range(128):
            end_a_job(ledger, dispatcher, greedy[number % 4], f"{hanging[number % 8].url}/hang")
        good = end_a_job(ledger, dispatcher, shop, f"{receiver.url}/hook")
        await stack.enter_async_context(at_work(dispatcher))
        await until(ledger, lambda all_: any(each.job == good and each.attempts for each in all_), 30)
        assert sum(len(each.requests) for each in hanging) <= 64 + 8


async def test_a_forbidden_receiver_is_never_connected_to(
    ledger: Ledger, shop: KeyRecord, receiver: StrangeServer
) -> None:
    async with at_work(Webhooks(ledger, Fetcher(), Clock(), Metrics(), home="here")) as dispatcher:
        end_a_job(ledger, dispatcher, shop, f"{receiver.url}/hook")
        [delivery] = await until(ledger, lambda all_: all_[0].attempts == 1)
    assert (delivery.state, delivery.status) == ("pending", None) and not receiver.requests


@pytest.mark.expect_log("owed webhooks could not be read")
@pytest.mark.expect_log("could not be made")
async def test_a_database_that_fails_for_a_while_loses_nothing(
    ledger: Ledger, shop: KeyRecord, receiver: StrangeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver.routes["/hook"] = plain(b"ok")
    due, settle, faults = ledger.due_deliveries, ledger.settle_delivery, ["due", "settle"]

    def failing_due(home: str, now: datetime, limit: int, besides: set[str]) -> list[Delivery]:
        if "due" in faults:
            faults.remove("due")
            raise OSError("the database is away")
        return due(home, now, limit, besides)

    def failing_settle(id: str, state: str, at: datetime | None, status: int | None, problem: str) -> None:
        if "settle" in faults:
            faults.remove("settle")
            raise OSError("the database is away")
        settle(id, state, at, status, problem)

    monkeypatch.setattr(ledger, "due_deliveries", failing_due)
    monkeypatch.setattr(ledger, "settle_delivery", failing_settle)
    dispatcher = webhooks(ledger, HastyClock(100))
    end_a_job(ledger, dispatcher, shop, f"{receiver.url}/hook")
    async with at_work(dispatcher):
        [delivery] = await until(ledger, settled)
    assert delivery.state == "delivered" and len(receiver.requests) == 2  # at least once: told twice


def test_the_command_line_lists_calls_and_their_secrets(
    ledger: Ledger, shop: KeyRecord, capsys: pytest.CaptureFixture[str]
) -> None:
    job = end_a_job(ledger, webhooks(ledger), shop, "https://shop.example/hook")
    [delivery] = ledger.deliveries("shop", 10)
    soon = datetime.now(UTC) + timedelta(seconds=5)
    ledger.settle_delivery(delivery.id, "pending", soon, 503, "answered with status 503")
    assert run(["webhooks", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert row.keys() == {
        "id", "state", "attempts", "next_at", "status", "problem", "url", "job", "account", "created_at",
    }  # fmt: skip
    assert (row["state"], row["attempts"], row["status"], row["job"]) == ("pending", 1, 503, job)
    assert run(["webhooks", "--account", "shop", "--limit", "5"]) == 0
    words = capsys.readouterr().out
    for part in (
        job,
        "pending",
        "1 attempt",
        "next ",
        "answered with status 503",
        "https://shop.example/hook",
    ):
        assert part in words
    assert run(["webhooks", "--account", "nobody"]) == 0 and capsys.readouterr().out == ""
    assert run(["webhooks", "secret", "--account", "shop"]) == 0
    secret = capsys.readouterr().out.strip()
    assert secret == ledger.webhook_secret("shop") and secret.startswith("whsec_")
    assert run(["webhooks", "secret", "--account", "shop", "--rotate"]) == 0
    rotated = capsys.readouterr().out.strip()
    assert rotated != secret and rotated == ledger.webhook_secret("shop")
