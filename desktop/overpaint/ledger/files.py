"""Which files the service keeps, on a connection within a transaction. Must not know where they lie."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from overpaint.ledger.keys import Purse
from overpaint.ledger.records import StoredFile
from overpaint.ledger.tables import files


def add(connection: Connection, file: StoredFile) -> None:
    """Keeps a new file."""
    connection.execute(
        insert(files).values(
            id=file.id,
            account=file.purse.account,
            environment=file.purse.environment,
            content_type=file.content_type,
            size=file.size,
            expires_ms=file.expires_at,
        )
    )


def find(connection: Connection, id: str) -> StoredFile | None:
    """A file that is kept, expired or not; None when there is no such one."""
    row = connection.execute(select(files).where(files.c.id == id)).first()
    return None if row is None else _record(row)


def expired(connection: Connection, now: datetime) -> list[StoredFile]:
    """The files whose time is over, the longest first."""
    rows = connection.execute(select(files).where(files.c.expires_ms <= now).order_by(files.c.expires_ms))
    return [_record(row) for row in rows]


def drop(connection: Connection, id: str) -> None:
    """Forgets a file."""
    connection.execute(delete(files).where(files.c.id == id))


def _record(row: Row[Any]) -> StoredFile:
    return StoredFile(row.id, Purse(row.account, row.environment), row.content_type, row.size, row.expires_ms)
