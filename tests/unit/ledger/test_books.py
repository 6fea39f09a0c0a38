"""The ledger keeps its books straight, whoever writes at once and whoever is killed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from helpers.auditor import rows, trial_balance
from helpers.records import session_record
from overpaint.errors import (
    InsufficientCreditsError,
    InvalidRequestError,
    NotFoundError,
    ProcessError,
    UsageError,
)
from overpaint.ledger import Idempotency, Ledger, Purse, ledger_url


def test_a_key_is_shown_once_and_stored_only_as_a_hash(ledger: Ledger, data_folder: Path) -> None:
    created = ledger.create_key("laptop", "live", credits=100)
    assert created.key.startswith("ovp_live_") and len(created.key) == len("ovp_live_") + 43
    assert created.record.masked == f"ovp_live_…{created.key[-4:]}"
    assert created.key not in repr(created)
    found = ledger.find_key(created.key)
    assert found == created.record and ledger.list_keys() == [created.record]
    ledger.close()
    for file in data_folder.iterdir():
        assert created.key.encode() not in file.read_bytes()


def test_unknown_and_revoked_keys_are_not_found(ledger: Ledger) -> None:
    key = ledger.create_key("a", "test").key
    assert key.startswith("ovp_test_")
    assert ledger.find_key(key[:-1] + ("a" if key[-1] != "a" else "b")) is None
    assert ledger.find_key("") is None
    assert ledger.find_key("\udcff".encode("utf-8", "replace").decode()) is None
    revoked = ledger.revoke_key("a")
    assert revoked.revoked_at is not None and ledger.find_key(key) is None
    with pytest.raises(NotFoundError, match="“a”"):
        ledger.revoke_key("a")


def test_a_name_is_free_again_after_its_key_was_revoked(ledger: Ledger) -> None:
    ledger.create_key("a", "live")
    with pytest.raises(UsageError, match="already a key named “a”"):
        ledger.create_key("a", "test", credits=5)
    assert ledger.balance(Purse("a", "test")) == 0
    ledger.revoke_key("a")
    ledger.create_key("a", "live")
    assert [record.revoked_at is None for record in ledger.list_keys()] == [False, True]


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\nb", "This computer"])
def test_unusable_names_are_refused_with_a_sentence(ledger: Ledger, name: str) -> None:
    with pytest.raises(UsageError):
        ledger.create_key(name, "live")


def test_live_and_test_have_balances_of_their_own(ledger: Ledger) -> None:
    ledger.create_key("one", "live", account="shop", credits=100)
    ledger.create_key("two", "live", account="shop", credits=11)
    ledger.create_key("three", "test", account="shop", credits=7)
    ledger.create_key("four", "live", credits=1)
    assert ledger.balance(Purse("shop", "live")) == 111
    assert ledger.balance(Purse("shop", "test")) == 7
    assert ledger.balance(Purse("four", "live")) == 1
    assert ledger.add_credits("three", 3) == 10
    assert ledger.balance(Purse("shop", "live")) == 111


@pytest.mark.parametrize("amount", [0, -1, 10**12])
def test_credits_must_be_a_sensible_number(ledger: Ledger, amount: int) -> None:
    ledger.create_key("a", "live")
    with pytest.raises(UsageError):
        ledger.add_credits("a", amount)


def test_credits_go_only_to_a_working_key(ledger: Ledger) -> None:
    with pytest.raises(NotFoundError):
        ledger.add_credits("nobody", 5)


def test_a_charge_names_reason_and_reference_and_never_overdraws(ledger: Ledger, database_url: str) -> None:
    purse = ledger.create_key("a", "live", credits=60).record.purse
    assert ledger.charge(purse, 25, "realtime session", "rts_1").remaining == 35
    assert ledger.charge(purse, 25, "realtime session", "rts_2").remaining == 10
    with pytest.raises(InsufficientCreditsError, match="costs 25 credits and the balance is 10"):
        ledger.charge(purse, 25, "realtime session", "rts_3")
    assert trial_balance(database_url) == {"credits:a:live": 10, "grants": -60, "revenue": 50}
    reasons = rows(database_url, "SELECT reason, reference FROM entries ORDER BY id")
    assert reasons[1:] == [("realtime session", "rts_1"), ("realtime session", "rts_2")]


def test_a_refund_gives_back_once(ledger: Ledger, database_url: str) -> None:
    purse = ledger.create_key("a", "live", credits=30).record.purse
    charge = ledger.charge(purse, 25, "realtime session", "rts_1")
    assert ledger.refund(charge, "refund") == 30
    assert ledger.refund(charge, "refund") == 30
    assert trial_balance(database_url)["credits:a:live"] == 30


def test_fifty_chargers_at_once_spend_what_is_there(ledger: Ledger, database_url: str) -> None:
    purse = ledger.create_key("a", "live", credits=7 * 25 + 24).record.purse
    other = Ledger(database_url)  # as another process would

    def charge(number: int) -> bool:
        try:
            (ledger, other)[number % 2].charge(purse, 25, "realtime session", f"rts_{number}")
        except InsufficientCreditsError:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(charge, range(50)))
    other.close()
    assert outcomes.count(True) == 7
    assert ledger.balance(purse) == 24
    trial_balance(database_url)


def test_the_database_itself_refuses_an_overdraft(ledger: Ledger, database_url: str) -> None:
    ledger.create_key("a", "live", credits=5)
    with pytest.raises(Exception, match="never below zero"), ledger._engine.begin() as connection:
        connection.execute(
            text("INSERT INTO postings (entry, account, amount) VALUES (1, 'credits:a:live', -6)")
        )
    assert trial_balance(database_url)["credits:a:live"] == 5


def test_the_books_cannot_be_rewritten(ledger: Ledger) -> None:
    ledger.create_key("a", "live", credits=5)
    for statement in (
        "UPDATE postings SET amount = 99",
        "UPDATE entries SET reason = 'another'",
        "DELETE FROM entries",
        "DELETE FROM postings",
    ):
        with (
            pytest.raises(Exception, match="append-only"),
            ledger._engine.begin() as connection,
        ):
            connection.execute(text(statement))


def test_a_repeated_request_gets_its_first_answer_and_pays_once(ledger: Ledger, clock: Any) -> None:
    record = ledger.create_key("a", "live", credits=100).record

    def sell(value: str, body: str, number: int) -> tuple[str, bool]:
        repeat = Idempotency(record.id, "POST /v1/x", value, body)
        sold = session_record(record, number)
        return ledger.sell_session(record.purse, 25, sold, lambda left: f"{sold.id} {left}", repeat)

    assert sell("k", "body", 1) == ("rts_1 75", True)
    assert sell("k", "body", 2) == ("rts_1 75", False)
    with pytest.raises(InvalidRequestError, match="another body"):
        sell("k", "other body", 3)
    assert sell("k2", "body", 4) == ("rts_4 50", True)
    clock.ms += 24 * 3600 * 1000 + 1
    assert sell("k", "other body", 5) == ("rts_5 25", True)
    assert ledger.balance(record.purse) == 25


def test_the_same_request_twenty_times_at_once_pays_once(ledger: Ledger) -> None:
    record = ledger.create_key("a", "live", credits=1000).record
    repeat = Idempotency(record.id, "POST /v1/x", "k", "body")

    def sell(number: int) -> str:
        return ledger.sell_session(
            record.purse, 25, session_record(record, number), lambda left: f"{number}", repeat
        )[0]

    with ThreadPoolExecutor(10) as pool:
        answers = set(pool.map(sell, range(20)))
    assert len(answers) == 1 and ledger.balance(record.purse) == 975


def test_a_failed_answer_charges_nothing(ledger: Ledger) -> None:
    record = ledger.create_key("a", "live", credits=25).record

    def broken(remaining: int) -> str:
        raise RuntimeError("no answer")

    with pytest.raises(RuntimeError):
        ledger.sell_session(record.purse, 25, session_record(record, 1), broken)
    assert ledger.balance(record.purse) == 25


def test_the_desktops_own_key_is_new_at_each_start(ledger: Ledger) -> None:
    first = ledger.mint_local_key()
    assert first.record.name == "This computer" and ledger.balance(first.record.purse) == 2500
    ledger.charge(first.record.purse, 25, "realtime session", "rts_1")
    second = ledger.mint_local_key()
    assert ledger.find_key(first.key) is None and ledger.find_key(second.key) is not None
    assert ledger.balance(second.record.purse) == 2475, "enough, so nothing was added"


def test_a_file_that_is_no_database_is_one_clear_sentence(data_folder: Path) -> None:
    (data_folder / "ledger.sqlite").write_bytes(b"not a database, but long enough to be read as one" * 50)
    with pytest.raises(ProcessError, match="The ledger cannot be opened"):
        Ledger(ledger_url(data_folder))


def test_who_watches_is_told_of_every_change_of_a_balance_and_of_nothing_else(ledger: Ledger) -> None:
    told: list[None] = []
    ledger.watch(lambda: told.append(None))
    key = ledger.create_key("watched", "live").record
    ledger.secret("of nothing")
    assert told == []
    ledger.add_credits("watched", 50)
    charge = ledger.charge(key.purse, 20, "tests", "one")
    ledger.refund(charge, "back")
    assert len(told) == 3
    ledger.refund(charge, "back again")
    with pytest.raises(InsufficientCreditsError):
        ledger.charge(key.purse, 51, "tests", "two")
    assert len(told) == 3
