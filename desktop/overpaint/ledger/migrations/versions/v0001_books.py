"""Migration 1: keys, books and idempotent answers, the schema from before there were migrations."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Creates the tables, and on SQLite the triggers."""
    _keys()
    _books()
    op.create_table(
        "answers",
        sa.Column("key", _Id, sa.ForeignKey("keys.id"), primary_key=True),
        sa.Column("route", sa.String(100), primary_key=True),
        sa.Column("idempotency_key", sa.String(255), primary_key=True),
        sa.Column("body_digest", sa.String(64), nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        comment="First answers to requests with an Idempotency-Key.",
    )
    op.create_index("answers_by_age", "answers", ["created_ms"])
    if op.get_context().dialect.name == "sqlite":
        for table in ("entries", "postings"):
            for deed in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_refuse_{deed.lower()} BEFORE {deed} ON {table} "
                    "BEGIN SELECT RAISE(ABORT, 'the books are append-only'); END"
                )


def _keys() -> None:
    op.create_table(
        "purses",
        sa.Column("posting_account", sa.String(200), primary_key=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        comment="One row per balance: what a writer locks where the database has row locks.",
    )
    op.create_table(
        "keys",
        sa.Column("id", _Id, primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("account", sa.String(100), nullable=False),
        sa.Column("environment", sa.String(4), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("masked", sa.String(32), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("revoked_ms", sa.BigInteger),
        sa.CheckConstraint("environment IN ('live', 'test')", name="environment"),
    )
    unrevoked = sa.text("revoked_ms IS NULL")
    op.create_index(
        "one_working_key_a_name",
        "keys",
        ["name"],
        unique=True,
        sqlite_where=unrevoked,
        postgresql_where=unrevoked,
    )


def _books() -> None:
    op.create_table(
        "entries",
        sa.Column("id", _Id, primary_key=True),
        sa.Column("reason", sa.String(100), nullable=False),
        sa.Column("reference", sa.String(100), nullable=False),
        sa.Column("reverses", _Id, sa.ForeignKey("entries.id"), unique=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("entries_by_reference", "entries", ["reference"])
    op.create_table(
        "postings",
        sa.Column("id", _Id, primary_key=True),
        sa.Column("entry", _Id, sa.ForeignKey("entries.id"), nullable=False),
        sa.Column("account", sa.String(200), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.CheckConstraint("amount <> 0", name="amount"),
    )
    op.create_index("postings_by_account", "postings", ["account", "amount"])
    op.create_index("postings_by_entry", "postings", ["entry"])
