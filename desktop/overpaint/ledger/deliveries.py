"""Webhook deliveries (an outbox table) and their signing secrets, within the caller's transaction.

Must not know how a call is made.
"""

from __future__ import annotations

import base64
import secrets as randomness
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from overpaint.ledger.database import insert_where_missing
from overpaint.ledger.records import Delivery, Job
from overpaint.ledger.tables import deliveries, jobs, secrets

_SECRET_BYTES = 32


def owe(connection: Connection, job: Job, call: Callable[[Job], Delivery] | None) -> Job:
    """Stores the webhook call of a final job, where it has one; returns the job."""
    if call is not None and job.order.webhook_url is not None:
        _add(connection, call(job))
    return job


def due(
    connection: Connection, home: str, now: datetime, limit: int, besides: Collection[str] = ()
) -> list[Delivery]:
    """The calls about a core's jobs that are due, the longest overdue first.

    Those of the accounts in ``besides`` are left out.
    """
    rows = connection.execute(
        select(deliveries)
        .join(jobs, jobs.c.id == deliveries.c.job)
        .where(deliveries.c.next_ms <= now, jobs.c.home == home, deliveries.c.account.not_in(sorted(besides)))
        .order_by(deliveries.c.next_ms, deliveries.c.id)
        .limit(limit)
    )
    return [_record(row) for row in rows]


def settle(
    connection: Connection, id: str, state: str, next_at: datetime | None, status: int | None, problem: str
) -> None:
    """Records an attempt at a pending call; any other call stays as it is."""
    connection.execute(
        update(deliveries)
        .where(deliveries.c.id == id, deliveries.c.state == "pending")
        .values(
            state=state,
            next_ms=next_at,
            status=status,
            problem=problem,
            attempts=deliveries.c.attempts + 1,
        )
    )


def newest(connection: Connection, account: str | None, limit: int) -> list[Delivery]:
    """The newest calls of one account, or of all."""
    query = select(deliveries).order_by(deliveries.c.created_ms.desc(), deliveries.c.id).limit(limit)
    if account is not None:
        query = query.where(deliveries.c.account == account)
    return [_record(row) for row in connection.execute(query)]


def secret(connection: Connection, name: str) -> bytes:
    """A stored secret of 32 random bytes, created when its name is first used."""
    insert_where_missing(connection, secrets, name=name, value=randomness.token_bytes(_SECRET_BYTES))
    return bytes(connection.execute(select(secrets.c.value).where(secrets.c.name == name)).scalar_one())


def webhook_secret(connection: Connection, account: str, rotate: bool) -> str:
    """The webhook signing secret of an account, in the form of Standard Webhooks; ``rotate`` replaces it."""
    name = f"webhooks of {account}"
    value = secret(connection, name)
    if rotate:
        value = randomness.token_bytes(_SECRET_BYTES)
        connection.execute(update(secrets).where(secrets.c.name == name).values(value=value))
    return "whsec_" + base64.b64encode(value).decode()


def _add(connection: Connection, delivery: Delivery) -> None:
    connection.execute(
        insert(deliveries).values(
            id=delivery.id,
            account=delivery.account,
            url=delivery.url,
            body=delivery.body,
            job=delivery.job,
            state=delivery.state,
            attempts=delivery.attempts,
            next_ms=delivery.next_at,
            status=delivery.status,
            problem=delivery.problem,
            created_ms=delivery.created_at,
        )
    )


def _record(row: Row[Any]) -> Delivery:
    return Delivery(
        id=row.id,
        account=row.account,
        url=row.url,
        body=row.body,
        job=row.job,
        state=row.state,
        attempts=row.attempts,
        next_at=row.next_ms,
        status=row.status,
        problem=row.problem,
        created_at=row.created_ms,
    )
