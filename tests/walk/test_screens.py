"""A call's first five minutes on the screens that people have: 1366×768, Full HD at 200 %, and upright.

Each scene is a start for the first time: to a call, a recording with sound, a photo behind oneself, twenty
files in two looks, a camera and a window that are lost. ``make walk`` runs it and leaves a picture of every
station in ``dist/walk``.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from helpers.network_cameras import MjpegCamera
from helpers.sound_room import clicks_in
from helpers.sound_server import needs_sound_server
from walk.walker import Walker, holiday_pictures, middle, neighbour

pytestmark = pytest.mark.skipif(not os.environ.get("OVERPAINT_WALK"), reason="make walk")

SMALL = pytest.mark.parametrize("walker", ["1366x768", "1920x1080 at 200"], indirect=True)
EACH = pytest.mark.parametrize("walker", ["1366x768", "1920x1080 at 200", "1080x1920"], indirect=True)
UPRIGHT = pytest.mark.parametrize("walker", ["1080x1920"], indirect=True)
RECORDED_S = 6


@EACH
def test_from_the_first_start_to_a_call(walker: Walker) -> None:
    walker.station("the start")
    walker.stands_inside()
    walker.click("Next")
    walker.station("the tour")
    walker.click("Skip")

    walker.key("ctrl+g")
    walker.until(lambda: walker.find("Search looks"), "the gallery")
    walker.type("pencil sketch")
    walker.station("the gallery")
    walker.key("Return")
    walker.until(lambda: "encil" in (walker.live("understood") or ""), "the look")
    walker.station("a look")
    walker.key("Escape", "Escape")

    walker.click("Go live")
    walker.until(lambda: walker.find("Use the page for OBS"), "why nobody would see it")
    walker.station("going live without a driver")
    assert not walker.live("on_air") and walker.find("Go live"), "nobody sees anything yet"
    walker.click("Use the page for OBS")
    walker.until(lambda: walker.live("page")["address"], "the page for OBS")
    walker.station("the page for OBS")
    walker.key("Return")
    walker.until(lambda: walker.live("on_air"), "being live, for OBS")
    walker.station("live, for OBS")


@SMALL
@needs_sound_server
def test_a_recording_has_the_sound_of_the_microphone(claps: None, walker: Walker) -> None:
    walker.click("Skip")
    walker.key("ctrl+r")
    walker.until(lambda: walker.live("recording"), "the recording")
    path = Path(walker.live("recording"))
    time.sleep(RECORDED_S)
    walker.station("recording with sound")
    walker.key("ctrl+r")
    walker.until(lambda: walker.live("recorded") == str(path), "the end of the recording")
    walker.until(lambda: walker.find("Saved"), "the notice of where it is")
    walker.station("recorded")
    assert clicks_in(path), "on a busy machine not every clap is heard"

    walker.key("ctrl+shift+r")
    walker.until(lambda: walker.find("Recording\n", "row"), "the recording in the list")
    walker.station("the list of recordings")


@SMALL
def test_a_photo_becomes_the_background(walker: Walker, tmp_path: Path) -> None:
    beach = tmp_path / "beach.png"
    cv2.imwrite(str(beach), np.full((480, 640, 3), (200, 160, 20), np.uint8))
    walker.click("Skip")
    walker.click("Add a reference photo")
    walker.station("where a photo comes from")
    walker.click("Choose a file", "action")
    walker.give_path("Choose a reference photo", beach)
    walker.until(lambda: walker.find("Use as background"), "what the photo is for")
    walker.station("a photo")
    walker.click("Use as background")
    walker.until(lambda: "ackdrop" in (walker.live("understood") or ""), "the background")
    time.sleep(2)
    walker.station("a photo as background")


@SMALL
def test_words_put_a_person_on_a_beach_in_a_red_jacket(walker: Walker) -> None:
    walker.type("red jacket, on a beach at sunset, with a pirate hat")
    walker.key("Return")
    walker.until(lambda: "Beach at sunset" in (walker.live("understood") or ""), "the beach")
    assert "clothes in red" in walker.live("understood").lower()
    walker.until(lambda: walker.find("Not understood: pirate hat"), "what cannot be done")
    time.sleep(3)
    walker.station("on a beach in a red jacket")

    walker.key("ctrl+g")
    walker.until(lambda: walker.find("Search looks"), "the gallery")
    walker.type("office")
    time.sleep(2)
    walker.station("scenes in the gallery")
    walker.key("Return")
    walker.until(lambda: "Office" in (walker.live("understood") or ""), "the office")
    assert "clothes in red" in walker.live("understood").lower(), "another place, the same jacket"
    walker.key("Escape", "Escape")
    time.sleep(3)
    walker.station("in an office in a red jacket")


@SMALL
def test_twenty_files_get_two_looks(walker: Walker, tmp_path: Path) -> None:
    holiday_pictures(tmp_path / "holiday")
    walker.click("Skip")
    walker.click("More about transforms")
    walker.click("Add a folder", "action")
    walker.give_path("Add a folder", tmp_path / "holiday")
    walker.until(lambda: walker.find("Restyle 20"), "twenty pictures")
    walker.station("twenty pictures")
    walker.click("holiday 00.jpg", "row")
    walker.key(*["shift+Down"] * 9)
    walker.until(lambda: walker.find("Restyle 10"), "ten of them")
    walker.click("Look for these files")
    walker.key("ctrl+a")
    walker.type("watercolour")
    walker.station("ten of them in another look")
    walker.click("Restyle 10")
    walker.until(lambda: len(done(walker)) == 10 and walker.find("Restyle 10"), "the first ten")
    walker.click("Look for these files")
    walker.key("ctrl+a")
    walker.type("linocut")
    walker.click("Restyle 10")
    walker.until(lambda: len(done(walker)) == 20, "all twenty")
    walker.station("twenty pictures in two looks")
    assert sum("watercolour" in text for text in done(walker)) == 10
    assert sum("linocut" in text for text in done(walker)) == 10


def done(walker: Walker) -> list[str]:
    """What is said about each picture that is done."""
    rows = (thing for thing in walker.sees()["things"] if thing["name"].startswith("holiday"))
    return [row["text"] for row in rows if row["text"].startswith("done")]


@SMALL
def test_a_camera_that_is_lost_comes_back_by_itself(walker: Walker) -> None:
    camera = MjpegCamera()
    walker.click("Skip")
    walker.click("Source:")
    walker.station("where a picture comes from")
    walker.click("Network camera", "action")
    walker.until(lambda: walker.find("Use this camera"), "the dialog")
    walker.type(f"http://127.0.0.1:{camera.port}/video")
    walker.station("a network camera")
    walker.key("Return")
    walker.until(lambda: "127.0.0.1" in walker.live("source_title"), "the camera as the source")
    painted = walker.sees()["painted"]
    walker.until(lambda: walker.sees()["painted"] > painted + 5, "its picture")
    camera.close()
    walker.until(lambda: walker.live("trouble"), "that it is lost")
    walker.station("the camera is lost")
    camera = MjpegCamera(camera.port)
    painted = walker.sees()["painted"]
    walker.until(
        lambda: walker.live("trouble") is None and walker.sees()["painted"] > painted + 5,
        "the camera again, by itself",
    )
    walker.station("the camera is back")
    camera.close()


@UPRIGHT
def test_a_window_that_is_lost_comes_back_by_itself(walker: Walker, tmp_path: Path) -> None:
    place = (300, 1500, 500, 380)
    walker.click("Skip")
    with neighbour("Holiday film", place, tmp_path / "dropped.txt"):
        walker.xdo("search", "--sync", "--onlyvisible", "--name", "^Holiday film$")
        walker.click("Source:")
        walker.click("Screens and windows", "action")
        row = walker.until(lambda: walker.still("Holiday film", "row"), "the window among the sources")
        walker.station("the sources")
        walker.click_at(*middle(row["box"]))
        walker.until(lambda: walker.live("source_title") == "Holiday film", "the window as the source")
        walker.until(lambda: walker.live("trouble") is None, "its picture")
        walker.station("the window as the source")
    walker.until(lambda: walker.live("trouble") or walker.live("state") == "failed", "that it is lost")
    walker.station("the source is lost")
    painted = walker.sees()["painted"]
    with neighbour("Holiday film", place, tmp_path / "dropped.txt"):
        walker.until(
            lambda: walker.live("trouble") is None and walker.sees()["painted"] > painted + 5,
            "the source again, by itself",
        )
        walker.station("the source is back")
