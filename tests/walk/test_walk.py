"""A user's whole way through the real program, with real mouse and keys (xdotool) on a real X screen.

Start, take a window as the source, type a prompt, go live, drop twenty pictures, drag a result out, start
again: the history is still there. ``make walk`` runs it and leaves a picture of every station in
``dist/walk``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from helpers.processes import end_all
from helpers.window_managers import window_manager
from walk.walker import Walker, holiday_pictures, middle, neighbour, opened

PICTURES = 20

pytestmark = pytest.mark.skipif(not os.environ.get("OVERPAINT_WALK"), reason="make walk")


@pytest.fixture
def manager() -> Iterator[None]:
    with window_manager():
        yield


def test_the_whole_way(tmp_path: Path, data_folder: Path, manager: None) -> None:
    os.environ["XDG_PICTURES_DIR"] = str(tmp_path / "Pictures")
    report, dropped = tmp_path / "report.json", tmp_path / "dropped.txt"
    walker = Walker(report)
    film = neighbour(
        "Holiday film", (1330, 60, 560, 520), dropped, holiday_pictures(tmp_path / "holiday", PICTURES)
    )
    with film:
        the_whole_way(walker, report, dropped, data_folder)


def the_whole_way(walker: Walker, report: Path, dropped: Path, data_folder: Path) -> None:
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
        walker.until(lambda: walker.find("The window “Holiday film” is covered"), "that it is covered, by us")
        walker.station("the source is covered")
        walker.xdo("search", "--sync", "--onlyvisible", "--name", "^Overpaint$", "windowmove", 10, 40)
        walker.until(lambda: walker.sees()["painted"] > 10, "the picture again")
        with Image.open(walker.station("after another start")) as image:
            assert np.asarray(image).std() > 20
    finally:
        program.terminate()
        program.wait(20)
        end_all(data_folder)


def walk(walker: Walker, dropped: Path) -> None:
    walker.until(lambda: walker.sees()["painted"] > 10, "the first restyled picture, by itself")
    walker.xdo("search", "--sync", "--onlyvisible", "--name", "^Overpaint$", "windowmove", 10, 40)
    walker.station("the start")
    walker.click("Skip")

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
    page = "Use the page for OBS"
    walker.until(lambda: walker.live("on_air") or walker.find(page), "being on air, or why not")
    if not walker.live("on_air"):  # a machine without the camera's driver
        walker.station("no camera")
        walker.click(page)
        walker.until(lambda: walker.live("page")["address"], "the page for OBS")
        walker.station("the page for OBS")
        walker.key("Return")
        walker.until(lambda: walker.live("on_air"), "being live, for OBS")
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
