"""Schema migrations of the ledger's database, by alembic. Must not know what the tables mean.

Everything happens in one transaction under a lock that all openers share, so that programs that start
at once neither meet half a schema nor make it twice.
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
"""Of PostgreSQL's advisory locks: "ovpaint", in ASCII."""
_BEFORE_MIGRATIONS = "0001"
_ADOPTED = "before 0001"
"""The form of a database that was made before there were migrations."""
NEWEST = "0003"
"""The last step, and so the form of a database for which there is nothing to do."""
_alembic = threading.Lock()
"""What a step of alembic works on is one for the whole process, so threads take turns."""


def migrate(engine: Engine, allowed: bool | None = None) -> None:
    """Makes or alters what is missing; a database that was made before there were migrations is adopted.

    A SQLite file with something in it is copied first (``backups``). Nothing copies a PostgreSQL server's
    database, so that is altered only when its operator says so; an empty one is filled.

    Args:
        engine: Of the database.
        allowed: Whether tables may be altered; by the kind of the database when left out.

    Raises:
        ProcessError: A newer Overpaint made the database, it may not be altered, it cannot be copied, or a
            step failed (``start_failed``); nothing has changed then.
        DatabaseError: The database refused to be read.
    """
    if _form(engine) == NEWEST:
        return
    # Loaded only where there is something to do: it would be a twentieth of every start.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "overpaint.ledger:migrations")
    server = engine.dialect.name == "postgresql"
    with _alembic, writing(engine) as connection:
        if server:
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
        form = _form_of(connection)
        if form == NEWEST:  # another program was quicker
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
    """Copies a SQLite file, whose write lock this process holds; None for what is no file."""
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
    """The last step that a database went through; None where it went through none, or is empty."""
    with engine.connect() as connection:
        return _form_of(connection)


def _form_of(connection: Connection) -> str | None:
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" in tables:
        form: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return form
    return _ADOPTED if "entries" in tables else None
