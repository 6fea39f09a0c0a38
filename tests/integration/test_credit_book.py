"""Charges are noted once and survive, whichever process of a data folder makes them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from overpaint.processes.channel import Channel, ChannelServer
from overpaint.processes.roles import Role
from overpaint.session.batch.charge_notes import charge_notes
from overpaint.session.batch.charges import CreditBook
from overpaint.wire.credits import Charge, Charges, ChargesNoted
from overpaint.wire.live import Hello, parse_intent
from overpaint.wire.service import CreditGrant

FAR = "https://studio.example"


class CreditWindow:
    """What a window would have been told."""

    def __init__(self) -> None:
        self.news: list[Charges] = []
        self.asked = 0

    async def refresh(self) -> None:
        self.asked += 1

    def book(self, folder: Path) -> CreditBook:
        return CreditBook(folder, self.news.append, self.refresh)

    @property
    def entries(self) -> list[Charge]:
        return self.news[-1].entries


async def until(condition) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what it waits for sets no event
            await asyncio.sleep(0.02)


async def test_charges_are_noted_once_and_survive_and_a_cut_off_line_costs_only_itself(
    tmp_path: Path,
) -> None:
    window = CreditWindow()
    book = window.book(tmp_path)
    await book.open()
    for _ in range(2):
        book.note("session", 25, "", "rts_1", server=FAR)
    book.note("image", 2, "cat.jpg", "tfm_1")
    book.note("video", 0, "clip.mp4", "tfm_2")
    book.close()
    with (tmp_path / "charges.jsonl").open("a") as file:
        file.write('{"id": "half a li')
    book = CreditWindow().book(tmp_path)
    await book.open()
    book.note("video", 20, "after.mp4", "tfm_3")
    book.close()
    again = CreditWindow()
    book = again.book(tmp_path)
    await book.open()
    book.close()
    assert {(each.reason, each.credits, each.what, each.server) for each in again.entries} == {
        ("session", 25, "", FAR),
        ("image", 2, "cat.jpg", ""),
        ("video", 20, "after.mp4", ""),
    }


async def test_what_came_of_a_charge_replaces_what_was_noted_of_it(tmp_path: Path) -> None:
    window = CreditWindow()
    book = window.book(tmp_path)
    await book.open()
    book.note("video", 20, "a.mp4", "one", server=FAR)
    book.note("video", 20, "a.mp4", "one", server=FAR, outcome="refunded")
    book.note("video", 20, "b.mp4", "two", server=FAR, outcome="cancelled")
    book.note("video", 20, "c.mp4", "three")
    book.close()
    again = CreditWindow()
    book = again.book(tmp_path)
    await book.open()
    book.close()
    assert {(each.id, each.outcome, each.paid) for each in again.entries} == {
        ("one", "refunded", 0),
        ("two", "cancelled", 20),
        ("three", "", 0),
    }


async def test_what_this_computer_s_service_tops_up_is_listed_once_and_was_paid_by_nobody(
    tmp_path: Path,
) -> None:
    at = datetime(2026, 11, 24, 9, 30, tzinfo=UTC)
    grants = [
        CreditGrant(created_at=at, credits=2025, automatic=True),
        CreditGrant(created_at=at - timedelta(days=1), credits=7, automatic=False),
    ]
    window = CreditWindow()
    book = window.book(tmp_path)
    await book.open()
    for _ in range(2):
        book.note_top_ups(grants)
    told = len(window.news)
    book.close()
    assert told == 2 and window.asked == 0, "the list, and once the top-up"
    again = CreditWindow()
    book = again.book(tmp_path)
    await book.open()
    book.note_top_ups(grants)
    book.close()
    assert [(each.at, each.reason, each.credits, each.paid) for each in again.entries] == [
        (at, "topped_up", 2025, 0)
    ]


async def test_what_an_earlier_version_noted_keeps_its_place(tmp_path: Path) -> None:
    line = '{"id":"rts_1","at":"2026-11-01T10:00:00Z","reason":"session","credits":25,"what":"%s"}\n'
    (tmp_path / "charges.jsonl").write_text(line % FAR + line.replace("rts_1", "rts_2") % "")
    window = CreditWindow()
    book = window.book(tmp_path)
    await book.open()
    book.close()
    assert {(each.id, each.what, each.server) for each in window.entries} == {
        ("rts_1", "", FAR),
        ("rts_2", "", ""),
    }


async def test_a_long_history_is_shortened_when_it_is_read(tmp_path: Path) -> None:
    line = '{"id":"%d","at":"2026-11-01T10:00:00Z","reason":"image","credits":2}\n'
    (tmp_path / "charges.jsonl").write_text("".join(line % number for number in range(700)))
    window = CreditWindow()
    book = window.book(tmp_path)
    await book.open()
    book.close()
    assert {int(each.id) for each in window.entries} == set(range(400, 700))


async def test_the_balance_is_asked_for_once_after_many_charges(tmp_path: Path) -> None:
    window = CreditWindow()
    book = window.book(tmp_path)
    await book.open()
    for number in range(5):
        book.note("image", 2, "cat.jpg", str(number))
    await until(lambda: window.asked)
    await asyncio.sleep(0.7)
    assert window.asked == 1
    book.close()


async def test_the_app_shows_what_a_command_was_charged(tmp_path: Path) -> None:
    heard: list[object] = []

    def serve(channel: Channel) -> None:
        for _ in range(2):
            message = channel.receive(timeout=5.0)
            heard.append(None if message is None else parse_intent(message))

    window = CreditWindow()
    book = window.book(tmp_path)
    await book.open()
    role, server = Role(tmp_path, "live"), ChannelServer(serve, "live")
    role.take()
    role.announce(server.address, server.secret)
    async with charge_notes(tmp_path) as notes:
        notes.note("image", 2, "cat.jpg", "one", server=FAR)
    await until(lambda: len(heard) == 2)
    assert heard == [Hello(role="watcher"), ChargesNoted()]
    book.expect_change()  # as the message makes it
    await until(lambda: window.asked)
    assert [(each.what, each.server) for each in window.entries] == [("cat.jpg", FAR)]
    book.close()
    server.close()
    role.leave()


@pytest.mark.parametrize("noted", [True, False], ids=["with a charge", "without one"])
async def test_a_command_needs_no_app_to_note_its_charges(tmp_path: Path, noted: bool) -> None:
    async with charge_notes(tmp_path) as notes:
        if noted:
            notes.note("image", 2, "cat.jpg", "one")
    assert (tmp_path / "charges.jsonl").exists() is noted
