"""Everything is reached by the keyboard alone, and everything that can be focused has a name for the ear."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from helpers.matrix import few_of
from helpers.scripted_live import on_air, previewing, stopped
from helpers.window_states import NO_DEVICE
from overpaint.gui.window import MainWindow
from overpaint.wire.live import Camera, Quit, SetHold, SetOnAir, SetPrivacy, StartSession

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)


def walk(qtbot: QtBot, root: QWidget) -> list[QWidget]:
    """What Tab comes to, from where the focus is until it comes round."""
    seen: list[QWidget] = []
    for _ in range(200):
        widget = QApplication.focusWidget()
        assert widget is not None and (widget is root or root.isAncestorOf(widget))
        if widget in seen:
            return seen
        seen.append(widget)
        qtbot.keyClick(widget, Qt.Key.Key_Tab)
    raise AssertionError("it never comes round")


def focusable(root: QWidget) -> list[QWidget]:
    """What can be used now and takes the focus."""
    return [
        widget
        for widget in root.findChildren(QWidget)
        if widget.isVisible()
        and widget.window() is root.window()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
    ]


def named(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    return interface.text(QAccessible.Text.Name)


def check(qtbot: QtBot, root: QWidget) -> None:
    wanted = focusable(root)
    assert len(wanted) > 1
    for widget in wanted:
        parent = widget.parentWidget()
        assert named(widget) or (parent is not None and named(parent)), widget
    reached = walk(qtbot, root)
    missed = [widget for widget in wanted if widget not in reached and widget.focusProxy() is None]
    assert not [f"{widget.metaObject().className()} {named(widget)}" for widget in missed]


@pytest.mark.parametrize("size", few_of([(960, 600), (1280, 800)], [(960, 600)]))
@pytest.mark.parametrize(
    "snapshot",
    [
        stopped(),
        previewing(),
        on_air(has_reference=True),
        stopped(camera=Camera(state="missing", trouble=NO_DEVICE)),
    ],
    ids=["stopped", "preview", "on air", "no driver"],
)
def test_tab_comes_to_everything_in_the_window(qtbot, start_live, open_window, snapshot, size) -> None:
    start_live(snapshot)
    window = open_window()
    ready(qtbot, window)
    window.resize(*size)
    QApplication.processEvents()
    window.prompt.field.setFocus()
    check(qtbot, window)


@pytest.mark.parametrize(
    "opened",
    [
        lambda window: window.everyday.open_settings(),
        lambda window: window.everyday.open_about(),
        lambda window: window.everyday.ask_for_original(),
    ],
    ids=["settings", "about", "question"],
)
def test_tab_comes_to_everything_in_a_dialog_and_escape_closes_it(
    qtbot, start_live, open_window, opened: Callable[[MainWindow], object]
) -> None:
    start_live(on_air())
    window = open_window()
    ready(qtbot, window)
    opened(window)
    everyday = window.everyday
    dialog = everyday.settings or everyday.about or everyday.question
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow)
    if everyday.settings is not None:
        qtbot.waitUntil(everyday.settings.autostart.isEnabled)
    check(qtbot, dialog)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not (everyday.settings or everyday.about or everyday.question))


def test_a_whole_call_by_the_keyboard_alone(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = open_window()
    ready(qtbot, window)
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(window, Qt.Key.Key_L, control)
    assert [live.next_intent(), live.next_intent()] == [StartSession(), SetOnAir(on=True)]
    live.say(on_air())
    qtbot.waitUntil(lambda: window.model.on_air)
    qtbot.keyClick(window, Qt.Key.Key_H, control)
    assert live.next_intent() == SetHold(on=True)
    qtbot.keyClick(window, Qt.Key.Key_F9)
    assert live.next_intent() == SetPrivacy(on=True)
    qtbot.keyClick(window, Qt.Key.Key_Comma, control)
    qtbot.waitUntil(lambda: window.everyday.settings is not None)
    qtbot.keyClick(window.everyday.settings, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.everyday.settings is None)
    qtbot.keyClick(window, Qt.Key.Key_Q, control)
    assert window.question is not None
    qtbot.waitUntil(window.question.isActiveWindow)
    keep = QApplication.focusWidget()
    assert keep is not None and keep.text() == "Keep the camera running"
    qtbot.keyClick(keep, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    with qtbot.waitSignal(window.left):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert live.next_intent() == Quit()
