"""A ledger on each of the two databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from overpaint.ledger import Ledger, ledger_url


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.ms = 1_800_000_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, data_folder: Path) -> str:
    """An empty database of either kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return str(ledger_url(data_folder))


@pytest.fixture
def ledger(database_url: str, clock: Clock) -> Iterator[Ledger]:
    books = Ledger(database_url, clock)
    yield books
    books.close()
