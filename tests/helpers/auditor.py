"""Reads a ledger's database by a driver and not by the product, and checks that the books are right."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from typing import Any

import psycopg
from sqlalchemy import URL, make_url


def rows(url: URL | str, query: str) -> list[tuple[Any, ...]]:
    """What a query answers."""
    parsed = make_url(url)
    if parsed.drivername == "sqlite":
        with closing(sqlite3.connect(str(parsed.database))) as file:
            return file.execute(query).fetchall()
    address = parsed.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address) as server:
        return server.execute(query.encode()).fetchall()


def trial_balance(url: URL | str) -> dict[str, int]:
    """Sums per account, after everything that must hold of the books at any time was checked."""
    entries = {
        id: (reason, reference, reverses)
        for id, reason, reference, reverses in rows(
            url, "SELECT id, reason, reference, reverses FROM entries"
        )
    }
    legs: dict[int, dict[str, int]] = {id: {} for id in entries}
    for entry, account, amount in rows(url, "SELECT entry, account, amount FROM postings"):
        assert account not in legs[entry], "an account twice in one entry"
        legs[entry][account] = int(amount)
    sums: Counter[str] = Counter()
    for id in sorted(entries):
        assert len(legs[id]) >= 2 and sum(legs[id].values()) == 0, f"entry {id} does not balance"
        assert entries[id][0] and entries[id][1], f"entry {id} has no reason or reference"
        for account, amount in legs[id].items():
            sums[account] += amount
            if account.startswith("credits:"):
                assert sums[account] >= 0, f"{account} was below zero at entry {id}"
    _check_refunds(entries, legs)
    _check_jobs(url, entries)
    assert sum(sums.values()) == 0
    return dict(sums)


def _check_refunds(entries: dict[int, Any], legs: dict[int, dict[str, int]]) -> None:
    given_back = [reverses for _, _, reverses in entries.values() if reverses is not None]
    assert len(given_back) == len(set(given_back)), "a charge was given back twice"
    for id, (reason, reference, reverses) in entries.items():
        assert (reason == "refund") == (reverses is not None), f"entry {id} is half a refund"
        if reverses is not None:
            assert legs[id] == {account: -amount for account, amount in legs[reverses].items()}
            assert reference == entries[reverses][1] and legs[reverses]["revenue"] > 0


def _check_jobs(url: URL | str, entries: dict[int, Any]) -> None:
    given_back = {reverses for _, _, reverses in entries.values()}
    for id, status, charge, charged in rows(url, "SELECT id, status, charge, credits_charged FROM jobs"):
        assert entries[charge][1] == id, f"the charge of {id} is another's"
        assert (charge in given_back) == (charged == 0), f"{id} is {status}"
        # One that succeeded is given back where nothing of its prompt could be done.
        assert (charged == 0) == (status == "failed") or status == "succeeded", f"{id} is {status}"
