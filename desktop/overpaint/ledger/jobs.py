"""Records of transform jobs, within the caller's transaction.

A job is ``processing`` until it is ``succeeded`` or ``failed``, which are final. Must not know who runs jobs.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from overpaint.errors import NotFoundError
from overpaint.ledger import books
from overpaint.ledger.keys import Purse
from overpaint.ledger.records import Job, JobOrder
from overpaint.ledger.tables import jobs


def add(connection: Connection, order: JobOrder, charge: books.Charge, retried: bool, now: datetime) -> Job:
    """Records a job that was charged in this transaction."""
    row = connection.execute(
        insert(jobs)
        .values(
            id=order.id,
            key=order.key_id,
            account=order.purse.account,
            environment=order.purse.environment,
            home=order.home,
            model=order.model,
            kind=order.kind,
            prompt=order.prompt,
            input_name=order.input_name,
            photo_name=order.photo_name,
            base_url=order.base_url,
            webhook_url=order.webhook_url,
            status="processing",
            attempts=0,
            retried=retried,
            charge=charge.entry,
            credits_charged=charge.amount,
            credits_remaining=charge.remaining,
            created_ms=now,
        )
        .returning(jobs)
    ).one()
    return _record(row)


def find(connection: Connection, id: str) -> Job | None:
    """A job in its present state; None when there is none with this id."""
    row = connection.execute(select(jobs).where(jobs.c.id == id)).first()
    return None if row is None else _record(row)


def unfinished(connection: Connection, home: str) -> list[Job]:
    """The processing jobs of one core, oldest first."""
    mine = select(jobs).where(jobs.c.home == home, jobs.c.status == "processing")
    return [_record(row) for row in connection.execute(mine.order_by(jobs.c.charge))]


def begin(connection: Connection, id: str) -> int:
    """Increments the attempts. Raises ``NotFoundError`` when no such job is processing."""
    attempts = connection.execute(
        update(jobs)
        .where(jobs.c.id == id, jobs.c.status == "processing")
        .values(attempts=jobs.c.attempts + 1)
        .returning(jobs.c.attempts)
    ).scalar()
    if attempts is None:
        raise NotFoundError("job_not_in_progress")
    return int(attempts)


def pause(connection: Connection, id: str) -> None:
    """Decrements the attempts of a processing job, to no less than 1."""
    counted = jobs.c.attempts > 1
    connection.execute(
        update(jobs)
        .where(jobs.c.id == id, jobs.c.status == "processing", counted)
        .values(attempts=jobs.c.attempts - 1)
    )


def locked(connection: Connection, id: str, now: datetime) -> Job:
    """A job, locked until this transaction ends. Raises ``NotFoundError``."""
    job = find(connection, id)
    if job is None:
        raise NotFoundError("job_unknown_to_ledger")
    # Lock order: purse before job, everywhere, so that no two transactions deadlock.
    books.lock_purse(connection, job.order.purse, now)
    row = connection.execute(select(jobs).where(jobs.c.id == id).with_for_update()).one()
    return _record(row)


def succeed(connection: Connection, job: Job, output: str, free: bool, now: datetime) -> Job:
    """Marks a job as succeeded; refunded if free. The caller has locked it and found it processing."""
    back = _give_back(connection, job, now) if free else {}
    return _end(connection, job.order.id, status="succeeded", output=output, **back)


def fail(connection: Connection, job: Job, failure: str, now: datetime) -> Job:
    """Marks a job as failed and refunds it. The caller has locked it and found it processing."""
    back = _give_back(connection, job, now)
    return _end(connection, job.order.id, status="failed", failure=failure, **back)


def _give_back(connection: Connection, job: Job, now: datetime) -> dict[str, int]:
    remaining = books.refund(connection, job.charge, job.order.purse, "refund", now)
    return {"credits_charged": 0, "credits_remaining": remaining}


def _end(connection: Connection, id: str, **values: object) -> Job:
    return _record(
        connection.execute(update(jobs).where(jobs.c.id == id).values(**values).returning(jobs)).one()
    )


def _record(row: Row[Any]) -> Job:
    order = JobOrder(
        id=row.id,
        key_id=row.key,
        purse=Purse(row.account, row.environment),
        home=row.home,
        model=row.model,
        kind=row.kind,
        prompt=row.prompt,
        input_name=row.input_name,
        photo_name=row.photo_name,
        base_url=row.base_url,
        webhook_url=row.webhook_url,
    )
    return Job(
        order=order,
        status=row.status,
        output=row.output,
        failure=row.failure,
        attempts=row.attempts,
        retried=row.retried,
        charge=row.charge,
        credits_charged=row.credits_charged,
        credits_remaining=row.credits_remaining,
        created_at=row.created_ms,
    )
