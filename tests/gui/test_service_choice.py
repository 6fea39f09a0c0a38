"""The service is chosen in a dialog that stays until the service has answered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from helpers.cut_off import cut_off
from helpers.scripted_live import ScriptedLive, stopped
from overpaint.gui.dialogs.service_dialog import ServiceDialog
from overpaint.gui.window import MainWindow
from overpaint.wire.messages import Trouble
from overpaint.wire.servers import Server, UseServer

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


@pytest.fixture
def live(start_live) -> ScriptedLive:
    process: ScriptedLive = start_live(stopped())
    process.say(Server(address=""))
    return process


@pytest.fixture
def window(live, open_window, qtbot: QtBot) -> MainWindow:
    opened: MainWindow = open_window()
    qtbot.waitUntil(lambda: opened.model.usable and opened.service._server is not None, timeout=5000)
    return opened


def asked(qtbot: QtBot, window: MainWindow) -> ServiceDialog:
    window.everyday.menu.service.trigger()
    dialog = window.service.dialog
    assert dialog is not None and dialog.here.isChecked()
    qtbot.mouseClick(dialog.there, Qt.MouseButton.LeftButton)
    dialog.there.setChecked(True)
    assert not dialog.use.isEnabled()
    qtbot.keyClicks(dialog.address, "studio.example")
    qtbot.keyClicks(dialog.key, "ovp_live_1")
    assert dialog.key.echoMode() == QLineEdit.EchoMode.Password
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    return dialog


def test_a_service_is_tried_and_taken(qtbot, window, live) -> None:
    dialog = asked(qtbot, window)
    intent = live.next_intent()
    assert intent == UseServer(address="studio.example", key="ovp_live_1")
    assert "ovp_live_1" not in repr(intent)
    assert not dialog.use.isEnabled() and not dialog.address.isEnabled()
    live.say(Server(address="", testing=True))
    live.say(Server(address="https://studio.example", wish=1))
    qtbot.waitUntil(lambda: window.service.dialog is None)


def test_a_service_that_refuses_says_why_and_can_be_tried_again(qtbot, window, live) -> None:
    dialog = asked(qtbot, window)
    live.next_intent()
    trouble = Trouble(kind="authentication_error", sentence="The key is unknown.", mend="Check it.")
    live.say(Server(address="", wish=1, trouble=trouble))
    qtbot.waitUntil(lambda: dialog.says.text() == "The key is unknown. Check it.")
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert isinstance(live.next_intent(), UseServer)
    live.say(Server(address="https://studio.example", wish=2, key_forgotten=True))
    qtbot.waitUntil(lambda: dialog.says.text().startswith("Connected. There is no keyring"))
    qtbot.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.service.dialog is None)


def test_the_way_back_to_this_computer_needs_no_key(qtbot, window, live) -> None:
    live.say(Server(address="https://studio.example"))
    qtbot.waitUntil(lambda: window.service._server.address != "")
    window.service.open()
    dialog = window.service.dialog
    assert dialog.there.isChecked() and dialog.address.text() == "https://studio.example"
    assert not dialog.fall_back.isChecked(), "nothing is done elsewhere than chosen, unless that is asked for"
    qtbot.mouseClick(dialog.fall_back, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert live.next_intent() == UseServer(address="https://studio.example", fall_back=True)
    live.say(Server(address="https://studio.example", fall_back=True, wish=1))
    qtbot.waitUntil(lambda: window.service.dialog is None)
    window.service.open()
    dialog = window.service.dialog
    assert dialog.fall_back.isChecked()
    dialog.here.setChecked(True)
    assert dialog.use.text() == "Use this computer"
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert live.next_intent() == UseServer(address="")


def test_an_address_that_is_not_encrypted_gets_no_key_before_that_was_read_and_agreed_to(
    qtbot, window, live
) -> None:
    dialog = asked(qtbot, window)
    assert isinstance(live.next_intent(), UseServer)
    dialog.address.clear()
    trouble = Trouble(kind="not_encrypted", sentence="It is not encrypted.", mend="")
    live.say(Server(address="", wish=1, trouble=trouble))
    qtbot.waitUntil(lambda: dialog.use.text() == "Send it unencrypted")
    assert "Everybody on the way" in dialog.says.text() and "API key" in dialog.says.text()
    qtbot.waitUntil(lambda: not cut_off(dialog))
    # Another address is another question.
    dialog.address.setText("http://studio.example")
    assert dialog.use.text() == "Test and use"
    for wish in (1, 2):
        qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        intent = live.next_intent()
        assert intent == UseServer(address="http://studio.example", key="ovp_live_1", allow_http=wish == 2)
        if wish == 1:
            live.say(Server(address="", wish=2, trouble=trouble))
            qtbot.waitUntil(lambda: dialog.use.text() == "Send it unencrypted")
            for field in (dialog.address, dialog.key):
                qtbot.keyClick(field, Qt.Key.Key_Return)
            assert dialog.use.isEnabled() and dialog.use.text() == "Send it unencrypted", "Enter never agrees"
    live.say(Server(address="http://studio.example", wish=3))
    qtbot.waitUntil(lambda: window.service.dialog is None)
    window.service.open()
    assert "not encrypted" in window.service.dialog.says.text()
