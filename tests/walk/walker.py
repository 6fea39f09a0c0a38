"""Mouse, keys and eyes of a user: the real program is driven by what it reports of its screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import ImageGrab

from helpers.clips import portrait

HERE = Path(__file__).parent
OUT = Path("dist/walk")
SECONDS = 90.0
PAINTED_S = 0.6


class Walker:
    """Mouse, keys and eyes.

    Args:
        report: Written by ``program.py``.
        called: Begins the names of the stations' pictures.
        scale: Physical pixels of one of the program's.
        screen: The screen's size, pixels.

    Attributes:
        stations: Number of pictures.
        clicks: Number of clicks, double clicks and drags.
    """

    def __init__(
        self, report: Path, called: str = "", scale: int = 1, screen: tuple[int, int] = (1920, 1080)
    ) -> None:
        self._report = report
        self._called = called
        self._scale = scale
        self._screen = screen
        self.stations = self.clicks = 0

    # ---- eyes

    def sees(self) -> dict[str, Any]:
        try:
            return dict(json.loads(self._report.read_text("utf-8")))
        except FileNotFoundError:
            return {"number": 0, "things": [], "live": None, "painted": 0}

    def find(self, name: str, kind: str = "") -> dict[str, Any] | None:
        """What is visible under a name, or else one that begins so."""
        things = [thing for thing in self.sees()["things"] if kind in ("", thing["kind"])]
        for fits in (name.__eq__, lambda shown: shown.startswith(name)):
            for thing in things:
                if fits(thing["name"]):
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

    def station(self, name: str) -> Path:
        """Keeps a picture of the screen, once what was clicked is painted; returns its path."""
        time.sleep(PAINTED_S)
        OUT.mkdir(parents=True, exist_ok=True)
        self.stations += 1
        path = OUT / f"{self._called}{self.stations:02} {name}.png"
        ImageGrab.grab(xdisplay=os.environ["DISPLAY"]).save(path)
        return path

    def stands_inside(self) -> None:
        """Checks that the program's window, with its frame, is on the screen."""
        left, top, wide, high = (self._scale * each for each in self.sees()["frame"])
        width, height = self._screen
        assert left >= 0 and top >= 0 and left + wide <= width and top + high <= height, self.sees()["frame"]

    # ---- hands

    def xdo(self, *arguments: object) -> str:
        done = subprocess.run(
            ["xdotool", *map(str, arguments)], check=True, capture_output=True, text=True, timeout=30
        )
        return done.stdout

    def click(self, name: str, kind: str = "") -> None:
        self.click_at(*middle(self.until(lambda: self.still(name, kind), name)["box"]))

    def click_at(self, x: int, y: int, *, times: int = 1) -> None:
        self.clicks += 1
        move = ("mousemove", x * self._scale, y * self._scale, "sleep", 0.1)
        self.xdo(*move, "click", "--repeat", times, "--delay", 60, 1)

    def type(self, text: str) -> None:
        self.xdo("type", "--delay", 30, text)

    def key(self, *keys: str) -> None:
        self.xdo("key", *keys)

    def give_path(self, dialog: str, path: Path) -> None:
        """Types a path into a file dialog of that title."""
        self.until(lambda: self.find(dialog, "window"), dialog)
        time.sleep(PAINTED_S)
        self.type(str(path))
        self.key("Return")
        self.until(lambda: not self.find(dialog, "window"), f"the end of {dialog}")

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.clicks += 1
        self.xdo("mousemove", *start, "sleep", 0.2, "mousedown", 1)
        for step in range(1, 21):
            x, y = (round(a + (b - a) * step / 20) for a, b in zip(start, end, strict=True))
            self.xdo("mousemove", x, y, "sleep", 0.04)
        self.xdo("sleep", 0.4, "mousemove", end[0] + 2, end[1] + 2, "sleep", 0.3, "mouseup", 1)


def middle(box: list[int]) -> tuple[int, int]:
    left, top, width, height = box
    return left + width // 2, top + height // 2


def holiday_pictures(folder: Path, count: int = 20) -> list[str]:
    """Pictures in a new folder, no two alike."""
    folder.mkdir()
    paths = []
    for number in range(count):
        path = folder / f"holiday {number:02}.jpg"
        cv2.imwrite(str(path), np.roll(portrait(640, 480), number * 7, axis=1))
        paths.append(str(path))
    return paths


@contextmanager
def neighbour(
    title: str, place: Sequence[int], dropped: Path, pictures: Sequence[str] = ()
) -> Iterator[None]:
    """Another program's window, while the block runs."""
    arguments = [title, str(dropped), *map(str, place), *pictures]
    process = subprocess.Popen([sys.executable, str(HERE / "neighbour.py"), *arguments])
    try:
        yield
    finally:
        process.terminate()
        process.wait(20)


def opened(report: Path, data: Path) -> subprocess.Popen[bytes]:
    report.unlink(missing_ok=True)
    return subprocess.Popen([sys.executable, str(HERE / "program.py"), str(report), str(data)])
