"""Idempotency keys: stored answers that a repeated request gets again, within the caller's transaction.

Source: protocol decisions, "retries". Must not know what a request is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from overpaint.errors import InvalidRequestError
from overpaint.ledger.tables import answers

KEPT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Idempotency:
    """The idempotency key of a request, with what else identifies it.

    Attributes:
        key_id: The API key of the request.
        route: Method and path.
        value: The ``Idempotency-Key`` header.
        body_digest: SHA-256 of the request's normalised body, hex.
    """

    key_id: int
    route: str
    value: str
    body_digest: str


def first_answer(connection: Connection, repeat: Idempotency, now: datetime) -> str | None:
    """The stored answer of the same request in the last 24 hours; None when there is none.

    Raises:
        InvalidRequestError: The same Idempotency-Key came with another body.
    """
    row = connection.execute(
        select(answers.c.body_digest, answers.c.answer).where(
            answers.c.key == repeat.key_id,
            answers.c.route == repeat.route,
            answers.c.idempotency_key == repeat.value,
            answers.c.created_ms >= now - KEPT,
        )
    ).first()
    if row is None:
        return None
    if row.body_digest != repeat.body_digest:
        raise InvalidRequestError("idempotency_key_reused")
    return str(row.answer)


def remember(connection: Connection, repeat: Idempotency, answer: str, now: datetime) -> None:
    """Stores an answer, and deletes this key's answers that are older than 24 hours.

    The caller holds the lock of the key's purse, so that concurrent requests do not store the same key.
    """
    outdated = answers.c.created_ms < now - KEPT
    connection.execute(delete(answers).where(answers.c.key == repeat.key_id, outdated))
    connection.execute(
        insert(answers).values(
            key=repeat.key_id,
            route=repeat.route,
            idempotency_key=repeat.value,
            body_digest=repeat.body_digest,
            answer=answer,
            created_ms=now,
        )
    )
