"""A user's whole way through the real program, with real mouse and keys (xdotool) on a real X screen.

Start, take a window as the source, type a prompt, go live, drop twenty pictures, drag a result out, start
again: the history is still there. ``make walk`` runs it and leaves a picture of every station in
``dist/walk``; it takes a minute and is no part of ``make test``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image, ImageGrab

from helpers.clips import portrait
from helpers.processes import end_all
from helpers.window_managers import window_manager

HERE = Path(__file__).parent
OUT = Path("dist/walk")
PICTURES = 20
SECONDS = 90.0

pytestmark = pytest.mark.skipif(not os.environ.get("OVERPAINT_WALK"), reason="make walk")


class Walker:
    """Mouse, keys and eyes."""

    def __init__(self, report: Path) -> None:
        self._report = report
        self.stations = 0

    # ---- eyes

    def sees(self) -> dict[str, Any]:
        try:
            return dict(json.loads(self._report.read_text("utf-8")))
        except FileNotFoundError:
            return {"number": 0, "things": [], "live": None, "painted": 0}

    def find(self, name: str, kind: str = "") -> dict[str, Any] | None:
        """What is visible under a name, or one that begins so."""
        for thing in self.sees()["things"]:
            if thing["name"].startswith(name) and kind in ("", thing["kind"]):
                return dict(thing)
        return None

    def still(self, name: str, kind: str) -> dict[str, Any] | None:
        """What stands where it stood in the report before: one from before a window was moved misleads."""
        found, number = self.find(name, kind), self.sees()["number"]
        self.until(lambda: self.sees()["number"] > number, "another report")
        return found if found == self.find(name, kind) else None

    def rows(self) -> list[str]:
        return [thing["name"] for thing in self.sees()["things"] if thing["kind"] == "row"]

    def live(self, key: str) -> Any:
        said = self.sees()["live"]
        return None if said is None else said[key]

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        end = time.monotonic() + SECONDS
        while not (found := condition()):
            if time.monotonic() > end:
                self.station(f"missing {what}")
                raise AssertionError(f"never came: {what}; visible: {self.names()}")
            time.sleep(0.1)
        return found

    def names(self) -> list[str]:
        return [thing["name"] for thing in self.sees()["things"]]

    def station(self, name: str) -> None:
        """Keeps a picture of the screen."""
        OUT.mkdir(parents=True, exist_ok=True)
        self.stations += 1
        ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).save(OUT / f"{self.stations:02} {name}.png")

    # ---- hands

    def xdo(self, *arguments: object) -> str:
        done = subprocess.run(
            ["xdotool", *map(str, arguments)], check=True, capture_output=True, text=True, timeout=30
        )
        return done.stdout

    def click(self, name: str, kind: str = "") -> None:
        self.click_at(*middle(self.until(lambda: self.still(name, kind), name)["box"]))

    def click_at(self, x: int, y: int) -> None:
        self.xdo("mousemove", x, y, "sleep", 0.1, "click", 1)

    def type(self, text: str) -> None:
        self.xdo("type", "--delay", 30, text)

    def key(self, *keys: str) -> None:
        self.xdo("key", *keys)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.xdo("mousemove", *start, "sleep", 0.2, "mousedown", 1)
        for step in range(1, 21):
            x, y = (round(a + (b - a) * step / 20) for a, b in zip(start, end, strict=True))
            self.xdo("mousemove", x, y, "sleep", 0.04)
        self.xdo("sleep", 0.4, "mousemove", end[0] + 2, end[1] + 2, "sleep", 0.3, "mouseup", 1)


def middle(box: list[int]) -> tuple[int, int]:
    left, top, width, height = box
    return left + width // 2, top + height // 2


@pytest.fixture
def manager() -> Iterator[None]:
    with window_manager():
        yield


def pictures(folder: Path) -> list[str]:
    folder.mkdir()
    paths = []
    for number in range(PICTURES):
        path = folder / f"holiday {number:02}.jpg"
        turned = np.roll(portrait(640, 480), number * 7, axis=1)
        cv2.imwrite(str(path), turned)
        paths.append(str(path))
    return paths


def opened(report: Path, data: Path) -> subprocess.Popen[bytes]:
    report.unlink(missing_ok=True)
    return subprocess.Popen([sys.executable, str(HERE / "program.py"), str(report), str(data)])


def test_the_whole_way(tmp_path: Path, data_folder: Path, manager: None) -> None:
    os.environ["XDG_PICTURES_DIR"] = str(tmp_path / "Pictures")
    report, dropped = tmp_path / "report.json", tmp_path / "dropped.txt"
    walker = Walker(report)
    window = ["Holiday film", str(dropped), "1330", "60", "560", "520"]
    neighbour = subprocess.Popen(
        [sys.executable, str(HERE / "neighbour.py"), *window, *pictures(tmp_path / "holiday")]
    )
    program = opened(report, data_folder)
    try:
        walk(walker, dropped)
        walker.key("ctrl+q")
        walker.until(lambda: walker.find("Stop and close") or program.poll() is not None, "the question")
        if program.poll() is None:
            walker.station("the question at the end")
            walker.click("Stop and close")
        assert program.wait(30) == 0
        program = opened(report, data_folder)
        walker.until(lambda: sum("holiday" in row for row in walker.rows()) == PICTURES, "the history")
        walker.until(lambda: walker.live("source_title") == "Holiday film", "the same source")
        walker.until(lambda: walker.sees()["painted"] > 10, "the picture again")
        walker.station("after another start")
        with Image.open(OUT / f"{walker.stations:02} after another start.png") as image:
            assert np.asarray(image).std() > 20
    finally:
        for process in (program, neighbour):
            process.terminate()
            process.wait(20)
        end_all(data_folder)


def walk(walker: Walker, dropped: Path) -> None:
    walker.until(lambda: walker.sees()["painted"] > 10, "the first restyled picture, by itself")
    walker.xdo("search", "--sync", "--onlyvisible", "--name", "^Overpaint$", "windowmove", 10, 40)
    walker.station("the start")

    walker.click("Source:")
    walker.click("Screens and windows", "action")
    row = walker.until(lambda: walker.still("Holiday film", "row"), "the window among the sources")
    walker.station("the sources")
    walker.click_at(*middle(row["box"]))
    walker.key("Return")
    walker.until(lambda: walker.live("source_title") == "Holiday film", "the window as the source")

    walker.key("ctrl+k")
    walker.type("pop art, warm")
    walker.key("Return")
    walker.until(lambda: walker.live("prompt") == "pop art, warm", "the prompt")
    walker.until(lambda: "Pop art" in walker.live("understood"), "what was understood")
    walker.station("the prompt")

    walker.key("ctrl+l")
    walker.until(lambda: walker.live("on_air"), "being on air")
    walker.station("live")

    film = (1330 + 140, 60 + 260)
    panel = walker.until(lambda: walker.find("Transforms"), "the panel")
    walker.drag(film, middle(panel["box"]))
    walker.until(lambda: walker.find("Restyle 20"), "the price of twenty pictures")
    walker.station("twenty pictures")
    walker.click("Restyle 20")
    walker.until(
        lambda: walker.live("balance")["credits_remaining"] <= 2500 - 25 - 2 * PICTURES, "the charge"
    )
    done = walker.until(lambda: finished(walker), "all twenty")
    walker.station("all done")

    walker.drag(middle(done["box"]), (1330 + 420, 60 + 260))
    walker.until(lambda: dropped.exists() and dropped.read_text("utf-8"), "a result in the other program")
    result = Path(dropped.read_text("utf-8").splitlines()[0])
    assert result.is_file() and "holiday" in result.name
    with Image.open(result) as image:
        assert image.size == (640, 480)


def finished(walker: Walker) -> dict[str, Any] | None:
    """The first row, once all are done."""
    rows = [thing for thing in walker.sees()["things"] if thing["name"].startswith("holiday")]
    return rows[0] if rows and all(row["text"].startswith("done") for row in rows) else None
