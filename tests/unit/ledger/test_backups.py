"""A copy of a ledger is whole, of one moment, and private; restored, it is that ledger again."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import make_url

from helpers.auditor import rows, trial_balance
from overpaint.cli import run
from overpaint.core import data_backup
from overpaint.errors import InsufficientCreditsError, ProcessError, UsageError
from overpaint.ledger import Ledger, Purse, ledger_url
from overpaint.ledger.backups import KEPT, back_up, form_of, kept
from overpaint.processes.roles import Role

SHOP = Purse("shop", "live")
PRICE, GRANT = 25, 1_000_000


def filled(folder: Path) -> Ledger:
    """A ledger with credits to spend, and the files of a service beside it."""
    ledger = Ledger(ledger_url(folder))
    ledger.create_key("shop", "live", credits=GRANT)
    for name in ("files/out_1", "photos/photo", "jobs/job_1/input"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "home.txt").write_text("this core")
    return ledger


def test_a_backup_while_sales_run_restores_to_exact_books(data_folder: Path, tmp_path: Path) -> None:
    ledger = filled(data_folder)
    secret = ledger.secret("file urls")
    stop = False

    def buy(customer: int) -> int:
        bought = 0
        while not stop:
            charge = ledger.charge(SHOP, PRICE, "a thing", f"{customer} {bought}")
            bought += 1
            if bought % 3 == 0:
                ledger.refund(charge, "refund")
        return bought

    with ThreadPoolExecutor(4) as pool:
        customers = [pool.submit(buy, number) for number in range(4)]
        copies = [tmp_path / f"backup {number}" for number in range(3)]
        try:
            for copied in copies:
                data_backup.back_up(data_folder, copied)
        finally:
            stop = True
        assert sum(each.result() for each in customers) > 0
    ledger.close()

    balances = []
    for number, copied in enumerate(copies):
        folder = tmp_path / f"new {number}"
        folder.mkdir()
        done = data_backup.restore(folder, copied)
        url = ledger_url(folder)
        (sold,) = rows(url, "SELECT count(*) FROM entries WHERE reason = 'a thing'")[0]
        (refunded,) = rows(url, "SELECT count(*) FROM entries WHERE reason = 'refund'")[0]
        books = trial_balance(url)
        assert books["credits:shop:live"] == GRANT - PRICE * (sold - refunded)
        assert (done.former, done.files) == (None, 3)
        assert (folder / "home.txt").read_text() == "this core"
        assert (folder / "jobs" / "job_1" / "input").read_text() == "jobs/job_1/input"
        restored = Ledger(url)
        assert restored.balance(SHOP) == books["credits:shop:live"]
        assert restored.secret("file urls") == secret, "urls that were handed out are still good"
        assert restored.charge(SHOP, PRICE, "a thing", "after").remaining == restored.balance(SHOP)
        restored.close()
        balances.append(restored_balance := books["credits:shop:live"])
        assert restored_balance <= GRANT
    assert len(balances) == 3


def test_what_was_there_before_a_restore_is_kept(data_folder: Path, tmp_path: Path) -> None:
    ledger = filled(data_folder)
    data_backup.back_up(data_folder, tmp_path / "backup")
    ledger.charge(SHOP, PRICE, "a thing", "later")
    ledger.close()
    (data_folder / "files" / "out_1").unlink()
    done = data_backup.restore(data_folder, tmp_path / "backup")
    assert done.former is not None
    assert trial_balance(ledger_url(data_folder))["credits:shop:live"] == GRANT
    assert trial_balance(make_url(f"sqlite:///{done.former}"))["credits:shop:live"] == GRANT - PRICE
    assert done.files == 1 and (data_folder / "files" / "out_1").is_file()

    data_backup.restore(data_folder, done.former)  # and back again, by the one file
    assert trial_balance(ledger_url(data_folder))["credits:shop:live"] == GRANT - PRICE


def test_a_damaged_ledger_is_replaced_and_kept_as_it_is(data_folder: Path, tmp_path: Path) -> None:
    filled(data_folder).close()
    data_backup.back_up(data_folder, tmp_path / "backup")
    (data_folder / "ledger.sqlite").write_bytes(b"no database" * 1000)
    done = data_backup.restore(data_folder, tmp_path / "backup")
    assert done.former is not None and done.former.read_bytes().startswith(b"no database")
    assert trial_balance(ledger_url(data_folder))["credits:shop:live"] == GRANT


@pytest.mark.parametrize("damage", ["cut", "scrawled", "other", "missing"])
def test_a_damaged_backup_is_refused_and_changes_nothing(
    data_folder: Path, tmp_path: Path, damage: str
) -> None:
    filled(data_folder).close()
    backup = tmp_path / "backup"
    data_backup.back_up(data_folder, backup)
    file = backup / "ledger.sqlite"
    whole = file.read_bytes()
    if damage == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif damage == "scrawled":
        file.write_bytes(whole[:8192] + b"\xff" * 16384 + whole[24576:])
    else:
        file.unlink()
        if damage == "other":
            with closing(sqlite3.connect(file)) as other:
                other.execute("CREATE TABLE something (else_ INTEGER)")
    with pytest.raises(UsageError) as refusal:
        data_backup.restore(data_folder, backup)
    assert refusal.value.mend
    assert trial_balance(ledger_url(data_folder))["credits:shop:live"] == GRANT
    assert kept(data_folder / "ledger.sqlite") == []


def test_a_backup_of_a_newer_version_is_refused(data_folder: Path, tmp_path: Path) -> None:
    filled(data_folder).close()
    data_backup.back_up(data_folder, tmp_path / "backup")
    with closing(sqlite3.connect(tmp_path / "backup" / "ledger.sqlite")) as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
        newer.commit()
    with pytest.raises(UsageError, match="newer Overpaint") as refusal:
        data_backup.restore(data_folder, tmp_path / "backup")
    assert "Update Overpaint" in refusal.value.mend
    assert trial_balance(ledger_url(data_folder))["credits:shop:live"] == GRANT


@pytest.mark.parametrize("table", ["files", "jobs", "sessions"])
@pytest.mark.parametrize("name", ["../../victim", "/etc", "..", "C:x", "tfm_1\\..", ""])
def test_a_backup_that_names_files_elsewhere_is_refused(
    data_folder: Path, tmp_path: Path, table: str, name: str
) -> None:
    filled(data_folder).close()
    data_backup.back_up(data_folder, tmp_path / "backup")
    with closing(sqlite3.connect(tmp_path / "backup" / "ledger.sqlite")) as forged:
        columns = [row[1] for row in forged.execute(f"PRAGMA table_info({table})")]
        values = ["processing" if each == "status" else 0 for each in columns]
        values[columns.index("id")] = name
        forged.execute("PRAGMA ignore_check_constraints = ON")
        forged.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)
        forged.commit()
    with pytest.raises(UsageError, match="outside of the data folder"):
        data_backup.restore(data_folder, tmp_path / "backup")
    assert kept(data_folder / "ledger.sqlite") == []


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TRIGGER t AFTER INSERT ON purses BEGIN UPDATE jobs SET id = '../../victim'; END",
        "CREATE VIEW more AS SELECT '../../victim' AS id",
    ],
)
def test_a_backup_that_would_name_files_elsewhere_later_is_refused(
    data_folder: Path, tmp_path: Path, made: str
) -> None:
    filled(data_folder).close()
    data_backup.back_up(data_folder, tmp_path / "backup")
    with closing(sqlite3.connect(tmp_path / "backup" / "ledger.sqlite")) as forged:
        forged.execute(made)
        forged.commit()
    with pytest.raises(UsageError, match="outside of the data folder"):
        data_backup.restore(data_folder, tmp_path / "backup")


def test_a_backup_does_not_lead_to_other_folders(data_folder: Path, tmp_path: Path) -> None:
    filled(data_folder).close()
    backup, elsewhere = tmp_path / "backup", tmp_path / "elsewhere"
    data_backup.back_up(data_folder, backup)
    elsewhere.mkdir()
    (elsewhere / "secret").write_text("a")
    shutil.rmtree(backup / "files")
    try:
        (backup / "files").symlink_to(elsewhere, target_is_directory=True)
    except OSError:
        pytest.skip("this user may make no links")
    data_backup.restore(data_folder, backup)
    assert not (data_folder / "files" / "secret").exists()


def test_a_running_service_is_not_restored_under(data_folder: Path, tmp_path: Path) -> None:
    filled(data_folder).close()
    data_backup.back_up(data_folder, tmp_path / "backup")
    role = Role(data_folder, "core")
    role.take()
    try:
        with pytest.raises(ProcessError, match="is running") as refusal:
            data_backup.restore(data_folder, tmp_path / "backup")
        assert refusal.value.mend.startswith("Stop it")
    finally:
        role.leave()


def test_the_newest_copies_are_kept_and_private(data_folder: Path) -> None:
    filled(data_folder).close()
    file = data_folder / "ledger.sqlite"
    begin = datetime(2026, 11, 23, tzinfo=UTC)
    made = [back_up(file, begin + timedelta(days=day)) for day in range(KEPT + 2)]
    assert kept(file) == made[-KEPT:]
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept(file)} == {0o600}
    assert stat.S_IMODE((data_folder / "backups").stat().st_mode) == 0o700
    assert made[0].name == "ledger-0004-20261123T000000.000000Z.sqlite"


def test_the_oldest_copy_can_be_restored_though_a_new_one_takes_its_place(data_folder: Path) -> None:
    ledger = filled(data_folder)
    file = data_folder / "ledger.sqlite"
    begin = datetime(2026, 11, 23, tzinfo=UTC)
    oldest = back_up(file, begin)
    ledger.charge(SHOP, PRICE, "a thing", "later")
    for day in range(1, KEPT):
        back_up(file, begin + timedelta(days=day))
    ledger.close()
    data_backup.restore(data_folder, oldest)
    assert trial_balance(ledger_url(data_folder))["credits:shop:live"] == GRANT
    assert oldest in kept(file)


def test_to_look_at_a_ledger_that_is_not_there_makes_none(tmp_path: Path) -> None:
    assert form_of(tmp_path / "ledger.sqlite") is None
    assert not (tmp_path / "ledger.sqlite").exists()


def test_nothing_is_copied_over_and_nothing_half_is_left(data_folder: Path, tmp_path: Path) -> None:
    filled(data_folder).close()
    data_backup.back_up(data_folder, tmp_path / "backup")
    with pytest.raises(UsageError, match="already"):
        data_backup.back_up(data_folder, tmp_path / "backup")
    (data_folder / "ledger.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(ProcessError, match="cannot be copied"):
        data_backup.back_up(data_folder, tmp_path / "other")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup", "data"]


def test_the_commands_back_up_and_restore(
    data_folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    filled(data_folder).close()
    backup = str(tmp_path / "backup")
    assert run(["ledger", "backup", backup]) == 0
    assert run(["ledger", "restore", backup]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"The backup is {backup}."
    assert told[1] == f"Restored {data_folder / 'ledger.sqlite'} and 0 files."
    assert told[2].startswith("The ledger that was there before is ")
    for database, tool in (
        ("postgresql://user:hunter2@host/name", "pg_dump"),
        ("sqlite:////elsewhere", ".backup"),
    ):
        monkeypatch.setenv("OVERPAINT_DATABASE", database)
        assert run(["ledger", "backup", f"{backup} 2"]) == 2
        said = capsys.readouterr().err
        assert tool in said and "hunter2" not in said
    assert not Path(f"{backup} 2").exists()


def test_credits_that_run_out_in_a_restored_ledger_are_refused(data_folder: Path, tmp_path: Path) -> None:
    """The guards of the tables come with the copy, not only the rows."""
    ledger = Ledger(ledger_url(data_folder))
    ledger.create_key("shop", "live", credits=PRICE)
    data_backup.back_up(data_folder, tmp_path / "backup")
    ledger.close()
    folder = tmp_path / "new"
    folder.mkdir()
    data_backup.restore(folder, tmp_path / "backup")
    restored = Ledger(ledger_url(folder))
    restored.charge(SHOP, PRICE, "a thing", "first")
    with pytest.raises(InsufficientCreditsError):
        restored.charge(SHOP, PRICE, "a thing", "second")
    restored.close()
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as connection, pytest.raises(sqlite3.Error):
        connection.execute("DELETE FROM postings")
