"""Webhook calls: owed once a job is final, and retried with backoff for a day.

Standard Webhooks, by their library. A call is stored with its job and survives the process; it is delivered
at least once, so a receiver may see a ``webhook-id`` twice. Any 2xx accepts it; a redirect counts as a
failure and is not followed. After a failure it is retried in 5 s, 30 s, 2, 10 and 30 min, 1, 2, 4, 7 and 9
h, each up to a tenth sooner: eleven attempts within a day, then it is given up. Accounts take turns: the
next place goes to the one with the fewest calls. A call is made by the core that ran its job, since only
that core has the file which it names: so of two cores on one database none makes the other's calls, and the
calls of one that is gone wait, like its jobs, until its data folder has a core again. Source: protocol
decisions, "Webhooks". Must not know how jobs are run.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import urlsplit

from standardwebhooks import Webhook

from overpaint.core.clock import Clock
from overpaint.core.fetching import Fetcher
from overpaint.core.http.metrics import Metrics
from overpaint.core.names import DELIVERY_PREFIX, new_id
from overpaint.errors import InvalidRequestError, UnreachableError
from overpaint.ledger import Delivery, Job, Ledger
from overpaint.wire.service import TransformJob, WebhookEvent

log = logging.getLogger(__name__)

DELAYS_SECONDS = (5, 30, 120, 600, 1800, 3600, 7200, 14400, 25200, 32400)
"""Delays after each failed attempt; together a day."""
_JITTER = 0.1
_AT_ONCE = 32
_AT_ONCE_PER_ACCOUNT, _AT_ONCE_PER_HOST = 8, 4
_OWED_LIMIT = 1000
_HORIZON = timedelta(days=2)
"""Bound of the time in which every pending call is due."""
_FAULT_PAUSE = timedelta(seconds=5)


class Webhooks:
    """The sender of webhook calls that the ledger lists as owed.

    Args:
        ledger: Stores the calls and their signing secrets.
        fetcher: Connects to receivers.
        clock: The clock of due times.
        metrics: Counts attempts.
        home: Id of this core (``transform_jobs.home_id``).
    """

    def __init__(
        self, ledger: Ledger, fetcher: Fetcher, clock: Clock, metrics: Metrics, *, home: str
    ) -> None:
        self._ledger = ledger
        self._fetcher = fetcher
        self._clock = clock
        self._metrics = metrics
        self._home = home
        self._changed = asyncio.Event()
        self._under_way: dict[str, tuple[str, str]] = {}
        """Ids of the calls under way → their accounts, and their receivers' hosts."""

    def check_literal(self, url: str | None) -> None:
        """Checks a ``webhook_url`` without a look-up.

        Raises:
            InvalidRequestError: Its form, or its literal address, is not allowed.
        """
        if url is not None:
            with _named("webhook_url"):
                self._fetcher.check_literal(url)

    async def check(self, url: str | None, account: str) -> None:
        """Checks that a ``webhook_url``'s name leads to a public address. Each delivery checks it again.

        Raises:
            InvalidRequestError: It may not be called.
        """
        if url is not None:
            with _named("webhook_url"):
                await self._fetcher.check_reachable(url, tenant=account)

    def message(self, job: Job, shown: TransformJob) -> Delivery:
        """Makes the call that announces a final job, to be stored with it; ``wake`` comes after that.

        Args:
            job: A job with a ``webhook_url``.
            shown: The job as ``GET /v1/transforms/{id}`` shows it.
        """
        kind: Literal["transform.succeeded", "transform.failed"] = (
            "transform.succeeded" if shown.status == "succeeded" else "transform.failed"
        )
        now = self._clock.now()
        return Delivery(
            id=new_id(DELIVERY_PREFIX),
            account=job.order.purse.account,
            url=job.order.webhook_url or "",
            body=WebhookEvent(type=kind, timestamp=now, data=shown).model_dump_json(),
            job=shown.id,
            state="pending",
            attempts=0,
            next_at=now,
            status=None,
            problem="",
            created_at=now,
        )

    def wake(self) -> None:
        """Announces that a call was stored; on the event loop."""
        self._changed.set()

    async def run(self) -> None:
        """Makes calls when due, until cancelled; interrupted calls are made again after a restart."""
        async with asyncio.TaskGroup() as calls:
            while True:
                self._changed.clear()
                try:
                    next_at = await self._begin_due(calls)
                except Exception:  # the root of a task: the database may be back soon
                    log.exception("owed webhooks could not be read")
                    next_at = self._clock.now() + _FAULT_PAUSE
                await self._changed_or(next_at)

    async def _begin_due(self, calls: asyncio.TaskGroup) -> datetime | None:
        """Begins the due calls that have room; returns the time of the next one, None without one."""
        now = self._clock.now()
        busy = set(self._under_way)  # a call that ends while the list is read is still listed as due
        looked_at: set[str] = set()
        due: list[Delivery] = []
        while True:
            owed = await asyncio.to_thread(
                self._ledger.due_deliveries, self._home, now + _HORIZON, _OWED_LIMIT, looked_at
            )
            late = [each for each in owed if each.next_at is None or each.next_at <= now]
            due += late
            looked_at.update(each.account for each in late)
            # An account with more calls than one list holds must not hide the others'.
            if len(late) < len(owed) or len(owed) < _OWED_LIMIT:
                break
        for delivery in self._in_turns(each for each in due if each.id not in busy):
            self._begin(calls, delivery)
        return owed[len(late)].next_at if len(late) < len(owed) else None

    def _in_turns(self, due: Iterable[Delivery]) -> list[Delivery]:
        """Sorts calls: accounts with the fewest under way first, the oldest calls of an account first."""
        turns = Counter(account for account, _ in self._under_way.values())
        ranked = []
        for delivery in due:
            ranked.append((turns[delivery.account], delivery))
            turns[delivery.account] += 1
        return [delivery for _, delivery in sorted(ranked, key=lambda each: each[0])]

    def _begin(self, calls: asyncio.TaskGroup, delivery: Delivery) -> None:
        """Begins a call if there is room; the end of each call triggers another check."""
        account, host = delivery.account, urlsplit(delivery.url).netloc
        accounts, hosts = zip(*self._under_way.values(), strict=True) if self._under_way else ((), ())
        if (
            len(hosts) < _AT_ONCE
            and accounts.count(account) < _AT_ONCE_PER_ACCOUNT
            and hosts.count(host) < _AT_ONCE_PER_HOST
        ):
            self._under_way[delivery.id] = (account, host)
            calls.create_task(self._call(delivery), name=f"webhook {delivery.id}")

    async def _changed_or(self, when: datetime | None) -> None:
        """Waits for a change, or until a time."""
        waits: list[asyncio.Task[Any]] = [asyncio.create_task(self._changed.wait())]
        if when is not None:
            waits.append(asyncio.create_task(self._clock.sleep_until(when)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _call(self, delivery: Delivery) -> None:
        """Makes one attempt, and records it in the ledger."""
        try:
            status, problem = await self._attempt(delivery)
            state, next_at = self._outcome(delivery, delivered=not problem)
            await asyncio.to_thread(
                self._ledger.settle_delivery, delivery.id, state, next_at, status, problem
            )
            self._metrics.deliveries.labels("retried" if state == "pending" else state).inc()
            log.info("webhook %s of %s: %s %s", delivery.id, delivery.job, state, problem or status)
        except Exception:  # the root of a task: the call is still owed
            log.exception("webhook %s could not be made", delivery.id)
            await self._clock.sleep_until(self._clock.now() + _FAULT_PAUSE)
        finally:
            del self._under_way[delivery.id]
            self._changed.set()

    async def _attempt(self, delivery: Delivery) -> tuple[int | None, str]:
        """Returns the answer's status, and what is wrong with it; "" for nothing."""
        secret = await asyncio.to_thread(self._ledger.webhook_secret, delivery.account)
        # Not the service's clock: the receiver compares this with its own, to refuse old calls.
        now = datetime.now(UTC)
        headers = {
            "content-type": "application/json",
            "webhook-id": delivery.id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": Webhook(secret).sign(delivery.id, now, delivery.body),
        }
        try:
            status = await self._fetcher.post(
                delivery.url, delivery.body.encode(), headers, tenant=delivery.account
            )
        except (UnreachableError, InvalidRequestError) as error:
            return None, str(error)
        return status, "" if 200 <= status < 300 else f"answered with status {status}"

    def _outcome(self, delivery: Delivery, *, delivered: bool) -> tuple[str, datetime | None]:
        if delivered:
            return "delivered", None
        if delivery.attempts >= len(DELAYS_SECONDS):
            return "given_up", None
        delay = DELAYS_SECONDS[delivery.attempts] * (1 - _JITTER * random.random())
        return "pending", self._clock.now() + timedelta(seconds=delay)


@contextmanager
def _named(field: str) -> Iterator[None]:
    """Prefixes the sentence of a refusal with the field's name."""
    try:
        yield
    except InvalidRequestError as error:
        raise InvalidRequestError("field_breaks_rule", field=field, sentence=str(error)) from error
