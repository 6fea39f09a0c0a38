"""This computer's own account is charged like any other and never refuses; only it is filled by itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import create_engine, text

from helpers.auditor import rows, trial_balance
from helpers.records import job_order, session_record
from overpaint.errors import InsufficientCreditsError, UsageError
from overpaint.ledger import LOCAL_PURSE, TOPPED_UP, Ledger
from overpaint.ledger.keys import KeyRecord

HERE = LOCAL_PURSE.posting_account


@pytest.fixture
def here(ledger: Ledger) -> KeyRecord:
    """The desktop's own key."""
    return ledger.mint_local_key().record


def spent(ledger: Ledger, left: int) -> None:
    """As the books of an earlier version were left, which refilled nothing."""
    ledger.charge(LOCAL_PURSE, ledger.balance(LOCAL_PURSE) - left, "earlier", "all of it")


def top_ups(url: str) -> list[int]:
    words = (
        "SELECT amount FROM postings JOIN entries ON entries.id = entry "
        "WHERE reason = 'free on this computer' AND account = 'credits:local:live' ORDER BY entry"
    )
    return [int(amount) for (amount,) in rows(url, words)]


def test_a_sale_that_would_leave_little_is_preceded_by_a_top_up_of_its_own(
    ledger: Ledger, database_url: str, here: KeyRecord
) -> None:
    assert top_ups(database_url) == [2500]
    spent(ledger, 525)
    ledger.sell_session(LOCAL_PURSE, 25, session_record(here, 1), str)
    assert (ledger.balance(LOCAL_PURSE), top_ups(database_url)) == (500, [2500]), "enough is left"
    answer, _ = ledger.sell_session(LOCAL_PURSE, 25, session_record(here, 2), str)
    assert answer == "2500" and ledger.balance(LOCAL_PURSE) == 2500
    assert top_ups(database_url) == [2500, 2025]
    assert [entry.credits for entry in ledger.history(LOCAL_PURSE, 9)] == [-25, 2025, -25, -1975, 2500]
    granted = ledger.history(LOCAL_PURSE, 9, grants_only=True)
    assert [(entry.credits, entry.reason) for entry in granted] == [(2025, TOPPED_UP), (2500, TOPPED_UP)]
    assert sum(trial_balance(database_url).values()) == 0


def test_nothing_is_ever_refused_here(ledger: Ledger, database_url: str, here: KeyRecord) -> None:
    spent(ledger, 3)
    for number in range(1, 300):
        ledger.sell_job(job_order(here, number), 20)
        assert ledger.balance(LOCAL_PURSE) >= 500
        ledger.check_balance(LOCAL_PURSE, 20)
    books = trial_balance(database_url)
    assert books[HERE] == ledger.balance(LOCAL_PURSE) and sum(books.values()) == 0
    assert books["revenue"] == 2497 + 299 * 20, "all of it was charged"


def test_the_books_of_an_earlier_version_are_filled_when_the_program_starts(
    ledger: Ledger, here: KeyRecord
) -> None:
    spent(ledger, 0)
    ledger.mint_local_key()
    assert ledger.balance(LOCAL_PURSE) == 2500
    ledger.check_balance(LOCAL_PURSE, 25)


def test_an_account_that_somebody_made_is_never_filled(ledger: Ledger, database_url: str) -> None:
    shop = ledger.create_key("shop", "live", credits=24).record
    with pytest.raises(InsufficientCreditsError):
        ledger.sell_session(shop.purse, 25, session_record(shop, 1), str)
    with pytest.raises(InsufficientCreditsError):
        ledger.sell_job(job_order(shop, 1), 25)
    with pytest.raises(InsufficientCreditsError):
        ledger.check_balance(shop.purse, 25)
    assert ledger.balance(shop.purse) == 24 and top_ups(database_url) == []


def test_nobody_else_gets_a_key_of_this_computers_account(ledger: Ledger) -> None:
    for name, account in (("local", None), ("laptop", "local"), ("laptop", " local ")):
        with pytest.raises(UsageError, match="own account"):
            ledger.create_key(name, "live", account)
    assert ledger.create_key("local", "test").record.account == "local", "that is another purse"


def test_a_key_of_this_computers_account_from_an_earlier_version_fills_nothing(
    ledger: Ledger, database_url: str, here: KeyRecord
) -> None:
    other = ledger.create_key("other", "live").record
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE keys SET account = 'local' WHERE name = 'other'"))
    engine.dispose()
    spent(ledger, 24)
    with pytest.raises(InsufficientCreditsError):
        ledger.sell_session(LOCAL_PURSE, 25, session_record(other, 1), str)
    assert ledger.balance(LOCAL_PURSE) == 24 and top_ups(database_url) == [2500]
    ledger.sell_session(LOCAL_PURSE, 25, session_record(here, 2), str)
    assert ledger.balance(LOCAL_PURSE) == 2500


def test_of_many_sales_at_once_one_tops_up(ledger: Ledger, database_url: str, here: KeyRecord) -> None:
    spent(ledger, 530)

    def sell(number: int) -> None:
        ledger.sell_session(LOCAL_PURSE, 25, session_record(here, number), str)

    with ThreadPoolExecutor(8) as crowd:
        list(crowd.map(sell, range(1, 17)))
    assert top_ups(database_url) == [2500, 2020], "the second sale found too little; nobody after it did"
    assert ledger.balance(LOCAL_PURSE) == 2500 - 14 * 25


def test_a_sale_that_fails_leaves_no_top_up(ledger: Ledger, database_url: str, here: KeyRecord) -> None:
    spent(ledger, 10)

    def broken(remaining: int) -> str:
        raise RuntimeError("no answer")

    with pytest.raises(RuntimeError):
        ledger.sell_session(LOCAL_PURSE, 25, session_record(here, 1), broken)
    assert ledger.balance(LOCAL_PURSE) == 10 and top_ups(database_url) == [2500]
