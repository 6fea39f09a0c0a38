"""Database connections and transactions of the ledger: SQLite in WAL mode, or a PostgreSQL server.

On SQLite every writing transaction begins with ``BEGIN IMMEDIATE``, so that it holds the write lock
before it reads a balance. On PostgreSQL the row of the balance is locked (``books``). Must not know what
the tables mean.
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
    """The URL of the SQLite ledger in a data folder."""
    return URL.create("sqlite", database=str(folder / "ledger.sqlite"))


def open_database(url: URL | str) -> Engine:
    """Opens a database without creating tables.

    Args:
        url: ``sqlite:///…``, or ``postgresql://…`` (also written ``postgres://`` or
            ``postgresql+psycopg://``; the driver is psycopg in each case).

    Raises:
        UsageError: The URL does not name a supported database.
    """
    parsed = _parsed(url)
    if parsed.drivername == "postgresql+psycopg":
        return create_engine(parsed, pool_pre_ping=True, connect_args={"connect_timeout": _CONNECT_TIMEOUT_S})
    engine = create_engine(parsed, connect_args={"timeout": _BUSY_TIMEOUT_S})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def close_database(engine: Engine) -> None:
    """Closes every connection; one in use closes when its transaction ends. Idempotent."""
    # Without this, a connection that returns to the disposed pool would stay open.
    event.listen(engine, "checkin", _close_returned)
    engine.dispose()


def turn(engine: Engine) -> AbstractContextManager[object]:
    """The write lock between threads of this process, held around ``writing``.

    SQLite has one writer at a time, and makes the others poll with growing pauses (its busy handler).
    Threads that wait for this lock go on without a pause. PostgreSQL queues writers itself.
    """
    return threading.Lock() if engine.dialect.name == "sqlite" else nullcontext()


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A read-only transaction, which waits for no writer."""
    with engine.connect() as connection:
        quiet = connection.execution_options(**{_READING: True})
        with quiet.begin():
            yield quiet


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A read-write transaction, rolled back by any exception."""
    with engine.begin() as connection:
        yield connection


def insert_where_missing(connection: Connection, table: Table, **values: object) -> None:
    """Inserts a row unless one with the same primary key exists."""
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
    # The message leaves out the URL, which may contain a password.
    return UsageError("database_address_malformed")


def _prepare_sqlite(connection: SqliteConnection, record: Any) -> None:
    # Autocommit: the driver must not begin transactions itself, since _begin_sqlite sends BEGIN IMMEDIATE.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    # FULL: a committed charge survives a power cut, not only a killed process.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _close_returned(connection: Any, record: ConnectionPoolEntry) -> None:
    record.invalidate()


def _begin_sqlite(connection: Connection) -> None:
    only_reads = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if only_reads else "BEGIN IMMEDIATE")
