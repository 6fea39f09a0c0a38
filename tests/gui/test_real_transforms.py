"""Transforms with the real live process, core and workers behind the window, over a kill -9."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from helpers import small_media
from helpers.processes import end_all, role_pid
from overpaint.gui.window import MainWindow
from overpaint.processes.command_lines import start_live as start_real_live

pytestmark = [
    pytest.mark.full,
    pytest.mark.live,
    pytest.mark.skipif(sys.platform != "linux", reason="the results' folder is named by XDG"),
    pytest.mark.timeout(240),
]


@pytest.fixture
def results(data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_PICTURES_DIR", str(tmp_path / "Pictures"))
    yield tmp_path / "Pictures" / "Overpaint"
    end_all(data_folder)


def test_dropped_files_are_restyled_and_paid_once_though_the_live_process_is_killed(
    qtbot: QtBot, open_window, data_folder: Path, results: Path, tmp_path: Path
) -> None:
    media = tmp_path / "media"
    (media / "more").mkdir(parents=True)
    for number in range(4):
        (media / "more" / f"{number}.png").write_bytes(small_media.picture())
    (media / "clip.mp4").write_bytes(small_media.clip(640, 360, 96))
    window: MainWindow = open_window(lambda: start_real_live(data_folder), (0.0, 0.0, 0.5, 0.5))
    panel = window.side.transforms
    qtbot.waitUntil(lambda: window.model.usable and panel.items.news is not None, timeout=60000)
    assert panel.items.news is not None and panel.items.news.folder == str(results)
    panel.intake.take_paths([str(media)])
    qtbot.waitUntil(lambda: len(panel.items.having("ready")) == 5, timeout=30000)
    assert panel.batch.order.text() == "Restyle 5"
    credits = window.side.balance
    qtbot.waitUntil(lambda: credits.credits.text() != "–", timeout=60000)
    before = window.model.snapshot.balance.credits_remaining
    qtbot.waitUntil(panel.batch.order.isEnabled, timeout=5000)
    qtbot.mouseClick(panel.batch.order, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(panel.items.having("done")) >= 1, timeout=60000)
    killed = role_pid(data_folder, "live")
    assert killed is not None
    psutil.Process(killed).kill()
    qtbot.waitUntil(lambda: role_pid(data_folder, "live") not in (None, killed), timeout=60000)
    qtbot.waitUntil(lambda: len(panel.items.having("done")) == 5, timeout=120000)
    assert sorted(path.name for path in results.iterdir()) == [
        *(f"{number}.look.png" for number in range(4)),
        "clip.look.mp4",
    ]
    qtbot.waitUntil(lambda: window.model.snapshot.balance.credits_remaining == before - 28, timeout=60000)
    charges = window.side.balance.charges
    qtbot.waitUntil(lambda: charges.rowCount() == 6, timeout=60000)
    listed = sorted(str(charges.index(row, 3).data()) for row in range(6))
    assert listed == ["+2500", *["−2"] * 4, "−20"], "the account was topped up once, each file charged once"
    assert charges.recent_credits == 0, "nothing that this computer charges is paid for"
