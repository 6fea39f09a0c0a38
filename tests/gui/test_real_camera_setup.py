"""The camera's setup from the window, by the real script in a real shell; only root's programs stand in."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from helpers.camera_states import NO_DEVICE, without
from helpers.fake_root import FakeRoot
from overpaint.media.virtual_camera import driver_installation, driver_state
from overpaint.wire.live import RefreshSources

pytestmark = [
    pytest.mark.process,
    pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True),
    pytest.mark.skipif(sys.platform != "linux", reason="v4l2loopback is Linux's"),
]


def test_a_click_and_a_password_make_a_camera_that_lasts(
    qtbot, start_live, open_window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, system = FakeRoot(tmp_path / "root"), tmp_path / "system"
    for file in ("usr/bin/apt-get", f"lib/modules/{platform.release()}/modules.dep"):
        (system / file).parent.mkdir(parents=True)
        (system / file).touch()
    monkeypatch.setattr(driver_state, "SYSTEM", system)
    monkeypatch.setattr(driver_installation, "way_to_root", lambda terminal: root.way())
    live = start_live(without(NO_DEVICE))
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    window.everyday.going_live.setup._way = root.way
    qtbot.mouseClick(window.top_bar.air, Qt.MouseButton.LeftButton)
    dialog = window.everyday.going_live.dialog
    assert dialog is not None
    qtbot.mouseClick(dialog.act, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert live.next_intent() == RefreshSources()
    assert root.calls[-1] == "modprobe v4l2loopback"
    assert (root.etc / "modules-load.d" / "overpaint.conf").read_text() == "v4l2loopback\n"
