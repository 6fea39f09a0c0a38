"""Records of API keys: creation, lookup by hash, revocation, within the caller's transaction.

Must not know credits or HTTP.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, delete, insert, select, update

from overpaint.errors import NotFoundError, UsageError
from overpaint.ledger.keys import LOCAL_KEY_NAME, CreatedKey, KeyRecord, Purse, key_hash, masked, new_key
from overpaint.ledger.tables import answers, keys, sessions

NAME_MAX_CHARACTERS = 100


def label(text: str, field: Literal["name", "account"]) -> str:
    """A name or account without surrounding spaces.

    Raises:
        UsageError: It is not 1 to 100 printable characters.
    """
    cleaned = text.strip()
    if not 0 < len(cleaned) <= NAME_MAX_CHARACTERS or not cleaned.isprintable():
        raise UsageError(
            "key_name_malformed" if field == "name" else "key_account_malformed", most=NAME_MAX_CHARACTERS
        )
    return cleaned


def add(connection: Connection, name: str, purse: Purse, now: datetime) -> CreatedKey:
    """Creates a key. Raises SQLAlchemy's ``IntegrityError`` when the name is taken."""
    secret = new_key(purse.environment)
    row = connection.execute(
        insert(keys)
        .values(
            name=name,
            account=purse.account,
            environment=purse.environment,
            hash=key_hash(secret),
            masked=masked(secret),
            created_ms=now,
        )
        .returning(keys)
    ).one()
    return CreatedKey(secret, _record(row))


def replace_local(connection: Connection, purse: Purse, now: datetime) -> CreatedKey:
    """Replaces the desktop's key; its sessions and idempotent answers move to the new one."""
    own = keys.c.name == LOCAL_KEY_NAME
    connection.execute(update(keys).where(own, keys.c.revoked_ms.is_(None)).values(revoked_ms=now))
    created = add(connection, LOCAL_KEY_NAME, purse, now)
    former = select(keys.c.id).where(own)
    for table in (answers, sessions):
        connection.execute(update(table).where(table.c.key.in_(former)).values(key=created.record.id))
    return created


def find(connection: Connection, secret: str) -> KeyRecord | None:
    """The record of a valid key; None when it is unknown or revoked."""
    digest = key_hash(secret)
    row = connection.execute(select(keys).where(keys.c.hash == digest)).first()
    # A caller cannot choose a prefix of the hash, so the index lookup leaks nothing useful by its time.
    # The constant-time comparison costs nothing and does not depend on that argument.
    if row is None or not hmac.compare_digest(row.hash, digest) or row.revoked_ms is not None:
        return None
    return _record(row)


def is_local(connection: Connection, id: int) -> bool:
    """Whether a key is, or was, the desktop's own."""
    own = select(keys.c.id).where(keys.c.id == id, keys.c.name == LOCAL_KEY_NAME)
    return connection.execute(own).first() is not None


def named(connection: Connection, name: str) -> KeyRecord:
    """The valid key with this name. Raises ``NotFoundError``."""
    row = connection.execute(select(keys).where(keys.c.name == name, keys.c.revoked_ms.is_(None))).first()
    if row is None:
        raise NotFoundError("key_name_unknown", name=name)
    return _record(row)


def every(connection: Connection) -> list[KeyRecord]:
    """Every key, revoked ones too, oldest first."""
    return [_record(row) for row in connection.execute(select(keys).order_by(keys.c.id))]


def revoke(connection: Connection, name: str, now: datetime) -> KeyRecord:
    """Revokes a key permanently, and deletes its idempotent answers."""
    record = named(connection, name)
    connection.execute(delete(answers).where(answers.c.key == record.id))
    row = connection.execute(
        update(keys).where(keys.c.id == record.id).values(revoked_ms=now).returning(keys)
    ).one()
    return _record(row)


def revoked(connection: Connection, ids: Iterable[int]) -> set[int]:
    """The revoked ones among some key ids."""
    rows = connection.execute(
        select(keys.c.id).where(keys.c.id.in_(list(ids)), keys.c.revoked_ms.is_not(None))
    )
    return set(rows.scalars())


def _record(row: Row[Any]) -> KeyRecord:
    return KeyRecord(
        id=row.id,
        name=row.name,
        account=row.account,
        environment=row.environment,
        masked=row.masked,
        created_at=row.created_ms,
        revoked_at=row.revoked_ms,
    )
