"""The mouse pointer is where it is on the screen, and nowhere when it is not wanted or elsewhere."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

from helpers.qt_main import Taker, beside_main_thread
from overpaint.media import pictures
from overpaint.media.sources.pointer import Pointer, draw
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.sources.screen_source import ScreenSource
from overpaint.wire.sources import SourceOptions

on_screen = pytest.mark.skipif(
    not os.environ.get("DISPLAY") or sys.platform != "linux", reason="needs an X display"
)
RED = np.full((6, 4, 4), (0, 0, 255, 255), np.uint8)


def grey(width: int = 64, height: int = 36) -> np.ndarray:
    return pictures.from_bgr(np.full((height, width, 3), 128, np.uint8))


def reddish(image: np.ndarray) -> np.ndarray:
    bgr = pictures.to_bgr(image).astype(int)
    return bgr[..., 2] - bgr[..., 1] > 60


def test_it_is_drawn_where_it_is() -> None:
    image = grey()
    draw(image, Pointer(RED, 20, 10))
    rows, columns = np.nonzero(reddish(image))
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (10, 15, 20, 23)


def test_what_shines_through_leaves_the_picture() -> None:
    image, before = grey(), grey()
    draw(image, Pointer(np.zeros((8, 8, 4), np.uint8), 20, 10))
    assert np.abs(pictures.to_bgr(image).astype(int) - pictures.to_bgr(before)).max() <= 3


@pytest.mark.parametrize(
    ("left", "top", "pixels"),
    [(-2, -3, 6), (62, 33, 6), (-20, 5, 0), (64, 0, 0), (0, 36, 0), (-9, -9, 0)],
)
def test_at_an_edge_the_rest_of_it_is_seen(left: int, top: int, pixels: int) -> None:
    image = grey()
    draw(image, Pointer(RED, left, top))
    assert abs(int(reddish(image).sum()) - pixels) <= 6


@on_screen
def test_a_captured_screen_shows_it_by_a_switch() -> None:
    from Xlib.display import Display

    display = Display()
    root = display.screen().root

    def work(main: MainThread) -> None:
        pointer = True
        source = ScreenSource(0, main, wishes=lambda _: SourceOptions(pointer=pointer))
        taker = Taker()
        root.warp_pointer(601, 403)
        display.sync()
        source.start(1920, 1080, taker)
        assert source.offer.pointer == "switch"

        def place(frame: np.ndarray) -> bool:
            luma = pictures.planes(frame)[0]
            return len(np.unique(luma[395:412, 593:610])) > 1

        assert taker.wait_for(lambda t: place(t.frames[-1].image))
        root.warp_pointer(1203, 801)
        display.sync()
        assert taker.wait_for(lambda t: not place(t.frames[-1].image))
        root.warp_pointer(601, 403)
        display.sync()
        assert taker.wait_for(lambda t: place(t.frames[-1].image))
        pointer = False
        assert taker.wait_for(lambda t: not place(t.frames[-1].image))
        source.stop()

    beside_main_thread(work)
    display.close()
