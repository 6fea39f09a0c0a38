"""Charges are noted once and survive; credits are added on this computer's own service."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from overpaint.errors import ProcessError
from overpaint.ledger import LOCAL_PURSE, Ledger, ledger_url
from overpaint.session.batch.charges import CreditBook, grant_locally
from overpaint.wire.credits import Charges


class CreditWindow:
    """What a window would have been told, and a grant that obeys."""

    def __init__(self) -> None:
        self.news: list[Charges] = []
        self.asked = 0
        self.refusal: ProcessError | None = None

    async def grant(self, credits: int) -> None:
        if self.refusal is not None:
            raise self.refusal

    async def refresh(self) -> None:
        self.asked += 1

    def book(self, folder: Path) -> CreditBook:
        return CreditBook(folder / "charges.jsonl", self.news.append, self.grant, self.refresh)


async def test_charges_are_noted_once_and_survive_and_a_cut_off_line_costs_only_itself(
    tmp_path: Path,
) -> None:
    window = CreditWindow()
    book = window.book(tmp_path)
    await book.open()
    for _ in range(2):
        book.note("session", 25, "", "rts_1")
    book.note("image", 2, "cat.jpg", "tfm_1")
    book.note("video", 0, "clip.mp4", "tfm_2")
    book.close()
    with (tmp_path / "charges.jsonl").open("a") as file:
        file.write('{"id": "half a li')
    again = CreditWindow()
    book = again.book(tmp_path)
    await book.open()
    book.close()
    assert {(each.reason, each.credits, each.what) for each in again.news[-1].entries} == {
        ("session", 25, ""),
        ("image", 2, "cat.jpg"),
    }


async def test_added_credits_are_noted_and_the_balance_is_asked_for_once(tmp_path: Path) -> None:
    window = CreditWindow()
    book = window.book(tmp_path)
    await book.open()
    await book.add(500)
    book.expect_change()
    async with asyncio.timeout(10):
        while not window.asked:  # noqa: ASYNC110 - what it waits for sets no event
            await asyncio.sleep(0.02)
    assert [(each.reason, each.credits) for each in window.news[-1].entries] == [("added", 500)]
    window.refusal = ProcessError("credits_not_added", sentence="no room.")
    await book.add(500)
    assert window.news[-1].trouble is not None and "no room" in window.news[-1].trouble.sentence
    assert window.asked == 1
    book.close()


async def test_the_local_account_gets_the_credits(data_folder: Path) -> None:
    ledger = Ledger(ledger_url(data_folder))
    ledger.mint_local_key()
    before = ledger.balance(LOCAL_PURSE)
    await grant_locally(data_folder, "This computer", 500)
    assert ledger.balance(LOCAL_PURSE) == before + 500
    with pytest.raises(ProcessError, match="not added"):
        await grant_locally(data_folder, "nobody's key", 500)
    ledger.close()
