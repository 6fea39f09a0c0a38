"""A user's way through the real program on Wayland, with mouse and keys, on sway without a screen.

Start, restyle the screen, a part of it, get keys from the desktop, paste and drop pictures, start again
without being asked anything, refuse. ``make test-wayland`` leaves a picture of every station in
``dist/wayland``.
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

import pytest

from helpers.processes import end_all
from walk.walker import PAINTED_S, Walker, holiday_pictures, middle, opened
from wayland.person import Person
from wayland.pointer import VirtualPointer
from wayland.test_sources import something_moves

OUT = Path("dist/wayland")
NEIGHBOUR = Path(__file__).parents[1] / "walk" / "neighbour.py"


class WaylandWalker(Walker):
    """Mouse, keys and eyes on Wayland, where programs do not know where their windows are."""

    def __init__(self, report: Path) -> None:
        super().__init__(report)
        self.mouse = VirtualPointer()

    def station(self, name: str) -> Path:
        time.sleep(PAINTED_S)
        self.stations += 1
        path = OUT / f"{self.stations:02} {name}.png"
        subprocess.run(["grim", str(path)], check=True)
        return path

    def click(self, name: str, kind: str = "") -> None:
        thing = self.until(lambda: self.still(name, kind), name)
        left, top = place_of(thing["window"])[:2]
        x, y = middle(thing["box"])
        self.click_at(left + x, top + y)

    def click_at(self, x: int, y: int, *, times: int = 1) -> None:
        for _ in range(times):
            self.mouse.click(x, y)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.mouse.drag(start, end)

    def type(self, text: str) -> None:
        subprocess.run(["wtype", "-s", "300", "-d", "30", text], check=True)

    def key(self, *keys: str) -> None:
        for combination in keys:
            *modifiers, key = combination.split("+")
            held = [word for name in modifiers for word in ("-M", name)]
            subprocess.run(["wtype", "-s", "200", *held, "-k", key], check=True)

    def key_until(self, key: str, condition: Callable[[], Any], what: str) -> None:
        """Presses keys, again where the compositor lost them with another keyboard's coming or going."""

        def pressed() -> bool:
            self.key(key)
            ends = time.monotonic() + 5
            while not (seen := condition()) and time.monotonic() < ends:
                time.sleep(0.1)
            return bool(seen)

        self.until(lambda: condition() or pressed(), what)

    def prompt(self, text: str) -> None:
        """Types a prompt, and applies it."""

        def typed() -> bool:
            self.key("ctrl+k", "ctrl+a")
            self.type(text)
            time.sleep(PAINTED_S)
            return any(thing.get("text") == text for thing in self.sees()["things"])

        self.until(typed, "the typed prompt")
        self.key_until("Return", lambda: self.live("prompt") == text, "the prompt")


def windows() -> list[dict[str, Any]]:
    """The windows that the compositor shows, with their titles and places."""
    tree = json.loads(subprocess.run(["swaymsg", "-rt", "get_tree"], check=True, capture_output=True).stdout)
    found, left = [], [tree]
    while left:
        node = left.pop()
        left += node["nodes"] + node["floating_nodes"]
        if node.get("pid") and node["visible"]:
            found.append(node)
    return found


def place_of(title: str) -> tuple[int, int, int, int]:
    """Left, top, width and height of a window on the screen."""
    ends = time.monotonic() + 30
    while not (found := [each["rect"] for each in windows() if (each["name"] or "").startswith(title)]):
        assert time.monotonic() < ends, f"no window {title}: {[each['name'] for each in windows()]}"
        time.sleep(0.1)
    rect = found[0]
    return rect["x"], rect["y"], rect["width"], rect["height"]


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("Pictures", "Videos"):
        monkeypatch.setenv(f"XDG_{folder.upper()}_DIR", str(tmp_path / folder))
    monkeypatch.setenv("QT_QPA_PLATFORM", "wayland")
    return tmp_path / "report.json"


@pytest.fixture
def walker(report: Path) -> Iterator[WaylandWalker]:
    # A keyboard that stays: with each that comes or goes, keys may be lost.
    keyboard = subprocess.Popen(["wtype", "-s", "10000000", "-k", "Shift_L"])
    walker = WaylandWalker(report)
    yield walker
    walker.mouse.close()
    keyboard.terminate()
    keyboard.wait(10)


def test_the_whole_way(
    walker: WaylandWalker, report: Path, data_folder: Path, person: Person, tmp_path: Path
) -> None:
    with something_moves():
        program = opened(report, data_folder)
        try:
            walker.until(lambda: walker.sees()["painted"] > 10, "the first restyled picture, by itself")
            walker.station("the start")
            walker.click("Skip")
            a_screen(walker, person)
            a_part(walker, person)
            keys(walker, person)
            pictures_from_other_programs(walker, tmp_path)
            walker.key_until(
                "ctrl+q", lambda: walker.find("Stop and close") or program.poll() is not None, "the question"
            )
            if program.poll() is None:
                walker.click("Stop and close")
            assert program.wait(60) == 0
            end_all(data_folder)
            program = opened(report, data_folder)
            again(walker, person)
            refused(walker, person)
        finally:
            program.terminate()
            program.wait(20)
            end_all(data_folder)


def a_screen(walker: WaylandWalker, person: Person) -> None:
    before = person.choices
    walker.click("Source:")
    walker.station("the sources")
    walker.click("Screen 1", "action")
    walker.until(lambda: str(walker.live("source_title")).startswith("Screen 1 (HEADLESS-1"), "the screen")
    assert person.choices == before + 1
    walker.prompt("pop art, warm")
    walker.until(lambda: "Pop art" in walker.live("understood"), "what was understood")
    walker.station("the screen as pop art")


def a_part(walker: WaylandWalker, person: Person) -> None:
    before = person.choices
    walker.click("Source:")
    walker.click("Part of the screen", "action")
    walker.until(lambda: any(each["fullscreen_mode"] for each in windows()), "the screen to draw on")
    walker.station("a frame can be drawn")
    walker.drag((1620, 380), (1910, 570))
    walker.until(lambda: str(walker.live("source_title")).startswith("Part of Screen 1"), "the part")
    walker.until(lambda: walker.live("source").startswith("screen:0@16"), "its place")
    walker.station("a part of the screen")
    assert person.choices == before, "the consent for the screen holds for its parts"


def keys(walker: WaylandWalker, person: Person) -> None:
    person.asked.clear()
    person.keys = {"hold": ""}
    walker.key_until("ctrl+comma", lambda: walker.find("Settings", "window"), "the settings")
    left, top, width, height = place_of("Settings")

    def scrolled(name: str) -> bool:
        walker.mouse.wheel(left + width // 2, top + height // 2, 3)
        time.sleep(PAINTED_S)
        thing = walker.find(name)
        return thing is not None and thing["box"][1] < height * 2 // 3

    walker.until(lambda: scrolled("Use them"), "the switch of the keys")
    walker.click("Use them", "Switch")
    walker.until(lambda: "Privacy, or show me" in person.asked, "the desktop's question")
    walker.until(lambda: walker.find("The desktop assigned: CTRL+ALT+p"), "the keys that it assigned")
    walker.until(lambda: walker.find("The desktop assigned no keys"), "that hold has none")
    walker.station("the keys in the settings")
    walker.key_until("Escape", lambda: not walker.find("Settings", "window"), "the end of the settings")
    person.press("privacy")
    walker.until(lambda: walker.live("private"), "that the desktop's key hides the picture")
    walker.station("hidden by the desktop's key")
    person.press("privacy")
    walker.until(lambda: not walker.live("private"), "that it shows it again")


def pictures_from_other_programs(walker: WaylandWalker, tmp_path: Path) -> None:
    paths = holiday_pictures(tmp_path / "holiday", 3)
    subprocess.run(["wl-copy", "--type", "text/uri-list", Path(paths[0]).as_uri()], check=True)
    walker.key_until("ctrl+v", lambda: walker.find("Remove the reference photo"), "the pasted picture")
    dropped = tmp_path / "dropped.txt"
    words = [sys.executable, str(NEIGHBOUR), "Holiday film", str(dropped), "0", "0", "560", "400", *paths[1:]]
    neighbour = subprocess.Popen(words)
    try:
        walker.until(lambda: any(each["name"] == "Holiday film" for each in windows()), "the other program")
        time.sleep(PAINTED_S)
        left, top, width, height = place_of("Holiday film")
        panel = walker.until(lambda: walker.find("Transforms"), "the panel")
        x, y = middle(panel["box"])[0], panel["box"][1] + 120
        own = place_of("Overpaint")
        walker.drag((left + width // 4, top + height // 2), (own[0] + x, own[1] + y))
        walker.until(lambda: any("holiday 02" in row for row in walker.rows()), "the dropped pictures")
        walker.station("pasted and dropped")
    finally:
        neighbour.terminate()
        neighbour.wait(10)


def again(walker: WaylandWalker, person: Person) -> None:
    before, asked = person.choices, list(person.asked)
    walker.until(lambda: walker.sees()["painted"] > 10, "the picture again")
    walker.until(lambda: str(walker.live("source_title")).startswith("Part of Screen 1"), "the same part")
    walker.station("after another start")
    assert person.choices == before, "nobody was asked for the screen"
    assert person.asked[: len(asked)] == asked


def refused(walker: WaylandWalker, person: Person) -> None:
    person.chooses("")
    walker.click("Source:")
    walker.click("Choose a window", "action")
    walker.until(
        lambda: walker.find("You have not allowed the capture of Shared window."), "what was refused"
    )
    walker.station("refused")
    assert str(walker.live("source_title")).startswith("Part of Screen 1"), "the former source goes on"
    person.chooses("Monitor:")


assert os.environ.get("WAYLAND_DISPLAY"), "make test-wayland starts these in a system of their own"
