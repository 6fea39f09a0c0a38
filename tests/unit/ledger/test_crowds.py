"""However many charge at once, from threads and processes, a balance buys what it covers and no more."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from helpers.auditor import trial_balance
from overpaint.errors import InsufficientCreditsError
from overpaint.ledger import Ledger, Purse

pytestmark = pytest.mark.process


PRICE = 25
TESTS = Path(__file__).parents[2]
SHOP = Purse("shop", "live")

CUSTOMER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from overpaint.errors import InsufficientCreditsError
from overpaint.ledger import Ledger, Purse

ledger = Ledger(sys.argv[1])
name, count, given_back = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

def buy(number):
    try:
        charge = ledger.charge(Purse("shop", "live"), 25, "a thing", f"{name} {number}")
    except InsufficientCreditsError:
        return 0
    if given_back and number % given_back == 0:
        ledger.refund(charge, "refund")
        return 0
    return 1

sys.stdin.readline()
with ThreadPoolExecutor(8) as pool:
    print(sum(pool.map(buy, range(count))))
ledger.close()
"""


def crowd(url: str, processes: int, count: int, given_back: int = 0) -> int:
    """Sends processes of eight threads each to buy at once; how many things were bought and kept."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", CUSTOMER, url, f"p{number}", str(count), str(given_back)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(processes)
    ]
    told = [process.communicate("go\n")[0] for process in started]
    return sum(int(each) for each in told)


def test_500_at_once_on_a_balance_for_7_are_7(ledger: Ledger, database_url: str) -> None:
    ledger.create_key("shop", "live", credits=7 * PRICE + 24)

    def buy(number: int) -> bool:
        try:
            ledger.charge(SHOP, PRICE, "a thing", f"rts_{number}")
        except InsufficientCreditsError:
            return False
        return True

    with ThreadPoolExecutor(64) as pool:
        assert sum(pool.map(buy, range(500))) == 7
    assert trial_balance(database_url) == {"credits:shop:live": 24, "grants": -199, "revenue": 175}


def test_processes_at_once_spend_what_is_there(ledger: Ledger, database_url: str) -> None:
    ledger.create_key("shop", "live", credits=7 * PRICE + 24)
    assert crowd(database_url, processes=2, count=100) == 7
    assert trial_balance(database_url)["credits:shop:live"] == 24


@pytest.mark.full
def test_processes_that_charge_and_give_back_leave_balanced_books(ledger: Ledger, database_url: str) -> None:
    ledger.create_key("shop", "live", credits=20 * PRICE)
    kept = crowd(database_url, processes=2, count=60, given_back=3)
    assert trial_balance(database_url)["credits:shop:live"] == (20 - kept) * PRICE
    assert 0 < kept <= 20


@pytest.mark.full
def test_programs_that_start_at_once_share_one_new_database(database_url: str) -> None:
    script = "import sys\nfrom overpaint.ledger import Ledger\nLedger(sys.argv[1]).mint_local_key()\n"
    started = [
        subprocess.Popen([sys.executable, "-c", script, database_url], stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    told = [process.communicate()[1] for process in started]
    assert [process.returncode for process in started] == [0, 0, 0] and told == ["", "", ""]
    assert trial_balance(database_url)["credits:local:live"] == 2500


def test_books_balance_after_kill_9(database_url: str) -> None:
    ledger = Ledger(database_url)
    purse = ledger.create_key("a", "live", credits=100_000).record.purse
    script = (
        "import itertools, sys\n"
        "from overpaint.ledger import Ledger, Purse\n"
        "ledger = Ledger(sys.argv[1])\n"
        "for n in itertools.count():\n"
        "    ledger.charge(Purse('a', 'live'), 25, 'realtime session', f'rts_{n}')\n"
        "    print(n, flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, database_url], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = -1
    while told < 20:
        told = int(process.stdout.readline())
    process.kill()
    rest = process.stdout.read().splitlines()
    process.stdout.close()
    process.wait()
    told = int(rest[-1]) if rest else told
    charges = -(trial_balance(database_url)["credits:a:live"] - 100_000) // 25
    # What was answered is in the books; one more may have been written before its answer.
    assert charges in (told + 1, told + 2)
    assert ledger.charge(purse, 25, "realtime session", "after").remaining == 100_000 - 25 * (charges + 1)
    ledger.close()


def test_books_that_are_topped_up_balance_after_kill_9(database_url: str) -> None:
    """A top-up precedes nearly every sale; a killed process leaves both in the books, or neither."""
    ledger = Ledger(database_url)
    ledger.mint_local_key()
    script = (
        "import itertools, sys\n"
        "from helpers.records import session_record\n"
        "from overpaint.ledger import LOCAL_PURSE, Ledger\n"
        "ledger = Ledger(sys.argv[1])\n"
        "here = ledger.list_keys()[0]\n"
        "for n in itertools.count(1):\n"
        "    ledger.sell_session(LOCAL_PURSE, 1900, session_record(here, n), str)\n"
        "    print(n, flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, database_url], cwd=TESTS, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = 0
    while told < 20:
        told = int(process.stdout.readline())
    process.kill()
    rest = process.stdout.read().splitlines()
    process.stdout.close()
    process.wait()
    told = int(rest[-1]) if rest else told
    books = trial_balance(database_url)
    assert books["revenue"] in (1900 * told, 1900 * (told + 1)), "what was answered, or one more"
    assert books["credits:local:live"] == -books["grants"] - books["revenue"] >= 500
    ledger.close()
