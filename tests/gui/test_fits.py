"""Every screen: nothing of the window is cut or outside, in no state and no language, and no button moves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from helpers.cut_off import cut_off
from helpers.matrix import few_of
from helpers.scripted_live import FIGURES, on_air, previewing, stopped
from helpers.window_states import NO_DEVICE, RECORDING, STATES
from overpaint.assets import asset_dir
from overpaint.gui import window as window_module
from overpaint.gui.main import application
from overpaint.gui.widgets.floating import notice as notices
from overpaint.gui.widgets.labels import ElidedLabel
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered
from overpaint.gui.window_place import FRAME, fitting, inside, is_tall
from overpaint.gui.words.language import speak
from overpaint.wire.live import Camera, LiveSnapshot, Trouble

pytestmark = [pytest.mark.process, pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)]

SCREENS = {
    "Full HD at 200 %": (960, 540),
    "1280x720": (1280, 720),
    "1366x768": (1366, 768),
    "vertical": (1080, 1920),
}
MAIN = [
    "starting",
    "stopped",
    "first-start-no-camera",
    "live-for-the-first-time",
    "live-recording-notice",
    "transforms-too-dear",
    "no-credits",
    "gallery",
    "prompt-understood",
    "settings",
    "service-http-question",
    "about",
    "help",
    "tour",
    "tour-end",
    "transforms-viewer",
    "balance-charges",
    "closing-question-recording",
    "source-gallery",
    "transforms-cancel-question",
    "preset-name",
]
ONCE = [("Full HD at 200 %", "de")]
"""What every run has; German is longer."""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the German .qm, made of the .ts as it is."""
    folder = tmp_path_factory.mktemp("translations")
    tool = Path(sys.executable).parent / "pyside6-lrelease"
    source = asset_dir("translations") / "overpaint_de.ts"
    subprocess.run([tool, "-silent", source, "-qm", folder / "overpaint_de.qm"], check=True)
    return folder


@pytest.fixture
def language(built: Path) -> Iterator[Callable[[str], None]]:
    """Changes the language of windows opened from now on."""
    yield lambda code: speak(application(), built, code)  # type: ignore[arg-type]
    speak(application(), built, "en")
    QLocale.setDefault(QLocale.system())


def room(screen: str) -> QSize:
    """What a maximised window has on a screen, beside its frame."""
    return QSize(*SCREENS[screen]) - FRAME


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable, timeout=5000)
    QApplication.processEvents()


def scrolled(widget: QWidget) -> bool:
    """Whether it lies in something that is scrolled, where it may be out of sight."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QAbstractScrollArea):
            return True
        parent = None if parent.isWindow() else parent.parentWidget()
    return False


def outside(root: QWidget) -> list[str]:
    """What reaches beyond a widget that cuts it off."""
    found = []
    for widget in root.findChildren(QWidget):
        parent = widget.parentWidget()
        if not widget.isVisible() or widget.window() is not root or scrolled(widget) or parent is None:
            continue
        if widget.width() and widget.height() and not parent.rect().contains(widget.geometry()):
            found.append(f"{type(widget).__name__} {widget.accessibleName()!r} {widget.geometry()}")
    for area in root.findChildren(QScrollArea):
        hidden = area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        inside = area.widget()
        if hidden and area.isVisible() and inside is not None and inside.width() > area.viewport().width():
            found.append(f"what is scrolled in {inside.parentWidget()} is {inside.width()} wide")
    return found


def shortened(root: QWidget) -> list[str]:
    """Lines of text that are narrower than their words, and not shortened on purpose (with a tool tip)."""
    return [
        label.text()
        for label in root.findChildren(QLabel)
        if label.isVisible()
        and label.window() is root
        and not label.wordWrap()
        and not isinstance(label, ElidedLabel)
        and label.width() < label.minimumSizeHint().width()
    ]


def overlapping(window: MainWindow) -> list[str]:
    """Which of the window's parts lie on each other, as where a layout has less room than it needs."""
    parts = [window.top_bar, window.stage, window.prompt, window.looks]
    parts += [window.side] if window.side.isVisible() else []
    rects = [QRect(part.mapTo(window, QPoint()), part.size()) for part in parts]
    return [
        f"{type(one).__name__} on {type(other).__name__}"
        for number, one in enumerate(parts)
        for further, other in enumerate(parts)
        if number < further and rects[number].intersects(rects[further])
    ]


@pytest.mark.parametrize("name", MAIN)
@pytest.mark.parametrize(
    "place",
    few_of([(screen, code) for screen in SCREENS for code in ("en", "de")], ONCE),
    ids=" ".join,
)
def test_nothing_is_cut_off_on_any_screen(
    qtbot, start_live, open_window, data_folder, language, monkeypatch, place, name
) -> None:
    screen, code = place
    state, size = STATES[name], room(screen)
    language(code)
    state.prepare(data_folder)
    live = start_live(state.says) if state.says is not None else None
    # The tests' own screen is not vertical.
    monkeypatch.setattr(window_module, "keep_inside", lambda window: None)
    window = open_window(state.start, remembered=Remembered(habits=state.habits))
    window.resize(size)
    if live is not None:
        ready(qtbot, window)
    state.act(window, live)
    QApplication.processEvents()
    assert window.size() == size, "it can be as small as the screen"
    assert not overlapping(window)
    seen = QRect(window.mapToGlobal(QPoint()), window.size())
    for top in QApplication.topLevelWidgets():
        if top.isVisible() and top.window() is top:
            assert not outside(top), top
            cut = [each for each in cut_off(top) if not isinstance(each.parentWidget(), QLineEdit)]
            assert not cut + shortened(top), top
            assert top is window or (top.width() <= seen.width() and top.height() <= seen.height()), (
                f"{type(top).__name__} is larger than the window: {top.size()}"
            )


@pytest.mark.parametrize("screen", [*SCREENS.values(), (1920, 1080), (683, 384)])
def test_the_window_fits_the_screen_with_its_frame(screen: tuple[int, int]) -> None:
    smallest, first = fitting(QSize(1280, 800), QSize(*screen))
    for size in (smallest, first):
        assert size.width() <= screen[0] - 4 and size.height() <= screen[1] - 30
    assert first.width() >= smallest.width() and first.height() >= smallest.height()


@pytest.mark.parametrize(
    "frame", [QRect(300, 200, 1200, 700), QRect(-40, -8, 500, 400), QRect(0, 0, 2000, 1200)]
)
def test_a_window_that_the_system_places_partly_outside_is_moved_in(frame: QRect) -> None:
    available = QRect(0, 28, 1366, 740)
    place = inside(frame, available)
    assert available.contains(place)
    assert place.size() == frame.size().boundedTo(available.size())


def test_a_window_opens_whole_in_the_middle_of_the_screen(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    available = window.screen().availableGeometry()
    assert available.contains(window.frameGeometry())
    assert (window.frameGeometry().center() - available.center()).manhattanLength() < 60
    window.move(available.bottomRight() - QPoint(200, 100))
    window._placed = False
    window.hide()
    window.open()
    qtbot.waitUntil(lambda: available.contains(window.frameGeometry()), timeout=5000)


# ---- the side panel


def test_the_side_panel_folds_away_by_button_and_key_and_is_remembered(
    qtbot, start_live, open_window
) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    assert window.side.isVisible() and window.top_bar.panel.isChecked()
    before = window.stage.width()
    with qtbot.waitSignal(window.to_keep):
        qtbot.mouseClick(window.top_bar.panel, Qt.MouseButton.LeftButton)
    assert window.side.isHidden() and not window.top_bar.panel.isChecked()
    qtbot.waitUntil(lambda: window.stage.width() > before)
    kept = window.remembered()
    again = open_window(remembered=kept)
    assert again.side.isHidden() and not again.top_bar.panel.isChecked()
    qtbot.waitUntil(again.isActiveWindow)
    qtbot.keyClick(again, Qt.Key.Key_F8)
    qtbot.waitUntil(again.side.isVisible)
    assert again.top_bar.panel.isChecked() and again.remembered().side_shown


def test_the_side_panel_comes_back_for_what_needs_its_user(qtbot, start_live, open_window, tmp_path) -> None:
    live = start_live(previewing())
    window = open_window(remembered=Remembered(side_shown=False))
    ready(qtbot, window)
    assert window.side.isHidden()
    live.say(previewing(on_air=True, camera=Camera(state="missing", trouble=NO_DEVICE)))
    qtbot.waitUntil(window.side.isVisible)
    window.show_side(False)
    window.side.transforms.intake.take_paths([str(tmp_path / "missing.jpg")])
    qtbot.waitUntil(window.side.isVisible)


def test_on_a_vertical_screen_the_side_panel_lies_below_the_picture(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    for size, below in ((QSize(1068, 1000), False), (room("vertical"), True), (QSize(1280, 800), False)):
        assert is_tall(size) == (size == room("vertical"))
        window.resize(size.boundedTo(window.screen().availableSize()) if not below else size)

        def is_laid_out(wide: int = size.width() if below else 0, below: bool = below) -> bool:
            side, stage = window.side.mapTo(window, QPoint()), window.stage.mapTo(window, QPoint())
            lies_below = side.y() > stage.y() + window.stage.height()
            return lies_below == below and (
                not wide or (window.stage.width() > 1000 and window.side.width() == wide)
            )

        qtbot.waitUntil(is_laid_out, timeout=20_000)


def test_beside_the_gallery_a_low_window_keeps_a_picture_worth_its_name(
    qtbot, start_live, open_window
) -> None:
    start_live(previewing())
    window = open_window(remembered=Remembered(width=948, height=496))
    ready(qtbot, window)
    before = window.stage.picture_rect().size()
    window.looks.open_gallery()
    QApplication.processEvents()
    seen = window.stage.picture_rect()
    assert seen.height() >= 200 > 108 and seen.width() >= 355, (seen, before)
    assert window.side.isHidden() and not window.top_bar.panel.isChecked() and window.remembered().side_shown
    assert not overlapping(window) and not outside(window)
    qtbot.mouseClick(window.top_bar.panel, Qt.MouseButton.LeftButton)
    assert window.side.isVisible() and not window.looks.is_expanded, "who wants the panel gets it"
    window.looks.open_gallery()
    window.looks.close_gallery()
    QApplication.processEvents()
    assert window.side.isVisible() and window.stage.picture_rect().size() == before
    window.resize(1280, 800)
    window.looks.open_gallery()
    QApplication.processEvents()
    assert window.side.isVisible() and window.stage.y() < window.prompt.y(), "there is room for all"


# ---- nothing moves under the mouse


def places(root: QWidget) -> dict[QWidget, QRect]:
    """Where each visible button is."""
    return {
        button: QRect(button.mapToGlobal(QPoint()), button.size())
        for button in root.findChildren(QAbstractButton)
        if button.isVisible()
    }


def moved(before: dict[QWidget, QRect], root: QWidget) -> list[str]:
    """Which buttons are no longer where they were."""
    now = places(root)
    return [
        f"{button.accessibleName()} {button.text()}: {place} -> {now.get(button)}"
        for button, place in before.items()
        if now.get(button) != place
    ]


def settled(qtbot: QtBot, window: MainWindow) -> dict[QWidget, QRect]:
    """Where the buttons are once the window has come to rest."""
    before = places(window)
    for _ in range(50):
        qtbot.wait(100)
        if not moved(before, window):
            break
        before = places(window)
    return before


def test_a_notice_moves_no_button(qtbot, start_live, open_window) -> None:
    start_live(stopped())
    window = open_window()
    ready(qtbot, window)
    before = settled(qtbot, window)
    for sentence, good in (("Saved: a.png in /home/me", True), ("The photo could not be read. " * 5, False)):
        window.notice.say(sentence, good, "/home/me" if good else "")
        QApplication.processEvents()
        assert window.notice.isVisible() and window.notice.height() > 20
        assert not moved(before, window)
        assert window.stage.rect().contains(
            QRect(window.notice.mapTo(window.stage, QPoint()), window.notice.size())
        )
    window.notice.hide()
    window.everyday.call_card.show_camera("Overpaint Camera")
    QApplication.processEvents()
    now = places(window)
    assert all(now[button] == place for button, place in before.items()), (
        "nor does the hint of the first call"
    )


SAID: list[LiveSnapshot] = [
    previewing(),
    on_air(),
    on_air(hold=True, state="held"),
    on_air(private=True),
    previewing(on_air=True, camera=Camera(state="missing", trouble=NO_DEVICE)),
    on_air(recording=RECORDING, recording_seconds=7),
    on_air(recording=RECORDING, recording_seconds=3700),
    stopped(),
]


@pytest.mark.parametrize("width", [948, 1280])
@pytest.mark.parametrize("code", ["en", "de"])
def test_the_buttons_of_the_bar_stay_where_they_are_whatever_they_say(
    qtbot, start_live, open_window, language, width, code
) -> None:
    language(code)
    live = start_live(SAID[0])
    window = open_window(remembered=Remembered(width=width, height=700))
    ready(qtbot, window)
    bar = window.top_bar
    buttons = [bar.hold, bar.privacy, bar.session, bar.air, bar.panel, bar.more]
    places = [QRect(button.geometry()) for button in buttons]
    right = bar.record.geometry().right()
    for snapshot in SAID[1:]:
        with qtbot.waitSignal(window.model.changed):
            live.say(snapshot)
        QApplication.processEvents()
        assert [button.geometry() for button in buttons] == places, snapshot.state
        assert bar.record.geometry().right() == right, "its time grows away from the others"


def test_numbers_are_written_as_the_windows_language_does(qtbot, start_live, open_window, language) -> None:
    language("de")
    start_live(on_air(figures=FIGURES.model_copy(update={"dropped": 12345})))
    window = open_window()
    ready(qtbot, window)
    assert window.side.figures.rate.whole == "30,0 · 29,9 fps"
    assert window.side.figures.dropped.whole == "12.345"


# ---- how long a notice stays


def test_good_news_fades_and_an_error_stays_until_it_is_dismissed(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    monkeypatch.setattr(notices, "LASTS_MS", 80)
    monkeypatch.setattr(notices, "FADES_MS", 60)
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    notice = window.notice
    notice.say("Saved: a.png", good=True)
    assert notice.isVisible()
    qtbot.waitUntil(notice.isHidden, timeout=3000)
    notice.say("The photo could not be read.")
    notice.say("Saved: b.png", good=True)
    qtbot.wait(300)
    assert notice.isVisible() and notice.text.text() == "The photo could not be read."
    qtbot.mouseClick(notice.dismiss, Qt.MouseButton.LeftButton)
    assert notice.isVisible() and notice.text.text() == "Saved: b.png", "news waits behind an error"
    qtbot.waitUntil(notice.isHidden, timeout=3000)


def test_errors_wait_behind_each_other_until_each_is_dismissed(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    notice = window.notice
    for error in ("The photo could not be read.", "The preset could not be read.", "The disk is full."):
        notice.say(error)
    notice.say("The photo could not be read.")
    assert notice.text.text() == "The photo could not be read.", "the newest, once"
    assert notice.more.isVisible() and notice.more.text() == "and 2 more"
    assert notice.more.toolTip() == "The disk is full.\nThe preset could not be read."
    live.say(previewing(trouble=Trouble(kind="slow", sentence="The disk is too slow.")))
    qtbot.waitUntil(lambda: notice.text.text() == "The disk is too slow.")
    assert notice.more.text() == "and 3 more"
    live.say(previewing())
    qtbot.waitUntil(lambda: notice.more.text() == "and 2 more", timeout=5000)  # that one is over
    for left in ("The disk is full.", "The preset could not be read."):
        qtbot.mouseClick(notice.dismiss, Qt.MouseButton.LeftButton)
        assert notice.text.text() == left
    assert notice.more.isHidden()
    qtbot.mouseClick(notice.dismiss, Qt.MouseButton.LeftButton)
    assert notice.isHidden()
    notice.say("The disk is full.")
    assert notice.isVisible(), "what happens again is said again"


def test_a_second_error_of_the_live_process_does_not_hide_the_first(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(trouble=Trouble(kind="slow", sentence="The disk is too slow.")))
    window = open_window()
    notice = window.notice
    qtbot.waitUntil(notice.isVisible)
    live.say(previewing(trouble=Trouble(kind="empty", sentence="Nothing was recorded.")))
    qtbot.waitUntil(lambda: notice.text.text() == "Nothing was recorded.")
    assert notice.errors == ["The disk is too slow.", "Nothing was recorded."]
    qtbot.mouseClick(notice.dismiss, Qt.MouseButton.LeftButton)
    assert notice.text.text() == "The disk is too slow."
    live.say(previewing())
    qtbot.waitUntil(notice.isHidden)


def test_news_stays_while_the_mouse_is_on_it(qtbot, start_live, open_window, monkeypatch) -> None:
    monkeypatch.setattr(notices, "LASTS_MS", 200)
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.notice.say("Saved: a.png", good=True)
    QApplication.processEvents()
    qtbot.mouseMove(window.notice)
    qtbot.waitUntil(window.notice.underMouse)
    qtbot.wait(500)
    assert window.notice.isVisible()
    qtbot.mouseMove(window.prompt)
    qtbot.waitUntil(window.notice.isHidden, timeout=5000)


def test_an_error_that_is_over_goes_by_itself(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(trouble=Trouble(kind="slow", sentence="The disk is too slow.")))
    window = open_window()
    qtbot.waitUntil(window.notice.isVisible)
    live.say(previewing())
    qtbot.waitUntil(window.notice.isHidden)
