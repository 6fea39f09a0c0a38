"""What a live process notes on disk is there for the next one, however this one ended."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import AsyncMock

import pytest

from overpaint.session.live.persistence import LiveMemory
from overpaint.session.realtime.purchase_records import Kept, Order, Orders, SessionOptions
from overpaint.settings import load_settings
from overpaint.wire.live import Preferences

ORDER = Order("", SessionOptions(), "ink", True, "paid for")
PAID = Kept(ORDER, datetime.now(UTC) + timedelta(days=1), True)  # longer than any test run


class ScriptedLive:
    """As much of a live process as its memory sees."""

    def __init__(self) -> None:
        self.prompt = ""
        self.style = self
        self.orders = Orders()
        self.source = SimpleNamespace(
            framings={},
            options={},
            asked=False,
            there=[],
            identity="",
            choose=AsyncMock(),
            logins=SimpleNamespace(cameras={}),
        )
        self.runner = SimpleNamespace(
            style=SimpleNamespace(reference=None), purchases=SimpleNamespace(orders=self.orders)
        )
        self.page = SimpleNamespace(port=0, token="")
        self.set_preferences = self.prepare = AsyncMock()

    def snapshot(self) -> SimpleNamespace:
        return SimpleNamespace(prompt=self.prompt, preferences=Preferences(), source="")

    def noticing(self, wish: str) -> AbstractContextManager[None]:
        return nullcontext()

    def set_prompt(self, prompt: str, enhance_prompt: bool) -> None:
        self.prompt = prompt

    def set_reference(self, image: bytes | None) -> None:
        self.runner.style.reference = image


async def restored(folder: Path) -> tuple[LiveMemory, ScriptedLive]:
    memory, live = LiveMemory(folder), ScriptedLive()
    memory.restore_style(live)
    await memory.restore_devices(live)
    return memory, live


async def test_the_session_that_is_paid_for_is_the_next_process_s_too(tmp_path: Path) -> None:
    memory, live = await restored(tmp_path)
    live.orders.use(PAID)
    live.prompt = "halftone print"
    await memory.keep(live)
    _, after = await restored(tmp_path)
    assert after.prompt == "halftone print"
    assert after.orders.take("", SessionOptions()) == PAID


async def test_an_order_file_that_nobody_can_read_costs_nothing_but_itself(tmp_path: Path) -> None:
    (tmp_path / "orders.json").write_text('[["what"]]')
    _, live = await restored(tmp_path)
    assert live.orders.all == ()


@pytest.mark.expect_log("cannot be remembered")
async def test_what_a_full_disk_refused_is_written_as_soon_as_there_is_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    memory, live = await restored(tmp_path)
    live.prompt = "woodblock"
    (tmp_path / "settings.json.tmp").mkdir()  # nothing can be written there
    await memory.keep(live)
    await memory.keep(live)
    assert len([each for each in caplog.records if "cannot be remembered" in each.message]) == 1
    (tmp_path / "settings.json.tmp").rmdir()
    await memory.keep(live)
    assert load_settings(tmp_path).prompt == "woodblock"
