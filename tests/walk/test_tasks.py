"""Five tasks as a new user would do them, in at most three clicks each from where one would start.

``make walk`` counts real clicks of a mouse that never hesitates; clicks and seconds go to
``dist/walk/tasks.md``. Reading, and a person's own time, are not in it. The screen is 1366×768, the camera's
driver is missing, and files are named by typing their path.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from helpers.sound_server import needs_sound_server
from walk.walker import OUT, Walker, holiday_pictures

pytestmark = [
    pytest.mark.skipif(not os.environ.get("OVERPAINT_WALK"), reason="make walk"),
    pytest.mark.parametrize("walker", ["1366x768"], indirect=True),
]

MOST_CLICKS = 3
MINUTE_S = 60
TABLE = OUT / "tasks.md"


@pytest.fixture(scope="module", autouse=True)
def table() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    TABLE.write_text("| task | clicks | s |\n| --- | --- | --- |\n", "utf-8")


@contextmanager
def task(walker: Walker, name: str) -> Iterator[None]:
    """Counts clicks and seconds while the block runs."""
    clicks, began = walker.clicks, time.monotonic()
    yield
    clicks, seconds = walker.clicks - clicks, time.monotonic() - began
    with TABLE.open("a", encoding="utf-8") as file:
        file.write(f"| {name} | {clicks} | {seconds:.1f} |\n")
    walker.station(name)
    assert clicks <= MOST_CLICKS


def test_be_a_pencil_drawing_in_a_call(walker: Walker) -> None:
    with task(walker, "be a pencil drawing in a call"):
        walker.type("pencil drawing")  # the cursor stands there at the first start
        walker.key("Return")
        walker.until(lambda: "encil" in (walker.live("understood") or ""), "the drawing")
        walker.click("Go live")
        walker.until(lambda: walker.live("on_air") or walker.find("Use the page for OBS"), "the camera")
        if not walker.live("on_air"):
            walker.click("Use the page for OBS")
            walker.until(lambda: walker.find("Copy the address and go live"), "the page for OBS")
            walker.click("Copy the address and go live")
            walker.until(lambda: walker.live("on_air"), "being live, for OBS")


@needs_sound_server
def test_record_a_minute_with_voice(claps: None, walker: Walker) -> None:
    walker.click("Skip")
    with task(walker, "record a minute with voice"):
        walker.click("Record")
        walker.until(lambda: walker.live("recording"), "the recording")
        path = Path(walker.live("recording"))
        time.sleep(MINUTE_S)
        walker.station("a minute was recorded")
        walker.click("Stop recording")
        walker.until(lambda: walker.live("recorded") == str(path), "the end of the recording")
    with av.open(str(path)) as clip:
        assert clip.duration is not None and clip.duration / 1e6 >= MINUTE_S - 2
        assert clip.streams.audio


def test_restyle_a_folder(walker: Walker, tmp_path: Path) -> None:
    holiday_pictures(tmp_path / "holiday")
    walker.click("Skip")
    with task(walker, "restyle a folder of 20 pictures"):
        walker.click("More about transforms")
        walker.click("Add a folder", "action")
        walker.give_path("Add a folder", tmp_path / "holiday")
        walker.click("Restyle 20")
        walker.until(lambda: all_done(walker), "all twenty")


def all_done(walker: Walker) -> bool:
    rows = [thing for thing in walker.sees()["things"] if thing["name"].startswith("holiday")]
    return len(rows) == 20 and all(row["text"].startswith("done") for row in rows)


def test_put_a_photo_behind_you(walker: Walker, tmp_path: Path) -> None:
    beach = tmp_path / "beach.png"
    cv2.imwrite(str(beach), np.full((480, 640, 3), (200, 160, 20), np.uint8))
    walker.click("Skip")
    with task(walker, "put a photo behind you"):
        walker.click("Add a reference photo")
        walker.click("Choose a file", "action")
        walker.give_path("Choose a reference photo", beach)
        walker.click("Use as background")
        walker.until(lambda: "ackdrop" in (walker.live("understood") or ""), "the background")


def test_find_out_why_nothing_is_seen(walker: Walker) -> None:
    walker.click("Skip")
    with task(walker, "find out why nothing is seen in the call"):
        walker.click("Go live")
        walker.until(lambda: walker.find("Going live needs a camera"), "the reason")
