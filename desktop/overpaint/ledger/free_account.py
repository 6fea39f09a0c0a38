"""The free account: this computer's own, topped up by itself, so that it never lacks credits.

It is charged like any other, since the interface says so; each top-up is an entry of its own in the books,
in the transaction of the sale that it precedes. A key that somebody made is never topped up, even where it
draws on this account, as one made by an earlier version may. Must not know what is sold.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from overpaint.ledger import books, keychain
from overpaint.ledger.keys import LOCAL_PURSE, Purse

LEAST, FULL = 500, 2500
"""Credits that a sale leaves at least, and to which it is topped up where it would leave less.

The least is more than everything costs that one desktop can have on hold at the same time."""
TOPPED_UP = "free on this computer"


def top_up(connection: Connection, key_id: int, purse: Purse, amount: int, now: datetime) -> None:
    """Tops up the free account before a sale, or when its key is made; does nothing for any other buyer.

    Args:
        connection: Within the transaction of the sale.
        key_id: The key that buys.
        purse: The purse that pays.
        amount: Price in credits; 0 for no sale.
        now: Time of the entry.
    """
    if purse != LOCAL_PURSE or not keychain.is_local(connection, key_id):
        return
    books.lock_purse(connection, purse, now)  # of two sales at once the second sees the first's charge
    left = books.balance(connection, purse) - amount
    if left < LEAST:
        books.grant(connection, purse, FULL - left, TOPPED_UP, purse.posting_account, now)
