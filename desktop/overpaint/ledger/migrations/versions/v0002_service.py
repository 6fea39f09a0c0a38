"""Migration 2: sessions, files, jobs, secrets and webhook calls; the books' triggers on PostgreSQL too.

The balance triggers are a second line of defence: ``books`` checks under a lock before it posts.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_OVERDRAWN = "(SELECT SUM(amount) FROM postings WHERE account = NEW.account) < 0"
_SPENDS = "WHEN (substr(NEW.account, 1, 8) = 'credits:' AND NEW.amount < 0)"


def upgrade() -> None:
    """Creates the tables and triggers."""
    _sessions()
    _files()
    _jobs()
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
        comment="What the service signs with.",
    )
    _deliveries()
    if op.get_context().dialect.name == "postgresql":
        _guards_of_postgresql()
    else:
        op.execute(
            f"CREATE TRIGGER postings_never_overdraw AFTER INSERT ON postings {_SPENDS} "
            f"BEGIN SELECT RAISE(ABORT, 'a balance is never below zero') WHERE {_OVERDRAWN}; END"
        )


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("key", _Id, sa.ForeignKey("keys.id"), nullable=False, index=True),
        sa.Column("secret_digest", sa.LargeBinary(32), nullable=False, unique=True),
        sa.Column("model", sa.String(40), nullable=False),
        sa.Column("prompt", sa.LargeBinary, nullable=False),
        sa.Column("enhance_prompt", sa.Boolean, nullable=False),
        sa.Column("photo_url", sa.LargeBinary),
        sa.Column("expires_ms", sa.BigInteger, nullable=False, index=True),
        sa.Column("ended", sa.String(40)),
        sa.Column("seconds", sa.BigInteger, nullable=False),
    )


def _files() -> None:
    op.create_table(
        "files",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("account", sa.String(100), nullable=False),
        sa.Column("environment", sa.String(4), nullable=False),
        sa.Column("content_type", sa.String(100), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False, index=True),
    )


def _jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("key", _Id, sa.ForeignKey("keys.id"), nullable=False),
        sa.Column("account", sa.String(100), nullable=False),
        sa.Column("environment", sa.String(4), nullable=False),
        sa.Column("home", sa.String(100), nullable=False),
        sa.Column("model", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("prompt", sa.LargeBinary, nullable=False),
        sa.Column("input_name", sa.LargeBinary, nullable=False),
        sa.Column("base_url", sa.LargeBinary, nullable=False),
        sa.Column("webhook_url", sa.LargeBinary),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("output", sa.String(40)),
        sa.Column("failure", sa.LargeBinary),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("retried", sa.Boolean, nullable=False),
        sa.Column("charge", _Id, sa.ForeignKey("entries.id"), nullable=False, unique=True),
        sa.Column("credits_charged", sa.BigInteger, nullable=False),
        sa.Column("credits_remaining", sa.BigInteger, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.CheckConstraint("status IN ('processing', 'succeeded', 'failed')", name="status"),
        comment="What was sold as a transform; output outlives the file's row.",
    )
    op.create_index("jobs_by_home", "jobs", ["home", "status"])


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("account", sa.String(100), nullable=False, index=True),
        sa.Column("url", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("job", sa.String(40), sa.ForeignKey("jobs.id"), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_ms", sa.BigInteger, index=True),
        sa.Column("status", sa.Integer),
        sa.Column("problem", sa.LargeBinary, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.CheckConstraint("state IN ('pending', 'delivered', 'given_up')", name="state"),
        sa.CheckConstraint("(state = 'pending') = (next_ms IS NOT NULL)", name="next"),
    )


def _guards_of_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION books_are_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the books are append-only'; END $$"
    )
    for table in ("entries", "postings"):
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION books_are_append_only()"
        )
    op.execute(
        "CREATE FUNCTION balance_is_never_negative() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF {_OVERDRAWN} THEN RAISE EXCEPTION 'a balance is never below zero'; END IF; "
        "RETURN NULL; END $$"
    )
    op.execute(
        "CREATE TRIGGER postings_never_overdraw AFTER INSERT ON postings FOR EACH ROW "
        f"{_SPENDS} EXECUTE FUNCTION balance_is_never_negative()"
    )
