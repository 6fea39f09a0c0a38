"""Online backup and restore of a SQLite ledger: consistent copies while other processes write to it.

A copy is one file, readable by its user only, written atomically: synced to disk, then renamed. Copies are
in ``backups`` beside the ledger, named after schema version and time; the newest five are kept. PostgreSQL
has tools of its own for this. Must not know what the tables mean.

Source: SQLite's online backup API, and "How To Corrupt An SQLite Database File", 2.1 (no plain file copy).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from overpaint.errors import ProcessError, UsageError

FOLDER = "backups"
KEPT = 5
_BUSY_TIMEOUT_S = 20.0
_FORM_UNKNOWN = "0000"


def back_up(database: Path, now: datetime | None = None, spared: Path | None = None) -> Path:
    """Copies a ledger into ``backups`` beside it, and removes all but the newest copies there.

    Args:
        database: The ledger's file; other processes may be writing to it.
        now: Time in the name; by default the current time.
        spared: A copy that is not removed, however old.

    Returns:
        The copy.

    Raises:
        ProcessError: It cannot be copied (``start_failed``): nothing has changed.
    """
    folder = database.parent / FOLDER
    stamp = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%S.%fZ")
    target = folder / f"{database.stem}-{form_of(database) or _FORM_UNKNOWN}-{stamp}.sqlite"
    with _told(database):
        folder.mkdir(mode=0o700, exist_ok=True)
    copy(database, target)
    for former in kept(database)[:-KEPT]:
        if spared is None or not former.samefile(spared):
            former.unlink(missing_ok=True)
    return target


def kept(database: Path) -> list[Path]:
    """The copies in a ledger's ``backups`` folder, oldest first."""
    found = (database.parent / FOLDER).glob(f"{database.stem}-*-*.sqlite")
    return sorted(found, key=lambda path: path.stem.rpartition("-")[2])


def copy(database: Path, target: Path) -> None:
    """Copies a ledger in one consistent state, while other processes may be writing to it.

    Args:
        database: The ledger's file.
        target: The copy; must not exist.

    Raises:
        UsageError: The target exists.
        ProcessError: It cannot be copied (``start_failed``): there is no copy then.
    """
    if target.exists():
        raise UsageError("ledger_copy_exists", target=str(target))
    draft = target.with_name(f".{target.name}.partial")
    with _told(database):
        try:
            os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
            with _opened(database) as source, _opened(draft) as whole:
                source.backup(whole)
                whole.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
                _check(whole, draft)
            _to_disk(draft)
            draft.replace(target)
            _to_disk(target.parent)
        finally:
            draft.unlink(missing_ok=True)


def restore(backup: Path, database: Path) -> Path | None:
    """Restores a ledger from a copy, in one transaction. The present ledger is backed up first.

    No process may use the ledger during this.

    Args:
        backup: From ``copy``.
        database: The ledger's file; need not exist.

    Returns:
        Path of the former ledger's copy; None where there was no ledger.

    Raises:
        UsageError: The copy is damaged or not of a ledger.
        ProcessError: The file cannot be written (``start_failed``): the ledger is unchanged.
    """
    check(backup)
    former = _put_aside(database, backup) if database.exists() else None
    with _told(backup):
        if not database.exists():
            os.close(os.open(database, os.O_WRONLY | os.O_CREAT, 0o600))
        with _opened(backup) as source, _opened(database) as target:
            source.backup(target)  # one SQLite transaction, rolled back when it is interrupted
        _to_disk(database.parent)
    return former


def check(backup: Path) -> None:
    """Checks that a file is an undamaged ledger. Raises ``UsageError``."""
    if not backup.is_file():
        raise UsageError("backup_missing", backup=str(backup))
    try:
        with _opened(backup) as source:
            _check(source, backup)
            known = form_of(backup) is not None
    except sqlite3.Error as error:
        raise UsageError("backup_damaged", backup=str(backup), reason=str(error)) from error
    if not known:
        raise UsageError("backup_no_ledger", backup=str(backup))


def form_of(database: Path) -> str | None:
    """The schema version (last migration) of a ledger's file; None where it has none."""
    with suppress(sqlite3.Error), _opened(database) as connection:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return None if row is None else str(row[0])
    return None


def _put_aside(database: Path, spared: Path) -> Path:
    try:
        return back_up(database, spared=spared)
    except ProcessError:
        # It cannot be read, so perhaps it is damaged: rename it, with its WAL files, instead of copying it.
        aside = database.with_name(f"{database.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
        for ending in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                database.with_name(database.name + ending).rename(aside.with_name(aside.name + ending))
        return aside


@contextmanager
def _opened(database: Path) -> Iterator[sqlite3.Connection]:
    """Opens an existing database. Without ``mode=rw``, SQLite would create a missing file."""
    address = f"{database.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(address, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
    with closing(connection):
        yield connection


def _check(connection: sqlite3.Connection, database: Path) -> None:
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(f"{database.name}: {verdict}")


@contextmanager
def _told(database: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise ProcessError("ledger_not_copied", ledger=str(database), reason=str(error)) from error


def _to_disk(path: Path) -> None:
    """Syncs a file or folder to disk (fsync). Windows cannot do this for folders."""
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
