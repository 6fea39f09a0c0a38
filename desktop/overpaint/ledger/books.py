"""Double-entry books: balances, charges, grants and refunds, within the caller's transaction.

The only module that writes postings. A caller that decides by a balance locks it first (``lock_purse``).
Must not know keys, requests or what is sold.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from overpaint.errors import InsufficientCreditsError, OverpaintError, UsageError
from overpaint.ledger.database import insert_where_missing
from overpaint.ledger.keys import Purse
from overpaint.ledger.tables import entries, postings, purses

_REVENUE, _GRANTS = "revenue", "grants"
_GRANT_MAX = 1_000_000_000
_POSTED = "overpaint posted"


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge of credits.

    Attributes:
        entry: Id of its entry in the books.
        purse: The purse that paid.
        amount: Credits, positive.
        remaining: The balance after it.
    """

    entry: int
    purse: Purse
    amount: int
    remaining: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the books, as one purse sees it.

    Attributes:
        at: Time of the entry.
        reason: What for: a model, "refund", "credits added", or the reason of a top-up.
        reference: The session or job, or what granted it.
        credits: Added to the purse; negative for a charge.
    """

    at: datetime
    reason: str
    reference: str
    credits: int


def lock_purse(connection: Connection, purse: Purse, now: datetime) -> None:
    """Locks a purse's row until the transaction ends; creates it first where it is missing.

    SQLite has no row locks: there the whole transaction holds the write lock.
    """
    name = purse.posting_account
    insert_where_missing(connection, purses, posting_account=name, created_ms=now)
    connection.execute(select(purses).where(purses.c.posting_account == name).with_for_update())


def balance(connection: Connection, purse: Purse) -> int:
    """The balance of a purse: the sum of its postings."""
    total = connection.execute(
        select(func.coalesce(func.sum(postings.c.amount), 0)).where(
            postings.c.account == purse.posting_account
        )
    ).scalar_one()
    return int(total)


def history(connection: Connection, purse: Purse, limit: int, *, grants_only: bool) -> list[Entry]:
    """The newest entries of a purse, newest first; ``grants_only`` leaves out charges and refunds."""
    found = (
        select(entries.c.created_ms, entries.c.reason, entries.c.reference, postings.c.amount)
        .join(postings, postings.c.entry == entries.c.id)
        .where(postings.c.account == purse.posting_account)
        .order_by(entries.c.id.desc())
        .limit(limit)
    )
    if grants_only:
        found = found.where(postings.c.amount > 0, entries.c.reverses.is_(None))
    return [Entry(row.created_ms, row.reason, row.reference, row.amount) for row in connection.execute(found)]


def check_grant(amount: int) -> None:
    """Raises ``UsageError`` for a grant that is not from 1 to 1,000,000,000 credits."""
    if not 1 <= amount <= _GRANT_MAX:
        raise UsageError("grant_out_of_range", most=_GRANT_MAX)


def grant(
    connection: Connection, purse: Purse, amount: int, reason: str, reference: str, now: datetime
) -> None:
    """Grants credits to a purse."""
    lock_purse(connection, purse, now)
    _post(connection, {purse.posting_account: amount, _GRANTS: -amount}, reason, reference, now)


def check_covered(amount: int, before: int) -> None:
    """Raises ``InsufficientCreditsError`` where a balance does not cover an amount."""
    if before < amount:
        raise InsufficientCreditsError("credits_short", amount=amount, balance=before)


def charge(
    connection: Connection, purse: Purse, amount: int, reason: str, reference: str, now: datetime
) -> Charge:
    """Charges the full amount or nothing.

    Raises:
        InsufficientCreditsError: The balance is lower than the amount.
    """
    if amount <= 0:
        raise UsageError("charge_not_positive")
    lock_purse(connection, purse, now)
    before = balance(connection, purse)
    check_covered(amount, before)
    legs = {purse.posting_account: -amount, _REVENUE: amount}
    entry = _post(connection, legs, reason, reference, now)
    return Charge(entry, purse, amount, before - amount)


def refund(connection: Connection, entry: int, purse: Purse, reason: str, now: datetime) -> int:
    """Refunds a charge by a reversing entry, at most once.

    Args:
        connection: Within a transaction.
        entry: Entry of the charge.
        purse: The purse that was charged.
        reason: Reason of the new entry.
        now: Time of the new entry.

    Returns:
        The balance after it; unchanged when the charge was refunded before.

    Raises:
        OverpaintError: The entry is not a charge of this purse.
    """
    lock_purse(connection, purse, now)
    before = connection.execute(select(entries.c.id).where(entries.c.reverses == entry)).first()
    if before is None:
        account = purse.posting_account
        charged = connection.execute(
            select(entries.c.reference, postings.c.amount)
            .join(postings, postings.c.entry == entries.c.id)
            .where(entries.c.id == entry, postings.c.account == account, postings.c.amount < 0)
        ).first()
        if charged is None:
            raise OverpaintError("refund_without_charge")
        legs = {account: -charged.amount, _REVENUE: charged.amount}
        _post(connection, legs, reason, charged.reference, now, reverses=entry)
    return balance(connection, purse)


def posted(connection: Connection) -> bool:
    """Whether this transaction has written postings. Resets the mark, since connections are pooled."""
    return bool(connection.info.pop(_POSTED, False))


def _post(
    connection: Connection,
    legs: dict[str, int],
    reason: str,
    reference: str,
    now: datetime,
    reverses: int | None = None,
) -> int:
    if sum(legs.values()) != 0 or len(legs) < 2:
        raise OverpaintError("postings_unbalanced")
    entry = connection.execute(
        insert(entries)
        .values(reason=reason, reference=reference, reverses=reverses, created_ms=now)
        .returning(entries.c.id)
    ).scalar_one()
    connection.execute(
        insert(postings),
        [{"entry": entry, "account": account, "amount": amount} for account, amount in legs.items()],
    )
    connection.info[_POSTED] = True
    return int(entry)
