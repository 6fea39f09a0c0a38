"""A database of any age, opened by any number of programs at once, is the same one afterwards."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, make_url, text

from helpers.auditor import rows, trial_balance
from helpers.processes import until
from overpaint.errors import ProcessError, UsageError
from overpaint.ledger import Ledger, Purse, ledger_url, tables
from overpaint.ledger.backups import kept
from overpaint.ledger.database import open_database, writing
from overpaint.ledger.keys import key_hash
from overpaint.ledger.schema import NEWEST

FORMER = Path(__file__).parent / "former"
KEY = "ovp_live_" + "k" * 43


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    engine = open_database(url)
    try:
        with writing(engine) as connection:
            yield connection
    finally:
        engine.dispose()


def make_former(url: str) -> None:
    """What version 0.1 left, before there were migrations: its tables, a key, a charge, an answer."""
    with connected(url) as connection:
        script = (FORMER / f"{connection.dialect.name}.sql").read_text()
        for statement in script.strip().split("\n"):
            connection.exec_driver_sql(statement)
        for table, values in (
            ("purses", "('credits:shop:live', 1)"),
            ("keys", f"(1, 'till', 'shop', 'live', '{key_hash(KEY)}', 'ovp_live_…kkkk', 1, NULL)"),
            ("entries", "(1, 'credits added', 'credits add', NULL, 1)"),
            ("entries", "(2, 'service-realtime-720p', 'rts_1', NULL, 1)"),
            ("postings", "(1, 1, 'credits:shop:live', 60), (2, 1, 'grants', -60)"),
            ("postings", "(3, 2, 'credits:shop:live', -25), (4, 2, 'revenue', 25)"),
            ("answers", "(1, 'POST /v1/x', 'k', 'digest', 'answer', 1)"),
        ):
            connection.exec_driver_sql(f"INSERT INTO {table} VALUES {values}")
        if connection.dialect.name == "postgresql":
            for table in ("keys", "entries", "postings"):
                connection.execute(text(f"SELECT setval('{table}_id_seq', 10)"))


def dump(database: Path) -> list[str]:
    """All that a SQLite file says."""
    with closing(sqlite3.connect(database)) as connection:
        return list(connection.iterdump())


def differences(url: str) -> list[Any]:
    with connected(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, tables.metadata)


def test_the_migrations_make_the_tables_that_the_code_knows(ledger: Ledger, database_url: str) -> None:
    assert differences(database_url) == []


@pytest.mark.expect_log("is a copy from before")
def test_a_database_of_before_the_migrations_keeps_keys_and_balances(database_url: str) -> None:
    make_former(database_url)
    for _ in range(2):
        ledger = Ledger(database_url, migrates=True)
        record = ledger.find_key(KEY)
        assert record is not None and record.purse == Purse("shop", "live")
        assert ledger.balance(record.purse) == 35
        ledger.close()
    assert differences(database_url) == []
    assert rows(database_url, "SELECT answer FROM answers") == [("answer",)]

    ledger = Ledger(database_url)
    ledger.add_credits("till", 5)
    with pytest.raises(Exception, match="append-only"), ledger._engine.begin() as connection:
        connection.execute(text("DELETE FROM postings"))
    ledger.close()
    assert trial_balance(database_url) == {"credits:shop:live": 40, "grants": -65, "revenue": 25}


@pytest.mark.expect_log("is a copy from before")
def test_threads_that_open_at_once_share_one_former_database(database_url: str) -> None:
    make_former(database_url)
    with ThreadPoolExecutor(6) as pool:
        for ledger in pool.map(lambda _: Ledger(database_url, migrates=True), range(6)):
            assert ledger.balance(Purse("shop", "live")) == 35
            ledger.close()
    if database_url.startswith("sqlite"):
        assert len(kept(Path(str(make_url(database_url).database)))) == 1, "copied by each of them"


@pytest.mark.expect_log("is a copy from before")
def test_a_file_is_copied_before_its_tables_are_altered(data_folder: Path) -> None:
    url = str(ledger_url(data_folder))
    make_former(url)
    before = dump(data_folder / "ledger.sqlite")
    Ledger(url).close()
    (copied,) = kept(data_folder / "ledger.sqlite")
    assert dump(copied) == before
    assert copied.name.startswith("ledger-0000-")
    assert stat.S_IMODE(copied.stat().st_mode) == 0o600
    assert [path.name for path in copied.parent.iterdir()] == [copied.name], "one file, no log beside it"


def test_a_new_ledger_and_one_of_this_form_are_not_copied(data_folder: Path) -> None:
    for _ in range(2):
        Ledger(ledger_url(data_folder)).close()
    assert not (data_folder / "backups").exists()


@pytest.mark.expect_log("is a copy from before")
def test_a_migration_that_fails_leaves_the_file_and_says_where_the_copy_is(data_folder: Path) -> None:
    url = str(ledger_url(data_folder))
    make_former(url)
    with connected(url) as connection:
        connection.execute(text("CREATE TABLE webhooks_in_the_way (id INTEGER)"))
        connection.execute(text("CREATE TABLE deliveries (id INTEGER)"))  # a later step makes it
    before = dump(data_folder / "ledger.sqlite")
    with pytest.raises(ProcessError, match="table deliveries already exists") as caught:
        Ledger(url)
    (copied,) = kept(data_folder / "ledger.sqlite")
    assert str(copied) in str(caught.value) and "former version" in caught.value.mend
    assert dump(data_folder / "ledger.sqlite") == before == dump(copied)


def test_a_file_that_cannot_be_copied_is_not_altered(data_folder: Path) -> None:
    url = str(ledger_url(data_folder))
    make_former(url)
    before = dump(data_folder / "ledger.sqlite")
    (data_folder / "backups").write_text("a file where the folder should be")
    with pytest.raises(ProcessError, match="cannot be copied"):
        Ledger(url)
    assert dump(data_folder / "ledger.sqlite") == before


def test_a_servers_database_is_altered_only_when_its_operator_says_so(postgres_url: str) -> None:
    make_former(postgres_url)
    with pytest.raises(ProcessError, match="form before 0001, and this version of Overpaint needs") as caught:
        Ledger(postgres_url)
    assert "pg_dump" in caught.value.mend and "overpaint ledger migrate" in caught.value.mend
    Ledger(postgres_url, migrates=True).close()
    Ledger(postgres_url).close()


def test_a_transaction_that_outlasts_its_ledger_is_kept_and_leaves_no_connection(database_url: str) -> None:
    closing = False

    def closes_meanwhile() -> int:
        if closing:
            ledger.close()
        return 1_800_000_000_000

    ledger = Ledger(database_url, closes_meanwhile)
    shop = ledger.create_key("shop", "live").record
    closing = True
    assert ledger.add_credits("shop", 40) == 40
    if database_url.startswith("sqlite"):
        wal = Path(f"{make_url(database_url).database}-wal")
        assert not wal.exists(), "the last connection takes the log with it"
    else:
        others = (
            "backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid()"
        )
        query = f"SELECT count(*) FROM pg_stat_activity WHERE {others}"
        until(lambda: rows(database_url, query) == [(0,)], what="no connection")  # the server notices later
    assert trial_balance(database_url)[shop.purse.posting_account] == 40


def test_a_ledger_of_a_newer_version_is_left_alone(ledger: Ledger, database_url: str) -> None:
    with connected(database_url) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ProcessError, match="newer Overpaint"):
        Ledger(database_url)
    assert rows(database_url, "SELECT version_num FROM alembic_version") == [("9999",)]
    with pytest.raises(ProcessError, match="newer Overpaint"):
        Ledger(database_url, migrates=True)
    if database_url.startswith("sqlite"):
        assert kept(Path(str(make_url(database_url).database))) == []


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_named_in_any_of_its_ways(postgres_url: str, scheme: str) -> None:
    ledger = Ledger(make_url(postgres_url).set(drivername=scheme))
    assert ledger.mint_local_key().record.id == 1
    ledger.close()


@pytest.mark.parametrize("url", ["", "no url", "mysql://user:secret@host/name", "postgresql+asyncpg://h/n"])
def test_an_address_of_no_usable_database_is_one_sentence(url: str) -> None:
    with pytest.raises(UsageError, match="database's address") as caught:
        Ledger(url)
    assert "secret" not in caught.value.line


def test_a_server_that_does_not_answer_is_one_sentence_without_the_password() -> None:
    with pytest.raises(ProcessError, match="ledger cannot be opened") as caught:
        Ledger("postgresql://user:secret@127.0.0.1:1/name")
    assert "secret" not in caught.value.line and "\n" not in caught.value.line


def test_a_path_of_strange_characters_is_a_database(data_folder: Path) -> None:
    folder = data_folder / "50 % of #1? ü"
    folder.mkdir()
    Ledger(ledger_url(folder)).close()
    assert (folder / "ledger.sqlite").exists()


def test_the_newest_form_is_that_of_the_last_step() -> None:
    config = Config()
    config.set_main_option("script_location", "overpaint.ledger:migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == NEWEST
