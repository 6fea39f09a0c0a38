"""The balance: free on this computer; elsewhere how long it lasts, what it went for, how to get more."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from helpers.scripted_live import ELSEWHERE, ScriptedLive, elsewhere, on_air, previewing, stopped
from helpers.scripted_transforms import batch, business, charges
from overpaint.gui.dialogs.charges_dialog import ChargesDialog
from overpaint.gui.panels.balance_card import BalanceCard
from overpaint.gui.window import MainWindow
from overpaint.wire.live import LiveSnapshot, StartSession
from overpaint.wire.messages import Trouble

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

BILLING = re.compile(r"credit|billed|balance|price|charge|cost(?!$)|ovp_|secret|paid|bought", re.I)
"""Words of billing; "Cost", the heading of the card that says "Free on this computer", is none."""


def opened(qtbot: QtBot, open_window, live: ScriptedLive) -> MainWindow:
    window: MainWindow = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
    return window


def said(window: MainWindow) -> list[str]:
    """Every text in sight, with its tool tip and its name for screen readers."""
    shown = [
        *(each for each in window.findChildren(QLabel) if each.isVisible()),
        *(each for each in window.findChildren(QAbstractButton) if each.isVisible()),
    ]
    texts = [text for each in shown for text in (each.text(), each.toolTip(), each.accessibleName())]
    return [*filter(None, texts), *(text for text, _, _ in window.stage._pills.values())]


# ---- this computer


@pytest.mark.parametrize(
    "snapshot",
    [stopped(), previewing(), on_air(), on_air(state="paused"), stopped(balance=None)],
    ids=["stopped", "preview", "on air", "paused", "not asked yet"],
)
@pytest.mark.parametrize("files", [None, batch, business], ids=["no files", "files ready", "files under way"])
def test_nothing_in_sight_speaks_of_credits_while_this_computer_restyles(
    qtbot, start_live, open_window, snapshot: LiveSnapshot, files
) -> None:
    live = start_live(snapshot)
    window = opened(qtbot, open_window, live)
    if files is not None:
        live.say(files())
        qtbot.waitUntil(lambda: bool(window.side.transforms.items.items))
    assert [text for text in said(window) if BILLING.search(text)] == []
    items = window.side.transforms.items
    for row in range(items.rowCount()):
        assert "credits" not in str(items.index(row).data(items.StatusRole))
    assert window.side.balance.state.whole == "Free on this computer"


def test_the_card_says_that_it_is_free_and_opens_to_the_books(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    window.resize(1280, 900)
    assert not card.fold.isChecked() and card.fold.text() == "Cost"
    qtbot.mouseClick(card.fold, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(card.credits.isVisible)
    assert card.credits.text().replace(",", "") == "1840" and card.key.whole == "ovp_live_…4f2a"
    assert "tops up this account by itself" in card.note.text()
    assert not card.add.isVisible() and card.left.text() == "" and not card.session.isVisible()


def test_whatever_is_left_here_warns_of_nothing(qtbot, start_live, open_window) -> None:
    live = start_live(on_air(balance=elsewhere(on_air(), credits=3, server="").balance))
    window = opened(qtbot, open_window, live)
    live.say(batch())
    qtbot.waitUntil(lambda: window.side.transforms.batch.isVisible())
    assert not window.side.balance.icon.isVisible() and not window.side.balance.warning.isVisible()
    assert window.side.transforms.batch.order.isEnabled() and not window.notice.isVisible()


def test_the_card_follows_the_choice_of_a_service(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    window.resize(1280, 900)
    live.say(elsewhere(stopped()))
    qtbot.waitUntil(lambda: card.fold.text() == "Balance" and card.credits.isVisible())
    assert card.state.whole == ELSEWHERE and card.add.isVisible()
    live.say(stopped())
    qtbot.waitUntil(lambda: card.fold.text() == "Cost" and not card.credits.isVisible())
    assert card.state.whole == "Free on this computer"


@pytest.mark.parametrize(
    ("snapshot", "meter"),
    [
        (on_air(), "10:11 on air"),
        (previewing(), "14:32"),
        (elsewhere(on_air()), "10:11 on air · 870 s billed"),
        (elsewhere(previewing()), "14:32 · 870 s billed"),
        (previewing(recording="/v.mp4", recording_bytes=9_000_000), "14:32 · 9 MB recorded"),
    ],
    ids=["on air", "preview", "on air, paid", "preview, paid", "recording"],
)
def test_the_meter_shows_the_time_on_air_and_what_is_billed_where_something_is(
    qtbot, start_live, open_window, snapshot: LiveSnapshot, meter: str
) -> None:
    live = start_live(snapshot)
    window = opened(qtbot, open_window, live)
    qtbot.waitUntil(lambda: window.stage._pills.get(Qt.Corner.BottomLeftCorner, ("",))[0] == meter)


# ---- another service


def test_a_low_balance_warns_before_the_picture_stops(qtbot, start_live, open_window) -> None:
    live = start_live(elsewhere(previewing(), credits=30))
    card: BalanceCard = opened(qtbot, open_window, live).side.balance
    assert card.fold.isChecked() and card.icon.isVisible()
    assert card.warning.text() == "Low: the picture stops in 36 min, unless credits are added."
    live.say(elsewhere(previewing()))
    qtbot.waitUntil(lambda: not card.warning.isVisible() and not card.icon.isVisible())
    live.say(elsewhere(previewing(), credits=30))
    qtbot.waitUntil(card.icon.isVisible)
    live.say(previewing(balance=None))
    qtbot.waitUntil(lambda: not card.warning.isVisible())
    assert not card.icon.isVisible(), "nothing is known of the next service's balance"


def test_the_price_is_said_before_the_click(qtbot, start_live, open_window) -> None:
    live = start_live(elsewhere(stopped()))
    window = opened(qtbot, open_window, live)
    assert window.stage.message.buttons[0].text() == "Start preview · 25 credits"
    for button in (window.top_bar.session, window.top_bar.air):
        assert "A session costs 25 credits." in button.toolTip()
    live.say(elsewhere(previewing()))
    qtbot.waitUntil(lambda: window.top_bar.session.text() == "Stop")
    assert "credits" not in window.top_bar.air.toolTip(), "the session is running"


def test_in_a_low_window_the_balance_is_one_line_until_it_is_opened(qtbot, start_live, open_window) -> None:
    live = start_live(elsewhere(stopped()))
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    window.resize(960, 600)
    qtbot.waitUntil(lambda: not card.credits.isVisible())
    assert card.state.whole.replace(",", "") == "1840 credits · 36 h"
    qtbot.mouseClick(card.fold, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(card.credits.isVisible)
    assert card.state.whole == ELSEWHERE


def test_a_service_that_is_not_encrypted_is_named_so_in_the_smallest_window(
    qtbot, start_live, open_window
) -> None:
    live = start_live(elsewhere(previewing(), server="http://studio.example:8000"))
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    window.resize(960, 600)
    qtbot.waitUntil(lambda: card.icon.isVisible() and not card.credits.isVisible())
    qtbot.mouseClick(card.fold, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.state.text() == "not encrypted")


def test_while_this_computer_stands_in_files_keep_the_price_of_the_service_that_takes_them(
    qtbot, start_live, open_window
) -> None:
    here = elsewhere(on_air(), credits=3, server="").balance
    live = start_live(elsewhere(on_air()).model_copy(update={"balance": here, "failed_over_from": ELSEWHERE}))
    window = opened(qtbot, open_window, live)
    live.say(batch())
    card = window.side.transforms.batch
    qtbot.waitUntil(card.isVisible)
    assert card.order.text() == "Restyle 12 for 42 credits" and card.order.isEnabled()
    assert window.side.balance.state.whole == "Free on this computer"


def test_what_was_charged_is_listed_with_its_reason_its_place_and_what_came_of_it(
    qtbot, start_live, open_window
) -> None:
    live = start_live(elsewhere(stopped()))
    window = opened(qtbot, open_window, live)
    card = window.side.balance
    live.say(charges())
    qtbot.waitUntil(lambda: card.charges.rowCount() == 8)
    rows = [tuple(str(card.charges.index(row, column).data()) for column in (1, 2, 3)) for row in range(8)]
    assert rows == [
        ("Picture · holiday-003.jpg", "studio.example", "−2"),
        ("Clip · intro.mp4", "studio.example", "−20"),
        ("Clip · cancelled · outro.mp4", "studio.example", "−20"),
        ("Clip · refunded · gone.mp4", "studio.example", "0"),
        ("Live session", "studio.example", "−25"),
        ("Live session", "this computer", "−25"),
        ("Free on this computer: topped up", "this computer", "+2025"),
        ("Added here", "this computer", "+500"),
    ]
    qtbot.mouseClick(card.history, Qt.MouseButton.LeftButton)
    dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, ChargesDialog))
    assert dialog.summary.text().startswith("Paid in the last 30 days, from this computer: 67 credits.")
    qtbot.mouseClick(dialog.shut, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.isVisible())


def test_credits_of_another_service_come_from_its_dashboard(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    asked: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url) or True)
    live = start_live(elsewhere(stopped()))
    card = opened(qtbot, open_window, live).side.balance
    assert card.add.text() == "Get credits" and ELSEWHERE in card.add.toolTip()
    qtbot.mouseClick(card.add, Qt.MouseButton.LeftButton)
    assert asked == [QUrl(ELSEWHERE)]


def test_a_session_that_cannot_be_paid_for_is_mended_by_buttons(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    asked: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url) or True)
    poor = Trouble(
        kind="insufficient_credits",
        sentence="A session costs 25 credits, and 12 are left.",
        mend="Add credits to the account.",
    )
    live = start_live(elsewhere(stopped(state="failed", trouble=poor), credits=12))
    window = opened(qtbot, open_window, live)
    message = window.stage.message
    qtbot.waitUntil(lambda: len(message.buttons) == 2)
    qtbot.mouseClick(message.buttons[0], Qt.MouseButton.LeftButton)
    assert asked == [QUrl(ELSEWHERE)]
    live.say(elsewhere(stopped(state="failed", trouble=poor), credits=512))
    qtbot.waitUntil(lambda: len(message.buttons) == 1)
    assert message.buttons[0].text() == "Start preview · 25 credits"
    qtbot.mouseClick(message.buttons[0], Qt.MouseButton.LeftButton)
    assert live.next_intent() == StartSession()
