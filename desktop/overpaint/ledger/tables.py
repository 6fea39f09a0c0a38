"""Table definitions of the ledger after the newest migration. Must not know what is posted, or why.

Times are stored as integers, milliseconds since 1970 UTC, on every database. ``migrations`` creates the
tables, and the triggers that keep the books append-only; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    false,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class Instant(TypeDecorator[datetime]):
    """A column of UTC times, truncated to milliseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """To milliseconds since 1970."""
        return None if value is None else (value - _EPOCH) // _MILLISECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """From milliseconds since 1970."""
        return None if value is None else _EPOCH + value * _MILLISECOND


class Words(TypeDecorator[str]):
    """A column of callers' text, stored as UTF-8 bytes: PostgreSQL's text type cannot hold NUL."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        """To bytes."""
        return None if value is None else value.encode()

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        """From bytes."""
        return None if value is None else value.decode()


class Name(TypeDecorator[str]):
    """A column of ids that may come from callers: one that PostgreSQL cannot store (NUL) matches no row."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """To a value that the database can compare with."""
        return value if value is None or value.isprintable() else None


metadata = MetaData()
_Id = BigInteger().with_variant(Integer(), "sqlite")

purses = Table(
    "purses",
    metadata,
    Column("posting_account", String(200), primary_key=True),
    Column("created_ms", Instant, nullable=False),
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
    Column("created_ms", Instant, nullable=False),
    Column("revoked_ms", Instant),
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
    Column("created_ms", Instant, nullable=False),
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
    Column("created_ms", Instant, nullable=False),
    comment="First answers to requests with an Idempotency-Key.",
)
Index("answers_by_age", answers.c.created_ms)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("key", ForeignKey("keys.id"), nullable=False, index=True),
    Column("secret_digest", LargeBinary(32), nullable=False, unique=True),
    Column("model", String(40), nullable=False),
    Column("prompt", Words, nullable=False),
    Column("enhance_prompt", Boolean, nullable=False),
    Column("photo_url", Words),
    Column("expires_ms", Instant, nullable=False, index=True),
    Column("ended", String(40)),
    Column("seconds", BigInteger, nullable=False),
)

files = Table(
    "files",
    metadata,
    Column("id", Name(40), primary_key=True),
    Column("account", String(100), nullable=False),
    Column("environment", String(4), nullable=False),
    Column("content_type", String(100), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("expires_ms", Instant, nullable=False, index=True),
    Column("uploaded", Boolean, nullable=False, server_default=false()),
)
Index("files_by_account", files.c.account, files.c.environment, files.c.uploaded)

jobs = Table(
    "jobs",
    metadata,
    Column("id", Name(40), primary_key=True),
    Column("key", ForeignKey("keys.id"), nullable=False),
    Column("account", String(100), nullable=False),
    Column("environment", String(4), nullable=False),
    Column("home", String(100), nullable=False),
    Column("model", String(40), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("prompt", Words, nullable=False),
    Column("input_name", Words, nullable=False),
    Column("photo_name", Words),
    Column("base_url", Words, nullable=False),
    Column("webhook_url", Words),
    Column("status", String(10), nullable=False),
    Column("output", String(40)),
    Column("failure", Words),
    Column("attempts", Integer, nullable=False),
    Column("retried", Boolean, nullable=False),
    Column("charge", ForeignKey("entries.id"), nullable=False, unique=True),
    Column("credits_charged", BigInteger, nullable=False),
    Column("credits_remaining", BigInteger, nullable=False),
    Column("created_ms", Instant, nullable=False),
    CheckConstraint("status IN ('processing', 'succeeded', 'failed')", name="status"),
    comment="What was sold as a transform; output outlives the file's row.",
)
Index("jobs_by_home", jobs.c.home, jobs.c.status)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("value", LargeBinary, nullable=False),
    comment="What the service signs with.",
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("account", String(100), nullable=False, index=True),
    Column("url", Words, nullable=False),
    Column("body", Words, nullable=False),
    Column("job", ForeignKey("jobs.id"), nullable=False),
    Column("state", String(10), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_ms", Instant, index=True),
    Column("status", Integer),
    Column("problem", Words, nullable=False),
    Column("created_ms", Instant, nullable=False),
    CheckConstraint("state IN ('pending', 'delivered', 'given_up')", name="state"),
    CheckConstraint("(state = 'pending') = (next_ms IS NOT NULL)", name="next"),
)
