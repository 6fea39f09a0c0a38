"""Records of realtime sessions, within the caller's transaction. Must not know sockets or streams."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from overpaint.ledger.records import SessionRecord
from overpaint.ledger.tables import keys, sessions


def add(connection: Connection, record: SessionRecord) -> None:
    """Records a new session."""
    connection.execute(
        insert(sessions).values(
            id=record.id,
            key=record.key_id,
            secret_digest=record.secret_digest,
            model=record.model,
            prompt=record.prompt,
            enhance_prompt=record.enhance_prompt,
            photo_url=record.photo_url,
            expires_ms=record.expires_at,
            ended=record.ended,
            seconds=record.seconds,
        )
    )


def find(connection: Connection, secret_digest: bytes) -> SessionRecord | None:
    """The session with this secret, whether it has ended or not; None when there is none."""
    row = connection.execute(
        select(sessions, keys.c.account)
        .join(keys, keys.c.id == sessions.c.key)
        .where(sessions.c.secret_digest == secret_digest)
    ).first()
    if row is None:
        return None
    return SessionRecord(
        id=row.id,
        key_id=row.key,
        secret_digest=row.secret_digest,
        model=row.model,
        prompt=row.prompt,
        enhance_prompt=row.enhance_prompt,
        photo_url=row.photo_url,
        expires_at=row.expires_ms,
        ended=row.ended,
        seconds=row.seconds,
        account=row.account,
    )


def change(connection: Connection, id: str, **values: object) -> None:
    """Changes columns of a session. A session that has ended stays as it is."""
    connection.execute(
        update(sessions).where(sessions.c.id == id, sessions.c.ended.is_(None)).values(**values)
    )


def rekey(connection: Connection, id: str, key_id: int, secret_digest: bytes) -> None:
    """Sets another API key and secret, also of an ended session, so that its new secret finds it."""
    connection.execute(
        update(sessions).where(sessions.c.id == id).values(key=key_id, secret_digest=secret_digest)
    )


def drop(connection: Connection, before: datetime) -> None:
    """Deletes the sessions that expired before a time."""
    connection.execute(delete(sessions).where(sessions.c.expires_ms < before))
