"""Idempotency: answers given once, found again for a repeated request, within a transaction.

Source: protocol decisions, "retries". Must not know what was asked.
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
    """The identity of a request, by which a repetition is recognised.

    Attributes:
        key_id: The API key that asks.
        route: Method and path.
        value: The ``Idempotency-Key``.
        body_digest: SHA-256 of the request's meaning, hex.
    """

    key_id: int
    route: str
    value: str
    body_digest: str


def first_answer(connection: Connection, repeat: Idempotency, now: datetime) -> str | None:
    """The answer of the first such request in the last 24 hours; None when this is the first.

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
    """Keeps an answer, and forgets what this key was answered more than 24 hours ago.

    The caller holds the lock of the key's purse, so that no two forget, or remember, the same.
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
