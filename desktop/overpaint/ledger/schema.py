"""Schema migrations of the ledger's database, by Alembic. Must not know what the tables mean.

All steps run in one transaction under a lock, so that processes that start at the same time neither see
half a schema nor create it twice.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from overpaint.errors import ProcessError
from overpaint.ledger.backups import back_up
from overpaint.ledger.database import writing

log = logging.getLogger(__name__)

_LOCK = 0x6F767061696E74
"""Number of the PostgreSQL advisory lock: "ovpaint" in ASCII."""
_BEFORE_MIGRATIONS = "0001"
_ADOPTED = "before 0001"
"""Version of a database that was created before there were migrations."""
NEWEST = "0004"
"""Version of an up-to-date database: the last migration."""
_alembic = threading.Lock()
"""Alembic keeps its context in a module global, so only one thread may run migrations."""


def migrate(engine: Engine, allowed: bool | None = None) -> None:
    """Creates the tables, or runs the missing migrations.

    A SQLite file that has tables is backed up first (``backups``). Nothing backs up a PostgreSQL server's
    database, so existing tables there are altered only when the operator says so.

    Args:
        engine: Of the database.
        allowed: Whether existing tables may be altered. Default: yes for SQLite, no for PostgreSQL.

    Raises:
        ProcessError: A newer Overpaint created the database, it may not be altered, it cannot be backed
            up, or a step failed (``start_failed``); the database is unchanged.
        DatabaseError: The database cannot be read.
    """
    if _form(engine) == NEWEST:
        return
    # Imported only when there is something to migrate, because it slows down the start.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "overpaint.ledger:migrations")
    server = engine.dialect.name == "postgresql"
    with _alembic, writing(engine) as connection:
        if server:
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
        form = _form_of(connection)
        if form == NEWEST:  # another process has migrated it since
            return
        config.attributes["connection"] = connection
        copied = None
        if form is not None:
            _refuse_newer(form)
            if not (allowed if allowed is not None else not server):
                raise _not_allowed(form)
            copied = _copied(engine)
        try:
            if form == _ADOPTED:
                command.stamp(config, _BEFORE_MIGRATIONS)
            command.upgrade(config, "head")
        except SQLAlchemyError as error:
            raise _failed(form, copied, error) from error


def _copied(engine: Engine) -> Path | None:
    """Backs up a SQLite file, whose write lock this process holds; None for a server or ``:memory:``."""
    path = engine.url.database
    if engine.dialect.name != "sqlite" or not path or path == ":memory:":
        return None
    copied = back_up(Path(path))
    log.warning("The ledger's tables are altered; %s is a copy from before", copied)
    return copied


def _refuse_newer(form: str) -> None:
    if form != _ADOPTED and form > NEWEST:
        raise ProcessError("ledger_of_newer_version", newest=NEWEST, form=form)


def _not_allowed(form: str) -> ProcessError:
    return ProcessError("ledger_of_older_version", form=form, newest=NEWEST)


def _failed(form: str | None, copied: Path | None, error: SQLAlchemyError) -> ProcessError:
    cause = " ".join(str(getattr(error, "orig", None) or error).split())
    if copied is None:
        return ProcessError("ledger_migration_failed", form=str(form), newest=NEWEST, reason=cause)
    return ProcessError(
        "ledger_migration_failed_after_copy", form=str(form), newest=NEWEST, reason=cause, copy=str(copied)
    )


def _form(engine: Engine) -> str | None:
    """The schema version of a database; None where it has no tables of a ledger."""
    with engine.connect() as connection:
        return _form_of(connection)


def _form_of(connection: Connection) -> str | None:
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" in tables:
        form: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return form
    return _ADOPTED if "entries" in tables else None
