"""The balance in the window is right again soon after anything that can change it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PIL import Image

from helpers.processes import end_all, overpaint, role_pid
from helpers.served import SESSIONS, Served, served
from overpaint.core.jobs.transform_jobs import home_id
from overpaint.gui.window import MainWindow
from overpaint.gui.words.numbers import number
from overpaint.ledger import LOCAL_PURSE, Ledger, ledger_url
from overpaint.ledger.keys import LOCAL_KEY_NAME
from overpaint.ledger.records import JobOrder
from overpaint.processes.command_lines import start_live
from overpaint.wire.servers import UseServer

pytestmark = [
    pytest.mark.full,
    pytest.mark.live,
    pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True),
    pytest.mark.timeout(180),
]

SOON_MS = 40_000
"""Two seconds are promised; a test that shares its machine waits longer."""


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Another service, whose key every process has."""
    with served(tmp_path / "elsewhere") as service:
        monkeypatch.setenv("OVERPAINT_API_KEY", service.key("caller", 100))
        yield service


@pytest.fixture
def window(open_window, data_folder: Path, qtbot) -> Iterator[MainWindow]:
    opened = open_window(start=lambda: start_live(data_folder))
    qtbot.waitUntil(lambda: opened.model.usable and opened.model.snapshot.balance is not None, timeout=60_000)
    yield opened
    opened.leave(end_live=True)
    end_all(data_folder)


def test_the_balance_follows_the_command_line_a_dead_core_and_its_refunds(
    window, data_folder: Path, tmp_path: Path, qtbot
) -> None:
    ledger = Ledger(ledger_url(data_folder))

    def shown() -> int | None:
        balance = window.model.snapshot.balance
        return None if balance is None else int(balance.credits_remaining)

    def becomes(credits: int) -> None:
        assert ledger.balance(LOCAL_PURSE) == credits
        qtbot.waitUntil(lambda: shown() == credits, timeout=SOON_MS)
        card = window.side.balance.credits
        qtbot.waitUntil(lambda: card.text() == number(credits), timeout=SOON_MS)

    before = shown()
    assert before is not None
    here = ("--data-dir", str(data_folder))
    assert overpaint("credits", "add", "7", "--key-name", LOCAL_KEY_NAME, *here).returncode == 0
    becomes(before + 7)

    picture = tmp_path / "cat.png"
    Image.new("RGB", (96, 64), (90, 140, 30)).save(picture)
    out = str(tmp_path / "out")
    assert overpaint("transform", str(picture), "--prompt", "ink", "-o", out, *here).returncode == 0
    becomes(before + 5)

    # A picture's job that its core did not live to finish: the next core gives its credits back.
    local = next(key for key in ledger.list_keys() if key.name == LOCAL_KEY_NAME and key.revoked_at is None)
    ledger.sell_job(
        JobOrder(
            id="tfm_" + "0" * 32,
            key_id=local.id,
            purse=LOCAL_PURSE,
            home=home_id(data_folder),
            model="service-image-v1",
            kind="image",
            prompt="ink",
            input_name="input",
            base_url="http://127.0.0.1:1",
            webhook_url=None,
        ),
        2,
    )
    assert ledger.balance(LOCAL_PURSE) == before + 3
    psutil.Process(role_pid(data_folder, "core")).kill()
    qtbot.waitUntil(lambda: ledger.balance(LOCAL_PURSE) == before + 5, timeout=60_000)
    becomes(before + 5)

    # Everything of the live process is gone; a charge happens meanwhile; the next one knows.
    psutil.Process(role_pid(data_folder, "live")).kill()
    ledger.charge(LOCAL_PURSE, 11, "tests", "while away")
    becomes(before - 6)
    ledger.close()


def test_what_a_command_orders_from_another_service_is_in_the_window_at_once_and_after_a_crash(
    service, window, data_folder: Path, tmp_path: Path, qtbot
) -> None:
    key = os.environ["OVERPAINT_API_KEY"]
    card, charges = window.side.balance, window.side.balance.charges

    def becomes(credits: int) -> None:
        qtbot.waitUntil(lambda: card.credits.text() == number(credits), timeout=SOON_MS)

    def listed(row: int) -> tuple[str, ...]:
        return tuple(str(charges.index(row, column).data()) for column in (1, 2, 3))

    topped_up = ("Free on this computer: topped up", "this computer", "+2500")
    qtbot.waitUntil(lambda: charges.rowCount() == 1, timeout=SOON_MS)
    assert listed(0) == topped_up and charges.recent_credits == 0
    window.side.intended.emit(UseServer(address=service.url, key=key))
    qtbot.waitUntil(lambda: window.model.snapshot.server == service.url, timeout=SOON_MS)
    becomes(100)
    picture = tmp_path / "cat.png"
    Image.new("RGB", (96, 64), (90, 140, 30)).save(picture)
    words = ("transform", str(picture), "--prompt", "ink", "-o", str(tmp_path / "out"))
    place = ("--server", service.url, "--data-dir", str(data_folder))
    assert overpaint(*words, *place).returncode == 0
    becomes(98)
    qtbot.waitUntil(lambda: charges.rowCount() == 2, timeout=SOON_MS)
    assert listed(1) == topped_up
    assert listed(0) == ("Picture · cat.png", service.url.split("://")[1], "−2")
    assert charges.recent_credits == 2

    psutil.Process(role_pid(data_folder, "live")).kill()
    order = {"model": "service-realtime-720p", "prompt": "ink"}
    assert service.client(key).post(SESSIONS, json=order).status_code == 201
    becomes(73)
    assert charges.rowCount() == 2, "what another computer ordered is not listed"
