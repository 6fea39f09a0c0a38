"""Everything is reached by the keyboard alone, and everything that can be focused has a name for the ear."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from helpers.look_states import LOOKING, NETWORK
from helpers.matrix import few_of
from helpers.scripted_live import on_air, previewing, stopped
from helpers.window_states import NO_DEVICE
from overpaint.gui.window import MainWindow
from overpaint.wire.live import Camera, Quit, SetHold, SetOnAir, SetPrivacy, StartSession
from overpaint.wire.servers import Server

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


def is_reached_by_arrows(widget: QWidget, reached: list[QWidget]) -> bool:
    """Whether Tab comes to another button of its group, of which one is chosen."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group is not None and group.exclusive() and not set(group.buttons()).isdisjoint(reached)


def check(qtbot: QtBot, root: QWidget) -> None:
    wanted = focusable(root)
    assert len(wanted) > 1
    for widget in wanted:
        parent = widget.parentWidget()
        assert named(widget) or (parent is not None and named(parent)), widget
    reached = walk(qtbot, root)
    missed = [
        widget for widget in wanted if widget not in reached and not is_reached_by_arrows(widget, reached)
    ]
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


def test_tab_comes_to_everything_in_the_gallery(qtbot, start_live, open_window) -> None:
    start_live(previewing(looks=LOOKING.looks))
    window = open_window()
    ready(qtbot, window)
    window.looks.open_gallery()
    QApplication.processEvents()
    check(qtbot, window)


DIALOGS: dict[str, tuple[Callable[[MainWindow], object], Callable[[MainWindow], QDialog | None]]] = {
    "settings": (lambda it: it.everyday.open_settings(), lambda it: it.everyday.settings),
    "about": (lambda it: it.everyday.open_about(), lambda it: it.everyday.about),
    "question": (lambda it: it.everyday.ask_for_original(), lambda it: it.everyday.question),
    "recordings": (lambda it: it.everyday.open_recordings(), lambda it: it.everyday.recordings),
    "cameras": (lambda it: it.top_bar.source.open_network(), lambda it: it.top_bar.source.network_dialog),
    "service": (lambda it: it.service.open(), lambda it: it.service.dialog),
    "help": (lambda it: it.help.open(), lambda it: it.help.dialog),
}


@pytest.mark.parametrize("name", DIALOGS)
def test_tab_comes_to_everything_in_a_dialog_and_escape_closes_it(
    qtbot, start_live, open_window, name: str
) -> None:
    live = start_live(on_air(sources=NETWORK.sources))
    live.say(Server(address=""))
    window = open_window()
    ready(qtbot, window)
    opens, opened = DIALOGS[name]
    qtbot.waitUntil(lambda: bool(opens(window) or opened(window)))
    dialog = opened(window)
    assert dialog is not None
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    if name == "settings":
        qtbot.waitUntil(window.everyday.settings.autostart.isEnabled)
    check(qtbot, dialog)
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


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
