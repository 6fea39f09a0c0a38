"""Keys of the user's choice, set in the window, work while another program has the keyboard."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt

from helpers.scripted_live import on_air
from overpaint.wire.live import SetPrivacy

pytestmark = [pytest.mark.process, pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)]


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or "DISPLAY" not in os.environ or shutil.which("xdotool") is None,
    reason="needs an X11 display and xdotool",
)
def test_a_key_of_the_users_choice_works_in_every_program(qtbot, start_live, open_window) -> None:
    live = start_live(on_air())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow())
    window.everyday.menu.settings.trigger()
    dialog = window.everyday.settings
    assert dialog is not None
    qtbot.mouseClick(dialog.hotkeys.switch, Qt.MouseButton.LeftButton)
    edit = dialog.hotkeys.keys["privacy"]
    qtbot.waitUntil(edit.isEnabled)
    qtbot.keyClick(edit, Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: window.everyday.habits.hotkeys["privacy"] == "Ctrl+Alt+X")
    dialog.accept()
    window.showMinimized()
    window.everyday.keys._pool.waitForDone()
    subprocess.run(["xdotool", "key", "ctrl+alt+x"], check=True)
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert live.next_intent() == SetPrivacy(on=True)
