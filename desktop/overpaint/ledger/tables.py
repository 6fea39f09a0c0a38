"""The ledger's tables. Must not know what is posted, or why.

Times are integers, milliseconds since 1970 UTC: the same on every database. On SQLite, triggers
refuse to change or remove what is in the books.
"""

from __future__ import annotations

from sqlalchemy import (
    DDL,
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    event,
)

metadata = MetaData()
_Id = BigInteger().with_variant(Integer(), "sqlite")

purses = Table(
    "purses",
    metadata,
    Column("posting_account", String(200), primary_key=True),
    Column("created_ms", BigInteger, nullable=False),
    comment="One row per balance: what a writer locks where the database has row locks.",
)

keys = Table(
    "keys",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("name", String(100), nullable=False),
    Column("account", String(100), nullable=False),
    Column("environment", String(4), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Column("masked", String(32), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("revoked_ms", BigInteger),
    CheckConstraint("environment IN ('live', 'test')", name="environment"),
)
_unrevoked = keys.c.revoked_ms.is_(None)
Index(
    "one_working_key_a_name",
    keys.c.name,
    unique=True,
    sqlite_where=_unrevoked,
    postgresql_where=_unrevoked,
)

entries = Table(
    "entries",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("reason", String(100), nullable=False),
    Column("reference", String(100), nullable=False),
    Column("reverses", ForeignKey("entries.id"), unique=True),
    Column("created_ms", BigInteger, nullable=False),
)
Index("entries_by_reference", entries.c.reference)

postings = Table(
    "postings",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("entry", ForeignKey("entries.id"), nullable=False),
    Column("account", String(200), nullable=False),
    Column("amount", BigInteger, nullable=False),
    CheckConstraint("amount <> 0", name="amount"),
)
Index("postings_by_account", postings.c.account, postings.c.amount)
Index("postings_by_entry", postings.c.entry)

answers = Table(
    "answers",
    metadata,
    Column("key", ForeignKey("keys.id"), primary_key=True),
    Column("route", String(100), primary_key=True),
    Column("idempotency_key", String(255), primary_key=True),
    Column("body_digest", String(64), nullable=False),
    Column("answer", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    comment="First answers to requests with an Idempotency-Key.",
)
Index("answers_by_age", answers.c.created_ms)

for _table in (entries, postings):
    for _deed in ("UPDATE", "DELETE"):
        event.listen(
            _table,
            "after_create",
            DDL(  # type: ignore[no-untyped-call]
                f"CREATE TRIGGER {_table.name}_refuse_{_deed.lower()} BEFORE {_deed} ON {_table.name} "
                "BEGIN SELECT RAISE(ABORT, 'the books are append-only'); END"
            ).execute_if(dialect="sqlite"),
        )
