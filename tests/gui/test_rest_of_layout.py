"""A window in which nothing happens costs nothing: no layout asks for itself again without end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from helpers.scripted_live import previewing
from overpaint.gui.window import MainWindow
from overpaint.wire.live import Trouble

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


class Watch(QObject):
    """Counts what layouts ask of whom."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.asked[type(watched).__name__] += 1
        return False


def with_nothing(window: MainWindow) -> None:
    """As it opens."""


def with_the_tour(window: MainWindow) -> None:
    window.help.tour.begin()


def with_the_gallery(window: MainWindow) -> None:
    window.looks.open_gallery()


@pytest.mark.parametrize("more", [with_nothing, with_the_tour, with_the_gallery])
@pytest.mark.parametrize("trouble", [None, Trouble(kind="lost", sentence="The camera is gone.", mend="")])
def test_an_idle_window_is_not_laid_out_again(
    qtbot, start_live, open_window, more: Callable[[MainWindow], None], trouble: Trouble | None
) -> None:
    start_live(previewing(trouble=trouble))
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable, timeout=5000)
    more(window)
    watch = Watch()
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(watch)

    def rests() -> None:
        watch.asked.clear()
        qtbot.wait(400)
        assert sum(watch.asked.values()) < 20, watch.asked

    try:
        qtbot.waitUntil(rests, timeout=20_000)
    finally:
        application.removeEventFilter(watch)
