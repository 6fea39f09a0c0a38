"""Backup and restore of a service's data folder, consistent while the service runs.

The ledger holds keys, books, sessions, jobs, and the secrets that sign urls and webhooks; ``files`` has
uploads and outputs, ``photos`` reference photos, ``jobs`` the inputs of unfinished jobs, and ``home.txt`` the
service's id. The ledger is copied first, so that every file it names exists by then. Must not know HTTP.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from overpaint.errors import ProcessError, UsageError
from overpaint.ledger import backups, ledger_url
from overpaint.ledger.schema import NEWEST
from overpaint.processes.roles import Role

FOLDERS = ("files", "photos", "jobs")
HOME = "home.txt"
_NAMING_TABLES = ("files", "jobs", "sessions")
"""Tables whose ids name files and folders that are written, served and removed."""
_NAME = re.compile(r"[A-Za-z0-9_]{1,64}")


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore.

    Attributes:
        ledger: The ledger's file.
        former: The copy of the former ledger; None where there was none.
        files: Number of restored files.
    """

    ledger: Path
    former: Path | None
    files: int


def back_up(data_dir: Path, target: Path) -> None:
    """Backs a data folder up into a new folder, which appears only once it is complete.

    Args:
        data_dir: The data folder; its service may run.
        target: The folder to create.

    Raises:
        UsageError: There is no ledger, or the target exists.
        ProcessError: The disk refuses (``start_failed``).
    """
    ledger = _ledger(data_dir)
    if not ledger.is_file():
        raise UsageError("ledger_missing", folder=str(data_dir))
    if target.exists():
        raise UsageError("backup_target_exists", target=str(target))
    draft = target.with_name(f".{target.name}.partial")
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True, mode=0o700)
        backups.copy(ledger, draft / ledger.name)
        if (data_dir / HOME).is_file():
            shutil.copy2(data_dir / HOME, draft / HOME)
        for name in FOLDERS:
            _copy_missing(data_dir / name, draft / name)
        draft.replace(target)
    except OSError as error:
        raise ProcessError("backup_not_written", reason=str(error)) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def restore(data_dir: Path, source: Path) -> Restored:
    """Restores a backup into a data folder; keeps a copy of the ledger there.

    Args:
        data_dir: The data folder, whose service must not run.
        source: A folder from ``back_up``, or the file of a ledger's copy.

    Raises:
        UsageError: The backup is damaged, no backup, or of a newer version than this one.
        ProcessError: A service runs (``already_running``), or the disk refuses (``start_failed``).
    """
    ledger = _ledger(data_dir)
    backup = source / ledger.name if source.is_dir() else source
    backups.check(backup)
    form = backups.form_of(backup) or ""
    if form > NEWEST:
        raise UsageError("backup_of_newer_version", backup=str(backup), form=form, newest=NEWEST)
    _check_names(backup)
    role = Role(data_dir, "core")
    try:
        role.take()
    except ProcessError as error:
        raise ProcessError("service_running_at_restore", folder=str(data_dir)) from error
    try:
        former = backups.restore(backup, ledger)
        count = 0
        if source.is_dir():
            count = sum(_copy_missing(source / name, data_dir / name) for name in FOLDERS)
            if (source / HOME).is_file():
                shutil.copy2(source / HOME, data_dir / HOME)
    except OSError as error:
        raise ProcessError("backup_not_restored", reason=str(error)) from error
    finally:
        role.leave()
    return Restored(ledger, former, count)


def _ledger(data_dir: Path) -> Path:
    return Path(str(ledger_url(data_dir).database))


def _check_names(backup: Path) -> None:
    """Checks that a ledger names only files of its own folders (CWE-22). Raises ``UsageError``.

    A backup may be untrusted: a job named ``../../x`` would have that folder removed at the next start, and
    a view, or a trigger on other tables, could insert such names later.
    """
    elsewhere = UsageError("backup_names_other_files", backup=str(backup))
    with closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as ledger:
        made = list(ledger.execute("SELECT type, name, sql FROM sqlite_master"))
        for kind, _, sql in made:
            names_them = any(table in str(sql).lower() for table in _NAMING_TABLES)
            if kind == "view" or (kind == "trigger" and names_them):
                raise elsewhere
        for table in (name for kind, name, _ in made if kind == "table" and name in _NAMING_TABLES):
            for (name,) in ledger.execute(f"SELECT id FROM {table}"):
                if not isinstance(name, str) or not _NAME.fullmatch(name):
                    raise elsewhere


def _copy_missing(source: Path, target: Path) -> int:
    """Copies files missing in the target; returns their number. Some may vanish meanwhile."""
    count = 0
    real = source.is_dir() and not source.is_symlink()
    for file in sorted(source.rglob("*")) if real else ():
        place = target / file.relative_to(source)
        if file.is_symlink() or not file.is_file() or place.exists():
            continue
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(FileNotFoundError):
            shutil.copy2(file, place)
            count += 1
    return count
