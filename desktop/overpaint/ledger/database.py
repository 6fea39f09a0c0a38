"""Connections to the ledger's database: SQLite in WAL mode, or a PostgreSQL server that a URL names.

On SQLite every writing transaction begins with ``BEGIN IMMEDIATE``: it has the write lock before it
reads the balance that it decides upon. Elsewhere the balance's row is locked (``books``). Must not
know the tables' meaning.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from overpaint.errors import UsageError

_BUSY_TIMEOUT_S = 20.0
_CONNECT_TIMEOUT_S = 10
_READING = "overpaint_reading"


def ledger_url(folder: Path) -> URL:
    """The URL of the ledger of a data folder."""
    return URL.create("sqlite", database=str(folder / "ledger.sqlite"))


def open_database(url: URL | str) -> Engine:
    """Opens a database; makes nothing in it.

    Args:
        url: ``sqlite:///…``, or ``postgresql://…`` (also written ``postgres://`` or
            ``postgresql+psycopg://``; the driver is psycopg in each case).

    Raises:
        UsageError: It is the URL of no such database.
    """
    parsed = _parsed(url)
    if parsed.drivername == "postgresql+psycopg":
        return create_engine(parsed, pool_pre_ping=True, connect_args={"connect_timeout": _CONNECT_TIMEOUT_S})
    engine = create_engine(parsed, connect_args={"timeout": _BUSY_TIMEOUT_S})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def close_database(engine: Engine) -> None:
    """Closes every connection, one that a thread still works with as soon as it is done; idempotent."""
    # Without this the pool would keep what comes back late, and nobody would ever close that.
    event.listen(engine, "checkin", _close_returned)
    engine.dispose()


def turn(engine: Engine) -> AbstractContextManager[object]:
    """What the threads of this process hold, one at a time, around ``writing``.

    SQLite lets one write at a time, and lets the others try again after growing pauses, however long
    they have waited; threads that queue here come in without a pause. PostgreSQL queues by itself.
    """
    return threading.Lock() if engine.dialect.name == "sqlite" else nullcontext()


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads, and waits for no writer."""
    with engine.connect() as connection:
        quiet = connection.execution_options(**{_READING: True})
        with quiet.begin():
            yield quiet


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that may write; undone by any exception."""
    with engine.begin() as connection:
        yield connection


def insert_where_missing(connection: Connection, table: Table, **values: object) -> None:
    """Inserts a row, or nothing where one with the same key is there already."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(table).values(**values).on_conflict_do_nothing())


def _parsed(url: URL | str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise _no_database() from error
    if parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        return parsed
    raise _no_database()


def _no_database() -> UsageError:
    # The URL itself is not told: it may hold a password.
    return UsageError("database_address_malformed")


def _prepare_sqlite(connection: SqliteConnection, record: Any) -> None:
    # The driver must not begin transactions by itself, or BEGIN IMMEDIATE could not be said.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    # FULL: a charge that was answered survives a power cut, not only a killed process.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _close_returned(connection: Any, record: ConnectionPoolEntry) -> None:
    record.invalidate()


def _begin_sqlite(connection: Connection) -> None:
    only_reads = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if only_reads else "BEGIN IMMEDIATE")
