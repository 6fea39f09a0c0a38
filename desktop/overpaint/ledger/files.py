"""Records of stored files and the upload quota, within the caller's transaction.

Must not know where the files are.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select

from overpaint.errors import RateLimitedError
from overpaint.ledger.keys import Purse
from overpaint.ledger.records import StoredFile, UploadLimit
from overpaint.ledger.tables import files


def check_room(connection: Connection, purse: Purse, size: int, limit: UploadLimit, now: datetime) -> None:
    """Checks an upload of ``size`` bytes against the quota of a purse.

    Raises:
        RateLimitedError: The quota is full until an earlier upload expires.
    """
    count, total, first = connection.execute(
        select(func.count(), func.coalesce(func.sum(files.c.size), 0), func.min(files.c.expires_ms)).where(
            files.c.account == purse.account,
            files.c.environment == purse.environment,
            files.c.uploaded,
            files.c.expires_ms > now,
        )
    ).one()
    if count < limit.files and total + size <= limit.size:
        return
    wait_s = 1 if first is None else math.ceil((first - now).total_seconds())
    raise RateLimitedError(
        "account_uploads_full",
        files=limit.files,
        megabytes=limit.size // (1 << 20),
        retry_after_s=max(1, wait_s),
    )


def add(connection: Connection, file: StoredFile, *, uploaded: bool) -> None:
    """Records a new file: an upload, or the output of a job."""
    connection.execute(
        insert(files).values(
            id=file.id,
            account=file.purse.account,
            environment=file.purse.environment,
            content_type=file.content_type,
            size=file.size,
            expires_ms=file.expires_at,
            uploaded=uploaded,
        )
    )


def find(connection: Connection, id: str) -> StoredFile | None:
    """The record of a file, expired or not; None when there is none with this id."""
    row = connection.execute(select(files).where(files.c.id == id)).first()
    return None if row is None else _record(row)


def expired(connection: Connection, now: datetime) -> list[StoredFile]:
    """The files that have expired, the earliest first."""
    rows = connection.execute(select(files).where(files.c.expires_ms <= now).order_by(files.c.expires_ms))
    return [_record(row) for row in rows]


def drop(connection: Connection, id: str) -> None:
    """Deletes the record of a file."""
    connection.execute(delete(files).where(files.c.id == id))


def _record(row: Row[Any]) -> StoredFile:
    return StoredFile(row.id, Purse(row.account, row.environment), row.content_type, row.size, row.expires_ms)
