"""The balance: how long it lasts, what it went for, and how to get more."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from helpers.scripted_live import BALANCE, ScriptedLive, previewing, stopped
from helpers.scripted_transforms import charges
from overpaint.gui.dialogs.charges_dialog import ChargesDialog
from overpaint.gui.panels.balance_card import BalanceCard
from overpaint.gui.window import MainWindow
from overpaint.wire.credits import AddCredits, Charges
from overpaint.wire.live import StartSession
from overpaint.wire.messages import Trouble

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


def opened(qtbot: QtBot, open_window, live: ScriptedLive) -> MainWindow:
    window: MainWindow = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
    return window


def test_a_low_balance_warns_before_the_picture_stops(qtbot, start_live, open_window) -> None:
    low = BALANCE.model_copy(update={"credits_remaining": 30})
    live = start_live(previewing(balance=low))
    card: BalanceCard = opened(qtbot, open_window, live).side.balance
    assert card.fold.isChecked() and card.icon.isVisible()
    assert card.warning.text() == "Low: the picture stops in 36 min, unless credits are added."
    live.say(previewing())
    qtbot.waitUntil(lambda: not card.warning.isVisible() and not card.icon.isVisible())


def test_in_a_low_window_the_balance_is_one_line_until_it_is_opened(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    window.resize(960, 600)
    qtbot.waitUntil(lambda: not card.credits.isVisible())
    assert card.state.whole.replace(",", "") == "1840 credits · 36 h"
    qtbot.mouseClick(card.fold, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(card.credits.isVisible)
    assert card.state.whole == "this computer"


def test_a_service_that_is_not_encrypted_is_named_so_in_the_smallest_window(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing(balance=BALANCE.model_copy(update={"server": "http://studio.example:8000"})))
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    window.resize(960, 600)
    qtbot.waitUntil(lambda: card.icon.isVisible() and not card.credits.isVisible())
    qtbot.mouseClick(card.fold, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.state.text() == "not encrypted")


def test_what_was_charged_is_listed_with_its_reason(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    live.say(charges())
    qtbot.waitUntil(lambda: card.charges.rowCount() == 5)
    rows = [tuple(str(card.charges.index(row, column).data()) for column in (1, 2)) for row in range(5)]
    assert rows == [
        ("Picture · holiday-003.jpg", "−2"),
        ("Clip · intro.mp4", "−20"),
        ("Live session", "−25"),
        ("Added here", "+500"),
        ("Live session", "−25"),
    ]
    qtbot.mouseClick(card.history, Qt.MouseButton.LeftButton)
    dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, ChargesDialog))
    assert dialog.summary.text().startswith("72 credits in the last 30 days")
    qtbot.mouseClick(dialog.shut, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.isVisible())


def test_this_computers_own_service_takes_credits_and_says_when_it_did_not(
    qtbot, start_live, open_window
) -> None:
    live = start_live(stopped())
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    qtbot.mouseClick(card.add, Qt.MouseButton.LeftButton)
    menu = card.findChild(QMenu)
    qtbot.waitUntil(menu.isVisible)
    menu.actions()[1].trigger()
    assert live.next_intent() == AddCredits(credits=500)
    menu.close()
    trouble = Trouble(kind="start_failed", sentence="The credits were not added: no room.")
    live.say(Charges(entries=[], trouble=trouble))
    qtbot.waitUntil(lambda: card.failure.text() == trouble.sentence)


def test_credits_of_another_service_come_from_its_dashboard(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    asked: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url) or True)
    live = start_live(stopped(balance=BALANCE.model_copy(update={"server": "https://studio.example"})))
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    assert card.add.text() == "Dashboard" and card.state.whole == "https://studio.example"
    qtbot.mouseClick(card.add, Qt.MouseButton.LeftButton)
    assert asked == [QUrl("https://studio.example")]


def test_a_session_that_cannot_be_paid_for_is_mended_by_buttons(qtbot, start_live, open_window) -> None:
    poor = Trouble(
        kind="insufficient_credits",
        sentence="A session costs 25 credits, and 12 are left.",
        mend='Add some: overpaint credits add 500 --key-name "desktop"',
    )
    twelve = BALANCE.model_copy(update={"credits_remaining": 12})
    live = start_live(stopped(state="failed", trouble=poor, balance=twelve))
    window = opened(qtbot, open_window, live)
    message, card = window.stage.message, window.side.balance
    qtbot.waitUntil(lambda: len(message.buttons) == 2)
    assert message.mend.isHidden(), "who has a window needs no command"
    qtbot.mouseClick(message.buttons[0], Qt.MouseButton.LeftButton)
    menu = card.findChild(QMenu)
    qtbot.waitUntil(menu.isVisible)
    menu.actions()[1].trigger()
    menu.close()
    assert live.next_intent() == AddCredits(credits=500)
    rich = BALANCE.model_copy(update={"credits_remaining": 512})
    live.say(stopped(state="failed", trouble=poor, balance=rich))
    qtbot.waitUntil(lambda: len(message.buttons) == 1)
    qtbot.mouseClick(message.buttons[0], Qt.MouseButton.LeftButton)
    assert live.next_intent() == StartSession()
