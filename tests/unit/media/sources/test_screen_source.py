"""What is on a screen or in a window arrives: colours, changes, full HD, also while it stands still."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication

if sys.platform != "linux":
    pytest.skip("windows are made and moved by X11's library", allow_module_level=True)

from Xlib import Xutil
from Xlib.display import Display
from Xlib.protocol.event import ClientMessage

from helpers.qt_main import Taker, beside_main_thread
from helpers.window_managers import window_manager
from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import RawFrame, now_ns
from overpaint.media.sources import screen_source
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.sources.qt_source import QtSource
from overpaint.media.sources.screen_source import ScreenSource, WindowSource, list_screens, list_windows
from overpaint.media.sources.x11_windows import chain_of, managed_windows

pytestmark = pytest.mark.process


on_screen = pytest.mark.skipif(
    not os.environ.get("DISPLAY") or sys.platform != "linux", reason="needs an X display"
)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy computer takes its time for a first picture, and to draw a window that was covered."""
    monkeypatch.setattr(QtSource, "first_frame_seconds", 60.0)
    monkeypatch.setattr(screen_source, "_DRAWN_AGAIN_S", 2.0)


def until(condition: Callable[[], object]) -> None:
    """Waits for another program, which may take long to begin on a busy computer."""
    ends = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends, "it did not come about"
        time.sleep(0.05)


PAINTER = """
import sys
from PySide6.QtCore import QSocketNotifier, Qt
from PySide6.QtWidgets import QApplication, QWidget
title, bare, *geometry = sys.argv[1:]
app = QApplication(["overpaint" if title == "Overpaint" else "painter"])
widget = QWidget()
widget.setAttribute(Qt.WidgetAttribute.WA_X11NetWmWindowTypeDock, title == "Panel")
widget.setWindowTitle(title)
widget.setWindowFlag(Qt.WindowType.X11BypassWindowManagerHint, bare == "bare")
widget.setGeometry(*map(int, geometry))
def paint():
    colour = sys.stdin.readline().strip()
    if not colour:
        app.quit()
    widget.setStyleSheet("background: " + colour)
    widget.show()
notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
notifier.activated.connect(paint)
app.exec()
"""


class Painter:
    """Another program, with one window of one colour."""

    def __init__(self, title: str, *geometry: int, bare: bool) -> None:
        arguments = [title, "bare" if bare else "framed", *map(str, geometry)]
        self._child = subprocess.Popen(
            [sys.executable, "-c", PAINTER, *arguments],
            stdin=subprocess.PIPE,
            text=True,
            env=os.environ | {"QT_QPA_PLATFORM": "xcb"},
        )

    def paint(self, colour: str) -> None:
        assert self._child.stdin is not None
        self._child.stdin.write(colour + "\n")
        self._child.stdin.flush()

    def quit(self) -> None:
        assert self._child.stdin is not None
        if not self._child.stdin.closed:
            self._child.stdin.close()
        self._child.wait(60)


@pytest.fixture
def poster() -> Iterator[Painter]:
    """Covers the whole screen."""
    painter = Painter("Poster", 0, 0, 1920, 1080, bare=True)
    yield painter
    painter.quit()


@pytest.fixture
def meadow() -> Iterator[Painter]:
    """A managed window, 640×480, called "Meadow test"; a window manager keeps the list it is found in."""
    with window_manager():
        painter = Painter("Meadow test", 300, 200, 640, 480, bare=False)
        painter.paint("#20a040")
        yield painter
        painter.quit()


def colour_of(frame: RawFrame, x: int = 60, y: int = 1000) -> tuple[int, int, int]:
    """Red, green, blue around a place."""
    area = pictures.to_bgr(frame.image)[y - 4 : y + 4, x - 4 : x + 4]
    blue, green, red = (round(float(value)) for value in area.mean(axis=(0, 1)))
    return red, green, blue


def near(colour: tuple[int, int, int], wanted: tuple[int, int, int]) -> bool:
    return max(abs(a - b) for a, b in zip(colour, wanted, strict=True)) <= 6


@on_screen
def test_the_screens_colours_and_changes_arrive_at_full_size(poster: Painter) -> None:
    def work(main: MainThread) -> None:
        poster.paint("#1e90ff")
        source, taker = ScreenSource(0, main), Taker()
        before = now_ns()
        source.start(1920, 1080, taker)
        assert taker.wait_for(lambda t: near(colour_of(t.frames[-1]), (0x1E, 0x90, 0xFF)))
        poster.paint("#c03020")
        assert taker.wait_for(lambda t: near(colour_of(t.frames[-1]), (0xC0, 0x30, 0x20)))
        source.stop()
        assert "Screen 1" in source.title
        frames = taker.frames
        assert {(frame.width, frame.height) for frame in frames} == {(1920, 1080)}
        assert [frame.number for frame in frames] == list(range(len(frames)))
        assert all(a.captured_ns < b.captured_ns for a, b in pairwise(frames))
        assert before < frames[0].captured_ns < now_ns()
        assert taker.errors == []

    beside_main_thread(work)


@on_screen
def test_a_part_of_the_screen_fills_the_frame(poster: Painter) -> None:
    def work(main: MainThread) -> None:
        poster.paint("#1e90ff")
        source, taker = ScreenSource(0, main, (1500, 800, 320, 180)), Taker()
        source.start(1920, 1080, taker)
        blue = (0x1E, 0x90, 0xFF)
        assert taker.wait_for(lambda t: near(colour_of(t.frames[-1]), blue))
        corners = [colour_of(taker.frames[-1], x, y) for x in (8, 1910) for y in (8, 1070)]
        assert all(near(corner, blue) for corner in corners)  # no bars: it has the frame's shape
        assert source.title.startswith("Part of Screen 1") and source.aspect == 16 / 9
        source.stop()

    beside_main_thread(work)


@on_screen
def test_after_stop_nothing_comes_and_it_can_start_again() -> None:
    def work(main: MainThread) -> None:
        source = ScreenSource(0, main)
        for _ in range(2):
            taker = Taker()
            source.start(1280, 720, taker)
            source.stop()
            source.stop()
            count = len(taker.frames)
            assert count >= 1 and taker.frames[0].number == 0 and taker.frames[0].width == 1280
            time.sleep(0.1)
            assert len(taker.frames) == count

    beside_main_thread(work)


@on_screen
def test_a_screen_that_is_disconnected_is_lost_and_can_be_started_again(poster: Painter) -> None:
    """Qt's word that it is gone is scripted: the tests' X server has one screen for good."""
    poster.paint("#d03020")

    def work(main: MainThread) -> None:
        source, taker = ScreenSource(0, main), Taker()
        source.start(640, 360, taker)

        def disconnect() -> None:
            app = QGuiApplication.instance()
            assert isinstance(app, QGuiApplication)
            app.screenRemoved.emit(app.primaryScreen())

        main.call(disconnect)
        assert taker.wait_for(lambda t: bool(t.errors))
        assert [error.code for error in taker.errors] == ["screen_disconnected"]
        frames = len(taker.frames)
        source.stop()
        again = Taker()
        source.start(640, 360, again)
        assert again.wait_for(lambda t: len(t.frames) >= 2)
        source.stop()
        assert len(taker.frames) == frames and len(taker.errors) == 1

    beside_main_thread(work)


@on_screen
def test_a_window_that_is_closed_is_lost_and_found_when_it_is_open_again() -> None:
    def opened() -> Painter:
        painter = Painter("Meadow test", 300, 200, 640, 480, bare=False)
        painter.paint("#20a040")
        return painter

    def work(main: MainThread) -> None:
        painter = opened()
        source, taker = WindowSource("Meadow test", main), Taker()
        wait_until_listed(main)
        source.start(640, 360, taker)
        painter.quit()
        assert taker.wait_for(lambda t: bool(t.errors))
        assert [error.code for error in taker.errors] == ["window_closed"]
        source.stop()
        with pytest.raises(SourceError, match="There is no window called"):
            source.start(640, 360, Taker())
        painter = opened()
        wait_until_listed(main)
        again = Taker()
        source.start(640, 360, again)
        assert again.wait_for(lambda t: len(t.frames) >= 2)
        source.stop()
        painter.quit()

    with window_manager():
        beside_main_thread(work)


def wait_until_listed(main: MainThread) -> None:
    until(lambda: "window:Meadow test" in [info.source for info in list_windows(main)])


@on_screen
def test_screens_are_listed_as_the_command_line_names_them() -> None:
    def work(main: MainThread) -> None:
        screens = list_screens(main)
        assert screens[0].source == "screen:0" and screens[0].kind == "screen"
        assert "×" in screens[0].title

    beside_main_thread(work)


@on_screen
def test_a_screen_that_is_not_there_is_missing_and_the_others_are_named() -> None:
    def work(main: MainThread) -> None:
        with pytest.raises(SourceError, match="no screen 7") as refusal:
            ScreenSource(7, main).start(1920, 1080, Taker())
        assert refusal.value.kind == "missing"
        assert "screen:0" in refusal.value.mend

    beside_main_thread(work)


@on_screen
def test_a_window_is_captured_alone_and_unstretched(meadow: Painter) -> None:
    def work(main: MainThread) -> None:
        until(lambda: any("Meadow" in each.title for each in list_windows(main)))
        source, taker = WindowSource("meadow", main), Taker()
        source.start(1920, 1080, taker)
        assert source.title == "Meadow test"
        assert taker.wait_for(lambda t: near(colour_of(t.frames[-1], 960, 540), (0x20, 0xA0, 0x40)))
        # 640×480 fills the height; the sides stay black.
        assert near(colour_of(taker.frames[-1], 100, 540), (0, 0, 0))
        meadow.quit()
        assert taker.wait_for(lambda t: bool(t.errors))
        assert taker.errors[0].kind == "lost" and "closed" in str(taker.errors[0])
        source.stop()

    beside_main_thread(work)


def iconify(title: str) -> None:
    display = Display()
    window = chain_of(display, title)[-1]
    change = display.intern_atom("WM_CHANGE_STATE")
    data = (32, [Xutil.IconicState, 0, 0, 0, 0])
    mask = 0x180000  # SubstructureRedirect and SubstructureNotify
    display.screen().root.send_event(ClientMessage(window=window, client_type=change, data=data), mask)
    display.sync()
    display.close()


def wait_for_window(main: MainThread, name: str) -> None:
    until(lambda: any(name in each.title for each in list_windows(main)))


@pytest.mark.full
@on_screen
def test_a_covered_window_is_told_apart_and_its_last_picture_stands_until_it_is_seen_again(
    meadow: Painter,
) -> None:
    green = (0x20, 0xA0, 0x40)

    def strange(frame: RawFrame) -> bool:
        """Whether anything in the middle of the picture is not the window's own."""
        places = [(x, y) for x in range(300, 1640, 120) for y in range(20, 1060, 100)]
        return not all(near(colour_of(frame, x, y), green) for x, y in places)

    def work(main: MainThread) -> None:
        wait_for_window(main, "Meadow")
        source, taker = WindowSource("meadow", main), Taker()
        source.start(1920, 1080, taker)
        assert taker.wait_for(lambda t: len(t.frames) > 3) and source.trouble is None
        for geometry in ((0, 0, 1920, 1080), (500, 350, 80, 60)):  # whole, and a corner of it
            cover = Painter("Cover", *geometry, bare=True)
            cover.paint("#ff0000")
            assert taker.wait_for(lambda t: source.trouble is not None)
            assert source.trouble is not None and "is covered" in str(source.trouble) and source.trouble.mend
            covered_from = len(taker.frames)
            assert taker.wait_for(lambda t, since=covered_from: len(t.frames) > since + 10), "it stands"
            meadow.paint("#2040a0")  # what nobody can see yet
            cover.quit()
            assert taker.wait_for(lambda t: near(colour_of(t.frames[-1], 960, 540), (0x20, 0x40, 0xA0)))
            assert source.trouble is None
            meadow.paint("#20a040")
            assert taker.wait_for(lambda t: near(colour_of(t.frames[-1], 960, 540), green))
        reds = [frame for frame in taker.frames if colour_of(frame, 960, 540)[0] > 0x40]
        blacks = [frame for frame in taker.frames if max(colour_of(frame, 960, 540)) < 0x20]
        assert not reds and not blacks, "nothing of what covered it, and no black"
        source.stop()

    beside_main_thread(work)


@on_screen
def test_a_window_that_is_covered_from_the_start_is_waited_for(meadow: Painter) -> None:
    def work(main: MainThread) -> None:
        wait_for_window(main, "Meadow")
        cover = Painter("Cover", 0, 0, 1920, 1080, bare=True)
        cover.paint("#ff0000")
        until(lambda: managed_windows().get("Meadow test") == "covered")
        source, taker = WindowSource("meadow", main), Taker()
        source.start(1920, 1080, taker)
        assert "is covered" in str(source.trouble) and source.title == "Meadow test" and not taker.frames
        cover.quit()
        assert taker.wait_for(lambda t: len(t.frames) > 3) and source.trouble is None
        assert all(near(colour_of(frame, 960, 540), (0x20, 0xA0, 0x40)) for frame in taker.frames)
        source.stop()

    beside_main_thread(work)


@on_screen
def test_a_minimised_window_is_told_apart_and_its_last_picture_stands(meadow: Painter) -> None:
    def work(main: MainThread) -> None:
        wait_for_window(main, "Meadow")
        source, taker = WindowSource("meadow", main), Taker()
        source.start(1920, 1080, taker)
        assert taker.wait_for(lambda t: len(t.frames) > 3)
        iconify("Meadow test")
        assert taker.wait_for(lambda t: source.trouble is not None)
        assert "is minimised" in str(source.trouble)
        since = len(taker.frames)
        assert taker.wait_for(lambda t: len(t.frames) > since + 10) and not taker.errors
        assert all(near(colour_of(frame, 960, 540), (0x20, 0xA0, 0x40)) for frame in taker.frames)
        meadow.paint("#20a040")  # shows it again
        display = Display()
        chain_of(display, "Meadow test")[-1].map()
        display.sync()
        display.close()
        assert taker.wait_for(lambda t: source.trouble is None)
        source.stop()

    beside_main_thread(work)


@on_screen
def test_panels_and_own_windows_are_not_on_offer_and_the_others_say_whether_they_are_seen(
    meadow: Painter,
) -> None:
    def seen(main: MainThread) -> dict[str, str]:
        return {each.title: each.seen for each in list_windows(main)}

    def work(main: MainThread) -> None:
        wait_for_window(main, "Meadow")
        others = [
            Painter(title, 1200, 300, 200, 150, bare=False) for title in ("Overpaint", "Panel", "Other")
        ]
        for each in others:
            each.paint("#404040")
        wait_for_window(main, "Other")
        until(lambda: {"Overpaint", "Panel"} <= managed_windows().keys())
        assert seen(main).keys() == {"Meadow test", "Other"}
        assert seen(main)["Meadow test"] == "whole"
        cover = Painter("Cover", 500, 350, 80, 60, bare=True)
        cover.paint("#ff0000")
        until(lambda: seen(main)["Meadow test"] == "covered")
        with compositor():
            assert seen(main)["Meadow test"] == "whole"
        iconify("Meadow test")
        until(lambda: seen(main)["Meadow test"] == "minimised")
        for each in (*others, cover):
            each.quit()

    beside_main_thread(work)


@contextmanager
def compositor() -> Iterator[None]:
    """What a compositor tells every program: it owns the selection of its screen (EWMH)."""
    display = Display()
    owner = display.screen().root.create_window(0, 0, 1, 1, 0, 0)
    owner.set_selection_owner(display.intern_atom("_NET_WM_CM_S0"), 0)
    display.sync()
    yield
    display.close()


@on_screen
def test_a_window_that_is_not_there_is_missing() -> None:
    def work(main: MainThread) -> None:
        with pytest.raises(SourceError, match="no window called “No such thing”") as refusal:
            WindowSource("No such thing", main).start(1920, 1080, Taker())
        assert refusal.value.kind == "missing"

    beside_main_thread(work)


def test_a_still_picture_is_delivered_again_with_a_new_number_and_time() -> None:
    """Qt's own loop and a capture that never sends more than its first frame."""

    class Still(ScreenSource):
        def _open(self, sink: object) -> None:
            from PySide6.QtCore import QTimer

            self._last = np.full((1620, 1920), 90, np.uint8)
            QTimer.singleShot(0, lambda: self._deliver(self._last, now_ns()))

    def work(main: MainThread) -> None:
        source, taker = Still(0, main), Taker()
        source.start(1920, 1080, taker)
        assert taker.wait_for(lambda t: len(t.frames) >= 4)
        source.stop()
        assert [frame.number for frame in taker.frames[:4]] == [0, 1, 2, 3]
        assert all(a.captured_ns < b.captured_ns for a, b in pairwise(taker.frames))
        assert np.array_equal(taker.frames[3].image, taker.frames[0].image)

    beside_main_thread(work)


@on_screen
def test_the_pointer_over_a_window_is_in_its_picture(meadow: Painter) -> None:
    display = Display()

    def point(x: int, y: int) -> None:
        display.screen().root.warp_pointer(x, y)
        display.sync()

    def spot(frame: RawFrame) -> tuple[float, float] | None:
        """Middle of what is not the window's green."""
        bgr = pictures.to_bgr(frame.image)[20:-20, 260:1660].astype(int)
        rows, columns = np.nonzero(np.abs(bgr - (0x40, 0xA0, 0x20)).max(axis=2) > 24)
        return (260 + columns.mean(), 20 + rows.mean()) if rows.size else None

    def work(main: MainThread) -> None:
        source, taker = WindowSource("meadow", main), Taker()
        point(1900, 1060)
        until(lambda: any("Meadow" in each.title for each in list_windows(main)))
        source.start(1920, 1080, taker)
        assert taker.wait_for(lambda t: spot(t.frames[-1]) is None)
        point(620, 440)  # the window's middle, but for its frame
        assert taker.wait_for(lambda t: spot(t.frames[-1]) is not None)
        seen = spot(taker.frames[-1])
        assert seen is not None and abs(seen[0] - 960) < 90 and abs(seen[1] - 540) < 90
        cover = Painter("Cover", 300, 200, 640, 480, bare=True)
        cover.paint("#ff0000")
        # Without a compositor the last picture stands, pointer and all, until the window can be seen again.
        assert taker.wait_for(lambda t: source.trouble is not None)
        cover.quit()
        source.stop()

    beside_main_thread(work)
    display.close()
