"""However many charge at once, from threads and processes, a balance buys what it covers and no more."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from helpers.auditor import trial_balance
from overpaint.errors import InsufficientCreditsError
from overpaint.ledger import Ledger, Purse

PRICE = 25
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


def test_processes_that_charge_and_give_back_leave_balanced_books(ledger: Ledger, database_url: str) -> None:
    ledger.create_key("shop", "live", credits=20 * PRICE)
    kept = crowd(database_url, processes=2, count=60, given_back=3)
    assert trial_balance(database_url)["credits:shop:live"] == (20 - kept) * PRICE
    assert 0 < kept <= 20
